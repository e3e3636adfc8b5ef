"""Workbooks that commit 2142a78 wrote, filled in by an adjudicator, are read back as they were then."""

import json
from pathlib import Path

import openpyxl
import pytest

from tests.support.commands import arbitree

WRITTEN = Path(__file__).parent / "workbooks" / "2142a78"
EXAMPLES = Path(__file__).parents[2] / "examples"
EXPECTED = json.loads((WRITTEN / "expected.json").read_text(encoding="utf-8"))
REPORTS = {
    "dependency": ["dependency/ann.conllu", "dependency/bob.conllu", "dependency/cho.conllu"],
    "phrase": ["phrase/ann.mrg", "phrase/bob.mrg", "phrase/cho.mrg"],
    "labels": ["labels/stance.tsv"],
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_workbook_of_a_report_is_read_back(name, tmp_path):
    files = [EXAMPLES / each for each in REPORTS[name]]
    workbook = WRITTEN / f"{name}.xlsx"
    done = arbitree("report", "-q", *files, "-o", tmp_path, "--resamples", "0", "--adjudicated", workbook)
    assert done.returncode == 0, done.stderr.decode()
    book = openpyxl.load_workbook(tmp_path / "report.xlsx")
    columns = {cell.value: cell.column - 1 for cell in book["Adjudication"][1]}
    places = [0, 1, 2, columns["decision"], columns["comment"]]
    rows = book["Adjudication"].iter_rows(min_row=2, values_only=True)
    assert [[row[place] for place in places] for row in rows] == EXPECTED[name]["decisions"]
    summary = [list(row[1:]) for row in book["Adjudicated"].iter_rows(min_row=2, values_only=True)]
    assert [pytest.approx(row) for row in EXPECTED[name]["adjudicated"]] == summary


def test_a_workbook_of_profiles_is_read_back():
    done = arbitree("tsdb", "--adjudicated", WRITTEN / "tsdb.xlsx", "--json")
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["adjudication"] == EXPECTED["tsdb"]
