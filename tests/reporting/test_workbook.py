from dataclasses import replace
from io import BytesIO

import openpyxl
import pytest

from arbitree.reporting.sections.report import write_workbook
from arbitree.reporting.xlsx import LONGEST, sheet_name
from tests.support.report_tables import (
    CODERS,
    FORMULA,
    ITEMS,
    QUOTES,
    REVERSED,
    SCRIPT,
    hostile_table,
    small_table,
)


def opened(table):
    stream = BytesIO()
    write_workbook(table, stream)
    return openpyxl.load_workbook(stream)


@pytest.fixture(scope="module")
def hostile():
    return hostile_table()


@pytest.fixture(scope="module")
def workbook(hostile):
    return opened(hostile)


def records(sheet):
    header, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(header, row, strict=True)) for row in rows]


def test_sheets_come_in_order(workbook):
    assert workbook.sheetnames == [
        "Start", "Measures", "By annotator", "By pair of annotators", "By document", "By sentence length",
        "Items", "Excluded", "About",
    ]  # fmt: skip


def test_no_text_becomes_a_formula_or_a_link(workbook):
    cells = [cell for sheet in workbook.worksheets[1:] for row in sheet.iter_rows() for cell in row]
    cells = [cell for cell in cells if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert not any(cell.hyperlink for cell in cells)
    assert any(cell.value == ITEMS[0] and cell.value.startswith("=cmd") for cell in cells)


@pytest.mark.parametrize("text", [*CODERS, *ITEMS, f"{SCRIPT} {QUOTES} {REVERSED} {FORMULA}"])
def test_hostile_text_stands_as_it_is(workbook, text):
    values = {cell for sheet in workbook for row in sheet.iter_rows(values_only=True) for cell in row}
    assert text in values


def test_measures_hold_the_numbers_of_the_results(hostile, workbook):
    for row, result in zip(records(workbook["Measures"]), hostile.results, strict=True):
        assert row["measure"] == result.measure
        assert (row["value"], row["low"], row["high"]) == (
            result.value,
            result.interval.low,
            result.interval.high,
        )
        assert (row["sentences"], row["excluded"]) == (result.items_used, len(result.ignored))


def test_breakdowns_hold_the_numbers_of_the_groups(hostile, workbook):
    expected = [group for result in hostile.results for group in result.groups["coder"]]
    for row, group in zip(records(workbook["By annotator"]), expected, strict=True):
        assert (row["annotator"], row["value"], row["without"]) == (
            group.name,
            group.value,
            group.details["without"],
        )


def test_undefined_values_are_words_and_never_numbers(workbook):
    row = records(workbook["By pair of annotators"])[1]
    assert (row["value"], row["low"]) == ("undefined", None)
    assert row["remark"].startswith("undefined, because all annotations are equal")


def test_items_have_the_values_of_every_measure_side_by_side(workbook):
    first, _, last = records(workbook["Items"])
    assert (first["item"], first["alpha_plain disagreement"], first["las"]) == (ITEMS[0], 0, 0.25)
    assert (last["alpha_plain disagreement"], last["las"]) == (pytest.approx(4 / 3), None)
    assert last["source"].endswith(".conllu:7")


def test_left_out_items_have_reason_and_measures(workbook):
    (row,) = records(workbook["Excluded"])
    assert row["item"] == ITEMS[2]
    assert (row["reason"], row["excluded by"]) == ("the number of tokens differs between annotators", "las")


def test_about_has_signatures_warnings_and_papers(hostile, workbook):
    about = [(row["property"], row["value"]) for row in records(workbook["About"])]
    assert ("signature of las", "las|v:0.1.0") in about
    assert [value for what, value in about if what == "warning"] == hostile.warnings
    assert any(what == "BibTeX" and "skjaerholt2014" in value for what, value in about)


def test_headers_stay_in_view_and_filter(workbook):
    for sheet in workbook.worksheets[1:]:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref.startswith("A1:")


def test_the_first_sheet_says_what_to_do_and_links_to_the_others(workbook):
    sheet = workbook.worksheets[0]
    assert workbook.active.title == sheet.title == "Start"
    assert sheet["A1"].value == "Arbitree report"
    assert sheet["A2"].value.startswith("Agreement of ")
    assert sheet["A4"].value == "What to do"
    links = {cell.value: cell.hyperlink.location for (cell,) in sheet.iter_rows(max_col=1) if cell.hyperlink}
    assert links == {name: f"'{name}'!A1" for name in workbook.sheetnames[1:]}
    assert all(sheet.cell(cell.row, 2).value for (cell,) in sheet.iter_rows(max_col=1) if cell.hyperlink)


def test_the_first_sheet_promises_intervals_where_there_are_some(workbook):
    rows = workbook["Start"].iter_rows(values_only=True)
    contents = {name: text for name, text in rows if name in workbook.sheetnames and name.startswith("By ")}
    assert len(contents) == 4
    for name, text in contents.items():
        found = records(workbook[name])
        assert ("with confidence intervals" in text) == ("low" in found[0])
        assert "low" not in found[0] or any(row["low"] is not None for row in found)
    assert contents["By annotator"] == "the measures for each group"
    assert contents["By pair of annotators"] == "the measures for each group, with confidence intervals"


def test_every_sheet_prints_one_page_wide_with_its_header(workbook):
    for sheet in workbook:
        assert (sheet.page_setup.orientation, sheet.page_setup.paperSize) == ("landscape", 9)
        assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.print_area.split("!")[1].startswith("$A$1:")
        assert "&P" in sheet.oddFooter.right.text
    assert {sheet.print_title_rows for sheet in workbook.worksheets[1:]} == {"$1:$1"}


def test_one_item_without_a_value_makes_a_workbook():
    found = opened(small_table(None, "no_variation"))
    assert found.sheetnames == ["Start", "Measures", "Items", "Excluded", "About"]
    assert records(found["Measures"])[0]["value"] == "undefined"


def test_a_workbook_has_the_date_of_the_environment_or_none_of_its_own(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert opened(small_table()).properties.created.isoformat() == "1980-01-01T00:00:00"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1500000000")
    assert opened(small_table()).properties.created.isoformat() == "2017-07-14T02:40:00"


def test_text_longer_than_a_cell_is_cut_with_a_mark():
    table = small_table()
    cell = table.study.cells["only", "ann"]
    value = replace(cell.value, tokens=("x" * 40_000, "y"))
    cells = {**table.study.cells, ("only", "ann"): replace(cell, value=value)}
    found = opened(replace(table, study=replace(table.study, cells=cells)))
    shown = records(found["Items"])[0]["words"]
    assert len(shown) == LONGEST
    assert shown.endswith("…")


@pytest.mark.parametrize("name", ["x" * 40, "a/b\\c?*[d]:e", "'quoted'", "History", "", "\x00"])
def test_sheet_names_obey_the_format(name):
    found = sheet_name(name, taken=["Sheet"])
    assert 0 < len(found) <= 31
    assert not set(found) & set("[]:*?/\\\x00")
    assert found.strip("'") == found
    assert found.lower() != "history"


def test_sheet_names_differ_in_more_than_case():
    taken = []
    for name in ["x" * 40, "X" * 40, "x" * 31]:
        taken.append(sheet_name(name, taken))
    assert len({name.lower() for name in taken}) == 3
    assert max(map(len, taken)) <= 31
