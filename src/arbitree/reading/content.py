"""Load the content of a file, and represent the annotations and rows that it contains."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from arbitree.errors import FormatError, Source
from arbitree.files import note_input
from arbitree.paths import not_found, sheet_in
from arbitree.reading import limits
from arbitree.reading.guard import guarded_reader
from arbitree.reading.inputs import SCHEMA, USUAL, Reading, is_profile
from arbitree.reading.workbooks import is_workbook, table_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

V = TypeVar("V")

SURROGATE = re.compile("[\ud800-\udfff]")  # half of a character, which cannot be written
MOST_GOLD = 100  # different gold labels of one item: two are a contradiction already
HEAD_BYTES = 65536  # enough to detect a format
ZIPPED = b"PK\x03\x04"  # the first bytes of a zip file
TAIL = 256  # characters that show how a text ends
_BLANKS = re.compile(r"[ \t\r]+\n")


@dataclass(frozen=True, slots=True)
class Entry(Generic[V]):
    """One annotation in a file; id, document and coder are None if the file does not contain them."""

    value: V
    source: Source
    id: str | None = None
    document: str | None = None
    coder: str | None = None  # the annotator, if the file names one
    time: float | None = None  # larger if it is later; decides if an annotator annotated an item twice
    cluster: str | None = None  # the unit of resampling in the document, if it is not the item
    text: str = ""  # what people read about the item, if the value does not contain the annotated words


@dataclass(frozen=True, slots=True)
class Doubt:
    """The doubt about the first row of a table, which is read as a header although it may contain labels."""

    first_row: list[str]
    source: Source
    without_header: Callable[[], Records]  # reads the table again
    likely: bool  # whether the row may well contain labels, so that a warning is needed
    resolved: bool = False  # whether the row is read as labels, because other files have no header


@dataclass(slots=True)
class Records:
    """Columns of equal length: item, coder, label and line number."""

    path: str
    items: Sequence[str] = field(default_factory=list)
    coders: Sequence[str | None] = field(default_factory=list)  # None: the annotator of the file
    labels: Sequence[Any] = field(default_factory=list)  # text, or a number, list or object in JSON
    lines: Sequence[int] | NDArray[np.int32] = field(default_factory=list)
    places: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)  # document, cluster
    empty: dict[str, None] = field(default_factory=dict)  # items without a label
    names: list[str] = field(default_factory=list)  # all annotators, including those without a label
    gold: dict[str, list[tuple[Any, int]]] = field(default_factory=dict)  # labels and line numbers, by item
    texts: dict[str, dict[str, str]] = field(default_factory=dict)  # by column about the items, then by item
    reading: Reading | None = None  # how to compare labels; None: exactly as they are written
    commas: bool = False  # whether numbers can have decimal commas
    layout: str = ""  # how the table was read, for a message
    wide: bool = False  # whether the table has one column per annotator
    headless: int = 0  # the number of columns if the table has no header
    notes: list[str] = field(default_factory=list)  # warnings about rows
    joined: bool = False  # whether ids of items contain the document
    by_document: Callable[[], Records] | None = None  # reads the table again, with documents in the ids
    doubt: Doubt | None = None  # whether the first row is a header, if its names do not tell

    def add_gold(self, item: str, label: Any, line: int) -> None:
        """Add the gold label of an item; an empty one is unknown."""
        label = _given(label)
        known = self.gold.setdefault(item, [])
        if label is None or len(known) >= MOST_GOLD:
            return
        if all(label != other for other, _ in known):
            known.append((label, line))


@dataclass(slots=True)
class RowRecords(Records):
    """Columns that grow by one row at a time."""

    items: list[str] = field(default_factory=list)
    coders: list[str | None] = field(default_factory=list)
    labels: list[Any] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    places: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)

    def add(self, item: str, coder: str | None, label: Any, line: int) -> None:
        """Add one label without surrounding whitespace; an empty label counts as missing."""
        label = _given(label)
        if label is None:
            self.empty.setdefault(item)
            return
        self.items.append(item)
        self.coders.append(coder)
        self.labels.append(label)
        self.lines.append(line)


def _given(label: Any) -> Any:
    """Return a label without surrounding whitespace, or None for an empty cell or NaN."""
    if isinstance(label, str):
        return label.strip() or None
    return None if isinstance(label, float) and isnan(label) else label


@dataclass(frozen=True)
class Content:
    """The decompressed bytes of one file, and its text; for a profile directory, its schema."""

    path: str
    data: bytes
    encoding: str = "utf-8"
    notes: list[str] = field(default_factory=list, compare=False)  # warnings of the reader
    remarks: list[str] = field(default_factory=list, compare=False)  # of the reader; no faults of the file
    reading: Reading = USUAL  # options for tables of labels
    types: bytes = field(default=b"", compare=False)  # the UIMA type system that describes the data, if any
    parsed: dict[str, Any] = field(default_factory=dict, compare=False)  # what a format keeps between steps

    @property
    def file(self) -> str:
        """The path of the file, without the name of a sheet in it."""
        return sheet_in(self.path)[0]

    @cached_property
    def text(self) -> str:
        """The whole text, without a byte order mark."""
        text = decoded(self.data, self.encoding, self.path)
        return _with_line_feeds(text.removeprefix("\ufeff"))

    @property
    def lines(self) -> list[str]:
        """The lines, split at line feeds only, because other separators occur inside tokens."""
        lines = self.text.split("\n")
        return [line.removesuffix("\r") for line in lines] if "\r" in self.text else lines

    def cut(self, ending: str) -> str:
        """Return a warning if the text does not end with *ending*: line feeds after the last line or block.

        Without an ending, nothing is decoded: XML files name their own encoding.

        Example:
            >>> Content("a.tsv", b"item\\tcoder\\tlabel\\n1\\tann\\tyes").cut("\\n")
            'a.tsv:2: the last line has no line end: the file may be incomplete'
        """
        if not ending:
            return ""
        end = _BLANKS.sub("\n", self.text[-TAIL:])
        if end.endswith(ending):
            return ""
        what = "the last sentence is not followed by an empty line"
        if not end.endswith("\n"):
            what = "the last line has no line end"
        line = self.text.count("\n") + (not end.endswith("\n"))
        return f"{Source(self.path, line)}: {what}: the file may be incomplete"

    @cached_property
    def head(self) -> str:
        """The beginning of the text, for detection; invalid bytes are replaced, and raise an error later."""
        try:
            head = self.data[:HEAD_BYTES].decode(self.encoding, errors="replace")
        except (LookupError, ValueError):
            return self.text  # raises FormatError for the unknown encoding
        return _with_line_feeds(head.removeprefix("\ufeff"))


def decoded(data: bytes, encoding: str, path: str, line: int = 1) -> str:
    """Return the text of *data*.

    Args:
        data: The bytes of a file, or of some of its lines.
        encoding: Name of the encoding.
        path: The file, for errors.
        line: The line of the file that *data* begins with.
    Raises:
        FormatError: if the bytes are not valid in this encoding, or the encoding is unknown.
    """
    hint = "Convert the file to UTF-8, or set its encoding, such as --encoding latin-1"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        byte = f"byte {data[error.start]:#04x}" if error.start < len(data) else "the end of the text"
        what = f"{byte} is not valid {encoding}"
        raise FormatError(what, Source(path, line), hint=hint) from None
    except UnicodeError as error:
        raise FormatError(f"the text is not valid {encoding} ({error})", Source(path), hint=hint) from None
    except (LookupError, ValueError):
        hint = "Set a known one, such as --encoding latin-1"
        raise FormatError(f"unknown encoding {encoding!r}", hint=hint) from None
    if encoding != "utf-8" and (half := SURROGATE.search(text)):
        line += text.count("\n", 0, half.start())
        what = f"the text contains half of a character ({half[0]!r})"
        raise FormatError(what, Source(path, line), hint=hint)
    return text


def _with_line_feeds(text: str) -> str:
    """Return *text* with line feeds if its lines end in carriage returns, as in old Macintosh files."""
    return text.replace("\r", "\n") if "\r" in text and "\n" not in text else text


@guarded_reader
def load(path: str, *, encoding: str = "utf-8", reading: Reading = USUAL, undecided: bool = False) -> Content:
    """Return the content of the file at *path* (``-``: standard input), decompressed if it is gzip data.

    Of a workbook, the content is the table in its first sheet, or in the one that *path* names, unless the
    file is undecided.

    Args:
        path: the file.
        encoding, reading: how to read it.
        undecided: whether the caller may skip the file; if it does not, it calls ``note_input``.
    Raises:
        FormatError: if the file does not exist, cannot be read or decompressed, is empty, or is larger
            than the limit for compressed files and pipes.
    """
    if not undecided:
        note_input(path)
    name = "<stdin>" if path == "-" else path
    notes: list[str] = []
    if not undecided and is_workbook(path):
        data, notes = table_in(path)
        encoding = "utf-8"
    else:
        limit = limits.Limit.of(reading.max_size)
        data = limits.expand(_bytes(path, limit), name, limit)
    if data.startswith(ZIPPED) and not undecided:
        hint = (
            "Unpack it; commands that compare annotators read exports of Arborator and INCEpTION as they are"
        )
        raise FormatError("this is a zip file", Source(name), hint=hint)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and encoding == "utf-8":
        hint = "Convert the file to UTF-8, or set --encoding utf-16"
        raise FormatError("the text is UTF-16", Source(name, 1), hint=hint)
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        raise FormatError("the file is empty", Source(name, 1), hint="Export or download it again")
    return Content(name, data, encoding, notes, reading=reading)


def _bytes(path: str, limit: limits.Limit) -> bytes:
    """Return the bytes of the file at *path* (``-``: standard input); of a profile, those of its schema."""
    if path == "-":
        return limits.read_endless(sys.stdin.buffer, "<stdin>", limit)
    try:
        return limits.read_bytes(path, limit)
    except IsADirectoryError:
        if is_profile(Path(path)):
            return _bytes(str(Path(path, SCHEMA)), limit)
        hint = "Pass the files in it, or add --dirs for one directory per annotator"
        raise FormatError("expected a file, got a directory", Source(path), hint=hint) from None
    except FileNotFoundError:
        if "*" in path:
            hint = "No file matches this pattern, or your shell does not replace it. Pass file names"
            raise FormatError("file not found", Source(path), hint=hint) from None
        raise not_found(path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(
            f"cannot read the file ({reason})", Source(path), hint="Check its permissions"
        ) from None
