"""Disagreements between dependency trees: heads, labels and other columns of tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from arbitree.adjudication.places import (
    Decided,
    Doubt,
    Key,
    Offer,
    Place,
    Places,
    Said,
    Sheet,
    Verdict,
    What,
    checked,
    choices_of,
    filled,
    in_context,
    unknown_place,
)
from arbitree.adjudication.usage import Usage
from arbitree.errors import UnknownName, shorten
from arbitree.kinds.dependency.choices import HeadChoices
from arbitree.kinds.dependency.gold import decided_tree
from arbitree.kinds.dependency.graph import cycles
from arbitree.kinds.dependency.measures.arc_pairs import coarse_tags
from arbitree.kinds.dependency.root_labels import OTHER_LABEL, ROOT_LABEL, Arc, RootDoubt, root_doubt
from arbitree.kinds.dependency.value import DepTree, with_cycles
from arbitree.study.comparable import tokens_match
from arbitree.study.study import Item

HEAD, LABEL = "head", "label"
FORM = "form"  # the word itself, where coders spell it in two ways
NOT_DECIDED = ("deps", "misc", "phead", "pdeprel")  # columns that are nobody's decision, or follow from heads
ROOT = "0 root"
ROOT_SORT, LEFT, RIGHT = "ROOT", "to the left", "to the right"  # what heads are that have no part of speech
ABSENT = "_"

SaidOfTokens = Mapping[str, Mapping[str, tuple[str, ...]]]  # by what is said, and by coder


@dataclass(frozen=True, slots=True)
class DependencySheet(Sheet[DepTree]):
    """A sheet with one place per contested head, label or other value of a token.

    Tokens on a cycle that all annotators share are contested too, and so are agreed roots if only one root is
    allowed: the adjudicator has to enter another head. All other places can be reopened.
    """

    said: SaidOfTokens
    attachments: HeadChoices

    @property
    def kind(self) -> str:
        """Dependency trees."""
        return DepTree.kind

    @property
    def remarks(self) -> tuple[str, ...]:
        """Problems of the agreed heads that prevent a tree."""
        agreed = {
            token: next(iter(heads))
            for token, heads in enumerate(self.attachments.said)
            if len(heads) == 1 and self.attachments.agreed[token] is None
        }
        fault = self.attachments.trouble(agreed)
        return (
            (f"All annotators agree, but their heads do not form a tree. {fault} Enter a different head.",)
            if fault
            else ()
        )

    @property
    def groups(self) -> tuple[tuple[Key, ...], ...]:
        """Head and label of each token on which annotators differ in both: they choose an arc."""
        contested = {place.key for place in self.places}
        arcs = ((f"{token} {HEAD}", f"{token} {LABEL}") for token in range(1, len(self.tokens) + 1))
        return tuple(arc for arc in arcs if contested.issuperset(arc))

    def place(self, key: Key) -> Place:
        """Return a place of any token: ``3 head``, ``3 label``, ``3 upos``."""
        token, what = self._parts(key)
        return _place(self.tokens, self.said, token, what)

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return the result of *wish*; it is rejected if it creates a cycle or adds a second root."""
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
            problem += " No annotator's head resolves this. First change the head of one of these words."
        return Verdict(changes, problem, offers)

    def doubts(self, usage: Usage, decisions: Decided, changes: Decided) -> Iterator[Doubt]:
        """Yield labels that do not fit the root or another word, then values that no annotator uses."""
        after = {**decisions, **changes}
        heads, contested = self.attachments.heads(self._heads(after)), {place.key for place in self.places}
        for token in dict.fromkeys(self._parts(key)[0] for key in changes):
            key, head = f"{token} {LABEL}", heads[token]
            label = after.get(key) or (None if key in contested else self._agreed(token, LABEL))
            if head is not None and label is not None:
                arcs = tuple(
                    Arc(own, tree.relations[token - 1])
                    for tree in self.values.values()
                    for own in (tree.heads[token - 1],)
                )
                doubt = root_doubt(usage, self.attachments, token, Arc(head, label), arcs)
                if doubt is not None:
                    yield Doubt(
                        doubt.problem, self._possible(decisions, changes, token, doubt), doubt.certain
                    )
        yield from Sheet.doubts(self, usage, decisions, changes)

    def _possible(
        self, decisions: Decided, changes: Decided, token: int, doubt: RootDoubt
    ) -> tuple[Offer, ...]:
        """Return the arcs that would remove a doubt and create no cycle, as offers."""
        found = []
        for words, arc in doubt.ways:
            wish = {**changes, f"{token} {HEAD}": self._head(arc.head), f"{token} {LABEL}": arc.label}
            if not self.judge(decisions, wish).problem:
                found.append(Offer(words, wish))
        return tuple(found)

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return the heads that would create a cycle or add a second root."""
        found = self.attachments.blocked(self._heads(decisions))
        return {(f"{token} {HEAD}", self._head(head)): reason for (token, head), reason in found.items()}

    def gold(self, decisions: Decided) -> DepTree | None:
        """Return the gold tree; ``decided_tree`` documents the columns that it keeps."""
        decided = self._heads(decisions)
        if self.attachments.trouble(decided) or any(place.key not in decisions for place in self.places):
            return None
        heads = [head for head in self.attachments.heads(decided)[1:] if head is not None]
        if len(heads) < len(self.tokens):
            return None
        columns = {what: self._column(what, decisions) for what in self.said if what not in (HEAD, LABEL)}
        tokens = columns.pop(FORM, self.tokens)
        relations = self._column(LABEL, decisions)
        return decided_tree(list(self.values.values()), tokens, tuple(heads), relations, columns)

    def so_far(self, decisions: Decided) -> dict[int, tuple[int | None, str | None]]:
        """Return head and label of every token with a decision; None for undecided values."""
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
        """Return the cycle or the roots that prevent a tree with *decisions*."""
        return self.attachments.trouble(self._heads(decisions))

    def _parts(self, key: Key) -> tuple[int, str]:
        number, _, what = key.partition(" ")
        if what not in self.said or not self._has(number):
            hint = f"Enter a token number from 1 to {len(self.tokens)} and one of {', '.join(self.said)}"
            raise unknown_place(key, hint)
        return int(number), what

    def _has(self, number: str) -> bool:
        return _is_number(number) and number[0] != "0" and int(number) <= len(self.tokens)

    def _full(self, key: Key, value: str) -> str:
        """Return a requested value in its stored form."""
        token, what = self._parts(key)
        if any(values[token - 1] == value for values in self.said[what].values()):
            return value
        if what != HEAD:
            return checked(value, what)
        head = self._number(value)
        if head is None or (" " in value.strip() and value.strip() != self._head(head)):
            hint = f"Enter a token number from 1 to {len(self.tokens)}, or 0 for the root"
            raise UnknownName(f"{shorten(value)} is not a valid head for this sentence", hint=hint)
        return self._head(head)

    def _head(self, head: int) -> str:
        return shown_head(self.tokens, head)

    def _number(self, value: str) -> int | None:
        """Return the head that a value names, or None."""
        first = (value.split() or [""])[0]
        if first == "root":
            return 0
        return int(first) if _is_number(first) and int(first) <= len(self.tokens) else None

    def _heads(self, decisions: Decided) -> dict[int, int]:
        """Return the heads among *decisions*; keys of other sentences are ignored."""
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
    """Return the sheet of *trees* by annotator, which have the same number of tokens.

    Example:
        >>> ann = DepTree(("we", "saw", "her"), (2, 0, 2), ("nsubj", "root", "obj"))
        >>> bob = DepTree(("we", "saw", "her"), (2, 0, 1), ("nsubj", "root", "obj"))
        >>> sheet = dependency_sheet(Item("s1", "text", "s1"), {"ann": ann, "bob": bob})
        >>> [(place.key, place.values) for place in sheet.places]
        [('3 head', ('2 saw', '1 we'))]
        >>> sheet.judge({}, {"1 head": "3", "3 head": "1"}).problem
        'This head would create a cycle: we → her → we.'
    """
    tokens = next(iter(trees.values())).tokens
    heads: list[dict[int, tuple[str, ...]]] = [{}]
    coders = tuple(trees)
    for given in zip(*(tree.heads for tree in trees.values()), strict=True):
        own: dict[int, tuple[str, ...]] = {given[0]: coders}
        if given.count(given[0]) < len(given):
            own = {}
            for coder, head in zip(coders, given, strict=True):
                own[head] = (*own.get(head, ()), coder)
        heads.append(own)
    agreed = [None, *(next(iter(own)) if len(own) == 1 else None for own in heads[1:])]
    for cycle in cycles(agreed):
        for token in cycle:
            agreed[token] = None
    if one_root and agreed.count(0) > 1:
        agreed = [head or None for head in agreed]
    said = _said(trees, tokens)
    differing = {what: _differing(list(by_coder.values())) for what, by_coder in said.items()}
    differing[HEAD] |= {token for token in range(1, len(tokens) + 1) if agreed[token] is None}
    places = [
        _place(tokens, said, token, what)
        for token in sorted(set().union(*differing.values()))
        for what, contested in differing.items()
        if token in contested
    ]
    attachments = HeadChoices(tokens, tuple(agreed), tuple(heads), one_root)
    return DependencySheet(item, trees, tuple(places), tokens, said, attachments)


def _differing(rows: Sequence[tuple[str, ...]]) -> set[int]:
    """Return the tokens to which not all annotators give the same value."""
    if rows.count(rows[0]) == len(rows):
        return set()
    columns = enumerate(zip(*rows, strict=True), start=1)
    return {token for token, values in columns if values.count(values[0]) < len(values)}


def comparable(trees: Sequence[DepTree]) -> bool:
    """Return whether tokens can be compared one by one: equally many, and at least half identical."""
    first, *others = (tree.tokens for tree in trees)
    return tokens_match(trees) and all(
        2 * sum(map(str.__eq__, first, other)) >= len(first) for other in others
    )


def _said(trees: Mapping[str, DepTree], tokens: tuple[str, ...]) -> SaidOfTokens:
    """Return the annotators' values, heads with their words; empty columns are skipped."""
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


def _place(tokens: tuple[str, ...], said: SaidOfTokens, token: int, what: str) -> Place:
    words, context = in_context(tokens, token, token)
    choices = choices_of((coder, values[token - 1]) for coder, values in said[what].items())
    return Place(f"{token} {what}", str(token), what, words, context, choices)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


class DependencyPlaces(Places[DepTree]):
    """Heads, labels and other columns of tokens."""

    compared: ClassVar[str] = "heads, labels and tags"
    examples: ClassVar[str] = "3 head, 3 label"
    whats: ClassVar[Mapping[str, What]] = {
        LABEL: What(
            "Labels",
            beside=HEAD,
            confusion="labels",
            heading="Labels",
            note="Number of tokens to which two annotators give these labels. Diagonal: both give the same.",
        ),
        HEAD: What(
            "Heads",
            "number of a word, or 0 for the root",
            short=True,
            token=True,
            confusion="attachments",
            heading="Attachments",
            note="Tokens that two annotators attach to different heads, by the part of speech of the heads, "
            "or by their side if they have none. Diagonal: different heads of the same kind.",
        ),
    }
    listed: ClassVar[tuple[str, ...]] = (HEAD, LABEL)
    tagged: ClassVar[Mapping[str, str]] = {LABEL: LABEL, "labels": LABEL, "deprel": LABEL, "deprels": LABEL}
    free: ClassVar[tuple[str, ...]] = ("lemma", "feats", FORM)
    by_token: ClassVar[bool] = True

    def compare(self, values: Sequence[DepTree], *, listed: bool = False) -> Iterable[Said] | None:
        """Return the values of the tokens; None if the tokens differ."""
        same = tokens_match(values) if listed else comparable(values)
        return self._compared(values, listed) if same else None

    def _compared(self, trees: Sequence[DepTree], listed: bool) -> Iterator[Said]:
        names = _numbers(len(trees[0]))
        heads, relations = [tree.heads for tree in trees], [tree.relations for tree in trees]
        yield Said(HEAD, names, heads, shown=_head_of, sort=_head_sort, under=relations)
        yield Said(LABEL, names, relations)
        if listed:
            return
        columns = dict.fromkeys(name for tree in trees for name in tree.columns if name not in NOT_DECIDED)
        for name in columns:
            rows = [tree.columns.get(name, ()) for tree in trees]
            who = [place for place, row in enumerate(rows) if row.count(ABSENT) < len(row)]
            if len(who) > 1:
                yield Said(name, names, [rows[place] for place in who], who)
        if any(tree.tokens != trees[0].tokens for tree in trees):
            yield Said(FORM, names, [tree.tokens for tree in trees])

    def sheet(
        self, item: Item, values: Mapping[str, DepTree], *, one_root: bool = False
    ) -> DependencySheet | None:
        """Return the sheet of trees over the same tokens, or of a single tree with a cycle."""
        trees = filled(values)
        if len(trees) > 1:
            fits = comparable(list(trees.values()))
        else:
            fits = bool(self.fault(next(iter(trees.values())), one_root=one_root))
        return dependency_sheet(item, trees, one_root=one_root) if fits else None

    def value_at(self, value: DepTree, key: Key) -> str | None:
        """Return the head with its word, the label or another column of a token."""
        number, _, what = key.partition(" ")
        token = int(number) - 1
        if what == HEAD:
            return shown_head(value.tokens, value.heads[token])
        return value.relations[token] if what == LABEL else value.columns[what][token]

    def vocabulary(self, value: DepTree) -> Iterable[tuple[str, Iterable[str]]]:
        """Yield the labels, those of the root and of other words apart, and the other columns."""
        yield LABEL, value.relations
        for what, wanted in ((ROOT_LABEL, True), (OTHER_LABEL, False)):
            pairs = zip(value.heads, value.relations, strict=True)
            yield what, [label for head, label in pairs if (head == 0) is wanted]
        yield from ((name, said) for name, said in value.columns.items() if name != HEAD)

    def fault(self, value: DepTree, *, one_root: bool = False) -> str:
        """Return the cycle or the roots that prevent *value* from being a tree."""
        sheet = dependency_sheet(Item("", "", ""), {"": value}, one_root=one_root)
        return sheet.trouble(sheet.of_coder("")) if sheet.places else ""

    def faulty(self, values: Sequence[DepTree], *, one_root: bool = False) -> list[int]:
        """Return which of *values* have a cycle, or several roots if only one is allowed."""
        roots = [number for number, tree in enumerate(values) if one_root and tree.heads.count(0) > 1]
        return sorted({*with_cycles(values), *roots})


def shown_head(tokens: Sequence[str], head: int) -> str:
    """Return a head with its word, as it is chosen.

    Example:
        >>> shown_head(("we", "saw"), 2), shown_head(("we", "saw"), 0)
        ('2 saw', '0 root')
    """
    return f"{head} {tokens[head - 1]}" if head else ROOT


def _head_of(tree: DepTree, head: int, token: int) -> str:
    return shown_head(tree.tokens, head)


def _head_sort(tree: DepTree, head: int, token: int) -> str:
    """Return the part of speech of a head, or its side of the token if it has none."""
    if not head:
        return ROOT_SORT
    tag = coarse_tags(tree)[head - 1]
    return tag if tag != ABSENT else LEFT if head <= token else RIGHT


@lru_cache(maxsize=1024)
def _numbers(size: int) -> tuple[str, ...]:
    return tuple(map(str, range(1, size + 1)))


PLACES = DependencyPlaces()
