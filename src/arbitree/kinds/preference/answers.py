"""Answers of judges in blind trials: preferences and their consistency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arbitree.kinds.preference.contest import codes_of
from arbitree.kinds.preference.statistics.agreement import Agreement, agree
from arbitree.kinds.preference.trials import Trial
from arbitree.kinds.preference.value import Preference
from arbitree.study.study import Annotation, Item, Study

Answers = Mapping[int, str]  # by position: upper, lower, equal or bad


@dataclass(frozen=True, slots=True)
class Judge:
    """The trials and answers of one judge.

    Example:
        >>> trials = [Trial(1, "s1", "malt", "mst"), Trial(2, "s1", "mst", "malt", repeat_of=1)]
        >>> ann = Judge("ann", trials, {1: "upper", 2: "lower"})
        >>> ann.consistency, ann.sides, ann.counts
        ((1, 1), (1, 1), {'malt': 1})
    """

    name: str
    trials: Sequence[Trial]
    answers: Answers

    @property
    def done(self) -> int:
        """The number of trials with an answer."""
        return sum(trial.position in self.answers for trial in self.trials)

    @property
    def consistency(self) -> tuple[int, int]:
        """The number of repeats with the same answer as the first trial, and the number with two answers."""
        pairs = [
            (self._meaning(trial), self._meaning(self.trials[trial.repeat_of - 1]))
            for trial in self.trials
            if trial.repeat_of is not None
        ]
        both = [pair for pair in pairs if None not in pair]
        return sum(again == before for again, before in both), len(both)

    @property
    def sides(self) -> tuple[int, int]:
        """The counts of preferences for the upper and the lower parse, including repeats."""
        counted = Counter(self.answers.values())
        return counted["upper"], counted["lower"]

    @property
    def counts(self) -> dict[str, int]:
        """The counts of preferences for each system, ``equal`` and ``bad``, without repeats."""
        meanings = [self._meaning(trial) for trial in self.trials if trial.repeat_of is None]
        return dict(Counter(meaning for meaning in meanings if meaning is not None))

    def preferences(self, systems: tuple[str, str]) -> dict[str, Preference]:
        """Return the judge's preference for every item; repeats do not count."""
        found = {}
        for trial in self.trials:
            choice = self.answers.get(trial.position)
            if choice is None or trial.repeat_of is not None:
                continue
            better = {"upper": trial.upper, "lower": trial.lower}.get(choice)
            found[trial.item] = Preference(systems, better, bad=choice == "bad")
        return found

    def _meaning(self, trial: Trial) -> str | None:
        choice = self.answers.get(trial.position)
        return {"upper": trial.upper, "lower": trial.lower}.get(choice, choice) if choice else None


def judged(items: Iterable[Item], systems: tuple[str, str], judges: Sequence[Judge]) -> Study[Preference]:
    """Return the preferences of *judges*, whose names differ, over the *items* that any of them judged."""
    found = {judge.name: judge.preferences(systems) for judge in judges}
    items = tuple(item for item in items if any(item.id in own for own in found.values()))
    cells = {
        (item.id, name): Annotation(item, name, own[item.id])
        for item in items
        for name, own in found.items()
        if item.id in own
    }
    return Study(items, tuple(name for name, own in found.items() if own), cells)


def agreement(preferences: Study[Preference]) -> Agreement:
    """Return the agreement between the judges; None if there is nothing to compare."""
    return agree(codes_of(preferences, preferences.items), preferences.coders)
