"""Phrases that all messages share: lists of names, counts with nouns."""

from __future__ import annotations

from collections.abc import Sequence


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


def encodable(text: str) -> str:
    r"""Return *text* with escapes for characters that UTF-8 cannot encode, such as bytes in file names.

    Example:
        >>> encodable("caf\udce9.conllu")
        'caf\\udce9.conllu'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
