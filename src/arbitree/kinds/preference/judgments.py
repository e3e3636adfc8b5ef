"""Reading tables of judgments: the preferred parse as a word, which is interpreted later.

Three forms are supported: a matrix (row = item, column = judge), a long table (columns item, coder, choice)
and JSON lines with the same keys. A long table may also name the systems that were shown first and second.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arbitree.errors import FormatError, Source, shorten
from arbitree.kinds.preference.judgment_words import BAD, EQUAL, KNOWN_WORDS
from arbitree.kinds.preference.value import Preference
from arbitree.reading.content import Content, load
from arbitree.reading.guard import guarded_reader
from arbitree.reading.inputs import USUAL, Reading
from arbitree.reading.json_text import decode_json
from arbitree.study.study import Study

ITEM = ("item", "sentence", "sent_id", "sentence_id", "task", "id", "row")
CODER = ("coder", "annotator", "judge", "worker", "user", "person")
CHOICE = (
    "choice",
    "preference",
    "preferred",
    "judgment",
    "judgement",
    "verdict",
    "label",
    "winner",
    "better",
)
FIRST = ("left", "first", "a", "option1")
SECOND = ("right", "second", "b", "option2")
USED = frozenset({*ITEM, *CODER, *CHOICE, *FIRST, *SECOND, "options"})
DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Judgment:
    """One word of one judge on one item; the item is an id, or a number from 1 in a matrix without ids."""

    item: str | int
    coder: str
    word: str
    source: Source
    shown: tuple[str, str] | None = None  # systems shown first and second, if known


@dataclass(frozen=True, slots=True)
class Judgments:
    """All words of a file in order; rows is the number of lines of a matrix without ids, otherwise None."""

    path: str
    coders: tuple[str, ...]
    entries: tuple[Judgment, ...]
    rows: int | None
    notes: tuple[str, ...] = ()


@guarded_reader
def read_judgments(path: str, *, items: int | None = None, reading: Reading = USUAL) -> Judgments:
    """Read a file of judgments.

    Args:
        path: a table with commas, semicolons, tabs or bars, or JSON lines; ``-`` is standard input.
        items: the number of items, used to detect a header line.
        reading: the text encoding of the file, and its largest size.
    """
    content = load(path, encoding=reading.encoding, reading=reading)
    found = parse_judgments(content, items=items)
    cut = "" if _is_json(content) else content.cut("\n")
    return replace(found, notes=(*found.notes, cut)) if cut else found


def parse_judgments(content: Content, *, items: int | None = None) -> Judgments:
    """Return the judgments in *content*.

    Example:
        >>> found = parse_judgments(Content("j.csv", b"blue,red\\r\\nred,\\r\\n"))
        >>> found.coders, [each.word for each in found.entries], found.rows
        (('coder1', 'coder2'), ['blue', 'red', 'red', ''], 2)
    """
    if _is_json(content):
        return _from_records(content, _json_records(content))
    lines = content.lines
    if not lines[-1]:
        lines.pop()
    while lines and not lines[-1].strip() and len(lines) > (items or 0):
        lines.pop()
    rows = _cells(lines, content.path)
    if not rows:
        hint = "Write one row per sentence and one column per judge"
        raise FormatError("the file contains no judgments", Source(content.path, 1), hint=hint)
    header = [cell.casefold() for cell in rows[0]]
    if _place(header, CHOICE) is not None and _place(header, CODER) is not None:
        return _from_records(content, _table_records(rows, header, content.path))
    return _matrix(rows, content.path, items)


def _is_json(content: Content) -> bool:
    return content.head.lstrip().startswith("{")


def judgment_lines(judged: Study[Preference]) -> Iterator[str]:
    """Yield the judgments of a study as JSON lines, which ``read_judgments`` reads back.

    Example:
        >>> from arbitree.study.study import Annotation, Item
        >>> item = Item("s1", "text", "s1")
        >>> cell = Annotation(item, "ann", Preference(("malt", "mst"), "mst"))
        >>> print(*judgment_lines(Study((item,), ("ann",), {("s1", "ann"): cell})), end="")
        {"item": "s1", "coder": "ann", "options": ["malt", "mst"], "choice": "mst"}
    """
    for item, cells in judged:
        for cell in cells:
            record = {"item": item.id, "coder": cell.coder}
            choice = BAD[0] if cell.value.bad else cell.value.choice
            chosen = {"options": list(cell.value.options), "choice": choice}
            yield json.dumps(record | chosen, ensure_ascii=False) + "\n"


def _cells(lines: list[str], path: str) -> list[list[str]]:
    filled = [line for line in lines if line.strip()]
    delimiter = max(DELIMITERS, key=lambda mark: sum(mark in line for line in filled))
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            cells = next(csv.reader([line.strip("\r")], delimiter=delimiter), [])
        except csv.Error as error:
            raise FormatError(f"cannot read the row ({error})", Source(path, number)) from None
        rows.append([cell.strip() for cell in cells])
    return rows


def _place(header: Sequence[str], names: Iterable[str]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _matrix(rows: list[list[str]], path: str, items: int | None) -> Judgments:
    header = rows[0] if _is_header(rows, path, items) else None
    body = rows[1:] if header else rows
    start = 2 if header else 1
    keyed = _has_ids(body, header)
    width = max(map(len, body), default=0)
    names = _names(header, width, keyed)
    notes = []
    short = [number for number, row in enumerate(body, start) if 0 < len(row) < width]
    if short:
        count = "1 row has" if len(short) == 1 else f"{len(short)} rows have"
        notes.append(f"{path}: {count} fewer columns than the others; the first is line {short[0]}")
    filled = {k for row in body for k, cell in enumerate(row) if cell and k >= keyed}
    empty = [name for k, name in enumerate(names, keyed) if k not in filled]
    if empty:
        listed = ", ".join(empty[:8]) + (f" and {len(empty) - 8:,} more" if len(empty) > 8 else "")
        notes.append(f"{path}: the column of {listed} contains no judgments and is ignored")
    entries = []
    for number, row in enumerate(body, start):
        item: str | int = row[0] if keyed and row else number - start + 1
        if keyed and (not row or not row[0]):
            continue
        source = Source(path, number)
        cells = enumerate(row[keyed:], start=keyed)
        entries += [Judgment(item, names[k - keyed], cell, source) for k, cell in cells if k in filled]
    coders = tuple(name for k, name in enumerate(names, keyed) if k in filled)
    if not coders:
        raise FormatError(
            "the table contains no judgments", Source(path, 1), hint="Write one column per judge"
        )
    return Judgments(path, coders, tuple(entries), None if keyed else len(body), tuple(notes))


def _is_header(rows: list[list[str]], path: str, items: int | None) -> bool:
    """Return whether a line is a header: none of its cells is a judgment or occurs again below."""
    first = [cell for cell in rows[0] if cell]
    if rows[0] and rows[0][0].casefold() in ITEM:
        return True
    if not first or any(cell.casefold() in KNOWN_WORDS for cell in first):
        return False
    if {cell for row in rows[1:] for cell in row}.intersection(first):
        return False
    if len(rows) != items:
        return True
    if len(set(first)) > 1:  # taken for judgments, names would move all rows by one sentence
        what = f"the first line looks like a header, which leaves {len(rows) - 1} rows for {items} sentences"
        hint = "Write one row per sentence, or add a first column 'item' with the ids"
        raise FormatError(what, Source(path, 1), hint=hint)
    return False


def _has_ids(body: list[list[str]], header: list[str] | None) -> bool:
    """Return whether the first column contains item ids: by its name, or if its cells are all distinct."""
    if header and header[0].casefold() in ITEM:
        return True
    column = [row[0] for row in body if row]
    return len(column) > 3 and max(map(len, body)) > 1 and len(set(column)) == len(column)


def _names(header: list[str] | None, width: int, keyed: bool) -> list[str]:
    given = header or []
    names = [
        given[k] if k < len(given) and given[k] else f"coder{k + 1 - keyed}" for k in range(keyed, width)
    ]
    counted = Counter(names)
    return [name if counted[name] == 1 else f"{name}.{k}" for k, name in enumerate(names, start=1)]


Record = tuple[dict[str, Any], Source]


def _json_records(content: Content) -> list[Record]:
    found = []
    for number, line in enumerate(content.lines, start=1):
        if not line.strip():
            continue
        source = Source(content.path, number)
        hint = 'Write {"item": ..., "coder": ..., "choice": ...}, one object per line'
        record = decode_json(line, source, what=shorten(line), hint=hint)
        if not isinstance(record, dict):
            raise FormatError(f"{shorten(line)} is not a JSON object", source, hint=hint)
        found.append(({str(key).casefold(): value for key, value in record.items()}, source))
    return found


def _table_records(rows: list[list[str]], header: list[str], path: str) -> list[Record]:
    found = []
    places = {name: place for place, name in enumerate(header) if name in USED}
    for number, row in enumerate(rows[1:], start=2):
        if not any(row):
            continue
        if len(row) > len(header):
            what = f"expected {len(header)} columns, found {len(row)}"
            raise FormatError(what, Source(path, number), hint="Quote cells that contain the delimiter")
        record = {name: row[place] if place < len(row) else "" for name, place in places.items()}
        found.append((record, Source(path, number)))
    return found


def _from_records(content: Content, records: list[Record]) -> Judgments:
    entries = []
    for record, source in records:
        item, coder = (_field(record, names, source) for names in (ITEM, CODER))
        choice = _field(record, CHOICE, source)
        word = EQUAL[0] if choice is None else str(choice).strip()
        entries.append(Judgment(str(item).strip(), str(coder).strip(), word, source, _shown(record, source)))
    if not entries:
        raise FormatError(
            "the table contains no judgments", Source(content.path, 1), hint="Write one row per judgment"
        )
    coders = tuple(dict.fromkeys(each.coder for each in entries))
    return Judgments(content.path, coders, tuple(entries), None)


def _field(record: dict[str, Any], names: tuple[str, ...], source: Source) -> Any:
    key = next((name for name in names if name in record), None)
    if key is None:
        raise FormatError(f"this line has no {names[0]}", source, hint=f"Add the key {names[0]!r}")
    value = record[key]
    if isinstance(value, dict | list) or (value in (None, "") and names is not CHOICE):
        raise FormatError(f"{key} is {shorten(json.dumps(value))}", source, hint=f"Write a {names[0]}")
    return value


def _shown(record: dict[str, Any], source: Source) -> tuple[str, str] | None:
    options = record.get("options")
    if options is not None:
        if isinstance(options, list) and len(options) == 2:
            return str(options[0]), str(options[1])
        raise FormatError("options must be two names", source, hint='Write "options": ["one", "other"]')
    first, second = (
        next((record[name] for name in names if record.get(name)), None) for names in (FIRST, SECOND)
    )
    return (str(first), str(second)) if first and second else None
