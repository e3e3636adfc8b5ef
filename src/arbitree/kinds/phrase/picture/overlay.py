"""Phrase-structure trees of one sentence side by side: shared and differing brackets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from arbitree.drawing.badges import listed
from arbitree.drawing.lettering import drawable
from arbitree.kinds.phrase.value import TRACE, PhraseTree

SHARED, RELABELLED, OWN = "", "relabelled", "own"  # marks of a node
NAMED = 5  # brackets that a text alternative names
DECIDED = "✓ decided"  # stands over an adjudicator's tree
FOLDED = 3  # leaves from which an agreed phrase may become a triangle

Slot = tuple[int, int, int]  # token or, before it, the traces: (token, 1, 0) and (token, 0, number)
Key = tuple[bool, str, tuple[int, ...]]  # whether a phrase, label, tokens


@dataclass(frozen=True, slots=True)
class Node:
    """A phrase or a leaf; a leaf occupies a slot of the sentence."""

    label: str
    parent: int  # -1: none
    slot: Slot | None = None
    word: str = ""
    mark: str = SHARED
    others: str = ""  # what other trees call it
    folded: tuple[int, ...] = ()  # tokens for which a triangle stands

    @property
    def token(self) -> int | None:
        """The token of a leaf; a trace and a triangle have none."""
        return self.slot[0] if self.slot and self.slot[1] and not self.folded else None


@dataclass(frozen=True)
class Phrases:
    """One tree of the sentence and the annotators who share it.

    Example:
        >>> tree = PhraseTree(("birds", "sing"), ("NNS", "VBP", "S"), (2, 2, -1))
        >>> phrases_of(tree, ["ann"]).tokens[2]
        (0, 1)
    """

    nodes: tuple[Node, ...]
    coders: tuple[str, ...] = ()
    number: int = 0  # of the first of the coders in the study: decides on the colour
    decided: bool = False  # an adjudicator's, as far as it is decided

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of every node, from the first to the last word."""
        below: list[list[int]] = [[] for _ in self.nodes]
        for place in sorted(range(len(self.nodes)), key=lambda k: self.slots[k][:1]):
            if self.nodes[place].parent >= 0:
                below[self.nodes[place].parent].append(place)
        return below

    @cached_property
    def slots(self) -> list[tuple[Slot, ...]]:
        """The slots under every node, from the first to the last."""
        found: list[list[Slot]] = [[] for _ in self.nodes]
        for place, node in enumerate(self.nodes):
            above = place
            while node.slot is not None and above >= 0:
                found[above].append(node.slot)
                above = self.nodes[above].parent
        return [tuple(sorted(own)) for own in found]

    @cached_property
    def tokens(self) -> list[tuple[int, ...]]:
        """The tokens under every node."""
        hidden = {node.slot: node.folded for node in self.nodes if node.folded}
        return [
            tuple([token for slot in own if slot[1] for token in hidden.get(slot, slot[:1])])
            for own in self.slots
        ]

    @property
    def caption(self) -> str:
        """The names of the annotators."""
        return DECIDED if self.decided else listed(self.coders)

    def key(self, place: int) -> Key:
        """Return the key that identifies equal nodes in different trees."""
        node = self.nodes[place]
        return node.slot is None, node.label, self.tokens[place]

    def broken(self, place: int) -> bool:
        """Return whether a node is discontinuous."""
        tokens = self.tokens[place]
        return bool(tokens) and tokens[-1] - tokens[0] >= len(tokens)

    def without_inside(self, folded: set[int]) -> Phrases:
        """Return the tree without the content of nodes that are drawn as triangles."""
        hidden = {place for top in folded for place in self._under(top)}
        kept = [place for place in range(len(self.nodes)) if place not in hidden]
        places = {place: number for number, place in enumerate(kept)} | {-1: -1}
        nodes = []
        for place in kept:
            node = replace(self.nodes[place], parent=places[self.nodes[place].parent])
            if place in folded:
                node = replace(
                    node,
                    slot=(self.tokens[place][0], 1, 0),
                    word=self._short(place),
                    folded=self.tokens[place],
                )
            nodes.append(node)
        return replace(self, nodes=tuple(nodes))

    def _under(self, top: int) -> list[int]:
        found = list(self.children[top])
        for place in found:
            found.extend(self.children[place])
        return found

    def _short(self, top: int) -> str:
        leaves = sorted((leaf.slot, leaf.word) for k in self._under(top) if (leaf := self.nodes[k]).slot)
        words = [word for _, word in leaves]
        return " ".join(words) if len(words) < 3 else f"{words[0]} … {words[-1]}"


def phrases_of(tree: PhraseTree, coders: Sequence[str] = (), number: int = 0) -> Phrases:
    """Return *tree* prepared for comparison and drawing."""
    nodes: list[Node] = []
    token = traces = 0
    for place, (label, parent) in enumerate(zip(tree.labels, tree.parents, strict=True)):
        slot: Slot | None = None
        if place < len(tree.words):
            if label == TRACE:
                slot, traces = (token, 0, traces), traces + 1
            else:
                slot, token, traces = (token, 1, 0), token + 1, 0
        word = drawable(tree.words[place]) if place < len(tree.words) else ""
        nodes.append(Node(drawable(label), parent, slot, word))
    return Phrases(tuple(nodes), tuple(coders), number)


def side_by_side(
    trees: Mapping[str, PhraseTree], coders: Sequence[str] | None = None, decided: PhraseTree | None = None
) -> list[Phrases]:
    """Return each distinct tree once, with its annotators and with marks at nodes that not all trees share.

    Args:
        trees: the trees by annotator, over the same tokens.
        coders: all annotators of the study; their order determines colours (default: those of *trees*).
        decided: the tree of the decisions, which comes last, with marks at nodes that not all trees share.
    """
    names = list(coders or trees)
    groups: dict[frozenset[tuple[Key, int]], list[str]] = {}
    for name, tree in trees.items():
        bare = phrases_of(tree)
        counts = Counter(bare.key(place) for place in range(len(bare.nodes)))
        groups.setdefault(frozenset(counts.items()), []).append(name)
    found = [phrases_of(trees[who[0]], who, names.index(who[0])) for who in groups.values()]
    shown = [marked(each, [other for other in found if other is not each]) for each in found]
    if decided is not None:
        shown.append(replace(marked(phrases_of(decided), found), decided=True))
    return shown


def marked(own: Phrases, others: Sequence[Phrases]) -> Phrases:
    """Return *own* with a mark at every node that not all *others* share."""
    if not others:
        return own
    keys = [Counter(each.key(k) for k in range(len(each.nodes))) for each in others]
    spans = [Counter((key[0], key[2]) for key in counts.elements()) for counts in keys]
    counts = Counter(own.key(k) for k in range(len(own.nodes)))
    held = Counter((key[0], key[2]) for key in counts.elements())
    nodes = []
    for place, node in enumerate(own.nodes):
        key = own.key(place)
        span = (key[0], key[2])
        if key[2] and any(count[key] < counts[key] for count in keys):
            mark = OWN if any(each[span] < held[span] for each in spans) else RELABELLED
            if mark == OWN:
                held[span] -= 1
            nodes.append(replace(node, mark=mark, others=_others(key, others)))
            counts[key] -= 1
        else:
            nodes.append(node)
    return replace(own, nodes=tuple(nodes))


def _others(key: Key, others: Sequence[Phrases]) -> str:
    """Return the labels that other trees give to the words of a node, with their annotators."""
    found = []
    for other in others:
        labels = [
            node.label
            for place, node in enumerate(other.nodes)
            if (node.slot is None, other.tokens[place]) == (key[0], key[2]) and node.label != key[1]
        ]
        if labels:
            found.append(f"{listed(other.coders)}: {', '.join(labels)}".removeprefix(": "))
    return "; ".join(found)


def fold(trees: Sequence[Phrases]) -> list[Phrases]:
    """Return the marked trees with a triangle for each phrase that is equal in all of them.

    A phrase over the words of a disagreement is not folded, so decisions do not change what is folded.
    """
    able = [_foldable(each) for each in trees]
    loud = {each.tokens[k] for each in trees for k, node in enumerate(each.nodes) if node.mark}
    keys = {key for key in set.intersection(*(set(each) for each in able)) if key[2] not in loud}
    return [
        each.without_inside(
            {place for key, place in own.items() if key in keys and not _above(each, place, own, keys)}
        )
        for each, own in zip(trees, able, strict=True)
    ]


def _foldable(tree: Phrases) -> dict[Key, int]:
    """Return the highest node of each key without marks below it."""
    found: dict[Key, int] = {}
    loud = [bool(node.mark) for node in tree.nodes]
    for place, node in enumerate(tree.nodes):
        above = node.parent
        while loud[place] and above >= 0 and not loud[above]:
            loud[above] = True
            above = tree.nodes[above].parent
    for place, node in enumerate(tree.nodes):
        whole = node.parent >= 0 and node.slot is None and not tree.broken(place)
        if whole and not loud[place] and len(tree.slots[place]) >= FOLDED:
            key = tree.key(place)
            if key not in found or _inside(tree, found[key], place):
                found[key] = place
    return found


def _inside(tree: Phrases, place: int, other: int) -> bool:
    above = tree.nodes[place].parent
    while above >= 0 and above != other:
        above = tree.nodes[above].parent
    return above == other


def _above(tree: Phrases, place: int, able: Mapping[Key, int], keys: set[Key]) -> bool:
    """Return whether a node above *place* is folded too."""
    tops = {able[key] for key in keys}
    above = tree.nodes[place].parent
    while above >= 0 and above not in tops:
        above = tree.nodes[above].parent
    return above >= 0


def differences(trees: Sequence[Phrases]) -> list[str]:
    """Return a sentence for every bracket that not all trees share."""
    return [line for each in trees if not each.decided for line in _claims(each)]


def _claims(tree: Phrases) -> list[str]:
    """Return a sentence for every marked node of a tree."""
    found = []
    words = {node.token: node.word for node in tree.nodes if node.token is not None}
    who = listed(tree.coders)
    for place, node in enumerate(tree.nodes):
        if node.mark:
            covered = " ".join(words.get(token, "") for token in tree.tokens[place])
            also = f" ({node.others})" if node.others and not tree.decided else ""
            found.append(f"{who}: {node.label} over {drawable(covered)}{also}.".removeprefix(": "))
    return found


def alternative(trees: Sequence[Phrases]) -> str:
    """Return the alternative text of a picture of *trees*."""
    who = listed([name for each in trees for name in each.coders])
    count = sum(node.token is not None for node in trees[0].nodes)
    what = (
        f"Phrase-structure trees of {who} over {count} words"
        if who
        else f"Phrase-structure tree over {count} words"
    )
    decided = [_first(_claims(each)) or "as all annotators agree." for each in trees if each.decided]
    chosen = "".join(f" Decided: {claims}" for claims in decided)
    if sum(len(each.coders) for each in trees) < 2:
        return f"{what}.{chosen}"
    differing = differences(trees)
    if not differing:
        return f"{what}: all agreed.{chosen}"
    return f"{what}: {len(differing)} contested. {_first(differing)}{chosen}"


def _first(sentences: Sequence[str]) -> str:
    """Return the first sentences, and the number of the others."""
    more = len(sentences) - NAMED
    return " ".join([*sentences[:NAMED], *([f"And {more} more."] if more > 0 else [])])
