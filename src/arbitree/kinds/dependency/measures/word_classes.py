"""Sets of tags and labels as options: names joined by ``+``, with ``*`` at the end as a wildcard.

With ``!`` before the first name, the set contains all other tags.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TagSet:
    """A set of tags.

    Example:
        >>> verbs = TagSet.read("VERB+VB*")
        >>> "VERB" in verbs, "VBZ" in verbs, "AUX" in verbs
        (True, True, False)
        >>> print(verbs)
        VERB+VB*
        >>> "AUX" in TagSet.read("!VERB+VB*"), "VBZ" in TagSet.read("!VERB+VB*")
        (True, False)
    """

    tags: tuple[str, ...]
    name: str = field(default="", compare=False)  # what signatures call a long set
    others: bool = False  # the set contains all tags but these

    @classmethod
    def read(cls, text: str) -> TagSet:
        """Return the set that an option names."""
        others = text.startswith("!")
        return cls(tuple(filter(None, text.removeprefix("!").split("+"))), others=others)

    def __contains__(self, tag: str) -> bool:
        named = any(tag.startswith(each[:-1]) if each.endswith("*") else tag == each for each in self.tags)
        return named != self.others

    def __str__(self) -> str:
        return self.name or f"{'!' * self.others}{'+'.join(self.tags)}"

    def among(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether each name is in the set."""
        return np.array([name in self for name in names], dtype=bool)


# Universal tags first; the rest are usual tags of other sets, none of which is a universal tag.
VERBS = TagSet(("V*",))
CONTENT = TagSet(
    (
        *("ADJ", "NOUN", "PROPN", "VERB", "N", "V", "A", "NN*", "NP*", "NE", "JJ*", "ADJA", "ADJD"),
        *("VB*", "VV*", "AN", "NC", "VA", "VE"),  # the last four, with NP, are Danish
    ),
    "default",
)
PUNCTUATION = TagSet(
    ("PUNCT", "PUNC", "Punc", "PU", ".", ",", ":", "``", "''", "-LRB-", "-RRB-", "$,", "$.", "$("),
    "default",
)
# Relations of function words in Universal Dependencies, versions 1 and 2.
FUNCTIONAL = TagSet(("aux", "auxpass", "case", "cc", "clf", "cop", "det", "mark", "neg", "punct"), "default")


@cache
def is_punctuation(form: str) -> bool:
    """Whether *form* consists of characters of the Unicode categories P* only.

    Example:
        >>> is_punctuation("..."), is_punctuation("$"), is_punctuation("")
        (True, False, False)
    """
    return bool(form) and all(unicodedata.category(character)[0] == "P" for character in form)


@cache
def universal(label: str) -> str:
    """Return *label* without its subtype.

    Example:
        >>> universal("nmod:poss")
        'nmod'
    """
    return label.partition(":")[0]
