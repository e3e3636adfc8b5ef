"""Index the items of a study, so that they can be listed, searched and sorted without reading the trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arbitree.adjudication.item_counts import ContestedCounts, counts_of, pair_number
from arbitree.adjudication.places import V
from arbitree.errors import UnknownName
from arbitree.plugins import check_name
from arbitree.study.flat_tree import IntArray
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind

AGREED, CONTESTED, INCOMPLETE = "agreed", "contested", "incomplete"
STATES = (AGREED, CONTESTED, INCOMPLETE)
SORTS = ("disagreement", "contested", "length", "order")

Mask = NDArray[np.bool_]


class IndexRow(NamedTuple):
    """One item."""

    number: int  # from 1, in the order of the study
    id: str
    document: str
    text: str
    length: int
    state: str
    contested: int  # places
    compared: int
    disagreement: float  # contested of compared; 0 where nothing was compared
    pairs: tuple[tuple[str, str], ...]  # of coders who differ
    labels: tuple[str, ...]  # in what they differ on
    coders: tuple[str, ...]  # who did it
    whole: bool  # coders have other tokens: the item is one place


class Frequent(NamedTuple):
    """A pair of confused values."""

    what: str
    one: str
    other: str
    times: int  # every pair of coders at every place counts once
    items: int


@dataclass(frozen=True)
class Index:
    """The items of a study, by number.

    Example:
        >>> from arbitree import kinds, read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
        >>> index = index_of(study, kinds.of(study))
        >>> worst = index[index.find()[0]]
        >>> worst.state, worst.contested > 0, worst.pairs
        ('contested', True, (('ann', 'bob'),))
    """

    coders: tuple[str, ...]
    ids: tuple[str, ...]
    documents: tuple[str, ...]
    document: IntArray  # of every item, its place in documents
    counts: ContestedCounts

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, number: int) -> IndexRow:
        if not 0 < number <= len(self.ids):
            raise UnknownName(
                f"item {number} does not exist", hint=f"Pass a number from 1 to {len(self.ids)}"
            )
        row, counts = number - 1, self.counts
        contested, compared = int(counts.contested[row]), int(counts.compared[row])
        found = [counts.confusions[k] for k in counts.confused.of(row)]
        return IndexRow(
            number=number,
            id=self.ids[row],
            document=self.documents[self.document[row]],
            text=counts.texts[row],
            length=int(counts.lengths[row]),
            state=STATES[self.states[row]],
            contested=contested,
            compared=compared,
            disagreement=contested / compared if compared else 0.0,
            pairs=tuple(self._pairs[k] for k in counts.pairs.of(row)),
            labels=tuple(dict.fromkeys(name for each in found for name in (each.one, each.other))),
            coders=tuple(self.coders[k] for k in np.flatnonzero(counts.done[row]).tolist()),
            whole=row in counts.whole,
        )

    @property
    def to_decide(self) -> Mask:
        """Whether each item needs a decision: contested, annotated by one annotator only, or not a tree."""
        return self.counts.to_decide

    @cached_property
    def states(self) -> IntArray:
        """The state of every item, as an index into STATES; contested if any two annotators differ."""
        done = self.counts.done.all(axis=1) & (self.counts.done.sum(axis=1) > 1)  # one alone cannot agree
        return np.where(self.counts.contested > 0, 1, np.where(done, 0, 2)).astype(np.int32)

    @cached_property
    def words(self) -> list[str]:
        """The name of the state of every item."""
        return [STATES[state] for state in self.states.tolist()]

    @cached_property
    def disagreement(self) -> NDArray[np.float64]:
        """The share of contested places of every item."""
        compared = np.maximum(self.counts.compared, 1)
        return np.asarray(self.counts.contested / compared, dtype=np.float64)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All values involved in disagreements, those in most items first."""
        found: Counter[str] = Counter()
        for each, items in zip(self.counts.confusions, self._spread, strict=True):
            found.update(dict.fromkeys({each.one, each.other}, items))
        return tuple(name for name, _ in sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))

    @cached_property
    def confusions(self) -> tuple[Frequent, ...]:
        """The confusions, the most frequent first."""
        rows = zip(self.counts.confusions, self.counts.times.tolist(), self._spread, strict=True)
        found = [Frequent(*each, count, items) for each, count, items in rows if each.one != each.other]
        return tuple(sorted(found, key=lambda each: (-each.times, each.what, each.one, each.other)))

    def tally(self) -> dict[str, int]:
        """Return the number of items in each state."""
        counted = np.bincount(self.states, minlength=len(STATES)).tolist()
        return dict(zip(STATES, counted, strict=True))

    def by_document(self) -> list[tuple[str, int, int, int]]:
        """Return the numbers of items, contested items and contested places of every document."""
        size = len(self.documents)
        items = np.bincount(self.document, minlength=size)
        contested = np.bincount(self.document, self.states == 1, size)
        places = np.bincount(self.document, self.counts.contested, size)
        rows = zip(self.documents, items.tolist(), contested.tolist(), places.tolist(), strict=True)
        return [(name, all_, int(some), int(count)) for name, all_, some, count in rows]

    @property
    def uneven(self) -> list[int]:
        """The numbers of the items whose tokens differ."""
        return sorted(row + 1 for row in self.counts.whole)

    def find(
        self,
        sort: str = "disagreement",
        *,
        pair: tuple[str, str] | None = None,
        label: str | None = None,
        other: str | None = None,
        document: str | None = None,
        text: str | None = None,
        items: Collection[str] | None = None,
    ) -> IntArray:
        """Return the numbers of the matching items, sorted.

        Args:
            sort: ``disagreement`` (the largest share of contested places first), ``contested`` (most places
                first), ``length`` (the longest first) or ``order``, that of the study.
            pair: two coders who differ.
            label: that somebody gives to a contested place.
            other: that somebody else gives to the same place.
            document: by its name.
            text: part of the words or of the id, however it is capitalised.
            items: ids to choose from.
        """
        check_name(sort, SORTS, "sort value")
        kept: Mask = np.ones(len(self), dtype=bool)
        if pair is not None:
            kept &= self.counts.pairs.with_any([self._pair(pair)])
        if label is not None or other is not None:
            kept &= self.counts.confused.with_any(self._confusing(label, other))
        if document is not None:
            check_name(document, self.documents, "document")
            kept &= self.document == self.documents.index(document)
        if items is not None:
            kept &= np.fromiter((name in items for name in self.ids), dtype=bool, count=len(self))
        if text:
            wanted = text.casefold()
            for row in np.flatnonzero(kept).tolist():
                kept[row] = wanted in self._folded[row]
        order = self._orders[sort]
        return order if kept.all() else order[kept[order - 1]]

    @cached_property
    def _orders(self) -> dict[str, IntArray]:
        """The numbers of all items in every sort order; ties keep the order of the study.

        Items whose tokens differ come last if disagreements decide, because they have no disagreements to
        count.
        """
        even = np.ones(len(self), dtype=bool)
        even[list(self.counts.whole)] = False
        shares, places = np.where(even, self.disagreement, -1), np.where(even, self.counts.contested, -1)
        keys = (shares, places, self.counts.lengths, np.zeros(len(self)))
        found = [np.argsort(-key.astype(np.float64), kind="stable") + 1 for key in keys]
        return {sort: order.astype(np.int32) for sort, order in zip(SORTS, found, strict=True)}

    def _pair(self, pair: tuple[str, str]) -> int:
        for coder in pair:
            check_name(coder, self.coders, "annotator")
        one, other = sorted(map(self.coders.index, pair))
        if one == other:
            what = "a pair consists of two different annotators"
            raise UnknownName(what, hint=f"Choose two of {', '.join(self.coders)}")
        return pair_number(one, other, len(self.coders))

    def _confusing(self, label: str | None, other: str | None) -> list[int]:
        """Return the confusions that involve the label, or both labels."""
        wanted = sorted(name for name in (label, other) if name is not None)
        return [
            place
            for place, each in enumerate(self.counts.confusions)
            if wanted == sorted((each.one, each.other)) or (len(wanted) == 1 and wanted[0] in each[1:])
        ]

    @cached_property
    def _pairs(self) -> Sequence[tuple[str, str]]:
        return list(combinations(self.coders, 2))

    @cached_property
    def _spread(self) -> list[int]:
        """The number of items in which each confusion occurs."""
        found: list[int] = np.bincount(
            self.counts.confused.flat, minlength=len(self.counts.confusions)
        ).tolist()
        return found

    @cached_property
    def _folded(self) -> list[str]:
        # A line break keeps a search from going on from the words into the id: no token has one.
        return [
            f"{text}\n{name}".casefold() if text != name else text.casefold()
            for text, name in zip(self.counts.texts, self.ids, strict=True)
        ]


def index_of(study: Study[V], kind: Kind[V], *, one_root: bool = False) -> Index:
    """Return the index of *study*.

    Args:
        study: of any kind.
        kind: of its annotations.
        one_root: have trees with several roots decided, even if all coders have them.
    """
    documents = {name: place for place, name in enumerate(study.documents)}
    return Index(
        coders=study.coders,
        ids=tuple(item.id for item in study.items),
        documents=study.documents,
        document=np.array([documents[item.document] for item in study.items], dtype=np.int32),
        counts=counts_of(study, kind, one_root=one_root),
    )
