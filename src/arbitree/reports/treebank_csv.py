"""The tables of a report on treebankers as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from arbitree.reports.outline import encodable
from arbitree.reports.treebanking import TreebankReport, tables, totals_rows

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_tables(report: TreebankReport) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every table."""
    for sheet in tables(report):
        yield sheet.name, _text(sheet.header, sheet.rows)
    rows = [
        (*found.coders, str(name).rstrip(":"), value)
        for found in report.comparisons
        for name, value in totals_rows(found)
        if value is not None
    ]
    yield "Totals", _text(("first", "second", "what", "value"), rows)


def _text(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _cell(value: Any) -> Any:
    """Keep text from becoming a formula when a spreadsheet program opens the file.

    Example:
        >>> _cell("=1+1"), _cell("a=b"), _cell(-0.5), _cell(None)
        ("'=1+1", 'a=b', -0.5, '')
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    text = encodable(value)
    return f"'{text}" if text.startswith(FORMULA) else text
