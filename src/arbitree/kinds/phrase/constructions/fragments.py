"""Fragments: the part of a derivation inside a nucleus, as numbers that can be compared.

A fragment is one fact per word: its part of speech, its spine, and its attachment to its governor if that is
in the nucleus too. Facts and fragments are numbered, so equal ones have the same number.
"""

from __future__ import annotations

from array import array
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
from arbitree.kinds.phrase.constructions.normalisation import Label

CutSpine = tuple[tuple[str, Tags | None], ...]  # None: the tags are kept beside the fragment
Slot = tuple[int, str, str, str]  # governor, operation, side, category of the target node


class Trace(NamedTuple):
    """A trace and the traces attached to it; its place is a number of words from the governor."""

    place: int
    node: int
    level: int
    pos: Label
    spine: Spine
    traces: tuple[Trace, ...]


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


@dataclass(slots=True)
class Facts:
    """Numbers of facts and fragments, in order of first occurrence."""

    facts: list[Fact] = field(default_factory=list)
    forms: list[tuple[int, ...]] = field(default_factory=list)
    _fact_numbers: dict[Fact, int] = field(default_factory=dict)
    _form_numbers: dict[tuple[int, ...], int] = field(default_factory=dict)

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
    inner: array[int]  # the fact of each word when its governor is in the nucleus
    deep: tuple[int, ...]  # words joined to a second or higher copy of a node
    hung: dict[int, list[int]] | None  # traces by the word that governs them

    def constituents(self) -> set[Span]:
        """Return the spans of continuous phrases."""
        found = {span for spans in self.spans for span in spans}
        return found - self.derivation.scattered if self.derivation.scattered else found

    def cut(self, lo: int, hi: int, *, whole: bool = False) -> Cut:
        """Return the fragment of the words from *lo* to before *hi*.

        Args:
            lo, hi: the nucleus.
            whole: whether the nucleus is the whole sentence, so that nothing is cut off above.
        """
        governors = self.governors
        roots = [word for word in range(lo, hi) if not lo <= governors[word] < hi]
        numbers = self.inner[lo:hi]
        for word in self.deep:
            if lo <= word < hi and lo <= governors[word] < hi:
                numbers[word - lo] = self._renumbered(word, lo, hi)
        self._trim(numbers, lo, hi)
        if len(roots) == 1:
            root = roots[0]
            top = len(self.chains[root].labels) - 1 if whole else self._cover(root, lo, hi)
            found = self._rooted(numbers, root, top, lo, hi, whole=whole)
        else:
            found = self._forest(numbers, roots, lo, hi)
        return found

    def _rooted(self, numbers: array[int], root: int, top: int, lo: int, hi: int, *, whole: bool) -> Cut:
        spine = self._spine(root, top, lo, hi)
        cover: str | None = None
        tags: Tags | None = None
        exact = whole
        cut: CutSpine = spine
        if spine:
            cover = spine[-1][0]
            exact = whole or (self.spans[root][top] == (lo, hi) and (lo, hi) not in self.derivation.scattered)
            tags = spine[-1][1] if exact else None
            cut = (*spine[:-1], (cover, None))
        numbers[root - lo] = self.facts.fact(Fact(self.pos[root], cut))
        if self.hung is not None:
            self._add_traces(numbers, lo, hi, {root: top})
        return Cut(self.facts.form(tuple(numbers)), cover, tags, self.slot(root), root - lo, exact)

    def _forest(self, numbers: array[int], roots: list[int], lo: int, hi: int) -> Cut:
        tops = {root: self._inside(root, lo, hi) for root in roots}
        for root, top in tops.items():
            numbers[root - lo] = self.facts.fact(Fact(self.pos[root], self._spine(root, top, lo, hi)))
        if self.hung is not None:
            self._add_traces(numbers, lo, hi, tops)
        slots = {self.slot(root) for root in roots}
        slot = slots.pop() if len(slots) == 1 else None
        return Cut(self.facts.form(tuple(numbers)), None, None, slot, -1, exact=False)

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
        joined = self._joined(word, lo, hi)
        inside = (lo <= start and end <= hi for start, end in spans[: top + 1])
        kept = [
            chain.labels[phrase]
            for phrase, within in enumerate(inside)
            if within or not chain.levels[phrase] or phrase in joined
        ]
        return chain_of(tuple(kept)).spine

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

    def _renumbered(self, word: int, lo: int, hi: int) -> int:
        """Return the fact of *word* with copies of its target renumbered, without copies from outside."""
        governor, address = self.governors[word], self.addresses[word]
        chain = self.chains[governor]
        node = chain.nodes[address]
        levels = {
            chain.levels[self.addresses[other]]
            for other in range(lo, hi)
            if self.governors[other] == governor and chain.nodes[self.addresses[other]] == node
        }
        level = sum(0 < each <= chain.levels[address] for each in levels)
        return self.facts.fact(self.facts.facts[self.inner[word]]._replace(level=level))

    def _add_traces(self, numbers: array[int], lo: int, hi: int, tops: dict[int, int]) -> None:
        hung = self.hung or {}
        for word in range(lo, hi):
            if word in hung:
                top = tops.get(word, len(self.chains[word].labels))
                traces = self._traces(hung[word], word, top, lo, hi)
                fact = self.facts.facts[numbers[word - lo]]
                numbers[word - lo] = self.facts.fact(fact._replace(traces=traces))

    def _traces(self, terminals: list[int], word: int, top: int, lo: int, hi: int) -> tuple[Trace, ...]:
        """Return the traces at or below phrase *top* of their governor, with positions inside the nucleus."""
        whole = self.derivation
        found = []
        for terminal in terminals:
            address = whole.addresses[terminal]
            if address > top:
                continue
            chain = whole.chains[whole.governors[terminal]]
            before = terminal - sum(trace < terminal for trace in whole.traces)
            own = [other for other in sorted(whole.traces) if whole.governors[other] == terminal]
            nested = self._traces(own, word, len(whole.forms), lo, hi)
            place = min(max(before, lo), hi) - word
            where = (place, chain.nodes[address], chain.levels[address])
            found.append(Trace(*where, whole.pos[terminal], whole.chains[terminal].spine, nested))
        return tuple(found)


def sliced(derivation: Derivation, facts: Facts) -> Sliced:
    """Return *derivation* prepared for fragments."""
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
    inner = array("i")
    deep: list[int] = []
    for word, (governor, address) in enumerate(zip(governors, addresses, strict=True)):
        if governor < 0:
            inner.append(-1)
            continue
        above = chains[governor]
        level = above.levels[address]
        if level > 1:
            deep.append(word)
        arc = (governor - word, ADJOINED if level else SISTER, above.nodes[address], above.labels[address][0])
        inner.append(facts.fact(Fact(pos[word], chains[word].spine, *arc, level)))
    return Sliced(facts, derivation, governors, addresses, chains, spans, pos, inner, tuple(deep), hung)
