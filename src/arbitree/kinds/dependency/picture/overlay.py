"""Overlay of the dependency trees of one sentence: agreed and contested arcs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from arbitree.drawing.badges import NOT_DONE, OTHER_WORDS, absences, badges_of, listed
from arbitree.drawing.lettering import drawable, runs_leftwards
from arbitree.drawing.svg import TICK
from arbitree.kinds.dependency.value import DepTree

AGREED, LABEL, HEAD = "agreed", "label", "head"  # what of an arc is contested
NAMED = 5  # words that a text alternative names
AROUND = 2  # words on either side of a disagreement that are never folded
FOLDED = 4  # agreed words in a row from which they may be folded

Decided = Mapping[int, tuple[int | None, str | None]]  # by token: head and relation, None where undecided


@dataclass(frozen=True, slots=True)
class GivenRelation:
    """A relation, and the annotators who gave it, as indices into the annotators of the overlay."""

    label: str
    coders: tuple[int, ...]
    tick: str = ""  # at what is decided: a check mark, and of what if not of all


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc from a head to a token, with one reading per relation."""

    token: int  # from 1
    head: int  # 0: the artificial root
    readings: tuple[GivenRelation, ...]
    state: str  # agreed, label or head
    decided: bool = False  # its head is, or is agreed and its relation is decided
    passed: bool = False  # another head is decided

    @property
    def coders(self) -> tuple[int, ...]:
        """The annotators with this arc, under any relation."""
        return tuple(sorted(coder for reading in self.readings for coder in reading.coders))

    @property
    def loop(self) -> bool:
        """Whether the token is its own head."""
        return self.token == self.head

    @property
    def length(self) -> int:
        """The number of tokens that it spans; 0 for loops and arcs from the artificial root."""
        return abs(self.token - self.head) if self.head else 0


@dataclass(frozen=True)
class Overlay:
    """The arcs of all annotators over one row of tokens; shared arcs are merged.

    Example:
        >>> ann = DepTree(("we", "saw", "it"), (2, 0, 2), ("nsubj", "root", "obj"))
        >>> bob = DepTree(("we", "saw", "it"), (2, 0, 1), ("nsubj", "root", "dep"))
        >>> overlay = overlay_of({"ann": ann, "bob": bob})
        >>> [(arc.token, arc.head, arc.state) for arc in overlay.arcs]
        [(1, 2, 'agreed'), (2, 0, 'agreed'), (3, 2, 'head'), (3, 1, 'head')]
        >>> overlay.alternative
        'Dependency arcs of ann and bob over 3 words: 1 contested. it: obj of saw (ann); dep of we (bob).'
    """

    tokens: tuple[str, ...]
    coders: tuple[str, ...]  # of the study: their places decide on colours
    done: tuple[int, ...]  # those who annotated these tokens
    arcs: tuple[Arc, ...]
    absent: Mapping[str, str] = field(default_factory=dict)  # why a coder is not in it
    decided: Decided = field(default_factory=dict)
    folds: Mapping[int, int] = field(default_factory=dict)  # from the first to the last token of each

    @cached_property
    def badges(self) -> tuple[str, ...]:
        """A short name for every annotator."""
        return badges_of(self.coders)

    @property
    def notes(self) -> list[str]:
        """Annotators who are not in the picture, with the reason."""
        done = {self.coders[place] for place in self.done}
        return absences({name: self.absent.get(name, NOT_DONE) for name in self.coders if name not in done})

    @cached_property
    def contested(self) -> dict[int, str]:
        """The tokens with contested arcs, and the contested part: label or head."""
        return {arc.token: arc.state for arc in self.arcs if arc.state != AGREED}

    @cached_property
    def leftwards(self) -> bool:
        """Whether the words are read from right to left."""
        return runs_leftwards(self.tokens)

    @property
    def alternative(self) -> str:
        """The alternative text: the arcs on which annotators differ, with their annotators."""
        count = len(self.tokens)
        who = listed([self.coders[k] for k in self.done])
        what = f"Dependency arcs{f' of {who}' if who else ''} over {count} words"
        differing = self.differences()
        if not differing:
            return f"{what}." if len(self.done) == 1 else f"{what}: all agreed."
        more = len(differing) - NAMED
        rest = f" And {more} more." if more > 0 else ""
        return f"{what}: {self._counted()}. {' '.join(differing[:NAMED])}{rest}"

    def differences(self) -> list[str]:
        """Return a sentence for every token that is contested or decided."""
        return list(self.sentences.values())

    @cached_property
    def sentences(self) -> dict[int, str]:
        """The same sentences, by token."""
        return {token: self.sentence(token) for token in self.contested}

    def sentence(self, token: int) -> str:
        """Return a sentence with the heads and relations of *token*, and the annotators who gave them."""
        claims = [
            f"{self.claim(arc, reading)} ({listed([self.coders[k] for k in reading.coders])})"
            for arc in self.arcs_of(token)
            for reading in arc.readings
            if reading.coders
        ]
        return f"{self.word(token)}: {'; '.join([*claims, *self._decision(token)])}."

    def arcs_of(self, token: int) -> list[Arc]:
        """Return the arcs that end at *token*."""
        return self._by_token.get(token, [])

    def word(self, token: int) -> str:
        """Return a token as it is drawn; the first of a fold stands for all of them."""
        if token in self.folds:
            return f"… {self.folds[token] - token + 1} words …"
        return drawable(self.tokens[token - 1]) or "∅"

    @cached_property
    def drawn(self) -> list[int]:
        """The tokens that are drawn, and the first of each fold."""
        hidden = {token for first, last in self.folds.items() for token in range(first + 1, last + 1)}
        return [token for token in range(1, len(self.tokens) + 1) if token not in hidden]

    def claim(self, arc: Arc, reading: GivenRelation) -> str:
        """Return a relation and its head in words."""
        label = drawable(reading.label)
        return f"{label} of {self.word(arc.head)}" if arc.head else f"{label} of the root"

    @cached_property
    def _by_token(self) -> dict[int, list[Arc]]:
        found: dict[int, list[Arc]] = {}
        for arc in self.arcs:
            found.setdefault(arc.token, []).append(arc)
        return found

    def _decision(self, token: int) -> list[str]:
        """Return the decision on *token*, if any."""
        head, label = self.decided.get(token, (None, None))
        if head is None:
            return [f"decided label {drawable(label)}"] if label is not None else []
        if label is None:
            return [f"decided head {self.word(head) if head else 'root'}"]
        return [f"decided {drawable(label)} {f'of {self.word(head)}' if head else 'of the root'}"]

    def _counted(self) -> str:
        """Return the numbers of contested and decided tokens, as text."""
        contested = f"{sum(self._differ(token) for token in self.contested)} contested"
        return f"{contested}, {len(self.decided)} decided" if self.decided else contested

    def _differ(self, token: int) -> bool:
        return sum(bool(reading.coders) for arc in self.arcs_of(token) for reading in arc.readings) > 1


def overlay_of(
    trees: Mapping[str, DepTree],
    coders: Sequence[str] | None = None,
    absent: Mapping[str, str] | None = None,
    decided: Decided | None = None,
) -> Overlay:
    """Return the overlay of *trees*, which all have the same tokens.

    Args:
        trees: the trees by annotator.
        coders: all annotators of the study; their order determines colours (default: those of *trees*).
        absent: the reason why an annotator is not among the trees (default: not done).
        decided: heads and relations that an adjudicator chose; annotators may not have given them.
    """
    names = tuple(coders or trees)
    done = tuple(place for place, name in enumerate(names) if name in trees)
    rows = [(place, trees[names[place]]) for place in done]
    arcs: list[Arc] = []
    chosen = {token: pair for token, pair in (decided or {}).items() if pair != (None, None)}
    for token in range(len(rows[0][1].tokens)):
        heads: dict[int, dict[str, list[int]]] = {}
        for place, tree in rows:
            labels = heads.setdefault(tree.heads[token], {})
            labels.setdefault(tree.relations[token], []).append(place)
        if token + 1 in chosen:
            arcs += _decided_arcs(token + 1, heads, *chosen[token + 1])
            continue
        for head, labels in heads.items():
            readings = tuple([GivenRelation(label, tuple(who)) for label, who in labels.items()])
            state = HEAD if len(heads) > 1 else LABEL if len(labels) > 1 else AGREED
            arcs.append(Arc(token + 1, head, readings, state))
    return Overlay(rows[0][1].tokens, names, done, tuple(arcs), absent or {}, chosen)


def fold(overlay: Overlay, needed: Iterable[int] = ()) -> Overlay:
    """Return *overlay* with a single mark for agreed words that are far from all disagreements.

    Contested words, their heads and the words around both are never folded, and neither are the tokens in
    *needed* with their heads. An arc from a folded head begins at the mark. Nothing is folded if another
    annotator has different words, because the whole trees are compared then.

    Example:
        >>> words = tuple("abcdefghij")
        >>> ann, bob = (DepTree(words, (0, *range(1, 10)), (label, *"x" * 9)) for label in ("root", "top"))
        >>> fold(overlay_of({"ann": ann, "bob": bob})).folds
        {4: 10}
    """
    if OTHER_WORDS in overlay.absent.values():
        return overlay
    loud = {*overlay.contested, *needed}
    loud |= {arc.head for token in loud for arc in overlay.arcs_of(token)}
    near = {token + shift for token in loud if token for shift in range(-AROUND, AROUND + 1)}
    folds: dict[int, int] = {}
    first = 1
    for token in range(1, len(overlay.tokens) + 2):
        if token in near or token > len(overlay.tokens):
            if token - first >= FOLDED:
                folds[first] = token - 1
            first = token + 1
    place = {token: start for start, last in folds.items() for token in range(start, last + 1)}
    arcs = [
        replace(arc, head=place.get(arc.head, arc.head)) for arc in overlay.arcs if arc.token not in place
    ]
    return replace(overlay, arcs=tuple(arcs), folds=folds)


def _decided_arcs(
    token: int, heads: dict[int, dict[str, list[int]]], head: int | None, label: str | None
) -> list[Arc]:
    """Return the arcs of a token with a decision; adds the decided arc if no annotator has it."""
    said = list(dict.fromkeys(each for labels in heads.values() for each in labels))
    if head is not None and head not in heads:
        # What coders agree on holds of a head of the adjudicator's own too; else it is open.
        heads = {**heads, head: {} if label is not None else {said[0] if len(said) == 1 else "?": []}}
    state = HEAD if len(heads) > 1 else LABEL
    arcs = []
    for each, labels in heads.items():
        passed = head is not None and each != head
        settled = each == head or (head is None and len(heads) == 1)
        if label is not None and not passed and (settled or label not in said):
            labels.setdefault(label, [])  # while the head is open, only if no annotator gave it
        readings = [GivenRelation(name, tuple(who)) for name, who in labels.items()]
        if not passed:
            readings = _ticked(readings, head, label, several=len(heads) > 1, open_label=len(said) > 1)
        arcs.append(Arc(token, each, tuple(readings), state, settled, passed))
    return arcs


def _ticked(
    readings: list[GivenRelation], head: int | None, label: str | None, *, several: bool, open_label: bool
) -> list[GivenRelation]:
    """Return the readings of an arc with a check mark at the decided reading, or at the decided head."""
    if label is None:
        first = replace(readings[0], tick=f"{TICK} head" if open_label else TICK)
        return [first, *readings[1:]]
    tick = TICK if head is not None or not several else f"{TICK} label"
    return [replace(each, tick=tick) if each.label == label else each for each in readings]
