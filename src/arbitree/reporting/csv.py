"""Tables of documents as CSV and TSV, one file per table."""

from __future__ import annotations

import csv
import io
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.study.result import Table
from arbitree.wording import encodable

if TYPE_CHECKING:
    from arbitree.reporting.document import Document

FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)  # as text, such as a label


def render(table: Table, delimiter: str = ",") -> str:
    """Return *table* with a header line; an undefined value is an empty cell."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    found = table.shown_in("csv")
    writer.writerow(spreadsheet_text(column.title) for column in found.columns)
    writer.writerows([_cell(value) for value in row] for row in found.rows)
    return stream.getvalue()


def with_tabs(table: Table) -> str:
    """Return *table* as TSV for people, with numbers formatted by the forms of the columns."""
    found = table.shown_in("csv")
    lines = ["\t".join(_one_line(spreadsheet_text(name)) for name in found.names)]
    for row in found.rows:
        cells = (
            spreadsheet_text(column.form.text(value)) if isinstance(value, str) else column.form.text(value)
            for column, value in zip(found.columns, row, strict=True)
        )
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


def spreadsheet_text(text: str) -> str:
    """Return *text* with an apostrophe if a spreadsheet program would treat it as a formula; not a number.

    Example:
        >>> [spreadsheet_text(text) for text in ("=1+1", "-LRB-", "a=b", "-1")]
        ["'=1+1", "'-LRB-", 'a=b', '-1']
    """
    text = encodable(text)
    return f"'{text}" if text.startswith(FORMULA) and not NUMBER.fullmatch(text) else text


def _cell(value: Any) -> Any:
    """Return a cell of the table; numbers stay numbers.

    Example:
        >>> _cell("=1+1"), _cell(-0.5), _cell(None)
        ("'=1+1", -0.5, '')
    """
    if value is None:
        return ""
    return spreadsheet_text(value) if isinstance(value, str) else value


def _one_line(text: str) -> str:
    """Return *text* with spaces for tabs and line breaks."""
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ")


PLUGINS = {".csv": files, ".tsv": partial(files, delimiter="\t")}
