"""From what a user types (FILE, NAME=FILE, directories, ``-``) to the files of each coder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arbitree.errors import Source, StudyError

DEFAULT_DOCUMENT = "text"
SCHEMA = "relations"  # the file that makes a directory a profile of [incr tsdb()]


@dataclass(frozen=True, slots=True)
class Input:
    """One file, or one profile, whose annotations it holds, and of which document."""

    coder: str
    path: str
    document: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read, and how.

    Each field but the inputs is an option of the commands that read studies: its metadata describe the
    option in the help.
    """

    inputs: tuple[str, ...] = ()  # FILE, NAME=FILE or, with dirs, directories
    dirs: bool = field(default=False, metadata={"help": "Inputs are directories, one for each coder."})
    format: str | None = field(
        default=None, metadata={"metavar": "NAME", "help": "Format of the inputs (default: detected)."}
    )
    encoding: str = field(
        default="utf-8", metadata={"metavar": "NAME", "help": "Encoding of text files, such as latin-1."}
    )
    match: str = field(
        default="auto",
        metadata={
            "metavar": "auto|id|position|text",
            "help": "How items of the coders meet; auto: by id if all have one.",
        },
    )
    strict: bool = field(
        default=False, metadata={"help": "Refuse cycles, differing tokens and uneven files."}
    )
    column: str | None = field(
        default=None,
        metadata={
            "metavar": "NAME",
            "help": "Take labels from trees: deprel, upos, a feature such as Case, enhanced, phrase, pos ...",
            "show_default": False,
        },
    )

    @classmethod
    def of_document(cls, document: dict[str, Any]) -> Reading:
        """Return what *document* says; raise KeyError or TypeError if it says nothing of the kind."""
        reading = cls(**document | {"inputs": tuple(document["inputs"])})
        texts = (*reading.inputs, reading.format or "", reading.encoding, reading.match, reading.column or "")
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("names of files and options are texts")
        return reading

    def of(self, inputs: Iterable[str]) -> Reading:
        """Return the same options for *inputs*."""
        return replace(self, inputs=tuple(inputs))

    def absolute(self) -> Reading:
        """Return the same with absolute paths, which hold wherever the server is started."""
        return self.of(map(_absolute, self.inputs))


USUAL = Reading()


def _absolute(argument: str) -> str:
    name, path = named_path(argument)
    whole = str(Path(path).resolve())
    return whole if name is None else f"{name}={whole}"


def inputs_of(arguments: Sequence[str], *, dirs: bool = False) -> list[Input]:
    """Return the files that *arguments* name, with their coders.

    Args:
        arguments: ``FILE`` or ``NAME=FILE``; with *dirs*, ``DIRECTORY`` or ``NAME=DIRECTORY``.
        dirs: every argument is the directory of one coder.

    Example:
        >>> [(i.coder, i.document) for i in inputs_of(["odin-danish.conll", "thor-danish.conll"])]
        [('odin', 'danish'), ('thor', 'danish')]
        >>> [i.coder for i in inputs_of(["gold=corpus.conllu", "parsed.conllu.gz"])]
        ['gold', 'parsed']
    """
    if not arguments:
        raise StudyError("no input was given", hint="Name a file for each coder")
    named = [named_path(argument) for argument in arguments]
    return distinct(_in_directories(named) if dirs else _files(named))


def distinct(found: list[Input]) -> list[Input]:
    """Return *found*; raise StudyError if a coder has two files for one document."""
    seen: dict[tuple[str, str], Input] = {}
    for each in found:
        other = seen.setdefault((each.coder, each.document), each)
        if other is not each:
            what = f"coder {each.coder!r} has a second file for {each.document!r} (the first is {other.path})"
            raise StudyError(what, Source(each.path), hint="Tell them apart with NAME=FILE")
    return found


def is_profile(path: Path) -> bool:
    """Whether this is a directory that is one input as a whole."""
    return (path / SCHEMA).is_file()


def stem(path: str) -> str:
    """Return the name of the file without ``.gz`` and its last ending; of a directory, its name.

    Example:
        >>> stem("round1/10003-ssd.mary.tree.gz")
        '10003-ssd.mary'
    """
    if Path(path).is_dir():
        return Path(path).resolve().name
    return Path(path.removesuffix(".gz")).stem


def named_path(argument: str) -> tuple[str | None, str]:
    """Return the coder and the path of ``NAME=FILE``; of anything else, None and the whole.

    Example:
        >>> named_path("ann=first.conllu"), named_path("first.conllu")
        (('ann', 'first.conllu'), (None, 'first.conllu'))
    """
    name, equals, path = argument.partition("=")
    if equals and name and path and "/" not in name and not _exists(argument):
        return name, path
    return None, argument


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # no file can have that name
        return False


def _files(named: list[tuple[str | None, str]]) -> list[Input]:
    stems = ["stdin" if path == "-" else stem(path) for _, path in named]
    parts = [re.split("[-_]", each) for each in stems]
    shared = set(parts[0]).intersection(*parts[1:]) if len(parts) > 1 else set()
    document = "-".join(part for part in parts[0] if part in shared) or DEFAULT_DOCUMENT
    same = len(set(stems)) == 1 and len(stems) > 1
    found = []
    for (name, path), whole, pieces in zip(named, stems, parts, strict=True):
        rest = "-".join(piece for piece in pieces if piece not in shared)
        coder = name or (Path(path).resolve().parent.name if same else rest) or whole
        found.append(Input(coder, path, document))
    return found


def _in_directories(named: list[tuple[str | None, str]]) -> list[Input]:
    found = []
    for name, path in named:
        folder = Path(path)
        if not folder.is_dir():
            what = "this is a file" if folder.exists() else "there is no such directory"
            raise StudyError(what, Source(path), hint="With --dirs, name one directory for each coder")
        coder = name or folder.resolve().name
        files = sorted(_units(folder))
        if not files:
            raise StudyError(
                "the directory has no files", Source(path), hint="Name the folder with the coder's files"
            )
        found += [Input(coder, str(each), _document(each, folder, coder)) for each in files]
    return found


def _units(folder: Path) -> Iterator[Path]:
    """Yield the files under *folder*, and a profile as one, but nothing that is hidden."""
    for place, folders, files in os.walk(folder):
        if is_profile(Path(place)):
            folders.clear()
            yield Path(place)
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place, name) for name in files if not name.startswith("."))


def _document(path: Path, folder: Path, coder: str) -> str:
    """Return the name under which the coders' files for one text meet."""
    name = path.name if path.is_dir() else stem(path.name)
    for mark in "-_":
        name = name.removesuffix(mark + coder)
    if path == folder:
        return DEFAULT_DOCUMENT
    return str(path.relative_to(folder).with_name(name))
