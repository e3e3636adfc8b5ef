"""Which discriminants are disputed: options that diverge, sentence by sentence and summed up by label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arbitree.kinds.treebanking.value import (
    CONSTITUENT,
    DEPENDENCY,
    RELATION,
    TWIG,
    TYPE,
    UNDECIDED,
    Decisions,
    Option,
)
from arbitree.study.study import Item

KINDS = {
    RELATION: "relation",
    TYPE: "type",
    CONSTITUENT: "rule",
    DEPENDENCY: "dependency",
    TWIG: "chain",
}
STATES = {1: "yes", 2: "no", 3: "yes, entailed", 4: "no, entailed"}

DecidedPairs = list[tuple[Item, Decisions, Decisions]]


@dataclass(frozen=True, slots=True)
class Split:
    """One discriminant on which two annotators differ in one sentence."""

    item: str
    suite: str
    kind: str
    key: str
    span: str
    values: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Dispute:
    """All discriminants under one label: a rule, a lexical type, the head of a semantic dependency."""

    label: str
    kind: str
    compared: int  # both annotators gave a value
    differing: int
    alone: int  # one annotator only gave a value
    sentences: int  # in which they differ
    example: str  # one of these sentences

    @property
    def share(self) -> float | None:
        """The share that differs."""
        return self.differing / self.compared if self.compared else None


def splits_of(decided: DecidedPairs) -> tuple[Split, ...]:
    """Return the options that diverge, in the order of the sentences."""
    return tuple(
        Split(
            item.id, item.document, KINDS[ours.type], _key(ours, theirs), _span(ours), _values(ours, theirs)
        )
        for item, first, second in decided
        for ours, theirs in _differing(first, second)
    )


def disputes_of(decided: DecidedPairs) -> tuple[Dispute, ...]:
    """Return the labels that two annotators dispute, those with most differences first."""
    compared: dict[tuple[str, str], int] = {}
    alone: dict[tuple[str, str], int] = {}
    differing: dict[tuple[str, str], list[str]] = {}
    for item, first, second in decided:
        ours, theirs = ({each.identity: each for each in side.decided} for side in (first, second))
        for identity in ours.keys() | theirs.keys():
            label = _label(ours.get(identity) or theirs[identity])
            where = compared if identity in ours and identity in theirs else alone
            where[label] = where.get(label, 0) + 1
        for one, other in _differing(first, second):
            for label in {_label(one), _label(other)}:
                differing.setdefault(label, []).append(item.id)
                if one.identity != other.identity:  # chains that exclude each other: they stood alone
                    alone[label] = alone.get(label, 0) - 1
                    compared[label] = compared.get(label, 0) + 1
    found = [
        Dispute(
            name,
            kind,
            compared[name, kind],
            len(items),
            alone.get((name, kind), 0),
            len(set(items)),
            items[0],
        )
        for (name, kind), items in differing.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.differing, each.kind, each.label)))


def _differing(first: Decisions, second: Decisions) -> Iterator[tuple[Option, Option]]:
    """Yield options of both annotators that contradict each other."""
    ours, theirs = ({each.identity: each for each in side.decided} for side in (first, second))
    rivals = {
        (each.start, each.end): each
        for each in theirs.values()
        if each.type == TWIG and each.yes and each.identity not in ours
    }
    for identity, option in ours.items():
        other = theirs.get(identity)
        if other is not None:
            if option.yes != other.yes:
                yield option, other
        elif option.type == TWIG and option.yes and (option.start, option.end) in rivals:
            yield option, rivals[option.start, option.end]


def _label(option: Option) -> tuple[str, str]:
    name = option.key.partition(" ")[0] if option.type == DEPENDENCY else option.key
    return name, KINDS[option.type]


def _key(ours: Option, theirs: Option) -> str:
    return ours.key if ours.key == theirs.key else f"{ours.key} | {theirs.key}"


def _span(option: Option) -> str:
    return "" if option.type == DEPENDENCY else f"{option.start}-{option.end}"


def _values(ours: Option, theirs: Option) -> tuple[str, str]:
    if ours.key != theirs.key:
        return ours.key, theirs.key
    assert UNDECIDED not in (ours.state, theirs.state)
    return STATES[ours.state], STATES[theirs.state]
