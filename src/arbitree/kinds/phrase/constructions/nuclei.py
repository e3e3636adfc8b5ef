"""Comparison of the nuclei of each sentence, between annotators or between parsers and gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from arbitree.constructions.findings import EXTERNAL
from arbitree.kinds.phrase.constructions.derivation import Tags
from arbitree.kinds.phrase.constructions.fragments import Cut, Facts, Sliced
from arbitree.kinds.phrase.constructions.normalisation import Label, written
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.types import Gathering, GoldCounts, Raw, key_of
from arbitree.study.comparable import SharedRun, runs_of
from arbitree.study.study import Annotation

Pair = tuple[int, int]  # two instances, the smaller number first
Groups = list[list[int]]  # of instances


@dataclass(frozen=True, slots=True)
class Report:
    """An inconsistent nucleus: its clusters, and the words that differ between two instances."""

    lo: int
    hi: int
    clusters: tuple[tuple[int, ...], ...]  # instances with the same fragment
    tagged: bool  # the tags of the cover are part of the difference
    external: bool
    differing: dict[Pair, frozenset[int]]  # offsets
    residual: frozenset[int]  # offsets that no smaller report explains
    explained_by: tuple[tuple[int, int], ...] = ()
    names: tuple[str, ...] = ()  # what tells the clusters apart, where fragments do not


def comparable(cuts: Sequence[Cut], unrooted: str, *, governors: bool = True) -> Groups:
    """Return the groups of instances to compare with each other; an instance can be in several groups.

    Rooted instances are grouped by the label of their cover. An instance without a cover joins a group in
    which it has the same slot.

    Args:
        cuts: one cut per instance.
        unrooted: ``slot``, ``always`` or ``never``.
        governors: whether a slot includes its governor; not in a corpus, where sentences differ.
    """
    rooted: dict[str, list[int]] = {}
    loose: list[int] = []
    for number, cut in enumerate(cuts):
        if cut.cover is None:
            loose.append(number)
        else:
            rooted.setdefault(cut.cover, []).append(number)
    if not loose:
        return list(rooted.values())
    slots = [_slot(cut, governors=governors) for cut in cuts]
    placed: set[int] = set()
    if unrooted != "never":
        for members in rooted.values():
            here = {slots[number] for number in members} - {None}
            joined = [number for number in loose if unrooted == "always" or slots[number] in here]
            members.extend(joined)
            placed.update(joined)
    left: dict[object, list[int]] = {}
    for number in loose:
        if number not in placed:
            alone = slots[number] is None or unrooted == "never"
            key: object = "all" if unrooted == "always" else (number if alone else slots[number])
            left.setdefault(key, []).append(number)
    return [*rooted.values(), *left.values()]


def clustered(cuts: Sequence[Cut], group: Sequence[int]) -> tuple[Groups, bool]:
    """Return the members of *group* by fragment, and whether tags of the cover distinguish some of them.

    An instance whose cover is larger than the nucleus matches any tags; it joins the largest cluster.
    """
    by_form: dict[int, list[int]] = {}
    known: dict[int, Tags] = {}
    for number in group:
        by_form.setdefault(cuts[number].form, []).append(number)
        if (own := cuts[number].tags) is not None:
            known[number] = own
    tagged = len({_union(tags) for tags in known.values()}) > 1
    clusters: Groups = []
    for members in by_form.values():
        counts = Counter(known[number] for number in members if number in known)
        if len(counts) < 2:
            clusters.append(members)
            continue
        tagged = True
        most = max(counts, key=lambda tags: (counts[tags], [sorted(level) for level in tags]))
        split: dict[Tags, list[int]] = {}
        for number in members:
            split.setdefault(known.get(number, most), []).append(number)
        clusters += split.values()
    return clusters, tagged


def differing(facts: Facts, a: Cut, b: Cut) -> frozenset[int]:
    """Return the offsets of the words whose facts differ; unknown tags match any tags."""
    first, second = facts.forms[a.form], facts.forms[b.form]
    found = {place for place, (x, y) in enumerate(zip(first, second, strict=True)) if x != y}
    # Tags of single copies are compared only where both have the same copies.
    both = a.tags is not None and b.tags is not None and a.tags != b.tags
    if both and (a.form == b.form or _union(a.tags or ()) != _union(b.tags or ())):
        found.add(a.root)
    return frozenset(found)


@dataclass(slots=True)
class Sentence:
    """The reports on one sentence, from short to long."""

    facts: Facts
    minimal: bool
    reports: list[Report] = field(default_factory=list)
    explained: int = 0

    def add(
        self, lo: int, hi: int, cuts: Sequence[Cut], clusters: Groups, *, tagged: bool, external: bool = False
    ) -> None:
        """Report a nucleus, unless smaller ones inside it explain all differences."""
        differences: dict[Pair, frozenset[int]] = {}
        rest: set[int] = set()
        by: dict[tuple[int, int], None] = {}
        for ours, theirs in combinations(clusters, 2):
            for a in ours:
                for b in theirs:
                    pair = (min(a, b), max(a, b))
                    found = differences[pair] = differing(self.facts, cuts[a], cuts[b])
                    rest |= found - self._known(lo, hi, pair, by)
        if not rest:
            self.explained += 1
            if self.minimal:
                return
        own = tuple(tuple(cluster) for cluster in clusters)
        because = () if rest else tuple(by)
        self.reports.append(Report(lo, hi, own, tagged, external, differences, frozenset(rest), because))

    def _known(self, lo: int, hi: int, pair: Pair, by: dict[tuple[int, int], None]) -> set[int]:
        """Return the offsets that reports between *lo* and *hi* contain for *pair*."""
        known: set[int] = set()
        for report in self.reports:
            inside = lo <= report.lo and report.hi <= hi and (report.lo, report.hi) != (lo, hi)
            if inside and report.residual and pair in report.differing:
                known.update(report.lo - lo + place for place in report.differing[pair])
                by[report.lo, report.hi] = None
        return known


def _union(tags: Tags) -> frozenset[str]:
    return frozenset[str]().union(*tags)


def _slot(cut: Cut, *, governors: bool) -> tuple[object, ...] | None:
    if cut.slot is None:
        return None
    return cut.slot if governors else cut.slot[1:]


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Version:
    """One annotator's version of one sentence."""

    annotation: Annotation[Any]
    words: tuple[str, ...]
    sliced: Sliced


@dataclass(slots=True)
class Comparer:
    """Compares the versions of each sentence."""

    settings: PhraseOptions
    external: str
    facts: Facts
    gathering: Gathering
    gold: GoldCounts | None = None
    counts: Counter[str] = field(default_factory=Counter)

    def compare(self, versions: Sequence[Version]) -> None:
        """Compare all nuclei of one sentence; the words of all versions are the same."""
        width = len(versions[0].words)
        run = SharedRun(0, width, (0,) * len(versions))
        if all(each.sliced.derivation == versions[0].sliced.derivation for each in versions[1:]):
            alike = self._wanted(versions[0].sliced.constituents() | {(0, width)})
            self.counts["compared"] += len(alike)
            self.counts["consistent"] += len(alike)
            if self.gold:
                for lo, hi in alike:
                    self._count_gold([versions[0].sliced.cut(lo, hi, whole=hi - lo == width)] * 2)
            return
        spans = {span for each in versions for span in each.sliced.constituents()} | {(0, width)}
        self._compare(versions, self._wanted(spans), run, width)

    def compare_aligned(self, versions: Sequence[Version]) -> None:
        """Compare the nuclei inside the runs of words that all versions share."""
        runs = runs_of([each.words for each in versions])
        for run in runs:
            spans = set()
            for number, each in enumerate(versions):
                shift = run.shifts[number]
                inside = ((lo - shift, hi - shift) for lo, hi in each.sliced.constituents())
                spans |= {(lo, hi) for lo, hi in inside if run.lo <= lo and hi <= run.hi}
            self._compare(versions, self._wanted(spans), run, -1)

    def _wanted(self, spans: set[Span]) -> list[Span]:
        """Return the spans of the requested lengths, from short to long."""
        most = self.settings.max_len
        least = self.settings.min_len
        kept = [
            span
            for span in spans
            if least <= span[1] - span[0] and (most is None or span[1] - span[0] <= most)
        ]
        return sorted(kept, key=lambda span: (span[1] - span[0], span[0]))

    def _compare(self, versions: Sequence[Version], spans: list[Span], run: SharedRun, width: int) -> None:
        sentence = Sentence(self.facts, minimal=self.settings.report == "minimal")
        cuts_at: dict[Span, list[Cut]] = {}
        for lo, hi in spans:
            whole = hi - lo == width
            cuts = [
                each.sliced.cut(lo + shift, hi + shift, whole=whole)
                for each, shift in zip(versions, run.shifts, strict=True)
            ]
            if any(run.shifts):
                cuts = [_moved(cut, shift) for cut, shift in zip(cuts, run.shifts, strict=True)]
            cuts_at[lo, hi] = cuts
            self.counts[self._nucleus(sentence, lo, hi, cuts, whole=whole)] += 1
            if self.gold:
                self._count_gold(cuts)
        self.counts["compared"] += len(spans)
        self.counts["explained"] += sentence.explained
        if self.external == "full":
            self._add_outer(sentence, versions, cuts_at, run)
        for report in sentence.reports:
            self.gathering.raws.append(self._raw(report, versions, cuts_at[report.lo, report.hi], run))

    def _nucleus(self, sentence: Sentence, lo: int, hi: int, cuts: list[Cut], *, whole: bool) -> str:
        """Report the inconsistencies of one nucleus, and return its outcome."""
        groups = [list(range(len(cuts)))] if whole else comparable(cuts, self.settings.unrooted)
        outcome = "consistent" if len(groups) == 1 else "exempt"
        for group in groups:
            clusters, tagged = clustered(cuts, group)
            if len(clusters) > 1:
                sentence.add(lo, hi, cuts, clusters, tagged=tagged)
                outcome = "inconsistent"
        if self.external != "off" and not whole and len(groups) > 1:
            labels: dict[str, list[int]] = {}
            for number, cut in enumerate(cuts):
                if cut.cover is not None:
                    labels.setdefault(cut.cover, []).append(number)
            if len(labels) > 1 and any(cut.exact for cut in cuts):
                sentence.add(lo, hi, cuts, list(labels.values()), tagged=True, external=True)
                outcome = "inconsistent"
        return outcome

    def _add_outer(
        self, sentence: Sentence, versions: Sequence[Version], cuts_at: dict[Span, list[Cut]], run: SharedRun
    ) -> None:
        """Report nuclei with equal fragments but other attachments, unless a larger report covers them."""
        for (lo, hi), cuts in cuts_at.items():
            if not all(cut.exact for cut in cuts) or len({(cut.form, cut.tags) for cut in cuts}) > 1:
                continue
            outer: dict[tuple[object, str], list[int]] = {}
            for number, (cut, each, shift) in enumerate(zip(cuts, versions, run.shifts, strict=True)):
                above = each.sliced.above(lo + shift, hi + shift)
                outer.setdefault((cut.slot, _joined(cut, above)), []).append(number)
            if len(outer) > 1 and not _told(sentence.reports, lo, hi, lo + cuts[0].root):
                clusters = tuple(tuple(members) for members in outer.values())
                root = frozenset((cuts[0].root,))
                pairs = (
                    (min(a, b), max(a, b))
                    for ours, theirs in combinations(clusters, 2)
                    for a in ours
                    for b in theirs
                )
                names = tuple(name for _, name in outer)
                differing = dict.fromkeys(pairs, root)
                report = Report(lo, hi, clusters, True, True, differing, root, names=names)
                sentence.reports.append(report)

    def _raw(self, report: Report, versions: Sequence[Version], cuts: list[Cut], run: SharedRun) -> Raw:
        keys = []
        for cluster in report.clusters:
            known = [cuts[number] for number in cluster if cuts[number].tags is not None]
            cut = known[0] if known else cuts[cluster[0]]
            keys.append(key_of(cut, tagged=report.tagged, external=report.external))
        if report.names:
            keys = [(EXTERNAL, -1, name, None) for name in report.names]
        clusters = report.clusters
        if self.gathering.ordered:  # gold is version 0
            ordered = sorted(zip(clusters, keys, strict=True), key=lambda each: each[0])
            clusters, keys = tuple(cluster for cluster, _ in ordered), [key for _, key in ordered]
        first = versions[0]
        offset = run.shifts[0]
        places = {place for found in report.differing.values() for place in found}
        return Raw(
            tokens=first.words[report.lo + offset : report.hi + offset],
            keys=tuple(keys),
            members=tuple(
                tuple((versions[n].annotation, versions[n].words, report.lo + run.shifts[n]) for n in cluster)
                for cluster in clusters
            ),
            totals=tuple(len(cluster) for cluster in clusters),
            differing=tuple(sorted(places)),
            residual=tuple(sorted(report.residual)),
            explained_by=report.explained_by,
            phrases=tuple(any(cuts[number].exact for number in cluster) for cluster in clusters),
        )

    def _count_gold(self, cuts: Sequence[Cut]) -> None:
        """Count the phrases of gold and parser here, under every key that a type may use."""
        assert self.gold is not None
        ours, theirs = cuts
        for own, other, tally in ((ours, theirs, self.gold.gold), (theirs, ours, self.gold.parser)):
            if not own.exact:
                continue
            differs = own.form != other.form
            found = [
                (key_of(own, tagged=False, external=False), differs),
                (key_of(own, tagged=True, external=True), own.cover != other.cover),
            ]
            if own.tags is not None:
                found.append((key_of(own, tagged=True, external=False), differs or own.tags != other.tags))
            for key, missed in found:
                tally.places[key] += 1
                tally.missed[key] += missed


def _moved(cut: Cut, shift: int) -> Cut:
    """Return *cut* with the governor's index in the first version."""
    return cut if cut.slot is None else cut._replace(slot=(cut.slot[0] - shift, *cut.slot[1:]))


def _joined(cut: Cut, above: Sequence[Label]) -> str:
    """Return the attachment of a nucleus in one line: its phrase, the phrases above, and their slot."""
    label = written((cut.cover or "", cut.tags[-1] if cut.tags else frozenset()))
    spine = "/".join([label, *map(written, above)])
    return f"{spine} at the top" if cut.slot is None else f"{spine} {'.'.join(cut.slot[1:])}"


def _told(reports: Sequence[Report], lo: int, hi: int, root: int) -> bool:
    """Return whether a report on more words contains the difference at *root*."""
    return any(
        not report.external
        and report.lo <= lo
        and hi <= report.hi
        and any(root - report.lo in places for places in report.differing.values())
        for report in reports
    )
