"""One edit to the columns of a table shows in every medium that is to show it."""

from io import BytesIO

import openpyxl
import pytest

import arbitree as at
from arbitree.errors import UnknownName
from arbitree.reporting import csv, html, json, latex, terminal, xlsx
from arbitree.reporting.document import COUNT, CSV, TERMINAL, TEXT, XLSX, item_document, renderers
from arbitree.reporting.sections import agree, report
from arbitree.study.result import Column, Table
from tests.support.build import dep, study_of


@pytest.fixture
def table():
    trees = {"s1": {"ann": dep([2, 0]), "bob": dep([0, 1])}, "s2": {"ann": dep([0]), "bob": dep([0])}}
    return at.agree(study_of(trees), ["las", "uas"], resamples=0)


def sheet_of(found, name):
    files = xlsx.files(found.document, "x.xlsx")
    book = openpyxl.load_workbook(BytesIO(files["x.xlsx"]))
    return [[cell.value for cell in row] for row in book[name]]


def test_a_new_column_shows_in_every_medium(table, monkeypatch):
    fields = agree.result_fields

    def more(results, unit):
        return [
            *fields(results, unit),
            (Column("length", "long", COUNT), lambda each: len(each.measure) + 1000),
        ]

    monkeypatch.setattr(agree, "result_fields", more)
    assert "1,003" in str(table)
    assert "1,003" in terminal.notebook_html(table.document)
    assert "1,003" in report.page(table, "title")
    assert list(table.to_pandas()["length"]) == [1003, 1003]
    header, *rows = sheet_of(table, "Measures")
    assert rows[0][header.index("long")] == 1003
    lines = csv.render(table.document.table("Measures", "csv")).splitlines()
    assert (lines[0].split(",")[-1], lines[1].split(",")[-1]) == ("long", "1003")


def test_columns_and_tables_say_where_they_are_shown():
    columns = (
        Column("a", "a", TEXT),
        Column("b", "b", TEXT, TERMINAL),
        Column("c", "c", TEXT, XLSX | CSV),
    )
    found = Table(columns, [("x", "y", "z")], marks={(0, 2): "*"})
    assert found.shown_in("terminal").rows == (("x", "y"),)
    assert csv.render(found) == "a,c\nx,z\n"
    assert found.shown_in("csv").marks == {(0, 1): "*"}


def test_every_ending_has_its_module():
    shown = {".html": html, ".tex": latex, ".txt": terminal}
    modules = {".csv": csv, ".json": json, ".tsv": csv, ".xlsx": xlsx, **shown}
    assert renderers() == {ending: module.PLUGINS[ending] for ending, module in modules.items()}


def test_every_json_begins_with_version_and_command(table):
    assert list(table.to_dict())[:3] == ["arbitree", "command", "study"]
    assert json.render(table.document, cite=True).count("@") == len(table.document.citations)


def test_a_table_that_is_not_there_is_named(table):
    with pytest.raises(UnknownName, match="Did you mean 'Measures'"):
        table.document.table("Measure", "csv")


def test_a_page_folds_long_tables():
    def page(count):
        table = Table(("item",), [(f"s{number}",) for number in range(count)], name="Items")
        return html.render(item_document("agree", "Many items", table))

    assert "<details" not in page(20)
    assert "<summary>Show all 21 rows</summary>" in page(21)
    assert "<summary>Show the first 500 rows</summary>" in page(501)
