"""Build the gold standard and the table of decisions from the logs, and compare annotators with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import count
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arbitree.adjudication.events import Decision, State, fold, gold_of
from arbitree.adjudication.export import Gold
from arbitree.adjudication.history import LogEntry
from arbitree.adjudication.places import Place, Sheet
from arbitree.adjudication.standings import Standing, standings
from arbitree.adjudication.tag_sets import TagSet
from arbitree.adjudication.usage import Usage
from arbitree.adjudication.whole import sheet_of
from arbitree.errors import ArbitreeError
from arbitree.kinds.kind import Kind
from arbitree.measures.evaluate import evaluate
from arbitree.measures.resampling import Resampling
from arbitree.study.result import Result
from arbitree.study.study import Annotation, Item, Study

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind

GOLD = "adjudicated"  # the coder that the gold standard is, unless a coder has that name
RESAMPLES = 1000
RESAMPLED = 20_000  # items; an interval over more is narrower than what a page can show
SHEETS = 512  # kept ready
MEASURED = 30  # coders who are measured; of a crowd each has done little

Logs = Mapping[str, Sequence[LogEntry]]  # the entries of each item that has any, by its id


@dataclass(slots=True)
class GoldStandard:
    """The gold annotations, and the items that have none."""

    golds: dict[str, Gold] = field(default_factory=dict)  # by item
    undecided: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    traces: int = 0  # on which coders differ, and which decided trees therefore lack


class Ruling(NamedTuple):
    """One decision, with the value of every annotator at its place."""

    number: int
    item: str
    place: Place
    decision: Decision
    note: str
    values: tuple[str, ...]  # by coder; "" where there is none

    @property
    def followed(self) -> tuple[str, ...]:
        """The annotators who gave the decided value."""
        return next((each.coders for each in self.place.choices if each.value == self.decision.value), ())


@dataclass(frozen=True, slots=True)
class AgainstGold(Standing):
    """The agreement of one annotator with the gold standard."""

    results: tuple[Result, ...] = ()  # over all that is decided or agreed


class Adjudication:
    """The adjudication of a study.

    Args:
        study: The study to adjudicate.
        kind: The kind of its annotations.
        one_root: Whether a dependency tree must have exactly one root.
        to_decide: Whether each item needs a decision (default: items with contested places).
        tags: The tag set of the decisions.

    Example:
        >>> import arbitree as at
        >>> from arbitree import kinds
        >>> from arbitree.adjudication.history import LogEntry
        >>> study = at.read("examples/labels/stance.tsv")
        >>> body = {"changes": {"label": "praise"}}
        >>> entry = LogEntry(1, 1, "item/review-18", 1, 1, "Ada", "", "decide", body, "first")
        >>> settled = Adjudication(study, kinds.of(study)).settle({"review-18": [entry]})
        >>> str(settled.gold.golds["review-18"].value), len(settled.gold.undecided)
        ('praise', 10)
    """

    def __init__(
        self,
        study: Study[Any],
        kind: Kind[Any],
        *,
        one_root: bool = False,
        to_decide: NDArray[np.bool_] | None = None,
        tags: TagSet | None = None,
    ) -> None:
        self.study = study
        self.kind = kind
        self.usage = Usage(study, kind.places, tags)
        self._one_root = one_root
        self._to_decide = to_decide
        self._sheet = lru_cache(maxsize=SHEETS)(self._sheet_of)
        # By number: the last entry seen, the finished annotation, and how many traces that lacks.
        self._golds: dict[int, tuple[int, Gold | None, int]] = {}

    def sheet(self, number: int) -> Sheet[Any]:
        """Return the sheet of an item, by its number from 1."""
        return self._sheet(number)

    def prepared(self, study: Study[Any], item: Item) -> Sheet[Any]:
        """Return the sheet of an item of this study, or of a part of it with other names of annotators."""
        return replace(sheet_of(study, item, self.kind, one_root=self._one_root), usage=self.usage)

    def _sheet_of(self, number: int) -> Sheet[Any]:
        return self.prepared(self.study, self.study.items[number - 1])

    def settle(self, logs: Logs) -> Settled:
        """Return the result of these logs."""
        return Settled(self, {item: state_of(entries) for item, entries in logs.items() if entries})

    def waits(self, number: int) -> bool:
        """Return whether an item without entries needs a decision."""
        if self._to_decide is not None:
            return bool(self._to_decide[number - 1])
        return bool(self.study.of(self.study.items[number - 1]) and self.sheet(number).places)

    def decided(self, number: int, state: State) -> tuple[Gold | None, int]:
        """Return the gold annotation of an item, and the number of traces that it omits."""
        seen, gold, traces = self._golds.get(number, (0, None, 0))
        if seen != state.seen:
            sheet = self.sheet(number)
            gold = gold_of(sheet, state)
            traces = 0 if gold is None else sheet.left_out(state.values)
            self._golds[number] = (state.seen, gold, traces)
        return gold, traces

    def agreed(self, number: int) -> Gold:
        """Return the annotation that all annotators agree on; comments and missing columns may differ."""
        seen, gold, _ = self._golds.get(number, (0, None, 0))
        if seen or gold is None:
            values = [cell.value for cell in self.study.of(self.study.items[number - 1])]
            same = all(each == values[0] for each in values)
            gold = Gold(values[0] if same else self.sheet(number).gold({}), ())
            self._golds[number] = (0, gold, 0)
        return gold


class Settled:
    """The result of all decisions at one moment; each part is computed on first access.

    Args:
        adjudication: The adjudication of the study.
        states: The state of each item that has entries, by item id.
    """

    def __init__(self, adjudication: Adjudication, states: Mapping[str, State]) -> None:
        self._adjudication = adjudication
        self._states = states
        self._lock = RLock()  # whoever asks while a part is computed waits for it

    @property
    def rulings(self) -> list[Ruling]:
        """All current decisions, in the order of the items."""
        with self._lock:
            return self._rulings

    @property
    def gold(self) -> GoldStandard:
        """The gold standard: all items that are agreed or decided."""
        with self._lock:
            return self._gold

    @property
    def coders(self) -> list[AgainstGold]:
        """The agreement of each annotator with the adjudicator; empty while there are no decisions."""
        with self._lock:
            return self._coders

    @property
    def study(self) -> Study[Any]:
        """The study with the gold standard as an additional annotator and as its reference."""
        study, golds = self._adjudication.study, self.gold.golds
        items = {item.id: item for item in study.items}
        cells = dict(study.cells)
        coder = gold_coder(study.coders)
        for name, gold in golds.items():
            cells[name, coder] = Annotation(items[name], coder, gold.value)
        return Study(study.items, (*study.coders, coder), cells, reference=coder)

    @cached_property
    def _rulings(self) -> list[Ruling]:
        return list(self._decisions())

    def _decisions(self) -> Iterator[Ruling]:
        coders = self._adjudication.study.coders
        for number, item in enumerate(self._adjudication.study.items, start=1):
            state = self._states.get(item.id)
            if state is None or not state.decisions:
                continue
            sheet = self._adjudication.sheet(number)
            for key, decision in state.decisions.items():
                place = sheet.place(key)
                said = {coder: choice.value for choice in place.choices for coder in choice.coders}
                values = tuple(said.get(coder, "") for coder in coders)
                yield Ruling(number, item.id, place, decision, state.notes.get(key, ""), values)

    @cached_property
    def _gold(self) -> GoldStandard:
        found = GoldStandard()
        adjudication = self._adjudication
        for number, item in enumerate(adjudication.study.items, start=1):
            state = self._states.get(item.id)
            if state is None:
                if adjudication.waits(number):
                    found.undecided.append(item.id)
                elif adjudication.study.of(item):  # else nobody has annotated it
                    found.golds[item.id] = adjudication.agreed(number)
                continue
            gold, traces = adjudication.decided(number, state)
            found.traces += traces
            if gold is not None:
                found.golds[item.id] = gold
            elif state.rejected is not None:
                found.rejected.append(item.id)
            else:
                found.undecided.append(item.id)
        return found

    @cached_property
    def _coders(self) -> list[AgainstGold]:
        if not (self._rulings and self._gold.golds):
            return []
        study, coders = self.study, self._adjudication.study.coders
        decided = (
            [value == each.decision.value if value else None for value in each.values]
            for each in self._rulings
        )
        return [
            AgainstGold(
                each.coder,
                each.followed,
                each.decided,
                results=self._measured(study, each.coder) if len(coders) <= MEASURED else (),
            )
            for each in standings(coders, decided)
        ]

    def _measured(self, study: Study[Any], coder: str) -> tuple[Result, ...]:
        assert study.reference is not None
        pair = study.select(coders=[coder, study.reference])
        both = [item.id for item in pair.items if len(pair.of(item)) == 2]
        resamples = RESAMPLES if len(both) <= RESAMPLED else 0
        kind = self._adjudication.kind
        if not kind.leading:
            return ()
        try:
            part, resampling = pair.select(items=both), Resampling(resamples)
            return tuple(evaluate(part, kind, kind.leading, resampling=resampling))
        except ArbitreeError:  # nothing in common yet, or nothing that such a measure can bear
            return ()


def state_of(entries: Sequence[LogEntry]) -> State:
    """Return the state of an item without its entries, which increase as long as people work."""
    return replace(fold(entries), standing=())


def gold_coder(coders: Sequence[str]) -> str:
    """Return the name of the gold standard as an annotator, different from all *coders*.

    Example:
        >>> gold_coder(["ann", "bob"]), gold_coder(["ann", "adjudicated"])
        ('adjudicated', 'adjudicated-2')
    """
    names = (GOLD if number == 1 else f"{GOLD}-{number}" for number in count(1))
    return next(name for name in names if name not in coders)
