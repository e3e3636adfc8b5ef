"""Count the disagreements of every item, by pair of annotators and by kind of value, once per study.

Only the numbers of places are kept. Two coders with other tokens differ in one place, the item as a whole.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arbitree.adjudication.places import Coded, Said, V
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind

VALUE = "value"  # what is contested where annotations are compared as wholes


class ConfusedPair(NamedTuple):
    """A pair of values that annotators give to one place; equal if only the heads differ."""

    what: str  # head, label, bracket, tag, or the name of a column
    one: str
    other: str


class Ragged(NamedTuple):
    """A variable number of integers per row, in one array."""

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


class ContestedCounts(NamedTuple):
    """Counts by item, in the order of the study."""

    contested: IntArray
    compared: IntArray
    lengths: IntArray  # in tokens, of the first coder who did the item
    done: NDArray[np.bool_]  # (items, coders)
    texts: list[str]
    pairs: Ragged  # of coders who differ; see pair_number
    confused: Ragged  # places in confusions
    confusions: tuple[ConfusedPair, ...]
    times: IntArray  # how often each is found; every pair of coders at every place counts once
    whole: frozenset[int]  # rows of items whose coders have other tokens
    to_decide: NDArray[np.bool_]  # what an adjudicator has to look at


def counts_of(study: Study[V], kind: Kind[V], *, one_root: bool = False) -> ContestedCounts:
    """Return the counts of disagreements in every item of *study*.

    Args:
        study: of any kind.
        kind: of its annotations.
        one_root: have trees with several roots decided, even if all coders have them.
    """
    gathering = _Gathering(study, kind)
    coded = gathering.places.coded(study) if gathering.places else None
    if coded is None:
        gathering.take_values(one_root)
    else:
        gathering.take_coded(coded)
    return gathering.counts()


def pair_number(one: int, other: int, coders: int) -> int:
    """Return the index of a pair of annotators, the first before the second, among all pairs.

    Example:
        >>> [pair_number(*pair, 4) for pair in combinations(range(4), 2)]
        [0, 1, 2, 3, 4, 5]
    """
    return one * coders - one * (one + 1) // 2 + other - one - 1


class _Gathering(Generic[V]):
    """Collects counts item by item."""

    def __init__(self, study: Study[V], kind: Kind[V]) -> None:
        self.study = study
        self.kind = kind
        self.places = kind.places
        size = len(study.items)
        self.contested, self.compared, self.lengths = (np.zeros(size, dtype=np.int32) for _ in range(3))
        self.done = np.zeros((size, len(study.coders)), dtype=bool)
        self.texts: list[str] = []
        self.numbers: dict[ConfusedPair, int] = {}
        self.times = array("q")
        self.pairs, self.confused = (_Flat() for _ in range(2))
        self.whole: set[int] = set()
        self.to_decide: list[int] = []  # rows with one annotation, and those on which all agree but must not
        self.row = 0
        self.who: list[int] = []  # did the item of this row
        self.differ: dict[int, None] = {}  # pairs of coders who do, in this row
        self.found: dict[int, None] = {}  # confusions in this row

    def counts(self) -> ContestedCounts:
        to_decide = self.contested > 0
        to_decide[self.to_decide] = True
        return ContestedCounts(
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

    def take_coded(self, coded: Coded) -> None:
        """Count from a table of codes, which is fast enough for millions of items with one place each."""
        what, codes, names = coded
        self.done = codes != MISSING
        self.lengths[:] = 1
        self.texts = [self.study.texts.main(item.id) or item.id for item in self.study.items]
        several = self.done.sum(axis=1) > 1
        self.to_decide = np.flatnonzero(self.done.sum(axis=1) == 1).tolist()
        least = np.where(self.done, codes, len(names)).min(axis=1, initial=len(names))
        self.compared[:] = several
        self.contested[:] = several & (codes.max(axis=1, initial=MISSING) != least)
        for self.row in range(len(codes)):
            if self.contested[self.row]:
                self.who = np.flatnonzero(self.done[self.row]).tolist()
                said = [names[code] for code in codes[self.row, self.who].tolist()]
                self._differ(what, said, self.who)
            self._close()

    def take_values(self, one_root: bool) -> None:
        """Count item by item."""
        places = self.places
        numbers = {coder: number for number, coder in enumerate(self.study.coders)}
        agreed: dict[int, V] = {}  # by row, the annotations of items that all coders annotate alike
        for row, (item, cells) in enumerate(self.study):
            self.row = row
            full = [cell for cell in cells if self.kind.done(cell.value)]
            shown = (full or cells)[:1]
            self.texts.append(" ".join(shown[0].value.tokens) if shown else item.id)
            self.lengths[row] = len(shown[0].value) if shown else 0
            self.who = [numbers[cell.coder] for cell in full]
            self.done[row, self.who] = True
            if places is not None and len(full) < len(cells):
                self.done[row, [numbers[cell.coder] for cell in cells if places.idle(cell.value)]] = True
            values = [cell.value for cell in full]
            if len(full or cells) == 1:
                self.to_decide.append(row)
            if len(values) > 1:
                self._compare(values)
                if not self.contested[row]:
                    agreed[row] = values[0]
            self._close()
        if places is not None:
            rows = list(agreed)
            faulty = places.faulty(list(agreed.values()), one_root=one_root)
            self.to_decide += [rows[place] for place in faulty]

    def _compare(self, values: list[V]) -> None:
        compared = None if self.places is None else self.places.compare(values)
        if compared is None:
            rows = [(self.kind.content(each),) for each in values]
            compared = (Said(VALUE, ("",), rows, confused=False),)
            words = {each.tokens for each in values}
            if self.places is not None and len(words) > 1 and any(map(any, words)):  # delexicalised: no words
                self.whole.add(self.row)
        size = contested = 0
        for each in compared:
            size += len(each.names)
            contested += 0 if each.agreed else self._take(each)
        self.compared[self.row], self.contested[self.row] = size, contested

    def _take(self, compared: Said) -> int:
        """Take the places of one sort on which coders differ; return how many there are."""
        who = self.who if compared.who is None else [self.who[place] for place in compared.who]
        count = 0
        for number, said in compared.differing():
            count += 1
            under = None if compared.under is None else [row[number] for row in compared.under]
            self._differ(compared.what if compared.confused else "", said, who, under)
        return count

    def _differ(
        self, what: str, said: Sequence[Any], who: Sequence[int], under: Sequence[str] | None = None
    ) -> None:
        """Take one place; *what* is "" if it has no confusions."""
        for one, other in combinations(range(len(said)), 2):
            if said[one] != said[other]:
                self.differ[pair_number(who[one], who[other], len(self.study.coders))] = None
                if under is not None:
                    if under[one] == under[other]:
                        self._confuse(what, under[one], under[one])
                elif what:
                    self._confuse(what, said[one], said[other])

    def _confuse(self, what: str, one: str, other: str) -> None:
        found = ConfusedPair(what, one, other) if one <= other else ConfusedPair(what, other, one)
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
    """Collects rows of integers."""

    def __init__(self) -> None:
        self.flat = array("i")
        self.starts = array("q", (0,))

    def add(self, row: Iterable[int]) -> None:
        self.flat.extend(row)
        self.starts.append(len(self.flat))

    def ragged(self) -> Ragged:
        return Ragged(np.array(self.flat, dtype=np.int32), np.array(self.starts, dtype=np.int64))
