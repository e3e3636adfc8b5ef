"""Numbers in text: a value below 1 is not shown as 1, one above 0 not as 0, in any medium."""

import re
from io import BytesIO

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from arbitree import kinds
from arbitree.api.evaluate import evaluate
from arbitree.reporting.charts import pairs
from arbitree.reporting.sections.agree import table_of
from arbitree.reporting.sections.report import page, write_workbook
from arbitree.reporting.terminal import text
from arbitree.wording import decimal, percent
from tests.support.build import labelled

ITEMS = 30_000


@pytest.fixture(scope="module")
def nearly():
    """Three annotators, of whom two agree on all 30,000 items and the third differs on one."""
    rows = [("a", "a", "a"), ("b", "b", "b")] * (ITEMS // 2 - 1) + [("a", "a", "a"), ("b", "b", "a")]
    study = labelled(rows, ("ann", "bob", "cho"))
    result = evaluate(study, "alpha_nominal", resamples=0, by=["pair"])
    return table_of("report", kinds.of(study), study, [result])


@given(st.floats(-1, 1), st.integers(1, 6))
def test_a_number_is_rounded_to_0_or_1_only_if_it_is_0_or_1(value, digits):
    shown = decimal(value, digits)
    if 1e-9 < abs(value) < 1 - 1e-9:
        assert shown not in {decimal(whole, digits) for whole in (-1, 0, 1)}
    if shown[0] == "<":
        assert value < float(shown[1:])
    elif shown[0] == ">":
        assert value > float(shown[1:])
    else:
        assert abs(float(shown) - value) <= 0.5 * 10**-digits + 1e-9
        assert not shown.startswith("-0.") or float(shown) < 0


@given(st.floats(0, 1), st.integers(0, 2))
def test_a_percentage_is_100_or_0_only_if_all_or_nothing_is_meant(share, digits):
    shown = percent(share, digits)
    assert shown.endswith("%")
    if 1e-9 < share < 1 - 1e-9 and shown[0] not in "<>":
        assert 0 < float(shown[:-1]) < 100


@pytest.mark.parametrize(("value", "shown"), [(1 - 1e-15, "1.000"), (-1e-17, "0.000"), (1.0, "1.000")])
def test_errors_of_floating_point_are_not_shown(value, shown):
    assert decimal(value) == shown


def test_text_has_no_perfect_value_for_imperfect_agreement(nearly):
    found = text(nearly.document)
    assert "alpha_nominal >0.999; 1 item differs." in found.replace("\n", " ")
    assert re.findall(r"ann - (\w+) +30,000 +(\S+)", found) == [("bob", "1.0000"), ("cho", "0.9999")]
    assert re.findall(r"alpha_nominal +(\S+)", found) == [">0.999;", ">0.9999"]


def test_headline_says_how_many_items_differ():
    rows = [("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")]
    for found, expected in ((rows, "; 2 items differ."), (rows[:2], "; no item differs.")):
        study = labelled(found)
        result = evaluate(study, "kappa", resamples=0)
        assert table_of("agree", kinds.of(study), study, [result]).document.headline.endswith(expected)


def test_page_and_heat_map_show_the_same_text(nearly):
    assert "&gt;0.999" in page(nearly, "Nearly")
    axes = Figure().subplots()
    pairs(axes, nearly.results[0], ("ann", "bob", "cho"))
    assert {">0.999", "1.000"} == {each.get_text() for each in axes.texts}


def test_workbook_keeps_the_number_and_shows_the_same_text(nearly):
    stream = BytesIO()
    write_workbook(nearly, stream)
    sheet = openpyxl.load_workbook(stream)["Measures"]
    cell = next(cell for row in sheet.iter_rows(min_row=2) for cell in row if isinstance(cell.value, float))
    assert cell.value == nearly.results[0].value
    assert cell.number_format == '">0.9999"'
