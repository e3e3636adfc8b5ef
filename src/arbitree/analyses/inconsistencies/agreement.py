"""Coders, or parsers and gold, on the same sentences: nuclei of each sentence compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from arbitree.analyses.inconsistencies.alignment import Run, runs_of
from arbitree.analyses.inconsistencies.comparison import Report, Sentence, clustered, comparable
from arbitree.analyses.inconsistencies.findings import EXTERNAL
from arbitree.analyses.inconsistencies.fragments import Cut, Facts, Sliced
from arbitree.analyses.inconsistencies.gathering import Gathering, Gold, Raw
from arbitree.analyses.inconsistencies.grouping import key_of
from arbitree.analyses.inconsistencies.normalisation import Label, written
from arbitree.analyses.inconsistencies.settings import Settings
from arbitree.data.study import Annotation

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Version:
    """What one coder made of one sentence."""

    annotation: Annotation[Any]
    words: tuple[str, ...]
    sliced: Sliced


@dataclass(slots=True)
class Comparer:
    """Compares the versions of sentence after sentence."""

    settings: Settings
    external: str
    facts: Facts
    gathering: Gathering
    gold: Gold | None = None
    counts: Counter[str] = field(default_factory=Counter)

    def compare(self, versions: Sequence[Version]) -> None:
        """Compare all nuclei of one sentence; the words of all versions are the same."""
        width = len(versions[0].words)
        run = Run(0, width, (0,) * len(versions))
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
        """Compare the nuclei inside runs of words that all versions share."""
        runs = runs_of([each.words for each in versions])
        for run in runs:
            spans = set()
            for number, each in enumerate(versions):
                shift = run.shifts[number]
                inside = ((lo - shift, hi - shift) for lo, hi in each.sliced.constituents())
                spans |= {(lo, hi) for lo, hi in inside if run.lo <= lo and hi <= run.hi}
            self._compare(versions, self._wanted(spans), run, -1)

    def _wanted(self, spans: set[Span]) -> list[Span]:
        """Return the spans of the lengths asked for, from short to long."""
        most = self.settings.max_len
        least = self.settings.min_len
        kept = [
            span
            for span in spans
            if least <= span[1] - span[0] and (most is None or span[1] - span[0] <= most)
        ]
        return sorted(kept, key=lambda span: (span[1] - span[0], span[0]))

    def _compare(self, versions: Sequence[Version], spans: list[Span], run: Run, width: int) -> None:
        sentence = Sentence(self.facts, minimal=self.settings.report == "minimal")
        cuts_at: dict[Span, list[Cut]] = {}
        for lo, hi in spans:
            whole = hi - lo == width
            cuts = [
                each.sliced.cut(lo + shift, hi + shift, whole=whole)
                for each, shift in zip(versions, run.shifts, strict=True)
            ]
            if any(run.shifts):
                cuts = [run.moved(cut, number) for number, cut in enumerate(cuts)]
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
        """Report what is inconsistent about one nucleus, and say how it stands."""
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
        self, sentence: Sentence, versions: Sequence[Version], cuts_at: dict[Span, list[Cut]], run: Run
    ) -> None:
        """Report nuclei that are the same inside but joined elsewhere, where no larger report says so."""
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

    def _raw(self, report: Report, versions: Sequence[Version], cuts: list[Cut], run: Run) -> Raw:
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
        """Count the phrases that gold and parser have here, under every key that a type may name them by."""
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


def _joined(cut: Cut, above: Sequence[Label]) -> str:
    """Return in a line how a nucleus stands in the rest: its phrase, those above, where they are joined."""
    label = written((cut.cover or "", cut.tags[-1] if cut.tags else frozenset()))
    spine = "/".join([label, *map(written, above)])
    return f"{spine} at the top" if cut.slot is None else f"{spine} {'.'.join(cut.slot[1:])}"


def _told(reports: Sequence[Report], lo: int, hi: int, root: int) -> bool:
    """Return whether a report on more words names the difference at *root*."""
    return any(
        not report.external
        and report.lo <= lo
        and hi <= report.hi
        and any(root - report.lo in places for places in report.differing.values())
        for report in reports
    )
