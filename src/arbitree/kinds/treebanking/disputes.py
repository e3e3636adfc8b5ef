"""Which discriminants are disputed: options that diverge, sentence by sentence and summed up by label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arbitree.kinds.treebanking.derivation import Lexicon, accepted_derivation
from arbitree.kinds.treebanking.measures.discriminants import Judged, judged, sides_of
from arbitree.kinds.treebanking.value import (
    ACCEPTED,
    CONSTITUENT,
    DEPENDENCY,
    RELATION,
    TWIG,
    TYPE,
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
TREE = "tree"  # the derivation as a whole
STATES = {1: "yes", 2: "no", 3: "yes, entailed", 4: "no, entailed"}

DecidedPairs = list[tuple[Item, Decisions, Decisions]]
Judgements = list[tuple[Item, Decisions, Decisions, list[Judged]]]


@dataclass(frozen=True, slots=True)
class Split:
    """One discriminant on which two annotators differ in one sentence."""

    item: str
    suite: str
    kind: str
    key: str
    span: str
    values: tuple[str, str]

    def words(self, coders: Sequence[str]) -> str:
        """Return the discriminant, and what each of two annotators holds of it.

        Example:
            >>> Split("1", "news", "rule", "SUBJ-HEAD", "0-2", ("yes", "no, entailed")).words(("ann", "bob"))
            'rule SUBJ-HEAD 0-2: ann yes, bob no (entailed)'
        """
        said = []
        for coder, value in zip(coders, self.values, strict=True):
            plain, _, how = value.partition(", ")
            shown = f"[{value}]" if self.kind == TREE else f"{plain} ({how})" if how else plain
            said.append(f"{coder} {shown}")
        return f"{' '.join(filter(None, (self.kind, self.key, self.span)))}: {', '.join(said)}"


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


def judgements_of(decided: DecidedPairs, lexicon: Lexicon | None = None) -> Judgements:
    """Return the discriminants of each sentence, as the measure counts them.

    Args:
        decided: sentences that both decided.
        lexicon: for the mode derivation, in which a discriminant is what holds of the accepted derivation.
    """
    found = []
    for item, first, second in decided:
        sides = sides_of((first, second), lexicon)
        whole = lexicon is not None and first.status == second.status == ACCEPTED
        if sides is not None:
            found.append((item, first, second, judged(sides, whole=whole)))
    return found


def splits_of(item: Item, first: Decisions, second: Decisions, lexicon: Lexicon | None = None) -> list[Split]:
    """Return the options of one sentence that diverge."""
    return list(splits_in(judgements_of([(item, first, second)], lexicon)))


def splits_in(judgements: Judgements) -> tuple[Split, ...]:
    """Return the options that diverge, in the order of the sentences."""
    found = []
    for item, first, second, rows in judgements:
        for each in rows:
            if each.differs and each.identity is None:
                found.append(Split(item.id, item.document, TREE, *_unlike(first, second)))
            elif each.differs:
                found.append(_split(item, each))
    return tuple(found)


def disputes_in(judgements: Judgements) -> tuple[Dispute, ...]:
    """Return the labels that two annotators dispute, those with most differences first."""
    compared: Counter[tuple[str, str]] = Counter()
    alone: Counter[tuple[str, str]] = Counter()
    differing: dict[tuple[str, str], list[str]] = {}
    for item, _, _, rows in judgements:
        for each in rows:
            for label in {_label(option) for option in each.options if option}:
                (compared if each.common else alone)[label] += 1
                if each.differs:
                    differing.setdefault(label, []).append(item.id)
    found = [
        Dispute(
            name,
            kind,
            compared[name, kind],
            len(items),
            alone[name, kind],
            len(set(items)),
            items[0],
        )
        for (name, kind), items in differing.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.differing, each.kind, each.label)))


def _split(item: Item, found: Judged) -> Split:
    ours, theirs = found.options
    option = ours or theirs
    assert option is not None  # every discriminant was recorded for one of them
    if ours and theirs and ours.key != theirs.key:  # chains that exclude each other
        key, values = f"{ours.key} | {theirs.key}", (ours.key, theirs.key)
    else:
        key, values = option.key, (_value(ours, found.first), _value(theirs, found.second))
    span = "" if option.type == DEPENDENCY else f"{option.start}-{option.end}"
    return Split(item.id, item.document, KINDS[option.type], key, span, values)


def _unlike(first: Decisions, second: Decisions) -> tuple[str, str, tuple[str, str]]:
    """Return the rules and entries of each derivation that the other lacks, if no discriminant shows them."""
    trees = [accepted_derivation(each) for each in (first, second)]
    nodes = [dict.fromkeys(tree.nodes) if tree else {} for tree in trees]
    own = [
        ", ".join(f"{node.name} {node.start}-{node.end}" for node in here if node not in there)
        for here, there in (nodes, nodes[::-1])
    ]
    return "without a recorded discriminant", "", (own[0] or "-", own[1] or "-")


def _value(option: Option | None, holds: bool | None) -> str:
    """Return a value in words; one that was not recorded, or recorded differently, follows from the tree."""
    if option is None or option.yes != holds:
        return "yes, by the tree" if holds else "no, by the tree"
    return STATES[option.state]


def _label(option: Option) -> tuple[str, str]:
    name = option.key.partition(" ")[0] if option.type == DEPENDENCY else option.key
    return name, KINDS[option.type]
