"""What the desk of one item shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from arbitree.adjudication import events
from arbitree.adjudication.events import Conflict, LogEntry, describe
from arbitree.adjudication.places import Place, Sheet, What
from arbitree.adjudication.whole import WHOLE
from arbitree.drawing.badges import CoderBadge, coder_badges
from arbitree.errors import UnknownName
from arbitree.web.project.project import Project
from arbitree.web.store import Person


class Option(NamedTuple):
    """A value that may be chosen."""

    value: str
    who: tuple[CoderBadge, ...]
    wish: str  # what the button sends
    chosen: bool
    suggested: bool
    blocked: str  # why it cannot be chosen now; "" if it can
    beside: bool  # somebody who gives this label gives the head, too, that is decided


@dataclass(frozen=True, slots=True)
class Row:
    """One place, with all that may be chosen."""

    place: Place
    options: tuple[Option, ...]
    decision: events.Decision | None
    note: str
    own: str  # a decided value that no coder has
    contested: bool
    what: What  # is decided


@dataclass(frozen=True)
class ItemView:
    """One item on the desk."""

    project: Project
    number: int
    sheet: Sheet[Any]
    state: events.State
    person: Person
    entries: list[LogEntry]

    @cached_property
    def rows(self) -> list[Row]:
        """The contested places, and the agreed ones that were decided otherwise."""
        blocked = self.sheet.blocked(self.state.values)
        suggested = self.project.background.suggestions(self.sheet.item.id)
        known = {place.key for place in self.sheet.places}
        more = [self.sheet.place(key) for key in self.state.decisions if key not in known]
        return [
            self._row(place, blocked, suggested.get(place.key), place.key in known)
            for place in (*self.sheet.places, *more)
        ]

    @cached_property
    def coders(self) -> dict[str, CoderBadge]:
        """All coders of the study."""
        return coder_badges(self.project.study.coders)

    @cached_property
    def done_by(self) -> list[CoderBadge]:
        """The coders who annotated it and have values to take."""
        return [who for name, who in self.coders.items() if self._of_coder(name)]

    @cached_property
    def picture(self) -> Markup | None:
        """The annotations with what is decided; None for what has no picture."""
        found = self.project.drawings.get(self.sheet.item.id, self.sheet.so_far(self.state.values))
        return found.markup if found else None

    @cached_property
    def status(self) -> str:
        """The state of the item in one word."""
        status = events.tally_of(self.sheet, self.state).status
        word = self.project.index.words[self.number - 1]
        if status == events.AGREED:
            return word  # agreed, or not done by all
        if status != events.CONTESTED:
            return status
        return events.UNDECIDED if word == events.AGREED else word  # one coder's alone, or agreed but no tree

    @cached_property
    def trouble(self) -> str:
        """What keeps the decisions from fitting together, as after one was taken back; "" if nothing."""
        return self.sheet.trouble(self.state.values)

    @property
    def left(self) -> int:
        """Contested places without a decision."""
        return sum(row.contested and row.decision is None for row in self.rows)

    @property
    def text(self) -> str:
        """The words of the item."""
        return " ".join(self.sheet.tokens)

    @property
    def shows_text(self) -> bool:
        """Whether the words are written out, because they cannot be read in a picture."""
        pictures = self.project.kind.pictures
        scattered = pictures is not None and not pictures.in_line and self.sheet.kind != WHOLE
        return scattered or bool(self.text and not self.picture)

    @property
    def examples(self) -> str:
        """Keys of places that can be corrected although all agree; "" if there are none."""
        places = self.project.kind.places
        return places.examples if places and self.sheet.kind != WHOLE else ""

    @cached_property
    def has_suggestions(self) -> bool:
        """Whether the model of the coders has an opinion."""
        return any(option.suggested for row in self.rows for option in row.options)

    @cached_property
    def history(self) -> list[tuple[LogEntry, str]]:
        """What was done, the latest first, in words."""
        return [(entry, describe(entry, self.sheet)) for entry in reversed(self.entries)]

    def conflict(self, conflict: Conflict) -> list[tuple[LogEntry, str]]:
        """Return what others did meanwhile, in words."""
        return [(entry, describe(entry, self.sheet)) for entry in conflict.entries]

    def _of_coder(self, name: str) -> dict[str, str]:
        try:
            return self.sheet.of_coder(name)
        except UnknownName:  # has not annotated it
            return {}

    def _beside(self, place: Place, what: str) -> frozenset[str]:
        """Return who has the value that is decided for *what* at the same place, if that was contested."""
        key = f"{place.place} {what}"
        other = next((each for each in self.sheet.places if each.key == key), None)
        decision = self.state.decisions.get(key)
        if other is None or decision is None:
            return frozenset()
        return frozenset(who for value, coders in other.choices if value == decision.value for who in coders)

    def _row(self, place: Place, blocked: Any, suggested: str | None, contested: bool) -> Row:
        decision = self.state.decisions.get(place.key)
        what = self._what(place.what)
        same = self._beside(place, what.beside) if what.beside else frozenset()
        options = tuple(
            Option(
                value=choice.value,
                who=tuple(self.coders[name] for name in choice.coders),
                wish=f"{place.key}\t{choice.value}",
                chosen=decision is not None and decision.value == choice.value,
                suggested=suggested == choice.value,
                blocked=blocked.get((place.key, choice.value), ""),
                beside=decision is None and not same.isdisjoint(choice.coders),
            )
            for choice in place.choices
        )
        own = decision.value if decision and not any(option.chosen for option in options) else ""
        return Row(place, options, decision, self.state.notes.get(place.key, ""), own, contested, what)

    def _what(self, name: str) -> What:
        if name == WHOLE:
            return What(name, hint="")
        places = self.project.kind.places
        return (places.whats.get(name) if places else None) or What(name)


def view_of(project: Project, number: int, person: Person) -> ItemView:
    """Return what is shown of an item now."""
    entries = project.entries(number)
    return ItemView(project, number, project.sheet(number), events.fold(entries), person, entries)
