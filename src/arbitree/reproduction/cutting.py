"""Documents of GUM, cut to the sentences that two releases share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise


def cut(document: str, other: str) -> str:
    """Return the trees of *document* whose words are also those of a tree in *other*, one tree per line.

    Example:
        >>> cut("(S (X a)\\n  (Y b))\\n\\n(S (X c))", "(T (Z c))")
        '(S (X c))\\n'
    """
    kept = {_words(tree) for tree in _trees(other)}
    return "".join(f"{tree}\n" for tree in _trees(document) if _words(tree) in kept)


def _trees(document: str) -> Iterator[str]:
    """Yield each tree on one line with single spaces."""
    depth, start = 0, 0
    for bracket in re.finditer("[()]", document):
        if bracket[0] == "(":
            start = start if depth else bracket.start()
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                yield " ".join(document[start : bracket.end()].split())


def _words(tree: str) -> tuple[str, ...]:
    """Return the leaves: what precedes a closing bracket that ends a node without nodes below it."""
    pieces = tree.replace(")", " ) ").split()
    return tuple(one for one, after in pairwise(pieces) if after == ")" and one != ")")
