"""Agreement in several studies and several columns: values, tables, JSON, files, figures, errors."""

import csv
import io
import json
from xml.etree import ElementTree

import pytest

import arbitree as at
from arbitree.errors import StudyError, UnknownName, UnsupportedStudy
from tests.support.commands import arbitree

PAIR = ("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
STUDIES = ("examples/dependency", "examples/phrase", "examples/labels/stance.tsv")

TWO = ("all=examples/dependency", "two=examples/dependency/[ab]*")


@pytest.fixture(scope="module")
def pair():
    return at.read(*PAIR)


@pytest.fixture(scope="module")
def mixed():
    return at.agree_studies(STUDIES, ["las", "alpha_plain", "kappa"], resamples=0)


def test_each_study_has_the_values_that_agree_gives(mixed):
    alone = at.agree(
        at.read(*(f"examples/phrase/{name}.mrg" for name in ("ann", "bob", "cho"))), "alpha_plain"
    )
    assert mixed["phrase"]["alpha_plain"].value == alone["alpha_plain"].value
    assert (
        mixed["phrase"]["alpha_plain"].signature.split("|")[0] == alone["alpha_plain"].signature.split("|")[0]
    )
    assert list(mixed) == ["dependency", "phrase", "stance"]


def test_a_measure_that_does_not_fit_a_study_is_left_out_with_the_reason(mixed):
    rows = [line.split() for line in str(mixed).splitlines()]
    assert next(row for row in rows if row[:1] == ["phrase"])[1] == "—"
    text = " ".join(str(mixed).split())
    assert (
        "— las and kappa cannot measure phrase-structure trees: left out for 1 of 3 studies (phrase)" in text
    )
    assert "— kappa cannot measure dependency trees: left out for 1 of 3 studies (dependency)" in text
    found = mixed.to_dict()
    assert [row["study"] for row in found["results"]] == ["dependency", "dependency", "phrase", "stance"]
    assert {"study": "stance", "measure": "las", "reason": "las cannot measure labels"} in found["unfit"]


def test_measures_left_out_for_the_same_reason_share_a_line():
    text = " ".join(str(at.agree_studies(STUDIES[:2], resamples=0)).split())
    assert (
        "— las, uas and la cannot measure phrase-structure trees: left out for 1 of 2 studies (phrase)"
        in text
    )


def test_a_preset_applies_to_each_study_by_its_kind():
    found = at.agree_studies(STUDIES[:2], preset="skjaerholt2014", resamples=0)
    assert found["dependency"]["alpha_norm"].details["options"]["size"] == "nodes"
    assert found["phrase"]["alpha_norm"].details["options"]["size"] == "leaves"
    with pytest.raises(UnsupportedStudy, match="study 'stance': preset skjaerholt2014 is not for labels"):
        at.agree_studies(STUDIES, preset="skjaerholt2014")


def test_a_measure_that_fits_no_study_is_an_error():
    with pytest.raises(UnsupportedStudy, match="study 'stance': las cannot measure labels"):
        at.agree_studies(STUDIES[2:], ["las"])
    with pytest.raises(UnknownName, match="unknown measure 'lass'"):
        at.agree_studies(STUDIES, ["lass"])


def test_studies_are_given_by_name(pair):
    found = at.agree_studies(
        {"all": pair, "few": pair.select(items=[i.id for i in pair.items[:5]])}, "las", resamples=0
    )
    assert found.to_dict()["studies"][1] == {
        "study": "few",
        "kind": "dependency",
        "items": 5,
        "coders": ["ann", "bob"],
        "annotations": 10,
        "tokens": 55,
    }
    assert str(found).startswith("Agreement in 2 studies: las from 0.")
    with pytest.raises(UnknownName, match=r"unknown study 'few2'\. Did you mean 'few'"):
        found["few2"]


def test_the_row_of_a_study_states_the_highest_possible_value():
    measure = "hierarchical_kappa:hierarchy=examples/senses/weather.txt"
    found = str(at.agree_studies(["examples/senses/diary.tsv"], measure, resamples=0))
    assert found.startswith("Agreement in 1 study: hierarchical_kappa 0.489 of at most 0.756 (diary).")
    assert "\ndiary  0.489 of at most 0.756 " in found


def test_a_study_with_one_annotator_is_named(pair):
    with pytest.raises(StudyError, match="the study 'one' has only one annotator, ann"):
        at.agree_studies({"both": pair, "one": pair.select(coders=["ann"])})


def test_each_column_has_rows_of_its_own(pair):
    found = at.agree_studies(pair, ["kappa", "agreement"], column=["upos", "deprel"], resamples=0)
    alone = at.agree(at.read(*PAIR, column="deprel"), ["kappa"], resamples=0)
    assert found["deprel"]["kappa"].value == alone["kappa"].value
    assert [(row["column"], row["measure"]) for row in found.to_dict()["results"]] == [
        ("upos", "kappa"),
        ("upos", "agreement"),
        ("deprel", "kappa"),
        ("deprel", "agreement"),
    ]
    assert str(found).startswith(
        "Agreement of 2 annotators in 2 columns: kappa from 0.900 (deprel) to 0.994 (upos)."
    )
    frame = found.to_pandas()
    assert list(frame["column"]) == ["upos", "upos", "deprel", "deprel"]


def test_a_column_that_does_not_exist_is_an_error(pair):
    with pytest.raises(UnknownName, match=r"unknown column or feature 'upso'\. Did you mean 'upos'"):
        at.agree_studies(pair, column=["upos", "upso"])


def test_columns_of_several_studies(pair):
    found = at.agree_studies({"a": pair, "b": pair}, "kappa", column=["upos", "deprel"], resamples=0)
    assert list(found) == [("a", "upos"), ("a", "deprel"), ("b", "upos"), ("b", "deprel")]
    assert found["b", "deprel"]["kappa"].value == found["a", "deprel"]["kappa"].value
    assert "Agreement in 2 columns of 2 studies: kappa from" in str(found)


def test_the_command_repeats_column():
    done = arbitree("agree", *PAIR, "--column", "upos", "--column", "deprel", "-m", "kappa", "--json")
    found = json.loads(done.stdout)
    assert [(row["column"], row["measure"]) for row in found["results"]] == [
        ("upos", "kappa"),
        ("deprel", "kappa"),
    ]
    one = json.loads(arbitree("agree", *PAIR, "--column", "upos", "-m", "kappa", "--json").stdout)
    assert one["results"][0]["value"] == found["results"][0]["value"]
    assert one["study"]["kind"] == "label"


def test_breakdowns_and_confusions_have_the_name_of_the_column(tmp_path):
    path = tmp_path / "out.csv"
    columns = ("--column", "upos", "--column", "deprel")
    done = arbitree("agree", *PAIR, *columns, "-m", "kappa", "--by", "document", "--confusions", "-o", path)
    assert done.returncode == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "out-by-document-deprel.csv",
        "out-by-document-upos.csv",
        "out-confusions-deprel.csv",
        "out-confusions-upos.csv",
        "out.csv",
    ]
    text = arbitree("agree", *PAIR, *columns, "-m", "kappa", "--confusions").stdout.decode()
    assert "upos: confusions" in text
    found = json.loads(arbitree("agree", *PAIR, *columns, "-m", "kappa", "--confusions", "--json").stdout)
    assert {row["column"] for row in found["confusions"]} == {"upos", "deprel"}


def test_columns_are_compared_with_those_of_a_second_study():
    versus = ("--versus", PAIR[0], "--versus", "examples/dependency/cho.conllu")
    done = arbitree(
        "agree", *PAIR, *versus, "--column", "upos", "--column", "deprel", "-m", "kappa", "--json"
    )
    assert [row["column"] for row in json.loads(done.stdout)["versus"]] == ["upos", "deprel"]


def test_the_command_writes_a_row_per_study_and_measure(tmp_path):
    path, items = tmp_path / "out.csv", tmp_path / "items.csv"
    measures = ("-m", "alpha_plain", "-m", "las")
    done = arbitree("agree", "--studies", *STUDIES[:2], *measures, "-o", path, "--per-item", items)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert [(row["study"], row["measure"]) for row in rows] == [
        ("dependency", "alpha_plain"),
        ("dependency", "las"),
        ("phrase", "alpha_plain"),
    ]
    assert float(rows[0]["low"]) < float(rows[0]["value"]) < float(rows[0]["high"])
    rows = list(csv.DictReader(io.StringIO(items.read_text(encoding="utf-8"))))
    assert {row["study"] for row in rows} == {"dependency", "phrase"}
    assert {row["las"] for row in rows if row["study"] == "phrase"} == {""}


@pytest.mark.parametrize("extension", ["html", "xlsx", "json", "txt"])
def test_every_format_can_show_studies(tmp_path, extension):
    path = tmp_path / f"out.{extension}"
    done = arbitree("agree", "--studies", *STUDIES, "-m", "alpha_plain", "-o", path)
    assert done.returncode == 0, done.stderr
    assert path.stat().st_size > 500


def test_thresholds_apply_to_every_study():
    done = arbitree("agree", "--studies", *STUDIES[:2], "-m", "alpha_plain", "--fail-under", 0.95)
    assert done.returncode == 1
    assert b"alpha_plain of dependency 0.9349 is below the threshold of 0.95" in done.stderr
    assert (
        arbitree("agree", "--studies", *STUDIES[:2], "-m", "alpha_plain", "--fail-under", 0.9).returncode == 0
    )


def test_verbose_prints_the_signatures_of_all_studies():
    out = arbitree("agree", "--studies", *STUDIES[:2], "-m", "alpha_plain", "-v", "-q").stdout.decode()
    assert out.count("alpha_plain:") + out.count("alpha_plain|") >= 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*PAIR,), b"ann.conllu: the study 'ann' has only one annotator, ann. With --studies, each argument"),
        (("examples/dependency", "--dirs"), b"--dirs and --studies cannot be combined. Omit --dirs"),
        (
            ("examples/dependency", "--versus", PAIR[0], "--versus", PAIR[1]),
            b"--versus and --studies cannot be combined. Pass both studies with --studies.",
        ),
        (
            ("examples/labels/stance.tsv", "-m", "las"),
            b"study 'stance': las cannot measure labels.",
        ),
        (("examples/phrase", "--column", "upos"), b"study 'phrase': "),
    ],
)
def test_mistakes_of_the_command_are_one_line(arguments, message):
    done = arbitree("agree", "--studies", *arguments, "-q")
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_figures_show_every_pair_of_few_measures(tmp_path):
    folder = tmp_path / "figures"
    measures = ("-m", "las", "-m", "alpha_plain", "-m", "alpha_norm:size=leaves")
    done = arbitree("agree", "--studies", *TWO, *measures, "--figures", folder)
    assert done.returncode == 0, done.stderr
    assert {path.stem for path in folder.iterdir()} == {
        "measures",
        "scatter",
        "scatter-las-alpha_plain",
        "scatter-las-alpha_norm",
        "scatter-alpha_plain-alpha_norm",
    }
    text = (folder / "scatter-las-alpha_plain.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert {path.suffix for path in folder.iterdir()} == {".svg", ".pdf"}


def test_figures_show_the_first_two_of_many_measures(tmp_path):
    measures = [each for name in ("las", "uas", "la", "alpha_plain", "alpha_norm") for each in ("-m", name)]
    arbitree("agree", "--studies", *TWO, *measures, "--figures", tmp_path / "figures", "--resamples", 0)
    names = {path.stem for path in (tmp_path / "figures").iterdir()}
    assert names == {"measures", "scatter", "scatter-las-uas"}


def test_the_headline_states_the_highest_possible_value(tmp_path):
    """Both annotators of the first study give the same inner tags."""
    path = tmp_path / "same.tsv"
    path.write_text(
        "item\tann\tbob\n1\train\train\n2\tsnow\tsnow\n3\twind\twind\n4\tdrizzle\tdrizzle\n", encoding="utf-8"
    )
    kappa = "hierarchical_kappa:hierarchy=examples/senses/weather.txt"
    found = at.agree_studies([path, "examples/senses/diary.tsv"], [kappa, "alpha_nominal"], resamples=0)
    same, diary = (each.details["highest"] for each in found.results[::2])
    text = " ".join(str(found).split())
    assert f"hierarchical_kappa from {same:.3f} of at most {same:.3f} (same) to" in text
    assert f"of at most {diary:.3f} (diary)." in text


def test_a_column_that_is_named_twice_is_compared_once():
    study = at.read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
    found = at.agree_studies(study, "kappa", column=["upos", "upos"], resamples=0)
    assert [name for name, _ in found.items()] == ["upos"]
    files = ("examples/dependency/ann.conllu", "examples/dependency/bob.conllu", "-m", "kappa")
    once, twice = (arbitree("agree", *files, *("--column", "upos") * n, "-q").stdout for n in (1, 2))
    assert once == twice
