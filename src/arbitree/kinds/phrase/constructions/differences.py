"""Differences between the trees of a sentence, and which of them are one decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from arbitree.constructions.findings import Asked, Change
from arbitree.kinds.phrase.constructions.derivation import Span
from arbitree.kinds.phrase.constructions.normalisation import Label, Normal, written
from arbitree.kinds.phrase.constructions.sites import (
    GAP,
    PHRASE,
    WORD,
    Chain,
    Empty,
    Site,
    Sites,
    bits,
    columns,
    families,
    hull_of,
    partners,
    traces_in,
    wordless_text,
)

POS, TAGS, CATEGORY, NODE, EMPTY, EXTENT = "pos", "tags", "category", "phrase", "empty", "extent"

Marks = frozenset[tuple[int, int]]  # nodes that are marked as heads: words, and level or -1


@dataclass(frozen=True, slots=True)
class Decision:
    """Differences that belong together, and the trees that agree on all of them."""

    sites: tuple[Site, ...]
    words: int  # of the sites, as bits
    clusters: tuple[tuple[int, ...], ...]  # numbers of trees

    @property
    def hull(self) -> Span:
        """The first word and the one after the last."""
        return hull_of(self.words)


@dataclass(slots=True)
class Comparison:
    """The sites at which the trees of one sentence differ; all trees have the same words."""

    trees: Sequence[Normal]
    sites: Sequence[Sites]
    gold: bool = False  # the first tree is the gold standard
    differences: list[Site] = field(init=False)
    extents: set[tuple[int, str]] = field(default_factory=set)  # words and category of phrases that moved
    _joined: dict[Site, Site] = field(default_factory=dict)
    _base: Sites | None = None
    _sources: dict[Site, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.differences = sorted(self._differences(), key=self._order)

    @property
    def compared(self) -> int:
        """The number of sites that have a value in some tree."""
        phrases = {mask for each in self.sites for mask in each.phrases}
        return len(self.sites[0].pos) + len(phrases) + len({gap for each in self.sites for gap in each.gaps})

    def decisions(self) -> list[Decision]:
        """Return the decisions, those on few words first.

        A difference in function tags only is always a decision of its own.
        """
        alone = [site for site in self.differences if self._tags_only(site)]
        self._joined = {site: site for site in self.differences if not self._tags_only(site)}
        self._join_same_words()
        self._join_crossing()
        for a, b in permutations(range(len(self.sites)), 2):
            self._join_moved_edges(a, b)
            self._join_sisters(a, b)
            self._join_hosts(a, b)
        groups: dict[Site, list[Site]] = {}
        for site in self._joined:
            groups.setdefault(self._root(site), []).append(site)
        by_hull: dict[Span, list[Site]] = {}
        for members in groups.values():
            by_hull.setdefault(self._decision(members).hull, []).extend(members)
        found = [self._decision(members) for members in (*by_hull.values(), *([site] for site in alone))]
        return sorted(found, key=lambda each: (each.hull[1] - each.hull[0], each.hull[0], each.sites))

    def value(self, number: int, site: Site) -> Label | Chain | tuple[Empty, ...]:
        """Return the value of a tree at a site."""
        kind, place = site
        sites = self.sites[number]
        if kind == WORD:
            return sites.pos[place]
        return sites.phrases.get(place, ()) if kind == PHRASE else sites.gaps.get(place, ())

    def same(self, a: int, b: int, site: Site) -> bool:
        """Return whether two trees have the same value at a site."""
        if site[0] != GAP:
            return self.value(a, site) == self.value(b, site)
        ours, theirs = self.sites[a].gaps.get(site[1], ()), self.sites[b].gaps.get(site[1], ())
        return len(ours) == len(theirs) and all(
            one.tree == other.tree
            and one.host == other.host
            and (one.level, other.level) in partners(*self._chains(a, b, one.host))
            for one, other in zip(ours, theirs, strict=True)
        )

    def _differences(self) -> set[Site]:
        first = self.sites[0]
        found: set[Site] = set()
        for other in self.sites[1:]:
            if first.pos != other.pos:
                pairs = enumerate(zip(first.pos, other.pos, strict=True))
                found.update((WORD, word) for word, (ours, theirs) in pairs if ours != theirs)
            if first.phrases != other.phrases:
                masks = first.phrases.keys() | other.phrases.keys()
                get, other_get = first.phrases.get, other.phrases.get
                found.update((PHRASE, mask) for mask in masks if get(mask) != other_get(mask))
        gaps = {gap for each in self.sites for gap in each.gaps}
        pairs_of_trees = list(combinations(range(len(self.sites)), 2)) if gaps else []
        found.update(
            (GAP, gap) for gap in gaps if not all(self.same(a, b, (GAP, gap)) for a, b in pairs_of_trees)
        )
        return found

    def _chains(self, a: int, b: int, mask: int) -> tuple[Chain, Chain]:
        return self.sites[a].phrases.get(mask, ()), self.sites[b].phrases.get(mask, ())

    def words(self, site: Site) -> int:
        """Return the words of a site as bits; of a gap, the words of the phrases around its traces."""
        kind, place = site
        if kind == WORD:
            return 1 << place
        if kind == PHRASE:
            return place
        words = 0
        for each in self.sites:
            for empty in each.gaps.get(place, ()):
                words |= empty.host
        return words

    def _order(self, site: Site) -> tuple[int, int, int, Site]:
        words = self.words(site)
        return (words & -words).bit_length(), words.bit_length(), words.bit_count(), site

    def _tags_only(self, site: Site) -> bool:
        if site[0] != PHRASE:
            return False
        chains = (each.phrases.get(site[1], ()) for each in self.sites)
        return len({tuple([cat for cat, _ in chain]) for chain in chains}) == 1

    def _decision(self, members: Iterable[Site]) -> Decision:
        sites = tuple(sorted(members, key=self._order))
        words = 0
        for site in sites:
            words |= self.words(site)
        clusters: list[list[int]] = []
        for number in range(len(self.sites)):
            for cluster in clusters:
                if all(self.same(cluster[0], number, site) for site in sites):
                    cluster.append(number)
                    break
            else:
                clusters.append([number])
        return Decision(sites, words, tuple([tuple(cluster) for cluster in clusters]))

    # The rules that join differences into one decision.

    def _root(self, site: Site) -> Site:
        while (above := self._joined[site]) != site:
            self._joined[site] = site = self._joined[above]
        return site

    def _join(self, *sites: Site) -> None:
        """Join differences; sites that do not differ, or only in function tags, stay alone."""
        roots = [self._root(site) for site in sites if site in self._joined]
        for root in roots[1:]:
            self._joined[self._root(root)] = self._root(roots[0])

    def _join_same_words(self) -> None:
        """Join the part of speech of a word and the phrase over this word alone."""
        for kind, word in list(self._joined):
            if kind == WORD:
                self._join((WORD, word), (PHRASE, 1 << word))

    def _join_crossing(self) -> None:
        """Join phrases that overlap while neither contains the other."""
        masks = [place for kind, place in self._joined if kind == PHRASE]
        for one, other in combinations(masks, 2):
            both = one & other
            if both and both not in (one, other):
                self._join((PHRASE, one), (PHRASE, other))

    def _join_moved_edges(self, a: int, b: int) -> None:
        """Join a phrase of *a* and a larger one of *b* of the same category, each without a partner.

        They are two places of one phrase, unless both trees have a phrase between them.
        """
        ours, theirs = self._alone(a, b), self._alone(b, a)
        for small, cat in ours:
            larger = [mask for mask, other in theirs if other == cat and small & mask == small != mask]
            if not larger:
                continue
            large = min(larger, key=int.bit_count)
            first, second = self.sites[a].phrases, self.sites[b].phrases
            between = any(
                small & mask == small and mask & large == mask and mask not in (small, large)
                for mask in first.keys() & second.keys()
            )
            if not between:
                self._join((PHRASE, small), (PHRASE, large))
                self.extents |= {(small, cat), (large, cat)}

    def _alone(self, a: int, b: int) -> list[tuple[int, str]]:
        """Return words and category of the phrases of *a* that have no partner in *b*."""
        found = []
        for kind, mask in self._joined:
            if kind == PHRASE and (own := self.sites[a].phrases.get(mask)):
                known = {place for place, _ in partners(own, self.sites[b].phrases.get(mask, ()))}
                found += [(mask, cat) for place, (cat, _) in enumerate(own) if place not in known]
        return found

    def _join_sisters(self, a: int, b: int) -> None:
        """Join the children of a phrase of *a* if all are phrases and *b* has none of them."""
        theirs = self.sites[b].phrases
        for family in families(self.trees[a]):
            if not any(mask in theirs for mask in family):
                self._join(*((PHRASE, mask) for mask in family))

    def _join_hosts(self, a: int, b: int) -> None:
        """Join traces and the phrase around them if *b* does not have this phrase."""
        for kind, gap in list(self._joined):
            for empty in self.sites[a].gaps.get(gap, ()) if kind == GAP else ():
                known = {place for place, _ in partners(*self._chains(a, b, empty.host))}
                if empty.level not in known:
                    self._join((GAP, gap), (PHRASE, empty.host))

    def common(self, words: int) -> Span:
        """Return the smallest phrase over *words* that all trees have, or the whole sentence."""
        phrases = [mask for mask in self.sites[0].phrases if mask & words == words]
        shared = [mask for mask in phrases if all(mask in each.phrases for each in self.sites)]
        return min(
            map(hull_of, shared), key=lambda span: span[1] - span[0], default=(0, len(self.sites[0].pos))
        )

    def around(self, decision: Decision, span: Span) -> Span:
        """Return the smallest phrase over *span* that the decision does not touch, or the whole sentence."""
        lo, hi = span
        words = (1 << hi) - (1 << lo)
        found = (0, len(self.sites[0].pos))
        for mask in self.base.phrases:
            if mask & words == words and (PHRASE, mask) not in decision.sites:
                start, end = hull_of(mask)
                if end - start < found[1] - found[0] and mask.bit_count() == end - start:
                    found = (start, end)
        return found

    # What the trees have in all other places, so that a fragment shows one decision only.

    def settle(self, decisions: Sequence[Decision]) -> None:
        """Choose what all trees are given outside the decision that is shown: gold, or the most frequent."""
        for decision in decisions:
            chosen = 0
            if not self.gold:
                best = min(
                    decision.clusters, key=lambda cluster: (-len(cluster), self.text(cluster[0], decision))
                )
                chosen = best[0]
            self._sources |= dict.fromkeys(decision.sites, chosen)
        self._base = self.mixed({})

    def text(self, number: int, decision: Decision) -> tuple[str, ...]:
        """Return the values of a tree at the sites of a decision as text."""
        return tuple([self._text(number, site) for site in decision.sites])

    def _text(self, number: int, site: Site) -> str:
        kind, place = site
        sites = self.sites[number]
        if kind == WORD:
            return written(sites.pos[place])
        if kind == GAP:
            return " ".join(self._trace_text(number, empty) for empty in sites.gaps.get(place, ()))
        chain = sites.phrases.get(place, ())
        return "".join(f"({written(label)} " for label in chain) + "…" + ")" * len(chain)

    def _trace_text(self, number: int, empty: Empty) -> str:
        host = self.sites[number].phrases[empty.host][empty.level]
        return f"{wordless_text(empty.tree)} in {written(host)}"

    def version(self, decision: Decision, cluster: Sequence[int]) -> Sites | None:
        """Return the sites of a tree that has the values of *cluster* for *decision*, and all else alike.

        Returns:
            The sites; None if they are those of ``base``.
        """
        if self._sources[decision.sites[0]] in cluster:
            return None
        return self.mixed(dict.fromkeys(decision.sites, cluster[0]))

    @property
    def base(self) -> Sites:
        """The tree that has the chosen values everywhere."""
        assert self._base is not None
        return self._base

    def mixed(self, sources: dict[Site, int]) -> Sites:
        """Return the tree with the values of these trees, of the base, or of all."""
        first = self.sites[0]
        base = self._base
        if base is None:
            sources = self._sources
            base = Sites(first.pos, first.phrases, first.gaps, self._tags(), self._marks())
        pos, phrases, gaps, tags, marked = (
            list(base.pos),
            dict(base.phrases),
            base.gaps,
            base.tags,
            base.marked,
        )
        for (kind, place), number in sources.items():
            sites = self.sites[number]
            if kind == WORD:
                pos[place] = sites.pos[place]
                tags = (*tags[:place], sites.tags[place], *tags[place + 1 :])
                marked = _replaced(marked, sites.marked, 1 << place, word=True)
            elif kind == PHRASE:
                phrases.pop(place, None)
                if chain := sites.phrases.get(place):
                    phrases[place] = chain
                marked = _replaced(marked, sites.marked, place, word=False)
        if any(each.gaps for each in self.sites):
            gaps = self._mixed_gaps(phrases, sources)
        return Sites(pos, phrases, gaps, tags, marked)

    def _mixed_gaps(
        self, phrases: dict[int, Chain], sources: dict[Site, int]
    ) -> dict[int, tuple[Empty, ...]]:
        """Return the traces of a mixed tree, with the places of their hosts in its chains."""
        found = {}
        for gap in sorted({gap for each in self.sites for gap in each.gaps}):
            number = sources.get((GAP, gap), self._sources.get((GAP, gap), 0))
            moved = []
            for empty in self.sites[number].gaps.get(gap, ()):
                own = self.sites[number].phrases[empty.host]
                level = dict(partners(own, phrases[empty.host]))[empty.level]
                moved.append(empty._replace(level=level))
            if moved:
                found[gap] = tuple(moved)
        return found

    def _tags(self) -> tuple[str, ...]:
        """Return the tags as written; of words whose tags differ only as written, the most frequent."""
        if len({each.tags for each in self.sites}) == 1 or self.gold:
            return self.sites[0].tags
        return tuple([_most(column) for column in zip(*(each.tags for each in self.sites), strict=True)])

    def _marks(self) -> Marks:
        """Return the nodes that are marked as heads in most trees, or in gold."""
        if self.gold:
            return self.sites[0].marked
        counts = Counter(mark for each in self.sites for mark in each.marked)
        return frozenset([mark for mark, count in counts.items() if 2 * count >= len(self.sites)])

    # What a decision changes.

    def changes(self, decision: Decision) -> tuple[tuple[Change, ...], tuple[Asked, ...]]:
        """Return the changes with a label for each cluster, and what they are about."""
        numbers = [cluster[0] for cluster in decision.clusters]
        found: list[Change] = []
        asked: set[Asked] = set()
        for site in decision.sites:
            kind, place = site
            positions = bits(self.words(site))
            if kind == WORD:
                labels = [self.sites[number].pos[place] for number in numbers]
                found.append(Change(POS, positions, tuple([written(label) for label in labels])))
                asked.add((POS, _sorted(written(label) for label in labels)))
            elif kind == GAP:
                found.append(
                    Change(EMPTY, positions, tuple([self._text(number, site) or None for number in numbers]))
                )
                asked |= {(EMPTY, (trace,)) for trace in self._traces(numbers, place)}
            else:
                for row in columns([self.sites[number].phrases.get(place, ()) for number in numbers]):
                    if len(set(row)) > 1:
                        change, about = self._node(place, positions, row)
                        found.append(change)
                        asked.add(about)
        return tuple(found), tuple(sorted(asked))

    def _node(
        self, mask: int, positions: tuple[int, ...], row: tuple[Label | None, ...]
    ) -> tuple[Change, Asked]:
        known = [label for label in row if label is not None]
        cats = _sorted(cat for cat, _ in known)
        labels = tuple([None if label is None else written(label) for label in row])
        if len(known) < len(row):
            moved = any((mask, cat) in self.extents for cat in cats)
            return Change(NODE, positions, labels), (EXTENT if moved else NODE, cats)
        if len(cats) > 1:
            return Change(CATEGORY, positions, labels), (CATEGORY, cats)
        shared = frozenset.intersection(*(tags for _, tags in known))
        return Change(TAGS, positions, labels), (
            TAGS,
            _sorted(written((cat, tags - shared)) for cat, tags in known),
        )

    def _traces(self, numbers: Sequence[int], gap: int) -> set[str]:
        """Return the types of the traces in a gap that not all trees have."""
        counts = [Counter(self.sites[number].gaps.get(gap, ())) for number in numbers]
        shared = counts[0].copy()
        for each in counts[1:]:
            shared &= each
        own = [empty for each in counts for empty in (each - shared)] or [*counts[0]]
        return {trace for empty in own for trace in traces_in(empty.tree)}


def _sorted(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(texts)))


def _most(values: Iterable[str]) -> str:
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))


def _replaced(old: Marks, new: Marks, words: int, *, word: bool) -> Marks:
    """Return *old* with the marks at a site, a word or a phrase, replaced by those of *new*."""
    if not old and not new:
        return old
    stay = [mark for mark in old if mark[0] != words or (mark[1] < 0) != word]
    return frozenset(stay + [mark for mark in new if mark[0] == words and (mark[1] < 0) == word])
