"""Roles and their rights."""

from __future__ import annotations

ROLES = ("owner", "adjudicator", "judge", "viewer")
RIGHTS = {
    "explore": frozenset({"owner", "adjudicator", "viewer"}),  # judges are blind: they see no coder's name
    "follow": frozenset({"owner", "adjudicator", "viewer"}),  # the decisions on an item, and the progress
    "adjudicate": frozenset({"owner", "adjudicator"}),
    "judge": frozenset({"owner", "judge"}),
    "own": frozenset({"owner"}),
}


def may(role: str, right: str, *, blind: bool = False) -> bool:
    """Return whether *role* has *right*.

    Args:
        role: The role of a person.
        right: The right.
        blind: Whether the names of annotators are hidden from adjudicators; pages for exploring show them.

    Example:
        >>> may("adjudicator", "explore"), may("adjudicator", "explore", blind=True), may("judge", "explore")
        (True, False, False)
    """
    return role in RIGHTS[right] and not (blind and (role, right) == ("adjudicator", "explore"))
