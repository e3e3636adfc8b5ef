"""Grouping of reports on single nuclei into types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations
from typing import Any, NamedTuple

from arbitree.constructions.findings import (
    EXTERNAL,
    INTERNAL,
    Asked,
    Change,
    Nucleus,
    Rate,
    Type,
    by_size,
    code_of,
)
from arbitree.constructions.grouping import occurrence
from arbitree.constructions.surprise import Site
from arbitree.drawing.fragment import Fragment
from arbitree.kinds.phrase.constructions.derivation import Tags
from arbitree.kinds.phrase.constructions.fragments import Copies, Cut, Fact, Facts
from arbitree.kinds.phrase.constructions.fragments_drawn import (
    brackets_of,
    fragment_of,
    label_fragment,
    nodes_of,
    plain,
)
from arbitree.kinds.phrase.constructions.normalisation import NO_TAGS, written
from arbitree.study.study import Annotation

FUNCTION, POS, BOTH, STRUCTURAL = "function", "pos", "function+pos", "structural"
CLASSES = (FUNCTION, POS, BOTH, STRUCTURAL)
CLASS_OF = {frozenset(("tags",)): FUNCTION, frozenset(("pos",)): POS}  # by the kinds of the changes

HEAD, ATTACHMENT, OPERATION = "head change", "attachment change", "arc-op change"
NODES, LABEL = "extra or missing node", "label change"

Spanned = tuple[str, tuple[int, ...]]
Phrases = frozenset[tuple[int, int, int]]  # of a fragment: word, node of its spine, copy of this node


class Key(NamedTuple):
    """What an instance contributes to the identity of its type."""

    kind: str
    form: int = -1  # the number of the fragment
    cover: str | None = None  # category of its topmost phrase
    tags: Tags | None = None  # of this phrase, if they are part of the difference
    labels: tuple[str, ...] = ()  # instead of a fragment: the phrases over all words, topmost first


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
    if external and cut.tags is None:
        return Key(EXTERNAL, cover=cut.cover)
    if external:
        return Key(EXTERNAL, labels=(written((cut.cover or "", (cut.tags or (NO_TAGS,))[-1])),))
    return Key(INTERNAL, cut.form, cut.cover, cut.tags if tagged else None)


def facts_of(key: Key, facts: Facts) -> tuple[Fact, ...]:
    """Return the facts of an internal key, with the tags of the cover filled in if present."""
    found = facts.of(key.form)
    if key.tags is not None:
        for place, fact in enumerate(found):
            if fact.spine and (filled := _filled(fact.spine[-1][1], key.tags)) is not None:
                found[place] = fact._replace(spine=(*fact.spine[:-1], (fact.spine[-1][0], filled)))
    return tuple(found)


def _filled(known: Copies | None, tags: Tags) -> Copies | None:
    """Return the tags of the copies of a node; None if all of them are in the fragment already."""
    if known is None:
        return tags
    return (*known[:-1], tags[-1]) if known and known[-1] is None else None


def sketch(
    keys: Sequence[Key], facts: Facts, class_: str, partial: Sequence[Phrases], *, refine: bool
) -> Sketch:
    """Return the properties of the type with these fragments.

    Args:
        keys: of the fragments.
        facts: the facts that the keys refer to.
        class_: the class, if it is known from what changes; otherwise "".
        partial: of each fragment, the phrases that also cover other words.
        refine: whether a tag that moves the head is no difference of structure.
    """
    if keys[0].kind == EXTERNAL:
        fragments = tuple(label_fragment(key.labels, part_of=key.cover) for key in keys)
        names = [" ".join(node.label for node in fragment.nodes) for fragment in fragments]
        categories = tuple(sorted({node.label for fragment in fragments for node in fragment.nodes}))
        return Sketch(fragments, STRUCTURAL, " against ".join(names), (LABEL,), categories, via_head=False)
    known = [facts_of(key, facts) for key in keys]
    fragments = tuple(fragment_of(each, larger) for each, larger in zip(known, partial, strict=True))
    via_head = False
    if not class_:
        class_ = _class(known)
        same_size = len({len(fragment.nodes) for fragment in fragments}) == 1  # else the trees differ
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
            own, other_tags = ({tag for level in each for tag in level or ()} for each in (mine, yours))
            labels.update((cat, *(own ^ other_tags or own)))
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
    partial: tuple[Phrases, ...] = ()  # of the clusters, phrases that also cover other words
    class_: str = ""  # if it is known from the changes
    changes: tuple[Change, ...] = ()  # labels by cluster
    asked: tuple[Asked, ...] = ()
    sites: tuple[Site, ...] = ()  # words and values of the clusters, for the surprise
    bits: float = 1.0
    positions: tuple[tuple[tuple[int, ...], ...], ...] = ()  # of the members, if not all in a row


@dataclass(slots=True)
class FragmentTally:
    """How often one side has a fragment as a phrase, and how often the other side differs there."""

    places: Counter[Key] = field(default_factory=Counter)
    missed: Counter[Key] = field(default_factory=Counter)

    def add(self, key: Key, *, missed: bool) -> None:
        """Count a place."""
        self.places[key] += 1
        self.missed[key] += missed


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

    def types(self, gold: GoldCounts | None = None) -> tuple[Type, ...]:
        """Return the types, those with most nuclei first."""
        groups: dict[tuple[Key, ...], list[tuple[Raw, list[int]]]] = {}
        kept: dict[tuple[Key, ...], frozenset[int]] = {}
        for raw in self.raws:
            places = self._kept(raw.keys)
            own = [self._masked(key, places) for key in raw.keys]
            keys = tuple(own if self.ordered else sorted(set(own), key=_sortable))
            groups.setdefault(keys, []).append((raw, [keys.index(key) for key in own]))
            kept.setdefault(keys, places)
        found = []
        for keys, members in groups.items():
            class_ = next((raw.class_ for raw, _ in members if raw.class_), "")
            drawn = sketch(keys, self.facts, class_, _partial(members, len(keys)), refine=self.refine)
            rate = None
            if gold:
                counted = gold if self.type_pos else self._pooled(gold, keys, kept[keys])
                rate = _rate(keys, [raw for raw, _ in members], counted)
            found.append(self._type(keys, drawn, members, rate))
        return by_size(found)

    def _kept(self, keys: Sequence[Key]) -> frozenset[int]:
        """Return the words whose parts of speech distinguish the type: those that differ, or all."""
        if keys[0].kind == EXTERNAL:
            return frozenset()
        rows = [[fact.pos for fact in self.facts.of(key.form)] for key in keys]
        words = range(len(rows[0]))
        return frozenset(word for word in words if self.type_pos or len({row[word] for row in rows}) > 1)

    def _masked(self, key: Key, kept: frozenset[int]) -> Key:
        """Return *key* with the parts of speech of all other words left out."""
        if self.type_pos or key.kind == EXTERNAL:
            return key
        facts = self.facts.of(key.form)
        plain_facts = [
            fact if word in kept else plain([fact], pos=False)[0] for word, fact in enumerate(facts)
        ]
        return key._replace(form=self.facts.form(tuple([self.facts.fact(fact) for fact in plain_facts])))

    def _pooled(self, gold: GoldCounts, keys: Sequence[Key], kept: frozenset[int]) -> GoldCounts:
        """Return the counts of gold, with keys merged that the type does not distinguish."""
        if keys[0].kind == EXTERNAL:
            return gold
        width = len(self.facts.forms[keys[0].form])
        pooled = GoldCounts()
        for old, new in ((gold.gold, pooled.gold), (gold.parser, pooled.parser)):
            for key, count in list(old.places.items()):
                if key.kind == INTERNAL and len(self.facts.forms[key.form]) == width:
                    merged = self._masked(key, kept)
                    new.places[merged] += count
                    new.missed[merged] += old.missed[key]
        return pooled

    def _type(
        self,
        keys: tuple[Key, ...],
        drawn: Sketch,
        members: Sequence[tuple[Raw, list[int]]],
        rate: Rate | None,
    ) -> Type:
        kind = keys[0].kind
        sides: dict[str, list[int]] = {}
        nuclei = []
        for raw, order in members:
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


def _partial(members: Sequence[tuple[Raw, list[int]]], width: int) -> list[Phrases]:
    """Return the phrases of each fragment that also cover other words in some nucleus."""
    found: list[Phrases] = [frozenset()] * width
    for raw, order in members:
        for number, phrases in zip(order, raw.partial, strict=False):
            found[number] |= phrases
    return found


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
    for place, (cluster, number, total) in enumerate(zip(raw.members, order, raw.totals, strict=True)):
        counts[number] += total
        for member, (cell, words, lo) in enumerate(cluster):
            own = raw.positions[place][member] if raw.positions else range(lo, lo + len(raw.tokens))
            places.append(occurrence(cell, words, own, number))
    cluster_of = {number: place for place, number in enumerate(order)}
    changes = tuple(
        replace(change, labels=tuple(change.labels[cluster_of[number]] for number in range(width)))
        for change in raw.changes
    )
    first = {(cell.item.id, cell.coder, lo): rank - 2 for rank, (cell, lo) in enumerate(raw.pair)}
    places.sort(key=lambda place: first.get((place.item, place.coder, place.positions[0]), 0))
    return Nucleus(
        raw.tokens,
        tuple(places),
        tuple(counts),
        raw.differing,
        raw.residual,
        raw.explained_by,
        changes,
        raw.asked,
        raw.bits,
        raw.evidence,
    )


def _sortable(key: Key) -> tuple[Any, ...]:
    tags = [sorted(level) for level in key.tags] if key.tags is not None else [["*"]]
    return key.kind, key.form, key.cover or "", tags, key.labels
