"""The functions of commands that write files or compare single trees."""

import json

import pytest
from typer.testing import CliRunner

import arbitree as at
from arbitree.cli import app

ANN, BOB = "examples/dependency/ann.conllu", "examples/dependency/bob.conllu"
PROFILES = ("examples/profiles/ann", "examples/profiles/bob")


def run(*arguments):
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_agree_has_what_the_command_prints():
    study = at.read(ANN, BOB)
    table = at.agree(study, ["las", "uas"], difference=True, versus=study, resamples=20)
    printed = run(
        "agree",
        ANN,
        BOB,
        "-m",
        "las",
        "-m",
        "uas",
        "--difference",
        "--resamples",
        "20",
        "--versus",
        ANN,
        "--versus",
        BOB,
        "--json",
    )
    assert table.to_dict() == json.loads(printed)


def test_confusions_come_with_the_agreement():
    study = at.read(ANN, BOB, column="upos")
    assert at.agree(study, "agreement", confusions=True, resamples=0).to_dict()["confusions"]


def test_report_writes_two_files_and_returns_their_paths(tmp_path):
    told = []
    page, workbook = at.report(
        at.read(ANN, BOB), tmp_path / "new", resamples=0, title="Twins", tell=told.append
    )
    assert (page.name, workbook.name) == ("report.html", "report.xlsx")
    assert "<title>Twins" in page.read_text(encoding="utf-8")
    assert workbook.read_bytes().startswith(b"PK")
    assert len(told) == 1


def test_report_refuses_a_file_in_place_of_a_directory(tmp_path):
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    with pytest.raises(at.ArbitreeError, match="expected a directory, got a file"):
        at.report(at.read(ANN, BOB), tmp_path / "out", resamples=0)


def test_tsdb_returns_the_report_of_the_command():
    report = at.tsdb(*PROFILES, resamples=0)
    assert (
        report.to_dict()["results"]
        == json.loads(run("tsdb", *PROFILES, "--resamples", "0", "--json"))["results"]
    )


def test_tsdb_without_profiles_says_so():
    with pytest.raises(at.ArbitreeError, match="no profile was given"):
        at.tsdb()


def test_distance_takes_trees_files_and_brackets():
    first, second = (
        at.read(path).cells["weather-3", name].value for path, name in ((ANN, "ann"), (BOB, "bob"))
    )
    found = at.distance(first, second)
    assert found.plain == at.distance(ANN, BOB, item="weather-3").plain == 3.0
    assert at.distance("(S (NP a))", "(S (VP a))").counts["relabelled"] == 1
    assert repr(found).startswith("TreeDistance of 3 (")
    assert found.to_dict()["distance"]["plain"] == 3.0


def test_distance_of_different_kinds_is_refused():
    with pytest.raises(at.ArbitreeError, match="dependency tree"):
        at.distance(ANN, "(S (NP a))")


def test_convert_writes_by_the_ending(tmp_path):
    said = []
    target = at.convert("examples/phrase/ann.mrg", tmp_path / "ann.export", say=said.append)
    assert at.read(target).value_type is at.PhraseTree
    assert said[-1].endswith("from brackets to negra")
    assert said[0] == "warning: not kept in negra: top nodes (16 sentences)"


def test_coders_write_their_consensus_in_the_format_of_the_study(tmp_path):
    files = [f"examples/dependency/{name}.conllu" for name in ("ann", "bob", "cho")]
    at.coders(at.read(*files), resamples=0, consensus=tmp_path / "gold")
    assert (tmp_path / "gold").read_text(encoding="utf-8").startswith("# ")


def test_score_asks_which_annotator_of_a_table_is_gold():
    study = at.from_table([["a", "b"], ["b", "b"], ["c", "a"]], coders=["ann", "bob"])
    flat = "hierarchical_score:hierarchy=flat"
    with pytest.raises(at.ArbitreeError, match="Choose one with gold='NAME'"):
        at.score(study, measures=flat, resamples=0)
    found = at.score(study, gold="bob", measures=flat, resamples=0)
    assert found["ann"][flat.partition(":")[0]].value == pytest.approx(1 / 3)


def test_score_takes_the_gold_file_by_position_or_by_name():
    files = [f"examples/score/{name}.conllu" for name in ("gold", "heron")]
    first = at.score(*files, measures="las", resamples=0)
    assert at.score(gold=files[0], heron=files[1], measures="las", resamples=0).to_dict() == first.to_dict()
    named = at.score(f"expert={files[0]}", *files[1:], measures="las", resamples=0)
    assert named.scores.systems == first.scores.systems
    assert [each.value for each in named.scores.results["heron"]] == [
        each.value for each in first.scores.results["heron"]
    ]
    with pytest.raises(at.ArbitreeError, match="scoring needs a gold standard"):
        at.score()
