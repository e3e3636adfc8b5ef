"""Two annotations of a parse forest, compared discriminant by discriminant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from arbitree.errors import FormatError
from arbitree.kinds.treebanking.derivation import (
    Derivation,
    Lexicon,
    accepted_derivation,
    derivation_of,
    placed,
    same_tokens,
)
from arbitree.kinds.treebanking.value import (
    ACCEPTED,
    CONSTITUENT,
    DEPENDENCY,
    TWIG,
    TYPE,
    Decisions,
    Identity,
    Option,
    Reading,
)


class Exact(NamedTuple):
    """How many discriminants both coders gave a value, and on how many they agree."""

    total: int
    equal: int
    how: str  # stored or recomputed; recorded for a sentence that was rejected


class Shared(NamedTuple):
    """How many discriminants either coder, both, and both with one value have."""

    union: int
    common: int
    equal: int


@dataclass(frozen=True, slots=True)
class Side:
    """One coder's part of a sentence, with the same spans for all coders."""

    options: dict[Identity, Option]  # as recorded
    derivation: Derivation | None  # that was accepted, if it counts
    values: dict[Identity, bool] = field(default_factory=dict)  # of all discriminants that are known

    def same_tree(self, other: Side) -> bool:
        """Whether both accepted the same derivation."""
        ours, theirs = self.derivation, other.derivation
        return ours is not None and theirs is not None and ours.nodes == theirs.nodes

    def same_words(self, other: Side, discriminant: Identity) -> bool:
        """Whether both have the same rules and lexical entry where *discriminant* is."""
        span = discriminant[2:]
        ours, theirs = self.derivation, other.derivation
        return ours is not None and theirs is not None and ours.chains.get(span) == theirs.chains.get(span)


@dataclass(frozen=True, slots=True)
class Sides:
    """A sentence of several coders."""

    all: tuple[Side, ...]
    tokens_differ: bool  # spans are those of characters
    contradicted: int  # recorded values that the accepted derivation contradicts

    @property
    def same_tree(self) -> bool | None:
        """Whether all accepted the same derivation; None where one is not known."""
        if any(each.derivation is None for each in self.all):
            return None
        return all(self.all[0].same_tree(each) for each in self.all[1:])


def sides_of(annotations: Sequence[Decisions], lexicon: Lexicon | None = None) -> Sides | None:
    """Return the values of all discriminants that were recorded for any coder.

    Args:
        annotations: of one sentence, by each coder.
        lexicon: the value of a discriminant is whether it holds of the accepted derivation; by default, and
            where that does not tell, it is the recorded value. Coders who accepted the same derivation have
            the same values.
    Returns:
        None if derivations have different tokens that cannot be aligned by characters.
    """
    if lexicon is None:
        recorded = [_recorded(each) for each in annotations]
        sides = [Side(each, None, {key: option.yes for key, option in each.items()}) for each in recorded]
        return Sides(tuple(sides), tokens_differ=False, contradicted=0)
    trees = [accepted_derivation(each) for each in annotations]
    known = [each for each in trees if each is not None]
    differ = any(not same_tokens(known[0], each) for each in known[1:])
    sides = []
    for each, tree in zip(annotations, trees, strict=True):
        side = _aligned(each, tree) if differ else Side(_recorded(each), tree)
        if side is None:
            return None
        sides.append(side)
    everything = dict.fromkeys(identity for side in sides for identity in side.options)
    contradicted = 0
    for side in sides:
        for identity in everything:
            own = side.options.get(identity)
            holds = lexicon.holds(side.derivation, identity) if side.derivation else None
            contradicted += holds is not None and own is not None and own.yes != holds
            if holds is not None or own is not None:
                side.values[identity] = holds if holds is not None else own is not None and own.yes
    _fill(sides, everything)
    return Sides(tuple(sides), differ, contradicted)


def _recorded(decisions: Decisions) -> dict[Identity, Option]:
    return {option.identity: option for option in decisions.decided}


def _aligned(decisions: Decisions, tree: Derivation | None) -> Side | None:
    """Return a side with spans of characters; None if the derivation has a word at an unknown place."""
    place = placed(tree, decisions)
    moved = tree.moved(place) if tree else None
    if tree and moved is None:
        return None
    options: dict[Identity, Option] = {}
    for option in decisions.decided:
        span = (0, 0) if option.type == DEPENDENCY else place((option.start, option.end))
        if span is not None:
            options[option.type, option.key, *span] = option
    return Side(options, moved)


def _fill(sides: Sequence[Side], everything: dict[Identity, None]) -> None:
    """Add what follows from other coders' values where a derivation alone does not tell.

    The same derivation gives the same value, and so does the same word. Where two coders chose different
    lexical entries for a word, the type of one is taken not to be that of the other.
    """
    for side in sides:
        others = [each for each in sides if each is not side and each.derivation and side.derivation]
        for identity in everything.keys() - side.values.keys() if others else ():
            lexical = identity[0] in (TYPE, TWIG)
            told = [each for each in others if identity in each.values]
            for other in told:
                if side.same_tree(other) or (lexical and side.same_words(other, identity)):
                    side.values[identity] = other.values[identity]
            if lexical and identity not in side.values and any(each.values[identity] for each in told):
                side.values[identity] = False


class Judged(NamedTuple):
    """One discriminant, and whether it holds for each of two coders; None where that is not known."""

    identity: Identity | None  # None: the derivation as a whole
    options: tuple[Option | None, Option | None]  # as recorded
    first: bool | None
    second: bool | None

    @property
    def common(self) -> bool:
        """Whether both have a value."""
        return self.first is not None and self.second is not None

    @property
    def differs(self) -> bool:
        """Whether both have a value, and not the same."""
        return self.common and self.first != self.second


def judged(sides: Sides, *, whole: bool = False) -> list[Judged]:
    """Return the discriminants of two coders.

    Two chains of unary rules over one span exclude each other: they are one discriminant, and differ.

    Args:
        sides: the values of both.
        whole: there was more than one parse. Then the choice of the derivation counts as one discriminant if
            no other is known, or if derivations differ and no other discriminant does.
    """
    first, second = sides.all
    found = [
        Judged(
            each,
            (first.options.get(each), second.options.get(each)),
            first.values.get(each),
            second.values.get(each),
        )
        for each in dict.fromkeys((*first.options, *second.options))
    ]
    found = _without_rivals(found)
    same = sides.same_tree
    known = any(each.common for each in found)
    if whole and same is not None and (not known or not (same or any(each.differs for each in found))):
        found.append(Judged(None, (None, None), True, same))
    return found


def _without_rivals(found: list[Judged]) -> list[Judged]:
    """Return *found* with one entry for two chains over one span that one coder each holds to be right."""
    theirs = {
        each.identity[2:]: each
        for each in found
        if each.identity and each.identity[0] == TWIG and each.second and not each.first
    }
    kept: list[Judged] = []
    merged: set[Identity | None] = set()
    for each in found:
        twig = each.identity is not None and each.identity[0] == TWIG and each.first and not each.second
        rival = theirs.get(each.identity[2:]) if twig and each.identity else None
        if rival is None:
            kept.append(each)
        else:
            merged.add(rival.identity)
            options = (each.options[0], rival.options[1] or each.options[1])
            kept.append(Judged(each.identity, options, True, False))
    return [each for each in kept if each.identity not in merged]


def summed(found: Sequence[Judged]) -> Shared:
    """Count the discriminants of two coders."""
    common = sum(each.common for each in found)
    return Shared(len(found), common, common - sum(each.differs for each in found))


def shared(first: Decisions, second: Decisions) -> Shared:
    """Count the recorded discriminants of two coders."""
    recorded = sides_of((first, second))
    assert recorded is not None  # only derivations can fail to be aligned
    return summed(judged(recorded))


def exact(first: Decisions, second: Decisions) -> Exact | None:
    """Return the agreement on all discriminants, or None if they are not to be had.

    Args:
        first, second: both with a status of accepted or rejected.
    """
    if first.status == second.status == ACCEPTED:
        return _stored(first, second) or _recomputed(first, second)
    recorded = shared(first, second)
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
    nodes = derivation_of(reading.derivation).nodes
    return frozenset((TYPE if each.lexical else CONSTITUENT, each.name, *each.span) for each in nodes)


def same_tree(first: Decisions, second: Decisions) -> bool:
    """Whether two accepted sentences have the same parse: by id, or by derivation where ids tell nothing.

    Full-forest profiles call every parse 0, and another grammar numbers its parses differently. Where they
    do not store a parse, the discriminants that were chosen decide.
    """
    numbered = not (first.forest or second.forest) and first.same_grammar(second)
    if numbered and first.readings == second.readings > 1:
        return first.chosen == second.chosen
    ours, theirs = (each.stored.chosen() if each.stored else [] for each in (first, second))
    if ours and theirs:
        if ours[0].derivation == theirs[0].derivation:
            return True
        found = sides_of((first, second), Lexicon({}, frozenset()))
        if found is None or found.same_tree is not None:
            return found is not None and bool(found.same_tree)
    if first.forest and second.forest:
        chosen, others = ({each.identity for each in side.decided if each.yes} for side in (first, second))
        return chosen == others
    return numbered and first.readings == second.readings and first.chosen == second.chosen


def _stored(first: Decisions, second: Decisions) -> Exact | None:
    if not (has_stored(first) and has_stored(second)):
        return None
    ours, theirs = (
        {each: option.yes for each, option in _recorded(side).items()} for side in (first, second)
    )
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
