"""The border at which bytes from outside become values: every exception there is about the input.

Readers raise FormatError for everything that they foresee. The guard turns the rest into a FormatError as
well, and keeps the original as its cause, which ``--debug`` prints. Tests and fuzzing switch the guard off,
so that an exception that no reader foresees is a failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from traceback import walk_tb
from typing import Concatenate, ParamSpec, TypeVar

from arbitree.errors import ArbitreeError, FormatError, Source

ON = os.environ.get("ARBITREE_GUARD") != "off"
LONGEST = 200  # characters of the message of an exception

P = ParamSpec("P")
R = TypeVar("R")
Named = TypeVar("Named", bound=str | Path)


@contextmanager
def guarded(path: str | Path) -> Iterator[None]:
    """Turn exceptions that are not errors of Arbitree into a FormatError about the file at *path*.

    Args:
        path: The file, as messages name it.
    """
    try:
        yield
    except (ArbitreeError, Warning):
        raise
    except Exception as error:
        if not ON:
            raise
        raise _unforeseen(error, str(path)) from error


def guarded_reader(function: Callable[Concatenate[Named, P], R]) -> Callable[Concatenate[Named, P], R]:
    """Guard a function whose first argument is the path of the file that it reads."""

    @wraps(function)
    def reader(path: Named, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with guarded(path):
            return function(path, *args, **kwargs)

    return reader


def reason_of(error: Exception) -> str:
    """Return the type and the message of an exception, cut if it is long.

    Example:
        >>> reason_of(KeyError("form"))
        "KeyError: 'form'"
    """
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return reason if len(reason) <= LONGEST else f"{reason[:LONGEST]}…"


def _unforeseen(error: Exception, path: str) -> FormatError:
    source = _source(error, "<stdin>" if path == "-" else path)
    if isinstance(error, MemoryError):
        hint = "Split the file, or use a machine with more memory"
        return FormatError("the file does not fit into memory", source, hint=hint)
    if isinstance(error, RecursionError):
        return FormatError("the file is nested too deeply", source, hint="Remove levels of nesting")
    what = f"cannot read the file ({reason_of(error)})"
    return FormatError(what, source, hint="Run the command with --debug, and send us the traceback")


def _source(error: Exception, path: str) -> Source:
    """Return the line that the reader was at: the innermost one in its variables, or the whole file.

    The line can be in another file, such as a table of the profile at *path*.
    """
    frames = [frame.f_locals.values() for frame, _ in walk_tb(error.__traceback__)]
    known = [each for values in reversed(frames) for each in values if isinstance(each, Source)]
    return next((each for each in known if each.line and each.path.startswith(path)), Source(path))
