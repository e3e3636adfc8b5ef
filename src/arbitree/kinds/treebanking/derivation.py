"""Derivations of accepted parses: which discriminants hold of them, and where their words are in the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from arbitree.errors import FormatError
from arbitree.kinds.treebanking.value import (
    ACCEPTED,
    CONSTITUENT,
    TWIG,
    TYPE,
    Decisions,
    Identity,
)

Span = tuple[int, int]
Chain = tuple[str, ...]  # unary rules over one span from the top, and the rule or lexical entry below them
KEPT = 8192  # derivations that are not read twice

_FROM = re.compile(r'\+FROM\s+\\*"(\d+)')
_TO = re.compile(r'\+TO\s+\\*"(\d+)')


class Node(NamedTuple):
    """A rule or, just above a word, a lexical entry."""

    name: str
    start: int
    end: int
    lexical: bool

    @property
    def span(self) -> Span:
        """Where it begins and ends, in tokens or characters."""
        return self.start, self.end


class Word(NamedTuple):
    """What a lexical entry covers."""

    form: str
    start: int  # in tokens
    end: int
    characters: Span | None  # of the sentence, if the derivation has them


@dataclass(frozen=True)
class Derivation:
    """A derivation without its root symbol, which only says what kind of utterance a grammar takes it for."""

    nodes: tuple[Node, ...]  # from the top, daughters from left to right
    chains: Mapping[Span, tuple[Chain, ...]]  # over each span; of characters there may be several
    types: Mapping[str, str]  # of lexical entries, if the derivation has them
    words: tuple[Word, ...]

    @cached_property
    def rules(self) -> frozenset[tuple[str, int, int]]:
        """The rules with their spans; names in lower case."""
        return frozenset((n.name.lower(), n.start, n.end) for n in self.nodes if not n.lexical)

    @cached_property
    def entries(self) -> dict[Span, str]:
        """The lexical entries by their spans."""
        return {node.span: node.name for node in self.nodes if node.lexical}

    @property
    def end(self) -> int:
        """Where the last word ends, in tokens."""
        return max((word.end for word in self.words), default=0)

    def bracketed(self) -> str:
        """Return the derivation in one line, with words but without lexical entries."""
        words = {(word.start, word.end): word.form for word in self.words}
        parts: list[str] = []
        for node, depth, after in self._depths():
            shown = (
                words.get(node.span, node.name) + "]" * (depth - after) if node.lexical else f"[{node.name}"
            )
            parts.append(shown)
        return " ".join(parts)

    def indented(self) -> str:
        """Return the derivation with one node per line, and its words."""
        words = {(word.start, word.end): word.form for word in self.words}
        return "\n".join(
            f"{'  ' * depth}{node.name}" + (f"  {words.get(node.span, '')}" if node.lexical else "")
            for node, depth, _ in self._depths()
        )

    def _depths(self) -> Iterator[tuple[Node, int, int]]:
        """Yield the nodes, each with its depth and that of the next one."""
        depths: list[int] = []
        open_: list[Node] = []
        for node in self.nodes:
            while open_ and not (open_[-1].start <= node.start and node.end <= open_[-1].end):
                open_.pop()
            while open_ and open_[-1].lexical:
                open_.pop()
            depths.append(len(open_))
            open_.append(node)
        return zip(self.nodes, depths, [*depths[1:], 0], strict=True)

    def moved(self, place: Callable[[Span], Span | None]) -> Derivation | None:
        """Return the derivation with other spans; None if one has no counterpart."""
        spans = {node.span: place(node.span) for node in self.nodes}
        if None in spans.values():
            return None
        moved = {old: new for old, new in spans.items() if new is not None}
        chains: dict[Span, tuple[Chain, ...]] = {}
        for span, found in self.chains.items():
            chains[moved[span]] = chains.get(moved[span], ()) + found
        nodes = tuple(Node(node.name, *moved[node.span], node.lexical) for node in self.nodes)
        return Derivation(nodes, chains, self.types, self.words)


@lru_cache(KEPT)
def derivation_of(text: str) -> Derivation:
    """Return a derivation in the UDF or UDX notation of profiles; raise FormatError if it cannot be read.

    Example:
        >>> text = '(root (5 subj-head 0 0 2 (3 plural 0 0 1 (1 bird 0 0 1 ("b"))) (2 sing 0 1 2 ("s"))))'
        >>> found = derivation_of(text)
        >>> found.chains
        {(0, 2): (('subj-head',),), (0, 1): (('plural', 'bird'),), (1, 2): (('sing',),)}
        >>> found == derivation_of(text.replace("root", "root_fragment").replace("(5", "(7"))
        True
    """
    from delphin.derivation import from_string

    try:
        tree: Any = from_string(text)
    except Exception as error:  # many kinds, all of them the text's fault
        raise FormatError(f"cannot read a derivation ({' '.join(str(error).split())})") from None
    nodes: list[Node] = []
    chains: dict[Span, tuple[Chain, ...]] = {}
    types: dict[str, str] = {}
    words: list[Word] = []
    stack: list[tuple[Any, Chain]] = [(tree, ())]
    while stack:
        node, above = stack.pop()
        below = [each for each in node.daughters if hasattr(each, "daughters")]
        chain: Chain = ()
        name = str(node.entity)
        wrapper = (
            not nodes and len(below) == 1 and name.lower().startswith("root")
        )  # some writers give it a span
        if node.start is not None and node.start >= 0 and not wrapper:  # the root symbol has no span
            found = Node(name, node.start, node.end, not below)
            nodes.append(found)
            chain = (*above, name)
            if len(below) != 1:
                chains[found.span] = (chain,)
            if not below:
                if node.type:
                    types[name] = str(node.type)
                words.append(_word(node))
        stack += [(each, chain if len(below) == 1 else ()) for each in reversed(below)]
    return Derivation(tuple(nodes), chains, types, tuple(words))


def _word(node: Any) -> Word:
    """Return the word of a lexical node; one that consists of several tokens lists all of them."""
    details = " ".join(token.tfs for each in node.daughters for token in each.tokens)
    starts, ends = (list(map(int, found.findall(details))) for found in (_FROM, _TO))
    characters = (min(starts), max(ends)) if starts and ends else None
    return Word(" ".join(str(each.form) for each in node.daughters), node.start, node.end, characters)


def accepted_derivation(decisions: Decisions) -> Derivation | None:
    """Return the accepted derivation; None if there is none, or none that can be read."""
    if decisions.status != ACCEPTED or decisions.stored is None:
        return None
    found = decisions.stored.chosen()
    if not found or not found[0].derivation:
        return None
    try:
        return derivation_of(found[0].derivation)
    except FormatError:
        return None


def same_tokens(first: Derivation, second: Derivation) -> bool:
    """Return whether two derivations of a sentence divide it into the same tokens."""
    if first.end != second.end:
        return False
    ours, theirs = (
        {(word.start, word.end): word.characters for word in each.words if word.characters}
        for each in (first, second)
    )
    return all(theirs[span] == found for span, found in ours.items() if span in theirs)


def parsed_differently(first: Decisions, second: Decisions) -> bool:
    """Return whether two grammars are known to have parsed a different number of tokens."""
    if first.same_grammar(second) or first.stored is None or second.stored is None:
        return False
    ours, theirs = ({end for _, end, _, _ in each.stored.tokens()} for each in (first, second) if each.stored)
    return bool(ours and theirs) and max(ours) != max(theirs)


def placed(derivation: Derivation | None, decisions: Decisions) -> Callable[[Span], Span | None]:
    """Return a function from a span of tokens to one of characters, None if it is unknown.

    Positions come from the derivation or from the tokens of the parser, or else from the words in the text.
    Punctuation at the ends does not count, because grammars differ in whether it is a token.
    """
    text = decisions.text
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    known = decisions.stored.tokens() if decisions.stored else []
    words = _positions(derivation, text) if derivation else ()
    for start, end, first, last in (*known, *words):
        begins[start] = first
        ends[end] = last

    def place(span: Span) -> Span | None:
        if span[0] not in begins or span[1] not in ends:
            return None
        first, last = begins[span[0]], ends[span[1]]
        letters = [at for at in range(first, min(last, len(text))) if text[at].isalnum()]
        return (letters[0], letters[-1] + 1) if letters else (first, last)

    return place


def _positions(derivation: Derivation, text: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield tokens and characters of the words, as far as they are known or found in the text."""
    lower, at = text.lower(), 0
    for word in derivation.words:
        if word.characters:
            found = word.characters
        else:
            first = lower.find(word.form.lower(), at)
            if first < 0:
                return
            found = (first, first + len(word.form))
        at = found[1]
        yield word.start, word.end, *found


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the decisions and derivations of profiles tell about their grammar.

    Derivations name lexical entries, and decisions lexical types. An entry has one type: that of a decision
    on the same word. Decisions may also name node labels instead of rules, which derivations do not contain.
    """

    types: Mapping[str, str]  # of lexical entries
    labels: frozenset[str]  # keys of constituents that are no rules

    @classmethod
    def of(cls, annotations: Iterable[Decisions]) -> Lexicon:
        """Learn from accepted sentences and what is set to yes in them."""
        types: dict[str, str] = {}
        rules: set[str] = set()
        keys: set[str] = set()
        for each in annotations:
            found = accepted_derivation(each)
            if found is None:
                continue
            rules |= {name for name, _, _ in found.rules}
            entries = found.entries
            for option in each.decided:
                span = (option.start, option.end)
                if not option.yes:
                    continue
                if option.type == CONSTITUENT:
                    keys.add(option.key.lower())
                elif option.type == TYPE and span in entries:
                    types[entries[span]] = option.key
                elif option.type == TWIG and span in entries:
                    *above, last = option.key.split("@")
                    if tuple(above) in {chain[:-1] for chain in found.chains[span]}:
                        types[entries[span]] = last
            types |= found.types
        return cls(types, frozenset(keys - rules))

    def holds(self, derivation: Derivation, discriminant: Identity) -> bool | None:
        """Return whether *discriminant* holds of *derivation*; None if the derivation cannot tell.

        Example:
            >>> text = '(root (5 subj-head 0 0 2 (3 plural 0 0 1 (1 bird 0 0 1 ("b"))) (2 sing 0 1 2 ("s"))))'
            >>> birds, none = derivation_of(text), Lexicon({"bird": "n_le"}, frozenset())
            >>> none.holds(birds, (CONSTITUENT, "SUBJ-HEAD", 0, 2)), none.holds(birds, (TYPE, "v_le", 0, 1))
            (True, False)
            >>> none.holds(birds, (TWIG, "plural@n_le", 0, 1)), none.holds(birds, (TYPE, "v_le", 1, 2))
            (True, None)
        """
        kind, key, start, end = discriminant
        if kind == CONSTITUENT and key.lower() not in self.labels:
            return (key.lower(), start, end) in derivation.rules
        if kind == TYPE:
            if (key.lower(), start, end) in derivation.rules:
                return True
            return self._is(derivation.entries.get((start, end)), key)
        if kind == TWIG:
            *above, last = key.split("@")
            ends = [c[-1] for c in derivation.chains.get((start, end), ()) if c[:-1] == tuple(above)]
            entry = derivation.entries.get((start, end))
            return self._is(entry, last) if entry in ends else last in ends
        return None

    def _is(self, entry: str | None, kind: str) -> bool | None:
        if entry is None or entry == kind:
            return entry is not None
        known = self.types.get(entry)
        return None if known is None else known == kind


def full_forest_lexicon(annotations: Iterable[Decisions]) -> Lexicon | None:
    """Return the lexicon of full-forest profiles, whose decisions are scored by derivations; else None."""
    found = list(annotations)
    return Lexicon.of(found) if any(each.forest for each in found) else None
