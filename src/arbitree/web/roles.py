"""Roles and their rights."""

from __future__ import annotations

ROLES = ("owner", "adjudicator", "judge", "viewer")
RIGHTS = {
    "explore": frozenset({"owner", "adjudicator", "viewer"}),  # judges are blind: they see no coder's name
    "adjudicate": frozenset({"owner", "adjudicator"}),
    "judge": frozenset({"owner", "judge"}),
    "own": frozenset({"owner"}),
}


def may(role: str, right: str) -> bool:
    """Return whether *role* has *right*.

    Example:
        >>> may("adjudicator", "explore"), may("judge", "explore")
        (True, False)
    """
    return role in RIGHTS[right]
