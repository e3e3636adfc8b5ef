"""Create directories before long computations, and write files atomically."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

from arbitree.errors import FormatError, Source

LONGEST_NAME = 80  # of a file, in characters


def write_whole(path: str | Path, data: bytes | str, *, hint: str = "Choose another path") -> None:
    """Write *data* to the file *path* atomically."""
    target = Path(path)
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(data.encode() if isinstance(data, str) else data)
        part.replace(target)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        what = f"cannot write the file ({error.strerror})"
        raise FormatError(what, Source(str(path)), hint=hint) from None


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
    if Path(path).is_file():
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
