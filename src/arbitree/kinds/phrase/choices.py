"""Decisions on the brackets and tags of one sentence: the possible values, and their consequences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from arbitree.adjudication.places import (
    NOTHING,
    Decided,
    Key,
    Offer,
    Place,
    Sheet,
    Verdict,
    checked,
    choices_of,
    in_context,
    unknown_place,
)
from arbitree.errors import UnknownName, shorten
from arbitree.kinds.phrase.gold import Builder, shared
from arbitree.kinds.phrase.spans import (
    NO_TAG,
    bits_named,
    brackets_of,
    crossing,
    runs_of,
    tags_of,
    words_in,
)
from arbitree.kinds.phrase.value import TRACE, PhraseTree
from arbitree.study.study import Item
from arbitree.wording import listed

BRACKET, TAG = "bracket", "tag"
NO_BRACKET = NOTHING
UNLABELLED = "(unlabelled)"  # a bracket without a label
OPEN = "?"  # marks undecided values in pictures


@dataclass(frozen=True, slots=True)
class PhraseSheet(Sheet[PhraseTree]):
    """A sheet with one place per span with different labels, and one per tag that differs.

    For an annotator without a bracket over the span, the value is ``(none)``. Any other span can be given a
    bracket. Brackets never cross: spans are nested or disjoint.
    """

    brackets: Mapping[str, Mapping[str, str]]  # by coder: the labels of all spans
    tags: Mapping[str, tuple[str, ...]]  # by coder
    chains: Mapping[str, tuple[str, ...]]  # the labels that a value of a coder stands for
    agreed: Mapping[str, str]  # spans and labels on which coders agree
    contested: frozenset[Key]

    @property
    def kind(self) -> str:
        """Phrase-structure trees."""
        return PhraseTree.kind

    def place(self, key: Key) -> Place:
        """Return a place of any span or token: ``1-4 bracket``, ``1-2,4-5 bracket``, ``3 tag``."""
        name, _, what = key.partition(" ")
        if what == TAG and name in self._numbers():
            token = int(name)
            words, context = in_context(self.tokens, token, token)
            choices = choices_of((coder, tags[token - 1]) for coder, tags in self.tags.items())
            return Place(key, name, TAG, words, context, choices)
        runs = runs_of(name, len(self.tokens)) if what == BRACKET else None
        if runs is None:
            hint = f"Enter a span of the {len(self.tokens)} tokens as '2-5 bracket', or a tag as '3 tag'"
            raise unknown_place(key, hint)
        words, context = words_in(self.tokens, runs)
        choices = choices_of((coder, own.get(name, NO_BRACKET)) for coder, own in self.brackets.items())
        return Place(key, name, BRACKET, words, context, choices)

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return the result of *wish*; it is rejected if brackets would cross."""
        changes = {key: self._full(key, value) for key, value in wish.items()}
        problem = self._problem(decisions, changes)
        if not problem:
            return Verdict(changes, entails=tuple(self._entailed(decisions, changes)))
        found: dict[frozenset[tuple[Key, str]], Offer] = {}
        for offer in self._tried(decisions, changes):
            if offer.changes and not self._problem(decisions, offer.changes):
                found.setdefault(frozenset(offer.changes.items()), offer)
        return Verdict(changes, problem, tuple(found.values()))

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return the brackets that would cross an agreed or decided bracket."""
        fixed = self._fixed(decisions)
        found = {}
        for place in self.places:
            if place.key in decisions or place.what != BRACKET:
                continue
            across = self._across(place.place, fixed)
            if across:
                reason = f"it would cross {self._named(across[0], fixed)}"
                found.update({(place.key, value): reason for value in place.values if value != NO_BRACKET})
        return found

    def gold(self, decisions: Decided) -> PhraseTree | None:
        """Return the gold tree.

        The first annotator's tree with all decided brackets and tags is returned unchanged. Otherwise a new
        tree is built; it keeps the traces that all annotators share if their phrases exist.
        """
        done = self._finished(decisions)
        return None if done is None else done[0]

    def left_out(self, decisions: Decided) -> int:
        """Return the number of the annotators' traces that are not in the gold tree; 0 before it exists."""
        done = self._finished(decisions)
        return 0 if done is None else done[1]

    def so_far(self, decisions: Decided) -> PhraseTree:
        """Return the tree of the agreed and decided brackets; an undecided top label or tag is ``?``."""
        if not self.tokens:
            return next(iter(self.values.values()))
        fixed = self._fixed(decisions)
        whole = self._whole()
        if whole not in fixed and (len(self.tokens) > 1 or f"{whole} {BRACKET}" in self.contested):
            fixed[whole] = OPEN
        for name in self._crossed(fixed):
            fixed.pop(name, None)
        return self._builder(fixed, self._tags(decisions, OPEN)).tree()

    @property
    def remarks(self) -> tuple[str, ...]:
        """A note if annotators differ in traces, which cannot be decided."""
        _, differing = shared(list(self.values.values()))
        if not differing or not self.places:
            return ()
        what = "1 trace" if differing == 1 else f"{differing} traces"
        return (f"Annotators differ on {what}. To keep such traces, choose all values of one annotator.",)

    def trouble(self, decisions: Decided) -> str:
        """Return the problem if brackets cross, or if the whole sentence has no label."""
        fixed = self._fixed(decisions)
        for name in fixed:
            for other in self._across(name, fixed):
                return f"{self._named(name, fixed)} crosses {self._named(other, fixed)}."
        if decisions.get(f"{self._whole()} {BRACKET}") == NO_BRACKET and len(self.tokens) > 1:
            return "The whole sentence has no label."
        return ""

    def _finished(self, decisions: Decided) -> tuple[PhraseTree, int] | None:
        if not self.contested <= decisions.keys() or self.trouble(decisions):
            return None
        fixed, tags = self._fixed(decisions), self._tags(decisions, OPEN)
        for coder, tree in self.values.items():
            if self.brackets[coder] == fixed and self.tags[coder] == tags:
                return tree, 0
        traces, left = shared(list(self.values.values()))
        builder = self._builder(fixed, tags)
        builder.traces = traces
        tree = builder.tree()
        return tree, left + builder.lost

    def _builder(self, fixed: Mapping[str, str], tags: tuple[str, ...]) -> Builder:
        base = next(iter(self.values.values()))
        chains = {self._bits(name): self._labels(text) for name, text in fixed.items()}
        bare = {k for own in self.values.values() for k, label in enumerate(_token_labels(own)) if not label}
        plain = ["" if tag == NO_TAG and token in bare else tag for token, tag in enumerate(tags)]
        return Builder(base, chains, plain)

    def _labels(self, text: str) -> tuple[str, ...]:
        return self.chains.get(text) or tuple(text.split("+"))

    def _full(self, key: Key, value: str) -> str:
        """Return a requested value in its stored form."""
        place = self.place(key)
        if value in place.values:
            return value
        text = checked(value, "label" if place.what == BRACKET else TAG)
        if place.what == BRACKET and (text == NO_BRACKET or text in self.chains):
            return text
        if "(" in text or ")" in text:
            raise UnknownName(f"{shorten(text)} contains a parenthesis", hint="Write -LRB- or -RRB-")
        if text == TRACE or (place.what == BRACKET and "" in text.split("+")):
            hint = "Enter a label such as NP, or S+VP for one phrase directly inside another"
            raise UnknownName(f"{shorten(text)} is not a valid label", hint=hint)
        return text

    def _fixed(self, decisions: Decided) -> dict[str, str]:
        """Return the brackets that are agreed or decided."""
        found = dict(self.agreed)
        for key, value in decisions.items():
            name, _, what = key.partition(" ")
            if what != BRACKET or runs_of(name, len(self.tokens)) is None:
                continue
            if value == NO_BRACKET:
                found.pop(name, None)
            else:
                found[name] = value
        return found

    def _tags(self, decisions: Decided, unknown: str) -> tuple[str, ...]:
        first = next(iter(self.tags.values()))
        found = []
        for number, tag in enumerate(first, start=1):
            key = f"{number} {TAG}"
            found.append(decisions.get(key, unknown if key in self.contested else tag))
        return tuple(found)

    def _problem(self, decisions: Decided, changes: Decided) -> str:
        fixed = self._fixed({**decisions, **changes})
        for name in _spans(changes):
            if name in fixed:
                for other in self._across(name, fixed):
                    return f"{self._named(name, fixed)} would cross {self._named(other, fixed)}."
            elif name == self._whole() and len(self.tokens) > 1:
                return "The whole sentence must keep a label."
        return ""

    def _tried(self, decisions: Decided, changes: Decided) -> Iterator[Offer]:
        fixed = self._fixed({**decisions, **changes})
        whole = f"{self._whole()} {BRACKET}"
        if changes.get(whole) == NO_BRACKET:
            for value, coders in self.place(whole).choices:
                yield Offer(f"Keep {value} (chosen by {listed(coders)}).", {**changes, whole: value})
        pairs = [(name, other) for name in _spans(changes) for other in self._across(name, fixed)]
        gone = [other for _, other in pairs if f"{other} {BRACKET}" not in changes]
        if gone:
            names = listed([self._named(name, fixed) for name in dict.fromkeys(gone)])
            taken = {f"{name} {BRACKET}": NO_BRACKET for name in gone}
            yield Offer(f"Remove {names}.", {**changes, **taken})
        if len(changes) > 1:
            open_ = {f"{name} {BRACKET}" for name, _ in pairs}
            names = listed([self._named(name, fixed) for name in dict.fromkeys(name for name, _ in pairs)])
            rest = {key: value for key, value in changes.items() if key not in open_}
            yield Offer(f"Apply the other changes, and leave {names} undecided.", rest)

    def _entailed(self, decisions: Decided, changes: Decided) -> Iterator[str]:
        if not any(_spans(changes)):
            return
        after = {**decisions, **changes}
        known, blocked = self.blocked(decisions), self.blocked(after)
        for place in self.places:
            new = [value for value in place.values if (place.key, value) in blocked.keys() - known.keys()]
            if new:
                reason = blocked[place.key, new[0]]
                advice = "" if NO_BRACKET in place.values else f" Choose {NO_BRACKET} for this span."
                yield f"A bracket over {shorten(place.words)} is no longer possible: {reason}.{advice}"

    def _across(self, name: str, fixed: Mapping[str, str]) -> list[str]:
        bits = self._bits(name)
        return [other for other in fixed if crossing(bits, self._bits(other))]

    def _crossed(self, fixed: Mapping[str, str]) -> list[str]:
        """Return brackets that cross others that are not larger; pictures exclude them."""
        order = sorted(fixed, key=lambda name: -self._bits(name).bit_count())
        return [
            name
            for k, name in enumerate(order)
            if any(crossing(self._bits(name), self._bits(other)) for other in order[k + 1 :])
        ]

    def _bits(self, name: str) -> int:
        return bits_named(name, len(self.tokens))

    def _named(self, name: str, fixed: Mapping[str, str]) -> str:
        words, _ = words_in(self.tokens, runs_of(name, len(self.tokens)) or [])
        return f"{fixed.get(name, 'the bracket')} over {shorten(words)}"

    def _whole(self) -> str:
        return f"1-{len(self.tokens)}"

    def _numbers(self) -> frozenset[str]:
        return frozenset(map(str, range(1, len(self.tokens) + 1)))


def phrase_sheet(item: Item, trees: Mapping[str, PhraseTree]) -> PhraseSheet:
    """Return the sheet of *trees* by annotator over the same tokens.

    Example:
        >>> flat = PhraseTree(("we", "met", "her"), ("P", "V", "P", "S"), (3, 3, 3, -1))
        >>> deep = PhraseTree(("we", "met", "her"), ("P", "V", "P", "S", "VP"), (3, 4, 4, -1, 3))
        >>> sheet = phrase_sheet(Item("s1", "text", "s1"), {"ann": flat, "bob": deep})
        >>> [(place.key, place.values) for place in sheet.places]
        [('2-3 bracket', ('(none)', 'VP'))]
        >>> sheet.judge({"2-3 bracket": "VP"}, {"1-2 bracket": "NP"}).problem
        "NP over 'we met' would cross VP over 'met her'."
    """
    tokens = next(iter(trees.values())).tokens
    chains: dict[str, tuple[str, ...]] = {}
    brackets = {coder: _brackets(tree, chains) for coder, tree in trees.items()}
    tags = {coder: tags_of(tree) for coder, tree in trees.items()}
    first, *others = brackets.values()
    names = set().union(*brackets.values())
    agreed = {name: text for name, text in first.items() if all(own.get(name) == text for own in others)}
    spans = sorted(names - agreed.keys(), key=lambda name: _reading_order(name, len(tokens)))
    differing = [
        number for number, said in enumerate(zip(*tags.values(), strict=True), start=1) if len(set(said)) > 1
    ]
    keys = [*(f"{name} {BRACKET}" for name in spans), *(f"{number} {TAG}" for number in differing)]
    bare = PhraseSheet(item, trees, (), tokens, brackets, tags, chains, agreed, frozenset(keys))
    return replace(bare, places=tuple(bare.place(key) for key in keys))


def said_of(tree: PhraseTree) -> dict[Key, str]:
    """Return the values of a tree at all places, in the form in which they are chosen.

    Example:
        >>> said_of(PhraseTree(("we", "met"), ("P", "V", "S", "VP"), (2, 3, -1, 2)))
        {'1-2 bracket': 'S', '2-2 bracket': 'VP', '1 tag': 'P', '2 tag': 'V'}
    """
    brackets = {f"{name} {BRACKET}": text for name, text in _brackets(tree, {}).items()}
    return brackets | {f"{number} {TAG}": tag for number, tag in enumerate(tags_of(tree), start=1)}


def _brackets(tree: PhraseTree, chains: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the spans of *tree* with their labels as text; *chains* records the labels of each text."""
    texts = {}
    for name, labels in brackets_of(tree).items():
        texts[name] = "+".join(labels) or UNLABELLED
        chains.setdefault(texts[name], labels)
    return texts


def _token_labels(tree: PhraseTree) -> list[str]:
    return [label for label in tree.labels[: len(tree.words)] if label != TRACE]


def _spans(changes: Decided) -> list[str]:
    """Return the spans whose brackets *changes* sets."""
    return [key.partition(" ")[0] for key in changes if key.endswith(f" {BRACKET}")]


def _reading_order(name: str, size: int) -> tuple[int, int, int, str]:
    runs = runs_of(name, size) or [(0, 0)]
    return runs[0][0], -runs[-1][1], len(runs), name
