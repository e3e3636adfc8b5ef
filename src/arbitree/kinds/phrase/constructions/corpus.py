"""Inconsistencies within one corpus: the same words with different annotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from arbitree.kinds.phrase.constructions.fragments import Cut, Facts
from arbitree.kinds.phrase.constructions.nuclei import Version, clustered, comparable, differing
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.types import Gathering, Raw, key_of
from arbitree.study.study import Annotation

KEPT = 10  # places that are listed for each fragment of a nucleus
CLUSTERS = 40  # of a nucleus whose pairs are looked at for what smaller nuclei explain

Position = int  # of a word in the whole corpus


@dataclass(slots=True)
class SpanIndex:
    """The words of a corpus in one array, and the spans of its phrases by length."""

    words: list[int] = field(default_factory=list)  # numbers of the strings
    left: list[int] = field(default_factory=list)  # words from here to the end of the sentence
    owner: list[int] = field(default_factory=list)  # the sentence of each word
    starts: list[int] = field(default_factory=list)  # of the sentences
    phrases: dict[int, list[Position]] = field(default_factory=dict)  # starts of phrases, by length
    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, version: Version, *, lower: bool) -> None:
        """Add a sentence."""
        start, size = len(self.words), len(version.words)
        numbers = self._numbers
        forms = [word.lower() for word in version.words] if lower else version.words
        self.words += [numbers.setdefault(form, len(numbers)) for form in forms]
        self.left += range(size, 0, -1)
        self.owner += [len(self.starts)] * size
        self.starts.append(start)
        for lo, hi in {*version.sliced.constituents(), (0, size)}:
            self.phrases.setdefault(hi - lo, []).append(start + lo)

    def repeated(self, most: int | None) -> Iterator[tuple[int, dict[int, list[Position]]]]:
        """Yield for every length the word sequences that are a phrase somewhere and occur at least twice.

        A sequence can repeat only if the one without its last word does, so few positions remain for each
        greater length. Sequences do not cross sentence boundaries.
        """
        length = 1
        ids = dict(enumerate(self.words))
        while ids:
            counts = Counter(ids.values())
            ids = {position: name for position, name in ids.items() if counts[name] > 1}
            wanted = {ids[start] for start in self.phrases.get(length, ()) if start in ids}
            found: dict[int, list[Position]] = {name: [] for name in wanted}
            for position, name in ids.items():
                if name in wanted:
                    found[name].append(position)
            yield length, found
            length += 1
            if most is not None and length > most:
                return
            ids = self._longer(ids, length)

    def _longer(self, ids: dict[Position, int], length: int) -> dict[Position, int]:
        names: dict[tuple[int, int], int] = {}
        words, left = self.words, self.left
        return {
            position: names.setdefault((name, words[position + length - 1]), len(names))
            for position, name in ids.items()
            if left[position] >= length
        }


@dataclass(slots=True)
class Known:
    """A reported nucleus: the cluster of every occurrence, and the words that differ between two clusters."""

    cluster: dict[Position, int]
    differing: dict[tuple[int, int], frozenset[int]]


@dataclass(slots=True)
class CorpusComparer:
    """Compares the occurrences of every repeated word sequence, from short to long."""

    settings: PhraseOptions
    external: str
    facts: Facts
    gathering: Gathering
    versions: Sequence[Version]
    counts: Counter[str] = field(default_factory=Counter)
    known: dict[int, list[Known]] = field(default_factory=dict)  # by length
    _at: dict[tuple[int, Position], list[Known]] = field(default_factory=dict)

    def compare(self) -> None:
        """Compare all word sequences that are a phrase somewhere and occur at least twice."""
        index = SpanIndex()
        for version in self.versions:
            index.add(version, lower=self.settings.case == "lower")
        for length, found in index.repeated(self.settings.max_len):
            if length >= self.settings.min_len:
                for positions in found.values():
                    self._nucleus(index, length, positions)

    def _nucleus(self, index: SpanIndex, length: int, positions: list[Position]) -> None:
        cuts, places = [], []
        for position in positions:
            number = index.owner[position]
            lo = position - index.starts[number]
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
        chosen = [self._shown(cuts, cluster) for cluster in clusters]
        differences = {}
        rest: set[int] = set()
        every: set[int] = set()
        for (a, ours), (b, theirs) in combinations(enumerate(chosen), 2):
            found = differences[a, b] = differing(self.facts, cuts[ours], cuts[theirs])
            every |= found
            if max(a, b) < CLUSTERS:
                rest |= found - self._explained(length, positions[ours], positions[theirs])
        if not rest:
            self.counts["explained"] += 1
            if self.settings.report == "minimal":
                return
        known = Known({}, differences)
        for number, cluster in enumerate(clusters):
            for member in cluster:
                known.cluster[positions[member]] = number
                self._at.setdefault((length, positions[member]), []).append(known)
        first, lo = places[chosen[0]]
        raw = Raw(
            tokens=self.versions[first].words[lo : lo + length],
            keys=tuple(key_of(cuts[number], tagged=tagged, external=external) for number in chosen),
            members=tuple(tuple(self._member(places[n]) for n in cluster[:KEPT]) for cluster in clusters),
            totals=tuple(map(len, clusters)),
            differing=tuple(sorted(every)),
            residual=tuple(sorted(rest)),
        )
        self.gathering.raws.append(raw)

    def _member(self, place: tuple[int, int]) -> tuple[Annotation[Any], tuple[str, ...], int]:
        version = self.versions[place[0]]
        return version.annotation, version.words, place[1]

    @staticmethod
    def _shown(cuts: list[Cut], cluster: list[int]) -> int:
        """Return the representative of a cluster: a member whose tags are known, if any."""
        return next((number for number in cluster if cuts[number].tags is not None), cluster[0])

    def _explained(self, length: int, first: Position, second: Position) -> set[int]:
        """Return the offsets at which smaller reported nuclei already differ between the two occurrences."""
        found: set[int] = set()
        for shorter in range(self.settings.min_len, length):
            for offset in range(length - shorter + 1):
                for known in self._at.get((shorter, first + offset), ()):
                    other = known.cluster.get(second + offset)
                    own = known.cluster[first + offset]
                    if other is not None and other != own:
                        pair = (min(own, other), max(own, other))
                        found.update(offset + place for place in known.differing[pair])
        return found
