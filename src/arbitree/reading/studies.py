"""Find the files of several studies: directories, patterns of file names, tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from glob import glob, has_magic
from pathlib import Path
from typing import Any

from arbitree.backends.base import Say, mute
from arbitree.errors import ArbitreeError, Source, StudyError
from arbitree.paths import not_found
from arbitree.reading.assembly import assemble
from arbitree.reading.inputs import (
    DEFAULT_DOCUMENT,
    Input,
    Reading,
    inputs_of,
    is_backup,
    is_profile,
    named_path,
)
from arbitree.study.study import Study

ONE_STUDY = (
    "With --studies, each argument is a study: a directory with one file or directory per annotator, "
    "a pattern such as 'DIR/*.conllu', or a table of labels"
)


def studies_of(arguments: Sequence[str]) -> dict[str, list[Input]]:
    """Return the files of each study by its name.

    Args:
        arguments: ``STUDY`` or ``NAME=STUDY``. A study is a directory with a file, a directory or a profile
            for each annotator, a pattern of such paths, or a file that contains several annotators.
    Example:
        >>> found = studies_of(["examples/dependency", "few=examples/phrase/[ab]*.mrg"])
        >>> {name: [each.coder for each in inputs] for name, inputs in found.items()}
        {'dependency': ['ann', 'bob', 'cho'], 'few': ['ann', 'bob']}
    """
    if not arguments:
        raise StudyError("no studies", hint=ONE_STUDY)
    found: dict[str, list[Input]] = {}
    for argument in arguments:
        given, path = named_path(argument)
        inputs = _inputs(path)
        name = given or _name(path, inputs)
        if name in found:
            hint = f"Name the studies: {name}1=PATH {name}2=PATH"
            raise StudyError(f"two studies are called {name!r}", Source(path), hint=hint)
        found[name] = inputs
    return found


def read_studies(reading: Reading, say: Say = mute) -> dict[str, Study[Any]]:
    """Read one study for each input; errors and messages contain the name of the study."""
    if reading.dirs:
        hint = "Omit --dirs: directories in the directory of a study are its annotators"
        raise StudyError("--dirs and --studies cannot be combined", hint=hint)
    found: dict[str, Study[Any]] = {}
    for name, inputs in studies_of(reading.inputs).items():
        with naming(name):
            found[name] = assemble(inputs, reading, skip_unknown=_in_folders(inputs), say=saying(name, say))
        check_several(name, found[name])
    return found


def check_several(name: str | None, study: Study[Any]) -> None:
    """Raise StudyError unless the study called *name* has at least two annotators."""
    if name is None or len(study.coders) >= 2:
        return
    source = next((cell.source for cell in study.cells.values() if cell.source), None)
    what = f"the study {name!r} has only one annotator, {', '.join(study.coders) or 'nobody'}"
    raise StudyError(what, Source(source.path) if source else None, hint=ONE_STUDY)


@contextmanager
def naming(name: str | None) -> Iterator[None]:
    """Add the name of a study, if it has one, to errors without a path."""
    try:
        yield
    except ArbitreeError as error:
        if name is None or error.source is not None:
            raise
        raise type(error)(f"study {name!r}: {error.what}", hint=error.hint) from None


def saying(name: str, say: Say) -> Say:
    """Return a function that adds the name of a study to messages."""
    return say if say is mute else lambda line: say(f"{name}: {line}")


def _inputs(path: str) -> list[Input]:
    """Return the files of the study at *path*."""
    folder = Path(path)
    if not folder.exists() and has_magic(path):
        matches = sorted(glob(path))  # noqa: PTH207  # the pattern may start anywhere
        if not matches:
            raise StudyError("no file matches this pattern", Source(path), hint="Check the pattern")
        return _of_annotators(path, map(Path, matches))
    if not folder.exists():
        raise not_found(path, "file or directory not found")
    if not folder.is_dir():
        return inputs_of([path])
    if is_profile(folder):
        what = "a profile is the work of one annotator"
        raise StudyError(what, Source(path), hint="Pass the directory that contains the profiles")
    return _of_annotators(path, sorted(each for each in folder.iterdir() if not each.name.startswith(".")))


def _of_annotators(path: str, places: Iterable[Path]) -> list[Input]:
    """Return the inputs of a study with a file, profile or directory per annotator, and backup files last."""
    backups: list[str] = []
    units: list[str] = []
    folders: list[str] = []
    for each in places:
        if is_backup(str(each)):
            backups.append(str(each))
            continue
        (folders if each.is_dir() and not is_profile(each) else units).append(str(each))
    if not units and not folders:
        raise StudyError("the directory is empty", Source(path), hint=ONE_STUDY)
    if units and folders:
        what = "files and directories are mixed, so it is not clear which are the annotators"
        hint = f"Use a pattern: '{path}/*{Path(units[0]).suffix}' for the files, '{path}/*/' for directories"
        raise StudyError(what, Source(path), hint=hint)
    found = inputs_of(units or folders, dirs=bool(folders))
    # Reading skips backup files with a warning; the names of annotators do not depend on them.
    found += [Input(each, each, DEFAULT_DOCUMENT) for each in backups]
    return [replace(each, found=True) for each in found]


def _in_folders(inputs: Sequence[Input]) -> bool:
    """Return whether an annotator has several files, some of which may be about the others."""
    return len({each.coder for each in inputs}) < len(inputs)


def _name(path: str, inputs: Sequence[Input]) -> str:
    """Return the name of a study: of its directory or file, or the words that its files share."""
    if not Path(path).exists():
        shared = inputs[0].document
        return path if shared == DEFAULT_DOCUMENT else shared
    return Path(path).resolve().name if Path(path).is_dir() else Path(path.removesuffix(".gz")).stem
