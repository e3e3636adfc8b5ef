"""A judge's seat in a round: what is shown there, and what was answered so far.

Every answer is an entry in a log of the judge's own. Changing one or taking one back appends an entry too.
Nothing here that a page may show tells whose parse is whose, nor which trials are repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from arbitree.adjudication.events import Body, LogEntry, Undo, Wish, standing, to_write
from arbitree.drawing.picture import Picture, draw_values
from arbitree.errors import shorten
from arbitree.kinds.preference.trials import Round, Trial, trials_of
from arbitree.web.project.project import Project
from arbitree.web.refusals import Refusal
from arbitree.web.store import JudgingRound, Person

VERDICT = "verdict"
SEATS = 256  # whose trials are kept ready
AGAIN = "Go back to the list of rounds"


class Answers(NamedTuple):
    """What the entries of a judge add up to."""

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
    kept: JudgingRound
    person: Person
    entries: list[LogEntry] = field(repr=False)

    @cached_property
    def settings(self) -> Round:
        """What the round asks."""
        return Round.from_dict(self.kept.settings)

    @cached_property
    def trials(self) -> tuple[Trial, ...]:
        """What the person is shown, in order."""
        return trials_in(self.kept, self.person.id)

    @cached_property
    def answered(self) -> Answers:
        """What was answered."""
        return fold(self.entries)

    @property
    def done(self) -> int:
        """How many trials have an answer."""
        return len(self.answered.answers)

    @property
    def next(self) -> int | None:
        """The position of the first trial without an answer."""
        return next((t.position for t in self.trials if t.position not in self.answered.answers), None)

    def was_sent(self, request: str) -> bool:
        """Return whether the person has sent this request before."""
        return any(entry.request == request for entry in self.entries)

    def trial(self, position: int, *, status: int = 404) -> Trial:
        """Return the trial at *position*, or refuse."""
        if not 0 < position <= len(self.trials):
            raise Refusal(status, "Sentence not found in this round", hint="Continue with the next sentence")
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


def fold(entries: Iterable[LogEntry]) -> Answers:
    """Return what *entries*, in order, add up to: of several answers to one trial the last one counts."""
    seen, kept = standing(entries)
    given = [(entry.body["position"], entry.body["choice"]) for entry in kept]
    return Answers(seen, dict(given), given[-1][0] if given else None)


def trials_in(kept: JudgingRound, person: int) -> tuple[Trial, ...]:
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
        raise Refusal(404, "Judging round not found", hint=AGAIN)
    if kept.edition != project.edition.id:
        raise Refusal(410, "This round has ended because the sentences have changed", hint=AGAIN)
    return _seat(project, kept, person)


def give(seat: Seat, position: int, choice: str, *, seen: int, once: str) -> Seat:
    """Write a verdict down and return the seat with it; the same request again changes nothing.

    Raises:
        Refusal: if the round is closed, or the trial or the choice is none of this round's.
        Conflict: if the person has answered in another window since, or the same request said otherwise.
    """
    if not seat.was_sent(once):
        check_open(seat)
        seat.trial(position, status=422)
        if choice not in seat.settings.choices:
            listed = ", ".join(seat.settings.choices)
            raise Refusal(
                422, f"{shorten(choice)} is not an answer in this round", hint=f"Choose one of {listed}"
            )
    return _write(seat, VERDICT, lambda before: {"position": position, "choice": choice}, seen, once)


def undo(seat: Seat, *, seen: int, once: str) -> Seat:
    """Take the last verdict back and return the seat without it."""
    if not seat.was_sent(once):
        check_open(seat)
        if seat.answered.last is None:
            raise Refusal(409, "There is no answer to undo", hint="Continue with the next sentence")
    return _write(seat, Undo.name, lambda before: {"position": fold(before).last}, seen, once)


def check_open(seat: Seat) -> None:
    """Refuse what is done in a round that is closed."""
    if seat.kept.closed:
        raise Refusal(410, "This round is closed", hint="Your earlier answers are saved. Thank you")


def _seat(project: Project, kept: JudgingRound, person: Person) -> Seat:
    entries = project.store.entries(kept.edition, subject_of(kept.id, person.id))
    return Seat(project, kept, person, entries)


@lru_cache(maxsize=SEATS)
def _trials(settings: Round, items: tuple[str, ...], number: int, judge: int) -> tuple[Trial, ...]:
    return tuple(trials_of(settings, items, number=number, judge=judge))


def _write(seat: Seat, action: str, make: Callable[[list[LogEntry]], Body], seen: int, once: str) -> Seat:
    kept, person = seat.kept, seat.person
    body = to_write(seat.entries, Wish(person.id, person.name, seen, once), action, make)
    if body is None:
        return seat
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
