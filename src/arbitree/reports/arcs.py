"""Dependency trees of one sentence laid over one another: which arcs are agreed and which are contested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from arbitree.data.dependency import DepTree
from arbitree.reports.badges import NOT_DONE, absences, badges_of, listed
from arbitree.reports.lettering import drawable, runs_leftwards

AGREED, LABEL, HEAD = "agreed", "label", "head"  # what of an arc is contested
NAMED = 5  # words that a text alternative names


@dataclass(frozen=True, slots=True)
class Reading:
    """A relation, and the coders who give it: their places among the coders of the overlay."""

    label: str
    coders: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arc:
    """A token under a head, with one reading for each relation that it is given there."""

    token: int  # from 1
    head: int  # 0: the artificial root
    readings: tuple[Reading, ...]
    state: str  # agreed, label or head

    @property
    def coders(self) -> tuple[int, ...]:
        """Who has this arc, whatever its relation."""
        return tuple(sorted(coder for reading in self.readings for coder in reading.coders))

    @property
    def loop(self) -> bool:
        """Whether the token is its own head."""
        return self.token == self.head

    @property
    def length(self) -> int:
        """How many tokens it spans; arcs from the artificial root and loops none."""
        return abs(self.token - self.head) if self.head else 0


@dataclass(frozen=True)
class Overlay:
    """The arcs of all coders over one row of tokens; arcs that several have are one.

    Example:
        >>> ann = DepTree(("we", "saw", "it"), (2, 0, 2), ("nsubj", "root", "obj"))
        >>> bob = DepTree(("we", "saw", "it"), (2, 0, 1), ("nsubj", "root", "dep"))
        >>> overlay = overlay_of({"ann": ann, "bob": bob})
        >>> [(arc.token, arc.head, arc.state) for arc in overlay.arcs]
        [(1, 2, 'agreed'), (2, 0, 'agreed'), (3, 2, 'head'), (3, 1, 'head')]
        >>> overlay.alternative
        'Dependency arcs of ann and bob over 3 words: 1 contested. it: ann obj of saw; bob dep of we.'
    """

    tokens: tuple[str, ...]
    coders: tuple[str, ...]  # of the study: their places decide on colours
    done: tuple[int, ...]  # those who annotated these tokens
    arcs: tuple[Arc, ...]
    absent: Mapping[str, str] = field(default_factory=dict)  # why a coder is not in it

    @cached_property
    def badges(self) -> tuple[str, ...]:
        """A short name for every coder."""
        return badges_of(self.coders)

    @property
    def notes(self) -> list[str]:
        """Who is not in the picture, and why."""
        done = {self.coders[place] for place in self.done}
        return absences({name: self.absent.get(name, NOT_DONE) for name in self.coders if name not in done})

    @cached_property
    def contested(self) -> dict[int, str]:
        """The tokens whose arcs are contested, and what of them: label or head."""
        return {arc.token: arc.state for arc in self.arcs if arc.state != AGREED}

    @cached_property
    def leftwards(self) -> bool:
        """Whether the words are read from right to left."""
        return runs_leftwards(self.tokens)

    @property
    def alternative(self) -> str:
        """What the picture shows, in words: who has which arc where they differ."""
        count = len(self.tokens)
        what = f"Dependency arcs of {listed([self.coders[k] for k in self.done])} over {count} words"
        if len(self.done) == 1:
            return f"{what}."
        differing = self.differences()
        if not differing:
            return f"{what}: all agreed."
        more = len(differing) - NAMED
        rest = f" And {more} more." if more > 0 else ""
        return f"{what}: {len(differing)} contested. {' '.join(differing[:NAMED])}{rest}"

    def differences(self) -> list[str]:
        """Return a sentence for every contested token."""
        return [self.sentence(token) for token in self.contested]

    def sentence(self, token: int) -> str:
        """Return who gives *token* which head and relation."""
        claims = [
            f"{listed([self.coders[k] for k in reading.coders])} {self._claim(arc, reading)}"
            for arc in self.arcs_of(token)
            for reading in arc.readings
        ]
        return f"{self.word(token)}: {'; '.join(claims)}."

    def arcs_of(self, token: int) -> list[Arc]:
        """Return the arcs that end at *token*."""
        return self._by_token.get(token, [])

    def word(self, token: int) -> str:
        """Return a token as it is drawn."""
        return drawable(self.tokens[token - 1]) or "∅"

    @cached_property
    def _by_token(self) -> dict[int, list[Arc]]:
        found: dict[int, list[Arc]] = {}
        for arc in self.arcs:
            found.setdefault(arc.token, []).append(arc)
        return found

    def _claim(self, arc: Arc, reading: Reading) -> str:
        label = drawable(reading.label)
        return f"{label} of {self.word(arc.head)}" if arc.head else f"{label} at the root"


def overlay_of(
    trees: Mapping[str, DepTree],
    coders: Sequence[str] | None = None,
    absent: Mapping[str, str] | None = None,
) -> Overlay:
    """Return *trees*, which all have the same tokens, laid over one another.

    Args:
        trees: by coder.
        coders: all coders of the study, whose order decides on colours (default: those of *trees*).
        absent: why a coder is not among the trees (default: not done).
    """
    names = tuple(coders or trees)
    done = tuple(place for place, name in enumerate(names) if name in trees)
    rows = [(place, trees[names[place]]) for place in done]
    arcs: list[Arc] = []
    for token in range(len(rows[0][1].tokens)):
        heads: dict[int, dict[str, list[int]]] = {}
        for place, tree in rows:
            labels = heads.setdefault(tree.heads[token], {})
            labels.setdefault(tree.relations[token], []).append(place)
        for head, labels in heads.items():
            readings = tuple([Reading(label, tuple(who)) for label, who in labels.items()])
            state = HEAD if len(heads) > 1 else LABEL if len(labels) > 1 else AGREED
            arcs.append(Arc(token + 1, head, readings, state))
    return Overlay(rows[0][1].tokens, names, done, tuple(arcs), absent or {})
