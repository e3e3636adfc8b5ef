"""Tables of any make: TSV, CSV or one JSON object a line, as rows of cells with their line numbers."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from typing import Any

from arbitree.errors import FormatError, Source, shorten
from arbitree.reading.content import Content

# What people call the columns of a table of labels; case, blanks and underscores do not matter.
ITEM = (
    "item",
    "task",
    "instance",
    "instanceid",
    "itemid",
    "taskid",
    "unit",
    "subject",
    "question",
    "id",
    "text",
)
CODER = ("coder", "worker", "annotator", "rater", "judge", "coderid", "workerid", "annotatorid", "performer")
LABEL = ("label", "value", "answer", "response", "rating", "category", "tag", "tags", "code", "choice")
DOCUMENT = ("document", "doc", "documentid", "docid")
CLUSTER = ("cluster", "sentence", "sentid", "sentenceid")

SEPARATORS = "\t,;"


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of cells; what a JSON line does not give is None."""

    rows: list[list[Any]]
    lines: list[int]
    header: list[str] | None = None  # for JSON lines, whose keys name the cells


def read_table(content: Content) -> TextTable:
    """Return the cells of *content*: JSON lines if it begins with a brace, else separated values."""
    if content.head.lstrip().startswith("{"):
        return _json_lines(content)
    return _separated(content)


def separator(head: str) -> str | None:
    """Return the sign between the cells of the first line, None if there is none of the usual ones.

    Example:
        >>> separator("item,coder,label"), separator("one two")
        (',', None)
    """
    first = next((line for line in head.split("\n") if line.strip()), "")
    found = max(SEPARATORS, key=first.count)
    return found if found in first else None


def place_of(header: list[str], names: tuple[str, ...]) -> int | None:
    """Return the place of the first column of *header* that is called one of *names*.

    Example:
        >>> place_of(["instance_ID", "label"], ITEM)
        0
    """
    plain = [_plain(name) for name in header]
    return next((plain.index(name) for name in names if name in plain), None)


def is_header(cells: list[Any]) -> bool:
    """Return whether *cells* name an item column and a label column."""
    names = [str(cell) for cell in cells]
    return place_of(names, ITEM) is not None and place_of(names, LABEL) is not None


def is_about(name: str) -> bool:
    """Return whether a column called *name* is about the item, not a coder's.

    Example:
        >>> is_about("Text"), is_about("ann")
        (True, False)
    """
    return _plain(name) in (*ITEM, *DOCUMENT, *CLUSTER)


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "").replace(" ", "").replace("-", "")


def _separated(content: Content) -> TextTable:
    sign = separator(content.head) or "\t"
    if sign == "\t":  # quotation marks are tokens there
        reader = csv.reader(content.lines, delimiter=sign, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(content.lines, delimiter=sign)
    rows: list[list[Any]] = []
    lines: list[int] = []
    start = 1  # a row that holds line breaks begins before the line that ends it
    try:
        for row in reader:
            if any(row) or len(row) > 1:  # a row of empty cells is an item that nobody labelled
                rows.append(row)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(
            f"cannot read this row ({error})", Source(content.path, reader.line_num), hint="Check its quotes"
        ) from None
    return TextTable(rows, lines)


def _json_lines(content: Content) -> TextTable:
    header: dict[str, int] = {}
    found: list[dict[str, Any]] = []
    lines: list[int] = []
    for number, line in enumerate(content.lines, start=1):
        if not line.strip():
            continue
        source = Source(content.path, number)
        try:
            record = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            what = f"{shorten(line)} is not JSON ({error})"
            raise FormatError(
                what, source, hint="Write one object a line, such as one record of a table"
            ) from None
        if not isinstance(record, dict):
            raise FormatError(
                f"{shorten(line)} is not an object", source, hint="Write names and values in braces"
            )
        for name in record:
            header.setdefault(name, len(header))
        found.append(record)
        lines.append(number)
    rows = [[record.get(name) for name in header] for record in found]
    return TextTable(rows, lines, list(header))
