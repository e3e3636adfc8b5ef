"""How wide a text is, which way it runs, and what of it must be made visible."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

TURNING = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
UNWRITABLE = re.compile("[\ud800-\udfff\ufffe\uffff]")  # no XML and no UTF-8 can hold them
JOINER = "\u200d"
KEEP_LEFT = "\u200e"  # a mark without width, which keeps a terminal from turning its neighbours around
LONGEST = 40  # columns of a word that is drawn whole


def visible(name: str) -> str:
    r"""Return *name* with the marks that would turn the text around it, and control characters, as escapes.

    In the name of a file or a coder such a mark could only hide what it is called.

    Example:
        >>> visible("\u202egnp.exe")
        '\\u202egnp.exe'
    """
    return TURNING.sub(_escape, name)


@lru_cache(maxsize=65536)
def drawable(text: str, longest: int = LONGEST) -> str:
    r"""Return *text* as a picture shows it: nothing hidden, nothing that XML cannot hold, not too long.

    Example:
        >>> drawable("a\x1bb"), drawable("abcdef", 4)
        ('a\\u001bb', 'abc…')
    """
    if text.isascii() and text.isprintable() and len(text) <= longest:
        return text
    shown = UNWRITABLE.sub(_escape, visible(text))
    if columns(shown) <= longest:
        return shown
    kept, width = [], 0
    for piece in clusters(shown):
        width += columns(piece)
        if width >= longest:
            break
        kept.append(piece)
    return f"{''.join(kept)}…"


@lru_cache(maxsize=65536)
def columns(text: str) -> int:
    """Return how many columns of a terminal, or letters of a fixed width, *text* takes.

    Marks that combine take none, wide characters two.

    Example:
        >>> columns("ab"), columns("水"), columns("e\u0301")
        (2, 2, 1)
    """
    if text.isascii():
        return len(text)
    return sum(map(_width, clusters(text)))


def clusters(text: str) -> Iterator[str]:
    """Yield every character with the marks that combine with it.

    Example:
        >>> [len(cluster) for cluster in clusters("e\u0301a")]
        [2, 1]
    """
    held = ""
    for character in text:
        if held and (_unspaced(character) or held.endswith(JOINER)):
            held += character
        else:
            if held:
                yield held
            held = character
    if held:
        yield held


def runs_leftwards(tokens: Iterable[str]) -> bool:
    """Return whether the reading order is from right to left: most letters with a direction have that one.

    Example:
        >>> runs_leftwards(["שלום", "!"]), runs_leftwards(["peace", "!"])
        (True, False)
    """
    balance = 0
    for token in tokens:
        if token.isascii():
            balance -= sum(map(str.isalpha, token))
            continue
        for character in token:
            way = unicodedata.bidirectional(character)
            balance += 1 if way in ("R", "AL") else -1 if way == "L" else 0
    return balance > 0


def _width(cluster: str) -> int:
    if _unspaced(cluster[0]):
        return 0
    return 2 if unicodedata.east_asian_width(cluster[0]) in "WF" else 1


def _unspaced(character: str) -> bool:
    return unicodedata.combining(character) > 0 or unicodedata.category(character) in ("Mn", "Me", "Cf")


def _escape(mark: re.Match[str]) -> str:
    return f"\\u{ord(mark[0]):04x}"
