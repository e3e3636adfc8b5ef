"""Habits: a coder takes one label for another, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from arbitree.data.dependency import DepTree
from arbitree.errors import ArbitreeError
from arbitree.registry import check_name


@dataclass(frozen=True, slots=True)
class Habit:
    """Writes *target* where *label* is right, with a probability."""

    label: str
    target: str
    probability: float = 1.0

    @classmethod
    def parse(cls, text: str) -> Habit:
        """Return the habit that *text* describes: ``LABEL=TARGET`` or ``LABEL=TARGET:PROBABILITY``.

        A colon with something else than a number after it is part of the label.

        Example:
            >>> Habit.parse("obl=nmod:0.3")
            Habit(label='obl', target='nmod', probability=0.3)
            >>> Habit.parse("acl=acl:relcl").target
            'acl:relcl'
        """
        label, equals, rest = text.partition("=")
        target, colon, number = rest.rpartition(":")
        probability = _number(number) if colon else None
        if probability is None:
            target, probability = rest, 1.0
        if not (equals and label and target):
            raise ArbitreeError(
                f"{text!r} is no habit", hint="Write LABEL=LABEL:PROBABILITY, as obl=nmod:0.3"
            )
        if not 0 <= probability <= 1:
            raise ArbitreeError(f"the probability in {text!r} is not from 0 to 1", hint="Write obl=nmod:0.3")
        return cls(label, target, probability)


@dataclass(frozen=True, slots=True)
class Habits:
    """Relabels by habit; at a level, each habit has that share of its probability.

    Example:
        >>> tree = DepTree(("birds", "sing", "softly"), (2, 0, 2), ("nsubj", "root", "advmod"))
        >>> Habits((Habit("advmod", "obl"),))(tree, 1.0, Random(0)).relations
        ('nsubj', 'root', 'obl')
    """

    habits: tuple[Habit, ...]

    def __call__(self, tree: Any, level: float, rng: Random) -> Any:
        """Return *tree*, a dependency tree or a phrase tree, with the habits at this level."""
        if isinstance(tree, DepTree):
            return replace(tree, relations=tuple(self._written(each, level, rng) for each in tree.relations))
        phrases = tree.labels[len(tree.words) :]
        labels = (*tree.labels[: len(tree.words)], *(self._written(each, level, rng) for each in phrases))
        return replace(tree, labels=labels)

    def check(self, labels: Sequence[str]) -> None:
        """Raise an error for a habit without a label of the corpus, or with too much probability."""
        if not self.habits:
            raise ArbitreeError("no habit is given", hint="Give at least one: --habit obl=nmod:0.3")
        for habit in self.habits:
            check_name(habit.label, labels, "the labels of this corpus")
            total = sum(each.probability for each in self.habits if each.label == habit.label)
            if total > 1 + 1e-12:
                what = f"the habits of {habit.label!r} have probabilities of {total:g} together"
                raise ArbitreeError(what, hint="Keep them at 1 or below")

    def _written(self, label: str, level: float, rng: Random) -> str:
        mine = [habit for habit in self.habits if habit.label == label]
        if not mine:
            return label
        drawn = rng.random()
        for habit in mine:
            drawn -= habit.probability * level
            if drawn < 0:
                return habit.target
        return label


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
