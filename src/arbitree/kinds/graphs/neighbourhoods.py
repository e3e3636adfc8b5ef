"""Bags of the labels of neighbourhoods: a fast distance between graphs (Weisfeiler-Lehman).

Reference:
    Shervashidze et al. (2011), Weisfeiler-Lehman graph kernels.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from arbitree.kinds.graphs.value import Triples

ROUNDS = 2
Bag = Counter[int]


def bag_of(triples: Triples, rounds: int = ROUNDS) -> Bag:
    """Return the triples of a graph without their nodes, and the neighbourhood of every node in each round.

    Round 0 contains labels, attributes with the top, and roles. In each further round, the label of a node
    becomes that of the round before with the roles, directions and labels of its neighbours, and its
    attributes. Keys are hashes that are the same in every process.

    Example:
        >>> one = Triples(("bird", "sing"), ((1, "top", "top"),), ((1, "arg0", 0),))
        >>> bag_of(one).total() == one.size + ROUNDS * 2
        True
    """
    found: Bag = Counter(_hash("label", label) for label in triples.labels if label)
    found.update(_hash("attribute", role, value) for _, role, value in triples.attributes)
    found.update(_hash("role", role) for _, role, _ in triples.relations)
    attributes: list[list[int]] = [[] for _ in triples.labels]
    for node, role, value in triples.attributes:
        attributes[node].append(_hash("=", role, value))
    labels = [_hash("label", label) for label in triples.labels]
    for number in range(1, rounds + 1):
        around = [list(own) for own in attributes]
        for source, role, target in triples.relations:
            around[source].append(_hash(">", role, labels[target]))
            around[target].append(_hash("<", role, labels[source]))
        labels = [_hash(labels[node], *sorted(near)) for node, near in enumerate(around)]
        found.update(_hash(number, label) for label in labels)
    return found


def _hash(*parts: str | int) -> int:
    """Return a 64-bit hash; lengths keep the parts apart."""
    text = "".join(f"{len(word)}:{word}" for word in map(str, parts))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def bag_distance(first: Bag, second: Bag) -> float:
    """Return 1 minus the share of two bags that they have in common; NaN if both are empty.

    Example:
        >>> bag_distance(Counter({1: 2, 2: 1}), Counter({1: 1}))
        0.5
    """
    total = first.total() + second.total()
    if not total:
        return float("nan")
    return 1 - 2 * sum(min(count, second[key]) for key, count in first.items() if key in second) / total
