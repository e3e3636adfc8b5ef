"""What can go wrong, said in one line: ``path:line: what is wrong. How to fix it.``"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A place in a file; line 0 stands for the file as a whole.

    Example:
        >>> print(Source("first.conllu", 12))
        first.conllu:12
    """

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


class ArbitreeError(Exception):
    """The family of all errors that are the input's fault, not the program's.

    Example:
        >>> print(FormatError("head 'x' is not a number", Source("a.conllu", 3), hint="Write 0 for the root"))
        a.conllu:3: head 'x' is not a number. Write 0 for the root.

    Messages are written with the options of the command line, which prints them as they are (``typed``);
    in Python they name arguments.

        >>> error = ArbitreeError("this is not utf-8", hint="Give --encoding latin-1, or leave out --strict")
        >>> print(error)
        this is not utf-8. Give encoding='latin-1', or leave out strict=True.
    """

    def __init__(self, what: str, source: Source | None = None, *, hint: str = "") -> None:
        self.what = what
        self.source = source
        self.hint = hint
        place = f"{source}: " if source else ""
        advice = f" {_closed(hint)}" if hint else ""
        super().__init__(_one_line(f"{place}{_closed(what)}{advice}"))

    @property
    def typed(self) -> str:
        """The message with options as they are typed on the command line."""
        return str(self.args[0])

    def __str__(self) -> str:
        return _OPTION.sub(_argument, self.typed)


class FormatError(ArbitreeError):
    """A file is not what its format asks for."""


class StudyError(ArbitreeError):
    """The annotations cannot be put together into one study."""


class UnsupportedStudy(ArbitreeError):
    """A measure or an analysis was asked of a study that it does not fit."""


class UnknownName(ArbitreeError):
    """No plug-in, option or column has this name."""


def shorten(text: str, width: int = 60) -> str:
    """Return *text* quoted for a message, cut to about *width* characters.

    Example:
        >>> shorten("a" * 100, width=10)
        "'aaaaaaaaa…'"
    """
    return repr(text if len(text) <= width else text[: width - 1] + "…")


# An option in a message, with its value where it has one; not the options of other programs.
_VALUED = "format|encoding|backend|match|column|by|experiment|habit|options|pairs"
_OPTION = re.compile(
    rf"(?<!install )--(?:(?P<valued>{_VALUED}) (?P<value>[\w=:+-]+(?:[.,][\w=:+-]+)*)|(?P<name>[a-z][a-z-]*))"
)
_FLAGS = {"strict", "dirs", "fit"}
_PLURAL = {"measure", "experiment", "habit"}  # several are one argument


def _argument(found: re.Match[str]) -> str:
    """Return an option as an argument of the Python function."""
    option = found["valued"] or found["name"]
    name = f"{option}s" if option in _PLURAL else option.replace("-", "_")
    if found["value"]:
        return f"{name}={found['value']!r}"
    return f"{name}=True" if option in _FLAGS else name


def _closed(sentence: str) -> str:
    """End *sentence* with a full stop, unless it has a mark of its own."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _one_line(text: str) -> str:
    """Keep line breaks inside a name or a token from breaking the message."""
    return text.replace("\r", "\\r").replace("\n", "\\n")
