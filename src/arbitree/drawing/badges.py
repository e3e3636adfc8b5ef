"""Badge, colour and dash pattern of each annotator, the same in every picture of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from arbitree import wording
from arbitree.drawing.lettering import drawable

HUES = 6  # colours of the style sheet, hue-0 to hue-5
PAINTS = ("34", "33", "32", "35", "36", "31")  # the same on a terminal: parameters of ANSI escapes
QUIET, LOUD = "2", "1"  # shared annotations, and disagreements of several annotators
DECIDED = "1;32"  # the adjudicator's choice, green everywhere
DASHES = 6  # its dash patterns, dash-0 to dash-5
NOT_DONE, OTHER_WORDS = "not annotated", "different words"  # why an annotator is not in a picture
LONGEST = 3  # letters of a badge


def badges_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return a short, distinct badge for every name: first letters, letters that differ, or a number.

    Example:
        >>> badges_of(["odin", "thor"]), badges_of(["ann", "amy"]), badges_of(["coder1", "coder2"])
        (('o', 't'), ('an', 'am'), ('1', '2'))
        >>> badges_of(["coder1", "coder12", "coder13"])
        ('1', '12', '13')
    """
    return _badges(tuple(names))


@lru_cache(maxsize=64)
def _badges(names: tuple[str, ...]) -> tuple[str, ...]:
    shown = [drawable(name) for name in names]
    letters = takewhile(lambda column: len(set(column)) == 1, zip(*shown, strict=False))
    same = len("".join(column[0] for column in letters).rstrip("0123456789"))
    for cut in (
        *(slice(k) for k in range(1, LONGEST + 1)),
        slice(same, None),
        *(slice(-k, None) for k in range(1, LONGEST + 1)),
    ):
        found = [name[cut] for name in shown]
        if len(set(found)) == len(found) and all(b.isalnum() and len(b) <= LONGEST for b in found):
            return tuple(found)
    return tuple(str(number) for number in range(1, len(names) + 1))


def style_of(coder: int) -> str:
    """Return the CSS classes for the colour and dashes of an annotator; 36 annotators differ.

    Example:
        >>> style_of(0), style_of(6)
        ('hue-0 dash-0', 'hue-0 dash-1')
    """
    return f"{hue_of(coder)} dash-{(coder + coder // HUES) % DASHES}"


def hue_of(coder: int) -> str:
    """Return the CSS class for the colour of an annotator."""
    return f"hue-{coder % HUES}"


def paint_of(coder: int) -> str:
    """Return the colour of an annotator on a terminal.

    Example:
        >>> paint_of(0)
        '1;34'
    """
    return f"1;{PAINTS[coder % HUES]}"


def absences(reasons: Mapping[str, str]) -> list[str]:
    """Return one line per reason why annotators are not in a picture.

    Example:
        >>> absences({"ann": NOT_DONE, "bob": OTHER_WORDS, "cho": NOT_DONE})
        ['not annotated: ann and cho', 'different words: bob']
    """
    names: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        names.setdefault(reason, []).append(name)
    return [f"{reason}: {listed(who)}" for reason, who in names.items()]


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence, each in drawable form."""
    return wording.listed([drawable(name) for name in names])


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
