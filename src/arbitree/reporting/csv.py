"""Tables of documents as CSV and TSV, one file per table."""

from __future__ import annotations

import csv
import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.study.result import Table
from arbitree.wording import encodable

if TYPE_CHECKING:
    from arbitree.reporting.document import Document

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(table: Table, delimiter: str = ",") -> str:
    """Return *table* with a header line; an undefined value is an empty cell."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    found = table.shown_in("csv")
    writer.writerow(column.title for column in found.columns)
    writer.writerows([_cell(value) for value in row] for row in found.rows)
    return stream.getvalue()


def with_tabs(table: Table) -> str:
    """Return *table* as TSV for people, with numbers formatted by the forms of the columns."""
    found = table.shown_in("csv")
    lines = ["\t".join(map(_one_line, found.names))]
    for row in found.rows:
        cells = (column.form.text(value) for column, value in zip(found.columns, row, strict=True))
        lines.append("\t".join(map(_one_line, cells)))
    return "".join(f"{line}\n" for line in lines)


def files(document: Document, path: str, delimiter: str = ",") -> dict[str, bytes]:
    """Return one file per table: the main table at *path*, the others next to it with their names."""
    main = Path(path)
    return {
        str(main if table.name == document.main else _next_to(main, table.name)): render(
            table, delimiter
        ).encode()
        for table in document.tables("csv")
    }


def _next_to(main: Path, name: str) -> Path:
    """Return the path of another table.

    Example:
        >>> str(_next_to(Path("x/agreement.csv"), "By document"))
        'x/agreement-by-document.csv'
    """
    return main.with_name(f"{main.stem}-{'-'.join(name.lower().split())}{main.suffix}")


def _cell(value: Any) -> Any:
    """Return the cell with an apostrophe if a spreadsheet program would treat it as a formula.

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
    """Return *text* with spaces for tabs and line breaks."""
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ")


PLUGINS = {".csv": files, ".tsv": partial(files, delimiter="\t")}
