"""Words that all messages share: lists of names, numbers with nouns."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return *names* as a sentence has them.

    Example:
        >>> listed(["ann", "bob", "cho"])
        'ann, bob and cho'
    """
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def count_of(number: int, thing: str) -> str:
    """Return a number and a noun.

    Example:
        >>> count_of(2, "coder"), count_of(1, "coder"), count_of(130, "sentence")
        ('two coders', 'one coder', '130 sentences')
    """
    digits = count_word(number)
    return f"{digits} {thing}" if number == 1 else f"{digits} {thing}s"


def count_word(number: int) -> str:
    """Return a number: in letters if it is small."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def encodable(text: str) -> str:
    r"""Return *text* with what UTF-8 cannot hold, such as bytes in names of files, as escapes.

    Example:
        >>> encodable("caf\udce9.conllu")
        'caf\\udce9.conllu'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
