"""What decisions come to: the gold standard, a table, and how far each coder agrees with the adjudicator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from threading import RLock
from typing import Any, NamedTuple

from arbitree.adjudication import events
from arbitree.adjudication.export import Gold
from arbitree.adjudication.places import Place
from arbitree.errors import ArbitreeError
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.measures.evaluate import evaluate_all
from arbitree.study.result import Result
from arbitree.study.study import Annotation, Study
from arbitree.web.project.project import Project
from arbitree.web.store import Entry

GOLD = "adjudicated"  # the coder that the gold standard is, unless somebody is called so
MEASURES = {DepTree: ("las", "uas", "la"), PhraseTree: ("parseval",)}  # of a coder against it
OF_LABELS = ("agreement",)
RESAMPLES = 1000
RESAMPLED = 20_000  # items; an interval over more is narrower than what a page can show
MEASURED = 30  # coders who are measured; of a crowd each has done little


@dataclass(slots=True)
class Harvest:
    """The gold standard as far as it goes, and what is not in it."""

    golds: dict[str, Gold] = field(default_factory=dict)  # by item
    undecided: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    traces: int = 0  # on which coders differ, and which decided trees therefore lack


class Ruling(NamedTuple):
    """One decision, with what every coder says there."""

    number: int
    item: str
    place: Place
    decision: events.Decision
    note: str
    values: tuple[str, ...]  # by coder; "" where there is none

    @property
    def followed(self) -> tuple[str, ...]:
        """The coders who said the same."""
        return next((each.coders for each in self.place.choices if each.value == self.decision.value), ())


class Standing(NamedTuple):
    """A coder in the eyes of the adjudicator."""

    coder: str
    decided: int  # contested places that the coder annotated and that are decided
    followed: int  # of these, how often the coder was right
    results: tuple[Result, ...]  # against the gold standard, over all that is decided or agreed

    @property
    def share(self) -> float | None:
        """The share of places on which the adjudicator followed the coder."""
        return self.followed / self.decided if self.decided else None


class Settled:
    """What all decisions come to as of one moment, each part found out when it is first asked for."""

    def __init__(self, project: Project, stamp: tuple[int, int]) -> None:
        self.stamp = stamp
        self._project = project
        self._lock = RLock()  # those who come while it is found out wait for it, and do not begin anew

    @property
    def rulings(self) -> list[Ruling]:
        """All decisions that stand."""
        with self._lock:
            return self._rulings

    @property
    def harvest(self) -> Harvest:
        """The gold standard."""
        with self._lock:
            return self._harvest

    @property
    def standings(self) -> list[Standing]:
        """How far each coder agrees with the adjudicator; nothing while nothing is decided."""
        with self._lock:
            return self._standings

    @cached_property
    def _rulings(self) -> list[Ruling]:
        return list(rulings_of(self._project))

    @cached_property
    def _harvest(self) -> Harvest:
        return harvest_of(self._project)

    @cached_property
    def _standings(self) -> list[Standing]:
        if not (self._rulings and self._harvest.golds):
            return []
        return standings_of(self._project, self._rulings, self._harvest)


def settled_of(project: Project) -> Settled:
    """Return what decisions come to, found out anew only when something was written."""
    stamp = project.store.stamp(project.edition.id)
    kept: Settled | None = project.settled
    if kept is None or kept.stamp != stamp:
        kept = project.settled = Settled(project, stamp)
    return kept


def harvest_of(project: Project) -> Harvest:
    """Return the gold standard of all items that are agreed or decided."""
    found = Harvest()
    logs = logs_of(project)
    for number, item in enumerate(project.study.items, start=1):
        entries = logs.get(item.id)
        if not entries and not project.to_decide[number - 1]:
            if project.study.of(item):  # else nobody has annotated it
                found.golds[item.id] = _agreed(project, number)
            continue
        if not entries:
            found.undecided.append(item.id)
            continue
        state = events.fold(entries)
        gold, traces = _decided(project, number, state)
        found.traces += traces
        if gold is not None:
            found.golds[item.id] = gold
        elif state.rejected is not None:
            found.rejected.append(item.id)
        else:
            found.undecided.append(item.id)
    return found


def _decided(project: Project, number: int, state: events.State) -> tuple[Gold | None, int]:
    """Return what was decided on an item, and how many traces it lacks; kept until somebody writes on it."""
    seen, gold, traces = project.golds.get(number, (0, None, 0))
    if seen != state.seen:
        sheet = project.sheet(number)
        gold = events.gold_of(sheet, state)
        traces = 0 if gold is None else sheet.left_out(state.values)
        project.golds[number] = (state.seen, gold, traces)
    return gold, traces


def _agreed(project: Project, number: int) -> Gold:
    """Return what all coders agree on; trees may still differ in comments and in columns that one lacks."""
    seen, gold, _ = project.golds.get(number, (0, None, 0))
    if seen or gold is None:
        values = [cell.value for cell in project.study.of(project.item(number))]
        same = all(each == values[0] for each in values)
        gold = Gold(values[0] if same else project.sheet(number).gold({}), ())
        project.golds[number] = (0, gold, 0)
    return gold


def logs_of(project: Project) -> dict[str, list[Entry]]:
    """Return the entries of every item that has any."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in project.store.entries_under(project.edition.id, "item/"):
        found[entry.subject.removeprefix("item/")].append(entry)
    return found


def rulings_of(project: Project) -> Iterator[Ruling]:
    """Yield all decisions that stand, in the order of the items."""
    logs = logs_of(project)
    for number, item in enumerate(project.study.items, start=1):
        state = events.fold(logs.get(item.id, ()))
        sheet = project.sheet(number) if state.decisions else None
        for key, decision in state.decisions.items():
            assert sheet is not None
            place = sheet.place(key)
            said = {coder: choice.value for choice in place.choices for coder in choice.coders}
            values = tuple(said.get(coder, "") for coder in project.study.coders)
            yield Ruling(number, item.id, place, decision, state.notes.get(key, ""), values)


def with_gold(project: Project, harvest: Harvest) -> Study[Any]:
    """Return the study with the gold standard as one more coder, and its reference."""
    items = {item.id: item for item in project.study.items}
    cells = dict(project.study.cells)
    coder = gold_coder(project.study.coders)
    for name, gold in harvest.golds.items():
        cells[name, coder] = Annotation(items[name], coder, gold.value)
    return Study(project.study.items, (*project.study.coders, coder), cells, reference=coder)


def gold_coder(coders: Sequence[str]) -> str:
    """Return the coder that the gold standard is, who is none of *coders*.

    Example:
        >>> gold_coder(["ann", "bob"]), gold_coder(["ann", "adjudicated"])
        ('adjudicated', 'adjudicated-2')
    """
    names = (GOLD if number == 1 else f"{GOLD}-{number}" for number in count(1))
    return next(name for name in names if name not in coders)


def standings_of(project: Project, rulings: Sequence[Ruling], harvest: Harvest) -> list[Standing]:
    """Return how far each coder agrees with the adjudicator."""
    study = with_gold(project, harvest)
    found = []
    for place, coder in enumerate(project.study.coders):
        own = [each for each in rulings if each.values[place]]
        followed = sum(each.values[place] == each.decision.value for each in own)
        results = _against_gold(study, coder) if len(project.study.coders) <= MEASURED else ()
        found.append(Standing(coder, len(own), followed, results))
    return found


def _against_gold(study: Study[Any], coder: str) -> tuple[Result, ...]:
    assert study.reference is not None
    pair = study.select(coders=[coder, study.reference])
    both = [item.id for item in pair.items if len(pair.of(item)) == 2]
    names = MEASURES.get(study.value_type, OF_LABELS)
    resamples = RESAMPLES if len(both) <= RESAMPLED else 0
    try:
        return tuple(evaluate_all(pair.select(items=both), names, resamples=resamples, seed=0))
    except ArbitreeError:  # nothing in common yet, or nothing that such a measure can bear
        return ()
