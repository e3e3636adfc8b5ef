"""Public files that the papers need: repository, commit, path, size, checksum and licence of each.

``releases.tsv`` lists directories of repositories at fixed commits, and ``files.tsv`` their files. Files of
GUM are cut from two releases: ``cut`` is the commit of the other one. A file without a checksum is compared
with its first download from then on. A path that ends with a slash stands for all files below it.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from arbitree.errors import ArbitreeError
from arbitree.wording import brief

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Origin:
    """A file of a repository."""

    repository: str
    commit: str
    path: str

    def __str__(self) -> str:
        return f"{self.repository}/{self.commit}/{self.path}"


@dataclass(frozen=True, slots=True)
class Release:
    """A directory of a repository at a commit, and the directory where its files are put."""

    name: str
    paper: str
    repository: str
    commit: str
    path: str
    folder: str
    cut: str  # the commit of the release that its files are cut with, if any
    licence: str

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class File:
    """A file that a paper needs, or a directory of files whose names are not listed here."""

    release: Release
    name: str
    size: int | None = None
    sha256: str = ""

    __repr__ = brief

    @property
    def target(self) -> str:
        """The path of the file in the data."""
        return str(PurePosixPath(self.release.folder, self.name))

    @property
    def folder(self) -> bool:
        """Whether this stands for all files in a directory."""
        return self.name.endswith("/")

    @property
    def extra(self) -> bool:
        """Whether the reproduction works without the file, whose checksum is not known."""
        return not self.sha256

    @property
    def origin(self) -> Origin:
        """The file in its repository."""
        return Origin(
            self.release.repository, self.release.commit, str(PurePosixPath(self.release.path, self.name))
        )

    @property
    def origins(self) -> list[Origin]:
        """The files to download."""
        first = self.origin
        other = [Origin(first.repository, self.release.cut, first.path)] if self.release.cut else []
        return [first, *other]


@cache
def releases() -> dict[str, Release]:
    """Return all releases by name."""
    return {row["release"]: Release(*row.values()) for row in _rows("releases.tsv")}


@cache
def files() -> tuple[File, ...]:
    """Return all files."""
    found = []
    for row in _rows("files.tsv"):
        size = int(row["bytes"]) if row["bytes"] else None
        found.append(File(releases()[row["release"]], row["file"], size, row["sha256"]))
        check_inside(found[-1].target)
    return tuple(found)


def files_of(papers: Collection[str]) -> list[File]:
    """Return the files of *papers*.

    Example:
        >>> sorted({each.release.name for each in files_of(["skjaerholt2014"])})
        ['cdt', 'ndt', 'ssd']
    """
    return [each for each in files() if each.release.paper in papers]


def check_inside(path: str) -> str:
    """Return a relative path; raise ArbitreeError if it could name a file outside of its directory.

    Example:
        >>> check_inside("plank2015/da/gold.conll")
        'plank2015/da/gold.conll'
    """
    parts = path.split("/")
    odd = any(each in ("", ".", "..") or set(each) & set('\\:\0*?"<>|') for each in parts)
    if not path or odd:
        raise ArbitreeError(f"{path!r} is not the path of a file below a directory", hint="Report this")
    return path


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (HERE / name).open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file, delimiter="\t")
