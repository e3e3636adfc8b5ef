"""Content of the adjudication page of one item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from arbitree.adjudication import events
from arbitree.adjudication.events import describe
from arbitree.adjudication.history import AGREED, CONTESTED, UNDECIDED, Conflict, LogEntry
from arbitree.adjudication.places import Key, Place, Sheet, What
from arbitree.adjudication.suggestions import Reason
from arbitree.adjudication.whole import WHOLE
from arbitree.drawing.badges import CoderBadge, coder_badges
from arbitree.errors import UnknownName
from arbitree.web.adjudicate.preferences import DeskPreferences
from arbitree.web.project.assignment import Mark
from arbitree.web.project.blind import Mask
from arbitree.web.project.project import Project
from arbitree.web.store import Person
from arbitree.wording import listed


class Option(NamedTuple):
    """A value that can be chosen, or one value for each of several places that are decided together."""

    values: tuple[str, ...]
    who: tuple[CoderBadge, ...]
    wish: str  # what the button sends
    chosen: bool
    suggested: bool
    blocked: str  # why it cannot be chosen now; "" if it can
    beside: bool  # somebody who gives this label gives the head, too, that is decided
    why: str = ""  # it is suggested


@dataclass(frozen=True, slots=True)
class Row:
    """One place with its choices, or several places that are decided together."""

    place: Place  # the first one
    options: tuple[Option, ...]
    decision: events.Decision | None
    note: str
    own: str  # a decided value that no coder has
    contested: bool
    what: What  # is decided
    parts: tuple[Row, ...] = ()  # the places that are decided together, each with its own choices

    @property
    def fields(self) -> tuple[Row, ...]:
        """The places, each with a field for another value."""
        return self.parts or (self,)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the places."""
        return tuple(each.place.key for each in self.fields)

    @property
    def whats(self) -> str:
        """What is decided, as text."""
        return listed(list(dict.fromkeys(each.place.what for each in self.fields)))

    @property
    def is_split(self) -> bool:
        """Whether the places have to be shown one by one: some are decided, or have notes of their own."""
        decided = [each.decision is not None for each in self.parts]
        return any(decided) != all(decided) or any(each.note for each in self.parts[1:])


@dataclass(frozen=True)
class ItemView:
    """The adjudication page of one item."""

    project: Project
    number: int
    sheet: Sheet[Any]
    state: events.State
    person: Person
    entries: list[LogEntry]
    mask: Mask | None = None  # hides the names of annotators

    @cached_property
    def preferences(self) -> DeskPreferences:
        """What the person has set for this page."""
        return DeskPreferences.of(self.project.store, self.person.id)

    @cached_property
    def mark(self) -> Mark:
        """What the person should know of who decides the item."""
        found = self.project.assignment.mark(self.number, self.person.id)
        return found if self.mask is None else found.hiding(self.mask.hidden)

    @cached_property
    def rows(self) -> list[Row]:
        """The contested places, and the agreed places that were changed."""
        blocked = self.sheet.blocked(self.state.values)
        shown = self.preferences.suggestions
        suggested = self.project.background.suggestions(self.sheet.item.id) if shown else {}
        known = {place.key for place in self.sheet.places}
        more = [self.sheet.place(key) for key in self.state.decisions if key not in known]
        single = {
            place.key: self._row(place, blocked, suggested.get(place.key), place.key in known)
            for place in (*self.sheet.places, *more)
        }
        groups = {group[0]: group for group in self.sheet.groups}
        later = {key for group in groups.values() for key in group[1:]}
        return [
            self._together([single[each] for each in groups[key]]) if key in groups else row
            for key, row in single.items()
            if key not in later
        ]

    @property
    def whats(self) -> list[str]:
        """The kinds of values that are decided here."""
        return list(dict.fromkeys(each.place.what for row in self.rows for each in row.fields))

    @cached_property
    def coders(self) -> dict[str, CoderBadge]:
        """The badges of all annotators of the study."""
        return coder_badges((self.mask or self.project).study.coders)

    @cached_property
    def done_by(self) -> list[CoderBadge]:
        """The annotators whose values can be chosen."""
        return [who for name, who in self.coders.items() if self._of_coder(name)]

    @cached_property
    def picture(self) -> Markup | None:
        """The drawing of the annotations and decisions; None for annotations that cannot be drawn."""
        keys = tuple(key for row in self.rows for key in row.keys)
        drawings = (self.mask or self.project).drawings
        return drawings.clickable(self.sheet.item, self.sheet.so_far(self.state.values), keys)

    @cached_property
    def status(self) -> str:
        """The name of the state of the item."""
        status = events.tally_of(self.sheet, self.state).status
        word = self.project.index.words[self.number - 1]
        if status == AGREED:
            return word  # agreed, or not done by all
        if status != CONTESTED:
            return status
        return UNDECIDED if word == AGREED else word  # one coder's alone, or agreed but no tree

    @cached_property
    def trouble(self) -> str:
        """The conflict between the decisions, as after one was cleared; "" if there is none."""
        return self.sheet.trouble(self.state.values)

    @property
    def total(self) -> int:
        """The number of disagreements: contested places, those that are decided together as one."""
        return sum(row.contested for row in self.rows)

    @property
    def left(self) -> int:
        """The number of disagreements without a decision."""
        return sum(row.contested and row.decision is None for row in self.rows)

    @property
    def text(self) -> str:
        """The words of the item."""
        return " ".join(self.sheet.tokens)

    @property
    def shows_text(self) -> bool:
        """Whether the words are shown as text, because the drawing does not show them in order."""
        pictures = self.project.kind.pictures
        scattered = pictures is not None and not pictures.in_line and self.sheet.kind != WHOLE
        return scattered or bool(self.text and not self.picture)

    @property
    def examples(self) -> str:
        """Examples of keys of agreed places that can be changed; "" if there are none."""
        places = self.project.kind.places
        return places.examples if places and self.sheet.kind != WHOLE else ""

    @cached_property
    def has_suggestions(self) -> bool:
        """Whether the annotator model suggests a value."""
        return any(option.suggested for row in self.rows for option in row.options)

    @cached_property
    def history(self) -> list[tuple[LogEntry, str]]:
        """The entries with their descriptions, most recent first."""
        return [(entry, describe(entry, self.sheet)) for entry in reversed(self.entries)]

    def why(self, keys: Sequence[Key]) -> str:
        """Return why values are suggested at these places, for the least probable of them; "" if unknown."""
        found = [(self._reasons[key], key) for key in keys if key in self._reasons]
        if not found:
            return ""
        reason, key = min(found)
        shown = self.mask.letters.__getitem__ if self.mask else str
        return reason.words(self._what(self.sheet.place(key).what).title.lower(), shown)

    @cached_property
    def _reasons(self) -> dict[Key, Reason]:
        return self.project.background.reasons(self.sheet.item.id)

    def conflict(self, conflict: Conflict) -> list[tuple[LogEntry, str]]:
        """Return the entries of others with their descriptions."""
        entries = [self.mask.entry(entry) if self.mask else entry for entry in conflict.entries]
        return [(entry, describe(entry, self.sheet)) for entry in entries]

    def glosses(self, row: Row, option: Option) -> list[tuple[str, str]]:
        """Return the tags of a choice that have a gloss, with their glosses."""
        places, known = self.project.kind.places, self.project.tags.glosses
        if places is None or not known:
            return []
        given = zip(row.fields, option.values, strict=True)
        tags = (tag for each, value in given for tag in places.atoms(each.place.what, value))
        return [(tag, known[tag]) for tag in tags if tag in known]

    def _of_coder(self, name: str) -> dict[str, str]:
        try:
            return self.sheet.of_coder(name)
        except UnknownName:  # has not annotated it
            return {}

    def _beside(self, place: Place, what: str) -> frozenset[str]:
        """Return the annotators who gave the decided value of *what* at a contested place."""
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
                values=(choice.value,),
                who=tuple(self.coders[name] for name in choice.coders),
                wish=f"{place.key}\t{choice.value}",
                chosen=decision is not None and decision.value == choice.value,
                suggested=suggested == choice.value,
                why=self.why([place.key]) if suggested == choice.value else "",
                blocked=blocked.get((place.key, choice.value), ""),
                beside=decision is None and not same.isdisjoint(choice.coders),
            )
            for choice in place.choices
        )
        own = decision.value if decision and not any(option.chosen for option in options) else ""
        return Row(place, options, decision, self.state.notes.get(place.key, ""), own, contested, what)

    def _together(self, rows: Sequence[Row]) -> Row:
        """Return one row for places that are decided together, with the combinations that annotators give."""
        first = rows[0]
        keys = [row.place.key for row in rows]
        given = [{option.values[0]: option for option in row.options} for row in rows]
        options = []
        for values, coders in self.sheet.given_together(keys).items():
            parts = [by_value[value] for by_value, value in zip(given, values, strict=True)]
            suggested = all(part.suggested for part in parts)
            options.append(
                Option(
                    values=values,
                    who=tuple(self.coders[name] for name in coders),
                    wish="\n".join(part.wish for part in parts),
                    chosen=all(part.chosen for part in parts),
                    suggested=suggested,
                    why=self.why(keys) if suggested else "",
                    blocked=next((part.blocked for part in parts if part.blocked), ""),
                    beside=False,
                )
            )
        decisions = [row.decision for row in rows]
        decision = decisions[-1] if all(decisions) else None
        own = "" if decision is None or any(option.chosen for option in options) else decision.value
        return Row(
            first.place, tuple(options), decision, first.note, own, first.contested, first.what, tuple(rows)
        )

    def _what(self, name: str) -> What:
        if name == WHOLE:
            return What(name, hint="")
        places = self.project.kind.places
        return (places.whats.get(name) if places else None) or What(name)


def view_of(project: Project, number: int, person: Person) -> ItemView:
    """Return the current content of the adjudication page of an item."""
    entries, mask = project.entries(number, person.id), mask_of(project, number, person)
    if mask is None:
        return ItemView(project, number, project.sheet(number), events.fold(entries), person, entries)
    entries = [mask.entry(entry) for entry in entries]
    return ItemView(project, number, mask.sheet, events.fold(entries), person, entries, mask)


def mask_of(project: Project, number: int, person: Person) -> Mask | None:
    """Return what hides the names on a person's adjudication page; None if they are shown."""
    hidden = project.blind or not DeskPreferences.of(project.store, person.id).names
    return project.mask(number) if hidden else None
