"""Normalisation of trees before comparison: labels are split, and nodes that are not words removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from arbitree.kinds.phrase.constructions.head_tables import PUNCTUATION
from arbitree.kinds.phrase.constructions.options import PhraseOptions, read_pos_map
from arbitree.kinds.phrase.value import TRACE, PhraseTree

ROOTS = frozenset(("", "ROOT", "TOP", "S1", "VROOT", "PSEUDO"))
NO_WORDS = frozenset(("CODE", "ID"))  # Penn historical corpora: marks of pages, names of sentences
CLAUSES = frozenset(("IP", "CP"))  # there IP-MAT and CP-REL are categories
HEAD_MARK = "HD"
LOOKED_AT = 1000  # trees
NO_EDGE = "--"

_PARTS = re.compile(r"[-=]")
_TRACE_TYPE = re.compile(r"^(\*[A-Z?]*\*|\*|0)")

Label = tuple[str, frozenset[str]]  # category, function tags
NO_TAGS: frozenset[str] = frozenset()
NOTHING: frozenset[int] = frozenset()  # one object, of which there may be many thousands


@dataclass(frozen=True, slots=True)
class Normal:
    """A normalised tree: terminals in order, followed by phrases in preorder.

    Words are the annotated words; a trace that is kept has width 0.
    """

    forms: tuple[str, ...]  # of the terminals
    labels: tuple[Label, ...]  # of all nodes; a terminal's category is its part of speech
    children: tuple[tuple[int, ...], ...]  # of the phrases, in order
    root: int  # a phrase or, in a tree of one word, that word
    tags: tuple[str, ...]  # of the terminals as written: heads are found by them
    traces: frozenset[int] = NOTHING  # terminals of width 0
    marked: frozenset[int] = NOTHING  # nodes that the file marks as heads

    @property
    def words(self) -> tuple[str, ...]:
        """The words, without traces."""
        if not self.traces:
            return self.forms
        return tuple(form for place, form in enumerate(self.forms) if place not in self.traces)

    def brackets(self) -> str:
        """Return the tree in one line, tags in alphabetical order.

        Example:
            >>> normaliser = Normaliser(PhraseOptions())
            >>> tree = PhraseTree(("a", "b"), ("DT", "NN", "ROOT", "NP-SBJ-1"), (3, 3, -1, 2))
            >>> normaliser.normal(tree).brackets()
            '(NP-SBJ (DT a) (NN b))'
        """
        size = len(self.forms)
        pieces: list[str] = []
        stack = [self.root] if self.forms else []
        while stack:
            node = stack.pop()
            if node < 0:
                pieces.append(")")
            elif node < size:
                pieces.append(f" ({written(self.labels[node])} {self.forms[node]})")
            else:
                pieces.append(f" ({written(self.labels[node])}")
                stack.append(-1)
                stack.extend(reversed(self.children[node - size]))
        return "".join(pieces).lstrip()


def written(label: Label) -> str:
    """Return a label in the notation of files.

    Example:
        >>> written(("NP", frozenset(("TMP", "CLR"))))
        'NP-CLR-TMP'
    """
    return "-".join((label[0], *sorted(label[1]))) if label[1] else label[0]


def split(label: str, *, clauses: frozenset[str] = frozenset(), indices: bool = False) -> Label:
    """Return the category and the function tags of *label*.

    Args:
        label: the label in the file.
        clauses: categories that keep the part after the first hyphen.
        indices: keep numbers as tags.

    Example:
        >>> cat, tags = split("NP-SBJ-TPC-2=3")
        >>> cat, sorted(tags)
        ('NP', ['SBJ', 'TPC'])
        >>> split("-LRB-")[0], split("ADVP|PRT")[0], split("IP-MAT-SPE", clauses=CLAUSES)
        ('-LRB-', 'ADVP', ('IP-MAT', frozenset({'SPE'})))
    """
    if not label or label.startswith(("-", "=")):
        return label, NO_TAGS
    first, *rest = _PARTS.split(label.partition("|")[0])
    if first in clauses and rest and not rest[0].isdigit():
        first = f"{first}-{rest.pop(0)}"
    return first, frozenset(part for part in rest if part and (indices or not part.isdigit()))


class _Labels(dict[str, Label]):
    """Labels by their notation in files, split on first use."""

    def __init__(self, split_label: Callable[[str], Label], *, strip: bool) -> None:
        self.marking: set[str] = set()  # those that mark a head
        self._split = split_label
        self._strip = strip

    def __missing__(self, text: str) -> Label:
        label = self._split(text)
        if HEAD_MARK in label[1]:
            self.marking.add(text)
        found = self[text] = (label[0], NO_TAGS) if self._strip else label
        return found


class _Terminals(dict[tuple[str, str], tuple[str, str]]):
    """What becomes of terminals, and their forms, by word and label."""

    def __init__(self, normaliser: Normaliser) -> None:
        self._normaliser = normaliser

    def __missing__(self, terminal: tuple[str, str]) -> tuple[str, str]:
        word, label = terminal
        settings, historical = self._normaliser.settings, self._normaliser.historical
        if label == TRACE or (historical and _is_trace(word)):
            found = _TRACE_TYPE.match(word)
            form = found[0] if found else word
            made = (_TRACE if settings.empties == "keep" else _LEFT_OUT), form or label
        elif label in NO_WORDS:
            return _UNCERTAIN, self._form(word) or label  # not kept: names of sentences differ
        elif settings.punctuation == "remove" and label in PUNCTUATION:
            made = _LEFT_OUT, ""
        else:
            made = _WORD, self._form(word) or label
        self[terminal] = made
        return made

    def _form(self, word: str) -> str:
        return _without_lemma(word) if self._normaliser.lemmas else word


_WORD, _TRACE, _LEFT_OUT, _UNCERTAIN = "word", "trace", "left out", "uncertain"


@dataclass(slots=True)
class Normaliser:
    """Applies the settings to trees, and caches split labels."""

    settings: PhraseOptions
    historical: bool = False
    lemmas: bool = False  # words carry their lemma after a hyphen
    coarse: dict[str, str] = field(default_factory=dict)
    removed: int = 0  # terminals that are not words: CODE, ID
    _phrases: _Labels = field(init=False)
    _tags: _Labels = field(init=False)
    _seen: _Terminals = field(init=False)

    def __post_init__(self) -> None:
        if self.settings.pos not in ("keep", "strip") and not self.coarse:
            self.coarse = read_pos_map(self.settings.pos)
        strip = self.settings.function_tags == "strip"
        self._phrases, self._tags = _Labels(self._phrase, strip=strip), _Labels(self._tag, strip=strip)
        self._seen = _Terminals(self)

    def normal(self, tree: PhraseTree, words: Collection[int] | None = None) -> Normal:
        """Return *tree* normalised, with all words or only some; a tree without words becomes empty."""
        kept, forms, traces = self._terminals(tree)
        if words is not None:
            kept, forms, traces = _only(words, kept, forms, traces)
        if len(kept) == len(traces):
            return Normal((), (), (), 0, ())
        children = children_of(tree.parents, kept)
        root = self._root(tree, children)
        order = _preorder(root, children, len(tree.words))
        labels, marked = self._labels(tree, kept, order)
        if self.settings.unary == "collapse":
            order = _collapsed(order, labels, children)
        stay = [*kept, *order]
        number = dict(zip(stay, range(len(stay)), strict=True))
        return Normal(
            forms=tuple(forms),
            labels=tuple([labels[node] for node in stay]),
            children=tuple([tuple([number[child] for child in children[node]]) for node in order]),
            root=number[root],
            tags=tuple([tree.labels[node] for node in kept]),
            traces=traces,
            marked=frozenset([number[node] for node in marked if node in number]) if marked else NOTHING,
        )

    def _terminals(self, tree: PhraseTree) -> tuple[list[int], list[str], frozenset[int]]:
        """Return the remaining terminals, their forms, and which of them are traces."""
        seen = self._seen
        kept: list[int] = []
        forms: list[str] = []
        traces: list[int] = []
        for node, terminal in enumerate(zip(tree.words, tree.labels, strict=False)):
            what, form = seen[terminal]
            if what is not _WORD:
                if what is _LEFT_OUT:
                    continue
                if what is _TRACE:
                    traces.append(len(kept))
                elif terminal[1] == "CODE" or _at_top(tree, node):
                    self.removed += 1
                    continue
            kept.append(node)
            forms.append(form)
        return kept, forms, frozenset(traces) if traces else NOTHING

    def _root(self, tree: PhraseTree, children: dict[int, list[int]]) -> int:
        root = tree.parents.index(-1)
        if self.settings.strip_root:
            while root in children and len(children[root]) == 1 and tree.labels[root] in ROOTS:
                root = children[root][0]
        return root

    def _labels(
        self, tree: PhraseTree, kept: list[int], order: list[int]
    ) -> tuple[dict[int, Label], set[int]]:
        """Return the labels of the remaining nodes, and which are marked as heads."""
        texts, tags, phrases = tree.labels, self._tags, self._phrases
        labels = {node: tags[texts[node]] for node in kept}
        for node in order:
            labels[node] = phrases[texts[node]]
        marked: set[int] = set()
        for nodes, known in ((kept, tags), (order, phrases)):
            if known.marking:
                marked |= {node for node in nodes if texts[node] in known.marking}
        edges = tree.columns.get("edge")
        if edges is not None:
            marked |= {node for node in labels if edges[node] == HEAD_MARK}
            if self.settings.function_tags != "strip":
                for node, (cat, own) in labels.items():
                    if edges[node] != NO_EDGE:
                        labels[node] = (cat, own | {edges[node]})
        return labels, marked

    def _phrase(self, label: str) -> Label:
        clauses = CLAUSES if self.historical else frozenset[str]()
        return split(label, clauses=clauses, indices=self.settings.indices == "keep")

    def _tag(self, label: str) -> Label:
        cat, tags = split(label) if self.settings.split_pos else (label, NO_TAGS)
        if label == TRACE:
            return TRACE, NO_TAGS
        if self.settings.pos == "strip":
            return "_" if label not in PUNCTUATION else label, tags
        return self.coarse.get(cat, cat), tags


def _collapsed(order: list[int], labels: dict[int, Label], children: dict[int, list[int]]) -> list[int]:
    """Make one X of each unary X over X in *labels* and *children*, and return the remaining phrases."""
    gone: set[int] = set()
    for node in order:
        while len(below := children[node]) == 1 and below[0] in children and node not in gone:
            child = below[0]
            if labels[child][0] != labels[node][0]:
                break
            if labels[child][1] != labels[node][1]:
                labels[node] = (labels[node][0], labels[node][1] | labels[child][1])
            gone.add(child)
            children[node] = children[child]
    return [node for node in order if node not in gone] if gone else order


def _only(
    words: Collection[int], kept: list[int], forms: list[str], traces: frozenset[int]
) -> tuple[list[int], list[str], frozenset[int]]:
    """Return the terminals without the words that are not among *words*."""
    word = -1
    places = []
    for place in range(len(kept)):
        word += place not in traces
        if place in traces or word in words:
            places.append(place)
    left = frozenset(number for number, place in enumerate(places) if place in traces)
    return [kept[place] for place in places], [forms[place] for place in places], left


def looks_historical(trees: Iterable[Any]) -> bool:
    """Return whether clauses have labels such as IP-MAT and IP-SUB."""
    for tree in trees:
        if any(label.startswith(("IP-", "CP-")) for label in tree.labels[len(tree.words) :]):
            return True
    return False


def look_lemmatised(trees: Iterable[Any]) -> bool:
    """Return whether most words of the first trees contain a hyphen followed by the lemma."""
    with_hyphen = total = 0
    for tree in islice(trees, LOOKED_AT):
        words = [
            word
            for word, label in zip(tree.words, tree.labels, strict=False)
            if label not in NO_WORDS and label != TRACE and not _is_trace(word)
        ]
        total += len(words)
        with_hyphen += sum("-" in word[1:-1] for word in words)
    return with_hyphen > total / 2


def _at_top(tree: PhraseTree, node: int) -> bool:
    return tree.parents[node] < 0 or tree.labels[tree.parents[node]] in ROOTS


def _is_trace(word: str) -> bool:
    return word == "0" or (word.startswith("*") and len(word) > 1)


def _without_lemma(word: str) -> str:
    """Return *word* without the lemma after its last hyphen.

    Example:
        >>> _without_lemma("kynges-king"), _without_lemma("-"), _without_lemma("well-being-well-being")
        ('kynges', '-', 'well-being')
    """
    pieces = word.split("-")
    half = len(pieces) // 2
    if len(pieces) % 2 == 0 and half > 1:  # a hyphen in the word stands in its lemma too
        return "-".join(pieces[:half])
    return word.rpartition("-")[0] or word


def children_of(parents: Sequence[int], terminals: Iterable[int]) -> dict[int, list[int]]:
    """Return the children of the phrases over *terminals*, by their first terminal."""
    children: dict[int, list[int]] = {}
    for terminal in terminals:
        node, parent = terminal, parents[terminal]
        while parent >= 0:
            below = children.get(parent)
            if below is not None:
                below.append(node)
                break
            children[parent] = [node]
            node, parent = parent, parents[parent]
    return children


def _preorder(root: int, children: dict[int, list[int]], size: int) -> list[int]:
    order = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node >= size:
            order.append(node)
            stack.extend(reversed(children[node]))
    return order
