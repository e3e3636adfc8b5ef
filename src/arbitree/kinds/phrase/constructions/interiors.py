"""The annotation inside one occurrence of a word sequence, and what differs between two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import reduce
from operator import or_
from typing import NamedTuple

from arbitree.constructions.findings import Change
from arbitree.kinds.phrase.constructions.derivation import Span
from arbitree.kinds.phrase.constructions.differences import CATEGORY, EMPTY, NODE, POS, TAGS
from arbitree.kinds.phrase.constructions.fragments import Sliced
from arbitree.kinds.phrase.constructions.normalisation import Label, written
from arbitree.kinds.phrase.constructions.sites import Chain, Sites, Wordless, bits, columns, wordless_text

Words = int  # of a string, as bits
Traces = tuple[Wordless, Words, int]  # traces, the words of the phrase above them, and which phrase there
Larger = frozenset[tuple[Words, str]]  # categories of the lowest phrases with more words outside


class Interior(NamedTuple):
    """The annotation inside an occurrence of a string."""

    pos: tuple[Label, ...]
    phrases: frozenset[tuple[Words, Chain]]  # with no words outside
    larger: Larger
    traces: frozenset[tuple[int, tuple[Traces, ...]]]  # by the number of words before them


def interior_of(sites: Sites, lo: int, hi: int) -> Interior:
    """Return the annotation of the words from *lo* to before *hi*."""
    window = (1 << hi) - (1 << lo)
    inside = []
    larger: dict[Words, tuple[int, str]] = {}
    for mask, labels in sites.phrases.items():
        words = (mask & window) >> lo
        if words and mask & ~window:
            size = mask.bit_count()
            if words not in larger or size < larger[words][0]:
                larger[words] = (size, labels[-1][0])
        elif words:
            inside.append((words, labels))
    return Interior(
        tuple(sites.pos[lo:hi]),
        frozenset(inside),
        frozenset((words, category) for words, (_, category) in larger.items()),
        frozenset(_traces(sites, lo, hi, window)) if sites.gaps else frozenset(),
    )


def _traces(sites: Sites, lo: int, hi: int, window: int) -> Iterator[tuple[int, tuple[Traces, ...]]]:
    """Yield the traces between the words, and at their edges those of phrases with no words outside."""
    for gap, empties in sites.gaps.items():
        if lo <= gap <= hi:
            edge = gap in (lo, hi)
            found = tuple(
                (empty.tree, (empty.host & window) >> lo, empty.level)
                for empty in empties
                if not (edge and empty.host & ~window)
            )
            if found:
                yield gap - lo, found


def interior_of_part(sliced: Sliced, lo: int, hi: int) -> Interior:
    """Return the same as ``interior_of`` for a tree without traces and discontinuous phrases."""
    inside: dict[Span, Chain] = {}
    for word in range(lo, hi):
        for span, label in zip(sliced.spans[word], sliced.chains[word].labels, strict=True):
            if not (lo <= span[0] and span[1] <= hi):
                break
            inside[span] = (label, *inside.get(span, ()))
    phrases = [(_bits(start - lo, end - lo), labels) for (start, end), labels in inside.items()]
    return Interior(sliced.pos[lo:hi], frozenset(phrases), larger_phrases(sliced, lo, hi), frozenset())


def larger_phrases(sliced: Sliced, lo: int, hi: int) -> Larger:
    """Return the phrases with words outside, up to the lowest that has all words from *lo* to before *hi*."""
    governors, addresses, phrases = sliced.governors, sliced.addresses, sliced.spans
    larger: dict[Words, tuple[int, str]] = {}
    for word in range(lo, hi):
        spans, above = phrases[word], governors[word]
        joined = lo <= above < hi
        if joined and (not spans or (lo <= spans[-1][0] and spans[-1][1] <= hi)):
            continue
        node, first, covered = word, 0, False
        while node >= 0 and not covered:
            spans, labels = phrases[node], sliced.chains[node].labels
            for place in range(first, len(spans)):
                start, end = spans[place]
                if lo <= start and end <= hi:
                    continue
                words = _bits(max(start, lo) - lo, min(end, hi) - lo)
                if words not in larger or end - start < larger[words][0]:
                    larger[words] = (end - start, labels[place][0])
                if start <= lo and hi <= end:
                    covered = True
                    break
            node, first = (-1, 0) if joined else (governors[node], addresses[node])
    return frozenset([(words, category) for words, (_, category) in larger.items()])


def _bits(first: int, end: int) -> Words:
    return (1 << end) - (1 << first)


def differing_sites(one: Interior, other: Interior) -> set[Words]:
    """Return the words of the sites that differ.

    A phrase that in the other occurrence only extends beyond the string is not a difference inside it.
    """
    sites = {1 << place for place, (x, y) in enumerate(zip(one.pos, other.pos, strict=True)) if x != y}
    ours, theirs = dict(one.phrases), dict(other.phrases)
    for words in ours.keys() | theirs.keys():
        here, there = ours.get(words), theirs.get(words)
        if here and there:
            differs = here != there
        elif here:
            differs = (words, here[-1][0]) not in other.larger
        else:
            differs = there is not None and (words, there[-1][0]) not in one.larger
        if differs:
            sites.add(words)
    for _, empties in one.traces ^ other.traces:
        sites |= {host for _, host, _ in empties}
    return sites


def changes_of(annotations: Sequence[Interior], sites: Set[Words], start: int) -> tuple[Change, ...]:
    """Return the changes at *sites*, with a label per annotation; *start* is the place of the first word."""
    found = []
    chains = [dict(each.phrases) for each in annotations]
    for words in sorted(sites, key=lambda each: (each.bit_count(), each)):
        places = bits(words)
        positions = tuple([start + place for place in places])
        tags = tuple([written(each.pos[places[0]]) for each in annotations])
        if len(places) == 1 and len(set(tags)) > 1:
            found.append(Change(POS, positions, tags))
        for row in columns([own.get(words, ()) for own in chains]):
            if len(set(row)) > 1:
                labels = tuple([None if label is None else written(label) for label in row])
                one_category = len({label and label[0] for label in row}) == 1
                kind = NODE if None in row else TAGS if one_category else CATEGORY
                found.append(Change(kind, positions, labels))
    traces = [dict(each.traces) for each in annotations]
    for gap in sorted(set().union(*traces)):
        empties = [own.get(gap, ()) for own in traces]
        hosts = [host for each in empties for _, host, _ in each]
        if len(set(empties)) > 1 and not sites.isdisjoint(hosts):
            places = bits(reduce(or_, hosts))
            labels = tuple([" ".join(wordless_text(tree) for tree, _, _ in each) or None for each in empties])
            found.append(Change(EMPTY, tuple([start + place for place in places]), labels))
    return tuple(found)
