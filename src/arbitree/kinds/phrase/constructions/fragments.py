"""Fragments: the part of a derivation inside a nucleus, as numbers that can be compared.

A fragment is one fact per word: its part of speech, its spine, and its attachment to its governor if that is
in the nucleus too. Facts and fragments are numbered, so equal ones have the same number.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from arbitree.kinds.phrase.constructions.derivation import (
    ADJOINED,
    LEFT,
    RIGHT,
    SISTER,
    Chain,
    Derivation,
    Span,
    Spine,
    Tags,
    chain_of,
)
from arbitree.kinds.phrase.constructions.normalisation import NO_TAGS, Label
from arbitree.kinds.phrase.constructions.sites import Wordless
from arbitree.kinds.phrase.value import TRACE

Copies = tuple[frozenset[str] | None, ...]  # tags bottom up; None: kept beside the fragment
CutNode = tuple[str, Copies | None]  # category, and the tags of its copies
CutSpine = tuple[CutNode, ...]
Hidden = tuple[int, CutNode]  # a root, and what stands for its topmost node
Slot = tuple[int, str, str, str]  # governor, operation, side, category of the target node
Arc = tuple[Label, Chain, int, Chain | None, int]  # part of speech, chain, governor, its chain, address


class Trace(NamedTuple):
    """Traces and the phrases over nothing else; their place is a number of words from the governor."""

    place: int
    node: int
    level: int
    tree: Wordless


class Fact(NamedTuple):
    """The annotation of one word of a nucleus; the governor is relative to it, 0 if outside."""

    pos: Label
    spine: CutSpine
    governor: int = 0
    operation: str = ""
    node: int = 0
    cat: str = ""
    level: int = 0
    traces: tuple[Trace, ...] = ()


class Cut(NamedTuple):
    """An occurrence of a fragment."""

    form: int  # the number of its facts
    cover: str | None  # category of the lowest phrase over it; None: NIL
    tags: Tags | None  # of that phrase and its copies inside, if it is exactly the nucleus; None: any
    slot: Slot | None  # where its roots are joined; None: not in one place
    root: int  # offset of its root; -1: several
    exact: bool
    partial: frozenset[tuple[int, int, int]] = frozenset()  # phrases with other words: word, node, copy


@dataclass(slots=True)
class Facts:
    """Numbers of facts and fragments, in order of first occurrence."""

    facts: list[Fact] = field(default_factory=list)
    forms: list[tuple[int, ...]] = field(default_factory=list)
    _fact_numbers: dict[Fact, int] = field(default_factory=dict)
    _form_numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    outer: list[int] = field(default_factory=list)  # of arcs: a number that does not depend on the governor
    _arcs: dict[Arc, tuple[int, int]] = field(default_factory=dict)
    _leaving: dict[tuple[Label, Chain, tuple[str, bool, str]], int] = field(default_factory=dict)

    def arc(self, arc: Arc) -> tuple[int, int]:
        """Return the number of *arc*, and that of its fact if the governor is in the nucleus; -1 for none."""
        found = self._arcs.get(arc)
        if found is None:
            pos, chain, governor, above, address = arc
            fact, attachment = -1, ("", False, "")
            if above is not None:
                level = above.levels[address]
                operation = ADJOINED if level else SISTER
                node, category = above.nodes[address], above.labels[address][0]
                fact = self.fact(Fact(pos, chain.spine, governor, operation, node, category, level))
                attachment = operation, governor > 0, category
            found = self._arcs[arc] = len(self._arcs), fact
            leaving = (pos, chain, attachment)
            self.outer.append(self._leaving.setdefault(leaving, len(self._leaving)))
        return found

    def fact(self, fact: Fact) -> int:
        """Return the number of *fact*."""
        number = self._fact_numbers.setdefault(fact, len(self.facts))
        if number == len(self.facts):
            self.facts.append(fact)
        return number

    def form(self, facts: tuple[int, ...]) -> int:
        """Return the number of a fragment."""
        number = self._form_numbers.setdefault(facts, len(self.forms))
        if number == len(self.forms):
            self.forms.append(facts)
        return number

    def of(self, form: int) -> list[Fact]:
        """Return the facts of fragment number *form*."""
        return [self.facts[number] for number in self.forms[form]]


@dataclass(slots=True)
class Sliced:
    """A derivation prepared for fragments, with word indices."""

    facts: Facts
    derivation: Derivation
    governors: tuple[int, ...]
    addresses: tuple[int, ...]
    chains: tuple[Chain, ...]
    spans: tuple[tuple[Span, ...], ...]
    pos: tuple[Label, ...]
    arcs: array[int]  # the number of the arc of each word
    inner: array[int]  # the fact of each word when its governor is in the nucleus
    deep: tuple[int, ...]  # words joined to a second or higher copy of a node
    hung: dict[int, list[int]] | None  # traces by the word that governs them

    def constituents(self) -> set[Span]:
        """Return the spans of continuous phrases."""
        found = set[Span]().union(*self.spans)
        return found - self.derivation.scattered if self.derivation.scattered else found

    def cut(self, lo: int, hi: int, *, whole: bool = False) -> Cut:
        """Return the fragment of the words from *lo* to before *hi*, up to the lowest phrase over them.

        Args:
            lo, hi: the nucleus.
            whole: whether the nucleus is the whole sentence, so that nothing is cut off above.
        """
        roots = self._roots(lo, hi)
        if len(roots) > 1:
            return self._forest(lo, hi, {root: self._inside(root, lo, hi) for root in roots})
        (root,) = roots
        top = len(self.chains[root].labels) - 1 if whole else self._cover(root, lo, hi)
        if top < 0:
            return self._forest(lo, hi, {root: -1})._replace(root=root - lo, exact=whole)
        exact = whole or (self.spans[root][top] == (lo, hi) and (lo, hi) not in self.derivation.scattered)
        cat, tags = self._spine(root, top, lo, hi)[-1]
        found = self._forest(lo, hi, {root: top}, hidden=(root, (cat, None)))
        return found._replace(cover=cat, tags=tags if exact else None, root=root - lo, exact=exact)

    def shown(self, lo: int, hi: int, *, covered: bool = True) -> Cut:
        """Return the fragment of the words from *lo* to before *hi* with all phrases over exactly them.

        Without such a phrase, a word is its part of speech, and several words are cut off at the lowest
        phrase over them. The tags of the topmost phrase are kept beside the fragment.

        Args:
            lo, hi: the nucleus.
            covered: show a phrase that also covers other words; otherwise, the pieces that it consists of.
        """
        roots = self._roots(lo, hi)
        if len(roots) > 1:
            return self._marked(lo, hi, {root: self._inside(root, lo, hi) for root in roots})
        (root,) = roots
        spans = self.spans[root]
        top = max(self._joined(root, lo, hi), default=-1)
        exact = False
        while top + 1 < len(spans) and spans[top + 1] == (lo, hi):
            top, exact = top + 1, True
        exact = exact or (top >= 0 and spans[top] == (lo, hi))
        if top < 0:
            return self._marked(lo, hi, {root: -1})._replace(root=root - lo)
        if not exact and not covered:
            return self._pieces(lo, hi, root, top)
        cat, tags = self._spine(root, top, lo, hi)[-1]
        hidden = (root, (cat, (*tags[:-1], None)))
        if not exact:
            found = self._marked(lo, hi, {root: top}, hidden)
            return found._replace(cover=cat, root=root - lo)
        return self._forest(lo, hi, {root: top}, hidden)._replace(
            cover=cat, tags=tags[-1:], root=root - lo, exact=True
        )

    def _roots(self, lo: int, hi: int) -> list[int]:
        governors = self.governors
        return [word for word in range(lo, hi) if not lo <= governors[word] < hi]

    def _pieces(self, lo: int, hi: int, root: int, top: int) -> Cut:
        """Return the fragment without the phrase *top* of its root: the children of this phrase."""
        tops = {
            word: self._inside(word, lo, hi)
            for word in range(lo, hi)
            if self.governors[word] == root and self.addresses[word] == top
        }
        return self._marked(lo, hi, tops | {root: top - 1})

    def _marked(self, lo: int, hi: int, tops: dict[int, int], hidden: Hidden | None = None) -> Cut:
        """Return the fragment with its phrases marked that contain words outside the nucleus."""
        return self._forest(lo, hi, tops, hidden)._replace(partial=self._partial(lo, hi, tops))

    def _forest(self, lo: int, hi: int, tops: dict[int, int], hidden: Hidden | None = None) -> Cut:
        """Return the fragment with these roots and the topmost phrase of each.

        Args:
            lo, hi: the nucleus.
            tops: the number of the topmost phrase by root; -1: none.
            hidden: a root, and what stands for its topmost node, without tags.
        """
        numbers = self.inner[lo:hi]
        for word in self.deep:
            if lo <= word < hi and word not in tops:
                numbers[word - lo] = self._renumbered(word, lo, hi)
        self._trim(numbers, lo, hi)
        for root, top in tops.items():
            spine: CutSpine = self._spine(root, top, lo, hi)
            if hidden and hidden[0] == root:
                spine = (*spine[:-1], hidden[1])
            numbers[root - lo] = self.facts.fact(Fact(self.pos[root], spine))
        if self.hung is not None:
            self._add_traces(numbers, lo, hi, tops)
        slots = {self.slot(root) for root in tops}
        slot = slots.pop() if len(slots) == 1 else None
        return Cut(self.facts.form(tuple(numbers)), None, None, slot, -1, exact=False)

    def _partial(self, lo: int, hi: int, tops: dict[int, int]) -> frozenset[tuple[int, int, int]]:
        """Return the phrases of a fragment that contain words outside the nucleus."""
        found = []
        for word in range(lo, hi):
            spans = self.spans[word]
            top = tops.get(word, len(spans) - 1)
            if top >= 0 and not (lo <= spans[top][0] and spans[top][1] <= hi):
                chain = self.chains[word]
                copies: Counter[int] = Counter()
                for phrase in self._kept(word, top, lo, hi):
                    node = chain.nodes[phrase]
                    if not (lo <= spans[phrase][0] and spans[phrase][1] <= hi):
                        found.append((word - lo, node, copies[node]))
                    copies[node] += 1
        return frozenset(found)

    def _trim(self, numbers: array[int], lo: int, hi: int) -> None:
        """Remove spine copies that exist only because of words outside the nucleus."""
        for word in range(lo, hi):
            spans = self.spans[word]
            if len(spans) > 1 and numbers[word - lo] >= 0 and not (lo <= spans[-1][0] and spans[-1][1] <= hi):
                spine = self._spine(word, len(spans) - 1, lo, hi)
                fact = self.facts.facts[numbers[word - lo]]
                if fact.spine != spine:
                    numbers[word - lo] = self.facts.fact(fact._replace(spine=spine))

    def _spine(self, word: int, top: int, lo: int, hi: int) -> Spine:
        """Return the spine of *word* up to phrase *top*, without copies that do not involve the nucleus."""
        chain, spans = self.chains[word], self.spans[word]
        if top < 0 or (lo <= spans[top][0] and spans[top][1] <= hi):
            return chain.cut(top)
        return chain_of(tuple([chain.labels[phrase] for phrase in self._kept(word, top, lo, hi)])).spine

    def _kept(self, word: int, top: int, lo: int, hi: int) -> list[int]:
        """Return the phrases of *word* up to *top*, without copies that do not involve the nucleus."""
        chain, spans = self.chains[word], self.spans[word]
        joined = self._joined(word, lo, hi)
        return [
            phrase
            for phrase in range(top + 1)
            if (lo <= spans[phrase][0] and spans[phrase][1] <= hi)
            or not chain.levels[phrase]
            or phrase in joined
        ]

    def _cover(self, root: int, lo: int, hi: int) -> int:
        """Return the highest phrase of *root* that another word of the nucleus is attached to."""
        inside = self._joined(root, lo, hi)
        return max(inside) if inside else (0 if self.spans[root] else -1)

    def _joined(self, root: int, lo: int, hi: int) -> list[int]:
        """Return the phrases of *root* that words of the nucleus are attached to."""
        governors, addresses = self.governors, self.addresses
        return [addresses[word] for word in range(lo, hi) if governors[word] == root]

    def _inside(self, root: int, lo: int, hi: int) -> int:
        """Return the highest phrase of *root* that is inside the nucleus or contains another of its words."""
        inside = self._joined(root, lo, hi)
        whole = sum(lo <= start and end <= hi for start, end in self.spans[root]) - 1
        return max([whole, *inside])

    def slot(self, word: int) -> Slot | None:
        """Return the attachment of *word* to the rest; None for the head of the sentence."""
        governor = self.governors[word]
        if governor < 0:
            return None
        chain, address = self.chains[governor], self.addresses[word]
        operation = ADJOINED if chain.levels[address] else SISTER
        return governor, operation, LEFT if word < governor else RIGHT, chain.labels[address][0]

    def above(self, lo: int, hi: int) -> tuple[Label, ...]:
        """Return the phrases of the root of a nucleus that are above its cover."""
        (root,) = [word for word in range(lo, hi) if not lo <= self.governors[word] < hi]
        return self.chains[root].labels[self._cover(root, lo, hi) + 1 :]

    def _copy(self, governor: int, address: int, lo: int, hi: int) -> int:
        """Return which copy of its node a phrase is, among the copies that the fragment has."""
        chain = self.chains[governor]
        node = chain.nodes[address]
        if not chain.levels[address]:
            return 0
        return sum(chain.nodes[phrase] == node for phrase in self._kept(governor, address, lo, hi)) - 1

    def _renumbered(self, word: int, lo: int, hi: int) -> int:
        """Return the fact of *word* with the copies of its target renumbered."""
        level = self._copy(self.governors[word], self.addresses[word], lo, hi)
        return self.facts.fact(self.facts.facts[self.inner[word]]._replace(level=level))

    def _add_traces(self, numbers: array[int], lo: int, hi: int, tops: dict[int, int]) -> None:
        hung = self.hung or {}
        for word in range(lo, hi):
            if word in hung:
                traces = self._traces(hung[word], word, tops.get(word, len(self.spans[word]) - 1), lo, hi)
                fact = self.facts.facts[numbers[word - lo]]
                numbers[word - lo] = self.facts.fact(fact._replace(traces=traces))

    def _traces(self, terminals: list[int], word: int, top: int, lo: int, hi: int) -> tuple[Trace, ...]:
        """Return the traces in the phrases of *word* up to *top*, with positions inside the nucleus."""
        whole = self.derivation
        kept = self._kept(word, top, lo, hi)
        found = []
        for terminal in terminals:
            address = whole.addresses[terminal]
            if address in kept:
                before = terminal - sum(trace < terminal for trace in whole.traces)
                place = min(max(before, lo), hi) - word
                copy = self._copy(word, address, lo, hi)
                found.append(Trace(place, self.chains[word].nodes[address], copy, self._wordless(terminal)))
        return tuple(found)

    def _wordless(self, trace: int) -> Wordless:
        """Return a trace with the phrases that it heads."""
        whole = self.derivation
        label = whole.pos[trace]
        tree: Wordless = ((whole.forms[trace], NO_TAGS), ())
        if label[0] != TRACE:
            tree = (label, (tree,))
        own = [other for other in sorted(whole.traces) if whole.governors[other] == trace]
        for phrase, above in enumerate(whole.chains[trace].labels):
            parts = [(other, self._wordless(other)) for other in own if whole.addresses[other] == phrase]
            tree = (above, tuple([part for _, part in sorted([(trace, tree), *parts])]))
        return tree


def sliced(derivation: Derivation, facts: Facts, span: Span | None = None) -> Sliced:
    """Return *derivation* prepared for fragments, or for those of the words in *span* only."""
    governors, addresses, pos = derivation.governors, derivation.addresses, derivation.pos
    chains, spans = derivation.chains, derivation.spans
    hung: dict[int, list[int]] | None = None
    if derivation.traces:
        words = [terminal for terminal in range(len(derivation.forms)) if terminal not in derivation.traces]
        number = {terminal: word for word, terminal in enumerate(words)} | {-1: -1}
        hung = {}
        for trace in sorted(derivation.traces):
            if governors[trace] in number:
                hung.setdefault(number[governors[trace]], []).append(trace)
        governors = tuple([number[governors[terminal]] for terminal in words])
        addresses = tuple([addresses[terminal] for terminal in words])
        pos = tuple([pos[terminal] for terminal in words])
        chains = tuple([chains[terminal] for terminal in words])
        spans = tuple([spans[terminal] for terminal in words])
    lo, hi = span or (0, len(pos))
    inner = array("i", [-1]) * len(pos)
    arcs = array("i", [-1]) * len(pos)
    deep: list[int] = []
    number_of = facts.arc
    for word in range(lo, hi):
        governor, address = governors[word], addresses[word]
        if governor < 0:
            arcs[word], _ = number_of((pos[word], chains[word], 0, None, -1))
            continue
        above = chains[governor]
        arcs[word], inner[word] = number_of((pos[word], chains[word], governor - word, above, address))
        if address > 1 and above.levels[address] > 1:
            deep.append(word)
    return Sliced(facts, derivation, governors, addresses, chains, spans, pos, arcs, inner, tuple(deep), hung)
