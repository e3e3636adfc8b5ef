"""Long runs of one character or word, on which patterns with two ways to match would take minutes."""

from contextlib import suppress

import pytest

from arbitree.errors import ArbitreeError
from arbitree.reading.assembly import entries_of, formats_of
from arbitree.reading.content import Content

MANY = 100_000
ROW = b"1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
INPUTS = {
    "escaped quotes in brackets": b'(a / b :c "' + b'\\"' * MANY,
    "escaped quotes in an MRS": b'[ TOP: h0 RELS: < "' + b'\\"' * MANY,
    "blanks in the name of a user": b"# user_id = x" + b" " * MANY + b"y\n" + ROW,
    "digits in the name of a column": b"Unnamed: " + b"1" * MANY + b" x\tcoder\tlabel\na\tb\tc\n",
    "digits in a label": b"item\tcoder\tlabel\n1\ta\t" + b"9" * MANY + b"-\n1\tb\tx\n",
    "sense keys": b"item\ttag\nw-b" + b"%1:11:11:" * (MANY // 9) + b" \t1\n",
    "comments without sentences": b"# x\n\n" * (MANY // 5) + ROW,
}


@pytest.mark.parametrize("data", INPUTS.values(), ids=INPUTS)
def test_long_runs_are_read_or_refused(data):
    content = Content("a", data)
    with suppress(ArbitreeError):
        entries_of(content, formats_of([content])[0])
