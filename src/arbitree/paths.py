"""Ask about paths; directories of examples and of the cache; names of inputs in pages, which are relative."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePath

from arbitree.errors import FormatError, Source
from arbitree.wording import ALIKE

EXAMPLES = "examples"
MANY = 1000  # names in a directory that are searched for a similar one
_SHEET = re.compile(r"(?<=\.xls[xm])#(?=.)", re.IGNORECASE)  # between a workbook and the name of its sheet


def examples_folder() -> Path:
    """Return the directory of the example studies: in the installed package, or in a clone."""
    package = Path(__file__).parent
    installed = package / EXAMPLES
    return installed if installed.is_dir() else package.parents[1] / EXAMPLES


def cache_folder() -> Path:
    """Return the directory of this user for files that can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arbitree"


def exists(path: str | Path) -> bool:
    """Return whether *path* exists; False for a path that is too long or cannot be looked up."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def is_directory(path: str | Path) -> bool:
    """Return whether *path* is a directory; False for a path that is too long or cannot be looked up."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def possible_path(path: str) -> str:
    """Return *path*; raise FormatError if no file can have this name, such as one that is too long."""
    try:
        Path(path).exists()
    except OSError as error:
        what = f"cannot look for this file ({error.strerror})"
        raise FormatError(what, Source(path), hint="Check the path") from None
    return path


def sheet_in(path: str) -> tuple[str, str | None]:
    """Return the workbook and the sheet in ``WORKBOOK.xlsx#SHEET``; the path and None if it names no sheet.

    Example:
        >>> sheet_in("votes.xlsx#Round 2"), sheet_in("votes.xlsx"), sheet_in("no#1.xlsx")
        (('votes.xlsx', 'Round 2'), ('votes.xlsx', None), ('no#1.xlsx', None))
    """
    ends = [] if exists(path) else [found.start() for found in _SHEET.finditer(path)]
    end = next((end for end in ends if exists(path[:end])), ends[0] if ends else None)
    return (path, None) if end is None else (path[:end], path[end + 1 :])


@dataclass(slots=True)
class InputNames:
    """The inputs of one command or call, and how pages and workbooks name them.

    Example:
        >>> names = InputNames()
        >>> names.add_study(["/home/ann/study/first.conllu", "/home/ann/study/second.conllu"])
        >>> names.add("/usr/share/wordnet/data.noun")
        >>> names.portable("see /home/ann/study/first.conllu:3 and /usr/share/wordnet/data.noun")
        'see first.conllu:3 and data.noun'
    """

    full: bool = False  # whether names stay as they were given
    _study: dict[str, None] = field(default_factory=dict)
    _others: dict[str, None] = field(default_factory=dict)
    _pattern: re.Pattern[str] | None = None
    _names: dict[str, str] = field(default_factory=dict)

    def add(self, path: str) -> None:
        """Add a file of options, such as costs."""
        self._others[path] = None
        self._pattern = None

    def add_study(self, paths: Iterable[str]) -> None:
        """Add files of the study."""
        self._study |= dict.fromkeys(paths)
        self._pattern = None

    def portable(self, text: str) -> str:
        """Return *text* without absolute paths of inputs.

        Files of the study are named relative to their common directory, others by their last part.
        """
        if self.full or not (self._study or self._others):
            return text
        if self._pattern is None:
            self._names = _portable_names(self._study, self._others)
            longest = sorted(self._names, key=len, reverse=True)
            whole = "|".join(map(re.escape, longest)) or r"(?!)"
            self._pattern = re.compile(rf"(?:{whole})(?![\w-])")
        return self._pattern.sub(self._name, text)

    def _name(self, found: re.Match[str]) -> str:
        """Return the name of a path, unless it is the end of a longer one."""
        # A look-behind in the pattern would be slower.
        before = found.string[found.start() - 1] if found.start() else " "
        return found[0] if before.isalnum() or before in "_./-" else self._names[found[0]]


def _portable_names(study: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """Return the names of all paths that depend on the machine: absolute ones, and those above here."""
    paths = [path for path in study if path != "-"]
    parents = [os.path.normpath(Path.cwd() / PurePath(path).parent) for path in paths]
    base = os.path.commonpath(parents) if parents else ""
    whole = set(paths)  # a profile is a directory: files in it are named with it
    outside = (path for path in others if not any(str(each) in whole for each in PurePath(path).parents))
    found = {path: PurePath(path).name for path in outside}
    for path in paths:
        for each in (PurePath(path), *_directories(path)):
            name = os.path.relpath(each, base)
            if not name.startswith(os.pardir):
                found[str(each)] = PurePath(base).name if name == os.curdir else name
    return {path: name for path, name in found.items() if name and _of_machine(path)}


def _directories(path: str) -> list[PurePath]:
    """Return the directories that messages may name, without short ones such as /tmp, which may be words."""
    return [each for each in PurePath(path).parents if each.is_absolute() and len(each.parts) > 2]


def _of_machine(path: str) -> bool:
    return PurePath(path).is_absolute() or os.pardir in PurePath(path).parts


def not_found(path: str | Path, what: str = "file not found", *, directory: bool = False) -> FormatError:
    """Return the error about a *path* that does not exist, with a similar name in its directory.

    Args:
        path: The path, as the user gave it.
        what: The error.
        directory: Whether it should be a directory, so that files are not suggested.
    """
    return FormatError(what, Source(str(path)), hint=_similar(Path(path), directory))


def _similar(path: Path, directory: bool) -> str:
    """Return what to do about a path that does not exist."""
    from difflib import SequenceMatcher

    where = f"The directory {path.parent}" if path.parent != Path() else "The current directory"
    names: list[str] = []
    with suppress(OSError, ValueError):  # a name that no file can have
        if path.is_symlink():
            return f"It is a link to {path.readlink()}, which does not exist"
        if not path.parent.is_dir():
            return f"{where} does not exist"
        beside = islice(path.parent.iterdir(), MANY)
        there = (each for each in beside if (each.is_dir() if directory else each.exists()))
        names = [each.name for each in there if each.name.isprintable()]

    def likeness(name: str) -> tuple[float, float]:
        stem, wanted = (each.partition(".")[0].casefold() for each in (name, path.name))
        return SequenceMatcher(None, stem, wanted).ratio(), SequenceMatcher(None, name, path.name).ratio()

    best = max(sorted(names), key=likeness, default="")
    if best and likeness(best)[0] >= ALIKE:
        return f"Did you mean {path.with_name(best)}?"
    kind = "directory" if directory else "file"
    return f"{where} contains no similar name. Pass the path of an existing {kind}"
