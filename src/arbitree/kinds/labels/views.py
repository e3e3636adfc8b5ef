"""Derive studies of labels from other studies: labels of trees, and one label against all others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from arbitree.errors import UnsupportedStudy
from arbitree.kinds.kind import PartStudy
from arbitree.kinds.labels.value import Label, Tags, in_order, ratings
from arbitree.study.comparable import annotated, tokens_match
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING, Grid
from arbitree.study.study import Annotation, Item, Study

Taken = Iterable[tuple[str, Label | Tags]]  # name and label of every part of one tree
Take = Callable[[Any], Taken]


def labels_in(trees: Study[Any], column: str, take: Take, *, same_length: bool = True) -> Study[Any]:
    """Return the study of the labels that *take* extracts from all trees; sentences are the clusters.

    Args:
        trees: A study of trees of any kind.
        column: Name of the labels in messages.
        take: Function that returns the labels of one tree by token or phrase.
        same_length: Exclude sentences in which annotators differ in the number of tokens; the notes
            contain their number.
    Returns:
        A study with one item per token or phrase.
    """
    rows: dict[str, tuple[Item, list[Any]]] = {}
    skipped = []
    for item, cells in trees:
        full = annotated(cells)
        if same_length and not tokens_match([cell.value for cell in full]):
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
            f"no tree has a value in the column {column!r}", hint="Choose another column with --column"
        )
    study = _study(trees, list(rows.values()), _note(skipped))
    return replace(study, settings=(f"column:{column}", *study.settings))


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
    return Study(items, trees.coders, cells, trees.reference, (*trees.notes, *notes), trees.settings)


def _place(cell: Annotation[Any]) -> tuple[str, int]:
    return (cell.source.path, cell.source.line) if cell.source else ("", 0)


def _note(skipped: list[str]) -> tuple[str, ...]:
    if not skipped:
        return ()
    sentences = "1 sentence is" if len(skipped) == 1 else f"{len(skipped)} sentences are"
    return (f"{sentences} excluded: annotators differ in the number of tokens (first: {skipped[0]!r})",)


def one_against_all(study: Study[Any]) -> Iterator[PartStudy]:
    """Yield the study of each label against all others, the most frequent label first.

    A set of tags has a label if it contains the tag. The specific agreement on a label is the probability
    that a second annotator gives it if one annotator did.
    """
    found = ratings(study)
    names = [str(value) for value in found.values]
    if study.value_type is Tags:
        names = sorted({tag for value in found.values for tag in value.tags})
    has = np.array([[name in value.tags for value in found.values] for name in names], dtype=np.int32)
    said = found.codes >= 0
    total = int(np.count_nonzero(said))
    shares = (has @ np.bincount(found.codes[said], minlength=len(found.values)) / max(total, 1)).tolist()
    for place in sorted(range(len(names)), key=lambda place: -shares[place]):
        codes = np.where(said, has[place][found.codes], np.int32(-1))
        details = {"specific": _specific(codes), "share": shares[place]}
        cells = Grid(study.items, study.coders, codes, (Label("0"), Label("1")))
        yield PartStudy(names[place], replace(study, cells=cells), details)


def _specific(codes: IntArray) -> float | None:
    given, own = (codes >= 0).sum(axis=1), (codes == 1).sum(axis=1)
    pairable = given > 1
    total = float(own[pairable].sum())
    agreed = float((own[pairable] * (own[pairable] - 1) / (given[pairable] - 1)).sum())
    return agreed / total if total else None
