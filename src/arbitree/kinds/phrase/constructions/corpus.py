"""Inconsistencies within one corpus: the same words with different annotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, NamedTuple

from arbitree.constructions.evidence import Witness
from arbitree.constructions.findings import Change
from arbitree.constructions.repeats import CorpusWords, Exclusion, repeated_phrases
from arbitree.kinds.phrase.constructions.differences import CATEGORY, EMPTY, NODE, POS, TAGS
from arbitree.kinds.phrase.constructions.fragments import Cut, Facts
from arbitree.kinds.phrase.constructions.normalisation import Label, written
from arbitree.kinds.phrase.constructions.nuclei import Version, clustered, comparable, differing
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.sites import Chain, Sites, Wordless, bits, columns, wordless_text
from arbitree.kinds.phrase.constructions.types import Gathering, Raw, key_of
from arbitree.study.study import Annotation

KEPT = 10  # places that are listed for each fragment of a nucleus
VARIANTS = 40  # of a cluster that are compared with those of another

Position = int  # of a word in the whole corpus
Words = int  # of a string, as bits
Traces = tuple[Wordless, Words, int]  # traces, the words of the phrase above them, and which phrase there


class Inner(NamedTuple):
    """The annotation inside an occurrence of a string."""

    pos: tuple[Label, ...]
    phrases: frozenset[tuple[Words, Chain]]  # with no words outside
    larger: frozenset[tuple[Words, str]]  # categories of the lowest phrases with more words outside
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
class Reported:
    """A reported nucleus: its number of words, and the cluster of every occurrence."""

    length: int
    cluster: dict[Position, int]


class Variant(NamedTuple):
    """How an occurrence of a string is annotated, for the question what smaller nuclei show."""

    inner: Inner
    told: tuple[tuple[int, int, int], ...]  # offset, number and cluster of the reported nuclei inside


@dataclass(slots=True)
class Variants:
    """The occurrences of a string by variant; few variants stand for many occurrences."""

    reported: Sequence[Reported]
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

    def untold(self, one: Position, other: Position) -> frozenset[Words]:
        """Return the sites that differ and that no smaller reported nucleus holds for both."""
        a, b = self.of[one], self.of[other]
        pair = (a, b) if a < b else (b, a)
        if pair not in self._untold:
            self._untold[pair] = self._compared(self._list[a], self._list[b])
        return self._untold[pair]

    def inner(self, position: Position) -> Inner:
        """Return the annotation of an occurrence."""
        return self._list[self.of[position]].inner

    def _compared(self, one: Variant, other: Variant) -> frozenset[Words]:
        sites = _differing(one.inner, other.inner)
        there = {(offset, number): cluster for offset, number, cluster in other.told}
        for offset, number, cluster in one.told:
            if there.get((offset, number), cluster) != cluster:
                window = ((1 << self.reported[number].length) - 1) << offset
                sites = {words for words in sites if words & ~window}
        return frozenset(sites)


@dataclass(slots=True)
class CorpusComparer:
    """Compares the occurrences of every repeated word sequence, from short to long."""

    settings: PhraseOptions
    external: str
    facts: Facts
    gathering: Gathering
    versions: Sequence[Version]
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    reported: list[Reported] = field(default_factory=list)
    text: CorpusWords = field(init=False)
    witness: Witness = field(init=False)
    _at: dict[tuple[int, Position], list[int]] = field(default_factory=dict)  # numbers of reported nuclei

    def __post_init__(self) -> None:
        words = [version.words for version in self.versions]
        exclusion = Exclusion(self.settings.exclude)
        excluded = exclusion.of(words)
        if count := sum(excluded):
            self.counts["excluded_words"] = count
            self.notes.append(exclusion.note(count))
        lower = self.settings.case == "lower"
        shown = [[word.lower() for word in each] for each in words] if lower else words
        self.text = CorpusWords.of(shown, excluded)
        self.witness = Witness(self.text)

    def compare(self) -> None:
        """Compare all word sequences that are a phrase somewhere and occur at least twice."""
        phrases: dict[int, list[Position]] = {}
        for version, start in zip(self.versions, self.text.starts.tolist(), strict=True):
            for lo, hi in {*version.sliced.constituents(), (0, len(version.words))}:
                phrases.setdefault(hi - lo, []).append(start + lo)
        least, most = self.settings.min_len, self.settings.max_len
        for length, positions in repeated_phrases(self.text, phrases, min_len=least, max_len=most):
            self._nucleus(length, positions)

    def _nucleus(self, length: int, positions: list[Position]) -> None:
        cuts, places = [], []
        for position in positions:
            number, lo = self.text.place(position)
            cuts.append(self.versions[number].sliced.cut(lo, lo + length))
            places.append((number, lo))
        self.counts["compared"] += 1
        groups = comparable(cuts, self.settings.unrooted, governors=False)
        outcome = "consistent" if len(groups) == 1 else "exempt"
        for group in groups:
            clusters, tagged = clustered(cuts, group)
            if len(clusters) > 1:
                self._report(length, positions, places, cuts, clusters, tagged=tagged)
                outcome = "inconsistent"
        whole = [n for n, (owner, _) in enumerate(places) if len(self.versions[owner].words) == length]
        if len(whole) > 1 and outcome != "inconsistent":
            outcome = self._sentences(length, positions, places, whole) or outcome
        if self.external != "off" and outcome != "inconsistent" and len(groups) > 1:
            labels: dict[str, list[int]] = {}
            for number, cut in enumerate(cuts):
                if cut.cover is not None:
                    labels.setdefault(cut.cover, []).append(number)
            if len(labels) > 1 and any(cut.exact for cut in cuts):
                self._report(
                    length, positions, places, cuts, list(labels.values()), tagged=True, external=True
                )
                outcome = "inconsistent"
        self.counts[outcome] += 1

    def _sentences(
        self, length: int, positions: list[Position], places: list[tuple[int, int]], whole: list[int]
    ) -> str:
        """Compare whole sentences, including all phrases above their words."""
        cuts = [self.versions[owner].sliced.cut(lo, lo + length, whole=True) for owner, lo in places]
        clusters, tagged = clustered(cuts, whole)
        if len(clusters) < 2:
            return ""
        self._report(length, positions, places, cuts, clusters, tagged=tagged)
        return "inconsistent"

    def _report(
        self,
        length: int,
        positions: list[Position],
        places: list[tuple[int, int]],
        cuts: list[Cut],
        clusters: list[list[int]],
        *,
        tagged: bool,
        external: bool = False,
    ) -> None:
        clusters.sort(key=lambda cluster: (-len(cluster), cluster[0]))
        variants = Variants(self.reported)
        for position, (number, lo) in zip(positions, places, strict=True):
            variants.add(position, self._variant(self.versions[number], lo, length, position))
        untold = self._untold(variants, [[positions[n] for n in cluster] for cluster in clusters])
        if not untold:
            self.counts["explained"] += 1
            if self.settings.report == "minimal":
                return
        if untold:
            nucleus = Reported(length, {})
            for number, cluster in enumerate(clusters):
                for member in cluster:
                    nucleus.cluster[positions[member]] = number
                    self._at.setdefault((length, positions[member]), []).append(len(self.reported))
            self.reported.append(nucleus)
        evidence = self.witness.best(
            [[(positions[n], positions[n] + length - 1) for n in cluster] for cluster in clusters],
            differ=lambda one, other: bool(variants.untold(one[0], other[0])),
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
                tokens=self.versions[first].words[lo : lo + length],
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

    def _variant(self, version: Version, lo: int, length: int, position: Position) -> Variant:
        told = tuple(
            (offset, number, self.reported[number].cluster[position + offset])
            for shorter in range(self.settings.min_len, length)
            for offset in range(length - shorter + 1)
            for number in self._at.get((shorter, position + offset), ())
        )
        return Variant(_inner(version.sites, lo, lo + length), told)

    @staticmethod
    def _untold(variants: Variants, clusters: list[list[Position]]) -> set[Words]:
        """Return the sites in which some two occurrences differ without a smaller nucleus that shows it."""
        found: set[Words] = set()
        representatives = [
            list({variants.of[position]: position for position in cluster}.values())[:VARIANTS]
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
        version = self.versions[place[0]]
        return version.annotation, version.words, place[1]

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


def _inner(sites: Sites, lo: int, hi: int) -> Inner:
    """Return the annotation of the words from *lo* to before *hi*."""
    window = (1 << hi) - (1 << lo)
    inside = []
    larger: dict[Words, tuple[int, str]] = {}
    for mask, chain in sites.phrases.items():
        words = (mask & window) >> lo
        if words and mask & ~window:
            size = mask.bit_count()
            if words not in larger or size < larger[words][0]:
                larger[words] = (size, chain[-1][0])
        elif words:
            inside.append((words, chain))
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
