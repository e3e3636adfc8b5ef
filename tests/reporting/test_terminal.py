"""Tables as plain text: never wider than a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from arbitree.reporting.terminal import WIDTH, aligned, cell_width, portions, stacked

words = st.text(st.characters(codec="ascii", categories=["L"]), min_size=1, max_size=20)


def test_a_table_that_fits_stays_one():
    lines = [["measure", "value"], ["las", "0.5"]]
    assert stacked(lines) == aligned(lines)


@given(st.lists(words, min_size=1, max_size=40))
def test_a_wide_table_goes_on_below_and_keeps_every_cell(heads):
    found = stacked([["by", "used", *heads], ["short", "3", *heads]], kept=2)
    assert all(cell_width(line) <= WIDTH for line in found)
    parts = [line.split() for line in found if line.startswith("by ")]
    assert [word for part in parts for word in part[2:]] == heads


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 100))
def test_portions_keep_every_place_in_order(widths, room):
    found = portions(widths, room)
    assert [place for run in found for place in run] == list(range(len(widths)))
    assert all(len(run) < 2 or sum(widths[place] for place in run) <= room for run in found)
