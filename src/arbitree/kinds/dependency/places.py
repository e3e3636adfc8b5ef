"""A sentence whose dependency trees differ: heads, labels and other columns, token by token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from arbitree.adjudication.differences import HEAD, LABEL, in_context
from arbitree.adjudication.places import (
    Decided,
    Key,
    Offer,
    Place,
    Verdict,
    checked,
    choices_of,
    of_coder,
    unknown_place,
)
from arbitree.errors import UnknownName, shorten
from arbitree.kinds.dependency.choices import Attachments
from arbitree.kinds.dependency.gold import decided_tree
from arbitree.kinds.dependency.graph import circles
from arbitree.kinds.dependency.value import DepTree
from arbitree.study.study import Item

FORM = "form"  # the word itself, where coders spell it in two ways
NOT_DECIDED = ("deps", "misc", "phead", "pdeprel")  # columns that are nobody's decision, or follow from heads
ROOT = "0 root"
ABSENT = "_"

Said = Mapping[str, Mapping[str, tuple[str, ...]]]  # what is said of the tokens, by the coders who say it


@dataclass(frozen=True, slots=True)
class DependencySheet:
    """A sheet of one place for every head, label or other value of a token that is contested.

    Tokens on a circle that all coders have are contested too, and so are roots if coders agree on several
    where there may be one: an adjudicator has to give a head of their own. All other places may be reopened.
    """

    kind: ClassVar[str] = DepTree.kind

    item: Item
    trees: Mapping[str, DepTree]  # by coder
    places: tuple[Place, ...]
    said: Said
    attachments: Attachments

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words, as the first coder has them."""
        return self.attachments.tokens

    @property
    def remarks(self) -> tuple[str, ...]:
        """What keeps the heads on which all coders agree from being part of a tree."""
        agreed = {
            token: next(iter(heads))
            for token, heads in enumerate(self.attachments.said)
            if len(heads) == 1 and self.attachments.agreed[token] is None
        }
        fault = self.attachments.trouble(agreed)
        return (
            (f"All coders agree on this, but it makes no tree. {fault} Give a head of your own.",)
            if fault
            else ()
        )

    def place(self, key: Key) -> Place:
        """Return a place of any token: ``3 head``, ``3 label``, ``3 upos``."""
        token, what = self._parts(key)
        return _place(self.tokens, self.said, token, what)

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return what comes of *wish*; it is refused where it closes a circle or adds a second root."""
        changes = {key: self._full(key, value) for key, value in wish.items()}
        decided, heads = self._heads(decisions), self._heads(changes)
        after = {**decided, **heads}
        problem = self.attachments.problem(after, heads)
        if not problem:
            entails = self.attachments.entailed(decided, after) if heads else []
            return Verdict(changes, entails=tuple(entails))
        rest = {key: value for key, value in changes.items() if self._parts(key)[1] != HEAD}
        offers = tuple(
            Offer(words, {**{f"{token} {HEAD}": self._head(head) for token, head in way.items()}, **rest})
            for words, way in self.attachments.ways(decided, heads)
        )
        if not offers:
            problem += " No coder has a head that helps: give another head first to a word that this names."
        return Verdict(changes, problem, offers)

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return the heads that would close a circle or add a second root."""
        found = self.attachments.blocked(self._heads(decisions))
        return {(f"{token} {HEAD}", self._head(head)): reason for (token, head), reason in found.items()}

    def of_coder(self, coder: str) -> dict[Key, str]:
        """Return the values of a coder at the contested places."""
        return of_coder(self.places, coder, tuple(self.trees))

    def gold(self, decisions: Decided) -> DepTree | None:
        """Return the tree; see ``depgold`` for what is kept of the coders' trees beside the decisions."""
        decided = self._heads(decisions)
        if self.attachments.trouble(decided) or any(place.key not in decisions for place in self.places):
            return None
        heads = [head for head in self.attachments.heads(decided)[1:] if head is not None]
        if len(heads) < len(self.tokens):
            return None
        columns = {what: self._column(what, decisions) for what in self.said if what not in (HEAD, LABEL)}
        tokens = columns.pop(FORM, self.tokens)
        relations = self._column(LABEL, decisions)
        return decided_tree(list(self.trees.values()), tokens, tuple(heads), relations, columns)

    def so_far(self, decisions: Decided) -> dict[int, tuple[int | None, str | None]]:
        """Return head and label of every token that a decision was made on; None for what is still open."""
        heads = self.attachments.heads(self._heads(decisions))
        contested = {place.key for place in self.places}
        found: dict[int, tuple[int | None, str | None]] = {}
        for token in range(1, len(self.tokens) + 1):
            keys = f"{token} {HEAD}", f"{token} {LABEL}"
            if keys[0] in decisions or keys[1] in decisions:
                said = None if keys[1] in contested else self._agreed(token, LABEL)
                found[token] = heads[token], decisions.get(keys[1], said)
        return found

    def trouble(self, decisions: Decided) -> str:
        """Return the circle, or the roots, that keep *decisions* from being part of a tree."""
        return self.attachments.trouble(self._heads(decisions))

    def left_out(self, decisions: Decided) -> int:
        """Return 0: nothing of a dependency tree is left out for want of agreement."""
        return 0

    def _parts(self, key: Key) -> tuple[int, str]:
        number, _, what = key.partition(" ")
        if what not in self.said or not self._has(number):
            hint = f"Write the number of a token, 1 to {len(self.tokens)}, and one of {', '.join(self.said)}"
            raise unknown_place(key, hint)
        return int(number), what

    def _has(self, number: str) -> bool:
        return _is_number(number) and number[0] != "0" and int(number) <= len(self.tokens)

    def _full(self, key: Key, value: str) -> str:
        """Return a wished value as it is written down."""
        token, what = self._parts(key)
        if any(values[token - 1] == value for values in self.said[what].values()):
            return value
        if what != HEAD:
            return checked(value, what)
        head = self._number(value)
        if head is None or (" " in value.strip() and value.strip() != self._head(head)):
            hint = f"Write the number of a token, 1 to {len(self.tokens)}, or 0 for the root"
            raise UnknownName(f"{shorten(value)} is no head in this sentence", hint=hint)
        return self._head(head)

    def _head(self, head: int) -> str:
        return f"{head} {self.tokens[head - 1]}" if head else ROOT

    def _number(self, value: str) -> int | None:
        """Return the head that a value names, None if it names none."""
        first = (value.split() or [""])[0]
        if first == "root":
            return 0
        return int(first) if _is_number(first) and int(first) <= len(self.tokens) else None

    def _heads(self, decisions: Decided) -> dict[int, int]:
        """Return the heads among *decisions*; what the sentence does not have is passed over."""
        found = {}
        for key, value in decisions.items():
            number, _, what = key.partition(" ")
            if what == HEAD and self._has(number):
                head = self._number(value)
                if head is not None:
                    found[int(number)] = head
        return found

    def _column(self, what: str, decisions: Decided) -> tuple[str, ...]:
        return tuple(
            decisions.get(f"{token} {what}") or self._agreed(token, what)
            for token in range(1, len(self.tokens) + 1)
        )

    def _agreed(self, token: int, what: str) -> str:
        return next(iter(self.said[what].values()))[token - 1]


def dependency_sheet(item: Item, trees: Mapping[str, DepTree], *, one_root: bool = False) -> DependencySheet:
    """Return the sheet of *trees*, which have the same number of tokens, by the coders who made them.

    Example:
        >>> ann = DepTree(("we", "saw", "her"), (2, 0, 2), ("nsubj", "root", "obj"))
        >>> bob = DepTree(("we", "saw", "her"), (2, 0, 1), ("nsubj", "root", "obj"))
        >>> sheet = dependency_sheet(Item("s1", "text", "s1"), {"ann": ann, "bob": bob})
        >>> [(place.key, place.values) for place in sheet.places]
        [('3 head', ('2 saw', '1 we'))]
        >>> sheet.judge({}, {"1 head": "3", "3 head": "1"}).problem
        'This closes a circle: we under her under we.'
    """
    tokens = next(iter(trees.values())).tokens
    heads: list[dict[int, tuple[str, ...]]] = [{}]
    for token in range(len(tokens)):
        own: dict[int, tuple[str, ...]] = {}
        for coder, tree in trees.items():
            own[tree.heads[token]] = (*own.get(tree.heads[token], ()), coder)
        heads.append(own)
    agreed = [None, *(next(iter(own)) if len(own) == 1 else None for own in heads[1:])]
    for circle in circles(agreed):
        for token in circle:
            agreed[token] = None
    if one_root and agreed.count(0) > 1:
        agreed = [head or None for head in agreed]
    said = _said(trees, tokens)
    places = []
    for token in range(1, len(tokens) + 1):
        for what, by_coder in said.items():
            open_head = what == HEAD and agreed[token] is None
            if open_head or len({values[token - 1] for values in by_coder.values()}) > 1:
                places.append(_place(tokens, said, token, what))
    attachments = Attachments(tokens, tuple(agreed), tuple(heads), one_root)
    return DependencySheet(item, trees, tuple(places), said, attachments)


def comparable(trees: Mapping[str, DepTree]) -> bool:
    """Return whether tokens can be compared one by one: as many, and at least half of them the same."""
    first, *others = (tree.tokens for tree in trees.values())
    return all(
        len(other) == len(first) and 2 * sum(map(str.__eq__, first, other)) >= len(first) for other in others
    )


def _said(trees: Mapping[str, DepTree], tokens: tuple[str, ...]) -> Said:
    """Return what the coders say, heads with their words; a column that is empty throughout says nothing."""
    names = [ROOT, *(f"{number} {word}" for number, word in enumerate(tokens, start=1))]
    said: dict[str, dict[str, tuple[str, ...]]] = {
        HEAD: {coder: tuple(names[head] for head in tree.heads) for coder, tree in trees.items()},
        LABEL: {coder: tree.relations for coder, tree in trees.items()},
    }
    if any(tree.tokens != tokens for tree in trees.values()):
        said[FORM] = {coder: tree.tokens for coder, tree in trees.items()}
    for coder, tree in trees.items():
        for name, values in tree.columns.items():
            if name not in NOT_DECIDED and Counter(values)[ABSENT] < len(values):
                said.setdefault(name, {})[coder] = values
    return said


def _place(tokens: tuple[str, ...], said: Said, token: int, what: str) -> Place:
    words, context = in_context(tokens, token, token)
    choices = choices_of((coder, values[token - 1]) for coder, values in said[what].items())
    return Place(f"{token} {what}", str(token), what, words, context, choices)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
