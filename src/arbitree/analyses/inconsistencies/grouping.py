"""Types: reports with the same set of fragments together, with a class, facets and a label in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

from arbitree.analyses.inconsistencies.derivation import Tags
from arbitree.analyses.inconsistencies.drawing import (
    brackets_of,
    fragment_of,
    label_fragment,
    nodes_of,
    plain,
)
from arbitree.analyses.inconsistencies.findings import EXTERNAL, INTERNAL, Fragment
from arbitree.analyses.inconsistencies.fragments import Cut, Fact, Facts
from arbitree.analyses.inconsistencies.normalisation import written

FUNCTION, POS, BOTH, STRUCTURAL = "function", "pos", "function+pos", "structural"
CLASSES = (FUNCTION, POS, BOTH, STRUCTURAL)

HEAD, ATTACHMENT, OPERATION = "head change", "attachment change", "arc-op change"
NODES, LABEL = "extra or missing node", "label change"

Key = tuple[str, int, str | None, Tags | None]  # kind, form, label of the cover, its tags
Spanned = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is known of a type from its fragments alone."""

    fragments: tuple[Fragment, ...]
    class_: str
    label: str
    facets: tuple[str, ...]
    categories: tuple[str, ...]
    via_head: bool


def key_of(cut: Cut, *, tagged: bool, external: bool) -> Key:
    """Return what an instance adds to its type."""
    if external:
        return (EXTERNAL, -1, cut.cover, cut.tags and cut.tags[-1:])
    return (INTERNAL, cut.form, cut.cover, cut.tags if tagged else None)


def facts_of(key: Key, facts: Facts, *, pos: bool = True) -> tuple[Fact, ...]:
    """Return the facts of an internal key, with the tags of the cover in their place if it has them."""
    found = facts.of(key[1])
    if key[3] is not None:
        for place, fact in enumerate(found):
            if fact.spine and fact.spine[-1][1] is None:
                found[place] = fact._replace(spine=(*fact.spine[:-1], (fact.spine[-1][0], key[3])))
    return tuple(found) if pos else plain(found, pos=False)


def sketch(keys: Sequence[Key], facts: Facts, *, pos: bool, refine: bool) -> Sketch:
    """Return what the type of these fragments is."""
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
    return Sketch(fragments, class_, _label(class_, fragments, known), facets, categories, via_head)


def _class(known: Sequence[tuple[Fact, ...]]) -> str:
    if not _alike(known, lambda each: plain(each, pos=False, tags=False)):
        return STRUCTURAL
    if _alike(known, lambda each: plain(each, tags=False)):
        return FUNCTION
    return POS if _alike(known, lambda each: plain(each, pos=False)) else BOTH


def _by_trees(known: Sequence[tuple[Fact, ...]]) -> str:
    """Return the class by the trees alone where only a tag moved the head, else nothing."""

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
    """Return what changes between the fragments, and the labels in it."""
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


def _label(class_: str, fragments: Sequence[Fragment], known: Sequence[tuple[Fact, ...]]) -> str:
    """Return in words what the fragments differ in."""
    if len(fragments) > 2:
        shared = Counter.__and__
        spanned = [_spanned(each, leaves=class_ != STRUCTURAL) for each in fragments]
        own = [_listed(each - reduce(shared, spanned)) for each in spanned]
        return f"{len(fragments)} ways: " + " | ".join(name or "without" for name in own)
    ours, theirs = (_spanned(each, leaves=class_ != STRUCTURAL) for each in fragments)
    mine, yours = _listed(ours - theirs), _listed(theirs - ours)
    if mine and yours:
        return f"{mine} against {yours}"
    if mine or yours:
        return f"with and without {mine or yours}"
    return "the same phrases, joined elsewhere"


def _listed(found: Counter[Spanned]) -> str:
    names = [
        label
        for (label, _), count in sorted(found.items(), key=lambda each: each[0][1])
        for _ in range(count)
    ]
    return ", ".join(names[:4]) + (" …" if len(names) > 4 else "")


def _spanned(fragment: Fragment, *, leaves: bool) -> Counter[Spanned]:
    """Return the labels with the words under them, each as often as it occurs."""
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
