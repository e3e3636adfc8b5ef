"""How much of every item is contested, by whom and about what: counted once for a whole study.

Places are those of ``contested.disagreements``, but only their numbers are kept. Two coders with other tokens
differ in one place, the item as a whole.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arbitree.adjudication.differences import BRACKET, HEAD, LABEL, NO_BRACKET, TAG
from arbitree.kinds.dependency.places import ABSENT, FORM, NOT_DECIDED, comparable
from arbitree.kinds.dependency.value import DepTree, with_cycles
from arbitree.kinds.labels.value import Label, Tags, ratings
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.phrase.views import phrase_labels, phrase_tags
from arbitree.kinds.treebanking.places import same_outcome
from arbitree.kinds.treebanking.value import OUTCOMES, UNPARSED, Decisions
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING
from arbitree.study.study import Annotation, Study

READING, VALUE = "reading", "value"  # what is contested where a parse was chosen, or anything else said
PHRASE_PARTS = ("words", "labels", "parents")  # what makes trees the same

Said = Sequence[Any]  # what each of the coders who did an item says of a place


class Confused(NamedTuple):
    """Two values that coders give to one place; equal ones where only the heads differ."""

    what: str  # head, label, bracket, tag, or the name of a column
    one: str
    other: str


class Ragged(NamedTuple):
    """Several numbers for every row, in one array."""

    flat: IntArray
    starts: IntArray  # (rows + 1,)

    def of(self, row: int) -> list[int]:
        """Return the numbers of one row."""
        found: list[int] = self.flat[self.starts[row] : self.starts[row + 1]].tolist()
        return found

    def with_any(self, wanted: Iterable[int]) -> NDArray[np.bool_]:
        """Return for every row whether it has one of the numbers that are *wanted*.

        Example:
            >>> Ragged(np.array([4, 7, 7]), np.array([0, 2, 2, 3])).with_any([4]).tolist()
            [True, False, False]
        """
        hits = np.isin(self.flat, np.fromiter(wanted, dtype=np.int64))
        found = np.zeros(len(self.starts) - 1, dtype=bool)
        found[np.searchsorted(self.starts, np.flatnonzero(hits), side="right") - 1] = True
        return found


class Counts(NamedTuple):
    """Numbers by item, in the order of the study."""

    contested: IntArray
    compared: IntArray
    lengths: IntArray  # in tokens, of the first coder who did the item
    done: NDArray[np.bool_]  # (items, coders)
    texts: list[str]
    pairs: Ragged  # of coders who differ; see pair_number
    confused: Ragged  # places in confusions
    confusions: tuple[Confused, ...]
    times: IntArray  # how often each is found; every pair of coders at every place counts once
    whole: frozenset[int]  # rows of items whose coders have other tokens
    to_decide: NDArray[np.bool_]  # what an adjudicator has to look at


def counts_of(study: Study[Any], *, every_column: bool = True, one_root: bool = False) -> Counts:
    """Return what is contested in every item of *study*.

    Args:
        study: of any kind.
        every_column: count the other columns of dependency trees too, as an adjudicator decides on them.
        one_root: have trees with several roots decided, even if all coders have them.
    """
    gathering = _Gathering(study, every_column=every_column, one_root=one_root)
    if study.value_type in (Label, Tags):
        gathering.take_labels()
    else:
        gathering.take_values()
    return gathering.counts()


def pair_number(one: int, other: int, coders: int) -> int:
    """Return the place of two coders, the first before the other, among all pairs.

    Example:
        >>> [pair_number(*pair, 4) for pair in combinations(range(4), 2)]
        [0, 1, 2, 3, 4, 5]
    """
    return one * coders - one * (one + 1) // 2 + other - one - 1


class _Gathering:
    """Counts while they are gathered, item by item."""

    def __init__(self, study: Study[Any], *, every_column: bool, one_root: bool) -> None:
        self.study = study
        self.every_column = every_column
        self.one_root = one_root
        size = len(study.items)
        self.contested, self.compared, self.lengths = (np.zeros(size, dtype=np.int32) for _ in range(3))
        self.done = np.zeros((size, len(study.coders)), dtype=bool)
        self.texts: list[str] = []
        self.numbers: dict[Confused, int] = {}
        self.times = array("q")
        self.pairs, self.confused = (_Flat() for _ in range(2))
        self.whole: set[int] = set()
        self.alone: list[int] = []  # rows with one annotation
        self.trees: dict[int, DepTree] = {}  # by row, those that all coders have
        self.row = 0
        self.who: list[int] = []  # did the item of this row
        self.differ: dict[int, None] = {}  # pairs of coders who do, in this row
        self.found: dict[int, None] = {}  # confusions in this row

    def counts(self) -> Counts:
        to_decide = self.contested > 0
        to_decide[self.alone] = True
        rows = list(self.trees)
        to_decide[[rows[place] for place in with_cycles(list(self.trees.values()))]] = True
        if self.one_root:
            to_decide[[row for row, tree in self.trees.items() if tree.heads.count(0) > 1]] = True
        return Counts(
            self.contested,
            self.compared,
            self.lengths,
            self.done,
            self.texts,
            self.pairs.ragged(),
            self.confused.ragged(),
            tuple(self.numbers),
            np.array(self.times, dtype=np.int64),
            frozenset(self.whole),
            to_decide,
        )

    def take_labels(self) -> None:
        """Count from a table of numbers: there can be millions of labels."""
        found = ratings(self.study)
        names = [str(value) if len(value) else "" for value in found.values]  # an empty set says nothing
        places = {name: place for place, name in enumerate(dict.fromkeys(filter(None, names)))}
        codes = np.array([*(places.get(name, MISSING) for name in names), MISSING])[found.codes]
        self.done = codes != MISSING
        self.lengths[:] = 1
        self.texts = [item.id for item in self.study.items]
        several = self.done.sum(axis=1) > 1
        self.alone = np.flatnonzero(self.done.sum(axis=1) == 1).tolist()
        least = np.where(self.done, codes, len(places)).min(axis=1, initial=len(places))
        self.compared[:] = several
        self.contested[:] = several & (codes.max(axis=1, initial=MISSING) != least)
        shown = list(places)
        for self.row in range(len(codes)):
            if self.contested[self.row]:
                self.who = np.flatnonzero(self.done[self.row]).tolist()
                self._differ(LABEL, [shown[code] for code in codes[self.row, self.who].tolist()])
            self._close()

    def take_values(self) -> None:
        """Count item by item."""
        takers: dict[Any, Callable[[list[Any]], None]] = {
            DepTree: self._dependencies,
            PhraseTree: self._phrases,
            Decisions: self._readings,
        }
        take = takers.get(self.study.value_type, self._others)
        numbers = {coder: number for number, coder in enumerate(self.study.coders)}
        for row, (item, cells) in enumerate(self.study):
            self.row = row
            full = [cell for cell in cells if _said(cell)]
            shown = (full or cells)[:1]
            self.texts.append(" ".join(shown[0].value.tokens) if shown else item.id)
            self.lengths[self.row] = len(shown[0].value) if shown else 0
            self.who = [numbers[cell.coder] for cell in full]
            self.done[row, self.who] = True
            for cell in cells:
                if isinstance(cell.value, Decisions) and cell.value.status == UNPARSED:
                    self.done[row, numbers[cell.coder]] = True  # there was nothing to do
            values = [cell.value for cell in full]
            if len(full or cells) == 1:
                self.alone.append(row)
            if len(values) > 1:
                if self._is_whole(values):
                    self._wholes(values)
                else:
                    take(values)
            self._close()

    def _is_whole(self, values: list[Any]) -> bool:
        """Return whether nothing can be compared place by place: coders have other tokens, or no words."""
        first = values[0]
        if not isinstance(first, DepTree | PhraseTree):
            return False
        if any(len(value) != len(first) for value in values):
            return True
        if not self.every_column:
            return False
        if isinstance(first, DepTree):
            return not comparable(dict(zip(self.study.coders, values, strict=False)))
        return not all(first.tokens) or any(value.tokens != first.tokens for value in values)

    def _wholes(self, values: list[Any]) -> None:
        """Count the item as one place."""
        parts = ("tokens", "heads", "relations") if isinstance(values[0], DepTree) else PHRASE_PARTS
        self._compare(VALUE, [tuple(getattr(value, part) for part in parts) for value in values])
        if self.contested[self.row]:
            self.whole.add(self.row)

    def _dependencies(self, trees: list[DepTree]) -> None:
        heads = [tree.heads for tree in trees]
        relations = [tree.relations for tree in trees]
        if heads.count(heads[0]) < len(heads):
            self._attachments(heads, relations)
        else:
            self.trees[self.row] = trees[0]
        self.compared[self.row] += len(heads[0])
        self._aligned(LABEL, relations)
        for column, said in self._columns(trees) if self.every_column else ():
            self._aligned(column, said)

    def _columns(self, trees: list[DepTree]) -> Iterator[tuple[str, list[Said]]]:
        """Yield what at least two coders say in each of the other columns, with these coders in place."""
        names = dict.fromkeys(name for tree in trees for name in tree.columns if name not in NOT_DECIDED)
        who = self.who
        for name in names:
            rows = [tree.columns.get(name, ()) for tree in trees]
            speak = [place for place, row in enumerate(rows) if any(value != ABSENT for value in row)]
            if len(speak) > 1:
                self.who = [who[place] for place in speak]
                yield name, [rows[place] for place in speak]
        self.who = who
        if any(tree.tokens != trees[0].tokens for tree in trees):
            yield FORM, [tree.tokens for tree in trees]

    def _attachments(self, heads: Sequence[Said], relations: Sequence[Said]) -> None:
        for above, said in zip(zip(*heads, strict=True), zip(*relations, strict=True), strict=True):
            if above.count(above[0]) == len(above):
                continue
            self.contested[self.row] += 1
            for one, other in combinations(range(len(above)), 2):
                if above[one] != above[other]:
                    self._pair(one, other)
                    if said[one] == said[other]:
                        self._confuse(HEAD, said[one], said[one])

    def _aligned(self, what: str, rows: Sequence[Said]) -> None:
        """Count the places where rows of the same length differ."""
        self.compared[self.row] += len(rows[0])
        if rows.count(rows[0]) == len(rows):
            return
        for said in zip(*rows, strict=True):
            if said.count(said[0]) < len(said):
                self.contested[self.row] += 1
                self._differ(what, said)

    def _phrases(self, trees: list[PhraseTree]) -> None:
        same = all((tree.labels, tree.parents) == (trees[0].labels, trees[0].parents) for tree in trees)
        for what, take in ((BRACKET, phrase_labels), (TAG, phrase_tags)):
            said = [dict(take(tree)) for tree in (trees[:1] if same else trees)]
            if same:
                self.compared[self.row] += len(said[0])
                continue
            for name in set().union(*said):
                self._compare(what, [str(own.get(name, NO_BRACKET)) for own in said])

    def _readings(self, values: list[Decisions]) -> None:
        """Count one place for the parse that was chosen: the first coder with the same one stands for it."""
        alike = [
            next(k for k, v in enumerate(values) if v is each or same_outcome(v, each)) for each in values
        ]
        self._compare(READING, alike)

    def _others(self, values: list[Any]) -> None:
        self._compare(VALUE, values)

    def _compare(self, what: str, said: Said) -> None:
        self.compared[self.row] += 1
        if any(value != said[0] for value in said):
            self.contested[self.row] += 1
            self._differ(what, said)

    def _differ(self, what: str, said: Said) -> None:
        for one, other in combinations(range(len(said)), 2):
            if said[one] != said[other]:
                self._pair(one, other)
                if what not in (READING, VALUE):
                    self._confuse(what, said[one], said[other])

    def _pair(self, one: int, other: int) -> None:
        self.differ[pair_number(self.who[one], self.who[other], len(self.study.coders))] = None

    def _confuse(self, what: str, one: str, other: str) -> None:
        found = Confused(what, one, other) if one <= other else Confused(what, other, one)
        number = self.numbers.setdefault(found, len(self.numbers))
        if number == len(self.times):
            self.times.append(0)
        self.times[number] += 1
        self.found[number] = None

    def _close(self) -> None:
        self.pairs.add(self.differ)
        self.confused.add(self.found)
        self.differ.clear()
        self.found.clear()


class _Flat:
    """Rows of numbers while they are gathered."""

    def __init__(self) -> None:
        self.flat = array("i")
        self.starts = array("q", (0,))

    def add(self, row: Iterable[int]) -> None:
        self.flat.extend(row)
        self.starts.append(len(self.flat))

    def ragged(self) -> Ragged:
        return Ragged(np.array(self.flat, dtype=np.int32), np.array(self.starts, dtype=np.int64))


def _said(cell: Annotation[Any]) -> bool:
    """Return whether a coder has done the item: an empty tree and an open profile say nothing."""
    value = cell.value
    if isinstance(value, Decisions):
        return value.status in OUTCOMES
    return len(value) > 0 if hasattr(value, "__len__") else True
