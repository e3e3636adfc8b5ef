"""A judge's seat in a round: what is shown there, and what was answered so far.

Every answer is an entry in a log of the judge's own. Changing one or taking one back appends an entry too.
Nothing here that a page may show tells whose parse is whose, nor which trials are repeats.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from arbitree.drawing.picture import Picture, draw_values
from arbitree.kinds.preference.trials import Round, Trial, trials_of
from arbitree.web.project.project import Project
from arbitree.web.refusals import Refusal
from arbitree.web.store import Conflict, Entry, Person
from arbitree.web.store import Round as Kept

VERDICT, UNDO = "verdict", "undo"
SEATS = 256  # whose trials are kept ready
AGAIN = "Go back to the list of rounds"


class State(NamedTuple):
    """What the entries of a judge come to."""

    seen: int  # the last entry
    answers: dict[int, str]  # by position
    last: int | None  # the position that was answered last


class Parse(NamedTuple):
    """One analysis of a sentence, as a judge gets it."""

    picture: Markup
    words: list[str]


@dataclass(frozen=True)
class Seat:
    """One person in one round."""

    project: Project = field(repr=False)
    kept: Kept
    person: Person
    entries: list[Entry] = field(repr=False)

    @cached_property
    def settings(self) -> Round:
        """What the round asks."""
        return Round.from_dict(self.kept.settings)

    @cached_property
    def trials(self) -> tuple[Trial, ...]:
        """What the person is shown, in order."""
        return trials_in(self.kept, self.person.id)

    @cached_property
    def state(self) -> State:
        """What was answered."""
        return fold(self.entries)

    @property
    def done(self) -> int:
        """How many trials have an answer."""
        return len(self.state.answers)

    @property
    def next(self) -> int | None:
        """The position of the first trial without an answer."""
        return next((t.position for t in self.trials if t.position not in self.state.answers), None)

    def trial(self, position: int, *, status: int = 404) -> Trial:
        """Return the trial at *position*, or refuse."""
        if not 0 < position <= len(self.trials):
            raise Refusal(status, "There is no such sentence in this round", hint="Go on with the next one")
        return self.trials[position - 1]

    def sentence(self, position: int) -> tuple[str, ...]:
        """Return the words that both parses have."""
        trial = self.trial(position)
        tokens: tuple[str, ...] = self._tree(trial.item, trial.upper).tokens
        return tokens

    def parses(self, position: int) -> tuple[Parse, Parse]:
        """Return the upper and the lower parse."""
        trial = self.trial(position)
        return self._parse(trial.item, trial.upper), self._parse(trial.item, trial.lower)

    def reference(self, position: int) -> Parse | None:
        """Return the analysis to compare with, if the round shows one."""
        shown = self.settings.reference
        return self._parse(self.trial(position).item, shown) if shown else None

    def _parse(self, item: str, coder: str) -> Parse:
        tree = self._tree(item, coder)
        pictures = self.project.kind.needed("pictures")
        return Parse(Picture("", draw_values(pictures, {"": tree})).markup, pictures.spoken(tree))

    def _tree(self, item: str, coder: str) -> Any:
        return self.project.study.cells[item, coder].value


def subject_of(number: int, person: int) -> str:
    """Return the name of a judge's log."""
    return f"judge/{number}/{person}"


def fold(entries: Iterable[Entry]) -> State:
    """Return what *entries*, in order, come to: of several answers to one trial the last one stands."""
    seen = 0
    standing: list[tuple[int, str]] = []
    for entry in entries:
        seen = entry.sequence
        if entry.action == VERDICT:
            standing.append((entry.body["position"], entry.body["choice"]))
        elif standing:
            standing.pop()
    return State(seen, dict(standing), standing[-1][0] if standing else None)


def trials_in(kept: Kept, person: int) -> tuple[Trial, ...]:
    """Return what a person sees in a round, in order."""
    return _trials(Round.from_dict(kept.settings), tuple(kept.settings["items"]), kept.id, person)


def seats_of(project: Project, person: Person) -> list[Seat]:
    """Return the person's seats in all rounds that are open."""
    return [
        _seat(project, kept, person) for kept in project.store.rounds(project.edition.id) if not kept.closed
    ]


def seat_of(project: Project, number: int, person: Person) -> Seat:
    """Return the person's seat in a round, or refuse."""
    kept = project.store.round(number)
    if kept is None:
        raise Refusal(404, "There is no such round", hint=AGAIN)
    if kept.edition != project.edition.id:
        raise Refusal(410, "This round is over: the sentences have changed since", hint=AGAIN)
    return _seat(project, kept, person)


def give(seat: Seat, position: int, choice: str, *, seen: int, once: str) -> Seat:
    """Write a verdict down and return the seat with it; the same request again changes nothing.

    Raises:
        Refusal: if the round is closed, or the trial or the choice is none of this round's.
        Conflict: if the person has answered in another window since, or the same request said otherwise.
    """
    said = {"position": position, "choice": choice}
    if _is_done(seat, once, VERDICT, said):
        return seat
    check_open(seat)
    seat.trial(position, status=422)
    if choice not in seat.settings.choices:
        listed = ", ".join(seat.settings.choices)
        raise Refusal(422, "This is no answer in this round", hint=f"Choose one of {listed}")
    return _append(seat, VERDICT, said, seen, once)


def undo(seat: Seat, *, seen: int, once: str) -> Seat:
    """Take the last verdict back and return the seat without it."""
    if _is_done(seat, once, UNDO):
        return seat
    check_open(seat)
    if seat.state.last is None:
        raise Refusal(409, "There is no answer to take back", hint="Go on with the next sentence")
    return _append(seat, UNDO, {"position": seat.state.last}, seen, once)


def check_open(seat: Seat) -> None:
    """Refuse what is done in a round that is closed."""
    if seat.kept.closed:
        raise Refusal(410, "This round is closed", hint="What you answered before is kept. Thank you")


def _seat(project: Project, kept: Kept, person: Person) -> Seat:
    entries = project.store.entries(kept.edition, subject_of(kept.id, person.id))
    return Seat(project, kept, person, entries)


@lru_cache(maxsize=SEATS)
def _trials(settings: Round, items: tuple[str, ...], number: int, judge: int) -> tuple[Trial, ...]:
    return tuple(trials_of(settings, items, number=number, judge=judge))


def _is_done(seat: Seat, once: str, action: str, body: dict[str, Any] | None = None) -> bool:
    """Return whether the same was sent before; raise Conflict if the request of then said something else."""
    made = next((entry for entry in seat.entries if entry.request == once), None)
    if made is not None and (made.action != action or body not in (None, made.body)):
        raise Conflict([made])
    return made is not None


def _append(seat: Seat, action: str, body: dict[str, Any], seen: int, once: str) -> Seat:
    kept, person = seat.kept, seat.person
    entry = seat.project.store.append(
        edition=kept.edition,
        subject=subject_of(kept.id, person.id),
        seen=seen,
        person=person.id,
        action=action,
        body=body,
        request=once,
    )
    return Seat(seat.project, kept, person, [*seat.entries, entry])
