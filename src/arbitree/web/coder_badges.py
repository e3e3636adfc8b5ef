"""Coders as pages show them: a name, a badge and a colour, the same as in the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arbitree.drawing.badges import badges_of, hue_of


class CoderBadge(NamedTuple):
    """A coder on a page."""

    name: str
    badge: str
    hue: str


def coder_badges(coders: Sequence[str]) -> dict[str, CoderBadge]:
    """Return the coders of a study by name.

    Example:
        >>> coder_badges(["odin", "thor"])["thor"]
        CoderBadge(name='thor', badge='t', hue='hue-1')
    """
    named = enumerate(zip(coders, badges_of(coders), strict=True))
    return {name: CoderBadge(name, badge, hue_of(place)) for place, (name, badge) in named}
