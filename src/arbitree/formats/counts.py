"""Tables of how often each tag was met in a corpus."""

from __future__ import annotations

import math

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.base import load

Counts = tuple[tuple[str, float], ...]


def read_counts(path: str) -> Counts:
    """Read the tag in the first column and its count in the last; columns are parted by tabs, or by blanks.

    Lines that start with # are comments. WordNet's ``cntlist.rev`` and ``index.sense`` are such tables.
    """
    rows = []
    for number, line in enumerate(load(path).lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        source = Source(path, number)
        columns = line.split("\t") if "\t" in line else line.split()
        if len(columns) < 2:
            raise FormatError("expected a tag and a count", source, hint="Write tag<TAB>count")
        rows.append((columns[0], _count(columns[-1], source)))
    return tuple(rows)


def _count(text: str, source: Source) -> float:
    try:
        count = float(text)
    except ValueError:
        count = math.nan
    if not 0 <= count < math.inf:
        raise FormatError(
            f"count {shorten(text)} is not a number from 0 up", source, hint="Write for example 12"
        )
    return count
