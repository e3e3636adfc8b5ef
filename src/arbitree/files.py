"""Files and directories that are written: made in time, and whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from arbitree.errors import FormatError, Source


def write_whole(path: str | Path, data: bytes | str, *, hint: str = "Choose another place") -> None:
    """Write *data* to the file *path*: whole, or not at all."""
    target = Path(path)
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(data.encode() if isinstance(data, str) else data)
        part.replace(target)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        what = f"cannot write ({error.strerror})"
        raise FormatError(what, Source(str(path)), hint=hint) from None


def make_directory(
    path: str | Path, *, fault: str = "cannot make the directory", hint: str = "Choose another place"
) -> Path:
    """Return the directory *path*, made if it is missing."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"{fault} ({error.strerror})", Source(str(path)), hint=hint) from None
    return folder


def make_writable(path: str | Path) -> Path:
    """Return the directory for a command's output, made if it is missing, before any long work is done."""
    hint = "Choose another directory with --output"
    if Path(path).is_file():
        raise FormatError("this is a file, not a directory", Source(str(path)), hint=hint)
    folder = make_directory(path, fault="cannot make this directory", hint=hint)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FormatError("cannot write into this directory", Source(str(path)), hint=hint)
    return folder
