"""Reports on single nuclei gathered into the types of the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from arbitree.analyses.inconsistencies.findings import (
    EXTERNAL,
    Nucleus,
    Place,
    Rate,
    Type,
    by_size,
    code_of,
)
from arbitree.analyses.inconsistencies.fragments import Facts
from arbitree.analyses.inconsistencies.grouping import Key, Sketch, facts_of, sketch
from arbitree.data.study import Annotation

CONTEXT = 6  # words on each side of an example


@dataclass(frozen=True, slots=True)
class Raw:
    """A nucleus as it was met: the key of every cluster, and who is in it."""

    tokens: tuple[str, ...]
    keys: tuple[Key, ...]
    members: tuple[tuple[tuple[Annotation[Any], tuple[str, ...], int], ...], ...]  # annotation, words, start
    totals: tuple[int, ...]
    differing: tuple[int, ...]
    residual: tuple[int, ...]
    explained_by: tuple[tuple[int, int], ...] = ()
    phrases: tuple[bool, ...] = ()  # of the clusters, whether a phrase holds these words and no others


@dataclass(slots=True)
class Tally:
    """How often one side has a fragment as a phrase, and how often the other has another there."""

    places: Counter[Key] = field(default_factory=Counter)
    missed: Counter[Key] = field(default_factory=Counter)


@dataclass(slots=True)
class Gold:
    """The tallies of gold and of the parsers."""

    gold: Tally = field(default_factory=Tally)
    parser: Tally = field(default_factory=Tally)


@dataclass(slots=True)
class Gathering:
    """Collects nuclei and makes types of them."""

    facts: Facts
    type_pos: bool
    refine: bool
    ordered: bool = False  # gold before parser
    raws: list[Raw] = field(default_factory=list)
    _merged: dict[Key, Key] = field(default_factory=dict)
    _plain: dict[object, Key] = field(default_factory=dict)

    def types(self, gold: Gold | None = None) -> tuple[Type, ...]:
        """Return the types, those with most nuclei first."""
        groups: dict[tuple[tuple[Key, ...], bool], list[Raw]] = {}
        for raw in self.raws:
            groups.setdefault(self._identity(raw.keys), []).append(raw)
        pooled = self._pooled(gold) if gold and not self.type_pos else None
        found = []
        for (keys, pos), raws in groups.items():
            drawn = sketch(keys, self.facts, pos=pos, refine=self.refine)
            counted = gold if pos else pooled
            rate = _rate(keys, raws, counted) if counted else None
            found.append(self._type(keys, drawn, raws, rate))
        return by_size(found)

    def _identity(self, keys: tuple[Key, ...]) -> tuple[tuple[Key, ...], bool]:
        """Return the keys that make the type, and whether parts of speech tell them apart.

        They do where nothing else does, whatever is asked for.
        """
        merged = keys if self.type_pos else tuple(self._merge(key) for key in keys)
        pos = self.type_pos or len(set(merged)) < 2
        chosen = keys if pos else merged
        return (chosen if self.ordered else tuple(sorted(set(chosen), key=_sortable))), pos

    def _merge(self, key: Key) -> Key:
        """Return one key for all that differ in parts of speech alone."""
        if key[0] == EXTERNAL:
            return key
        if key not in self._merged:
            without = (facts_of(key, self.facts, pos=False), key[2], key[3])
            self._merged[key] = self._plain.setdefault(without, key)
        return self._merged[key]

    def _pooled(self, gold: Gold) -> Gold:
        """Return the counts of gold by keys that differ in parts of speech together."""
        pooled = Gold()
        for old, new in ((gold.gold, pooled.gold), (gold.parser, pooled.parser)):
            for key, count in old.places.items():
                new.places[self._merge(key)] += count
            for key, count in old.missed.items():
                new.missed[self._merge(key)] += count
        return pooled

    def _type(self, keys: tuple[Key, ...], drawn: Sketch, raws: Sequence[Raw], rate: Rate | None) -> Type:
        kind = keys[0][0]
        sides: dict[str, list[int]] = {}
        nuclei = []
        for raw in raws:
            order = self._order(keys, raw)
            nuclei.append(_nucleus(raw, order, len(keys)))
            for cluster, number in zip(raw.members, order, strict=True):
                for coder in {annotation.coder for annotation, _, _ in cluster}:
                    sides.setdefault(coder, [0] * len(keys))[number] += 1
        return Type(
            code=code_of(kind, [each.text for each in drawn.fragments], ordered=self.ordered),
            class_=drawn.class_,
            label=drawn.label,
            fragments=drawn.fragments,
            nuclei=tuple(nuclei),
            kind=kind,
            facets=drawn.facets,
            categories=drawn.categories,
            sides={coder: tuple(counts) for coder, counts in sorted(sides.items())},
            rate=rate,
            via_head=drawn.via_head,
        )

    def _order(self, keys: tuple[Key, ...], raw: Raw) -> list[int]:
        """Return for every cluster of *raw* the fragment of the type that it has."""
        if all(key in keys for key in raw.keys):
            return [keys.index(key) for key in raw.keys]
        return [keys.index(self._merge(key)) for key in raw.keys]


def _rate(keys: tuple[Key, ...], raws: Sequence[Raw], counted: Gold) -> Rate | None:
    """Return how often the phrase of gold is missed, or how often that of the parser is wrong.

    Words that are no phrase are looked at only because the other side has one: they have no rate.
    """
    for number, (tally, side) in enumerate(((counted.gold, "gold"), (counted.parser, "parser"))):
        this = sum(raw.phrases[number] for raw in raws)
        if this and tally.places[keys[number]]:
            return Rate(tally.places[keys[number]], tally.missed[keys[number]], this, side)
    return None


def _nucleus(raw: Raw, order: Sequence[int], width: int) -> Nucleus:
    counts = [0] * width
    places = []
    for cluster, number, total in zip(raw.members, order, raw.totals, strict=True):
        counts[number] += total
        places += [_place(*member, len(raw.tokens), number) for member in cluster]
    return Nucleus(raw.tokens, tuple(places), tuple(counts), raw.differing, raw.residual, raw.explained_by)


def _place(annotation: Annotation[Any], words: tuple[str, ...], lo: int, length: int, fragment: int) -> Place:
    hi = lo + length
    return Place(
        item=annotation.item.id,
        positions=tuple(range(lo, hi)),
        coder=annotation.coder,
        fragment=fragment,
        source=str(annotation.source or ""),
        left=" ".join(words[max(lo - CONTEXT, 0) : lo]),
        right=" ".join(words[hi : hi + CONTEXT]),
    )


def _sortable(key: Key) -> tuple[Any, ...]:
    kind, form, cover, tags = key
    return kind, form, cover or "", [sorted(level) for level in tags] if tags is not None else [["*"]]
