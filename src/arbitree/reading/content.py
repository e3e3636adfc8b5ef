"""The content of one file, and the annotations and rows that a format finds in it."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from arbitree.errors import FormatError, Source
from arbitree.reading.inputs import SCHEMA, is_profile

V = TypeVar("V")

HEAD_BYTES = 65536  # as much as a format needs to see to know its own


@dataclass(frozen=True, slots=True)
class Entry(Generic[V]):
    """One annotation as a file gives it; id, document and coder are None where the file has none."""

    value: V
    source: Source
    id: str | None = None
    document: str | None = None
    coder: str | None = None  # only in formats that hold the annotations of several coders


@dataclass(slots=True)
class Records:
    """Columns of equal length: who said what of which item, and in which line."""

    path: str
    items: list[str] = field(default_factory=list)
    coders: list[str | None] = field(default_factory=list)  # None: the coder whose file it is
    labels: list[Any] = field(default_factory=list)  # text, or a number, list or object of JSON
    lines: list[int] = field(default_factory=list)
    places: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)  # document, cluster
    empty: dict[str, None] = field(default_factory=dict)  # items that nobody labelled
    names: list[str] = field(default_factory=list)  # all coders, those without a label too

    def add(self, item: str, coder: str | None, label: Any, line: int) -> None:
        """Add one label; blanks around it do not count, an empty one counts as missing."""
        label = label.strip() if isinstance(label, str) else label
        if label is None or label == "":
            self.empty.setdefault(item)
            return
        self.items.append(item)
        self.coders.append(coder)
        self.labels.append(label)
        self.lines.append(line)


@dataclass(frozen=True)
class Content:
    """The bytes of one file, unpacked, and its text; of a profile, which is a directory, its schema."""

    path: str
    data: bytes
    encoding: str = "utf-8"
    notes: list[str] = field(default_factory=list, compare=False)  # what a reader found odd

    @cached_property
    def text(self) -> str:
        """The whole text, without a byte order mark."""
        try:
            return self.data.decode(self.encoding).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            line = self.data.count(b"\n", 0, error.start) + 1
            what = f"byte {self.data[error.start]:#04x} is not {self.encoding}"
            hint = "Convert the file to UTF-8, or give --encoding latin-1 (or what it is in)"
            raise FormatError(what, Source(self.path, line), hint=hint) from None
        except LookupError:
            raise FormatError(
                f"no encoding is called {self.encoding!r}", hint="Try --encoding latin-1"
            ) from None

    @property
    def lines(self) -> list[str]:
        """The lines without their ends. Only line feeds end a line: other marks occur inside tokens."""
        lines = self.text.split("\n")
        return [line.removesuffix("\r") for line in lines] if "\r" in self.text else lines

    @cached_property
    def head(self) -> str:
        """The beginning of the text, for detection; wrong bytes are replaced here and refused later."""
        try:
            return self.data[:HEAD_BYTES].decode(self.encoding, errors="replace").removeprefix("\ufeff")
        except LookupError:
            return self.text  # says that there is no such encoding


def load(path: str, *, encoding: str = "utf-8") -> Content:
    """Return the content of the file at *path* (``-``: standard input), unpacked if it is gzipped.

    Raises:
        FormatError: if there is no such file, or it cannot be read, unpacked or has nothing in it.
    """
    data = _bytes(path)
    name = "<stdin>" if path == "-" else path
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read()
        except (EOFError, OSError, zlib.error) as error:
            hint = "The file is cut short or damaged: copy or download it again"
            raise FormatError(f"cannot unpack gzip data ({error})", Source(name), hint=hint) from None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and encoding == "utf-8":
        hint = "Convert the file to UTF-8, or give --encoding utf-16"
        raise FormatError("the text is UTF-16", Source(name, 1), hint=hint)
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        raise FormatError("the file is empty", Source(name, 1), hint="Check that the export finished")
    return Content(name, data, encoding)


def _bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except IsADirectoryError:
        if is_profile(Path(path)):
            return _bytes(str(Path(path, SCHEMA)))
        hint = "Give a file, a profile (it has a file 'relations'), or --dirs for one directory per coder"
        raise FormatError("this is a directory", Source(path), hint=hint) from None
    except FileNotFoundError:
        raise FormatError("there is no such file", Source(path), hint="Check the name") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(
            f"cannot read the file ({reason})", Source(path), hint="Check its permissions"
        ) from None
