"""Nuclei as in the paper: phrases with different fragments that smaller nuclei do not explain.

This is the procedure of Kulick et al. (2013) that ``external=off`` keeps. A corpus uses parts of it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from arbitree.kinds.phrase.constructions.derivation import Span, Tags
from arbitree.kinds.phrase.constructions.differences import Comparison, Decision
from arbitree.kinds.phrase.constructions.fragments import Cut, Facts, Sliced
from arbitree.kinds.phrase.constructions.normalisation import Normal
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.sites import PHRASE, WORD, Site, Sites, sites_of
from arbitree.study.study import Annotation

Pair = tuple[int, int]  # two instances, the smaller number first
Groups = list[list[int]]  # of instances


@dataclass(slots=True)
class Version:
    """One annotator's version of one sentence."""

    annotation: Annotation[Any]
    normal: Normal
    derived: Callable[[Normal], Sliced]
    words: tuple[str, ...]
    sentence: tuple[str, ...]  # the words with those that were taken out
    kept: tuple[int, ...] | None = None  # places of the words in the sentence, if some were taken out
    _sliced: Sliced | None = None
    _sites: Sites | None = None

    def places(self, words: Iterable[int]) -> tuple[int, ...]:
        """Return the places of words in the sentence."""
        return tuple(words) if self.kept is None else tuple([self.kept[word] for word in words])

    @property
    def sliced(self) -> Sliced:
        """The derivation, prepared for fragments."""
        if self._sliced is None:
            self._sliced = self.derived(self.normal)
        return self._sliced

    @property
    def sites(self) -> Sites:
        """The tree as sites."""
        if self._sites is None:
            self._sites = sites_of(self.normal)
        return self._sites


@dataclass(frozen=True, slots=True)
class Report:
    """An inconsistent nucleus: its clusters, and the words that differ between two instances."""

    lo: int
    hi: int
    clusters: tuple[tuple[int, ...], ...]  # instances with the same fragment
    cuts: tuple[Cut, ...]  # of the clusters
    tagged: bool  # the tags of the cover are part of the difference
    differing: dict[Pair, frozenset[int]]  # offsets
    residual: frozenset[int]  # offsets that no smaller report explains; empty if nothing is new
    explained_by: tuple[Span, ...] = ()
    owned: Decision | None = None  # the differences that it is the first to show
    labels: tuple[tuple[str, ...], ...] = ()  # of the clusters, instead of cuts


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

    versions: Sequence[Version]
    facts: Facts
    settings: PhraseOptions
    comparison: Comparison
    reports: list[Report] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    _shown: dict[Span, dict[Pair, set[Site]]] = field(default_factory=dict)

    def compare(self) -> None:
        """Compare all nuclei: the phrases of any annotator and the whole sentence."""
        width = len(self.versions[0].words)
        for lo, hi in wanted(self.versions, self.settings):
            whole = hi - lo == width
            cuts = [each.sliced.cut(lo, hi, whole=whole) for each in self.versions]
            groups = [list(range(len(cuts)))] if whole else comparable(cuts, self.settings.unrooted)
            outcome = "consistent" if len(groups) == 1 else "exempt"
            for group in groups:
                clusters, tagged = clustered(cuts, group)
                if len(clusters) > 1:
                    self._add(lo, hi, cuts, clusters, tagged=tagged, whole=whole)
                    outcome = "inconsistent"
            self.counts[outcome] += 1
            self.counts["compared"] += 1

    def _add(
        self, lo: int, hi: int, cuts: Sequence[Cut], clusters: Groups, *, tagged: bool, whole: bool
    ) -> None:
        """Report a nucleus, unless smaller ones inside it show all its differences."""
        shown: dict[Pair, set[Site]] = {}
        differences: dict[Pair, frozenset[int]] = {}
        new: set[Site] = set()
        rest: set[int] = set()
        for a, b in pairs_of(clusters):
            here = {
                site
                for site in self.comparison.differences
                if not self.comparison.same(a, b, site)
                and (whole or self._visible(site, lo, hi, cuts[a], cuts[b]))
            }
            shown[a, b] = {site for site in here if whole or not self._cut_off(site, lo, hi)}
            known = [each for each in self.reports if inside(each, lo, hi) and (a, b) in each.differing]
            new |= here.difference(*(self._shown[each.lo, each.hi].get((a, b), ()) for each in known))
            differences[a, b] = differing(self.facts, cuts[a], cuts[b])
            rest |= differences[a, b] - offsets(known, (a, b), lo)
        if not new:
            self.counts["explained"] += 1
            if self.settings.report == "minimal":
                return
        because = () if new else tuple((each.lo, each.hi) for each in self.reports if inside(each, lo, hi))
        members = tuple(tuple(cluster) for cluster in clusters)
        # The changes name the values of the first of each cluster: one whose phrase covers nothing else.
        shown_first = (sorted(cluster, key=lambda number: cuts[number].tags is None) for cluster in clusters)
        full = new & {site for sites in shown.values() for site in sites}
        full -= {site for each in self.reports if each.owned for site in each.owned.sites}
        owned = tuple(site for site in self.comparison.differences if site in full)
        report = Report(
            lo,
            hi,
            members,
            tuple(chosen(cuts, cluster) for cluster in clusters),
            tagged,
            differences,
            (frozenset(rest) or root_of(cuts)) if new else frozenset(),
            because,
            Decision(owned, (1 << hi) - (1 << lo), tuple(map(tuple, shown_first))) if owned else None,
        )
        self.reports.append(report)
        for pair, sites in shown.items():
            self._shown.setdefault((lo, hi), {}).setdefault(pair, set()).update(sites)

    def _visible(self, site: Site, lo: int, hi: int, ours: Cut, theirs: Cut) -> bool:
        """Return whether two fragments show that their trees differ at a site.

        They show the lowest phrase over the nucleus, and its tags only if it covers nothing else in both.
        """
        words, hull = self.comparison.words(site), (1 << hi) - (1 << lo)
        if words & hull != words:
            return False
        if words != hull or site[0] != PHRASE:
            return True
        return ours.cover != theirs.cover or (ours.exact and theirs.exact)

    def _cut_off(self, site: Site, lo: int, hi: int) -> bool:
        """Return whether some phrases of a site are above the lowest one over the nucleus."""
        hull = (1 << hi) - (1 << lo)
        chains = [each.phrases.get(hull, ()) for each in self.comparison.sites]
        return site[0] != WORD and self.comparison.words(site) == hull and max(map(len, chains)) > 1


def wanted(versions: Sequence[Version], settings: PhraseOptions) -> list[Span]:
    """Return the phrases of the requested lengths and the whole sentence, from short to long."""
    spans = {span for each in versions for span in each.sliced.constituents()}
    spans.add((0, len(versions[0].words)))
    kept = [(lo, hi) for lo, hi in spans if settings.admits(hi - lo)]
    return sorted(kept, key=lambda span: (span[1] - span[0], span[0]))


def pairs_of(clusters: Sequence[Sequence[int]]) -> list[Pair]:
    """Return the pairs of instances in different clusters."""
    return [
        (min(a, b), max(a, b)) for ours, theirs in combinations(clusters, 2) for a in ours for b in theirs
    ]


def inside(report: Report, lo: int, hi: int) -> bool:
    """Return whether *report* is on fewer words, all of them in the span, and shows something new."""
    smaller = lo <= report.lo and report.hi <= hi and (report.lo, report.hi) != (lo, hi)
    return smaller and bool(report.residual)


def offsets(known: Sequence[Report], pair: Pair, lo: int) -> set[int]:
    """Return the offsets from *lo* at which reports differ for *pair*."""
    return {each.lo - lo + place for each in known for place in each.differing.get(pair, ())}


def root_of(cuts: Sequence[Cut]) -> frozenset[int]:
    """Return the offset of the first root of a nucleus that is its only root, or of the first word."""
    return frozenset((min((cut.root for cut in cuts if cut.root >= 0), default=0),))


def chosen(cuts: Sequence[Cut], cluster: Sequence[int]) -> Cut:
    """Return the fragment of a cluster: one whose tags are known, if any."""
    known = [cuts[number] for number in cluster if cuts[number].tags is not None]
    return known[0] if known else cuts[cluster[0]]


def _union(tags: Tags) -> frozenset[str]:
    return frozenset[str]().union(*tags)


def _slot(cut: Cut, *, governors: bool) -> tuple[object, ...] | None:
    if cut.slot is None:
        return None
    return cut.slot if governors else cut.slot[1:]
