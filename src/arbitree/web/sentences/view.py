"""Content of the page of one sentence: annotations, sources, disagreements and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from markupsafe import Markup

from arbitree.adjudication import events
from arbitree.adjudication.index import IndexRow
from arbitree.adjudication.places import Place, Sheet
from arbitree.drawing.badges import CoderBadge, coder_badges
from arbitree.drawing.picture import Picture, draw_values
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.files import portable
from arbitree.study.study import Annotation, Item
from arbitree.web.project.project import Project

HEAVY = 600  # tokens of all coders together, from which on a picture is loaded when it is asked for
SPLITS = 60  # parts that differ and are listed


class CoderRow(NamedTuple):
    """The annotation of one annotator and its source."""

    who: CoderBadge
    value: str  # "" for trees, which are drawn
    source: str
    done: bool


class Row(NamedTuple):
    """A place with the annotators' values and the decision."""

    place: Place
    choices: tuple[tuple[str, tuple[CoderBadge, ...]], ...]
    decision: events.Decision | None
    note: str

    @property
    def sentence(self) -> str:
        """The disagreement as text."""
        said = [f"{value} ({', '.join(each.name for each in who)})" for value, who in self.choices]
        return f"{' '.join(filter(None, (self.place.words, self.place.what)))}: {'; '.join(said)}."


class Splits(NamedTuple):
    """Parts of annotations on which two annotators differ and which are not decided separately."""

    coders: tuple[str, str]
    rows: Sequence[Any]
    more: int


@dataclass(frozen=True)
class SentenceView:
    """The page of one sentence."""

    project: Project
    number: int
    entry: IndexRow
    status: str

    @property
    def item(self) -> Item:
        """The item."""
        return self.project.item(self.number)

    @cached_property
    def cells(self) -> dict[str, Annotation[Any]]:
        """The annotations, by annotator."""
        return {cell.coder: cell for cell in self.project.study.of(self.item)}

    @cached_property
    def coders(self) -> dict[str, CoderBadge]:
        """The badges of all annotators of the study."""
        return coder_badges(self.project.study.coders)

    @cached_property
    def sheet(self) -> Sheet[Any] | None:
        """The sheet for adjudication; None if the item cannot be adjudicated."""
        try:
            return self.project.sheet(self.number)
        except (UnsupportedStudy, StudyError):
            return None

    @cached_property
    def state(self) -> events.State:
        """The decisions and notes on the item."""
        return self.project.state(self.number)

    @cached_property
    def rows(self) -> list[Row]:
        """The contested places, then the agreed places that were changed."""
        if self.sheet is None:
            return []
        known = {place.key for place in self.sheet.places}
        more = [self.sheet.place(key) for key in self.state.decisions if key not in known]
        return [self._row(place) for place in (*self.sheet.places, *more)]

    @cached_property
    def said(self) -> list[CoderRow]:
        """The annotations of all annotators, in the order of the study."""
        return [self._said(who) for who in self.coders.values()]

    @property
    def is_tree(self) -> bool:
        """Whether the annotations can be drawn."""
        return self.project.kind.pictures is not None and bool(self.cells)

    @property
    def heavy(self) -> bool:
        """Whether the drawing takes long, so that it is loaded on request."""
        return sum(len(cell.value) for cell in self.cells.values()) > HEAVY

    @cached_property
    def picture(self) -> Markup | None:
        """The drawing of the overlaid annotations and the decisions; kept if the page is not."""
        if not self.is_tree:
            return None
        decided = self.sheet.so_far(self.state.values) if self.sheet and self.state.decisions else None
        drawings = self.project.drawings
        return drawings.get(self.item, decided) if self.heavy else drawings.draw(self.item, decided).page

    @cached_property
    def alone(self) -> list[tuple[CoderBadge, Markup]]:
        """The drawing of each annotator's tree."""
        pictures = self.project.kind.needed("pictures")
        return [
            (self.coders[name], Picture("", draw_values(pictures, {"": cell.value})).markup)
            for name, cell in self.cells.items()
            if len(cell.value)
        ]

    @cached_property
    def splits(self) -> list[Splits]:
        """The discriminants that two annotators of profiles decided differently."""
        found = []
        for one, two in combinations(self.cells, 2):
            rows = self.project.kind.splits(self.item, self.cells[one].value, self.cells[two].value)
            if rows:
                found.append(Splits((one, two), rows[:SPLITS], max(0, len(rows) - SPLITS)))
        return found

    def _row(self, place: Place) -> Row:
        return Row(
            place,
            tuple(
                (choice.value, tuple(self.coders[name] for name in choice.coders)) for choice in place.choices
            ),
            self.state.decisions.get(place.key),
            self.state.notes.get(place.key, ""),
        )

    def _said(self, who: CoderBadge) -> CoderRow:
        cell = self.cells.get(who.name)
        if cell is None:
            return CoderRow(who, "", "", False)
        kind = self.project.kind
        value = kind.describe(cell.value) if kind.pictures is None else ""
        return CoderRow(who, value, portable(str(cell.source or "")), True)
