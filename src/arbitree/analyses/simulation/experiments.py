"""The experiments by name: each makes a perturbation for the labels of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from arbitree.analyses.simulation.constituents import Constituents
from arbitree.analyses.simulation.dependency import Attachments, Heads
from arbitree.analyses.simulation.habits import Habit, Habits
from arbitree.analyses.simulation.nodes import Nodes
from arbitree.analyses.simulation.uniform import Unbiased
from arbitree.data.dependency import DepTree
from arbitree.data.phrase import PhraseTree
from arbitree.errors import UnsupportedStudy
from arbitree.registry import check_name


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
