"""Label studies derived from dependency trees: one label per token."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from arbitree.errors import UnsupportedStudy, shorten
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.labels.views import Take, Taken, labels_in
from arbitree.plugins import check_name
from arbitree.study.study import Study

# What the edges of enhanced dependencies are reduced to; each gives a set for every token.
ENHANCED: dict[str, Callable[[int, str, str], str]] = {
    "enhanced": lambda token, head, label: f"{head}:{label}",
    "enhanced_heads": lambda token, head, label: head,
    "enhanced_labels": lambda token, head, label: label,
    "enhanced_offsets": lambda token, head, label: f"{float(head) - token:+g}" if float(head) else "root",
}
_NODE = re.compile(r"[0-9]+(\.[0-9]+)?")


def column(trees: Study[DepTree], name: str) -> Study[Any]:
    """Return the study of the labels in one column of all trees; sentences are the clusters.

    Args:
        trees: a study of dependency trees.
        name: ``deprel``, ``upos`` or another column of the file, the name of a feature such as ``Case``, or
            ``enhanced``, ``enhanced_heads``, ``enhanced_labels``, ``enhanced_offsets`` for sets of edges.
    Returns:
        A study with one item per token.
    Example:
        >>> from arbitree.study.study import Annotation, Item
        >>> item = Item("s1", "text", "s1")
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
        >>> study = column(Study((item,), ("ann",), {("s1", "ann"): Annotation(item, "ann", tree)}), "deprel")
        >>> [(cell.item.id, str(cell.value)) for cell in study.cells.values()]
        [('s1:1', 'nsubj'), ('s1:2', 'root')]
    """
    return labels_in(trees, name, _taker(trees, name))


def _taker(trees: Study[DepTree], name: str) -> Take:
    """Return a function that returns the labels in one column of a tree."""
    known = {each for cell in trees.cells.values() for each in cell.value.columns}
    if name in ENHANCED:
        if "deps" not in known:
            raise UnsupportedStudy(
                "these trees have no column of enhanced dependencies", hint="Pass CoNLL-U files"
            )
        return lambda tree: _edges(tree, ENHANCED[name])
    if name in ("deprel", *known):
        return lambda tree: _column(tree, name)
    features = _features(trees)
    check_name(name, ("deprel", *sorted(known), *ENHANCED, *sorted(features)), "column or feature")
    return lambda tree: _feature(tree, name)


def _column(tree: DepTree, column: str) -> Taken:
    values = tree.relations if column == "deprel" else tree.columns[column]
    return ((str(token), Label(value)) for token, value in enumerate(values, start=1))


def _feature(tree: DepTree, name: str) -> Taken:
    """Yield the value of one feature; a token without it gets ``_``, as in the file."""
    for token, text in enumerate(tree.columns.get("feats", ()), start=1):
        found = dict(part.partition("=")[::2] for part in text.split("|"))
        yield str(token), Label(found.get(name, "_") or "_")


def _features(trees: Study[Any]) -> set[str]:
    texts = {text for cell in trees.cells.values() for text in cell.value.columns.get("feats", ())}
    return {part.partition("=")[0] for text in texts for part in text.split("|") if "=" in part}


def _edges(tree: DepTree, shown: Callable[[int, str, str], str]) -> Taken:
    for token, text in enumerate(tree.columns["deps"], start=1):
        edges = [part.partition(":") for part in text.split("|") if text != "_"]
        for head, _, _ in edges:
            if not _NODE.fullmatch(head):
                what = f"enhanced dependency {shorten(text)} of token {token} is not HEAD:RELATION"
                raise UnsupportedStudy(what, hint="Fix column 9, or choose another column")
        yield str(token), Tags.of(shown(token, head, label) for head, _, label in edges)
