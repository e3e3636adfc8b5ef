"""``arbitree score`` as a user meets it."""

import csv
import io
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook

import arbitree as at
from arbitree.errors import UnknownName
from tests.support.commands import arbitree
from tests.support.conllu_rows import sentence

FOLDER = Path(__file__).parents[2] / "examples/score"
GOLD, HERON, WREN = (FOLDER / f"{name}.conllu" for name in ("gold", "heron", "wren"))


def score(*arguments):
    done = arbitree("score", *arguments)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_table_has_every_metric_and_both_tests():
    code, out, err = score(GOLD, WREN, HERON)
    assert code == 0
    assert out.startswith("Scores of 2 systems against gold on 12 sentences: heron is best with las 0.915")
    for name in (
        "uas",
        "la",
        "clas",
        "ned",
        "ted",
        "ucp",
        "lcp",
        "elas",
        "edit_distance",
        "root_las",
        "exact",
    ):
        assert f"\n{name} " in out
    assert "p boot" in out
    assert "p rand" in out
    assert "Format detected: conllu" in err


def test_json_has_a_system_beside_every_measure():
    code, out, _ = score(
        GOLD, HERON, WREN, "-m", "las", "-m", "ucp", "--json", "--resamples", 50, "--differences", 2
    )
    found = json.loads(out)
    assert (code, found["command"], found["study"]["reference"]) == (0, "score", "gold")
    assert [(r["system"], r["measure"]) for r in found["results"]] == [
        ("heron", "las"),
        ("heron", "ucp"),
        ("wren", "las"),
        ("wren", "ucp"),
    ]
    comparison = found["comparisons"][0]
    assert comparison["systems"] == ["heron", "wren"]
    assert 0 < comparison["p_randomisation"] <= comparison["p_holm"] <= 1
    assert [each["item"] for each in found["differences"]] == ["ferry-12", "ferry-8"]
    assert found["differences"][0]["values"] == {"heron": 1, "wren": 0.25}


def test_three_systems_get_a_table_of_pairs(tmp_path):
    third = tmp_path / "egret.conllu"
    third.write_bytes(GOLD.read_bytes())
    code, out, _ = score(GOLD, HERON, WREN, third, "-m", "las")
    assert code == 0
    assert "Holm" in out
    assert "egret - heron" in out


def test_many_systems_are_ranked_in_a_table_of_their_own(tmp_path):
    more = [tmp_path / f"{name}.conllu" for name in ("egret", "stork")]
    for path in more:
        path.write_bytes(WREN.read_bytes())
    code, out, _ = score(GOLD, HERON, WREN, *more)
    assert code == 0
    assert "\n1     heron   0.9151  0.881–0.943\n" in out
    assert max(map(len, out.splitlines())) <= 110
    assert out.count("12 sentences are few") == 1  # not once for every system


def test_breakdowns_and_confusions():
    code, out, _ = score(
        GOLD, WREN, "-m", "las", "-m", "ted", "--by", "deprel", "--by", "length", "--resamples", 0
    )
    assert code == 0
    assert "wren by deprel" in out
    assert "las precision" in out
    assert "wren: relations, gold" in out
    assert "wren by length" in out
    found = json.loads(score(GOLD, WREN, "-m", "las", "--by", "upos", "--json", "--resamples", 0)[1])
    noun = next(group for group in found["results"][0]["by"]["upos"] if group["group"] == "NOUN")
    assert noun["tokens"] == 27
    assert found["confusions"]["wren"]["relations"][0].keys() == {"gold", "system", "tokens"}


@pytest.mark.parametrize("name", ["pair", "coder", "annotator", "label"])
def test_a_breakdown_by_annotators_is_refused(name):
    code, out, err = score(GOLD, HERON, "-m", "las", "--by", name, "-q")
    assert (code, out) == (2, "")
    known = "deprel, depth, distance, document, length, upos"
    assert err.startswith(f"error: unknown breakdown '{name.replace('annotator', 'coder')}'.")
    assert err.endswith(f"Expected one of: {known}.\n")
    with pytest.raises(UnknownName, match="unknown breakdown"):
        at.score(str(GOLD), str(HERON), by=name)


def test_files_contain_every_table(tmp_path):
    options = ("-m", "las", "-m", "uas", "--by", "upos", "--by", "document", "--differences", 2)
    options += ("--resamples", 50, "-q")
    names = ("comparisons", "by-upos", "by-document", "errors-in-relations", "errors-in-attachments")
    names += ("differences", "sentences")
    found = json.loads(score(GOLD, HERON, WREN, *options, "--json")[1])
    for ending, delimiter in (("csv", ","), ("tsv", "\t")):
        folder = tmp_path / ending
        folder.mkdir()
        assert score(GOLD, HERON, WREN, *options, "-o", folder / f"sc.{ending}")[0] == 0
        tables = {}
        for path in folder.iterdir():
            with path.open(encoding="utf-8", newline="") as file:
                tables[path.name] = list(csv.DictReader(file, delimiter=delimiter))
        assert tables.keys() == {f"sc.{ending}", *(f"sc-{name}.{ending}" for name in names)}
        first = tables[f"sc-comparisons.{ending}"][0]
        expected = found["comparisons"][0]
        assert [first["first"], first["second"]] == expected["systems"]
        assert [float(first["low"]), float(first["high"])] == expected["interval"]
        assert float(first["p_holm"]) == expected["p_holm"]
        groups = tables[f"sc-by-upos.{ending}"]
        assert [float(row["value"]) for row in groups if row["value"]] == [
            group["value"]
            for result in found["results"]
            for group in result["by"]["upos"]
            if group["value"] is not None
        ]
        assert {row["system"] for row in groups} == {"heron", "wren"}
        errors = tables[f"sc-errors-in-relations.{ending}"]
        assert [(row["system"], row["gold"], row["answer"], int(row["tokens"])) for row in errors] == [
            (system, row["gold"], row["system"], row["tokens"])
            for system, confusions in found["confusions"].items()
            for row in confusions["relations"]
        ]
        assert [row["sentence"] for row in tables[f"sc-differences.{ending}"]] == ["ferry-12", "ferry-8"]
    assert score(GOLD, HERON, WREN, *options, "-o", tmp_path / "sc.xlsx")[0] == 0
    sheets = load_workbook(tmp_path / "sc.xlsx")
    assert sheets.sheetnames == ["Results", *(name.capitalize().replace("-", " ") for name in names)]
    assert sheets["Comparisons"].max_row == 3


def test_per_sentence_table(tmp_path):
    path = tmp_path / "all.tsv"
    code, _, err = score(
        GOLD, HERON, WREN, "-m", "las", "-m", "ucp", "--per-sentence", path, "--resamples", 0
    )
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), delimiter="\t"))
    assert code == 0
    assert f"Wrote {path}" in err
    assert len(rows) == 24
    assert list(rows[0]) == ["item", "system", "las", "ucp", "document", "text"]
    assert (rows[0]["document"], rows[0]["text"]) == ("crossing", "The ferry left the harbour at dawn .")
    last = next(row for row in rows if (row["item"], row["system"]) == ("ferry-12", "wren"))
    assert (last["las"], last["ucp"]) == ("0.25", "")


def test_phrases_are_scored(tmp_path):
    for name, text in (("gold", "(S (NP (N rain)) (VP (V fell)))"), ("s", "(S (NP (N rain)) (V fell))")):
        (tmp_path / f"{name}.mrg").write_text(text + "\n", encoding="utf-8")
    code, out, _ = score(tmp_path / "gold.mrg", tmp_path / "s.mrg")
    assert code == 0
    assert "sentence: parseval 0.800" in out
    for name in ("brants", "crossing", "leaf_ancestor", "jaccard", "exact"):
        assert f"\n{name} " in out


def test_meaning_representations_are_scored(tmp_path):
    gold, system = tmp_path / "gold.eds", tmp_path / "system.eds"
    gold.write_text("{e2: x3:_bird_n_1<0:5>[] e2:_sing_v_1<6:10>[ARG1 x3]}\n", encoding="utf-8")
    system.write_text("{e2: x3:_bird_n_1<0:5>[] e2:_sing_v_1<6:10>[ARG2 x3]}\n", encoding="utf-8")
    code, out, _ = score(gold, system)
    assert code == 0
    assert "sentence: edm 0.750" in out


def test_fail_under():
    assert score(GOLD, WREN, "-m", "las", "--fail-under", 0.9)[0] == 1
    assert score(GOLD, HERON, "-m", "las", "--fail-under", 0.9)[0] == 0


def test_fail_over_looks_at_measures_whose_lower_values_are_better():
    assert score(GOLD, HERON, "-m", "edit_distance", "--fail-over", 5)[0] == 0
    code, _, err = score(GOLD, HERON, "-m", "edit_distance", "--fail-over", 1)
    assert code == 1
    assert "edit_distance of heron 1.4167 is above the threshold of 1 set with --fail-over.\n" in err


def test_citations():
    assert "@inproceedings{schwartz2011" in score(GOLD, HERON, "-m", "ned", "--cite", "--resamples", 0)[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((GOLD, HERON, "-m", "lass"), "Did you mean 'las'?"),
        ((GOLD, HERON, "-m", "las:punctuation=none"), "Expected one of: remove-node, score-all, skip-form."),
        ((GOLD, HERON, "-m", "alpha_plain"), "does not score systems against gold"),
        ((GOLD, HERON, "-m", "parseval"), "cannot measure dependency trees"),
        ((GOLD, HERON, "--by", "relation"), "unknown breakdown 'relation'"),
        ((GOLD, HERON, "-m", "ted", "--by", "deprel"), "none of these measures can be broken down"),
        ((GOLD, FOLDER / "robin.conllu"), "file not found"),
    ],
)
def test_mistakes_get_one_line(arguments, message):
    code, out, err = score("-q", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_other_sentences_and_numbers_of_sentences(tmp_path):
    gold, short, other = (tmp_path / f"{name}.conllu" for name in ("gold", "short", "other"))
    first, second = sentence("The dog ran .", [2, 3, 0, 3]), sentence("Rain fell .", [2, 0, 2])
    gold.write_text(first + second, encoding="utf-8")
    short.write_bytes(first.replace("\n", "\r\n").encode())
    other.write_text(second + first, encoding="utf-8")
    code, out, err = score(gold, short, "-m", "las", "--resamples", 0)
    assert code == 0
    assert "the last one counts as a missing annotation" in err
    assert "las excludes 1 sentence: annotated by only one annotator." in out
    assert score(gold, short, "--strict")[0] == 2
    code, out, err = score(gold, other, "-q", "-m", "las", "--resamples", 0, "--json")
    assert code == 0
    assert "matched by text: 2 by text" in err
    assert json.loads(out)["results"][0]["value"] == 1
    assert score(gold, other, "--match", "position")[0] == 2


def test_systems_on_different_sentences_are_said(tmp_path):
    part = tmp_path / "part.conllu"
    part.write_text(
        "\n\n".join(HERON.read_text(encoding="utf-8").strip().split("\n\n")[-2:]) + "\n\n", encoding="utf-8"
    )
    _, out, _ = score(GOLD, HERON, part, "-m", "las", "--resamples", 0)
    assert (
        "numbers of sentences differ (heron 12, part 2); differences are computed on shared sentences" in out
    )


def test_no_line_of_a_breakdown_is_wider_than_a_terminal():
    _, out, _ = score(GOLD, HERON, WREN, "--by", "length", "--by", "deprel", "--resamples", 10)
    assert max(map(len, out.splitlines())) <= 100
    assert out.count("heron by length") == 2


def test_labels_are_sent_to_agree(tmp_path):
    for name in ("gold", "system"):
        (tmp_path / f"{name}.tsv").write_text(
            f"coder\titem\tlabel\n{name}\ta\tyes\n{name}\tb\tno\n", encoding="utf-8"
        )
    code, _, err = score("-q", tmp_path / "gold.tsv", tmp_path / "system.tsv")
    assert code == 2
    assert "no metric can score" in err
    assert "use 'arbitree agree'; to compare a consensus with the gold standard, use 'arbitree coders'" in err
    code, _, err = score("-q", tmp_path / "gold.tsv", tmp_path / "system.tsv", "-m", "kappa")
    assert code == 2
    assert "Use one of: hierarchical_score; 'arbitree agree' computes kappa." in err


def test_cyclic_system_trees_are_said(tmp_path):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(
        sentence("The dog ran .", [2, 3, 0, 3]) + sentence("Rain fell .", [2, 0, 2]), encoding="utf-8"
    )
    system.write_text(
        sentence("The dog ran .", [2, 1, 0, 3]) + sentence("Rain fell .", [0, 0, 0]), encoding="utf-8"
    )
    code, out, err = score(gold, system, "-m", "uas", "-m", "ted", "--resamples", 0)
    assert code == 0
    assert "1 tree has a cycle" in err
    assert "ted is undefined on 1 sentence" in out


FLAT = "hierarchical_score:hierarchy=flat"


@pytest.fixture
def tables(tmp_path):
    """A table of two annotators, and one of a system."""
    people, system = tmp_path / "people.tsv", tmp_path / "system.tsv"
    people.write_text("item\tann\tbob\n1\ta\tb\n2\tb\tb\n3\tc\ta\n4\ta\ta\n", encoding="utf-8")
    system.write_text("item\tsystem\n1\ta\n2\tb\n3\tc\n4\tb\n", encoding="utf-8")
    return people, system


def test_a_gold_file_of_several_annotators_is_refused(tables):
    people, system = tables
    code, out, err = score("-q", people, system, "-m", FLAT)
    assert (code, out) == (2, "")
    what = "it is unclear which of 2 annotators (ann, bob) is the gold standard"
    assert err == f"{people}: {what}. Choose one with --gold NAME.\n"


@pytest.mark.parametrize(("gold", "values"), [("ann", [0.75, 0.5]), ("bob", [0.5, 0.25])])
def test_gold_names_one_of_several_annotators(tables, gold, values):
    """The other annotator is scored as a system."""
    code, out, _ = score(*tables, "--gold", gold, "-m", FLAT, "--resamples", 0, "--json")
    found = json.loads(out)
    assert (code, found["study"]["reference"]) == (0, gold)
    assert [each["value"] for each in found["results"]] == values
    assert score("-q", tables[0], "--gold", gold, "-m", FLAT, "--resamples", 0)[0] == 0


def test_gold_can_be_any_input():
    found = json.loads(score(GOLD, HERON, "--gold", "heron", "--json", "--resamples", 0)[1])
    assert (found["study"]["reference"], found["systems"]) == ("heron", ["gold"])


def test_one_file_may_be_both_gold_and_system(tmp_path):
    path = tmp_path / "one.tsv"
    path.write_text("item\tlabel\n1\ta\n2\tb\n", encoding="utf-8")
    for each, measure in ((GOLD, "las"), (path, FLAT)):
        code, out, err = score(f"gold={each}", f"same={each}", "-m", measure, "--resamples", 0, "--json")
        assert code == 0, err
        assert json.loads(out)["results"][0]["value"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((GOLD, HERON, "--gold", "hern"), "unknown annotator 'hern'. Did you mean 'heron'?"),
        ((GOLD,), "there is no system to score against gold. Pass one file per system."),
    ],
)
def test_mistakes_with_gold_get_one_line(arguments, message):
    code, out, err = score("-q", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_items_of_tables_are_not_called_sentences(tables, tmp_path):
    people, system = tables
    system.write_text(system.read_text(encoding="utf-8").replace("4\tb\n", ""), encoding="utf-8")
    other = tmp_path / "other.tsv"
    other.write_text("item\tother\tdocument\n1\tb\tx\n2\tb\tx\n3\tb\ty\n4\tb\ty\n", encoding="utf-8")
    shown = ("--by", "document", "--differences", 2, "-v")
    code, out, err = score(people, system, other, "--gold", "ann", "-m", FLAT, *shown)
    assert code == 0, err
    assert "against ann on 4 items" in out
    assert "\nitem  words" in out
    found = json.loads(score(people, system, other, "--gold", "ann", "-m", FLAT, "--json", *shown)[1])
    assert "sentence" not in f"{out}{err}{found}"


@pytest.mark.parametrize("options", [("--backend", "serial"), ("--threads", 2), ("--backend", "threads")])
def test_threads_and_backend_change_no_digit(options):
    arguments = (GOLD, HERON, WREN, "--resamples", 20, "--json")
    assert score(*arguments, *options)[:2] == score(*arguments)[:2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--backend", "thread"), "Did you mean 'threads'?"),
        (("--scheduler", "tcp://127.0.0.1:1"), "the backend threads does not support --scheduler"),
    ],
)
def test_mistakes_with_backends_get_one_line(options, message):
    code, out, err = score("-q", GOLD, HERON, *options)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
