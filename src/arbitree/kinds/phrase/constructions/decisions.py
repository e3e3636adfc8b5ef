"""Nuclei between annotators, or between parsers and gold: each shows one decision and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from arbitree.constructions.findings import EXTERNAL, INTERNAL, Change
from arbitree.constructions.surprise import Site as Weighed
from arbitree.constructions.surprise import words_at
from arbitree.kinds.phrase.constructions.derivation import Span, derive
from arbitree.kinds.phrase.constructions.differences import CATEGORY, Comparison, Decision
from arbitree.kinds.phrase.constructions.fragments import Cut, Fact, Facts, Sliced, sliced
from arbitree.kinds.phrase.constructions.fragments_drawn import brackets_of, nodes_of
from arbitree.kinds.phrase.constructions.head_tables import HeadTable
from arbitree.kinds.phrase.constructions.normalisation import NO_TAGS, Label, written
from arbitree.kinds.phrase.constructions.nuclei import (
    Pair,
    Report,
    Sentence,
    Version,
    chosen,
    clustered,
    comparable,
    differing,
    inside,
    offsets,
    pairs_of,
    root_of,
    wanted,
)
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.sites import GAP, Chain, Sites, bits, hull_of, tree_of
from arbitree.kinds.phrase.constructions.types import (
    CLASS_OF,
    STRUCTURAL,
    FragmentTally,
    Gathering,
    GoldCounts,
    Key,
    Raw,
    facts_of,
    key_of,
)


@dataclass(slots=True)
class Comparer:
    """Compares the versions of each sentence."""

    settings: PhraseOptions
    external: str
    table: HeadTable
    facts: Facts
    gathering: Gathering
    gold: GoldCounts | None = None
    counts: Counter[str] = field(default_factory=Counter)
    left_out: int = 0  # nuclei that are too short or too long

    def compare(self, versions: Sequence[Version]) -> bool:
        """Compare one sentence, whose words are the same in all versions; return whether they differ."""
        comparison = Comparison(
            [each.normal for each in versions], [each.sites for each in versions], gold=self.gold is not None
        )
        if self.external == "off":
            self._as_in_the_paper(versions, comparison)
        else:
            self.counts["compared"] += comparison.compared
            self.counts["inconsistent"] += len(comparison.differences)
            self.counts["consistent"] += comparison.compared - len(comparison.differences)
            if comparison.differences:
                self._decide(versions, comparison)
        if self.gold:
            self._count_gold(versions)
        return bool(comparison.differences)

    def notes(self) -> list[str]:
        """Return a note on nuclei that are not listed."""
        if not self.left_out:
            return []
        many = "1 nucleus is" if self.left_out == 1 else f"{self.left_out:,} nuclei are"
        return [f"{many} shorter than min_len or longer than max_len and not listed"]

    def _as_in_the_paper(self, versions: Sequence[Version], comparison: Comparison) -> None:
        if not comparison.differences:
            alike = len(wanted(versions[:1], self.settings))
            self.counts += Counter(compared=alike, consistent=alike)
            return
        sentence = Sentence(versions, self.facts, self.settings, comparison)
        sentence.compare()
        self.counts += sentence.counts
        for report in sentence.reports:
            self._gather(report, versions, comparison)

    def _decide(self, versions: Sequence[Version], comparison: Comparison) -> None:
        decisions = comparison.decisions()
        comparison.settle(decisions)
        base = versions[0].sliced if self.gold else self._sliced(versions, comparison.base)
        reports: list[Report] = []
        for decision in decisions:
            report = self._report(versions, comparison, decision, base, reports)
            if self.settings.admits(report.hi - report.lo):
                reports.append(report)
            else:
                self.left_out += 1
        if self.settings.report == "all":
            reports += self._explained(versions, reports)
        if self.external == "full":
            reports += self._attached(versions, reports)
        for report in reports:
            self._gather(report, versions, comparison)

    def _sliced(
        self, versions: Sequence[Version], sites: Sites, part: Span | None = None, span: Span | None = None
    ) -> Sliced:
        """Return the tree with these sites or a part of it, prepared for the fragments of *span*."""
        lo, hi = part or (0, len(sites.pos))
        tree = tree_of(versions[0].words[lo:hi], sites.part(lo, hi))
        return sliced(derive(tree, self.table), self.facts, span and (span[0] - lo, span[1] - lo))

    def _report(
        self,
        versions: Sequence[Version],
        comparison: Comparison,
        decision: Decision,
        base: Sliced,
        reports: Sequence[Report],
    ) -> Report:
        """Return the nucleus of a decision; the fragments of its clusters have all else alike."""
        lo, hi = decision.hull
        cuts, tagged = self._cuts(versions, comparison, decision, base, (lo, hi))
        if self.settings.unrooted == "never" and any(cut.root < 0 for cut in cuts):
            lo, hi = comparison.common(decision.words)
            cuts, tagged = self._cuts(versions, comparison, decision, base, (lo, hi))
        found, rest = self._words(versions, lo, hi, decision.clusters, reports)
        return Report(lo, hi, decision.clusters, tuple(cuts), tagged, found, rest, owned=decision)

    def _cuts(
        self,
        versions: Sequence[Version],
        comparison: Comparison,
        decision: Decision,
        base: Sliced,
        span: Span,
    ) -> tuple[list[Cut], bool]:
        """Return the fragments of the clusters, and whether they differ in the tags of the topmost phrase."""
        part = comparison.around(decision, span)
        trees = []
        for cluster in decision.clusters:
            sites = comparison.version(decision, cluster)
            if sites is None:
                trees.append((base, *span))
            else:
                lo, hi = span[0] - part[0], span[1] - part[0]
                trees.append((self._sliced(versions, sites, part, span), lo, hi))
        cuts = [tree.shown(lo, hi) for tree, lo, hi in trees]
        tagged = len({cut.tags for cut in cuts} - {None}) > 1
        covers = {cut.cover for cut in cuts if cut.exact}
        if any(cut.cover in covers and not cut.exact for cut in cuts):
            drawn = [self._drawn(cut, tagged=tagged) for cut in cuts]
            cuts = [  # a phrase inside a larger one of its category
                cut if cut.exact or drawn.count(brackets) < 2 else tree.shown(lo, hi, covered=False)
                for (tree, lo, hi), cut, brackets in zip(trees, cuts, drawn, strict=True)
            ]
        return cuts, tagged

    def _drawn(self, cut: Cut, *, tagged: bool) -> str:
        """Return what people see of a fragment; heads are not shown."""
        return brackets_of(nodes_of(facts_of(key_of(cut, tagged=tagged, external=False), self.facts)))

    def _words(
        self,
        versions: Sequence[Version],
        lo: int,
        hi: int,
        clusters: tuple[tuple[int, ...], ...],
        reports: Sequence[Report],
    ) -> tuple[dict[Pair, frozenset[int]], frozenset[int]]:
        """Return the words whose annotation differs by pair, and those that no smaller report contains.

        They are found in the annotations as they are. If there are none, the root stands for them.
        """
        whole = hi - lo == len(versions[0].words)
        cuts = [each.sliced.cut(lo, hi, whole=whole) for each in versions]
        root = root_of(cuts)
        found: dict[Pair, frozenset[int]] = {}
        rest: set[int] = set()
        for a, b in pairs_of(clusters):
            found[a, b] = differing(self.facts, cuts[a], cuts[b]) or root
            rest |= found[a, b] - offsets([each for each in reports if inside(each, lo, hi)], (a, b), lo)
        return found, frozenset(rest) or root

    def _explained(self, versions: Sequence[Version], reports: Sequence[Report]) -> list[Report]:
        """Return reports on larger phrases that differ only in what smaller nuclei show."""
        known = {(each.lo, each.hi) for each in reports}
        found = []
        for lo, hi in wanted(versions, self.settings):
            whole = hi - lo == len(versions[0].words)
            cuts = [each.sliced.cut(lo, hi, whole=whole) for each in versions]
            because = tuple(dict.fromkeys((each.lo, each.hi) for each in reports if inside(each, lo, hi)))
            groups = [list(range(len(cuts)))] if whole else comparable(cuts, self.settings.unrooted)
            for group in groups if because and (lo, hi) not in known else ():
                clusters, tagged = clustered(cuts, group)
                if len(clusters) > 1:
                    members = tuple(tuple(cluster) for cluster in clusters)
                    differences, _ = self._words(versions, lo, hi, members, ())
                    shown = tuple(chosen(cuts, cluster) for cluster in clusters)
                    found.append(Report(lo, hi, members, shown, tagged, differences, frozenset(), because))
        return found

    def _attached(self, versions: Sequence[Version], reports: Sequence[Report]) -> list[Report]:
        """Return nuclei with equal fragments but other attachments, unless a larger report covers them."""
        found = []
        for lo, hi in wanted(versions, self.settings):
            whole = hi - lo == len(versions[0].words)
            cuts = [each.sliced.cut(lo, hi, whole=whole) for each in versions]
            if not all(cut.exact for cut in cuts) or len({(cut.form, cut.tags) for cut in cuts}) > 1:
                continue
            outer: dict[tuple[object, str], list[int]] = {}
            for number, (cut, each) in enumerate(zip(cuts, versions, strict=True)):
                outer.setdefault((cut.slot, _joined(cut, each.sliced.above(lo, hi))), []).append(number)
            if len(outer) > 1 and not _told(reports, lo, hi, lo + cuts[0].root):
                clusters = tuple(tuple(members) for members in outer.values())
                root = frozenset((cuts[0].root,))
                labels = tuple((name,) for _, name in outer)
                pairs = dict.fromkeys(pairs_of(clusters), root)
                found.append(Report(lo, hi, clusters, (), True, pairs, root, labels=labels))
        return found

    def _gather(self, report: Report, versions: Sequence[Version], comparison: Comparison) -> None:
        lo, hi = report.lo, report.hi
        decision = report.owned
        changes, asked = comparison.changes(decision) if decision else ((), ())
        labels = report.labels
        minimal = decision is not None and self.external != "off"
        if decision and minimal and _is_label(changes, lo, hi):
            labels = _labels(
                [comparison.sites[cluster[0]].phrases[decision.words] for cluster in report.clusters]
            )
        if labels:
            keys = tuple(Key(EXTERNAL, labels=each) for each in labels)
        else:
            keys = tuple(key_of(cut, tagged=report.tagged, external=False) for cut in report.cuts)
        if self.gold and minimal and not labels:
            self._add_gold(report, versions, keys)
        first = versions[0]
        self.gathering.raws.append(
            Raw(
                tokens=first.words[lo:hi],
                keys=keys,
                members=tuple(
                    tuple((versions[n].annotation, versions[n].sentence, lo) for n in cluster)
                    for cluster in report.clusters
                ),
                totals=tuple(len(cluster) for cluster in report.clusters),
                differing=tuple(sorted({place for places in report.differing.values() for place in places})),
                residual=tuple(sorted(report.residual)),
                explained_by=report.explained_by,
                phrases=tuple(cut.exact or (minimal and hi - lo == 1) for cut in report.cuts)
                or (True,) * len(keys),
                partial=tuple(cut.partial for cut in report.cuts) if minimal and not labels else (),
                class_=CLASS_OF.get(frozenset(each.kind for each in changes), STRUCTURAL) if minimal else "",
                changes=tuple(replace(each, positions=first.places(each.positions)) for each in changes),
                asked=asked,
                sites=_weighed(decision, first.words, comparison) if decision else (),
                positions=tuple(
                    tuple(versions[n].places(range(lo, hi)) for n in cluster) for cluster in report.clusters
                ),
            )
        )

    def _count_gold(self, versions: Sequence[Version]) -> None:
        """Count the phrases of gold and parser, under every key that a type may use."""
        assert self.gold is not None
        same = versions[0].sites is versions[1].sites
        first = self._phrases(versions[0])
        cuts = [first, first if same else self._phrases(versions[1])]
        sides = ((0, 1, self.gold.gold), (1, 0, self.gold.parser))
        for own, other, tally in sides:
            if self.external != "off":
                self._count_words(versions[own].sites, versions[other].sites, tally)
            for mask, mine in cuts[own].items():
                yours = cuts[other].get(mask)
                if self.external == "off":
                    lo, hi = hull_of(mask)
                    yours = yours or versions[other].sliced.cut(
                        lo, hi, whole=hi - lo == len(versions[0].words)
                    )
                else:
                    chain, their = (versions[side].sites.phrases.get(mask, ()) for side in (own, other))
                    _count_labels(chain, their, tally)
                differs = yours is None or mine.form != yours.form
                tally.add(key_of(mine, tagged=False, external=False), missed=differs)
                differs = differs or yours is None or mine.tags != yours.tags
                tally.add(key_of(mine, tagged=True, external=False), missed=differs)

    def _phrases(self, version: Version) -> dict[int, Cut]:
        """Return the fragments of the phrases without gaps, by their words."""
        found = {}
        for mask in version.sites.phrases:
            lo, hi = hull_of(mask)
            if mask.bit_count() == hi - lo and self.settings.admits(hi - lo):
                if self.external == "off":
                    cut = version.sliced.cut(lo, hi, whole=hi - lo == len(version.words))
                    if not cut.exact:
                        continue
                else:
                    cut = version.sliced.shown(lo, hi)
                found[mask] = cut
        return found

    def _count_words(self, own: Sites, other: Sites, tally: FragmentTally) -> None:
        """Count the parts of speech of words over which there is no phrase."""
        if not self.settings.admits(1):
            return
        for word, label in enumerate(own.pos):
            if 1 << word not in own.phrases:
                form = self.facts.form((self.facts.fact(Fact(label, ())),))
                missed = label != other.pos[word] or 1 << word in other.phrases
                tally.add(Key(INTERNAL, form), missed=missed)

    def _add_gold(self, report: Report, versions: Sequence[Version], keys: Sequence[Key]) -> None:
        """Count a phrase of the parser that is shown in a fragment with all else as in gold."""
        assert self.gold is not None
        if report.cuts[1].exact:
            own = versions[1].sliced.shown(report.lo, report.hi)
            if key_of(own, tagged=report.tagged, external=False) != keys[1]:
                self.gold.parser.add(keys[1], missed=True)


def _is_label(changes: Sequence[Change], lo: int, hi: int) -> bool:
    """Return whether the label of the phrase over all words is the only change."""
    return len(changes) == 1 and changes[0].kind == CATEGORY and changes[0].positions == tuple(range(lo, hi))


def _labels(chains: Sequence[Chain]) -> tuple[tuple[str, ...], ...]:
    """Return the labels of chains; the tags of the topmost phrase only if they change.

    Example:
        >>> prd = frozenset(("PRD",))
        >>> _labels([(("NP", prd),), (("ADJP", prd),)])
        (('NP',), ('ADJP',))
    """
    shown = len({chain[0][1] for chain in chains}) > 1
    return tuple([_written(chain, top=shown) for chain in chains])


def _written(chain: Chain, *, top: bool) -> tuple[str, ...]:
    (cat, tags), *rest = chain
    return (written((cat, tags if top else NO_TAGS)), *map(written, rest))


def _count_labels(own: Chain, other: Chain, tally: FragmentTally) -> None:
    """Count a chain of labels, with and without the tags of its topmost phrase."""
    for top in {False, bool(own[0][1])}:
        missed = not other or _written(own, top=top) != _written(other, top=top)
        tally.add(Key(EXTERNAL, labels=_written(own, top=top)), missed=missed)


def _weighed(decision: Decision, words: Sequence[str], comparison: Comparison) -> tuple[Weighed, ...]:
    """Return the words and the values of the clusters at the sites of a decision."""
    return tuple(
        [
            (
                words_at(words, bits(comparison.words(site))),
                [comparison.value(cluster[0], site) for cluster in decision.clusters],
            )
            for site in decision.sites
            if site[0] != GAP
        ]
    )


def _joined(cut: Cut, above: Sequence[Label]) -> str:
    """Return the attachment of a nucleus in one line: its phrase, the phrases above, and their slot."""
    label = written((cut.cover or "", cut.tags[-1] if cut.tags else NO_TAGS))
    spine = "/".join([label, *map(written, above)])
    return f"{spine} at the top" if cut.slot is None else f"{spine} {'.'.join(cut.slot[1:])}"


def _told(reports: Sequence[Report], lo: int, hi: int, root: int) -> bool:
    """Return whether a report on more words contains the difference at *root*."""
    return any(
        not report.labels
        and report.lo <= lo
        and hi <= report.hi
        and any(root - report.lo in places for places in report.differing.values())
        for report in reports
    )
