"""Estimate downward probabilities from a corpus: the share of each child of a tag.

Reference:
    Melamed & Resnik (2000), section 3.3, which leaves the estimator open.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import FormatError, Source, shorten
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy
from arbitree.reading.content import load
from arbitree.reading.guard import guarded_reader

ROUNDS = 20_000
CLOSE = 1e-9  # iterations end when no probability changes by more
TOP = 0  # the node above all roots

Floats = NDArray[np.float64]
Link = tuple[int, int]  # (parent, child)


def estimate_shares(
    hierarchy: Hierarchy, counts: Mapping[str, float], smoothing: float, *, inner: bool = False
) -> dict[Link, float]:
    """Return Pr(child | parent) for all links, from the number of tokens that carry each tag.

    Formula:
        Pr(c|t) = (n(c) + λ) / (Σ_c' n(c') + λ k), over the k children c' of t,
        with n(c) the tokens tagged c or anything below c. Tokens tagged t itself are not used.
        If c has several parents, n is the expected number of tokens that reach c through t, by
        expectation-maximisation over all paths from a root; roots are the children of one node above them.
    Args:
        hierarchy: The hierarchy of the tags.
        counts: Number of tokens per tag; all tags must be in the hierarchy.
        smoothing: λ. As it grows, the shares become uniform.
        inner: Whether every inner node X has another child, the link (X, X), for tokens tagged X itself.
    Example:
        >>> tree = Hierarchy.of_links({("A", "a"): None, ("A", "b"): None})
        >>> estimate_shares(tree, {"a": 2, "A": 5}, 1)
        {(0, 1): 0.75, (0, 2): 0.25}
    """
    tagged: dict[int, float] = defaultdict(float)
    for tag, count in counts.items():
        if count:
            tagged[hierarchy.places[tag]] += count
    paths = _Paths.to(hierarchy, tagged, inner=inner)
    passed = paths.expected(1 / paths.kids[paths.above])
    if paths.several:
        shares = paths.shares(passed, smoothing)
        for _ in range(ROUNDS):
            passed = paths.expected(shares)
            before, shares = shares, paths.shares(passed, smoothing)
            if np.abs(shares - before).max() < CLOSE:
                break
    return dict(_all_shares(hierarchy, paths.by_link(passed, tagged if inner else {}), smoothing, inner))


def _all_shares(
    hierarchy: Hierarchy, passed: Mapping[Link, float], smoothing: float, inner: bool
) -> Iterator[tuple[Link, float]]:
    """Yield the share of every link, including links without tokens."""
    for node, children in enumerate(hierarchy.children):
        links = [(node, child) for child in (*children, node)[: len(children) + inner] if children]
        counts = [passed.get(link, 0.0) for link in links]
        weight = sum(counts) + smoothing * len(links)
        for link, count in zip(links, counts, strict=True):
            yield link, (count + smoothing) / weight if weight else 1 / len(links)


@dataclass(frozen=True, slots=True)
class _Paths:
    """The part of a hierarchy above tagged nodes, by level under one node above all roots."""

    nodes: NDArray[np.intp]  # (n,) number in the hierarchy; -1 for the node above all
    levels: tuple[tuple[slice, slice], ...]  # of each level under it: its nodes, and the links to them
    above: NDArray[np.intp]  # (links,)
    below: NDArray[np.intp]  # (links,)
    kids: Floats  # (n,) number of children, including those without tokens
    tokens: Floats  # (n,) tagged with the node itself
    own: Floats  # (n,) those that count as a child of the node

    @classmethod
    def to(cls, hierarchy: Hierarchy, tagged: Mapping[int, float], *, inner: bool) -> _Paths:
        """Return the nodes and links above the *tagged* nodes."""
        found, waiting = set(tagged), list(tagged)
        while waiting:
            fresh = [parent for parent in hierarchy.parents[waiting.pop()] if parent not in found]
            found.update(fresh)
            waiting += fresh
        depth: dict[int, int] = {}
        for node in sorted(found):  # nodes are numbered in topological order
            depth[node] = 1 + max((depth[parent] for parent in hierarchy.parents[node]), default=0)
        nodes = sorted(found, key=lambda node: (depth[node], node))
        places = {node: place for place, node in enumerate(nodes, start=1)}
        links = [
            (places[parent] if parent >= 0 else TOP, places[node])
            for node in nodes
            for parent in hierarchy.parents[node] or (-1,)
        ]
        above, below = np.array(links, dtype=np.intp).reshape(-1, 2).T
        ends = np.searchsorted(
            [depth[node] for node in nodes], np.arange(1, max(depth.values(), default=0) + 2)
        )
        levels = [
            (slice(low + 1, high + 1), slice(*np.searchsorted(below, [low + 1, high + 1])))
            for low, high in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]
        kids = [len(hierarchy.roots), *(len(hierarchy.children[node]) + inner for node in nodes)]
        tokens = np.array([0.0, *(tagged.get(node, 0.0) for node in nodes)])
        return cls(
            nodes=np.array([-1, *nodes]),
            levels=tuple(levels),
            above=above,
            below=below,
            kids=np.array(kids, dtype=np.float64),
            tokens=tokens,
            own=tokens if inner else np.zeros_like(tokens),
        )

    @property
    def several(self) -> bool:
        """Whether some node has more than one path from the top."""
        return len(self.below) > len(self.nodes) - 1

    def expected(self, shares: Floats) -> Floats:
        """Return the expected number of tokens of each link (E-step)."""
        reach = np.zeros(len(self.nodes))
        reach[TOP] = 1
        for nodes, links in self.levels:
            along = reach[self.above[links]] * shares[links]
            reach[nodes] = np.bincount(self.below[links] - nodes.start, along, nodes.stop - nodes.start)
        through = self.tokens.copy()
        passed = np.zeros(len(shares))
        for _, links in reversed(self.levels):
            above, below = self.above[links], self.below[links]
            part = reach[above] * shares[links]
            passed[links] = through[below] * np.divide(part, reach[below], out=part, where=part > 0)
            np.add.at(through, above, passed[links])
        return passed

    def shares(self, passed: Floats, smoothing: float) -> Floats:
        """Return the probabilities of the links for these expected numbers (M-step)."""
        totals = np.bincount(self.above, passed, len(self.nodes)) + self.own
        weight = (totals + smoothing * self.kids)[self.above]
        return np.divide(passed + smoothing, weight, out=1 / self.kids[self.above], where=weight > 0)

    def by_link(self, passed: Floats, own: Mapping[int, float]) -> dict[Link, float]:
        """Return the expected numbers by the links of the hierarchy."""
        ends = zip(self.nodes[self.above].tolist(), self.nodes[self.below].tolist(), strict=True)
        return dict(zip(ends, passed.tolist(), strict=True)) | {(node, node): n for node, n in own.items()}


Counts = tuple[tuple[str, float], ...]


@guarded_reader
def read_counts(path: str) -> Counts:
    """Read tags in the first column and counts in the last; columns are separated by tabs or spaces.

    Lines that begin with # are comments. WordNet's ``cntlist.rev`` and ``index.sense`` are such tables.
    """
    rows = []
    for number, line in enumerate(load(path).lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        source = Source(path, number)
        columns = line.split("\t") if "\t" in line else line.split()
        if len(columns) < 2:
            raise FormatError("expected a tag and a count", source, hint="Write tag<TAB>count")
        rows.append((columns[0], _count(columns[-1], source)))
    return tuple(rows)


def _count(text: str, source: Source) -> float:
    try:
        count = float(text)
    except ValueError:
        count = math.nan
    if not 0 <= count < math.inf:
        raise FormatError(
            f"count {shorten(text)} is not a number of 0 or more", source, hint="Write a number such as 12"
        )
    return count
