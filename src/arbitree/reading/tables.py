"""Read TSV, CSV or JSON lines as rows of cells with line numbers."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from arbitree.errors import FormatError, Source, shorten
from arbitree.reading.content import Content
from arbitree.reading.json_text import decode_json, decode_json_at
from arbitree.wording import count_of

SEPARATORS = "\t,;"
JSON = re.compile(r"\s*(\[\s*)?\{\s*[\"}]")  # an object, or a list that begins with one
MOST_CELLS = 5_000_000  # of a table of objects, unless enough of them are given
SPARSE = 50  # cells for each that is given
BETWEEN = tuple("[, \t\r\n")  # between the objects of a list
END = "\0end"  # a row after the last one, which an open quotation mark would include
SEP_LINE = re.compile(r'"?sep=([\t,;|:])"?\s*', re.IGNORECASE)  # the first line of a table for spreadsheets


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of cells; a key that is missing in a JSON line is None."""

    rows: list[list[Any]]
    lines: list[int]
    header: list[str] | None = None  # the keys of JSON lines, or the first row
    sign: str = ""  # the separator of the cells, if there is one

    def headed(self) -> TextTable:
        """Return the table with its first row as the header, without columns that are empty."""
        header = [str(cell).strip() for cell in self.rows[0]] if self.rows else []
        rows = self.rows[1:]
        if rows and all(len(row) == len(header) + 1 for row in rows):
            header.insert(0, "")  # row names have no header in tables written by R
        table = TextTable(rows, self.lines[1:], header, self.sign)
        nameless = [place for place, name in enumerate(header) if place and not name]
        return table.without(place for place in nameless if not any(table.column(place)))

    def even(self, path: str, notes: list[str], width: int = 0) -> TextTable:
        """Return the table with empty cells at the end of rows that lack cells.

        Args:
            path: The name of the table in warnings.
            notes: A warning is appended if a row lacks cells that other rows fill.
            width: The number of columns, if it is known; otherwise the first row has all of them.
        """
        if self.header is not None or not self.rows:
            return self
        width = width or len(self.rows[0])
        if all(len(row) >= width for row in self.rows):
            return self
        filled = max(place for row in self.rows for place, cell in enumerate(("", *row)) if cell or not place)
        short = [number for number, row in enumerate(self.rows) if len(row) < min(width, filled)]
        if short:
            source, first = Source(path, self.lines[short[0]]), self.rows[short[0]]
            more = f" ({count_of(len(short) - 1, 'more row')} too short)" if len(short) > 1 else ""
            what = f"expected {width} cells, found {len(first)}; the missing cells count as empty"
            notes.append(f"{source}: {what}{more}")
        rows = [[*row, *[""] * (width - len(row))] for row in self.rows]
        return TextTable(rows, self.lines, sign=self.sign)

    def column(self, place: int) -> list[str]:
        """Return the cells of a column as text; rows that are too short are skipped."""
        return [text_of(row[place]) for row in self.rows if len(row) > place]

    def without(self, places: Iterable[int]) -> TextTable:
        """Return the table without the columns at *places*."""
        gone = set(places)
        if not gone:
            return self
        kept = [place for place in range(len(self.header or ())) if place not in gone]
        width = len(kept) + len(gone)
        rows = [[row[place] for place in kept] if len(row) == width else row for row in self.rows]
        return TextTable(rows, self.lines, [(self.header or [])[place] for place in kept], self.sign)


def text_of(cell: Any) -> str:
    """Return a cell as text without surrounding spaces; a missing cell is empty."""
    return "" if cell is None else str(cell).strip()


def is_json(head: str) -> bool:
    """Return whether a table consists of JSON objects.

    Example:
        >>> is_json('{"item": 1}'), is_json('[\\n {"item": 1}]'), is_json("item,label")
        (True, True, False)
    """
    return JSON.match(head) is not None


def read_table(content: Content) -> TextTable:
    """Return the cells of *content*: JSON objects if it begins with one or is named so, or TSV or CSV."""
    if not is_json(content.head) and not _is_named(content, ".json", ".jsonl"):
        return _separated(content)
    listed = content.head.lstrip().startswith("[")
    return _objects(_json_list(content) if listed else _json_lines(content), content.path)


def separator(head: str) -> str | None:
    """Return the separator of the cells in the first line, or None if it contains no usual separator.

    Example:
        >>> separator("item,coder,label"), separator("one two")
        (',', None)
    """
    first = next((line for line in head.split("\n") if line.strip()), "")
    told = SEP_LINE.fullmatch(first)
    if told:
        return told[1]
    found = max(SEPARATORS, key=first.count)
    return found if found in first else None


def head_rows(head: str, sign: str) -> list[list[str]]:
    """Return the cells of the whole lines at the beginning of a table, without a line ``sep=;``.

    Cells are split at every separator, so cells that contain one are incorrect.

    Example:
        >>> head_rows('sep=;\\n"item";coder\\n1;ann\\n', ";")
        [['item', 'coder'], ['1', 'ann']]
    """
    lines = [line.removesuffix("\r") for line in head.split("\n")[:-1] or [head] if line.strip()]
    if lines and SEP_LINE.fullmatch(lines[0]):
        del lines[0]
    return [[cell.strip('"') for cell in line.split(sign)] for line in lines]


def _is_named(content: Content, *suffixes: str) -> bool:
    return content.file.lower().removesuffix(".gz").endswith(suffixes)


def _separated(content: Content) -> TextTable:
    found = separator(content.head)
    sign = found or "\t"
    text = content.lines
    filled = [place for place, line in enumerate(text) if line.strip()][:2]
    if filled and SEP_LINE.fullmatch(text[filled[0]]):
        text[filled.pop(0)] = ""
    first = text[filled[0]].split(sign) if filled else []
    # In a table with tabs, quotation marks can be tokens, unless the whole header is quoted.
    marked = sign != "\t" or (found is None and _is_named(content, ".csv"))
    quoted = marked or all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in first)
    ends = chain((f"{line}\n" for line in text), [END])  # a cell may contain line breaks
    reader = csv.reader(ends, delimiter=sign, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)
    rows: list[list[Any]] = []
    lines: list[int] = []
    start = 1  # a row with line breaks begins before its last line
    try:
        for row in reader:
            if reader.line_num > len(text) and row != [END]:
                hint = "Add the missing quotation mark, or copy the file again if its end is missing"
                source = Source(content.path, start)
                raise FormatError("a quotation mark that opens in this row is not closed", source, hint=hint)
            empty = not any(row) and len(row) < 2  # a row of several empty cells is an item without labels
            if reader.line_num <= len(text) and not empty:
                broken = reader.line_num > start
                rows.append([cell.replace("\n", " ") for cell in row] if broken else row)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error:
        what = f"a cell has more than {csv.field_size_limit():,} characters"
        hint = "Shorten it, or add the quotation mark that closes it"
        if "\r" in text[reader.line_num - 1]:
            what, hint = "the row contains a carriage return", "Remove it, or quote the cell"
        raise FormatError(what, Source(content.path, start), hint=hint) from None
    return TextTable(rows, lines, sign=sign)


def _objects(records: Iterable[tuple[int, dict[str, Any]]], path: str) -> TextTable:
    """Return a table with the keys of all *records*, which come with their line numbers, as its header."""
    found = list(records)
    header = list(dict.fromkeys(name for _, record in found for name in record))
    given = sum(len(record) for _, record in found)
    if len(header) * len(found) > max(MOST_CELLS, SPARSE * given):
        what = f"the {len(found):,} objects have {len(header):,} different keys"
        hint = "Write one object per label, with the keys item, coder and label"
        raise FormatError(what, Source(path, found[0][0]), hint=hint)
    rows = [[record.get(name) for name in header] for _, record in found]
    return TextTable(rows, [line for line, _ in found], header)


def _json_lines(content: Content) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with one JSON object per line."""
    for number, line in enumerate(content.lines, start=1):
        if not line.strip():
            continue
        source = Source(content.path, number)
        hint = "Write one JSON object per line"
        record = decode_json(line, source, what=shorten(line), hint=hint)
        if not isinstance(record, dict):
            raise FormatError(f"{shorten(line)} is not a JSON object", source, hint=hint)
        yield number, record


def _json_list(content: Content) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects in a JSON list."""
    text = content.text
    hint = "Write one list of JSON objects, or one JSON object per line"
    end = 0
    line = 1
    while True:
        start = next(place for place in range(end, len(text) + 1) if text[place : place + 1] not in BETWEEN)
        if text.startswith("]", start):
            return
        line += text.count("\n", end, start)
        source = Source(content.path, line)
        record, end = decode_json_at(text, start, source, what="the list", hint=hint)
        if not isinstance(record, dict):
            raise FormatError(f"{shorten(text[start:end])} is not a JSON object", source, hint=hint)
        yield line, record
        line += text.count("\n", start, end)
