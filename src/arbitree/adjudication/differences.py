"""Find the disagreements of a study, place by place, and count the confusions.

A place is what one decision is about: the head or the label of a token, a bracket over some tokens, the tag
of a token, or an item that was labelled. The kind of the annotations compares them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Generic

import numpy as np

from arbitree.adjudication.places import Places, Said, V, What
from arbitree.errors import UnsupportedStudy
from arbitree.study.result import Ignored, Table
from arbitree.study.study import Annotation, Study

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind

EXAMPLES = 3  # places kept for each confusion
BLOCK = 1 << 22  # counts of labels held at once

Values = tuple[str | None, ...]  # by coder; None: the coder has not done the item


@dataclass(frozen=True, slots=True)
class Contested:
    """One place on which annotators differ."""

    item: str
    place: str  # number of a token, first-last, or the name of a node; "" for a whole item
    what: str
    words: str
    values: Values
    context: str = ""
    source: str = ""  # where the first coder has it

    @property
    def key(self) -> tuple[str, str, str]:
        """The key that identifies the place."""
        return self.item, self.place, self.what

    @property
    def choices(self) -> tuple[str, ...]:
        """The different values, in the order of the annotators."""
        return tuple(dict.fromkeys(value for value in self.values if value is not None))


@dataclass(slots=True)
class Confusion:
    """Counts of the pairs of values that two annotators give to one place, once per pair of annotators."""

    agreed: Counter[str] = field(default_factory=Counter)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)  # of names in order
    examples: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)  # item, words

    @property
    def pairs(self) -> int:
        """All pairs of values, equal ones included."""
        return self.agreed.total() + self.counts.total()

    def table(self) -> Table:
        """Return the pairs that are confused, the most frequent first."""
        rows = sorted(self.counts.items(), key=lambda entry: (-entry[1], entry[0]))
        return Table(
            ("label", "other", "count", "share", "of the two"),
            tuple((*pair, count, count / self.pairs, self._rate(pair, count)) for pair, count in rows),
        )

    def add(self, names: Sequence[str], given: Sequence[Hashable], item: str, words: str) -> None:
        """Count the pairs of one contested place: *names* are confused where what is *given* differs."""
        for one, two in combinations(range(len(names)), 2):
            if given[one] == given[two]:
                self.agreed[names[one]] += 1
                continue
            pair = (min(names[one], names[two]), max(names[one], names[two]))
            self.counts[pair] += 1
            known = self.examples.setdefault(pair, [])
            if len(known) < EXAMPLES and (item, words) not in known:
                known.append((item, words))

    def _rate(self, pair: tuple[str, str], count: int) -> float:
        """Return the share of the pair among the pairs of annotators who each give one of the two values."""
        agreed = sum(self.agreed[name] for name in set(pair))
        return count / (agreed + count)


@dataclass(slots=True)
class Disagreements:
    """All contested places of a study, and the confusions."""

    coders: tuple[str, ...]
    places: list[Contested] = field(default_factory=list)
    agreed: dict[str, list[int]] = field(default_factory=dict)  # by what: for every coder, and in all
    confusions: dict[str, Confusion] = field(default_factory=dict)  # labels, attachments, tags
    ignored: list[Ignored] = field(default_factory=list)
    whats: Mapping[str, What] = field(default_factory=dict)  # the things that are decided

    def count(self, what: str) -> tuple[int, int]:
        """Return the numbers of contested and of compared places of one kind."""
        own = sum(place.what == what for place in self.places)
        return own, own + self.agreed.get(what, [0])[-1]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of values that were compared."""
        return tuple(self.agreed)


def disagreements(study: Study[V], kind: Kind[V]) -> Disagreements:
    """Return every place on which the annotators of *study* differ.

    Args:
        study: of trees or labels. Sentences in which coders differ in the number of tokens are left out.
        kind: of its annotations.
    Example:
        >>> from arbitree import kinds, read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
        >>> found = disagreements(study, kinds.of(study))
        >>> found.places[0].what in found.kinds
        True
    """
    places = kind.places
    if places is None or not places.listed:
        what = f"{kind.noun} have no places that are decided one by one"
        raise UnsupportedStudy(
            what, hint="Pass files with trees or labels; for profiles, run 'arbitree tsdb'"
        )
    collector = _Collector(study, places)
    for item, cells in study:
        full = [cell for cell in cells if kind.done(cell.value)]
        if len(full) < 2:
            continue
        compared = places.compare([cell.value for cell in full], listed=True)
        if compared is None:
            what = ", ".join(f"{cell.coder} {len(cell.value)}" for cell in full)
            collector.found.ignored.append(Ignored(item.id, "token_mismatch", f"tokens: {what}"))
            continue
        collector.take(full, compared)
    return collector.found


class _Collector(Generic[V]):
    """Collects disagreements item by item."""

    def __init__(self, study: Study[V], places: Places[V]) -> None:
        self.numbers = {coder: number for number, coder in enumerate(study.coders)}
        self.places = places
        self.texts = study.texts
        self.found = Disagreements(study.coders, whats=places.whats)
        for what in places.whats.values():
            self.found.confusions[what.confusion] = Confusion()

    def take(self, cells: Sequence[Annotation[V]], compared: Iterable[Said]) -> None:
        """Take what is said of one item."""
        rows = [row for each in compared for row in self._taken(cells, each)]
        if self.places.by_token:
            rows.sort(key=lambda row: int(row.place))
        self.found.places += rows

    def _taken(self, cells: Sequence[Annotation[V]], compared: Said) -> Iterator[Contested]:
        """Count the places of one kind; yield those on which annotators differ."""
        own = cells if compared.who is None else [cells[place] for place in compared.who]
        who = [self.numbers[cell.coder] for cell in own]
        pairs = len(who) * (len(who) - 1) // 2
        confusion = self.found.confusions[self.places.whats[compared.what].confusion]
        first, item, source = cells[0].value, cells[0].item.id, str(cells[0].source or "")
        for number, (name, *said) in enumerate(zip(compared.names, *compared.rows, strict=True)):
            counts = self.found.agreed.setdefault(compared.what, [0] * (len(self.numbers) + 1))
            if said.count(said[0]) == len(said):
                for coder in who:
                    counts[coder] += 1
                counts[-1] += 1
                confusion.agreed[compared.sort(first, said[0], number)] += pairs
                continue
            words, context = compared.located(first.tokens, number)
            confusion.add([compared.sort(first, value, number) for value in said], said, item, words)
            values: list[str | None] = [None] * len(self.numbers)
            for coder, value in zip(who, said, strict=True):
                values[coder] = compared.shown(first, value, number)
            context = context or self.texts.main(item)
            yield Contested(item, name, compared.what, words, tuple(values), context, source)


def confused_labels(study: Study[V], kind: Kind[V]) -> Table:
    """Return the pairs of different labels that annotators gave to one item, the most frequent first.

    Every pair of coders counts once for an item. The share is that among all pairs of labels, equal ones
    included. There can be millions of labels, so that they are counted in arrays.

    Example:
        >>> from arbitree import kinds, read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu", column="upos")
        >>> confused_labels(study, kinds.of(study)).records()[0]["count"]
        1
    """
    coded = kind.places.coded(study, empty=True) if kind.places else None
    if coded is None:
        hint = "Read labels from the trees with --column deprel"
        raise UnsupportedStudy("confusions can be counted only for labels", hint=hint)
    size = len(coded.names)
    together = np.zeros((size, size))
    pairs = 0
    step = max(1, BLOCK // max(1, size))
    for start in range(0, len(coded.codes), step):
        codes = coded.codes[start : start + step]
        rows, _ = np.nonzero(codes >= 0)
        flat = rows * size + codes[codes >= 0]
        counts = np.bincount(flat, minlength=len(codes) * size).reshape(len(codes), size).astype(np.float64)
        given = counts.sum(axis=1)
        pairs += int((given * (given - 1)).sum()) // 2
        together += counts.T @ counts
    first, second = np.nonzero(np.triu(together, 1))
    order = np.argsort(-together[first, second], kind="stable")
    found = (
        (coded.names[a], coded.names[b], int(together[a, b]), float(together[a, b] / pairs))
        for a, b in zip(first[order].tolist(), second[order].tolist(), strict=True)
    )
    return Table(("label", "other", "count", "share"), tuple(found))
