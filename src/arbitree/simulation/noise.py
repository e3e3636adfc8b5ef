"""Simulated errors: experiments of a kind, systematic confusions, noise levels, and random draws."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

from arbitree.errors import ArbitreeError, UnsupportedStudy
from arbitree.plugins import check_name

T = TypeVar("T")
V = TypeVar("V")
Perturbation = Callable[[V, float, Random], V]  # makes a value worse, at a level from 0, none, to 1
Relabel = Callable[[V, Callable[[str], str]], V]  # rewrites every label of a value

HABIT = "habit"  # the experiment of systematic confusions
DRAWS = ("any", "others", "new")
HINT = "Write levels from 0 to 1 as FROM:TO:STEP, such as 0:1:0.1, or as a list, such as 0.1,0.5,1"
MOST = 1001


@dataclass(frozen=True, slots=True)
class NoiseOptions:
    """Options of experiments; each experiment uses those that concern it.

    Args:
        heads: the candidates for heads: ``any``, ``others`` or ``new``.
        root: whether the artificial root is a candidate.
        single_root: whether unbiased trees have a single root.
        habits: systematic confusions.
    """

    heads: str = "any"
    root: bool = False
    single_root: bool = False
    habits: tuple[Habit, ...] = ()

    def __post_init__(self) -> None:
        check_name(self.heads, DRAWS, "heads value")


@dataclass(frozen=True, slots=True)
class Noise(Generic[V]):
    """An experiment of a kind of annotation; ``kind.noises`` maps names to experiments, defaults first.

    Args:
        about: a one-line description of the simulated errors.
        make: returns the perturbation for the annotations of a corpus.
        by_default: whether the experiment is run by default.
        recorded: returns the options that the signature records.
    """

    about: str
    make: Callable[[Sequence[V], NoiseOptions], Perturbation[V]]
    by_default: bool = False
    recorded: Callable[[NoiseOptions], list[str]] = lambda options: []


def choose(
    names: Sequence[str],
    noises: Mapping[str, Noise[Any]],
    options: NoiseOptions,
    *,
    kind: str,
    others: Collection[str] = (),
) -> list[str]:
    """Return the experiments in *names*, or the defaults.

    Args:
        names: names of experiments.
        noises: the experiments of the kind of annotation.
        options: the options of the experiments.
        kind: the name of the kind for error messages.
        others: names of experiments for other kinds of annotation.
    """
    if not names:
        return [HABIT] if options.habits else [name for name, each in noises.items() if each.by_default]
    for name in names:
        check_name(name, {*noises, *others}, "experiment")
        if name not in noises:
            what = f"experiment {name} cannot be run on {kind} trees"
            raise UnsupportedStudy(what, hint=f"Use one of: {', '.join(noises)}")
    if options.habits and HABIT not in names:
        raise UnsupportedStudy(
            "a systematic confusion is set, but no experiment uses it", hint="Add --experiment habit"
        )
    return list(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class Habit:
    """A systematic confusion: *target* in place of *label*, with a probability."""

    label: str
    target: str
    probability: float = 1.0

    @classmethod
    def parse(cls, text: str) -> Habit:
        """Return the confusion in *text*: ``LABEL=TARGET`` or ``LABEL=TARGET:PROBABILITY``.

        A colon that is not followed by a number is part of the label.

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
                f"{text!r} is not a valid confusion for --habit",
                hint="Write LABEL=LABEL:PROBABILITY, such as obl=nmod:0.3",
            )
        if not 0 <= probability <= 1:
            raise ArbitreeError(
                f"the probability in {text!r} is not between 0 and 1",
                hint="Write a value such as obl=nmod:0.3",
            )
        return cls(label, target, probability)


@dataclass(frozen=True, slots=True)
class Habits(Generic[V]):
    """Applies systematic confusions; the noise level scales the probability of each.

    Example:
        >>> habits = Habits((Habit("N", "V"),), lambda text, rewrite: "".join(map(rewrite, text)))
        >>> habits("DAN", 1.0, Random(0))
        'DAV'
    """

    habits: tuple[Habit, ...]
    relabel: Relabel[V]

    def __call__(self, value: V, level: float, rng: Random) -> V:
        """Return *value* with systematic confusions at this noise level."""
        return self.relabel(value, lambda label: self._written(label, level, rng))

    def check(self, labels: Sequence[str]) -> None:
        """Raise an error if a label is not in the corpus, or if probabilities add up to more than 1."""
        if not self.habits:
            raise ArbitreeError(
                "experiment habit needs at least one systematic confusion",
                hint="Add one, such as --habit obl=nmod:0.3",
            )
        for habit in self.habits:
            check_name(habit.label, labels, "label")
            total = sum(each.probability for each in self.habits if each.label == habit.label)
            if total > 1 + 1e-12:
                what = f"the probabilities of the confusions of {habit.label!r} add up to {total:g}"
                raise ArbitreeError(what, hint="Lower them so that the sum is at most 1")

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


def habit_noise(labels_of: Callable[[Sequence[V]], tuple[str, ...]], relabel: Relabel[V]) -> Noise[V]:
    """Return the experiment of systematic confusions for annotations with these labels."""

    def make(values: Sequence[V], options: NoiseOptions) -> Habits[V]:
        made = Habits(options.habits, relabel)
        made.check(labels_of(values))
        return made

    def recorded(options: NoiseOptions) -> list[str]:
        return [f"habit:{each.label}={each.target}:{each.probability:g}" for each in options.habits]

    return Noise("systematic confusion of one label with another", make, recorded=recorded)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def parse_levels(text: str) -> tuple[float, ...]:
    """Return the noise levels in *text*; a range includes its end.

    Example:
        >>> parse_levels("0:1:0.25")
        (0.0, 0.25, 0.5, 0.75, 1.0)
        >>> parse_levels("0.1,1")
        (0.1, 1.0)
    """
    try:
        if ":" not in text:
            levels = tuple(dict.fromkeys(float(part) for part in text.split(",")))
        else:
            start, stop, step = (float(part) for part in text.split(":"))
            if not (step > 0 and stop >= start and (stop - start) / step < MOST):
                raise ValueError
            count = int((stop - start) / step + 1e-9) + 1
            levels = tuple(round(start + place * step, 9) for place in range(count))
    except (ValueError, OverflowError):
        raise ArbitreeError(f"{text!r} does not contain noise levels", hint=HINT) from None
    for level in levels:
        if not 0 <= level <= 1:
            raise ArbitreeError(f"noise level {level:g} is not between 0 and 1", hint=HINT)
    return levels


def source_of(*parts: object) -> Random:
    """Return a random number generator that depends only on *parts*.

    Example:
        >>> source_of(0, "heads", 0.5, 3).random() == source_of(0, "heads", 0.5, 3).random()
        True
        >>> source_of(0, "heads", 0.5, 3).random() == source_of(0, "heads", 0.5, 4).random()
        False
    """
    return Random("|".join(map(repr, parts)))


def pick(options: Sequence[T], rng: Random) -> T:
    """Return one of *options*, each with the same probability.

    Only ``random()`` is guaranteed to give the same numbers in every version of Python.
    """
    return options[int(rng.random() * len(options))]
