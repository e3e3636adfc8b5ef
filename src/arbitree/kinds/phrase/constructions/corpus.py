"""Inconsistencies within one corpus: the same words with different annotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate, chain, combinations, groupby, pairwise
from operator import itemgetter, or_
from typing import Any, NamedTuple

import numpy as np

from arbitree.backends.base import Progress
from arbitree.constructions.evidence import Occurrences, Witness
from arbitree.constructions.findings import Change
from arbitree.constructions.repeats import CorpusWords, Exclusion, repeated_phrases
from arbitree.kinds.phrase.constructions.derivation import Span
from arbitree.kinds.phrase.constructions.differences import CATEGORY, EMPTY, NODE, POS, TAGS
from arbitree.kinds.phrase.constructions.fragments import Cut, Facts, Sliced
from arbitree.kinds.phrase.constructions.normalisation import Label, written
from arbitree.kinds.phrase.constructions.nuclei import Version, clustered, comparable, differing
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.sites import Chain, Sites, Wordless, bits, columns, wordless_text
from arbitree.kinds.phrase.constructions.types import Gathering, Raw, key_of
from arbitree.kinds.phrase.constructions.windows import Windows
from arbitree.study.study import Annotation

KEPT = 10  # places that are listed for each fragment of a nucleus
VARIANTS = 40  # of a cluster that are compared with those of another

Position = int  # of a word in the whole corpus
Words = int  # of a string, as bits
Traces = tuple[Wordless, Words, int]  # traces, the words of the phrase above them, and which phrase there
Larger = frozenset[tuple[Words, str]]  # categories of the lowest phrases with more words outside


class Inner(NamedTuple):
    """The annotation inside an occurrence of a string."""

    pos: tuple[Label, ...]
    phrases: frozenset[tuple[Words, Chain]]  # with no words outside
    larger: Larger
    traces: frozenset[tuple[int, tuple[Traces, ...]]]  # by the number of words before them


def corpus_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return defaults that differ from those for annotators: tags and single words depend on the context.

    Example:
        >>> corpus_defaults({}), corpus_defaults({"max_len": 1})
        ({'function_tags': 'strip', 'min_len': 2}, {'function_tags': 'strip', 'min_len': 1})
    """
    return {"function_tags": "strip", "min_len": min(2, options.get("max_len") or 2)}


def left_out(settings: PhraseOptions) -> list[str]:
    """Return a note on what a corpus is compared without.

    Example:
        >>> left_out(PhraseOptions(min_len=2))
        ['a corpus is compared without single words (to include them, use --set min_len=1)']
    """
    found = []
    if settings.function_tags == "strip":
        found.append(("function tags", "--function-tags keep"))
    if settings.min_len == 2:
        found.append(("single words", "--set min_len=1"))
    if not found:
        return []
    what, options = " and ".join(what for what, _ in found), " ".join(option for _, option in found)
    return [f"a corpus is compared without {what} (to include them, use {options})"]


@dataclass(frozen=True, slots=True)
class CorpusSentence:
    """A sentence of the corpus: its words, and what is needed to compare them with others."""

    annotation: Annotation[Any]
    words: tuple[str, ...]
    sliced: Sliced
    sites: Sites | None  # only of trees with traces or discontinuous phrases

    @classmethod
    def of(cls, version: Version) -> CorpusSentence:
        """Return the sentence of *version* in less memory."""
        derivation = version.sliced.derivation
        odd = derivation.traces or derivation.scattered
        return cls(version.annotation, version.words, version.sliced, version.sites if odd else None)


@dataclass(frozen=True, slots=True)
class Reported:
    """A reported nucleus: its number of words, and the cluster of every occurrence."""

    length: int
    cluster: dict[Position, int]


class Variant(NamedTuple):
    """How an occurrence of a string is annotated, for the question what smaller nuclei show."""

    inner: int  # the number of its annotation in Known
    told: tuple[tuple[int, int, int], ...]  # offset, number and cluster of the reported nuclei inside


@dataclass(slots=True)
class Variants:
    """The occurrences of a string by variant; few variants stand for many occurrences."""

    reported: Sequence[Reported]
    inners: Sequence[Inner]
    numbers: dict[Variant, int] = field(default_factory=dict)
    of: dict[Position, int] = field(default_factory=dict)
    _untold: dict[tuple[int, int], frozenset[Words]] = field(default_factory=dict)
    _list: list[Variant] = field(default_factory=list)

    def add(self, position: Position, variant: Variant) -> None:
        """Add an occurrence."""
        number = self.numbers.setdefault(variant, len(self._list))
        if number == len(self._list):
            self._list.append(variant)
        self.of[position] = number

    def untold(self, a: int, b: int) -> frozenset[Words]:
        """Return the sites in which two variants differ, and that no smaller nucleus shows for both."""
        pair = (a, b) if a < b else (b, a)
        if pair not in self._untold:
            self._untold[pair] = self._compared(self._list[a], self._list[b])
        return self._untold[pair]

    def inner(self, position: Position) -> Inner:
        """Return the annotation of an occurrence."""
        return self.inners[self._list[self.of[position]].inner]

    def _compared(self, one: Variant, other: Variant) -> frozenset[Words]:
        sites = _differing(self.inners[one.inner], self.inners[other.inner])
        there = {(offset, number): cluster for offset, number, cluster in other.told}
        for offset, number, cluster in one.told:
            if there.get((offset, number), cluster) != cluster:
                window = ((1 << self.reported[number].length) - 1) << offset
                sites = {words for words in sites if words & ~window}
        return frozenset(sites)


@dataclass(slots=True)
class Known:
    """The fragments and annotations of nuclei of one length, each made once."""

    sentences: Sequence[CorpusSentence]
    length: int
    parts: dict[int, Cut] = field(default_factory=dict)  # by class
    whole: dict[int, Cut] = field(default_factory=dict)  # the same for whole sentences
    inners: list[Inner] = field(default_factory=list)
    _numbers: dict[Inner, int] = field(default_factory=dict)  # of inners
    _by_class: dict[tuple[int, Larger], int] = field(default_factory=dict)  # numbers of inners

    def of(self, classes: list[int], places: list[tuple[int, int]], *, whole: bool = False) -> list[Cut]:
        """Return the fragments at *places*, which are equal for equal *classes*."""
        known = self.whole if whole else self.parts
        for number, (owner, lo) in zip(classes, places, strict=True):
            if number not in known:
                known[number] = self.sentences[owner].sliced.cut(lo, lo + self.length, whole=whole)
        return [known[number] for number in classes]

    def inner(self, class_: int, place: tuple[int, int]) -> int:
        """Return the number of the annotation at *place*; of *class_*, they differ only in larger phrases."""
        owner, lo = place
        sentence, hi = self.sentences[owner], lo + self.length
        if sentence.sites is not None:
            return self._number(_inner(sentence.sites, lo, hi))
        key = (class_, _larger(sentence.sliced, lo, hi))
        number = self._by_class.get(key)
        if number is None:
            number = self._by_class[key] = self._number(_inner_part(sentence.sliced, lo, hi))
        return number

    def _number(self, inner: Inner) -> int:
        number = self._numbers.setdefault(inner, len(self.inners))
        if number == len(self.inners):
            self.inners.append(inner)
        return number


@dataclass(slots=True)
class CorpusComparer:
    """Compares the occurrences of every repeated word sequence, from short to long."""

    settings: PhraseOptions
    external: str
    facts: Facts
    gathering: Gathering
    sentences: Sequence[CorpusSentence]
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    reported: list[Reported] = field(default_factory=list)
    text: CorpusWords = field(init=False)
    witness: Witness = field(init=False)
    _at: dict[int, dict[Position, list[int]]] = field(default_factory=dict)  # reported nuclei, by length

    def __post_init__(self) -> None:
        words = [sentence.words for sentence in self.sentences]
        exclusion = Exclusion(self.settings.exclude)
        excluded = exclusion.of(words)
        if count := sum(excluded):
            self.counts["excluded_words"] = count
            self.notes.append(exclusion.note(count))
        lower = self.settings.case == "lower"
        shown = [[word.lower() for word in each] for each in words] if lower else words
        self.text = CorpusWords.of(shown, excluded)
        self.witness = Witness(self.text)

    def compare(self, progress: Progress) -> None:
        """Compare all word sequences that are a phrase somewhere and occur at least twice."""
        least, most = self.settings.min_len, self.settings.max_len
        odd = [sentence.sites is not None for sentence in self.sentences]
        windows = Windows(self.text, [sentence.sliced for sentence in self.sentences], odd, self.facts)
        phrases = windows.phrases(least)
        shares = dict(zip(phrases, accumulate(map(len, phrases.values())), strict=True))
        found = repeated_phrases(self.text, phrases, min_len=least, max_len=most)
        for length, strings in groupby(found, key=itemgetter(0)):
            nuclei = [positions for _, positions in strings]
            every = np.concatenate(nuclei)
            ends = np.cumsum([len(positions) for positions in nuclei]).tolist()
            classes = windows.classes(every, length).tolist()
            owners = self.text.sentences[every]
            starts = self.text.starts[owners]
            places = list(zip(owners.tolist(), (every - starts).tolist(), strict=True))
            whole = (self.text.ends[every] - starts == length).tolist()
            known = Known(self.sentences, length)
            done, last = shares[length] - len(phrases[length]), shares[max(shares)]
            for positions, (start, end) in zip(nuclei, pairwise([0, *ends]), strict=True):
                progress(done + end * len(phrases[length]) // ends[-1], last)
                sentences = [number for number, full in enumerate(whole[start:end]) if full]
                self._nucleus(positions.tolist(), classes[start:end], places[start:end], sentences, known)

    def _nucleus(
        self,
        positions: list[Position],
        numbers: list[int],
        places: list[tuple[int, int]],
        whole: list[int],
        known: Known,
    ) -> None:
        """Compare the occurrences of one word sequence.

        Args:
            positions: the occurrences.
            numbers: of the occurrences, the same for equal fragments.
            places: of the occurrences, the sentence and the position inside it.
            whole: the occurrences that are whole sentences.
            known: the fragments of this length.
        """
        cuts = known.of(numbers, places)
        self.counts["compared"] += 1
        # Two occurrences of each number are enough to see whether any differ.
        counts = Counter(numbers)
        few = [known.parts[number] for number in counts for _ in range(min(counts[number], 2))]
        groups = comparable(few, self.settings.unrooted, governors=False)
        outcome = "consistent" if len(groups) == 1 else "exempt"
        if any(len(clustered(few, group)[0]) > 1 for group in groups):
            for group in comparable(cuts, self.settings.unrooted, governors=False):
                clusters, tagged = clustered(cuts, group)
                if len(clusters) > 1:
                    self._report(known, positions, numbers, places, cuts, clusters, tagged=tagged)
            outcome = "inconsistent"
        if len(whole) > 1 and outcome != "inconsistent":  # including all phrases above their words
            sentences = known.of(numbers, places, whole=True)
            clusters, tagged = clustered(sentences, whole)
            if len(clusters) > 1:
                self._report(known, positions, numbers, places, sentences, clusters, tagged=tagged)
                outcome = "inconsistent"
        if self.external != "off" and outcome != "inconsistent" and len(groups) > 1:
            labels: dict[str, list[int]] = {}
            for number, cut in enumerate(cuts):
                if cut.cover is not None:
                    labels.setdefault(cut.cover, []).append(number)
            if len(labels) > 1 and any(cut.exact for cut in cuts):
                self._report(
                    known,
                    positions,
                    numbers,
                    places,
                    cuts,
                    list(labels.values()),
                    tagged=True,
                    external=True,
                )
                outcome = "inconsistent"
        self.counts[outcome] += 1

    def _report(
        self,
        known: Known,
        positions: list[Position],
        classes: list[int],
        places: list[tuple[int, int]],
        cuts: list[Cut],
        clusters: list[list[int]],
        *,
        tagged: bool,
        external: bool = False,
    ) -> None:
        clusters.sort(key=lambda cluster: (-len(cluster), cluster[0]))
        length = known.length
        variants = Variants(self.reported, known.inners)
        shorter = [
            (offset, self._at[size])
            for size in range(self.settings.min_len, length)
            if size in self._at
            for offset in range(length - size + 1)
        ]
        for member in chain.from_iterable(clusters):
            position = positions[member]
            told = tuple(
                [
                    (offset, number, self.reported[number].cluster[position + offset])
                    for offset, reported in shorter
                    for number in reported.get(position + offset, ())
                ]
            )
            variants.add(position, Variant(known.inner(classes[member], places[member]), told))
        untold = self._untold(variants, [[positions[n] for n in cluster] for cluster in clusters])
        if not untold:
            self.counts["explained"] += 1
            if self.settings.report == "minimal":
                return
        if untold:
            nucleus = Reported(length, {})
            known_at = self._at.setdefault(length, {})
            for number, cluster in enumerate(clusters):
                for member in cluster:
                    nucleus.cluster[positions[member]] = number
                    known_at.setdefault(positions[member], []).append(len(self.reported))
            self.reported.append(nucleus)
        evidence = self.witness.best(
            [self._occurrences(variants, [positions[n] for n in each], length) for each in clusters],
            differ=lambda one, other: bool(variants.untold(one, other)),
        )
        chosen = [self._shown(cuts, cluster) for cluster in clusters]
        every: set[int] = set()
        for ours, theirs in combinations(chosen, 2):
            every |= differing(self.facts, cuts[ours], cuts[theirs])
        rest = {place for words in untold for place in bits(words)}
        first, lo = places[chosen[0]]
        best = [place[0] for place in evidence[1:]] if evidence else []
        pair = [self.text.place(position) for position in best]
        examples = [
            next((positions[n] for n in cluster if positions[n] in best), positions[shown])
            for cluster, shown in zip(clusters, chosen, strict=True)
        ]
        at = self.text.place((best or examples)[0])[1]
        self.gathering.raws.append(
            Raw(
                tokens=self.sentences[first].words[lo : lo + length],
                keys=tuple(key_of(cuts[number], tagged=tagged, external=external) for number in chosen),
                members=tuple(self._members([places[n] for n in cluster], pair) for cluster in clusters),
                totals=tuple(map(len, clusters)),
                differing=tuple(sorted(every)),
                residual=tuple(sorted(every & rest or rest)),
                changes=changes_of([variants.inner(position) for position in examples], untold, at),
                pair=tuple((self._member(place)[0], place[1]) for place in pair),
                evidence=evidence.value if evidence else 0.0,
            )
        )

    @staticmethod
    def _occurrences(variants: Variants, positions: list[Position], length: int) -> Occurrences:
        starts = np.array(positions)
        numbers = np.array([variants.of[position] for position in positions])
        return Occurrences(np.stack([starts, starts + length - 1], axis=1), numbers)

    @staticmethod
    def _untold(variants: Variants, clusters: list[list[Position]]) -> set[Words]:
        """Return the sites in which some two occurrences differ without a smaller nucleus that shows it."""
        found: set[Words] = set()
        representatives = [
            list(dict.fromkeys(variants.of[position] for position in cluster))[:VARIANTS]
            for cluster in clusters
        ]
        for ours, theirs in combinations(representatives, 2):
            for one in ours:
                for other in theirs:
                    found |= variants.untold(one, other)
        return found

    def _members(
        self, places: list[tuple[int, int]], pair: list[tuple[int, int]]
    ) -> tuple[tuple[Annotation[Any], tuple[str, ...], int], ...]:
        """Return the first few places of a cluster, those of the pair before all others."""
        order = sorted(places, key=lambda place: place not in pair)
        return tuple(self._member(place) for place in order[:KEPT])

    def _member(self, place: tuple[int, int]) -> tuple[Annotation[Any], tuple[str, ...], int]:
        sentence = self.sentences[place[0]]
        return sentence.annotation, sentence.words, place[1]

    @staticmethod
    def _shown(cuts: list[Cut], cluster: list[int]) -> int:
        """Return the representative of a cluster: a member whose tags are known, if any."""
        return next((number for number in cluster if cuts[number].tags is not None), cluster[0])


def changes_of(annotations: Sequence[Inner], sites: Set[Words], start: int) -> tuple[Change, ...]:
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


def _inner_part(sliced: Sliced, lo: int, hi: int) -> Inner:
    """Return the same as ``_inner`` for a tree without traces and discontinuous phrases."""
    inside: dict[Span, Chain] = {}
    for word in range(lo, hi):
        for span, label in zip(sliced.spans[word], sliced.chains[word].labels, strict=True):
            if not (lo <= span[0] and span[1] <= hi):
                break
            inside[span] = (label, *inside.get(span, ()))
    phrases = [(_bits(start - lo, end - lo), labels) for (start, end), labels in inside.items()]
    return Inner(sliced.pos[lo:hi], frozenset(phrases), _larger(sliced, lo, hi), frozenset())


def _larger(sliced: Sliced, lo: int, hi: int) -> Larger:
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


def _inner(sites: Sites, lo: int, hi: int) -> Inner:
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
    return Inner(
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


def _differing(one: Inner, other: Inner) -> set[Words]:
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
