"""Find the items of a study that can be compared, and the reasons why others cannot.

An empty annotation counts as missing (``annotated``), and annotations of one item are
compared token by token if they have equally many tokens (``tokens_match``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, TypeVar

from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, CellTable, Item, Study, Value

V = TypeVar("V", bound=Value)


def annotated(cells: Iterable[Annotation[V]]) -> list[Annotation[V]]:
    """Return the annotations that are not empty."""
    return [cell for cell in cells if len(cell.value)]


def tokens_match(values: Sequence[Value]) -> bool:
    """Return whether annotations of one item can be compared token by token."""
    return len({len(value) for value in values}) < 2


def uneven_items(study: Study[V]) -> list[tuple[Item, list[Annotation[V]]]]:
    """Return the items whose annotations have different numbers of words, without empty annotations."""
    if isinstance(study.cells, CellTable):  # labels, which have no words
        return []
    found = []
    for item, cells in study:
        full = annotated(cells)
        words = [cell.value.tokens for cell in full]
        if len(set(map(len, words))) > 1 and any(map(any, words)):  # leaves of delexicalised trees are empty
            found.append((item, full))
    return found


def unmatched_items(study: Study[V]) -> list[tuple[Item, list[Annotation[V]]]]:
    """Return the items of one annotator that others may have annotated under another id.

    No other annotator has an item of the same cluster: tokens of a sentence that others annotated are not
    under another id. The annotator lacks an item of the same document or a whole document: otherwise, others
    have no item that could be the same one.
    """
    if len(study.coders) < 2:
        return []
    in_document = Counter(item.document for item in study.items)
    own = Counter((cell.coder, item.document) for item, cells in study for cell in cells)
    documents = Counter(coder for coder, _ in own)
    in_cluster: dict[str, set[str]] = {}
    for item, cells in study:
        in_cluster.setdefault(item.cluster, set()).update(cell.coder for cell in cells)

    def lacks(coder: str, document: str) -> bool:
        return own[coder, document] < in_document[document] or documents[coder] < len(in_document)

    return [
        (item, cells)
        for item, cells in study
        if len(cells) == 1 == len(in_cluster[item.cluster]) and lacks(cells[0].coder, item.document)
    ]


Pairable = tuple[list[tuple[Item, list[Annotation[Any]]]], list[Ignored]]


def pairable(study: Study[Any]) -> Pairable:
    """Return the items with at least two annotations that are not empty, and the excluded items.

    An empty annotation counts as missing; it is never a category.
    """
    used, ignored = [], []
    for item, cells in study:
        full = annotated(cells)
        if len(full) >= 2:
            used.append((item, full))
        else:
            ignored.append(too_few(item, cells, full))
    return used, ignored


def pairable_parts(study: Study[Any]) -> Callable[[Study[Any]], Pairable]:
    """Return a function like ``pairable`` for *study* and parts of it, with some of the annotators or items.

    It is fast, because parts look only at pairable items of *study*, and do not list those that they exclude.
    """
    whole = pairable(study)

    def found(part: Study[Any]) -> Pairable:
        if part is study:
            return whole
        coders, items = frozenset(part.coders), frozenset(item.id for item in part.items)
        used = [
            (item, [cell for cell in cells if cell.coder in coders])
            for item, cells in whole[0]
            if item.id in items
        ]
        return [(item, cells) for item, cells in used if len(cells) >= 2], []

    return found


def too_few(item: Item, cells: Sequence[Annotation[Any]], full: Sequence[Annotation[Any]]) -> Ignored:
    """Return the reason to exclude an item: fewer than two of its *cells* are *full*."""
    if len(cells) >= 2:
        kept = {cell.coder for cell in full}
        empty = ", ".join(cell.coder for cell in cells if cell.coder not in kept)
        return Ignored(item.id, "empty_tree", f"empty for {empty}")
    return Ignored(
        item.id, "single_annotation", f"annotated only by {cells[0].coder}" if cells else "no annotations"
    )


def _mismatch(cells: Sequence[Annotation[Any]]) -> Ignored:
    detail = ", ".join(f"{cell.coder} {len(cell.value)} ({cell.source})" for cell in cells)
    return Ignored(cells[0].item.id, "token_mismatch", f"tokens: {detail}")


def length_obstacle(cells: Sequence[Annotation[Any]]) -> Ignored | None:
    """Return the reason to exclude an item if its annotations cannot be compared token by token."""
    return None if tokens_match([cell.value for cell in cells]) else _mismatch(cells)


def pairs_of(
    item: Item, cells: Sequence[Annotation[V]], reference: str | None
) -> list[tuple[Annotation[V], Annotation[V]]] | Ignored:
    """Return the pairs that are compared: all pairs, or the *reference* with each of the others."""
    if reference is None:
        return list(combinations(cells, 2))
    gold = [cell for cell in cells if cell.coder == reference]
    others = [cell for cell in cells if cell.coder != reference]
    if not gold or not others:
        return Ignored(
            item.id,
            "single_annotation",
            "no annotation by the reference" if others else "fewer than 2 annotations",
        )
    return [(gold[0], other) for other in others]


def cluster_positions(study: Study[Any]) -> dict[str, int]:
    """Return the column of every cluster in the weights."""
    return {cluster: place for place, cluster in enumerate(study.clusters)}


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of positions of a longest common subsequence of two sentences.

    Example:
        >>> common_subsequence("to day we sail".split(), "today we sail".split())
        [(2, 1), (3, 2)]
    """
    table = _growth(first, second)
    i = j = 0
    found = []
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif table[j] >> (len(first) - 1 - i) & 1:
            i += 1
        else:
            j += 1
    return found


def _growth(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Return bits that are 0 where the first of the remaining words makes a longest subsequence longer.

    The number at j is about second[j:]. For n words of *first*, its bit n - 1 - i is 0 if first[i:] has a
    longer subsequence in common with it than first[i + 1:].

    Reference:
        Hyyrö (2004), Bit-parallel LCS-length computation revisited.
    """
    places: dict[str, int] = {}
    for place, word in enumerate(reversed(first)):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(first)) - 1
    bits = every
    table = []
    for word in reversed(second):
        met = bits & places.get(word, 0)
        bits = ((bits + met) | (bits - met)) & every
        table.append(bits)
    return table[::-1]


def shared_positions(versions: Sequence[Sequence[str]]) -> list[tuple[int, ...]]:
    """Return the positions of the words that all versions share, in each version.

    Example:
        >>> shared_positions([["a", "b", "c"], ["a", "x", "b", "c"]])
        [(0, 1, 2), (0, 2, 3)]
    """
    maps = [dict(common_subsequence(versions[0], other)) for other in versions]
    shared = [word for word in maps[0] if all(word in each for each in maps)]
    return [tuple([each[word] for word in shared]) for each in maps]
