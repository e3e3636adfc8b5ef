"""The parts of a phrase-structure tree that a file can contain, for conversions between formats."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from arbitree.formats.conll_rows import remarks
from arbitree.formats.negra import VIRTUAL_ROOTS
from arbitree.formats.node_graphs import ABSENT, EDGE, SECONDARY, secondary_edges
from arbitree.kinds.phrase.value import PhraseTree

NAMES = {EDGE: "edge labels", "comment": "comments on nodes"}  # of columns in messages


def file_parts(tree: PhraseTree) -> Mapping[str, Hashable]:
    """Return the parts of *tree* by their names in messages.

    A top node without a category of its own, such as VROOT, is a part apart, because NEGRA files always have
    one and other files may not.

    Example:
        >>> bare = PhraseTree(("go",), ("VB", "VP"), (1, -1))
        >>> topped = PhraseTree(("go",), ("VB", "TOP", "VP"), (2, -1, 1))
        >>> ours, theirs = file_parts(bare), file_parts(topped)
        >>> [name for name in ours if ours[name] != theirs[name]]
        ['top nodes']
    """
    root = tree.parents.index(-1) if tree.labels else -1
    virtual = root >= len(tree.words) and tree.labels[root] in VIRTUAL_ROOTS
    nodes = [node for node in range(len(tree.labels)) if node != root or not virtual]
    place = {node: number for number, node in enumerate(nodes)}
    columns = {
        NAMES.get(name, f"column {name}"): tuple(cells[node] for node in nodes)
        for name, cells in tree.columns.items()
        if name != SECONDARY and any(cell != ABSENT for cell in cells)
    }
    edges = tuple(
        (node, label, place.get(other, -1)) for node in nodes for label, other in secondary_edges(tree, node)
    )
    return {
        "words": tree.words if any(tree.words) else (),
        "labels": tuple(tree.labels[node] for node in nodes),
        "brackets": tuple(place.get(tree.parents[node], -1) for node in nodes),
        "top nodes": (tree.labels[root],) if virtual else (),
        **columns,
        "secondary edges": tuple((place[node], label, other) for node, label, other in edges),
        "comments": remarks(tree.comments),
    }
