"""Inconsistencies within one corpus: the same words with different annotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, combinations, groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from arbitree.backends.base import Progress
from arbitree.constructions.evidence import Occurrences, Witness
from arbitree.constructions.repeats import CorpusWords, Exclusion, repeated_phrases
from arbitree.kinds.phrase.constructions.fragments import Cut, Facts, Sliced
from arbitree.kinds.phrase.constructions.interiors import (
    Interior,
    Larger,
    Words,
    changes_of,
    differing_sites,
    interior_of,
    interior_of_part,
    larger_phrases,
)
from arbitree.kinds.phrase.constructions.nuclei import Version, clustered, comparable, differing
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.sites import Sites, bits
from arbitree.kinds.phrase.constructions.types import Gathering, Raw, key_of
from arbitree.kinds.phrase.constructions.windows import Windows
from arbitree.study.study import Annotation

KEPT = 10  # places that are listed for each fragment of a nucleus
VARIANTS = 40  # of a cluster that are compared with those of another

Position = int  # of a word in the whole corpus


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

    interior: int  # the number of its annotation in Known
    told: tuple[tuple[int, int, int], ...]  # offset, number and cluster of the reported nuclei inside


@dataclass(slots=True)
class Variants:
    """The occurrences of a string by variant; few variants stand for many occurrences."""

    reported: Sequence[Reported]
    interiors: Sequence[Interior]
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

    def interior(self, position: Position) -> Interior:
        """Return the annotation of an occurrence."""
        return self.interiors[self._list[self.of[position]].interior]

    def _compared(self, one: Variant, other: Variant) -> frozenset[Words]:
        sites = differing_sites(self.interiors[one.interior], self.interiors[other.interior])
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
    interiors: list[Interior] = field(default_factory=list)
    _numbers: dict[Interior, int] = field(default_factory=dict)  # of interiors
    _by_class: dict[tuple[int, Larger], int] = field(default_factory=dict)  # numbers of interiors

    def of(self, classes: list[int], places: list[tuple[int, int]], *, whole: bool = False) -> list[Cut]:
        """Return the fragments at *places*, which are equal for equal *classes*."""
        known = self.whole if whole else self.parts
        for number, (owner, lo) in zip(classes, places, strict=True):
            if number not in known:
                known[number] = self.sentences[owner].sliced.cut(lo, lo + self.length, whole=whole)
        return [known[number] for number in classes]

    def interior(self, class_: int, place: tuple[int, int]) -> int:
        """Return the number of the annotation at *place*; of *class_*, they differ only in larger phrases."""
        owner, lo = place
        sentence, hi = self.sentences[owner], lo + self.length
        if sentence.sites is not None:
            return self._number(interior_of(sentence.sites, lo, hi))
        key = (class_, larger_phrases(sentence.sliced, lo, hi))
        number = self._by_class.get(key)
        if number is None:
            number = self._by_class[key] = self._number(interior_of_part(sentence.sliced, lo, hi))
        return number

    def _number(self, interior: Interior) -> int:
        number = self._numbers.setdefault(interior, len(self.interiors))
        if number == len(self.interiors):
            self.interiors.append(interior)
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
        variants = Variants(self.reported, known.interiors)
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
            variants.add(position, Variant(known.interior(classes[member], places[member]), told))
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
                changes=changes_of([variants.interior(position) for position in examples], untold, at),
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
