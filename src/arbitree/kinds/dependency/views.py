"""Studies of labels taken from studies of trees: a label for every token, or for every phrase."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from arbitree.errors import UnsupportedStudy, shorten
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.value import Label, Tags, in_order
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.phrase.views import phrase_labels, phrase_tags
from arbitree.plugins import check_name
from arbitree.study.grid import MISSING, Grid
from arbitree.study.study import Annotation, Item, Study

# What the edges of enhanced dependencies are reduced to; each gives a set for every token.
ENHANCED: dict[str, Callable[[int, str, str], str]] = {
    "enhanced": lambda token, head, label: f"{head}:{label}",
    "enhanced_heads": lambda token, head, label: head,
    "enhanced_labels": lambda token, head, label: label,
    "enhanced_offsets": lambda token, head, label: f"{float(head) - token:+g}" if float(head) else "root",
}
_NODE = re.compile(r"[0-9]+(\.[0-9]+)?")
PHRASES = "phrase"  # the label of every phrase, by its tokens
POS = "pos"  # the part of speech of every terminal

Values = list[tuple[str, Any]]  # a name for every token or phrase of one tree, and what it is labelled


def labels(trees: Study[Any], column: str) -> Study[Any]:
    """Return the study of the labels in *column* of all trees; sentences are the clusters.

    Args:
        trees: dependency or phrase-structure trees.
        column: ``deprel``, ``upos`` or another column of the file, the name of a feature such as ``Case``, or
            ``enhanced``, ``enhanced_heads``, ``enhanced_labels``, ``enhanced_offsets`` for sets of edges;
            for phrase structure ``phrase`` (a label for every span that a coder made a phrase) or ``pos``.
    Returns:
        One item a token (or span). Sentences in which coders differ in the number of tokens are left out
        and counted in the notes.
    Example:
        >>> from arbitree.study.study import Annotation
        >>> item = Item("s1", "text", "s1")
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
        >>> study = labels(Study((item,), ("ann",), {("s1", "ann"): Annotation(item, "ann", tree)}), "deprel")
        >>> [(cell.item.id, str(cell.value)) for cell in study.cells.values()]
        [('s1:1', 'nsubj'), ('s1:2', 'root')]
    """
    take = _taker(trees, column)
    rows: dict[str, tuple[Item, list[Any]]] = {}
    skipped = []
    for item, cells in trees:
        full = [cell for cell in cells if len(cell.value)]
        if column != PHRASES and len({len(cell.value) for cell in full}) > 1:
            skipped.append(item.id)
            continue
        for cell in full:
            for name, value in take(cell.value):
                key = f"{item.id}:{name}"
                if key not in rows:
                    own = Item(key, item.document, item.cluster)
                    rows[key] = (own, [None] * len(trees.coders))
                rows[key][1][trees.coders.index(cell.coder)] = (value, cell)
    if not rows:
        raise UnsupportedStudy(
            f"no tree has anything in {column!r}", hint="Choose another column with --column"
        )
    return _study(trees, list(rows.values()), _note(skipped))


def _study(trees: Study[Any], rows: list[tuple[Item, list[Any]]], notes: tuple[str, ...]) -> Study[Any]:
    distinct = in_order({said[0] for _, row in rows for said in row if said is not None})
    numbers = {value: number for number, value in enumerate(distinct)}
    codes, lines, files = (np.full((len(rows), len(trees.coders)), MISSING, dtype=np.int32) for _ in range(3))
    paths: dict[str, int] = {}
    for place, (_, row) in enumerate(rows):
        for coder, said in enumerate(row):
            if said is not None:
                codes[place, coder] = numbers[said[0]]
                path, line = _place(said[1])
                files[place, coder], lines[place, coder] = paths.setdefault(path, len(paths)), line
    items = tuple(item for item, _ in rows)
    cells = Grid(items, trees.coders, codes, distinct, lines, tuple(paths), files)
    return Study(items, trees.coders, cells, trees.reference, (*trees.notes, *notes))


def _place(cell: Annotation[Any]) -> tuple[str, int]:
    return (cell.source.path, cell.source.line) if cell.source else ("", 0)


def _note(skipped: list[str]) -> tuple[str, ...]:
    if not skipped:
        return ()
    sentences = "1 sentence is" if len(skipped) == 1 else f"{len(skipped)} sentences are"
    return (f"{sentences} left out: coders differ in the number of tokens (the first: {skipped[0]!r})",)


def _taker(trees: Study[Any], column: str) -> Callable[[Any], Iterator[tuple[str, Any]]]:
    """Return what takes the labels in *column* from a tree."""
    if trees.value_type is PhraseTree:
        check_name(column, (PHRASES, POS), "columns of phrase structure")
        return phrase_labels if column == PHRASES else phrase_tags
    if trees.value_type is not DepTree:
        raise UnsupportedStudy(
            f"labels cannot be taken from {trees.value_type.kind} annotations",
            hint="Leave out --column, or give trees",
        )
    known = {name for cell in trees.cells.values() for name in cell.value.columns}
    if column in ENHANCED:
        if "deps" not in known:
            raise UnsupportedStudy(
                "these trees have no column for enhanced dependencies", hint="Give CoNLL-U"
            )
        return lambda tree: _edges(tree, ENHANCED[column])
    if column in ("deprel", *known):
        return lambda tree: _column(tree, column)
    features = _features(trees)
    check_name(column, ("deprel", *sorted(known), *ENHANCED, *sorted(features)), "columns and features")
    return lambda tree: _feature(tree, column)


def _column(tree: DepTree, column: str) -> Iterator[tuple[str, Any]]:
    values = tree.relations if column == "deprel" else tree.columns[column]
    return ((str(token), Label(value)) for token, value in enumerate(values, start=1))


def _feature(tree: DepTree, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the value of one feature; a token without it is labelled ``_``, as in the file."""
    for token, text in enumerate(tree.columns.get("feats", ()), start=1):
        found = dict(part.partition("=")[::2] for part in text.split("|"))
        yield str(token), Label(found.get(name, "_") or "_")


def _features(trees: Study[Any]) -> set[str]:
    texts = {text for cell in trees.cells.values() for text in cell.value.columns.get("feats", ())}
    return {part.partition("=")[0] for text in texts for part in text.split("|") if "=" in part}


def _edges(tree: DepTree, shown: Callable[[int, str, str], str]) -> Iterator[tuple[str, Any]]:
    for token, text in enumerate(tree.columns["deps"], start=1):
        edges = [part.partition(":") for part in text.split("|") if text != "_"]
        for head, _, _ in edges:
            if not _NODE.fullmatch(head):
                what = f"enhanced dependency {shorten(text)} of token {token} is not HEAD:RELATION"
                raise UnsupportedStudy(what, hint="Mend column 9, or choose another column")
        yield str(token), Tags.of(shown(token, head, label) for head, _, label in edges)
