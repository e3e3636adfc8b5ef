"""The dependency tree that results from decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from arbitree.kinds.dependency.value import DepTree

HANGING_ON_HEADS = ("deps", "phead", "pdeprel")  # columns that say something of the heads


def decided_tree(
    trees: Sequence[DepTree],
    tokens: tuple[str, ...],
    heads: tuple[int, ...],
    relations: tuple[str, ...],
    columns: Mapping[str, tuple[str, ...]],
) -> DepTree:
    """Return the first annotator's tree that matches all decisions, or the first tree with them applied.

    A matching tree is returned unchanged, with its comments, ranges and enhanced dependencies. Otherwise, if
    heads or relations change, the columns deps, phead and pdeprel are emptied, and empty nodes, which only
    enhanced dependencies reach, are removed.

    Args:
        trees: the annotators' trees, in order.
        tokens, heads, relations: the agreed or decided values.
        columns: the agreed or decided values of other columns; missing columns are added.
    """
    found = [
        tree for tree in trees if (tree.tokens, tree.heads, tree.relations) == (tokens, heads, relations)
    ]
    for tree in found:
        if all(tree.columns.get(name) == values for name, values in columns.items()):
            return tree
    if found:
        return replace(found[0], columns={**found[0].columns, **columns})
    base = trees[0]
    kept = {**base.columns, **columns}
    blank = ("_",) * len(tokens)
    if (base.heads, base.relations) != (heads, relations):
        kept |= {name: blank for name in HANGING_ON_HEADS if name in kept}
        extra = tuple(line for line in base.extra if "." not in line[1].partition("\t")[0])
    else:
        extra = base.extra
    return replace(base, tokens=tokens, heads=heads, relations=relations, columns=kept, extra=extra)
