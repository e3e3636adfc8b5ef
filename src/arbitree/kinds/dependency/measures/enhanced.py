"""ELAS: a metric for enhanced dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from arbitree.errors import StudyError
from arbitree.kinds.dependency.measures.arc_pairs import Arcs, ArcStatistics
from arbitree.kinds.dependency.measures.attachment import ATTACHMENT_SCORES, ArcMetric
from arbitree.kinds.dependency.measures.word_classes import universal
from arbitree.kinds.dependency.value import DepTree
from arbitree.measures.measure import Tally
from arbitree.study.study import Study

_HEAD = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")  # a token, or an empty node
OTHERS = "--measure las"  # that do not need column 9
JOINT = ">"  # between the relations of a path through an empty node

Edge = tuple[int, int, str]  # dependent, head (0: root) and relation; tokens counted from 1
Arrows = list[tuple[str, str]]  # head id and relation


@dataclass(frozen=True, slots=True)
class Enhanced(ArcMetric):
    """F1 of the arcs in the column DEPS.

    Empty nodes are collapsed first: an arc through one becomes an arc with both relations, joined by ``>``.
    Arcs of skipped or removed punctuation are excluded.

    Reference:
        Bouma et al. (2020).
    """

    references: ClassVar[tuple[str, ...]] = ("bouma2020",)
    symmetric: ClassVar[bool] = True
    undefined: ClassVar[str] = "no_enhanced"
    family: ClassVar[str] = ATTACHMENT_SCORES
    about: ClassVar[str] = "ELAS: F1 of enhanced dependency arcs"

    def offered(self, study: Study[DepTree]) -> bool:
        """Whether any gold tree has enhanced dependencies."""
        gold = (cell.value for cell in study.cells.values() if cell.coder == (study.reference or cell.coder))
        return any(each != "_" for tree in gold for each in tree.columns.get("deps", ()))

    def check(self, study: Study[DepTree]) -> None:
        """Raise StudyError for a malformed cell, or a head that does not exist."""
        for cell in study.cells.values():
            try:
                for _ in _edges(cell.value, strip=False):
                    pass
            except StudyError as error:
                raise StudyError(error.what, cell.source, hint=error.hint) from None

    def sees(self, stats: ArcStatistics) -> tuple[str, ...]:
        """Return also the enhanced dependencies."""
        return (*ArcMetric.sees(self, stats), "enhanced")

    def count_in(self, arcs: Arcs) -> Tally:
        """Return shared arcs over the mean number of arcs."""
        pairs = len(arcs.item)
        strip = self.subtypes == "strip"
        ours, theirs, shared = (np.zeros(pairs) for _ in range(3))
        partners = _partners(arcs)
        skipped = (_unscored(arcs.gold), _unscored(arcs.other))
        for pair in range(pairs):
            gold = {e for e in _edges(arcs.gold.trees[pair], strip=strip) if (pair, e[0]) not in skipped[0]}
            other = {e for e in _edges(arcs.other.trees[pair], strip=strip) if (pair, e[0]) not in skipped[1]}
            ours[pair], theirs[pair] = len(gold), len(other)
            if partners is not None:
                met = partners[pair] | {0: 0}
                other = {(met.get(d, -1), met.get(h, -1), label) for d, h, label in other}
            shared[pair] = len(gold & other)
        return Tally(arcs.per_item_of_pairs(shared), arcs.per_item_of_pairs((ours + theirs) / 2))


def _unscored(words: Any) -> set[tuple[int, int]]:
    """Return the pair and token of all words that are skipped or removed."""
    if words.scored.all() and len(words) == sum(map(len, words.trees)):
        return set()
    every = {(pair, token + 1) for pair, tree in enumerate(words.trees) for token in range(len(tree))}
    kept = zip(words.pair[words.scored].tolist(), (words.places[words.scored] + 1).tolist(), strict=True)
    return every - set(kept)


def _partners(arcs: Arcs) -> list[dict[int, int]] | None:
    """Return the aligned gold token of each other token, for every pair; None if all words are equal."""
    if arcs.whole.all():
        return None
    found: list[dict[int, int]] = [{} for _ in arcs.whole]
    met = np.flatnonzero(arcs.other.partner >= 0)
    partner = arcs.other.partner[met]
    tokens = zip(
        arcs.other.pair[met].tolist(),
        arcs.other.places[met].tolist(),
        arcs.gold.places[partner].tolist(),
        strict=True,
    )
    for pair, token, gold in tokens:
        found[pair][token + 1] = gold + 1
    return found


def _edges(tree: DepTree, *, strip: bool) -> Iterator[Edge]:
    """Yield the enhanced arcs of *tree* after empty nodes are collapsed."""
    deps = tree.columns.get("deps")
    if deps is None:
        return
    empty = dict(_empty_nodes(tree))
    for token, text in enumerate(deps, start=1):
        for head, relation in _collapsed(_arrows(text, tree, token), empty, frozenset()):
            label = JOINT.join(map(universal, relation.split(JOINT))) if strip else relation
            yield token, int(head), label


def _collapsed(arrows: Arrows, empty: dict[str, Arrows], seen: frozenset[str]) -> Iterator[tuple[str, str]]:
    for head, relation in arrows:
        if "." not in head:
            yield head, relation
        elif head not in seen:  # empty nodes may form a cycle
            for above, other in _collapsed(empty.get(head, []), empty, seen | {head}):
                yield above, f"{other}{JOINT}{relation}"


def _empty_nodes(tree: DepTree) -> Iterator[tuple[str, Arrows]]:
    for before, line in tree.extra:
        columns = line.split("\t")
        if "." in columns[0]:
            yield columns[0], _arrows(columns[8], tree, before)


def _arrows(text: str, tree: DepTree, token: int) -> Arrows:
    """Return heads and relations of one cell of the column DEPS."""
    if text == "_":
        return []
    found = []
    for part in text.split("|"):
        head, colon, relation = part.partition(":")
        if not colon or not _HEAD.fullmatch(head):
            hint = "Write HEAD:RELATION, join several by |, and write _ for none"
            raise StudyError(f"enhanced dependency {part!r} of token {token} is malformed", hint=hint)
        if int(head.partition(".")[0]) > len(tree):
            what = f"the head of enhanced dependency {part!r} of token {token} does not exist"
            raise StudyError(what, hint=f"Fix column 9, or choose other metrics, such as {OTHERS}")
        found.append((head, relation))
    return found


PLUGINS = {"elas": Enhanced()}
