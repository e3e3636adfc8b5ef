"""Grouping of reports on single nuclei into types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations
from typing import Any

from arbitree.constructions.findings import EXTERNAL, INTERNAL, Nucleus, Rate, Type, by_size, code_of
from arbitree.constructions.grouping import occurrence
from arbitree.drawing.fragment import Fragment
from arbitree.kinds.phrase.constructions.derivation import Tags
from arbitree.kinds.phrase.constructions.fragments import Cut, Fact, Facts
from arbitree.kinds.phrase.constructions.fragments_drawn import (
    brackets_of,
    fragment_of,
    label_fragment,
    nodes_of,
    plain,
)
from arbitree.kinds.phrase.constructions.normalisation import written
from arbitree.study.study import Annotation

FUNCTION, POS, BOTH, STRUCTURAL = "function", "pos", "function+pos", "structural"
CLASSES = (FUNCTION, POS, BOTH, STRUCTURAL)

HEAD, ATTACHMENT, OPERATION = "head change", "attachment change", "arc-op change"
NODES, LABEL = "extra or missing node", "label change"

Key = tuple[str, int, str | None, Tags | None]  # kind, form, label of the cover, its tags
Spanned = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Sketch:
    """The properties of a type that follow from its fragments."""

    fragments: tuple[Fragment, ...]
    class_: str
    label: str
    facets: tuple[str, ...]
    categories: tuple[str, ...]
    via_head: bool


def key_of(cut: Cut, *, tagged: bool, external: bool) -> Key:
    """Return the part of the type's identity that an instance contributes."""
    if external:
        return (EXTERNAL, -1, cut.cover, cut.tags and cut.tags[-1:])
    return (INTERNAL, cut.form, cut.cover, cut.tags if tagged else None)


def facts_of(key: Key, facts: Facts, *, pos: bool = True) -> tuple[Fact, ...]:
    """Return the facts of an internal key, with the tags of the cover filled in if present."""
    found = facts.of(key[1])
    if key[3] is not None:
        for place, fact in enumerate(found):
            if fact.spine and fact.spine[-1][1] is None:
                found[place] = fact._replace(spine=(*fact.spine[:-1], (fact.spine[-1][0], key[3])))
    return tuple(found) if pos else plain(found, pos=False)


def sketch(keys: Sequence[Key], facts: Facts, *, pos: bool, refine: bool) -> Sketch:
    """Return the properties of the type with these fragments."""
    if keys[0][0] == EXTERNAL:
        fragments = tuple(
            label_fragment(cover or "", tags[-1] if tags else None) for _, _, cover, tags in keys
        )
        names = [fragment.nodes[0].label for fragment in fragments]
        categories = tuple(sorted({cover or "" for _, _, cover, _ in keys}))
        return Sketch(fragments, STRUCTURAL, " against ".join(names), (LABEL,), categories, via_head=False)
    known = [facts_of(key, facts, pos=pos) for key in keys]
    fragments = tuple(fragment_of(each) for each in known)
    class_ = _class(known)
    via_head = False
    same_size = len({len(fragment.nodes) for fragment in fragments}) == 1  # else the trees differ for sure
    if refine and class_ == STRUCTURAL and same_size and (tamer := _by_trees(known)):
        class_, via_head = tamer, True
    facets, categories = _facets(known)
    return Sketch(fragments, class_, _label(class_, fragments), facets, categories, via_head)


def _class(known: Sequence[tuple[Fact, ...]]) -> str:
    if not _alike(known, lambda each: plain(each, pos=False, tags=False)):
        return STRUCTURAL
    if _alike(known, lambda each: plain(each, tags=False)):
        return FUNCTION
    return POS if _alike(known, lambda each: plain(each, pos=False)) else BOTH


def _by_trees(known: Sequence[tuple[Fact, ...]]) -> str:
    """Return the class by the trees alone if only a tag changed the head, otherwise None."""

    def alike(*, pos: bool = True, tags: bool = True) -> bool:
        return _alike(known, lambda each: brackets_of(nodes_of(plain(each, pos=pos, tags=tags))))

    if not alike(pos=False, tags=False) or alike():
        return ""
    if alike(tags=False):
        return FUNCTION
    return POS if alike(pos=False) else BOTH


def _alike(known: Sequence[tuple[Fact, ...]], view: Callable[[tuple[Fact, ...]], object]) -> bool:
    return len({view(each) for each in known}) == 1


def _facets(known: Sequence[tuple[Fact, ...]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the changes between the fragments, and the labels involved."""
    facets: set[str] = set()
    labels: set[str] = set()
    for ours, theirs in combinations(known, 2):
        if _root(ours) != _root(theirs) and min(_root(ours), _root(theirs)) >= 0:
            facets.add(HEAD)
        for a, b in zip(ours, theirs, strict=True):
            if a != b:
                _compare(a, b, facets, labels)
    return tuple(sorted(facets)), tuple(sorted(labels))


def _root(facts: Sequence[Fact]) -> int:
    roots = [place for place, fact in enumerate(facts) if not fact.governor]
    return roots[0] if len(roots) == 1 else -1


def _compare(a: Fact, b: Fact, facets: set[str], labels: set[str]) -> None:
    if a.pos != b.pos:
        labels.update((written(a.pos), written(b.pos)))
    ours, theirs = [cat for cat, _ in a.spine], [cat for cat, _ in b.spine]
    if len(ours) != len(theirs):
        facets.add(NODES)
        labels.update((Counter(ours) - Counter(theirs)) + (Counter(theirs) - Counter(ours)))
    elif ours != theirs:
        facets.add(LABEL)
        labels.update((*ours, *theirs))
    for (cat, mine), (other, yours) in zip(a.spine, b.spine, strict=False):
        if cat == other and mine is not None and yours is not None and mine != yours:
            changed = frozenset[str]().union(*mine) ^ frozenset[str]().union(*yours)
            labels.update((cat, *(changed or frozenset[str]().union(*mine))))
    joined = bool(a.governor and b.governor)
    if joined and a.operation != b.operation:
        facets.add(OPERATION)
    if (a.governor, a.node, a.cat, a.level) != (b.governor, b.node, b.cat, b.level):
        facets.add(ATTACHMENT)
        labels.update((ours or [written(a.pos)])[-1:] + (theirs or [written(b.pos)])[-1:])


def _label(class_: str, fragments: Sequence[Fragment]) -> str:
    """Return a description of the difference between the fragments."""
    if len(fragments) > 2:
        shared = Counter.__and__
        spanned = [_spanned(each, leaves=class_ != STRUCTURAL) for each in fragments]
        own = [_listed(each - reduce(shared, spanned)) for each in spanned]
        return f"{len(fragments)} annotations: " + " | ".join(name or "without" for name in own)
    ours, theirs = (_spanned(each, leaves=class_ != STRUCTURAL) for each in fragments)
    mine, yours = _listed(ours - theirs), _listed(theirs - ours)
    if mine and yours:
        return f"{mine} against {yours}"
    if mine or yours:
        return f"with and without {mine or yours}"
    return "the same phrases, attached elsewhere"


def _listed(found: Counter[Spanned]) -> str:
    names = [
        label
        for (label, _), count in sorted(found.items(), key=lambda each: each[0][1])
        for _ in range(count)
    ]
    return ", ".join(names[:4]) + (" …" if len(names) > 4 else "")


def _spanned(fragment: Fragment, *, leaves: bool) -> Counter[Spanned]:
    """Return the labels with the words under them, with multiplicity."""
    tokens: list[list[int]] = [[] for _ in fragment.nodes]
    for place, node in enumerate(fragment.nodes):
        above = place
        while node.token is not None and above >= 0:
            tokens[above].append(node.token)
            above = fragment.nodes[above].parent
    return Counter(
        (node.label, tuple(sorted(own)))
        for node, own in zip(fragment.nodes, tokens, strict=True)
        if leaves or node.token is None
    )


@dataclass(frozen=True, slots=True)
class Raw:
    """A nucleus before grouping: the key and the members of every cluster."""

    tokens: tuple[str, ...]
    keys: tuple[Key, ...]
    members: tuple[tuple[tuple[Annotation[Any], tuple[str, ...], int], ...], ...]  # annotation, words, start
    totals: tuple[int, ...]
    differing: tuple[int, ...]
    residual: tuple[int, ...]
    explained_by: tuple[tuple[int, int], ...] = ()
    phrases: tuple[bool, ...] = ()  # of the clusters, whether a phrase holds these words and no others
    pair: tuple[tuple[Annotation[Any], int], ...] = ()  # in a corpus, the best two examples
    evidence: float | None = None  # in a corpus, that they show an error


@dataclass(slots=True)
class FragmentTally:
    """How often one side has a fragment as a phrase, and how often the other side differs there."""

    places: Counter[Key] = field(default_factory=Counter)
    missed: Counter[Key] = field(default_factory=Counter)


@dataclass(slots=True)
class GoldCounts:
    """The counts of gold and of the parsers."""

    gold: FragmentTally = field(default_factory=FragmentTally)
    parser: FragmentTally = field(default_factory=FragmentTally)


@dataclass(slots=True)
class Gathering:
    """Collects nuclei and groups them into types."""

    facts: Facts
    type_pos: bool
    refine: bool
    ordered: bool = False  # gold before parser
    raws: list[Raw] = field(default_factory=list)
    _merged: dict[Key, Key] = field(default_factory=dict)
    _plain: dict[object, Key] = field(default_factory=dict)

    def types(self, gold: GoldCounts | None = None) -> tuple[Type, ...]:
        """Return the types, those with most nuclei first."""
        groups: dict[tuple[tuple[Key, ...], bool], list[Raw]] = {}
        for raw in self.raws:
            groups.setdefault(self._identity(raw.keys), []).append(raw)
        pooled = self._pooled(gold) if gold and not self.type_pos else None
        found = []
        for (keys, pos), raws in groups.items():
            drawn = sketch(keys, self.facts, pos=pos, refine=self.refine)
            counted = gold if pos else pooled
            rate = _rate(keys, raws, counted) if counted else None
            found.append(self._type(keys, drawn, raws, rate))
        return by_size(found)

    def _identity(self, keys: tuple[Key, ...]) -> tuple[tuple[Key, ...], bool]:
        """Return the keys that identify the type, and whether they include parts of speech.

        They always do if the keys differ in nothing else.
        """
        merged = keys if self.type_pos else tuple(self._merge(key) for key in keys)
        pos = self.type_pos or len(set(merged)) < 2
        chosen = keys if pos else merged
        return (chosen if self.ordered else tuple(sorted(set(chosen), key=_sortable))), pos

    def _merge(self, key: Key) -> Key:
        """Return one key for all keys that differ only in parts of speech."""
        if key[0] == EXTERNAL:
            return key
        if key not in self._merged:
            without = (facts_of(key, self.facts, pos=False), key[2], key[3])
            self._merged[key] = self._plain.setdefault(without, key)
        return self._merged[key]

    def _pooled(self, gold: GoldCounts) -> GoldCounts:
        """Return the counts of gold, with keys merged that differ only in parts of speech."""
        pooled = GoldCounts()
        for old, new in ((gold.gold, pooled.gold), (gold.parser, pooled.parser)):
            for key, count in old.places.items():
                new.places[self._merge(key)] += count
            for key, count in old.missed.items():
                new.missed[self._merge(key)] += count
        return pooled

    def _type(self, keys: tuple[Key, ...], drawn: Sketch, raws: Sequence[Raw], rate: Rate | None) -> Type:
        kind = keys[0][0]
        sides: dict[str, list[int]] = {}
        nuclei = []
        for raw in raws:
            order = self._order(keys, raw)
            nuclei.append(_nucleus(raw, order, len(keys)))
            for cluster, number in zip(raw.members, order, strict=True):
                for coder in {annotation.coder for annotation, _, _ in cluster}:
                    sides.setdefault(coder, [0] * len(keys))[number] += 1
        return Type(
            code=code_of(kind, [each.text for each in drawn.fragments], ordered=self.ordered),
            class_=drawn.class_,
            label=drawn.label,
            fragments=drawn.fragments,
            nuclei=tuple(nuclei),
            kind=kind,
            facets=drawn.facets,
            categories=drawn.categories,
            sides={coder: tuple(counts) for coder, counts in sorted(sides.items())},
            rate=rate,
            via_head=drawn.via_head,
        )

    def _order(self, keys: tuple[Key, ...], raw: Raw) -> list[int]:
        """Return the index of the type's fragment for every cluster of *raw*."""
        if all(key in keys for key in raw.keys):
            return [keys.index(key) for key in raw.keys]
        return [keys.index(self._merge(key)) for key in raw.keys]


def _rate(keys: tuple[Key, ...], raws: Sequence[Raw], counted: GoldCounts) -> Rate | None:
    """Return how often the gold phrase is missed, or how often the parser's phrase is wrong.

    Words that are not a phrase are considered only because the other side has one, so they have no rate.
    """
    for number, (tally, side) in enumerate(((counted.gold, "gold"), (counted.parser, "parser"))):
        this = sum(raw.phrases[number] for raw in raws)
        if this and tally.places[keys[number]]:
            return Rate(tally.places[keys[number]], tally.missed[keys[number]], this, side)
    return None


def _nucleus(raw: Raw, order: Sequence[int], width: int) -> Nucleus:
    counts = [0] * width
    places = []
    for cluster, number, total in zip(raw.members, order, raw.totals, strict=True):
        counts[number] += total
        places += [
            occurrence(cell, words, range(lo, lo + len(raw.tokens)), number) for cell, words, lo in cluster
        ]
    first = {(cell.item.id, cell.coder, lo): rank - 2 for rank, (cell, lo) in enumerate(raw.pair)}
    places.sort(key=lambda place: first.get((place.item, place.coder, place.positions[0]), 0))
    found = Nucleus(raw.tokens, tuple(places), tuple(counts), raw.differing, raw.residual, raw.explained_by)
    return replace(found, evidence=raw.evidence)


def _sortable(key: Key) -> tuple[Any, ...]:
    kind, form, cover, tags = key
    return kind, form, cover or "", [sorted(level) for level in tags] if tags is not None else [["*"]]
