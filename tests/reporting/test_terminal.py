"""Documents on consoles of several widths."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import arbitree as at
from arbitree.reporting.document import COUNT, TEXT, VALUE, Details, Document, Section, Text, bar_text
from arbitree.reporting.terminal import WIDTH, portions, renderable, text
from arbitree.study.result import Column, Interval, Table

EXAMPLES = Path(__file__).parents[2] / "examples"
HIDDEN = "3 more names. Use --json to print all."
words = st.text(st.characters(codec="ascii", categories=["L"]), min_size=1, max_size=20)


def document(*sections):
    return Document("agree", "Headline.", sections, dict)


def at_width(found, width):
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(renderable(found), crop=False)
    return file.getvalue()


@pytest.mark.parametrize(("width", "bars"), [(60, False), (70, False), (100, True)])
def test_names_and_numbers_stay_whole_on_a_narrow_console(width, bars):
    study = at.read(str(EXAMPLES / "labels/stars.csv"))
    table = at.agree(study, resamples=20, by=("label",))
    shown = at_width(table.document, width)
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= width
    assert ("●" in shown) == bars
    found = shown.split()
    for result in table.results:
        assert found.count(result.measure) >= 2  # in the table and in the breakdown


@pytest.mark.parametrize(
    ("value", "ends", "drawn"),
    [
        (0.5, (0.25, 0.75), "··━━●━━··"),
        (0.429, (-0.479, 0.75), "◀━━●━━━··"),
        (0.5, (0.25, 1.1), "··━━●━━━▶"),
        (-0.2, (-0.4, 0.25), "<━━······"),
        (1.4, (0.75, 2.6), "······━━>"),
        (0.0, (-0.1, 0.25), "●━━······"),
    ],
)
def test_a_bar_that_leaves_the_axis_has_an_arrow_at_the_cut_end(value, ends, drawn):
    assert bar_text(value, Interval(*ends, 0.95, "jackknife", 0), width=9) == drawn


@given(st.lists(words, min_size=1, max_size=40))
def test_a_wide_table_goes_on_below_and_keeps_every_cell(heads):
    columns = [Column("by", "by", TEXT), Column("used", "used", VALUE), *(Column(h, h, VALUE) for h in heads)]
    table = Table(columns, [("short", 3.0, *(0.5 for _ in heads))], repeated=2)
    found = text(document(Section((table,)))).splitlines()
    assert all(len(line) <= WIDTH for line in found)
    parts = [line.split() for line in found if line.startswith("by ")]
    assert [word for part in parts for word in part[2:]] == heads


@given(st.lists(words, min_size=1, max_size=20), st.integers(30, 80))
def test_headings_never_break_inside_a_word(heads, width):
    columns = [Column("by", "by", TEXT), *(Column(name, name, COUNT) for name in heads)]
    table = Table(columns, [("short", *(5 for _ in heads))])
    found = at_width(document(Section((table,))), width).splitlines()
    assert all(len(line.rstrip()) <= width for line in found)
    shown = [word for line in found if line.startswith("by ") for word in line.split()]
    assert [word for word in shown if word != "by"] == [word for word in heads if word != "by"]


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 100))
def test_portions_keep_every_place_in_order(widths, room):
    found = portions(widths, room)
    assert [place for run in found for place in run] == list(range(len(widths)))
    assert all(len(run) < 2 or sum(widths[place] for place in run) <= room for run in found)


def test_details_are_shown_on_request_and_never_broken_if_whole():
    line = "x" * 90 + " " + "y" * 90
    found = document(Section((Text("a"), Details((line,), whole=True))), Section((Details(("b",)),)))
    assert text(found) == "Headline.\n\na\n"
    assert text(found, verbose=True) == f"Headline.\n\na\n{line}\n\nb\n"


def test_a_terminal_shows_the_first_rows_of_a_long_table_and_says_so():
    rows = [(f"r{number}",) for number in range(5)]
    table = Table(("name",), rows, most=2, more="name", marks={(1, 0): "*"}, note="the end")
    shown = text(document(Section((table,), "Title"))).splitlines()
    assert shown == ["Headline.", "", "Title", "name", "  r0", " r1*", HIDDEN, "the end"]
    plain = text(document(Section((Table(("name",), rows, most=4),))))
    assert plain.endswith("  r3\n1 more row. Use --json to print all.\n")
    folded = Table(("name",), rows, most=2, folded=True)
    assert text(document(Section((folded,)))).endswith("3 more rows. Use --verbose or --json to print all.\n")
    shown = text(document(Section((folded,))), verbose=True)
    assert "r4" in shown
    assert "more" not in shown
