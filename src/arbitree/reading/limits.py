"""Read at most so many bytes of compressed files, pipes and devices, which can be endless or expand a lot."""

from __future__ import annotations

import gzip
import io
import math
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from arbitree.errors import FormatError, Source

AUTO, OFF = "auto", "off"
LARGEST = 2 << 30  # bytes after decompression, or from a pipe
HARMLESS = 64 << 20  # bytes that every file may expand to
RATIO = 100  # of the sizes after and before decompression, above HARMLESS
PIECE = 1 << 20  # bytes read at once
DECOMPRESS = "If you trust the file, decompress it first or set --max-size off"
MAGIC = b"\x1f\x8b"  # the first bytes of gzip data

_SIZE = re.compile(r"(\d{1,15})([KMGT]?)B?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limit:
    """The largest size in bytes, and the largest ratio of the sizes after and before decompression.

    Up to *harmless* bytes, the ratio does not count.
    """

    size: float = LARGEST
    ratio: float = RATIO
    harmless: int = HARMLESS

    @classmethod
    def of(cls, text: str) -> Limit:
        """Return the limit that the option ``max_size`` sets; a size replaces the limit of the ratio too.

        Example:
            >>> Limit.of("4G").size, Limit.of("off").size
            (4294967296, inf)
        """
        if text in (AUTO, OFF):
            return cls() if text == AUTO else cls(math.inf, math.inf)
        found = _SIZE.fullmatch(text.strip())
        if found is None:
            hint = "Use auto, off, or a number of bytes such as 500M or 4G"
            raise FormatError(f"unknown maximum size {text!r}", hint=hint)
        return cls(int(found[1]) << 10 * " KMGT".index(found[2].upper() or " "), math.inf)

    def check(self, size: int, packed: int, path: str, *, hint: str = DECOMPRESS) -> None:
        """Raise FormatError if data of *packed* bytes must not expand to *size* bytes."""
        if size > max(self.harmless, self.ratio * packed):
            what = f"the compressed data expand to more than {self.ratio:g} times their size"
        elif size > self.size:
            what = f"the compressed data expand to more than {size_text(self.size)}"
        else:
            return
        raise FormatError(what, Source(path), hint=hint)


USUAL_LIMIT = Limit()


def size_text(size: float) -> str:
    """Return a number of bytes for a message.

    Example:
        >>> size_text(2 << 30), size_text(1500)
        ('2 GB', '1,500 bytes')
    """
    for power, unit in ((30, "GB"), (20, "MB"), (10, "kB")):
        if size >= 1 << power and size % (1 << power) == 0:
            return f"{int(size) >> power:,} {unit}"
    return f"{size:,} bytes"


def memory() -> float:
    """Return the bytes of memory of this machine; infinite if it does not tell."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # not on Windows
        return math.inf


def read_endless(stream: BinaryIO, path: str, limit: Limit = USUAL_LIMIT) -> bytes:
    """Return the content of a pipe or device, such as standard input.

    Raises:
        FormatError: if it yields more bytes than the limit.
    """
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > limit.size:
            what = f"the pipe or device contains more than {size_text(limit.size)}"
            raise FormatError(what, Source(path), hint="Write the data to a file, or set --max-size off")
    return b"".join(pieces)


def read_bytes(path: str | Path, limit: Limit = USUAL_LIMIT) -> bytes:
    """Return the bytes of the file at *path*: of a pipe or device up to *limit*, of a file all of them.

    Raises:
        OSError: if it cannot be read.
    """
    with Path(path).open("rb") as stream:
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return stream.read()
        return read_endless(stream, str(path), limit)


class _Counted(io.RawIOBase):
    """Decompressed data, counted while they are read."""

    def __init__(self, stream: gzip.GzipFile, packed: int, path: str, limit: Limit) -> None:
        self.stream = stream
        self.packed = packed
        self.path = path
        self.limit = limit
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.stream.read(len(buffer))
        self.size += len(data)
        self.limit.check(self.size, self.packed, self.path)
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def expanded(
    stream: BinaryIO, packed: int, path: str, limit: Limit = USUAL_LIMIT
) -> Iterator[io.BufferedReader]:
    """Open gzip data of *packed* bytes; reading more than *limit* allows raises FormatError."""
    try:
        with gzip.GzipFile(fileobj=stream) as data:
            yield io.BufferedReader(_Counted(data, packed, path, limit), PIECE)
    except (EOFError, OSError, zlib.error) as error:
        hint = "Copy or download the file again"
        raise FormatError(f"cannot decompress the gzip data ({error})", Source(path), hint=hint) from None


def expand(data: bytes, path: str, limit: Limit = USUAL_LIMIT) -> bytes:
    """Return *data*, decompressed if they are gzip data."""
    if not data.startswith(MAGIC):
        return data
    with expanded(io.BytesIO(data), len(data), path, limit) as stream:
        return b"".join(iter(lambda: stream.read(PIECE), b""))


def check_archive(path: str, limit: Limit, *, hint: str) -> None:
    """Raise FormatError if the members of the zip file at *path* are larger than *limit* allows.

    A member never yields more bytes than the archive declares.
    """
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    limit.check(size, Path(path).stat().st_size, path, hint=hint)
