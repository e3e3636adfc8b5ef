"""The data of the papers: files that are there already, files in the cache, and downloads.

The cache has three directories: ``data`` contains files as the modules of the papers read them, ``raw`` files
from which others are cut, and ``lists`` the names of files in directories. ``checksums.tsv`` contains the
checksums of files that were downloaded without a known one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from arbitree.backends.base import Bar, Say
from arbitree.errors import ArbitreeError, Source
from arbitree.files import make_directory, write_whole
from arbitree.reproduction import fetching
from arbitree.reproduction.cutting import cut
from arbitree.reproduction.sources import File, Origin, Release
from arbitree.wording import brief, count_of

DATA, CACHE, NOWHERE = "data", "cache", "missing"
NAMES = 4  # of files in a line


@dataclass(frozen=True)
class Found:
    """A file, and where it is."""

    file: File
    place: str  # DATA, CACHE or NOWHERE
    note: str = ""  # a warning about it, or why it is missing

    __repr__ = brief


@dataclass
class Collection:
    """Files for the papers, in a directory of the user, in the cache, or missing."""

    files: Sequence[File]
    data: Path | None
    cache: Path
    found: dict[str, Found] = field(default_factory=dict)

    def look(self) -> None:
        """Find out which files are there."""
        for file in self._listed():
            self.found[file.target] = self._state(file)

    def cut_again(self) -> None:
        """Cut files from others that were downloaded or put there by hand."""
        for file in self.missing:
            if file.release.cut and all(self._raw(each).is_file() for each in file.origins):
                self._cut(file, self.cache / "data" / file.target)
                self.found[file.target] = Found(file, CACHE)

    @property
    def missing(self) -> list[File]:
        """The files that are not there."""
        return [each.file for each in self.found.values() if each.place == NOWHERE]

    def download(self, say: Say, progress: Bar) -> None:
        """Download what is missing, after the licences were shown."""
        if not self.missing:
            return
        for line in licence_lines(self.missing):
            say(line)
        self._list_folders()
        wanted = [each for each in self.missing if not each.folder]
        with progress("downloading") as tick:
            for count, file in enumerate(wanted):
                tick(count, len(wanted))
                try:
                    self._download(file)
                except fetching.Absent:
                    if not file.extra:
                        raise
                    self.found[file.target] = Found(file, NOWHERE, "the server does not have it")
                    continue
                self.found[file.target] = Found(file, CACHE)
            tick(len(wanted), len(wanted))

    @contextmanager
    def laid_out(self) -> Iterator[Path | None]:
        """Make a directory that contains all files that are there; None if there are none."""
        places = {each.place for each in self.found.values()} - {NOWHERE}
        if len(places) < 2:
            yield {DATA: self.data, CACHE: self.cache / "data"}[places.pop()] if places else None
            return
        with TemporaryDirectory(prefix="arbitree-papers-") as made:
            folder = Path(made)
            for target, each in self.found.items():
                if each.place == NOWHERE:
                    continue
                source = self._path(each)
                for path in [source / target, *(source / target).rglob("*")]:
                    if path.is_file():
                        self._write(folder / path.relative_to(source), path.read_bytes())
            yield folder

    def incomplete(self, need: str) -> bool:
        """Return whether files that tables cannot do without are missing in a directory of the data."""
        return any(PurePosixPath(file.target).is_relative_to(need) for file in self.missing if not file.extra)

    def by_hand(self) -> list[str]:
        """Return lines that say what to download, and where to put it."""
        groups: dict[tuple[str, str, Path], list[str]] = {}
        for file in self.missing:
            for origin in file.origins:
                name = PurePosixPath(origin.path).name + ("/" if file.folder else "")
                source = str(PurePosixPath(origin.path).parent)
                target = (
                    self._raw(origin)
                    if file.release.cut
                    else (self.data or self.cache / "data") / file.target
                )
                names = groups.setdefault(
                    (f"{origin.repository} at {origin.commit}", source, target.parent), []
                )
                if name not in names:
                    names.append(name)
        return [
            f"{repository}: {source}/{_some(names)} -> {target}"
            for (repository, source, target), names in groups.items()
        ]

    def _path(self, found: Found) -> Path:
        if found.place == DATA and self.data is not None:
            return self.data
        return self.cache / "data"

    def _listed(self) -> Iterator[File]:
        """Yield the files, with directories replaced by their files if these are known."""
        for file in self.files:
            if file.folder and not (self.data and (self.data / file.target).is_dir()):
                names = self._names(file)
                yield from names or [file]
            else:
                yield file

    def _state(self, file: File) -> Found:
        if self.data is not None and (self.data / file.target).exists():
            return Found(file, DATA, self._difference(file))
        kept = self.cache / "data" / file.target
        if not file.folder and kept.is_file():
            expected = file.sha256 or self._checksums.get(file.target, "")
            if not expected or fetching.checksum_of(kept.read_bytes()) == expected:
                return Found(file, CACHE)
            return Found(file, NOWHERE, "the file in the cache was changed")
        return Found(file, NOWHERE, "not downloaded yet")

    def _difference(self, file: File) -> str:
        if self.data is None or not file.sha256:
            return ""
        same = fetching.checksum_of((self.data / file.target).read_bytes()) == file.sha256
        return "" if same else f"{self.data / file.target} is not the published file: its checksum differs"

    def _download(self, file: File) -> None:
        target = self.cache / "data" / file.target
        if file.size == 0:
            self._write(target, b"")
        elif file.release.cut:
            self._cut(file, target)
        else:
            known = file.sha256 or self._checksums.get(file.target, "") or self._git.get(file.target, "")
            fetching.fetch(fetching.address(file.origin), target, size=file.size, checksum=known)
        if not file.sha256 and file.target not in self._checksums:
            self._checksums[file.target] = fetching.checksum_of(target.read_bytes())
            lines = [f"{name}\t{checksum}\n" for name, checksum in sorted(self._checksums.items())]
            self._write(self.cache / "checksums.tsv", "".join(lines))

    def _cut(self, file: File, target: Path) -> None:
        texts = []
        for origin in file.origins:
            raw = self._raw(origin)
            if not raw.is_file():
                fetching.fetch(fetching.address(origin), raw)
            texts.append(raw.read_text(encoding="utf-8"))
        made = cut(*texts).encode()
        if fetching.checksum_of(made) != file.sha256:
            for origin in file.origins:
                self._raw(origin).unlink()
            what = f"what was cut from two releases of {file.release.repository} is not the expected file"
            hint = "Try again later; the server may have sent another page"
            raise ArbitreeError(what, Source(file.target), hint=hint)
        self._write(target, made)

    def _write(self, path: Path, content: bytes | str) -> None:
        make_directory(path.parent, hint=fetching.ELSEWHERE)
        write_whole(path, content, hint=fetching.ELSEWHERE)

    def _raw(self, origin: Origin) -> Path:
        return self.cache / "raw" / str(origin)

    @cached_property
    def _checksums(self) -> dict[str, str]:
        """The checksums of files that were downloaded without a known one."""
        path = self.cache / "checksums.tsv"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return dict(line.split("\t") for line in lines if line.count("\t") == 1)

    @cached_property
    def _git(self) -> dict[str, str]:
        """The names that git gives to the contents of files in listed directories."""
        return {}

    def _names(self, file: File) -> list[File]:
        """Return the files of a directory, if they were listed before."""
        path = self._list_of(file.origin)
        if not path.is_file():
            return []
        found = []
        for name, size, checksum in json.loads(path.read_text(encoding="utf-8")):
            inside = PurePosixPath(name).relative_to(file.release.path)
            each = replace(file, name=str(inside), size=size)
            self._git[each.target] = checksum
            found.append(each)
        return found

    def _list_folders(self) -> None:
        """Replace directories by their files."""
        for file in [each for each in self.missing if each.folder]:
            try:
                names = fetching.listing(file.origin)
            except fetching.Unreachable:
                raise
            except ArbitreeError as error:
                self.found[file.target] = Found(file, NOWHERE, error.what)
                continue
            path = self._list_of(file.origin)
            self._write(path, json.dumps(names))
            del self.found[file.target]
            for each in self._names(file):
                self.found[each.target] = self._state(each)

    def _list_of(self, origin: Origin) -> Path:
        return self.cache / "lists" / f"{str(origin).replace('/', '-')}.json"


def licence_lines(files: Sequence[File]) -> list[str]:
    """Return a line for each release: how much will be downloaded, from where, and its licence."""
    groups: dict[Release, list[File]] = {}
    for file in files:
        groups.setdefault(file.release, []).append(file)
    return [
        f"Downloading {count_of(len(group), 'file')} of {release.folder} from "
        f"{release.repository} at {release.commit[:10]}. Licence: {release.licence}"
        for release, group in groups.items()
    ]


def _some(names: Sequence[str]) -> str:
    """Return names in braces, as a shell would expand them; of many, the first ones and their number."""
    if len(names) == 1:
        return names[0]
    shown = ",".join(names[:NAMES])
    more = f",... ({len(names)} files)" if len(names) > NAMES else ""
    return f"{{{shown}{more}}}"
