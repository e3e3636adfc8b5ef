"""Errors, each with a one-line message: ``path:line: what is wrong. What to do.``"""

from __future__ import annotations

import re
from dataclasses import dataclass

from arbitree.wording import shortened


@dataclass(frozen=True, slots=True)
class Source:
    """A line in a file; line 0 means the whole file.

    Example:
        >>> print(Source("first.conllu", 12))
        first.conllu:12
    """

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


class ArbitreeError(Exception):
    """Base class for errors caused by invalid input or options.

    Example:
        >>> print(FormatError("head 'x' is not a number", Source("a.conllu", 3), hint="Write 0 for the root"))
        a.conllu:3: head 'x' is not a number. Write 0 for the root.

    Messages contain options of the command line, which prints them unchanged (``typed``). In Python, they
    contain the corresponding arguments.

        >>> error = ArbitreeError("this is not utf-8", hint="Set --encoding latin-1, or omit --strict")
        >>> print(error)
        this is not utf-8. Set encoding='latin-1', or omit strict=True.
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
        """The message with options of the command line."""
        return str(self.args[0])

    def __str__(self) -> str:
        return in_python(self.typed)


class FormatError(ArbitreeError):
    """A file is not valid in its format, or cannot be read or written."""


class StudyError(ArbitreeError):
    """The annotations cannot be combined into one study."""


class UnsupportedStudy(ArbitreeError):
    """A measure or an analysis does not support this kind of study."""


class MissingExtra(ArbitreeError):
    """An optional package is not installed."""


class UnknownName(ArbitreeError):
    """No plug-in, option or column has this name."""


class SignatureError(ArbitreeError):
    """A text is not a signature, or the signature does not describe these annotations."""


class Urgent(str):
    """A warning that ``--quiet`` does not hide, because the results may be about something else."""

    __slots__ = ()


def shorten(text: str, width: int = 60) -> str:
    """Return *text* quoted for a message, cut to about *width* characters.

    Example:
        >>> shorten("a" * 100, width=10)
        "'aaaaaaaaa…'"
    """
    return repr(shortened(text, width))


# An option in a message, with its value, if any; not the options of other programs. Python prints tracebacks
# without --debug.
_VALUED = (
    "format|encoding|backend|match|column|by|experiment|habit|options|pairs|missing|numbers|gold|max-size|"
    "view|zone"
)
_VALUE = r"[\w=:+/-]+(?:[.,][\w=:+/-]+)*"
_OPTION = re.compile(
    rf"(?<!install )--(?!debug)(?:(?P<valued>{_VALUED}) (?P<value>{_VALUE})|(?P<name>[a-z][a-z-]*))"
)
_AGAIN = re.compile(r"Repeat the option: --(?P<name>[a-z-]+) [^\s-].*?(?=\.?$)")
_RENAMED = {"as": "preset", "class": "class_"}  # a word that Python reserves
_FLAGS = {"strict", "dirs", "fit", "force"}
_PLURAL = {"measure", "experiment", "habit"}  # options that can be repeated


def in_python(text: str) -> str:
    """Return a message with arguments of Python functions instead of options of the command line.

    Example:
        >>> in_python("Set --match text")
        "Set match='text'"
        >>> in_python("Repeat the option: --measure las --measure uas.")
        "Pass a list: measures=['las', 'uas']."
    """
    return _OPTION.sub(_argument, _AGAIN.sub(_list, text))


def _list(found: re.Match[str]) -> str:
    """Return an option that is repeated as an argument of the Python function, which takes a list."""
    name = found["name"]
    values = found[0].partition(": ")[2].replace(f"--{name} ", "").split(" ")
    return f"Pass a list: {_in_python(name)}={values}"


def _argument(found: re.Match[str]) -> str:
    """Return an option as an argument of the Python function."""
    option = found["valued"] or found["name"]
    name = _in_python(option)
    if found["value"]:
        return f"{name}={found['value']!r}"
    return f"{name}=True" if option in _FLAGS else name


def _in_python(option: str) -> str:
    """Return the name of the argument for an option."""
    return _RENAMED.get(option) or (f"{option}s" if option in _PLURAL else option.replace("-", "_"))


def _closed(sentence: str) -> str:
    """End *sentence* with a full stop unless it ends with a punctuation mark."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _one_line(text: str) -> str:
    """Escape line breaks, which may occur in names and tokens."""
    return text.replace("\r", "\\r").replace("\n", "\\n")
