"""Coders as pages show them: a name, a badge and a colour, the same as in the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arbitree.drawing.badges import badges_of, hue_of


class Who(NamedTuple):
    """A coder on a page."""

    name: str
    badge: str
    hue: str


def whos_of(coders: Sequence[str]) -> dict[str, Who]:
    """Return the coders of a study by name.

    Example:
        >>> whos_of(["odin", "thor"])["thor"]
        Who(name='thor', badge='t', hue='hue-1')
    """
    named = enumerate(zip(coders, badges_of(coders), strict=True))
    return {name: Who(name, badge, hue_of(place)) for place, (name, badge) in named}
