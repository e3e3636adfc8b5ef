"""Tables of documents as CSV, one file a table, and with tabs."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.study.result import Table
from arbitree.wording import encodable

if TYPE_CHECKING:
    from arbitree.reporting.document import Document

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(table: Table) -> str:
    """Return *table* with a line of titles; a value that is undefined is an empty cell."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    found = table.shown_in("csv")
    writer.writerow(column.title for column in found.columns)
    writer.writerows([_cell(value) for value in row] for row in found.rows)
    return stream.getvalue()


def with_tabs(table: Table) -> str:
    """Return *table* with tabs between the columns, its numbers as the forms of the columns write them."""
    found = table.shown_in("csv")
    lines = ["\t".join(map(_one_line, found.names))]
    for row in found.rows:
        cells = (column.form.text(value) for column, value in zip(found.columns, row, strict=True))
        lines.append("\t".join(map(_one_line, cells)))
    return "".join(f"{line}\n" for line in lines)


def files(document: Document, path: str) -> dict[str, bytes]:
    """Return one file a table: the main table at *path*, the others beside it under their own names."""
    stem = Path(path)
    tables = document.tables("csv")
    return {
        str(
            stem if table.name == document.main else stem.with_name(f"{stem.stem}-{table.name.lower()}.csv")
        ): render(table).encode()
        for table in tables
    }


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


def _one_line(text: str) -> str:
    """Return *text* without what would break the line or the column."""
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ")


PLUGINS = {".csv": files}
