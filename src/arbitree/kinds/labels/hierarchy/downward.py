"""Distribute the mass of a tag over the leaves below it.

Reference:
    Melamed & Resnik (2000), sections 3.3 and 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arbitree.errors import UnknownName
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy
from arbitree.plugins import check_name

WAYS = ("walk", "uniform_leaves")
SENSES = ("leaves", "inner")

Masses = dict[int, float]  # leaf -> mass
Shares = Mapping[tuple[int, int], float]  # (parent, child) -> Pr(child | parent)


@dataclass(frozen=True)
class Downward:
    """Leaf distributions of tags.

    Formula:
        down(t) = {t: 1} for a leaf, else Σ_c Pr(c|t) down(c) over the children c of t,
        with Pr(c|t) = 1 / number of children, or as estimated.
    Args:
        hierarchy: The hierarchy of the tags.
        way: ``walk`` as in the formula: a leaf with several paths from the tag gets the sum over the paths.
            ``uniform_leaves``: every leaf below a tag gets the same mass, whatever the number of paths.
        senses: ``inner`` adds to every inner tag X a child, the leaf ``X.*``, for the uses of X that none of
            its children covers, as in an inventory whose inner nodes are senses themselves.
        shares: Pr(c|t) if it is not uniform; the share of ``X.*`` is that of X in X.
    Example:
        >>> links = {("A", "A.1"): None, ("A", "A.2"): None, ("A.1", "a"): None, ("A.1", "b"): None}
        >>> Downward(Hierarchy.of_links(links)).down("A")
        {'A.2': 0.5, 'a': 0.25, 'b': 0.25}
    """

    hierarchy: Hierarchy
    way: str = "walk"
    senses: str = "leaves"
    shares: Shares | None = field(default=None, hash=False)

    def __post_init__(self) -> None:
        check_name(self.way, WAYS, "downward value")
        check_name(self.senses, SENSES, "senses value")
        if self.shares is not None and self.way != "walk":
            hint = "Omit downward=uniform_leaves or estimate"
            raise UnknownName("estimated probabilities need downward=walk", hint=hint)

    def down(self, tag: str) -> dict[str, float]:
        """Return the mass of *tag* on every leaf, by the name of the leaf."""
        return {self.leaf_name(leaf): mass for leaf, mass in self.masses(tag).items()}

    def masses(self, tag: str) -> Masses:
        """Return the mass of *tag* on every leaf, by the number of the leaf."""
        start = self.hierarchy.places[tag]
        if self.way == "uniform_leaves":
            leaves = self.leaves([tag])
            return dict.fromkeys(sorted(leaves), 1 / len(leaves))
        return self._walked(start)

    def leaves(self, tags: Iterable[str]) -> frozenset[int]:
        """Return the numbers of the leaves below any of *tags*."""
        hierarchy = self.hierarchy
        found = {node for tag in tags for node in hierarchy.below(hierarchy.places[tag])}
        inner = {node for node in found if hierarchy.children[node]}
        more = {self._own(node) for node in inner} if self.senses == "inner" else set()
        return frozenset((found - inner) | more)

    def leaf_name(self, leaf: int) -> str:
        """Return the tag of a leaf; ``X.*`` for the uses of X that none of its children covers."""
        nodes = self.hierarchy.nodes
        return nodes[leaf] if leaf < len(nodes) else f"{nodes[leaf - len(nodes)]}.*"

    def _own(self, node: int) -> int:
        """Return the number of the leaf ``X.*``."""
        return len(self.hierarchy.nodes) + node

    def _walked(self, start: int) -> Masses:
        held: Masses = {start: 1.0}
        found: Masses = {}
        for node in self.hierarchy.below(
            start
        ):  # parents first, so that the mass of a node is complete when it is visited
            mass = held.pop(node, 0.0)
            children = self.hierarchy.children[node]
            if not children:
                found[node] = mass
                continue
            own = self.senses == "inner"
            uniform = 1 / (len(children) + own)
            for child in children:
                share = uniform if self.shares is None else self.shares[node, child]
                held[child] = held.get(child, 0.0) + mass * share
            if own:
                found[self._own(node)] = mass * (uniform if self.shares is None else self.shares[node, node])
        return found
