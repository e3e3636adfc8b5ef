"""The pairs of dependency trees of a study, and their arcs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from arbitree.data.dependency import DepTree
from arbitree.data.result import Ignored
from arbitree.data.study import Annotation, Item, Study
from arbitree.measures.alignment import align
from arbitree.measures.arcs import Arcs, Pair, Policy
from arbitree.measures.base import cluster_positions, pairable
from arbitree.measures.ratio import Compared

BLOCK = 4_000_000  # tokens of pairs that are held in arrays at once


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcStatistics(Compared):
    """The pairs of trees and their arcs, which are made when they are asked for.

    In studies without a reference, arcs go in both orders for metrics that treat the two trees unlike. Many
    coders make many pairs: their arcs are made block by block, and again for every metric.
    """

    policy: Policy
    pairs: tuple[tuple[Pair, ...], ...]  # of every item
    bounds: tuple[int, ...]  # where blocks of items begin, and the end of the last
    directed: bool  # the study has a reference
    made: dict[bool, Arcs] = field(default_factory=dict, compare=False, repr=False)

    @property
    def forward(self) -> Arcs:
        """The arcs of all pairs in their order."""
        return self._whole(turned=False)

    def blocks(self, *, symmetric: bool) -> Iterator[tuple[Arcs, ...]]:
        """Yield the arcs of items, block by block, in the orders to average over."""
        orders = (False,) if self.directed or symmetric else (False, True)
        if len(self.bounds) <= 2:
            yield tuple(self._whole(turned=order) for order in orders)
            return
        for first, last in pairwise(self.bounds):
            yield tuple(self._arcs(self.pairs[first:last], turned=order) for order in orders)

    def _whole(self, *, turned: bool) -> Arcs:
        if turned not in self.made:
            self.made[turned] = self._arcs(self.pairs, turned=turned)
        return self.made[turned]

    def _arcs(self, pairs: Sequence[tuple[Pair, ...]], *, turned: bool) -> Arcs:
        flat = [pair for own in pairs for pair in own]
        if turned:  # there is no reference then, and words meet in order
            flat = [(second, first, None) for first, second, _ in flat]
        return self.policy.arcs(flat, [len(own) for own in pairs])


def _bounds(pairs: Sequence[tuple[Pair, ...]]) -> tuple[int, ...]:
    """Return where blocks of items begin, and the end of the last."""
    bounds, size = [0], 0
    for place, own in enumerate(pairs):
        if size > BLOCK:
            bounds.append(place)
            size = 0
        size += len(own) * len(own[0][0].heads)
    return (*bounds, len(pairs))


def prepare_arcs(study: Study[DepTree], policy: Policy) -> ArcStatistics:
    """Pair the trees of *study*."""
    candidates, ignored = pairable(study)
    used: list[Item] = []
    pairs: list[tuple[Pair, ...]] = []
    for item, cells in candidates:
        found = _pairs(item, cells, study.reference)
        if isinstance(found, Ignored):
            ignored.append(found)
        else:
            used.append(item)
            pairs.append(tuple(found))
    places = cluster_positions(study)
    aligned = sum(any(met is not None for _, _, met in own) for own in pairs)
    note = f"{aligned} of {len(used)} sentences have other words: aligned by characters, scored as F1"
    return ArcStatistics(
        policy=policy,
        pairs=tuple(pairs),
        bounds=_bounds(pairs),
        directed=study.reference is not None,
        columns=np.array([places[item.cluster] for item in used], dtype=np.intp),
        used=tuple(used),
        ignored=tuple(ignored),
        notes=(note,) if aligned else (),
    )


def _pairs(item: Item, cells: list[Annotation[DepTree]], reference: str | None) -> list[Pair] | Ignored:
    """Return the pairs of trees of one item, each with the words that meet if not all do in order."""
    if reference is None:
        lengths = {len(cell.value) for cell in cells}
        if len(lengths) > 1:
            return mismatch(item, cells)
        return [(a.value, b.value, None) for a, b in combinations(cells, 2)]
    gold, others = cells[:1], cells[1:]
    if gold[0].coder != reference:
        gold = [cell for cell in cells if cell.coder == reference]
        others = [cell for cell in cells if cell.coder != reference]
    if not gold or not others:
        return Ignored(item.id, "single_annotation", "not by the reference" if others else "by nobody else")
    found: list[Pair] = []
    for other in others:
        first, second = gold[0].value, other.value
        met = None
        if first.tokens != second.tokens:
            met = align(first, second)
            if met is None and len(first) != len(second):
                return mismatch(item, [gold[0], other])
        found.append((first, second, met))
    return found


def mismatch(item: Item, cells: Sequence[Annotation[Any]]) -> Ignored:
    """Return why an item is left out whose annotations have other words."""
    detail = ", ".join(f"{cell.coder} {len(cell.value)} ({cell.source})" for cell in cells)
    return Ignored(item.id, "token_mismatch", f"tokens: {detail}")
