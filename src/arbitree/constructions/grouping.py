"""Grouping of nuclei into types, and counts per annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from arbitree.constructions.findings import (
    INTERNAL,
    Asked,
    Change,
    Nucleus,
    Occurrence,
    Type,
    by_size,
    code_of,
)
from arbitree.drawing.fragment import Fragment
from arbitree.study.result import Table
from arbitree.study.study import Annotation

CONTEXT = 6  # words shown on either side of a nucleus


@dataclass(frozen=True, slots=True)
class Instance:
    """The fragment that an annotator gave to the words of a nucleus in one sentence."""

    place: Occurrence
    fragment: Fragment


@dataclass(frozen=True, slots=True)
class Nature:
    """The way in which the instances of a nucleus differ; all nuclei of a type share it."""

    class_: str
    label: str
    facets: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


@dataclass(slots=True)
class Grouping:
    """Collects nuclei and groups them into types.

    Args:
        ordered: whether the first instance of a nucleus is gold; its fragment then comes first.
    """

    ordered: bool = False
    natures: dict[str, Nature] = field(default_factory=dict)
    fragments: dict[str, tuple[Fragment, ...]] = field(default_factory=dict)
    nuclei: dict[str, list[Nucleus]] = field(default_factory=dict)

    def order(self, instances: Sequence[Instance]) -> tuple[Fragment, ...]:
        """Return the distinct fragments in the order in which their type shows them."""
        distinct = {each.fragment.text: each.fragment for each in instances}
        texts = list(distinct) if self.ordered else sorted(distinct)
        return tuple(distinct[text] for text in texts)

    def add(
        self,
        tokens: tuple[str, ...],
        instances: Sequence[Instance],
        nature: Nature,
        *,
        differing: tuple[int, ...] = (),
        residual: tuple[int, ...] = (),
        explained_by: tuple[tuple[int, int], ...] = (),
        counts: Mapping[str, int] | None = None,
        changes: Sequence[Change] = (),
        asked: tuple[Asked, ...] = (),
        bits: float = 1.0,
        evidence: float | None = None,
    ) -> None:
        """Add a nucleus to its type.

        Pass *counts* by fragment if not all instances are given. The *changes* have one label per instance.
        """
        fragments = self.order(instances)
        number = {fragment.text: k for k, fragment in enumerate(fragments)}
        # The same fragments may be attached to an outside head by their inside relation, or by another one.
        code = code_of(f"{INTERNAL} {nature.class_}", list(number), ordered=self.ordered)
        places = tuple(replace(each.place, fragment=number[each.fragment.text]) for each in instances)
        totals = Counter(each.fragment.text for each in instances) if counts is None else counts
        sizes = tuple(totals[text] for text in number)
        shown = [next(k for k, each in enumerate(places) if each.fragment == n) for n in range(len(sizes))]
        owned = tuple(replace(each, labels=tuple(each.labels[k] for k in shown)) for each in changes)
        nucleus = Nucleus(
            tokens, places, sizes, differing, residual, explained_by, owned, asked, bits, evidence
        )
        self.natures.setdefault(code, nature)
        self.fragments.setdefault(code, fragments)
        self.nuclei.setdefault(code, []).append(nucleus)

    def types(self, coders: Sequence[str]) -> tuple[Type, ...]:
        """Return the types, those with most nuclei first."""
        found = []
        for code, nature in self.natures.items():
            fragments, nuclei = self.fragments[code], self.nuclei[code]
            found.append(
                Type(
                    code,
                    nature.class_,
                    nature.label,
                    fragments,
                    tuple(nuclei),
                    facets=nature.facets,
                    categories=nature.categories,
                    sides=coder_counts(nuclei, coders, len(fragments)),
                )
            )
        return by_size(found)


def coder_counts(nuclei: Sequence[Nucleus], coders: Sequence[str], size: int) -> dict[str, tuple[int, ...]]:
    """Return how many nuclei have each of *size* fragments, for every annotator who has any."""
    counts = {coder: [0] * size for coder in coders}
    for nucleus in nuclei:
        for coder, fragment in {(place.coder, place.fragment) for place in nucleus.places}:
            counts[coder][fragment] += 1
    return {coder: tuple(found) for coder, found in counts.items() if any(found)}


def occurrence(
    cell: Annotation[Any], words: Sequence[str], positions: Sequence[int], fragment: int = 0
) -> Occurrence:
    """Return the occurrence of a nucleus in an annotation, with some words before and after.

    Example:
        >>> from arbitree.study.study import Item
        >>> cell = Annotation(Item("s1", "text", "s1"), "ann", None)
        >>> found = occurrence(cell, ("Rain", "fell", "all", "day"), (1,))
        >>> found.left, found.right
        ('Rain', 'all day')
    """
    first, last = positions[0], positions[-1] + 1
    return Occurrence(
        item=cell.item.id,
        positions=tuple(positions),
        coder=cell.coder,
        fragment=fragment,
        source=str(cell.source or ""),
        left=" ".join(words[max(0, first - CONTEXT) : first]),
        right=" ".join(words[last : last + CONTEXT]),
    )


def coders_table(types: Sequence[Type], coders: Sequence[str], classes: Sequence[str]) -> Table:
    """Return for every annotator the number of nuclei where the majority gave another fragment, and ties.

    A nucleus is a tie if no fragment was given by more annotators than every other fragment.
    """
    ties: Counter[str] = Counter()
    minority: Counter[tuple[str, str]] = Counter()
    for each in types:
        for nucleus in each.nuclei:
            top = max(nucleus.counts)
            tie = nucleus.counts.count(top) > 1
            for place in nucleus.places:
                ties[place.coder] += tie
                minority[place.coder, each.class_] += not tie and nucleus.counts[place.fragment] < top
    rows = tuple(
        (
            coder,
            sum(minority[coder, name] for name in classes),
            ties[coder],
            *(minority[coder, name] for name in classes),
        )
        for coder in coders
    )
    return Table(("coder", "minority", "ties", *classes), rows)


def pairs_table(types: Sequence[Type], coders: Sequence[str]) -> Table:
    """Return the number of differing nuclei for every pair of annotators."""
    differing: Counter[tuple[str, str]] = Counter()
    for each in types:
        for nucleus in each.nuclei:
            chosen = {place.coder: place.fragment for place in nucleus.places}
            for one, other in combinations((coder for coder in coders if coder in chosen), 2):
                differing[one, other] += chosen[one] != chosen[other]
    rows = tuple((*pair, differing[pair]) for pair in combinations(coders, 2))
    return Table(("first", "second", "nuclei"), rows)
