"""Open a zip file or a directory, and list and read the files in it."""

from __future__ import annotations

import io
import os
import re
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from arbitree.errors import FormatError, Source
from arbitree.files import note_input
from arbitree.reading.content import ZIPPED
from arbitree.reading.inputs import is_profile, is_special
from arbitree.reading.limits import Limit
from arbitree.reading.workbooks import is_workbook

EMPTY = b"PK\x05\x06"  # the first bytes of a zip file without files
MOST_FILES = 200_000  # in a directory; more cannot be an export
DEEPEST = 5  # directories within each other
_HIDDEN = re.compile(r"(?:^|/)(?:__MACOSX(?:/|$)|\._|\.DS_Store$|\.)|(?:^|/)Thumbs\.db$")
_DRIVE = re.compile(r"[A-Za-z]:")
_AGAIN = "Copy or download the file again"


class Container(ABC):
    """Files with names such as ``annotation/text.txt/ann.tsv``, without those that systems add."""

    noun: ClassVar[str]  # what it is, for messages

    def __init__(self, path: str, names: list[str]) -> None:
        self.path = path
        self.names = names

    @abstractmethod
    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""

    @abstractmethod
    def nested(self, name: str) -> Container:
        """Return the zip file in a file."""

    def shown(self, name: str) -> str:
        """Return the path of a file for messages."""
        return f"{self.path}/{name}"

    def inside(self, folder: str) -> Container:
        """Return the files in one directory, with names that begin there."""
        return _Part(self, folder)


class _Part(Container):
    noun = "directory"

    def __init__(self, whole: Container, folder: str) -> None:
        names = [name.removeprefix(folder) for name in whole.names if name.startswith(folder)]
        super().__init__(whole.path, names)
        self.whole = whole
        self.folder = folder

    def read(self, name: str) -> bytes:
        return self.whole.read(self.folder + name)

    def nested(self, name: str) -> Container:
        return self.whole.nested(self.folder + name)

    def shown(self, name: str) -> str:
        return self.whole.shown(self.folder + name)


class Folder(Container):
    """A directory."""

    noun = "directory"

    def __init__(self, path: str, limit: Limit) -> None:
        super().__init__(path, sorted(_walked(Path(path))))
        self.limit = limit

    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""
        place = Path(self.path, name)
        note_input(str(place))
        try:
            return place.read_bytes()
        except OSError as error:
            what = f"cannot read the file ({error.strerror or error})"
            raise FormatError(what, Source(str(place)), hint="Check its permissions") from None

    def nested(self, name: str) -> Container:
        """Return the zip file in a file."""
        data = self.read(name)
        return Archive(self.shown(name), data, self.limit, packed=len(data))


class Archive(Container):
    """A zip file, or one inside another; all files together may not expand beyond the limit."""

    noun = "zip file"

    def __init__(
        self, path: str, data: bytes | None, limit: Limit, *, used: int = 0, packed: int = 0
    ) -> None:
        with _readable(path):
            self.zip = zipfile.ZipFile(path if data is None else io.BytesIO(data))
        self.limit = limit
        size = Path(path).stat().st_size if data is None else len(data)
        self.packed = packed or size
        members = [each for each in self.zip.infolist() if not each.filename.endswith("/")]
        for each in members:
            _check(each, path, size)
        self.members = {each.filename: each for each in members if not _HIDDEN.search(each.filename)}
        self.used = used + sum(each.file_size for each in self.members.values())
        self.limit.check(self.used, self.packed, path)
        if len(self.members) < sum(not _HIDDEN.search(each.filename) for each in members):
            raise FormatError("two files in the zip file have the same name", Source(path), hint=_AGAIN)
        super().__init__(path, list(self.members))

    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""
        with _readable(self.shown(name)):
            return self.zip.read(self.members[name])

    def nested(self, name: str) -> Container:
        """Return the zip file in a file; its files count as files of this one."""
        inner = Archive(self.shown(name), self.read(name), self.limit, used=self.used, packed=self.packed)
        self.used = inner.used
        return inner


@contextmanager
def _readable(path: str) -> Iterator[None]:
    """Turn the exceptions of ``zipfile`` into FormatError."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, OverflowError) as error:
        what = f"cannot read the zip file ({_reason(error)})"
        raise FormatError(what, Source(path), hint=_AGAIN) from None
    except (NotImplementedError, RuntimeError) as error:
        what = f"cannot decompress the zip file ({_reason(error)})"
        raise FormatError(what, Source(path), hint="Pack the files again with another program") from None


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:100] or type(error).__name__


def _check(member: zipfile.ZipInfo, path: str, size: int) -> None:
    """Raise FormatError for a damaged or encrypted file, and for a path that leaves the zip file."""
    name = member.filename
    if not name:
        raise FormatError("a file in the zip file has no name", Source(path), hint=_AGAIN)
    if member.compress_size > size:
        what = f"the file {name!r} in the zip file is incomplete"
        raise FormatError(what, Source(path), hint=_AGAIN)
    if member.flag_bits & 1:
        what = f"the file {name!r} in the zip file is encrypted"
        raise FormatError(what, Source(path), hint="Decrypt it, or export the project without a password")
    if name.startswith("/") or "\\" in name or _DRIVE.match(name) or ".." in name.split("/"):
        what = f"the zip file contains a path that leaves it ({name!r})"
        raise FormatError(what, Source(path), hint="Export the project again")


def _walked(folder: Path) -> Iterator[str]:
    """Yield the names of the files in *folder*, except hidden and special ones."""
    count = 0
    for place, folders, files in os.walk(folder):
        inner = Path(place).relative_to(folder)
        if len(inner.parts) >= DEEPEST:
            folders.clear()
        folders[:] = [name for name in folders if not _HIDDEN.search(name)]
        for name in files:
            count += 1
            if count > MOST_FILES:
                return
            if not _HIDDEN.search(name) and not is_special(str(Path(place, name))):
                yield (inner / name).as_posix()


def is_container(path: str) -> bool:
    """Return whether *path* is a zip file, or a directory that is not a profile."""
    place = Path(path)
    try:
        if place.is_dir():
            return not is_profile(place)
        if is_workbook(path) or not place.is_file():
            return False
        with place.open("rb") as stream:
            return stream.read(4) in (ZIPPED, EMPTY)
    except (OSError, ValueError):
        return False


def opened(path: str, limit: Limit) -> Container:
    """Return the files of the zip file or directory at *path*."""
    if Path(path).is_dir():
        return Folder(path, limit)
    note_input(path)
    return Archive(path, None, limit)
