"""Write files completely or not at all and never over an input; create directories before computing."""

from __future__ import annotations

import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from arbitree.errors import ArbitreeError, FormatError, Source
from arbitree.paths import InputNames, exists, is_directory, possible_path, sheet_in
from arbitree.wording import encoded

LONGEST_NAME = 80  # of a file, in characters
STREAM = "-"  # standard input or output
ELSEWHERE = "Choose another path"
# Paths that stand for open files, which are not replaced; /dev/shm is an ordinary directory.
_OPEN = re.compile(r"/dev/(stdin|stdout|stderr|fd/\d+)|/proc/(self|\d+)/fd/\d+")
_Identity = tuple[int, int]  # device and inode: the same for all names of a file


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of one command or call, each with the path by which it was named."""

    read: dict[_Identity, str] = field(default_factory=dict)
    announced: dict[_Identity, str] = field(default_factory=dict)  # existing files that will be written
    names: InputNames = field(default_factory=InputNames)


_files: ContextVar[_Files | None] = ContextVar("files", default=None)


@contextmanager
def inputs_kept() -> Iterator[None]:
    """Refuse to write to a file that is read inside this context; also a decorator.

    Commands and functions that write files run inside one. A context inside another is part of it.
    """
    if _files.get() is not None:
        yield
        return
    token = _files.set(_Files())
    try:
        yield
    finally:
        _files.reset(token)


def inputs_carried() -> Callable[[], AbstractContextManager[None]]:
    """Return a function that returns a context manager: inside it, the inputs that are known now are known.

    A server needs it, because it may answer each request in a context of its own.
    """
    files = _files.get()

    @contextmanager
    def entered() -> Iterator[None]:
        token = _files.set(files)
        try:
            yield
        finally:
            _files.reset(token)

    return entered


def note_input(path: str | Path) -> None:
    """Remember that the file *path* (``-``: standard input) is read, so that no output replaces it.

    Raises:
        FormatError: If it has been announced as an output.
    """
    files, found = _files.get(), _stdin() if str(path) == STREAM else _identity(path)
    if files is None or found is None:
        return
    files.read.setdefault(found, str(path))
    files.names.add(str(path))
    if found in files.announced:
        raise _same_file(files.announced[found], str(path))


def note_study(paths: Iterable[str]) -> None:
    """Remember the files of the study, to whose common directory the names in pages are relative."""
    if (files := _files.get()) is not None:
        files.names.add_study(paths)


def show_full_paths() -> None:
    """Name inputs in pages and workbooks as they were given."""
    if (files := _files.get()) is not None:
        files.names.full = True


def portable(text: str) -> str:
    """Return *text* as a page or workbook shows it: without absolute paths of inputs."""
    files = _files.get()
    return text if files is None else files.names.portable(text)


def announce(*outputs: str | Path | None, inputs: Iterable[str] = ()) -> None:
    """Raise FormatError if an output is an input, now or as soon as it is read.

    Call this before long computations, which would be lost otherwise.

    Args:
        outputs: Files that will be written. None and files that do not exist yet are skipped.
        inputs: Files that were read before, such as those of a study.
    """
    there = {found: str(path) for path in outputs if path and (found := _identity(path))}
    if not there:
        return
    with inputs_kept():
        for path in set(inputs):
            note_input(path)
        files = _files.get() or _Files()
        for found, output in there.items():
            if found in files.read:
                raise _same_file(output, files.read[found])
        files.announced.update(there)


def announce_standard_output() -> None:
    """Announce the file to which the shell redirects standard output, if it does."""
    files = _files.get()
    with suppress(OSError, ValueError, AttributeError):  # closed, or not a file
        found = _regular(os.fstat(sys.stdout.fileno()))
        if files is not None and found is not None:
            files.announced[found] = "standard output"


def check_new(path: str | Path | None, *, force: bool) -> None:
    """Raise FormatError if the file *path* exists and *force* is not set."""
    if path is not None and not force and _identity(path) is not None:
        hint = f"{ELSEWHERE}, or add --force to replace the file"
        raise FormatError("the file exists already", Source(str(path)), hint=hint)


def check_directory(*outputs: str | Path | None) -> None:
    """Raise FormatError if a file that will be written has no directory, or is a directory itself.

    Call this before long computations, like ``announce``. None and ``-`` are skipped.
    """
    for path in outputs:
        if path is None or str(path) == STREAM:
            continue
        if is_directory(path):
            raise FormatError("expected a file, got a directory", Source(str(path)), hint=ELSEWHERE)
        with suppress(ValueError):  # not the name of a file
            folder = Path(os.path.realpath(path)).parent  # of the file that a link names
            if not exists(path) and not is_directory(folder):
                what = f"the directory {str(folder)!r} does not exist"
                raise FormatError(what, Source(str(path)), hint="Create it, or choose another path")


def write_whole(path: str | Path, data: bytes | str, *, hint: str = ELSEWHERE, private: bool = False) -> None:
    """Write *data* to the file *path*: completely, or not at all.

    A link stays, and the file that it names is replaced. An existing file keeps its permissions. Pipes and
    devices, such as ``/dev/stdout``, are written to directly.

    Args:
        path: The file.
        data: Its content.
        hint: What to do if it cannot be written.
        private: Only this user may read the file.

    Raises:
        FormatError: If the file cannot be written, or is an input.
    """
    _check_unread(path)
    content = encoded(data) if isinstance(data, str) else data
    try:
        mode = _mode(path)
        if _OPEN.fullmatch(str(Path(path).absolute())) or (mode and not stat.S_ISREG(mode)):
            with Path(path).open("ab", buffering=0) as stream:
                _write_all(stream.fileno(), content)
        else:
            _replace(Path(os.path.realpath(path)), content, mode, private=private)
    except (OSError, ValueError) as error:  # a ValueError: it is not the name of a file
        what = f"cannot write the file ({getattr(error, 'strerror', None) or error})"
        raise FormatError(what, Source(str(path)), hint=hint) from None


@contextmanager
def appending(path: Path, *, fresh: bool, hint: str = ELSEWHERE) -> Iterator[Callable[[bytes], object]]:
    """Open an incomplete file, and yield the function that adds to it; *fresh* drops what is there.

    Raises:
        FormatError: If it cannot be written; the file is removed.
    """
    try:
        with path.open("wb" if fresh else "ab", buffering=0) as file:
            yield lambda content: _write_all(file.fileno(), content)
    except OSError as error:
        path.unlink(missing_ok=True)
        what = f"cannot write the file ({error.strerror})"
        raise FormatError(what, Source(str(path.parent)), hint=hint) from None


def write_out(data: bytes | str) -> None:
    """Write *data* to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(encoded(data) if isinstance(data, str) else data)
    sys.stdout.flush()


def _replace(target: Path, content: bytes, mode: int | None, *, private: bool) -> None:
    """Write a new file next to *target*, and rename it once it is on the disk."""
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied")
    part = target.with_name(f".arbitree-{secrets.token_hex(8)}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
    try:
        try:
            if mode is not None and not private:
                part.chmod(stat.S_IMODE(mode))
            _write_all(handle, content)
            os.fsync(handle)
        finally:
            os.close(handle)
        part.replace(target)
    except BaseException:  # also when interrupted
        part.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # some file systems cannot flush a directory
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _write_all(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]


def _check_unread(path: str | Path) -> None:
    """Raise FormatError if the file *path* was read."""
    files = _files.get()
    if files is not None and (found := _identity(path)) in files.read:
        raise _same_file(str(path), files.read[found])


def _mode(path: str | Path) -> int | None:
    """Return the type and the permissions of the file *path*, or None if it does not exist."""
    try:
        return Path(path).stat().st_mode
    except FileNotFoundError:
        return None


def _identity(path: str | Path) -> _Identity | None:
    """Return the identity of the file *path*, or of the workbook with this sheet; None if there is none."""
    try:
        return None if str(path) == STREAM else _regular(Path(sheet_in(str(path))[0]).stat())
    except (OSError, ValueError):  # it does not exist, or has no valid name
        return None


def _stdin() -> _Identity | None:
    with suppress(OSError, ValueError, AttributeError):  # closed, or not a file
        return _regular(os.fstat(sys.stdin.fileno()))
    return None


def _regular(found: os.stat_result) -> _Identity | None:
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _same_file(output: str, read: str) -> FormatError:
    which = "an input" if output == sheet_in(read)[0] else f"the same file as the input {read}"
    return FormatError(f"cannot write to {which}", Source(output), hint=f"{ELSEWHERE} for the output")


def date_of(files: Iterable[str | Path]) -> datetime:
    """Return the date that an output carries: the same for the same files, whenever the command runs.

    It is that of the environment variable ``SOURCE_DATE_EPOCH``, which counts seconds since 1970, or else the
    last modification of any of *files*.
    """
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    if text:
        try:
            return datetime.fromtimestamp(int(text), UTC)
        except (ValueError, OverflowError, OSError):
            what = f"SOURCE_DATE_EPOCH={text} is not a number of seconds since 1970"
            raise ArbitreeError(what, hint="Correct or unset the environment variable") from None
    times = []
    for path in files:
        with suppress(OSError):
            times.append(Path(sheet_in(str(path))[0]).stat().st_mtime)
    return datetime.fromtimestamp(max(times, default=0), UTC)


def make_directory(
    path: str | Path, *, fault: str = "cannot create the directory", hint: str = "Choose another path"
) -> Path:
    """Return the directory *path*; create it if it does not exist."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"{fault} ({error.strerror})", Source(str(path)), hint=hint) from None
    return folder


def make_writable(path: str | Path) -> Path:
    """Return the directory for the output of a command; create it if it does not exist."""
    hint = "Choose another directory with --output"
    if Path(possible_path(str(path))).is_file():
        raise FormatError("expected a directory, got a file", Source(str(path)), hint=hint)
    folder = make_directory(path, hint=hint)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FormatError("no permission to write to the directory", Source(str(path)), hint=hint)
    return folder


def file_names(coders: Sequence[str]) -> list[str]:
    """Return distinct file names for the annotators that are safe in a directory or an archive.

    Example:
        >>> file_names(["../ann", "bob", "Bob"])
        ['___ann', 'bob', 'Bob-2']
    """
    found: dict[str, str] = {}
    for coder in coders:
        kept = "".join(
            letter if letter.isalnum() or letter in "-+" else "_" for letter in coder[:LONGEST_NAME]
        )
        names = (kept if number == 1 else f"{kept}-{number}" for number in count(1))
        name = next(name for name in names if name.casefold() not in found)
        found[name.casefold()] = name
    return list(found.values())
