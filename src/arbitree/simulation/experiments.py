"""The experiments by name: each makes a perturbation for the labels of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Protocol

from arbitree.errors import ArbitreeError, UnsupportedStudy
from arbitree.kinds.dependency.noise import Attachments, Heads, Nodes, Unbiased
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.noise import Constituents
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.plugins import check_name


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


class Perturbation(Protocol):
    """Makes a tree worse."""

    def __call__(self, tree: Any, level: float, rng: Random) -> Any:
        """Return *tree* with noise of a level from 0, none, to 1."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    """What some experiments can be told."""

    heads: Heads = field(default_factory=Heads)
    single_root: bool = False
    habits: tuple[Habit, ...] = ()


Make = Callable[[tuple[str, ...], Settings], Perturbation]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A kind of noise: the values that it fits, what it is in a line, and how it is made."""

    kinds: tuple[type, ...]
    about: str
    make: Make


def _attachments(relabel: float, reattach: float) -> Make:
    return lambda labels, settings: Attachments(labels, relabel, reattach, settings.heads)


def _nodes(insert: float, delete: float) -> Make:
    return lambda labels, settings: Nodes(labels, insert, delete)


def _phrases(relabel: float, insert: float, move: float, delete: float) -> Make:
    return lambda labels, settings: Constituents(labels, relabel, insert, move, delete)


def _habits(labels: tuple[str, ...], settings: Settings) -> Perturbation:
    made = Habits(settings.habits)
    made.check(labels)
    return made


EXPERIMENTS = {
    "both": Experiment((DepTree,), "other relations and other heads", _attachments(1, 1)),
    "labels": Experiment((DepTree,), "other relations", _attachments(1, 0)),
    "heads": Experiment((DepTree,), "other heads", _attachments(0, 1)),
    "unbiased": Experiment(
        (DepTree,),
        "other heads, all trees equally likely",
        lambda labels, settings: Unbiased(settings.single_root),
    ),
    "nodes": Experiment((DepTree,), "tokens inserted and deleted", _nodes(1, 1)),
    "nodes_insert": Experiment((DepTree,), "tokens inserted", _nodes(1, 0)),
    "nodes_delete": Experiment((DepTree,), "tokens deleted", _nodes(0, 1)),
    "phrase": Experiment(
        (PhraseTree,), "phrases relabelled, inserted, moved and deleted", _phrases(1, 1, 1, 1)
    ),
    "phrase_relabel": Experiment((PhraseTree,), "phrases relabelled", _phrases(1, 0, 0, 0)),
    "phrase_insert": Experiment((PhraseTree,), "phrases inserted", _phrases(0, 1, 0, 0)),
    "phrase_move": Experiment((PhraseTree,), "phrases moved", _phrases(0, 0, 1, 0)),
    "phrase_delete": Experiment((PhraseTree,), "phrases deleted", _phrases(0, 0, 0, 1)),
    "habit": Experiment((DepTree, PhraseTree), "one label taken for another by habit", _habits),
}
# Where none is named: the three of Skjærholt (2014), and the four ways to change phrases, together and apart.
DEFAULTS: dict[type, tuple[str, ...]] = {
    DepTree: ("both", "labels", "heads"),
    PhraseTree: ("phrase", "phrase_relabel", "phrase_insert", "phrase_move", "phrase_delete"),
}


def chosen(names: Sequence[str], kind: type, settings: Settings) -> list[str]:
    """Return the experiments that *names* ask for, or those that fit where none is named."""
    if kind not in DEFAULTS:
        raise UnsupportedStudy(
            "noise is put into trees, and these annotations are none", hint="Give a file of trees"
        )
    if not names:
        return ["habit"] if settings.habits else list(DEFAULTS[kind])
    for name in names:
        check_name(name, EXPERIMENTS, "experiments")
        if kind not in EXPERIMENTS[name].kinds:
            fitting = ", ".join(known for known, each in EXPERIMENTS.items() if kind in each.kinds)
            what = f"the experiment {name} does not fit {getattr(kind, 'kind', kind.__name__)} trees"
            raise UnsupportedStudy(what, hint=f"These fit: {fitting}")
    if settings.habits and "habit" not in names:
        raise UnsupportedStudy("a habit is given, but no experiment uses it", hint="Add --experiment habit")
    return list(dict.fromkeys(names))


def labels_of(trees: Sequence[Any]) -> tuple[str, ...]:
    """Return the labels that noise can write: relations, or labels of phrases."""
    if trees and isinstance(trees[0], DepTree):
        return tuple(sorted({relation for tree in trees for relation in tree.relations}))
    return tuple(sorted({label for tree in trees for label in tree.labels[len(tree.words) :]}))
