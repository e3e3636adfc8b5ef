"""Decisions on the concepts, roles, attributes and top of one graph: values, and their consequences."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

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
    unknown_place,
)
from arbitree.errors import UnknownName, shorten
from arbitree.kinds.graphs.gold import OPEN, AnyGraph, Draft, anonymous, value_of
from arbitree.kinds.graphs.grouping import together
from arbitree.kinds.graphs.merging import ATTRIBUTE, CONCEPT, NO_CONCEPT, ROLE, Merged, Slot, merged
from arbitree.kinds.graphs.value import TOP, Graph
from arbitree.study.study import Item
from arbitree.wording import listed

INEXACT = "The search for the best alignment of these graphs was stopped, so there may be fewer differences."
NAMED = 3  # nodes that a sentence names
SIGNS = '()"~'  # that a concept or role cannot contain


class SoFar(NamedTuple):
    """What is decided, for drawings."""

    graph: Graph  # the agreed and decided parts
    decisions: tuple[tuple[Key, str], ...]


class Conflict(NamedTuple):
    """An edge, attribute or top whose node is removed."""

    slot: Slot
    text: str
    node: int


@dataclass(frozen=True, slots=True)
class GraphSheet(Sheet[AnyGraph]):
    """A sheet with one place per concept, attribute, role or top on which annotators differ.

    Nodes have the variables of one of the annotators, the same in all graphs. The value is ``(none)`` for an
    annotator without the node, edge or attribute. Other roles and attributes can be added between any nodes.
    """

    merged: Merged
    rows: Mapping[str, int]  # by coder, the place of the graph among those that are merged
    slots: Mapping[Key, Slot]
    contested: frozenset[Key]
    joined: tuple[tuple[Key, ...], ...]  # contested places that belong together, or alone

    @property
    def groups(self) -> tuple[tuple[Key, ...], ...]:
        """A node with its edges and attributes, where some annotators lack it, and edges that are moved."""
        return tuple(keys for keys in self.joined if len(keys) > 1)

    @property
    def kind(self) -> str:
        """The kind of the annotations."""
        return next(iter(self.values.values())).kind

    @property
    def remarks(self) -> tuple[str, ...]:
        """A note if the search for the best alignment was stopped."""
        return () if self.merged.exact else (INEXACT,)

    def place(self, key: Key) -> Place:
        """Return a place: ``p concept``, ``h>p role``, ``p:quant attribute`` or ``top``."""
        slot = self._slot(key)
        texts = self.merged.texts(slot)
        choices = choices_of((coder, texts[row]) for coder, row in self.rows.items())
        words = self.merged.words(slot)
        return Place(key, slot.name, slot.what, words, self.merged.context(slot), choices)

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return the result of *wish*; it is rejected if an edge would have an end that is removed."""
        own = {key: self._full(key, value) for key, value in wish.items()}
        changes = own | self._consequences(decisions, own)
        conflicts = [
            each
            for each in self._conflicts(self._draft({**decisions, **changes}))
            if each.slot.key in changes or self._concept(each.node) in changes
        ]
        if conflicts:
            offers = self._offers(decisions, changes, conflicts)
            return Verdict(changes, self._refusal(conflicts[0]), tuple(offers))
        more = [f"{self._named(key)}: {value}" for key, value in changes.items() if key not in own]
        return Verdict(changes, entails=(f"Decided as well: {'; '.join(more)}.",) if more else ())

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return the edges and attributes of nodes that are removed, at undecided places."""
        removed = self._draft(decisions).removed
        found = {}
        for place in self.places:
            gone = [node for node in self.slots[place.key].nodes if node in removed]
            if gone and place.key not in decisions and place.what != CONCEPT:
                reason = f"{self._node(gone[0])} is removed"
                found.update({(place.key, value): reason for value in place.values if value != NOTHING})
        return found

    def gold(self, decisions: Decided) -> AnyGraph | None:
        """Return the gold graph: that of the annotator who has all decided values, or a new one."""
        if not self.contested <= decisions.keys() or self.trouble(decisions):
            return None
        chosen = self._like(decisions)
        if chosen is not None:
            return anonymous(self.values[chosen])
        return value_of(self._draft(decisions).graph(), list(self.values.values()))

    def so_far(self, decisions: Decided) -> SoFar:
        """Return the graph of the agreed and decided parts, and the decisions."""
        draft = self._draft(decisions)
        for slot in self.slots.values():
            if slot.what == CONCEPT and slot.key not in draft.fixed and None not in slot.values:
                draft.concepts[slot.nodes[0]] = OPEN
        return SoFar(draft.graph(), tuple(sorted(decisions.items())))

    def trouble(self, decisions: Decided) -> str:
        """Return an edge without an end; after the last decision also a missing top, or several pieces."""
        draft = self._draft(decisions)
        for conflict in self._conflicts(draft):
            return self._refusal(conflict)
        if not self.contested <= decisions.keys() or self._like(decisions) is not None:
            return ""
        if not draft.concepts:
            return "The graph is empty. Choose a concept for at least one node."
        if not draft.tops:
            return "The graph has no top. Choose a node as the top."
        first, *others = draft.pieces()
        if not others:
            return ""
        names = listed([self._node(node) for node in others[0][:NAMED]])
        more = len(others[0]) > NAMED
        return (
            f"The graph is in {len(others) + 1} pieces: {names}{' and others' if more else ''} "
            f"{'is' if len(others[0]) == 1 else 'are'} not connected to the top, {self._node(first[0])}. "
            f"Choose a role for an edge to {self._node(others[0][0])}, or {NOTHING} as its concept."
        )

    def covers(self, place: Place, positions: Collection[int]) -> bool:
        """Return whether a place is among the differences that belong together with these numbers."""
        return any(place.key in keys for number, keys in enumerate(self.joined) if number in positions)

    def _like(self, decisions: Decided) -> str | None:
        """Return the first annotator who has all values that are agreed or decided, if there is one."""
        fixed = self._fixed(decisions)
        for coder, row in self.rows.items():
            own = {key: self.merged.texts(slot)[row] for key, slot in self.slots.items()}
            if all(own.get(key, NOTHING) == value for key, value in fixed.items()):
                return coder
        return None

    def _slot(self, key: Key) -> Slot:
        found = self.slots.get(key) or self._new_slot(key)
        if found is None:
            names = ", ".join(self.merged.names[node] for node in self.merged.order)
            raise unknown_place(key, f"Write 'h concept', 'h>p role' or 'p:quant attribute' with {names}")
        return found

    def _new_slot(self, key: Key) -> Slot | None:
        """Return a place where no annotator has anything: an edge between two nodes, or an attribute."""
        name, _, what = key.partition(" ")
        numbers = {each: node for node, each in self.merged.names.items()}
        nothing = (None,) * len(self.rows)
        source, _, target = name.partition(">")
        if what == ROLE and source in numbers and target in numbers:
            ends = numbers[source], numbers[target]
            known = f"{target}>{source} {ROLE}" in self.slots  # the same edge, seen from its other end
            return None if known else Slot(ROLE, name, ends, "", nothing, nothing)
        node, _, role = name.partition(":")
        if what == ATTRIBUTE and node in numbers and role and not set(SIGNS) & set(role):
            return Slot(ATTRIBUTE, name, (numbers[node],), role, nothing, nothing)
        return None

    def _full(self, key: Key, value: str) -> str:
        """Return a requested value in its stored form."""
        slot = self._slot(key)
        if value in self.merged.texts(slot) or (value == NOTHING and slot.what != TOP):
            return value
        if slot.what == TOP:
            return self._top(value)
        if slot.what == ATTRIBUTE:
            return f":{slot.role} {self._constant(slot, value)}"
        if slot.what == CONCEPT and value.strip() == NO_CONCEPT:
            return NO_CONCEPT
        text = checked(value, slot.what).removeprefix(":" if slot.what == ROLE else "")
        if not text or set(SIGNS) & set(text) or text.startswith((":", "/")):
            hint = "Enter a role such as :ARG0" if slot.what == ROLE else "Enter a concept such as want-01"
            raise UnknownName(f"{shorten(value)} is not a valid {slot.what}", hint=hint)
        return f":{text}" if slot.what == ROLE else text

    def _top(self, value: str) -> str:
        name = value.strip().partition(" ")[0]
        names = [self.merged.names[node] for node in self.merged.order]
        if name not in names:
            raise UnknownName(f"{shorten(value)} is not a node", hint=f"Enter one of {', '.join(names)}")
        return self.merged.top_text(name)

    def _constant(self, slot: Slot, value: str) -> str:
        """Return a typed value of an attribute, in quotes if it would be read as something else."""
        text = checked(value, "value", blanks=True)
        text = text.removeprefix(f":{slot.role} ").strip()
        inner = text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
        if '"' in inner or not inner:
            raise UnknownName(f"{shorten(value)} is not a valid value", hint="Enter a value without quotes")
        plain = not set("()~/: ") & set(inner) and inner not in self.merged.names.values()
        return inner if text == inner and plain else f'"{inner}"'

    def _fixed(self, decisions: Decided) -> dict[Key, str]:
        """Return what is agreed or decided, by place; keys of other sentences are ignored."""
        found = {
            key: self.merged.texts(slot)[0] for key, slot in self.slots.items() if key not in self.contested
        }
        known = ((key, value) for key, value in decisions.items() if key in self.slots or self._new_slot(key))
        return found | dict(known)

    def _draft(self, decisions: Decided) -> Draft:
        fixed = self._fixed(decisions)
        new = [self._slot(key) for key in fixed if key not in self.slots]
        return Draft(self.merged, fixed, (*self.slots.values(), *new))

    def _consequences(self, decisions: Decided, changes: Decided) -> dict[Key, str]:
        """Return what follows at undecided places: what a removed node has, and the ends of an edge."""
        found: dict[Key, str] = {}
        draft = self._draft({**decisions, **changes})
        undecided = [self.slots[key] for key in self.slots if key in self.contested - draft.fixed.keys()]
        removed = {node for node in draft.removed if self._concept(node) in changes}
        for slot in undecided:
            if slot.what in (ROLE, ATTRIBUTE) and removed.intersection(slot.nodes):
                found[slot.key] = NOTHING
        needed = {node for part in draft.parts if part.key in changes for node in part.slot.nodes}
        for slot in undecided:
            concepts = set(self.merged.texts(slot)) - {NOTHING}
            if slot.what == CONCEPT and slot.nodes[0] in needed and len(concepts) == 1:
                found[slot.key] = concepts.pop()
        return found

    def _conflicts(self, draft: Draft) -> Iterator[Conflict]:
        for node in draft.tops:
            if node in draft.removed:
                yield Conflict(self.slots[TOP], draft.fixed[TOP], node)
        for slot, text in draft.parts:
            for node in slot.nodes:
                if node in draft.removed:
                    yield Conflict(slot, text, node)

    def _refusal(self, conflict: Conflict) -> str:
        slot, text, node = conflict
        if slot.what == TOP:
            return f"{self._node(node)} is the top, so it cannot be removed."
        if slot.what == ATTRIBUTE:
            return f"{self._node(node)} is removed, but it has the attribute {text}."
        one, two = (self._node(each) for each in slot.nodes)
        return f"{self._node(node)} is removed, but there is an edge {text} from {one} to {two}."

    def _offers(self, decisions: Decided, changes: Decided, conflicts: list[Conflict]) -> Iterator[Offer]:
        """Yield the removal of what the removed nodes have, and the nodes that are needed."""
        gone = {each.slot.key: each for each in conflicts}
        if TOP not in gone and not gone.keys() & changes.keys():
            names = listed([f"{each.text} of {self.merged.words(each.slot)}" for each in gone.values()])
            yield Offer(f"Remove {names} as well.", {**changes, **dict.fromkeys(gone, NOTHING)})
        node = conflicts[0].node
        if (key := self._concept(node)) not in changes:
            for text in dict.fromkeys(self.merged.texts(self.slots[key])):
                if text != NOTHING and not self.judge(decisions, {**changes, key: text}).problem:
                    yield Offer(f"Add {text} as well.", {**changes, key: text})

    def _concept(self, node: int) -> Key:
        return f"{self.merged.names[node]} {CONCEPT}"

    def _node(self, node: int) -> str:
        """Return the concept and the name of a node."""
        return f"{self.merged.labels[node]} ({self.merged.names[node]})"

    def _named(self, key: Key) -> str:
        slot = self._slot(key)
        return " of ".join(filter(None, (slot.what, self.merged.words(slot))))


def graph_sheet(item: Item, values: Mapping[str, AnyGraph]) -> GraphSheet:
    """Return the sheet of graphs by annotator.

    Example:
        >>> from arbitree.kinds.graphs.value import Edge, Node
        >>> nodes = Node("s", "sing-01"), Node("b", "bird")
        >>> one, two = (Graph(nodes, (Edge("s", role, "b"),), ("s",)) for role in ("ARG0", "ARG1"))
        >>> sheet = graph_sheet(Item("s1", "text", "s1"), {"ann": one, "bob": two})
        >>> [(place.key, place.words, place.values) for place in sheet.places]
        [('s>b role', 'sing-01 → bird', (':ARG0', ':ARG1'))]
        >>> sheet.judge({}, {"b concept": "(none)"}).changes
        {'b concept': '(none)', 's>b role': '(none)'}
    """
    found, order = merged([value.graph for value in values.values()])
    rows = dict(zip(values, order, strict=True))
    slots = {slot.key: slot for slot in found.slots}
    contested = [slot for slot in found.slots if not slot.agreed]
    keys = frozenset(slot.key for slot in contested)
    tokens = next(iter(values.values())).graph.tokens
    joined = tuple(tuple(slot.key for slot in group) for group in together(contested))
    bare = GraphSheet(item, values, (), tokens, found, rows, slots, keys, joined)
    return replace(bare, places=tuple(bare.place(slot.key) for slot in contested))
