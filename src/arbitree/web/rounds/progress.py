"""Judging rounds as the owner sees them: progress, consistency, and the file for ``arbitree prefer``."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from arbitree.adjudication.history import LogEntry
from arbitree.errors import StudyError
from arbitree.kinds.preference.answers import Judge, agreement, judged
from arbitree.kinds.preference.judgments import judgment_lines
from arbitree.kinds.preference.statistics.agreement import Agreement
from arbitree.kinds.preference.trials import Round, candidates, chosen
from arbitree.reading.inputs import inputs_of, is_backup
from arbitree.study.study import Item, Study
from arbitree.web.judge.seats import fold, trials_in
from arbitree.web.project.project import Project
from arbitree.web.refusals import Refusal
from arbitree.web.store import JudgingRound

MOST_SENTENCES = 100_000
GOLD = "gold"


@dataclass(frozen=True)
class RoundProgress:
    """A round with all its judges."""

    project: Project = field(repr=False)
    kept: JudgingRound

    @cached_property
    def settings(self) -> Round:
        """The settings of the round."""
        return Round.from_dict(self.kept.settings)

    @property
    def items(self) -> list[str]:
        """The ids of the sentences to judge."""
        return list(self.kept.settings["items"])

    @property
    def old(self) -> bool:
        """Whether the files have changed since, so that the round accepts no judgments."""
        return self.kept.edition != self.project.edition.id

    @cached_property
    def judges(self) -> list[Judge]:
        """All current judges, and everyone else who has answered."""
        names: dict[int, str] = {
            person.id: person.name for person in self.project.store.people() if person.role == "judge"
        }
        logs: dict[int, list[LogEntry]] = defaultdict(list)
        for entry in self.project.store.entries_under(self.kept.edition, f"judge/{self.kept.id}/"):
            logs[entry.person].append(entry)
            names.setdefault(entry.person, entry.name)
        return [
            Judge(name, trials_in(self.kept, number), fold(logs[number]).answers)
            for number, name in sorted(names.items())
        ]

    @property
    def done(self) -> int:
        """The number of answers of all judges."""
        return sum(judge.done for judge in self.judges)

    @property
    def total(self) -> int:
        """The number of trials of all judges."""
        return sum(len(judge.trials) for judge in self.judges)

    @cached_property
    def judged(self) -> Study[Any]:
        """The preferences of the judges, without repeated sentences."""
        known = {item.id: item for item in self.project.study.items}
        items = [known.get(name, Item(name, "", name)) for name in self.items]
        return judged(items, self.settings.systems, self.judges)

    @cached_property
    def agreement(self) -> Agreement:
        """The agreement between the judges."""
        return agreement(self.judged)

    @property
    def totals(self) -> dict[str, int]:
        """The number of answers for each system, for equal and for both bad."""
        counts = [judge.counts for judge in self.judges]
        return {
            name: sum(each.get(name, 0) for each in counts)
            for name in (*self.settings.systems, "equal", "bad")
        }

    @property
    def sides(self) -> tuple[int, int]:
        """The number of preferences for the upper and for the lower parse."""
        pairs = [judge.sides for judge in self.judges]
        return sum(upper for upper, _ in pairs), sum(lower for _, lower in pairs)

    @property
    def file_name(self) -> str:
        """The name of the file of judgments."""
        return f"judgments-{self.kept.id}.jsonl"

    @property
    def lines(self) -> list[str]:
        """The lines of the file of judgments."""
        return list(judgment_lines(self.judged))

    @property
    def command(self) -> str:
        """The command that compares metrics with these judgments."""
        reading = self.project.reading
        files = _files(self.project)
        gold = _gold(self.project.study.coders, self.project.study.reference, self.settings)
        named = [_input(coder, files) for coder in (gold, *self.settings.systems)]
        options = ["--judgments", self.file_name]
        if reading.format:
            options += ["--format", reading.format]
        if reading.encoding != "utf-8":
            options += ["--encoding", reading.encoding]
        if reading.match != "auto":
            options += ["--match", reading.match]
        return shlex.join(["arbitree", "prefer", *named, *options])


def judges_trees(project: Project) -> bool:
    """Return whether rounds are possible: they need trees of at least two annotators."""
    study = project.study
    return bool(study.cells) and project.kind.pictures is not None and len(study.coders) > 1


def likely_systems(study: Study[Any]) -> tuple[str, str]:
    """Return the first two annotators who are not gold; "" for a missing one."""
    apart = [coder for coder in study.coders if coder != study.reference and coder.casefold() != GOLD]
    names = [*(apart if len(apart) > 1 else list(study.coders)), "", ""]
    return names[0], names[1]


def make(project: Project, settings: Round) -> RoundProgress:
    """Create a round, and select and store its sentences.

    Raises:
        StudyError, UnsupportedStudy: if there is nothing to judge.
    """
    found = candidates(project.study, project.kind, settings)
    if not found.items:
        first, second = settings.systems
        what = f"{first} and {second} have no sentences with the same words and different parses"
        raise StudyError(what, hint="Choose two other systems")
    document = settings.to_dict() | {"items": chosen(settings, found.items), "left_out": dict(found.left_out)}
    return RoundProgress(project, project.store.add_round(project.edition.id, document))


def all_rounds(project: Project) -> list[RoundProgress]:
    """Return all rounds, the newest first, including rounds of earlier versions of the files."""
    kept = [each for edition in project.store.editions() for each in project.store.rounds(edition.id)]
    return [RoundProgress(project, each) for each in sorted(kept, key=lambda each: -each.id)]


def round_of(project: Project, number: int) -> RoundProgress:
    """Return a round; raise Refusal if it does not exist."""
    kept = project.store.round(number)
    if kept is None:
        raise Refusal(404, "Judging round not found", hint="Go back to the list of rounds")
    return RoundProgress(project, kept)


def _files(project: Project) -> dict[str, str]:
    """Return the file of every annotator with exactly one file, if the files still exist."""
    try:
        found = inputs_of(project.reading.inputs, dirs=project.reading.dirs)
    except StudyError:
        return {}
    paths: dict[str, list[str]] = defaultdict(list)
    for each in found:
        if not (each.found and is_backup(each.path)):
            paths[each.coder].append(each.path)
    return {coder: own[0] for coder, own in paths.items() if len(own) == 1}


def _input(coder: str, files: dict[str, str]) -> str:
    return f"{coder}={files[coder]}" if coder in files else f"{coder}=FILE" if coder else "GOLD"


def _gold(coders: Sequence[str], reference: str | None, settings: Round) -> str:
    """Return the annotator to use as gold; "" if there is none."""
    others = [coder for coder in coders if coder not in settings.systems]
    wanted = [settings.reference, reference, *[coder for coder in others if coder.casefold() == GOLD]]
    if len(others) == 1:
        wanted.append(others[0])
    return next((coder for coder in wanted if coder and coder in others), "")
