"""The phrase-structure tree that results from decisions, with the traces that all annotators share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from arbitree.formats.node_graphs import ABSENT, EDGE, SECONDARY
from arbitree.kinds.phrase.spans import bits_of
from arbitree.kinds.phrase.value import TRACE, PhraseTree

Brackets = Mapping[int, tuple[str, ...]]  # the labels over a set of tokens, top first
Identity = tuple[int, int, str]  # a node: its tokens, its place in the chain over them, its label


class Empty(NamedTuple):
    """A trace or a phrase of traces, with its attachment to a phrase with tokens."""

    above: int  # the tokens of that phrase
    depth: int  # its place in the chain of phrases over them
    before: int  # the number of tokens before it
    shape: tuple[Any, ...]  # label and word, or label and the shapes below

    @property
    def traces(self) -> int:
        """The number of traces."""
        return _traces(self.shape)


def _traces(shape: tuple[Any, ...]) -> int:
    return 1 if isinstance(shape[1], str) else sum(map(_traces, shape[1]))


def empties(tree: PhraseTree) -> list[Empty]:
    """Return the traces of *tree*, in their order.

    Example:
        >>> tree = PhraseTree(("go", "*"), ("VB", TRACE, "VP", "NP"), (2, 3, -1, 2))
        >>> empties(tree)
        [Empty(above=1, depth=0, before=1, shape=('NP', (('-NONE-', '*'),)))]
    """
    if TRACE not in tree.labels[: len(tree.words)]:
        return []
    bits, depths, children = _bits(tree), _depths(tree), tree.children()
    found = []
    before = 0
    for terminal in range(len(tree.words)):
        if tree.labels[terminal] != TRACE:
            before += 1
            continue
        node = terminal
        while tree.parents[node] >= 0 and not bits[tree.parents[node]]:
            node = tree.parents[node]
        if tree.parents[node] >= 0 and _first(children, node) == terminal:
            above = tree.parents[node]
            found.append(Empty(bits[above], depths[above], before, _shape(tree, children, node)))
    return found


def shared(trees: Sequence[PhraseTree]) -> tuple[list[Empty], int]:
    """Return the traces that all *trees* share, and the number of traces that they do not share."""
    first, *others = (empties(tree) for tree in trees)
    common, every = Counter(first), Counter(first)
    for other in others:
        common &= Counter(other)
        every |= Counter(other)
    left = sum(each.traces * count for each, count in (every - common).items())
    kept = []
    for each in first:
        if common[each]:
            common[each] -= 1
            kept.append(each)
    return kept, left


@dataclass(slots=True)
class Builder:
    """Builds a tree from *brackets* and *tags* over the tokens of *base*."""

    base: PhraseTree
    brackets: Brackets
    tags: Sequence[str]
    traces: Sequence[Empty] = ()
    labels: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # among the phrases
    identities: list[Identity] = field(default_factory=list)
    lost: int = 0  # traces that have no place in the tree

    def tree(self) -> PhraseTree:
        """Return the tree.

        Lemmas and other token columns come from *base*, and so do the labels of edges between nodes that
        exist in *base*. Other edges have no labels, and secondary edges are excluded.
        """
        tokens = self.base.tokens
        lowest = self._phrases()
        self.lost = 0
        words: list[str] = []
        tags: list[str] = []
        above: list[int] = []
        origin: list[int] = []  # the token that a terminal is, -1 for a trace
        waiting = sorted(self.traces, key=lambda each: each.before)  # stable: in their order
        for token in range(len(tokens) + 1):
            while waiting and waiting[0].before == token:
                self._hang(waiting.pop(0), words, tags, above)
                origin += [-1] * (len(words) - len(origin))
            if token < len(tokens):
                words.append(tokens[token])
                tags.append(self.tags[token])
                above.append(lowest[token])
                origin.append(token)
        size = len(words)
        upper = [parent + size if parent >= 0 else -1 for parent in (*above, *self.parents)]
        tree = PhraseTree(tuple(words), (*tags, *self.labels), tuple(upper), comments=self.base.comments)
        tree = _in_preorder(tree)
        return replace(tree, columns=self._columns(tree, origin))

    def _phrases(self) -> list[int]:
        """Create the phrases, larger ones first; return the lowest phrase over every token."""
        lowest = [-1] * len(self.base.tokens)
        for bits in sorted(self.brackets, key=lambda each: (-each.bit_count(), each)):
            first = (bits & -bits).bit_length() - 1
            parent = lowest[first]
            for depth, label in enumerate(self.brackets[bits]):
                self.labels.append(label)
                self.parents.append(parent)
                self.identities.append((bits, depth, label))
                parent = len(self.labels) - 1
            for token in range(first, bits.bit_length()):
                if bits >> token & 1:
                    lowest[token] = parent
        return lowest

    def _hang(self, trace: Empty, words: list[str], tags: list[str], above: list[int]) -> None:
        """Attach a trace, unless its phrase does not exist or another phrase would become discontinuous."""
        places = [k for k, (bits, depth, _) in enumerate(self.identities) if (bits, depth) == trace[:2]]
        around = bits_of([(trace.before, trace.before + 1)]) if trace.before else 0
        inner = [
            bits
            for bits, depth, _ in self.identities
            if (bits & trace.above == bits and bits != trace.above)
            or (bits == trace.above and depth > trace.depth)
        ]
        if not places or (around and any(bits & around == around for bits in inner)):
            self.lost += trace.traces
            return
        stack = [(trace.shape, places[0])]
        while stack:
            (label, below), parent = stack.pop()
            if isinstance(below, str):
                words.append(below)
                tags.append(label)
                above.append(parent)
            else:
                self.labels.append(label)
                self.parents.append(parent)
                self.identities.append((0, 0, label))
                place = len(self.labels) - 1
                stack.extend((shape, place) for shape in reversed(below))

    def _columns(self, tree: PhraseTree, origin: Sequence[int]) -> dict[str, tuple[str, ...]]:
        """Return the columns of *base* that apply to *tree*; *origin* is the token of each terminal."""
        if not self.base.columns:
            return {}
        base = self.base
        terminals = [k for k in range(len(base.words)) if base.labels[k] != TRACE]
        phrases = [ABSENT] * (len(tree.labels) - len(origin))
        found = {
            name: (*(values[terminals[token]] if token >= 0 else ABSENT for token in origin), *phrases)
            for name, values in base.columns.items()
            if name not in (EDGE, SECONDARY)
        }
        if EDGE in base.columns:
            known = dict(zip(_edges(base), base.columns[EDGE], strict=True))
            found[EDGE] = tuple(known.get(edge, ABSENT) for edge in _edges(tree))
        return found


def _in_preorder(tree: PhraseTree) -> PhraseTree:
    """Return *tree* with its phrases in preorder."""
    size = len(tree.words)
    children = tree.children()
    order: list[int] = []
    stack = [tree.parents.index(-1)]
    while stack:
        node = stack.pop()
        if node >= size:
            order.append(node)
            stack.extend(reversed(children[node]))
    place = {node: size + number for number, node in enumerate(order)} | {k: k for k in range(-1, size)}
    nodes = (*range(size), *order)
    parents = tuple(place[tree.parents[node]] for node in nodes)
    labels = tuple(tree.labels[node] for node in nodes)
    return PhraseTree(tree.words, labels, parents, comments=tree.comments)


def _edges(tree: PhraseTree) -> list[tuple[Identity, Identity | None]]:
    """Return an identifier of every node and of its parent."""
    bits, depths = _bits(tree), _depths(tree)
    known = list(zip(bits, depths, tree.labels, strict=True))
    return [(known[node], known[above] if above >= 0 else None) for node, above in enumerate(tree.parents)]


def _bits(tree: PhraseTree) -> list[int]:
    return [bits_of((start + 1, end) for start, end in runs) for runs in tree.yields()]


def _depths(tree: PhraseTree) -> list[int]:
    """Return the index of every phrase in the chain over its tokens; -1 for terminals."""
    size = len(tree.words)
    seen: Counter[int] = Counter()
    depths = [-1] * size
    for bits in _bits(tree)[size:]:
        depths.append(seen[bits])
        seen[bits] += 1
    return depths


def _first(children: Sequence[Sequence[int]], node: int) -> int:
    while children[node]:
        node = children[node][0]
    return node


def _shape(tree: PhraseTree, children: Sequence[Sequence[int]], node: int) -> tuple[Any, ...]:
    if node < len(tree.words):
        return tree.labels[node], tree.words[node]
    return tree.labels[node], tuple(_shape(tree, children, below) for below in children[node])
