"""Two annotations of a parse forest, compared discriminant by discriminant."""

from __future__ import annotations

from typing import NamedTuple

from arbitree.errors import FormatError
from arbitree.kinds.treebanking.value import (
    ACCEPTED,
    CONSTITUENT,
    TWIG,
    TYPE,
    Decisions,
    Identity,
    Reading,
)


class Exact(NamedTuple):
    """How many discriminants both coders gave a value, and on how many they agree."""

    total: int
    equal: int
    how: str  # stored or recomputed; recorded for a sentence that was rejected


class Shared(NamedTuple):
    """The recorded discriminants of two coders."""

    union: int
    common: int
    equal: int


def values(decisions: Decisions) -> dict[Identity, bool]:
    """Return the discriminants with a value, yes or no."""
    return {option.identity: option.yes for option in decisions.decided}


def shared(first: Decisions, second: Decisions) -> Shared:
    """Return how many discriminants were recorded for either coder, for both, and with one value.

    Two chains of unary rules over one span exclude each other: they are one discriminant, and differ.
    """
    ours, theirs = values(first), values(second)
    common = ours.keys() & theirs.keys()
    equal = sum(ours[each] == theirs[each] for each in common)
    rivals = len(_twigs(ours, common) & _twigs(theirs, common))
    return Shared(len(ours.keys() | theirs.keys()) - rivals, len(common) + rivals, equal)


def exact(first: Decisions, second: Decisions) -> Exact | None:
    """Return the agreement on all discriminants, or None if they are not to be had.

    Args:
        first, second: both with a status of accepted or rejected.
    """
    if first.status == second.status == ACCEPTED:
        return _stored(first, second) or _recomputed(first, second)
    recorded = shared(first, second)
    if first.status == second.status and not (first.decided or second.decided):
        return Exact(0, 0, "recorded")  # both rejected it at once: the decision is all that is known
    return Exact(recorded.common, recorded.equal, "recorded")


def has_stored(decisions: Decisions) -> bool:
    """Whether every discriminant of the sentence is in the profile."""
    return bool(decisions.options) and (decisions.complete or decisions.direct)


def has_every_reading(decisions: Decisions) -> bool:
    """Whether every parse of the sentence is in the profile."""
    return decisions.stored is not None and 1 < decisions.readings == decisions.stored.count()


def properties_of(reading: Reading) -> frozenset[Identity]:
    """Return what holds of one parse: rules and lexical entries over spans.

    Example:
        >>> text = '(root (5 subj-head 0 0 2 (1 bird_n 0 0 1 ("birds" 0 1)) (2 sing_v 0 1 2 ("sing" 1 2))))'
        >>> sorted(properties_of(Reading(0, text, "")))
        [(2, 'bird_n', 0, 1), (2, 'sing_v', 1, 2), (3, 'subj-head', 0, 2)]
    """
    from delphin.derivation import from_string

    try:
        tree = from_string(reading.derivation)
    except Exception as error:  # many kinds, all of them the text's fault
        raise FormatError(f"cannot read a derivation ({' '.join(str(error).split())})") from None
    found: set[Identity] = set()
    stack = [tree]
    while stack:
        node = stack.pop()
        lexical = all(not hasattr(each, "daughters") for each in node.daughters)
        if node.start is not None and node.start >= 0:  # the root symbol has no span
            found.add((TYPE if lexical else CONSTITUENT, node.entity, node.start, node.end))
        stack += [each for each in node.daughters if hasattr(each, "daughters")]
    return frozenset(found)


def _twigs(found: dict[Identity, bool], common: set[Identity]) -> set[tuple[int, int]]:
    """Return the spans of chains set to yes that the other coder does not have."""
    return {
        (each[2], each[3]) for each, yes in found.items() if yes and each[0] == TWIG and each not in common
    }


def _stored(first: Decisions, second: Decisions) -> Exact | None:
    if not (has_stored(first) and has_stored(second)):
        return None
    ours, theirs = values(first), values(second)
    if ours.keys() != theirs.keys():  # not the same parse forest
        return None
    return Exact(len(ours), sum(ours[each] == theirs[each] for each in ours), "stored")


def _recomputed(first: Decisions, second: Decisions) -> Exact | None:
    if first.single and second.single:
        return Exact(0, 0, "recomputed")
    if not (has_every_reading(first) and has_every_reading(second)):
        return None
    try:
        forests = [_forest(each) for each in (first, second)]
    except FormatError:  # a parse that cannot be read
        return None
    if set(forests[0].values()) != set(forests[1].values()):
        return None
    chosen = [found.get(each.chosen[0]) for found, each in zip(forests, (first, second), strict=True)]
    if chosen[0] is None or chosen[1] is None:
        return None
    everywhere = list(forests[0].values())
    discriminants = frozenset().union(*everywhere) - everywhere[0].intersection(*everywhere)
    differing = (chosen[0] ^ chosen[1]) & discriminants
    return Exact(len(discriminants), len(discriminants) - len(differing), "recomputed")


def _forest(decisions: Decisions) -> dict[int, frozenset[Identity]]:
    found = decisions.stored.every() if decisions.stored and decisions.chosen else []
    return {reading.id: properties_of(reading) for reading in found}
