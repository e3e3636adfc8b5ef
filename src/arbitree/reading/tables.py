"""Read TSV, CSV or JSON lines as rows of cells with line numbers."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from typing import Any

from arbitree.errors import FormatError, Source, shorten
from arbitree.reading.content import Content

# Usual names of columns in tables of labels; case, spaces and underscores do not matter.
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
    """Rows of cells; a key that is missing in a JSON line is None."""

    rows: list[list[Any]]
    lines: list[int]
    header: list[str] | None = None  # the keys of JSON lines


def read_table(content: Content) -> TextTable:
    """Return the cells of *content*: JSON lines if it begins with a brace, otherwise TSV or CSV."""
    if content.head.lstrip().startswith("{"):
        return _json_lines(content)
    return _separated(content)


def separator(head: str) -> str | None:
    """Return the separator of the cells in the first line, or None if it contains no usual separator.

    Example:
        >>> separator("item,coder,label"), separator("one two")
        (',', None)
    """
    first = next((line for line in head.split("\n") if line.strip()), "")
    found = max(SEPARATORS, key=first.count)
    return found if found in first else None


def place_of(header: list[str], names: tuple[str, ...]) -> int | None:
    """Return the index of the first column of *header* whose name is one of *names*, or None.

    Example:
        >>> place_of(["instance_ID", "label"], ITEM)
        0
    """
    plain = [_plain(name) for name in header]
    return next((plain.index(name) for name in names if name in plain), None)


def is_header(cells: list[Any]) -> bool:
    """Return whether *cells* contain the name of an item column and of a label column."""
    names = [str(cell) for cell in cells]
    return place_of(names, ITEM) is not None and place_of(names, LABEL) is not None


def is_about(name: str) -> bool:
    """Return whether a column called *name* is about the item and not the labels of an annotator.

    Example:
        >>> is_about("Text"), is_about("ann")
        (True, False)
    """
    return _plain(name) in (*ITEM, *DOCUMENT, *CLUSTER)


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "").replace(" ", "").replace("-", "")


def _separated(content: Content) -> TextTable:
    sign = separator(content.head) or "\t"
    if sign == "\t":  # here quotation marks can be tokens
        reader = csv.reader(content.lines, delimiter=sign, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(content.lines, delimiter=sign)
    rows: list[list[Any]] = []
    lines: list[int] = []
    start = 1  # a row with line breaks begins before its last line
    try:
        for row in reader:
            if any(row) or len(row) > 1:  # a row of empty cells is an item without labels
                rows.append(row)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(
            f"cannot read the row ({error})", Source(content.path, reader.line_num), hint="Correct its quotes"
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
            what = f"{shorten(line)} is not valid JSON ({error})"
            raise FormatError(what, source, hint="Write one JSON object per line") from None
        if not isinstance(record, dict):
            raise FormatError(
                f"{shorten(line)} is not a JSON object", source, hint="Write one JSON object per line"
            )
        for name in record:
            header.setdefault(name, len(header))
        found.append(record)
        lines.append(number)
    rows = [[record.get(name) for name in header] for record in found]
    return TextTable(rows, lines, list(header))
