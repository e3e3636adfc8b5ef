"""``arbitree explain`` as people type it."""

import json

import openpyxl
import pytest
from typer.testing import CliRunner

from arbitree.cli import app

OURS = "(S (NP (DT the) (ADJP (JJ long) (JJ green)) (NN ladder)) (VP (VBD fell)))\n"
THEIRS = "(S (NP (DT the) (JJ long) (JJ green) (NN ladder)) (VP (VBD fell)))\n"


@pytest.fixture
def files(tmp_path):
    paths = tmp_path / "ann.mrg", tmp_path / "bob.mrg"
    for path, text in zip(paths, (OURS, THEIRS), strict=True):
        path.write_text(text, encoding="utf-8")
    return [str(path) for path in paths]


def run(*arguments):
    return CliRunner().invoke(app, ["explain", *map(str, arguments)])


def test_two_files_give_a_summary_and_the_types(files):
    result = run(*files)
    assert result.exit_code == 0
    assert "Found 1 inconsistency of 1 type (1 question) in 1 sentence" in result.stdout
    assert "(ADJP JJ JJ)" in result.stdout
    assert "Sentences matched by position" in result.stderr


def test_json_and_tsv_go_to_standard_output(files):
    read = json.loads(run(*files, "--json", "-q").stdout)
    assert read["types"][0]["nuclei"][0]["words"] == "long green"
    assert run(*files, "--tsv", "-q").stdout.startswith("code\tclass")


def test_a_directory_gets_page_json_and_tsv(files, tmp_path):
    result = run(*files, "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "explain.html",
        "explain.json",
        "explain.tsv",
    ]


@pytest.mark.parametrize(
    ("name", "start"), [("x.html", "<!DOCTYPE"), ("x.json", "{"), ("x.tsv", "code"), ("x.txt", "Found")]
)
def test_a_file_gets_the_form_of_its_ending(files, tmp_path, name, start):
    assert run(*files, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_text(encoding="utf-8").lstrip().startswith(start)


def test_tables_are_written_as_csv_and_workbook(files, tmp_path):
    assert run(*files, "-o", tmp_path / "x.csv").exit_code == 0
    assert {path.name for path in tmp_path.glob("x*.csv")} >= {"x.csv", "x-types.csv"}
    assert run(*files, "-o", tmp_path / "x.xlsx").exit_code == 0
    assert "Types" in openpyxl.load_workbook(tmp_path / "x.xlsx").sheetnames


def test_the_order_is_an_option(files):
    assert run(*files, "--sort", "nuclei").exit_code == 0
    result = run(*files, "--sort", "nucleus")
    assert result.exit_code == 2
    assert "unknown sort order 'nucleus'" in result.stderr


def test_an_earlier_run_is_compared(files, tmp_path):
    earlier = tmp_path / "earlier.json"
    assert run(*files, "-o", earlier).exit_code == 0
    result = run(*files, "--versus", earlier, "-q")
    assert "the number of inconsistencies went from 1 to 1 (" in " ".join(result.stdout.split())
    assert (
        json.loads(run(*files, "--versus", earlier, "--json").stdout)["versus"]["types"][0]["state"] == "same"
    )
    earlier.write_text('{"command": "explain", "arbitree": "0.1.0.dev1", "types": []}', encoding="utf-8")
    result = run(*files, "--versus", earlier)
    assert result.exit_code == 2
    assert "used rules without questions" in result.stderr.splitlines()[-1]


def test_filters_are_those_of_the_page(files):
    shown = run(*files, "--only", "ADJP", "--class", "structural", "--words", "GREEN", "--json", "-q")
    assert json.loads(shown.stdout)["filter"] == {
        "only": ["ADJP"],
        "class": ["structural"],
        "words": "GREEN",
        "of": {"nuclei": 1, "types": 1, "questions": 1},
    }
    assert (
        "Found 1 of 1 inconsistency, 1 of 1 type and 1 of 1 question" in run(*files, "--only", "ADJP").stdout
    )
    refused = run(*files, "--only", "ADJPP")
    assert refused.exit_code == 2
    assert "Did you mean 'ADJP'?" in refused.stderr


def test_one_file_is_compared_with_itself(tmp_path):
    path = tmp_path / "both.mrg"
    path.write_text(OURS + THEIRS, encoding="utf-8")
    result = run(path, "-q")
    assert "Found 1 inconsistency of 1 type in 2 sentences." in result.stdout


def test_gold_gives_miss_rates(files):
    assert "missed 1 of 1 (100%), 1 in this way" in run(*files, "--gold", "ann", "-q").stdout
    assert json.loads(run(*files, "--mode", "parser", "--json", "-q").stdout)["gold"] == "ann"


def test_settings_are_taken_and_recorded(files):
    read = json.loads(run(*files, "--json", "-q", "--set", "unrooted=never", "--set", "min-len=2").stdout)
    assert (read["settings"]["unrooted"], read["settings"]["min_len"]) == ("never", 2)
    assert "unrooted=never" in read["signature"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "refin=no"], "Did you mean 'refine'"),
        (["--set", "refine"], "has no value"),
        (["--set", "refine=perhaps"], "Write yes or no"),
        (["--set", "min_len=two"], "Write a number"),
        (["--set", "min_len=0"], "no nucleus can have this length"),
        (["--external", "lable"], "Did you mean 'label'"),
        (["--heads", "nope"], "unknown head table 'nope', and no such file"),
        (["--gold", "eve"], "annotator 'eve' not found"),
        (["--mode", "corps"], "Did you mean 'corpus'"),
        (["--json", "--tsv"], "Choose one"),
        (["--baseline", "bigrams"], "unknown baseline 'bigrams'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(files, arguments, message):
    result = run(*files, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_broken_files_end_with_their_place(files, tmp_path):
    path = tmp_path / "cho.mrg"
    path.write_text("(S (NP (DT the)\n", encoding="utf-8")
    result = run(files[0], path)
    assert result.exit_code == 2
    assert "cho.mrg:1: the tree that begins here has no end" in result.stderr


def test_head_tables_are_listed():
    result = CliRunner().invoke(app, ["list", "heads"])
    assert "english" in result.stdout
    assert "leftmost" in result.stdout


def test_an_ending_without_a_form_is_refused(files, tmp_path):
    result = run(*files, "-o", tmp_path / "found.doc")
    assert result.exit_code == 2
    assert "Use .html, .json, .tsv, .csv, .xlsx, .txt" in result.stderr
    assert not (tmp_path / "found.doc").exists()


def test_a_sentence_with_several_words_without_partner_is_counted_once(tmp_path):
    texts = (
        "(S (NP (DT the) (NN gull)) (VP (VBD left)))",
        "(S (NP (DT the) (JJ old) (NN gull)) (VP (VBD left) (RB then)))",
    )
    for name, text in zip(("ann", "bob"), texts, strict=True):
        (tmp_path / f"{name}.mrg").write_text(f"{text}\n", encoding="utf-8")
    paths = [tmp_path / "ann.mrg", tmp_path / "bob.mrg"]
    assert "Partly compared 1 sentence:" in run(*paths, "--mismatch", "align", "-q").stdout
    assert len(json.loads(run(*paths, "--mismatch", "align", "--json").stdout)["ignored"]) == 2
    run(*paths, "--mismatch", "align", "-q", "-o", tmp_path / "page.html")
    assert "<summary>1 sentence:" in (tmp_path / "page.html").read_text(encoding="utf-8")
