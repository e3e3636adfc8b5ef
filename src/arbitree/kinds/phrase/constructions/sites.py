"""Sites: a tree as a set of places with values, so that two trees can be compared place by place.

A word has its part of speech. A set of words has the chain of phrases over exactly these words, topmost
first, or the empty chain. If traces are kept, the gap before each word has the traces that stand there. Sets
of words are written as bits of an integer. Phrases of one tree are nested or disjoint, so the tree can be
rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from arbitree.kinds.phrase.constructions.head_tables import CONJUNCTIONS, PUNCTUATION
from arbitree.kinds.phrase.constructions.normalisation import NO_TAGS, Label, Normal, children_of, written
from arbitree.kinds.phrase.value import TRACE

WORD, PHRASE, GAP = "word", "phrase", "gap"
OTHER_TAGS, OTHER_CATEGORY, NO_PARTNER = 1, 3, 2  # costs of an alignment of two chains

Chain = tuple[Label, ...]  # labels of phrases, topmost first
Site = tuple[str, int]  # WORD with its place, PHRASE with its words as bits, GAP with the words before it
Wordless = tuple[Label, tuple["Wordless", ...]]  # a phrase over traces only, or a trace with its type


class Empty(NamedTuple):
    """Traces in a gap, with the phrases over nothing else, and the lowest phrase above that has words."""

    tree: Wordless
    host: int  # words of that phrase
    level: int  # which phrase of the chain there


@dataclass(slots=True)
class Sites:
    """The sites of one tree that have a value."""

    pos: list[Label]
    phrases: dict[int, Chain]
    gaps: dict[int, tuple[Empty, ...]] = field(default_factory=dict)
    tags: tuple[str, ...] = ()  # of the words as written: heads are found by them
    marked: frozenset[tuple[int, int]] = frozenset()  # words and level of heads; the level of a word is -1

    def part(self, lo: int, hi: int) -> Sites:
        """Return the sites of the phrases inside a span, as a tree of its own."""
        if hi - lo == len(self.pos):
            return self
        outside = ~((1 << hi) - (1 << lo))
        gaps = {}
        for gap in range(lo, hi + 1) if self.gaps else ():
            inside = [empty for empty in self.gaps.get(gap, ()) if not empty.host & outside]
            if inside:
                gaps[gap - lo] = tuple([empty._replace(host=empty.host >> lo) for empty in inside])
        return Sites(
            self.pos[lo:hi],
            {mask >> lo: chain for mask, chain in self.phrases.items() if not mask & outside},
            gaps,
            self.tags[lo:hi],
            frozenset([(mask >> lo, level) for mask, level in self.marked if not mask & outside]),
        )

    def values_at(self, positions: Sequence[int]) -> list[Label | Chain]:
        """Return the chain of phrases over exactly these words and, of one word, its part of speech."""
        mask = sum(1 << place for place in positions)
        chain = self.phrases.get(mask, ())
        return [chain] if len(positions) > 1 else [chain, self.pos[positions[0]]]


def sites_of(tree: Normal) -> Sites:
    """Return the sites of *tree*.

    Example:
        >>> none = frozenset()
        >>> labels = (("DT", none), ("NN", none), ("NP", none))
        >>> sites_of(Normal(("the", "sea"), labels, ((0, 1),), 2, ("DT", "NN"))).phrases
        {3: (('NP', frozenset()),)}
    """
    size, labels = len(tree.forms), tree.labels
    masks = masks_of(tree)
    phrases: dict[int, Chain] = {}
    levels = [-1] * len(masks)
    for node in range(size, len(masks)):
        if mask := masks[node]:
            above = phrases.get(mask, ())
            levels[node] = len(above)
            phrases[mask] = _longer(above, labels[node])
    marked = frozenset([(masks[node], levels[node]) for node in tree.marked if masks[node]])
    if not tree.traces:
        return Sites(list(labels[:size]), phrases, tags=tree.tags, marked=marked)
    words = [terminal for terminal in range(size) if terminal not in tree.traces]
    pos = [labels[terminal] for terminal in words]
    tags = tuple([tree.tags[terminal] for terminal in words])
    return Sites(pos, phrases, _gaps(tree, masks, levels), tags, marked)


def hull_of(mask: int) -> tuple[int, int]:
    """Return the first place in *mask* and the one after the last.

    Example:
        >>> hull_of(0b1010)
        (1, 4)
    """
    return (mask & -mask).bit_length() - 1, mask.bit_length()


def bits(mask: int) -> tuple[int, ...]:
    """Return the places of the bits of *mask*.

    Example:
        >>> bits(0b1101)
        (0, 2, 3)
    """
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def masks_of(tree: Normal) -> list[int]:
    """Return the words of every node as bits; 0 for a trace."""
    size = len(tree.forms)
    bit = 1
    masks: list[int] = []
    for terminal in range(size):
        if terminal in tree.traces:
            masks.append(0)
        else:
            masks.append(bit)
            bit <<= 1
    masks += [0] * (len(tree.labels) - size)
    for node in range(len(tree.labels) - 1, size - 1, -1):
        mask = 0
        for child in tree.children[node - size]:
            mask |= masks[child]
        masks[node] = mask
    return masks


@lru_cache(maxsize=100_000)
def _longer(chain: Chain, label: Label) -> Chain:
    """Return a chain with one phrase more below; equal chains are one object."""
    return (*chain, label)


def _gaps(tree: Normal, masks: list[int], levels: list[int]) -> dict[int, tuple[Empty, ...]]:
    size = len(tree.forms)
    before: list[int] = []  # words before each terminal
    for terminal in range(size):
        before.append(before[-1] + (terminal - 1 not in tree.traces) if before else 0)
    found: list[tuple[int, Empty]] = []
    for node in range(size, len(masks)):
        if masks[node]:
            for child in tree.children[node - size]:
                if not masks[child]:
                    found.append(
                        (_first(tree, child), Empty(_wordless(tree, child), masks[node], levels[node]))
                    )
    gaps: dict[int, tuple[Empty, ...]] = {}
    for terminal, empty in sorted(found):
        gaps[before[terminal]] = (*gaps.get(before[terminal], ()), empty)
    return gaps


def _first(tree: Normal, node: int) -> int:
    while node >= len(tree.forms):
        node = tree.children[node - len(tree.forms)][0]
    return node


def _wordless(tree: Normal, node: int) -> Wordless:
    size, label = len(tree.forms), tree.labels[node]
    if node >= size:
        return label, tuple([_wordless(tree, child) for child in tree.children[node - size]])
    leaf: Wordless = ((tree.forms[node], NO_TAGS), ())
    return leaf if label[0] == TRACE else (label, (leaf,))


def wordless_text(tree: Wordless) -> str:
    """Return a phrase over traces in brackets; a trace alone is its type.

    Example:
        >>> wordless_text((("NP", frozenset()), ((("*T*", frozenset()), ()),)))
        '(NP *T*)'
    """
    label, below = tree
    return f"({written(label)} {' '.join(map(wordless_text, below))})" if below else written(label)


def traces_in(tree: Wordless) -> Iterator[str]:
    """Yield the types of the traces in *tree*."""
    label, below = tree
    if not below:
        yield label[0]
    for each in below:
        yield from traces_in(each)


def families(tree: Normal) -> list[list[int]]:
    """Return the children of each phrase whose children are phrases, two or more, as sets of words.

    Punctuation, conjunctions and traces among the children do not count.
    """
    size, masks = len(tree.forms), masks_of(tree)
    found = []
    for below in tree.children:
        counted = [
            child
            for child in below
            if masks[child]
            and (tree.tags[child] not in PUNCTUATION if child < size else True)
            and (tree.tags[child] if child < size else tree.labels[child][0]) not in CONJUNCTIONS
        ]
        if len(counted) > 1 and all(child >= size for child in counted):
            found.append([masks[child] for child in counted])
    return found


@lru_cache(maxsize=100_000)
def partners(first: Chain, second: Chain) -> tuple[tuple[int, int], ...]:
    """Return which labels of two chains belong together, as pairs of their places.

    Args:
        first, second: the chains. Of all alignments with the least cost, partners nearest the words are
            preferred, then the first labels in the alphabet, so that the order of the chains has no effect.

    Example:
        >>> none, subject = frozenset(), frozenset(("SBJ",))
        >>> partners((("S", none), ("NP", none)), (("NP", subject),))
        ((1, 0),)
    """
    if [cat for cat, _ in first] == [cat for cat, _ in second]:
        return tuple([(place, place) for place in range(len(first))])
    shared = 0  # next to the words
    while shared < min(len(first), len(second)) and first[-1 - shared] == second[-1 - shared]:
        shared += 1
    if shared:
        below = [(len(first) - k, len(second) - k) for k in range(shared, 0, -1)]
        return (*partners(first[:-shared], second[:-shared]), *below)
    a, b = first[::-1], second[::-1]  # from the words upwards
    end = (len(a) + len(b), "", "")
    best: dict[tuple[int, int], tuple[int, list[tuple[int, str, str]], list[tuple[int, int]]]] = {}
    for i in range(len(a), -1, -1):
        for j in range(len(b), -1, -1):
            options = []
            if i < len(a) and j < len(b):
                cost, keys, pairs = best[i + 1, j + 1]
                one, other = sorted((written(a[i]), written(b[j])))
                options.append((cost + _cost(a[i], b[j]), [(i + j, one, other), *keys], [(i, j), *pairs]))
            for step in ((i + 1, j), (i, j + 1)):
                if step in best:
                    cost, keys, pairs = best[step]
                    options.append((cost + NO_PARTNER, keys, pairs))
            best[i, j] = min(options, default=(0, [end], []))
    return tuple([(len(a) - 1 - i, len(b) - 1 - j) for i, j in reversed(best[0, 0][2])])


def _cost(one: Label, other: Label) -> int:
    if one[0] != other[0]:
        return OTHER_CATEGORY
    return 0 if one[1] == other[1] else OTHER_TAGS


def columns(chains: Sequence[Chain]) -> list[tuple[Label | None, ...]]:
    """Return the chains of several annotators side by side: one row of partners per phrase, topmost first.

    Example:
        >>> none = frozenset()
        >>> columns([(("S", none), ("NP", none)), (), (("NP", none),)])
        [(('S', frozenset()), None, None), (('NP', frozenset()), None, ('NP', frozenset()))]
    """
    distinct = sorted(set(chains), key=lambda chain: (-len(chain), [written(label) for label in chain]))
    rows: list[dict[Chain, int]] = [{distinct[0]: place} for place in range(len(distinct[0]))]
    for number, chain in enumerate(distinct[1:], start=1):
        nearest = distinct[0]
        if number > 1:
            nearest = min(distinct[:number], key=lambda other: _distance(chain, other))
        partner = dict(partners(chain, nearest))
        below = len(rows)
        for place in range(len(chain) - 1, -1, -1):
            if place in partner:
                below = next(k for k, row in enumerate(rows) if row.get(nearest) == partner[place])
                rows[below][chain] = place
            else:
                rows.insert(below, {chain: place})
    return [tuple([chain[row[chain]] if chain in row else None for chain in chains]) for row in rows]


def _distance(first: Chain, second: Chain) -> int:
    pairs = partners(first, second)
    alone = len(first) + len(second) - 2 * len(pairs)
    return alone * NO_PARTNER + sum(_cost(first[i], second[j]) for i, j in pairs)


def tree_of(words: Sequence[str], sites: Sites) -> Normal:
    """Return the tree with these sites; their phrases must be nested or disjoint.

    Example:
        >>> none = frozenset()
        >>> tree_of(("the", "sea"), Sites([("DT", none), ("NN", none)], {3: (("NP", none),)})).brackets()
        '(NP (DT the) (NN sea))'
    """
    labels: list[Label] = []
    above: list[int] = []  # of the phrases
    lowest = [-1] * len(words)  # the phrase over each word
    at: dict[tuple[int, int], int] = {}
    for mask in sorted(sites.phrases, key=int.bit_count, reverse=True):
        parent = lowest[(mask & -mask).bit_length() - 1]
        for level, label in enumerate(sites.phrases[mask]):
            at[mask, level] = len(labels)
            above.append(parent)
            parent = len(labels)
            labels.append(label)
        for word in bits(mask):
            lowest[word] = parent
    forms, pos, tags, places = list(words), sites.pos, list(sites.tags), list(range(len(words)))
    traces: frozenset[int] = frozenset()
    if sites.gaps:
        added = _Terminals(labels, above)
        for word, (form, label, tag) in enumerate(zip(words, pos, tags, strict=True)):
            for empty in sites.gaps.get(word, ()):
                added.add(empty.tree, at[empty.host, empty.level])
            added.word(form, label, tag, lowest[word])
        for empty in sites.gaps.get(len(words), ()):
            added.add(empty.tree, at[empty.host, empty.level])
        forms, pos, tags, lowest = added.forms, added.pos, added.tags, added.above
        traces, places = frozenset(added.traces), added.words
    size = len(forms)
    below = children_of([node + size if node >= 0 else -1 for node in (*lowest, *above)], range(size))
    heads = [
        places[mask.bit_length() - 1] if level < 0 else at[mask, level] + size for mask, level in sites.marked
    ]
    return Normal(
        tuple(forms),
        (*pos, *labels),
        tuple([tuple(below[node]) for node in range(size, size + len(labels))]),
        size if labels else 0,
        tuple(tags),
        traces,
        frozenset(heads),
    )


@dataclass(slots=True)
class _Terminals:
    """The terminals of a tree with traces, and the phrases of the tree."""

    labels: list[Label]  # of the phrases
    parents: list[int]  # of the phrases
    forms: list[str] = field(default_factory=list)
    pos: list[Label] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    traces: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)

    def word(self, form: str, label: Label, tag: str, parent: int) -> None:
        """Add a word."""
        self.words.append(len(self.forms))
        self._terminal(form, label, tag, parent)

    def add(self, tree: Wordless, parent: int) -> None:
        """Add traces and the phrases over them."""
        label, below = tree
        if not below:
            self.traces.append(len(self.forms))
            self._terminal(label[0], (TRACE, NO_TAGS), TRACE, parent)
            return
        self.labels.append(label)
        self.parents.append(parent)
        here = len(self.labels) - 1
        for each in below:
            self.add(each, here)

    def _terminal(self, form: str, label: Label, tag: str, parent: int) -> None:
        self.forms.append(form)
        self.pos.append(label)
        self.tags.append(tag)
        self.above.append(parent)
