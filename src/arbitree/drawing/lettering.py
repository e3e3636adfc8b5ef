"""Width and direction of text, and escapes for characters that cannot be shown."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

TURNING = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
UNWRITABLE = re.compile("[\ud800-\udfff\ufffe\uffff]")  # not allowed in XML or UTF-8
JOINER = "\u200d"
KEEP_LEFT = "\u200e"  # a mark without width that keeps a terminal from reordering its neighbours
LONGEST = 40  # maximum width of a word in columns
KEPT = 8192  # words whose form or width is kept


def visible(name: str) -> str:
    r"""Return *name* with control characters and marks of text direction as escapes.

    In the name of a file or an annotator, such marks can hide the real name.

    Example:
        >>> visible("\u202egnp.exe")
        '\\u202egnp.exe'
    """
    return name if name.isprintable() else TURNING.sub(_escape, name)


@lru_cache(maxsize=KEPT)
def drawable(text: str, longest: int = LONGEST) -> str:
    r"""Return *text* for a picture: with escapes for invisible and invalid characters, and shortened.

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


@lru_cache(maxsize=KEPT)
def columns(text: str) -> int:
    """Return the width of *text* in columns of a terminal.

    Combining marks have width 0, wide characters 2.

    Example:
        >>> columns("ab"), columns("水"), columns("e\u0301")
        (2, 2, 1)
    """
    if text.isascii():
        return len(text)
    return sum(map(_width, clusters(text)))


def clusters(text: str) -> Iterator[str]:
    """Yield every character with its combining marks.

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
    """Return whether the text runs from right to left, by the direction of most letters.

    Example:
        >>> runs_leftwards(["שלום", "!"]), runs_leftwards(["peace", "!"])
        (True, False)
    """
    text = "".join(tokens)
    if text.isascii():
        return False
    ways = Counter(map(unicodedata.bidirectional, text))
    return ways["R"] + ways["AL"] > ways["L"]


def _width(cluster: str) -> int:
    if _unspaced(cluster[0]):
        return 0
    return 2 if unicodedata.east_asian_width(cluster[0]) in "WF" else 1


def _unspaced(character: str) -> bool:
    return unicodedata.combining(character) > 0 or unicodedata.category(character) in ("Mn", "Me", "Cf")


def _escape(mark: re.Match[str]) -> str:
    return f"\\u{ord(mark[0]):04x}"
