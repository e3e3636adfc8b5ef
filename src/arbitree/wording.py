"""Phrases that all messages share: lists of names, counts with nouns, numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Sized
from dataclasses import fields, is_dataclass
from typing import Any

LONGEST_FIELD = 60  # letters of a field in a one-line form
ALIKE = 0.65  # the least similarity of a name that an error suggests: one wrong letter of three has 0.67


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return *names* as an enumeration in a sentence.

    Example:
        >>> listed(["ann", "bob", "cho"])
        'ann, bob and cho'
    """
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def count_of(number: int, thing: str) -> str:
    """Return a count and a noun.

    Example:
        >>> count_of(2, "annotator"), count_of(1, "annotator"), count_of(1300, "sentence")
        ('2 annotators', '1 annotator', '1,300 sentences')
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


EXACT = 1e-12  # a smaller distance from 0 or 1 is a rounding error of the computation


def decimal(value: float, digits: int = 3, *, sign: str = "", whole: float = 1) -> str:
    """Return a number with a fixed number of digits that is never rounded to 0 or to the whole.

    Args:
        value: The number.
        digits: Digits after the decimal point.
        sign: ``+`` to write the sign of positive numbers too.
        whole: The number that means everything: 1 for shares and coefficients, 100 for percentages.
    Example:
        >>> decimal(0.9838), decimal(1.0), decimal(0.99998), decimal(0.00002), decimal(-0.00002)
        ('0.984', '1.000', '>0.999', '<0.001', '>-0.001')
        >>> decimal(-0.0), decimal(0.00002, 4, sign="+")
        ('0.000', '<+0.0001')
    """
    near = round(value, digits) + 0.0  # no negative zero
    if near in (-whole, 0, whole) and abs(value - near) > EXACT * whole:
        above = value > near
        near += 10**-digits if above else -(10**-digits)
        return f"{'<' if above else '>'}{near:{sign}.{digits}f}"
    return f"{near:{sign}.{digits}f}"


def percent(share: float, digits: int = 0) -> str:
    """Return a share as a percentage that is never rounded to 0% or 100%.

    Example:
        >>> percent(0.708, 1), percent(0.9997), percent(1.0), percent(0.0004)
        ('70.8%', '>99%', '100%', '<1%')
    """
    return f"{decimal(100 * share, digits, whole=100)}%"


def encodable(text: str) -> str:
    r"""Return *text* with escapes for characters that UTF-8 cannot encode, such as bytes in file names.

    Example:
        >>> encodable("caf\udce9.conllu")
        'caf\\udce9.conllu'
    """
    return encoded(text).decode("utf-8")


def encoded(text: str) -> bytes:
    """Return *text* in UTF-8, with the same escapes."""
    return text.encode("utf-8", "backslashreplace")


def one_line(text: str, width: int = LONGEST_FIELD) -> str:
    r"""Return *text* without line breaks, cut to *width* letters.

    Example:
        >>> print(one_line("first\nline"), one_line("a" * 9, width=4))
        first\nline aaa…
    """
    return shortened(text, width).replace("\r", r"\r").replace("\n", r"\n")


def shortened(text: str, width: int = LONGEST_FIELD) -> str:
    """Return *text*, cut to *width* letters.

    Example:
        >>> shortened("agreement", 9), shortened("agreement", 6)
        ('agreement', 'agree…')
    """
    return text if len(text) <= width else f"{text[: width - 1]}…"


def brief(thing: Any) -> str:
    """Return a dataclass as one short line: containers are counted, empty fields left out.

    Assign it as ``__repr__`` of classes with long fields.
    """
    shown = (_brief_field(each.name, getattr(thing, each.name)) for each in fields(thing) if each.repr)
    return f"{type(thing).__name__}({', '.join(filter(None, shown))})"


def _brief_field(name: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    if isinstance(value, str):
        return f"{name}={shortened(value)!r}" if value else ""
    if isinstance(value, Collection) and not is_dataclass(value):
        return f"{name}: {len(value):,}" if len(value) else ""
    shown = repr(value) if not (isinstance(value, Sized) or callable(value)) else ""
    whole = shown and len(shown) <= LONGEST_FIELD and "\n" not in shown
    return f"{name}={shown}" if whole else f"{name}={type(value).__name__}(…)"
