"""The dependency tree that decisions come to."""

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
    """Return the tree of one coder who has all that was decided, else the first coder's with it put in.

    A coder's own tree comes with its comments, ranges, enhanced dependencies and all else. The first coder's
    loses what no longer fits if heads or relations change: the columns deps, phead and pdeprel are emptied,
    and empty nodes, which only enhanced dependencies reach, are left out.

    Args:
        trees: of the coders, in order.
        tokens, heads, relations: what was agreed or decided.
        columns: likewise; a coder without a column is given it.
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
