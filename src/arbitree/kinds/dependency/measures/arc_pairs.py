"""The arcs of pairs of dependency trees as flat arrays: the statistics that all dependency metrics share.

The tokens of all annotations are concatenated once. A pair of trees is then a range of tokens on each side.
Token indices run over all pairs, so a head is an index too, and metrics are a few lines of array arithmetic.
The first tree of a pair is called gold, the second other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.kinds.dependency.graph import ROOT
from arbitree.kinds.dependency.measures.word_alignment import align
from arbitree.kinds.dependency.measures.word_classes import PUNCTUATION, TagSet, is_punctuation, universal
from arbitree.kinds.dependency.value import DepTree
from arbitree.measures.measure import FloatArray, Statistics
from arbitree.measures.ratio import Compared
from arbitree.plugins import check_name
from arbitree.study.comparable import cluster_positions, length_obstacle, pairable, pairable_parts, pairs_of
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Item, Study

POLICIES = ("score-all", "skip-form", "remove-node")
SUBTYPES = ("keep", "strip")

# Two trees, and the words that meet; None: they have as many words, and meet in order.
Pair = tuple[DepTree, DepTree, list[tuple[int, int]] | None]
Candidates = list[tuple[Item, list[Annotation[DepTree]]]]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

BY_FORM = TagSet(("form",))  # punctuation is judged by the form, as under skip-form

ASTRAY = -2  # as a head: a word without a partner, or one that a cycle keeps from having a head
ABSENT = -3  # of a word that has no partner itself


@dataclass(frozen=True, slots=True)
class Words:
    """One side of all pairs, token by token."""

    heads: Ints  # places on this side, or ROOT or ASTRAY
    labels: Ints  # numbers of relations
    tags: Ints  # numbers of parts of speech
    marks: Bools  # punctuation by the form (skip-form) or by the part of speech
    pair: Ints  # the pair of every token
    partner: Ints  # the place of the word that it meets on the other side, or ABSENT
    scored: Bools  # whether it counts as a dependent
    trees: tuple[DepTree, ...]  # of every pair, as they were read
    places: Ints  # of every token within its tree, from 0

    def __len__(self) -> int:
        return len(self.heads)


@dataclass(frozen=True, slots=True)
class Arcs:
    """Both sides of all pairs, and the other side's arcs in token indices of the gold side."""

    gold: Words
    other: Words
    heads: Ints  # (gold tokens,) the head that the other tree gives, as a place of gold
    labels: Ints  # (gold tokens,) the relation that the other tree gives, or ABSENT
    labelled: tuple[str, ...]  # relations by number
    tagged: tuple[str, ...]  # parts of speech by number
    whole: Bools  # (pairs,) whether both sides have the same words
    item: Ints  # (pairs,)
    share: FloatArray  # (items,) one over the number of pairs of an item
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return the result of *make*, computed once per *name*."""
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]

    def per_item(self, values: Any, words: Words | None = None) -> FloatArray:
        """Return the mean over the pairs of every item of the sums of *values* over tokens."""
        pair = (words or self.gold).pair
        return self.per_item_of_pairs(np.bincount(pair, values, minlength=len(self.item)))

    def per_item_of_pairs(self, values: Any) -> FloatArray:
        """Return the mean of *values* over the pairs of every item."""
        found: FloatArray = np.bincount(self.item, values, minlength=len(self.share)) * self.share
        return found


@dataclass(frozen=True, slots=True)
class ArcPolicy:
    """How arcs are built: the treatment of punctuation and of relation subtypes."""

    punctuation: str = "score-all"
    subtypes: str = "keep"
    marks: TagSet = PUNCTUATION

    def __post_init__(self) -> None:
        check_name(self.punctuation, POLICIES, "punctuation value")
        check_name(self.subtypes, SUBTYPES, "subtypes value")

    def arcs(self, pairs: Sequence[Pair], counts: Sequence[int]) -> Arcs:
        """Return the arcs of *pairs*; *counts* is the number of pairs of each item."""
        meetings = [met for _, _, met in pairs]
        firsts, seconds = [first for first, _, _ in pairs], [second for _, second, _ in pairs]
        tokens = self._tokens([*firsts, *seconds])
        partner, back = _partners(pairs)
        gold, other = self._words(firsts, tokens, partner), self._words(seconds, tokens, back)
        other = _judged_by(gold, other, skip=self.punctuation == "skip-form")
        if self.punctuation == "remove-node":
            gold, other = restricted(gold, other, ~gold.marks, ~other.marks)
        heads, labels = _told(gold, other)
        per_item = np.array(counts, dtype=np.float64)
        return Arcs(
            gold=gold,
            other=other,
            heads=heads,
            labels=labels,
            labelled=tokens.relations,
            tagged=tokens.parts_of_speech,
            whole=np.array([met is None for met in meetings], dtype=bool),
            item=np.repeat(np.arange(len(counts)), counts),
            share=1 / per_item,
        )

    def _words(self, trees: Sequence[DepTree], tokens: _Tokens, partner: Ints) -> Words:
        numbers = np.array([tokens.numbers[id(tree)] for tree in trees], dtype=np.intp)
        sizes = tokens.sizes[numbers]
        begin = np.repeat(np.cumsum(sizes) - sizes, sizes)
        places = np.arange(int(sizes.sum())) - begin
        which = np.repeat(tokens.starts[numbers], sizes) + places
        local, marks = tokens.heads[which], tokens.marks[which]
        return Words(
            heads=np.where(local == 0, ROOT, local - 1 + begin),
            labels=tokens.labels[which],
            tags=tokens.tags[which],
            marks=marks,
            pair=np.repeat(np.arange(len(trees)), sizes),
            partner=partner,
            scored=~marks if self.punctuation == "skip-form" else np.ones(len(which), dtype=bool),
            trees=tuple(trees),
            places=places,
        )

    def _tokens(self, trees: Sequence[DepTree]) -> _Tokens:
        """Return the tokens of *trees*; a tree that occurs in several pairs is read once."""
        known = {id(tree): tree for tree in trees}
        distinct = list(known.values())
        sizes = np.array([len(tree.heads) for tree in distinct], dtype=np.intp)
        total = int(sizes.sum())
        relations: Iterable[str] = chain.from_iterable(tree.relations for tree in distinct)
        if self.subtypes == "strip":
            relations = map(universal, relations)
        labelled, tagged = _Numbers(), _Numbers()
        tags = tagged.of(chain.from_iterable(map(coarse_tags, distinct)), total)
        heads = chain.from_iterable(tree.heads for tree in distinct)
        return _Tokens(
            numbers=dict(zip(known, range(len(known)), strict=True)),
            sizes=sizes,
            starts=np.cumsum(sizes) - sizes,
            heads=np.fromiter(heads, dtype=np.intp, count=total),
            labels=labelled.of(relations, total),
            tags=tags,
            marks=self._marked(distinct, tags, tagged),
            relations=tuple(labelled),
            parts_of_speech=tuple(tagged),
        )

    def _marked(self, trees: Sequence[DepTree], tags: Ints, names: _Numbers) -> Bools:
        """Return which words are punctuation, by part of speech, or by form if there is none."""
        if self.punctuation != "skip-form" and self.marks != BY_FORM:
            found: Bools = self.marks.among(list(names))[tags]
            if "_" not in names:
                return found
            bare = tags == names["_"]
        else:
            found, bare = np.zeros(len(tags), dtype=bool), np.ones(len(tags), dtype=bool)
        forms = list(chain.from_iterable(tree.tokens for tree in trees))
        places = np.flatnonzero(bare)
        found[places] = [is_punctuation(forms[place]) for place in places.tolist()]
        return found


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The tokens of different trees, one tree after the other."""

    numbers: dict[int, int]  # of the trees, by their identity
    sizes: Ints  # (trees,) tokens
    starts: Ints  # (trees,) the first token
    heads: Ints  # (tokens,) as annotated: from 1, and 0 for the root
    labels: Ints  # (tokens,) numbers of relations
    tags: Ints  # (tokens,) numbers of parts of speech
    marks: Bools  # (tokens,) punctuation
    relations: tuple[str, ...]  # by number
    parts_of_speech: tuple[str, ...]  # by number


class _Numbers(dict[str, int]):
    """Numbers for names, in order of first occurrence."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number

    def of(self, names: Iterable[str], total: int) -> Ints:
        """Return the numbers of *names*."""
        return np.fromiter(map(self.__getitem__, names), dtype=np.intp, count=total)


def coarse_tags(tree: DepTree) -> tuple[str, ...]:
    """Return the parts of speech of *tree*: universal ones, or the coarse ones of CoNLL-X; else ``_``."""
    columns = tree.columns
    return columns.get("upos") or columns.get("cpostag") or ("_",) * len(tree)


def _partners(pairs: Sequence[Pair]) -> tuple[Ints, Ints]:
    """Return the index of the aligned word for every word of both sides."""
    if all(met is None for _, _, met in pairs):
        same = np.arange(sum(len(first.heads) for first, _, _ in pairs))
        return same, same
    forth: list[int] = []
    back: list[int] = []
    for first, second, met in pairs:
        here, there = len(forth), len(back)
        forth += [ABSENT] * len(first)
        back += [ABSENT] * len(second)
        for i, j in met if met is not None else zip(range(len(first)), range(len(second)), strict=True):
            forth[here + i], back[there + j] = there + j, here + i
    return np.array(forth, dtype=np.intp), np.array(back, dtype=np.intp)


def _told(gold: Words, other: Words) -> tuple[Ints, Ints]:
    """Return the other side's head and relation of every gold word, in token indices of the gold side."""
    there = gold.partner >= 0
    partner = gold.partner[there]
    heads = np.full(len(gold), ABSENT, dtype=np.intp)
    labels = np.full(len(gold), ABSENT, dtype=np.intp)
    labels[there] = other.labels[partner]
    theirs = other.heads[partner]
    inside = theirs >= 0
    told = theirs.copy()
    told[inside] = other.partner[theirs[inside]]
    told[told == ABSENT] = ASTRAY
    heads[there] = told
    return heads, labels


def _judged_by(gold: Words, other: Words, *, skip: bool) -> Words:
    """Return the other side with the punctuation marks of the gold side."""
    marks = other.marks.copy()
    met = other.partner >= 0
    marks[met] = gold.marks[other.partner[met]]
    return replace(other, marks=marks, scored=~marks if skip else other.scored)


def restricted(gold: Words, other: Words, ours: Bools, theirs: Bools) -> tuple[Words, Words]:
    """Return both sides with the words *ours* and *theirs* only; dependents of the others climb."""
    return _kept(gold, ours, theirs), _kept(other, theirs, ours)


def _kept(words: Words, keep: Bools, partners: Bools) -> Words:
    heads = words.heads.copy()
    lost = np.flatnonzero((heads >= 0) & ~keep[heads])
    for _ in range(int(np.bincount(words.pair).max(initial=0))):
        if not len(lost):
            break
        heads[lost] = words.heads[heads[lost]]
        lost = lost[(heads[lost] >= 0) & ~keep[heads[lost]]]
    heads[lost] = ASTRAY  # a cycle of punctuation alone
    place = np.cumsum(keep) - 1
    place_of_partner = np.cumsum(partners) - 1
    heads = np.where(heads >= 0, place[heads], heads)[keep]
    partner = words.partner[keep]
    partner = np.where(partner >= 0, place_of_partner[partner], partner)
    return replace(
        words,
        heads=heads,
        labels=words.labels[keep],
        tags=words.tags[keep],
        marks=np.zeros(int(keep.sum()), dtype=bool),
        pair=words.pair[keep],
        partner=partner,
        scored=np.ones(int(keep.sum()), dtype=bool),
        places=words.places[keep],
    )


BLOCK = 4_000_000  # tokens of pairs that are held in arrays at once


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcStatistics(Compared):
    """The pairs of trees and their arcs, which are built on demand.

    In studies without a reference, asymmetric metrics use the arcs in both orders. With many annotators there
    are many pairs, so their arcs are built block by block, and again for every metric.
    """

    policy: ArcPolicy
    pairs: tuple[tuple[Pair, ...], ...]  # of every item
    bounds: tuple[int, ...]  # where blocks of items begin, and the end of the last
    directed: bool  # the study has a reference
    aligned: bool = False  # some words differ and are aligned
    made: dict[bool, Arcs] = field(default_factory=dict, compare=False, repr=False)

    @property
    def forward(self) -> Arcs:
        """The arcs of all pairs in their order."""
        return self._whole(turned=False)

    def blocks(self, *, symmetric: bool) -> Iterator[tuple[Arcs, ...]]:
        """Yield the arcs of items block by block, in the orders to average over."""
        orders = (False,) if self.directed or symmetric else (False, True)
        if len(self.bounds) <= 2:
            yield tuple(self._whole(turned=order) for order in orders)
            return
        for first, last in pairwise(self.bounds):
            yield tuple(self._arcs(self.pairs[first:last], turned=order) for order in orders)

    def _whole(self, *, turned: bool) -> Arcs:
        if turned not in self.made:
            self.made[turned] = self._arcs(self.pairs, turned=turned)
        return self.made[turned]

    def _arcs(self, pairs: Sequence[tuple[Pair, ...]], *, turned: bool) -> Arcs:
        flat = [pair for own in pairs for pair in own]
        if turned:  # there is no reference then, and words are aligned in order
            flat = [(second, first, None) for first, second, _ in flat]
        return self.policy.arcs(flat, [len(own) for own in pairs])


def _bounds(pairs: Sequence[tuple[Pair, ...]]) -> tuple[int, ...]:
    """Return the start of each block of items, and the end of the last block."""
    bounds, size = [0], 0
    for place, own in enumerate(pairs):
        if size > BLOCK:
            bounds.append(place)
            size = 0
        size += len(own) * len(own[0][0].heads)
    return (*bounds, len(pairs))


@dataclass(frozen=True, slots=True)
class ArcPairs(Statistics[ArcStatistics]):
    """Recipe for the arcs of pairs of trees under a policy."""

    serial: ClassVar[bool] = True

    policy: ArcPolicy

    def prepare(self, study: Study[DepTree], run: Run) -> ArcStatistics:
        """Pair the trees of *study*; this is fast, so *run* is not used."""
        return self._paired(study, *pairable(study))

    def parts(self, study: Study[DepTree], run: Run) -> Callable[[Study[DepTree]], ArcStatistics]:
        """Return a function that pairs the trees of parts of *study*."""
        items = pairable_parts(study)
        return lambda part: self._paired(part, *items(part))

    def _paired(
        self, study: Study[DepTree], candidates: Candidates, excluded: list[Ignored]
    ) -> ArcStatistics:
        ignored = [*excluded]
        used: list[Item] = []
        pairs: list[tuple[Pair, ...]] = []
        for item, cells in candidates:
            found = _pairs(item, cells, study.reference)
            if isinstance(found, Ignored):
                ignored.append(found)
            else:
                used.append(item)
                pairs.append(tuple(found))
        places = cluster_positions(study)
        aligned = sum(any(met is not None for _, _, met in own) for own in pairs)
        note = (
            f"{aligned} of {len(used)} sentences have different tokens; "
            "they are aligned by characters and scored as F1"
        )
        return ArcStatistics(
            policy=self.policy,
            pairs=tuple(pairs),
            bounds=_bounds(pairs),
            directed=study.reference is not None,
            aligned=aligned > 0,
            columns=np.array([places[item.cluster] for item in used], dtype=np.intp),
            used=tuple(used),
            ignored=tuple(ignored),
            notes=(note,) if aligned else (),
        )


def _pairs(item: Item, cells: list[Annotation[DepTree]], reference: str | None) -> list[Pair] | Ignored:
    """Return the pairs of trees of one item, each with the word alignment if the words differ."""
    pairs = pairs_of(item, cells, reference)
    if isinstance(pairs, Ignored):
        return pairs
    if reference is None:
        return length_obstacle(cells) or [(first.value, second.value, None) for first, second in pairs]
    found: list[Pair] = []
    for gold, other in pairs:
        first, second = gold.value, other.value
        met = align(first, second) if first.tokens != second.tokens else None
        if met is None and (obstacle := length_obstacle((gold, other))):
            return obstacle
        found.append((first, second, met))
    return found
