"""Names that people go by."""

from __future__ import annotations

import unicodedata

from arbitree.errors import ArbitreeError, shorten

LONGEST = 80
_JOINERS = "\u200c\u200d"  # invisible, but scripts of Asia need them inside words
# Control characters, invisible ones, halves of characters, breaks of lines and paragraphs.
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


class PersonError(ArbitreeError):
    """A name, a role or a removal that cannot be."""


def checked_name(name: str) -> str:
    """Return *name* trimmed, or refuse it.

    Example:
        >>> checked_name("  Ada Byron ")
        'Ada Byron'
    """
    trimmed = unicodedata.normalize("NFC", name).strip()
    if not trimmed.strip(_JOINERS):
        raise PersonError("the name is empty", hint="Write the name that the others know the person by")
    if len(trimmed) > LONGEST:
        raise PersonError(f"the name has {len(trimmed)} characters", hint=f"Shorten it to {LONGEST} at most")
    if any(unicodedata.category(each) in _UNSEEN and each not in _JOINERS for each in trimmed):
        raise PersonError(
            f"the name {shorten(trimmed)} has characters that cannot be seen",
            hint="Type it instead of pasting it",
        )
    return trimmed


def folded(name: str) -> str:
    """Return *name* as compared with others: upper and lower case are the same, and so are runs of blanks.

    Example:
        >>> folded("Ada  BYRON") == folded("ada byron")
        True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
