"""Tables of label costs: what it costs to take one label for another, or to insert or delete one."""

from __future__ import annotations

import math

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.base import load

CostRows = tuple[tuple[str, str, float], ...]


def read_costs(path: str) -> CostRows:
    """Read rows ``label<TAB>label<TAB>cost``; an empty second label gives the cost to insert or delete.

    Lines that start with # are comments. Pairs that are not named cost 1, as in the plain distance.
    """
    rows = []
    for number, line in enumerate(load(path).lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        source = Source(path, number)
        columns = line.split("\t")
        if len(columns) != 3:
            hint = "Write label<TAB>label<TAB>cost; leave the second label empty for insert and delete"
            raise FormatError(f"expected 3 tab-separated columns, found {len(columns)}", source, hint=hint)
        rows.append((columns[0], columns[1], _cost(columns[2], source)))
    return tuple(rows)


def _cost(text: str, source: Source) -> float:
    try:
        cost = float(text)
    except ValueError:
        cost = math.nan
    if not 0 <= cost < math.inf:
        raise FormatError(
            f"cost {shorten(text)} is not a number from 0 up", source, hint="Write for example 0.3"
        )
    return cost
