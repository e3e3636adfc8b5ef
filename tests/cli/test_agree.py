"""``arbitree agree`` as a user meets it: what comes on which stream, exit codes, one-line errors."""

import json
import subprocess
import sys

import pytest

from tests.support.commands import arbitree, arbitree_process
from tests.support.conllu_rows import sentence

ANN = sentence("The dog saw the old man .", [2, 3, 0, 6, 6, 3, 3], name="a", document="d1") + sentence(
    "Rain fell .", [2, 0, 2], name="b", document="d2"
)
BOB = sentence("The dog saw the old man .", [2, 3, 0, 6, 4, 3, 3], name="a", document="d1") + sentence(
    "Rain fell .", [2, 0, 2], name="b", document="d2"
)


@pytest.fixture
def pair(tmp_path):
    for name, text in (("ann", ANN), ("bob", BOB)):
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    return [tmp_path / "ann.conllu", tmp_path / "bob.conllu"]


def test_the_table_goes_to_stdout_and_the_talk_to_stderr(pair):
    done = arbitree("agree", *pair)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0
    assert out.startswith("Agreement of 2 annotators on 2 sentences: alpha_plain 0.")
    assert "las" in out
    assert "95% CI" in out
    assert "Format detected: conllu" in err
    assert "Sentences matched by id" in err
    assert max(map(len, out.splitlines())) <= 100
    assert "\x1b" not in out
    quiet = arbitree("agree", "-q", *pair)
    assert quiet.stderr == b""
    assert quiet.stdout.decode() == out


def test_json_follows_the_contract(pair):
    found = json.loads(arbitree("agree", "--json", "--by", "document", *pair).stdout)
    assert found["command"] == "agree"
    assert found["study"] == {
        "kind": "dependency",
        "items": 2,
        "coders": ["ann", "bob"],
        "annotations": 4,
        "tokens": 10,
    }
    first = found["results"][0]
    assert first["measure"] == "alpha_plain"
    assert set(first) >= {
        "measure",
        "value",
        "interval",
        "status",
        "items_used",
        "items_ignored",
        "details",
        "signature",
    }
    assert set(first["details"]) >= {"observed", "expected"}
    assert first["value"] == pytest.approx(1 - first["details"]["observed"] / first["details"]["expected"])
    assert [group["group"] for group in first["by"]["document"]] == ["d1", "d2"]
    assert any("2 sentences are few" in warning for warning in found["warnings"])


def test_undefined_values_are_null_with_a_status(tmp_path):
    same = sentence("Rain fell .", name="a")
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.conllu").write_text(same, encoding="utf-8")
    paths = [tmp_path / "ann.conllu", tmp_path / "bob.conllu"]
    first = json.loads(arbitree("agree", "--json", *paths).stdout)["results"][0]
    assert (first["value"], first["interval"], first["status"]) == (None, None, "no_variation")
    text = arbitree("agree", *paths).stdout.decode()
    assert "no_variation: undefined, because all annotations are equal under this measure" in text
    assert max(map(len, text.splitlines())) <= 100


def test_fail_under_looks_at_the_first_measure(pair):
    assert arbitree("agree", *pair, "-m", "las", "--fail-under", "0.9").returncode == 0
    done = arbitree("agree", *pair, "-m", "las", "--fail-under", "0.95")
    assert done.returncode == 1
    assert b"las 0.9000 is below the threshold of 0.95 set with --fail-under." in done.stderr


def test_a_threshold_is_a_number(pair):
    done = arbitree("agree", *pair, "-m", "las", "--fail-under", "nan")
    assert done.returncode == 2
    assert done.stderr.endswith(b"error: the threshold is not a number. Write a number, such as 0.8.\n")


def test_options_that_distinguish_results_are_written_as_they_are_typed(pair):
    done = arbitree("agree", *pair, "-m", "alpha_plain", "-m", "alpha_plain:labelled=no", "--resamples", "0")
    assert b"alpha_plain:labelled=yes " in done.stdout
    assert b"alpha_plain:labelled=no " in done.stdout


def test_fail_over_is_for_measures_whose_lower_values_are_better(pair):
    assert arbitree("agree", *pair, "-m", "edit_distance", "--fail-over", "5").returncode == 0
    done = arbitree("agree", *pair, "-m", "edit_distance", "--fail-over", "0.1")
    assert done.returncode == 1
    assert b"is above the threshold of 0.1 set with --fail-over." in done.stderr


def test_alpha_is_not_compared_with_las(pair):
    done = arbitree("agree", "-q", *pair, "-m", "alpha_plain", "-m", "las", "--difference")
    assert (done.returncode, done.stdout) == (2, b"")
    what = "alpha_plain and las cannot be compared, because the same value does not mean the same level of"
    hint = "agreement in both. Compare alpha_plain with one of: alpha_diff, alpha_norm, alpha_pqgram."
    assert done.stderr.decode().endswith(f"{what} {hint}\n")
    assert arbitree("agree", "-q", *pair, "--difference", "--resamples", 0).returncode == 0


LOWER = "--fail-under does not apply to {}, because lower values are better. Use --fail-over."
HIGHER = "--fail-over does not apply to {}, because higher values are better. Use --fail-under."
PAIRS = {
    "dependency": ("examples/score/gold.conllu", "examples/score/heron.conllu"),
    "phrase": ("examples/phrase/ann.mrg", "examples/phrase/bob.mrg"),
}


@pytest.mark.parametrize(
    ("command", "files", "measure", "option", "message"),
    [
        ("agree", "dependency", "edit_distance", "--fail-under", LOWER.format("edit_distance")),
        ("agree", "phrase", "crossing", "--fail-under", LOWER.format("crossing")),
        ("agree", "phrase", "alpha_plain", "--fail-over", HIGHER.format("alpha_plain")),
        ("score", "dependency", "edit_distance", "--fail-under", LOWER.format("edit_distance of heron")),
        ("score", "dependency", "las", "--fail-over", HIGHER.format("las of heron")),
    ],
)
def test_thresholds_fit_the_direction_of_the_measure(command, files, measure, option, message):
    """Another error than a failed check, and no output."""
    done = arbitree(command, "-q", *PAIRS[files], "-m", measure, option, "5", "--resamples", 0)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().endswith(f"{message}\n")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("command", "listed"), [("agree", True), ("score", True), ("tsdb", False), ("coders", False)]
)
def test_commands_without_measures_whose_lower_values_are_better_have_no_fail_over(command, listed):
    shown = arbitree(command, "--help").stdout
    assert b"--fail-under" in shown
    assert (b"--fail-over" in shown) == listed


def test_output_is_written_whole(pair, tmp_path):
    target = tmp_path / "out.json"
    done = arbitree("agree", *pair, "--json", "--output", target)
    assert done.stdout == b""
    assert json.loads(target.read_text(encoding="utf-8"))["command"] == "agree"
    assert arbitree("agree", *pair, "--output", tmp_path / "no" / "out").returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ann.conllu", "bob.conllu", "out.json"]


def test_cite_gives_bibtex(pair):
    out = arbitree("agree", *pair, "--cite", "-m", "alpha_plain").stdout.decode()
    assert "@inproceedings{skjaerholt2014," in out
    assert len(json.loads(arbitree("agree", *pair, "--cite", "--json").stdout)["citations"]) == 4


def test_attachment_scores_cite_their_origin_and_the_mean_over_pairs(pair):
    for measure in ("las", "uas", "la"):
        found = json.loads(arbitree("agree", *pair, "-m", measure, "--cite", "--json").stdout)["citations"]
        assert [each.partition(",")[0] for each in found] == [
            "@inproceedings{buchholz-marsi2006",
            "@inproceedings{skjaerholt2014",
        ]


def test_verbose_lists_what_was_left_out(tmp_path):
    (tmp_path / "ann.conllu").write_text(
        sentence("I do n't know", name="a") + sentence("Rain fell .", name="b"), encoding="utf-8"
    )
    (tmp_path / "bob.conllu").write_text(
        sentence("I don't know", name="a") + sentence("Rain fell .", name="b"), encoding="utf-8"
    )
    out = arbitree("agree", tmp_path / "ann.conllu", tmp_path / "bob.conllu", "-v").stdout.decode()
    assert "las, uas and la exclude 1 sentence: the number of tokens differs between annotators." in out
    assert "a: token_mismatch tokens: ann 4" in out
    assert " alpha_plain:labelled=yes,size=nodes|match:id|format:conllu|items:" in out


def test_standard_input_is_a_coder(pair):
    done = arbitree("agree", pair[0], "bob=-", stdin=BOB.encode())
    assert done.returncode == 0
    assert done.stdout == arbitree("agree", *pair).stdout


def test_colours_only_on_a_terminal_that_wants_them(pair):
    assert b"\x1b" not in arbitree("agree", *pair, NO_COLOR="1").stdout


BAD = {
    "columns": (b"1\tw\t_\n", "ann.conllu:1: "),
    "head": (ANN.replace("\t6\tdep", "\tsix\tdep", 1).encode(), "is not a number. "),
    "range": (ANN.replace("\t6\tdep", "\t60\tdep", 1).encode(), "head 60 is out of range"),
    "empty": (b"", "ann.conllu:1: the file is empty. "),
    "encoding": (ANN.replace("dog", "k\u00f8ter").encode("latin-1"), "is not valid utf-8"),
    "gzip": (b"\x1f\x8b\x08\x00broken", "cannot decompress the gzip data"),
    "ids": ((ANN + ANN).encode(), "duplicate id"),
    "sentences": (
        ANN.replace("The\t", "Nobody\t")
        .replace("dog", "came")
        .replace("man", "home")
        .replace("old", "yet")
        .replace("saw", "back")
        .encode(),
        "in 'a', but ",
    ),
    "common": (ANN.replace("sent_id = ", "sent_id = other-").encode(), "no items in common"),
    "brackets": (b"(ROOT (S (NP (NN Rain)) (VP (VBD fell)))\n", "ann.conllu:1: "),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_exit_code_2(case, pair):
    content, words = BAD[case]
    pair[0].write_bytes(content)
    done = arbitree("agree", "-q", *pair)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 2
    assert len(lines) == 1
    assert words in lines[0]
    assert lines[0].startswith(str(pair[0].parent))
    assert done.stdout == b""


def test_one_coder_a_folder_and_a_missing_file_are_one_line_too(pair, tmp_path):
    cases = {
        (pair[0],): "agreement needs at least two annotators",
        (pair[0], tmp_path): "expected a file, got a directory",
        (pair[0], tmp_path / "nothing.conllu"): "contains no similar name. Pass the path of an existing",
        (pair[0], tmp_path / "bbo.conllu"): f"bbo.conllu: file not found. Did you mean {pair[1]}?",
        (pair[0], tmp_path / "*.conllu"): "file not found. No file matches this pattern",
    }
    for arguments, words in cases.items():
        done = arbitree("agree", "-q", *arguments)
        assert done.returncode == 2
        assert done.stderr.decode().count("\n") == 1
        assert words in done.stderr.decode()


def test_mistyped_names_get_a_suggestion(pair):
    assert b"Did you mean 'agree'" in arbitree("agre", *pair).stderr
    assert b"Did you mean 'alpha_plain'" in arbitree("agree", *pair, "-m", "alpha_plian").stderr
    assert b"Did you mean 'threads'" in arbitree("agree", *pair, "--backend", "thread").stderr


def test_a_reader_that_goes_away_is_no_error(pair):
    command = f"{sys.executable} -m arbitree agree -q {pair[0]} {pair[1]} | true"
    assert subprocess.run(["bash", "-c", command], capture_output=True, check=False, timeout=60).stderr == b""


def test_the_plain_twin_gives_the_same_numbers_and_says_that_it_is_slow(pair):
    fast, plain = (
        arbitree_process("agree", "--json", *pair, ARBITREE_KERNEL=name) for name in ("compiled", "plain")
    )
    assert json.loads(fast.stdout)["results"] == json.loads(plain.stdout)["results"]


@pytest.fixture
def many(tmp_path):
    """Two coders and 70 sentences."""
    from tests.support.random_studies import some_study

    study = some_study(items=70)
    for coder in study.coders:
        text = "".join(
            sentence(
                " ".join(study.cells[item.id, coder].value.tokens),
                list(study.cells[item.id, coder].value.heads),
                name=item.id,
            )
            for item in study.items
        )
        (tmp_path / f"{coder}.conllu").write_text(text, encoding="utf-8")
    return [tmp_path / f"{coder}.conllu" for coder in study.coders]


def test_pairs_gives_an_estimate_that_says_so(many):
    done = arbitree("agree", *many, "-m", "alpha_plain", "--pairs", "2e2", "--seed", "5", "-v")
    out = done.stdout.decode()
    assert done.returncode == 0
    assert "sentences: estimated alpha_plain 0." in out
    assert "alpha_plain is an estimate from 200 of 2,415 pairs of sentences, ± 0." in out
    assert "|pairs:200|" in out
    found = json.loads(
        arbitree("agree", *many, "-m", "alpha_plain", "--pairs", "200", "--seed", "5", "--json").stdout
    )
    details = found["results"][0]["details"]
    assert (details["estimated"], details["sampled_pairs"], details["all_pairs"]) == (True, 200, 2415)
    assert details["expected_se"] > 0
    assert found["warnings"][0].startswith("alpha_plain is an estimate")


def test_tolerance_says_how_many_pairs_it_takes(many, tmp_path):
    done = arbitree("agree", *many, "-m", "alpha_plain", "--tolerance", "0.5")
    assert done.returncode == 0
    said = "alpha_plain is estimated from 2,000 of 2,415 sentence pairs to reach a tolerance of 0.5"
    assert said in done.stderr.decode()
    done = arbitree("agree", *many, "-m", "alpha_plain", "--tolerance", "1e-9")
    assert "all 2,415 pairs of sentences were compared" in done.stdout.decode()
    done = arbitree("report", *many, "-m", "alpha_plain", "--pairs", "100", "-o", tmp_path / "report")
    assert "estimated alpha_plain" in done.stdout.decode()
    assert "an estimate from 100 of 2,415 pairs" in (tmp_path / "report" / "report.html").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--pairs", "1"), "pairs is 1. Use a whole number of at least 2, such as 1000000 or 1e6."),
        (("--tolerance", "0"), "tolerance is 0. Use a number above 0, such as 0.001."),
        (
            ("--pairs", "10", "--tolerance", "0.1"),
            "pairs and tolerance cannot be combined. Set only one of them.",
        ),
        (("-m", "las", "--pairs", "10"), "there are no pairs of sentences to sample for las."),
    ],
)
def test_impossible_samples_are_one_line(pair, options, words):
    done = arbitree("agree", "-q", *pair, *options)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"error: {words}")
    assert len(done.stderr.splitlines()) == 1


def test_files_contain_the_tables_of_every_comparison(pair, tmp_path):
    options = ("-m", "las", "-m", "uas", "--difference", "--versus", pair[0], "--versus", pair[1], "-q")
    assert arbitree("agree", *pair, *options, "-o", tmp_path / "ag.csv").returncode == 0
    assert sorted(path.name for path in tmp_path.glob("ag*")) == [
        "ag-differences.csv",
        "ag-versus.csv",
        "ag.csv",
    ]
    assert "las - uas," in (tmp_path / "ag-differences.csv").read_text(encoding="utf-8")
    assert "\nuas," in (tmp_path / "ag-versus.csv").read_text(encoding="utf-8")


def test_tables_of_differences_are_explained(pair):
    options = ("-m", "las", "-m", "uas", "--difference", "--versus", pair[0], "--versus", pair[1], "-q")
    found = arbitree("agree", *pair, *options, "--confidence", 0.9).stdout.decode()
    shown = " ".join(found.split())
    assert "first, second: the values of the two measures. difference: first minus second." in shown
    assert "first: the inputs; second: the study to compare with (--versus)." in shown
    assert shown.count("low, high: 90% CI of the difference. p: two-sided, by jackknife.") == 2
    drawn = arbitree("agree", *pair, *options, "--interval", "percentile", "--resamples", 50).stdout.decode()
    assert "p: two-sided, by bootstrap, 50 resamples." in " ".join(drawn.split())
    bare = arbitree("agree", *pair, *options, "--resamples", 0).stdout.decode()
    assert "low, high and p need resamples." in " ".join(bare.split())
