"""Fragments of the same words compared: who is comparable, who agrees, which words differ, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from arbitree.analyses.inconsistencies.derivation import Tags
from arbitree.analyses.inconsistencies.fragments import Cut, Facts

Pair = tuple[int, int]  # two instances, the smaller number first
Groups = list[list[int]]  # of instances


@dataclass(frozen=True, slots=True)
class Report:
    """A nucleus that is inconsistent: its clusters, and the words that differ between two instances."""

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
    """Return the groups of instances that are compared with each other; an instance may be in several.

    Rooted instances are grouped by the label of their cover. One without a cover joins a group where it
    stands in the same slot.

    Args:
        cuts: one an instance.
        unrooted: ``slot``, ``always`` or ``never``.
        governors: a slot is that of one governor; not in a corpus, where sentences differ.
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
    """Return the members of *group* by fragment, and whether tags of the cover tell some apart.

    An instance whose cover is larger than the nucleus has any tags; it goes with most of the others.
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
    """Return the offsets of the words whose facts differ; tags that are not known match any."""
    first, second = facts.forms[a.form], facts.forms[b.form]
    found = {place for place, (x, y) in enumerate(zip(first, second, strict=True)) if x != y}
    # Tags of single copies are compared only where both have the same copies.
    both = a.tags is not None and b.tags is not None and a.tags != b.tags
    if both and (a.form == b.form or _union(a.tags or ()) != _union(b.tags or ())):
        found.add(a.root)
    return frozenset(found)


@dataclass(slots=True)
class Sentence:
    """The reports on one sentence so far, from short to long."""

    facts: Facts
    minimal: bool
    reports: list[Report] = field(default_factory=list)
    explained: int = 0

    def add(
        self, lo: int, hi: int, cuts: Sequence[Cut], clusters: Groups, *, tagged: bool, external: bool = False
    ) -> None:
        """Report a nucleus, unless smaller ones inside it explain all that differs."""
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
        """Return the offsets that reports inside *lo*, *hi* name for *pair*."""
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
