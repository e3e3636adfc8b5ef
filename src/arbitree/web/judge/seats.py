"""The session of one judge in one round: the parses to compare, and the answers so far.

Each judge has a log, and every answer is an entry. Changing or undoing an answer appends an entry too.
Pages never show which system produced a parse, nor which trials are repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from arbitree.adjudication.events import Undo, standing
from arbitree.adjudication.history import Body, LogEntry, Wish, to_write
from arbitree.drawing.picture import Picture, draw_values
from arbitree.drawing.svg import width_of
from arbitree.errors import shorten
from arbitree.kinds.preference.trials import Round, Trial, trials_of
from arbitree.web.project.project import Project
from arbitree.web.refusals import Refusal
from arbitree.web.store import JudgingRound, Person

VERDICT = "verdict"
SEATS = 32  # whose trials are kept ready; a round may have thousands
HALF = 540  # pixels of a row of words, of which two stand side by side
SHORT = 40  # words of a sentence whose pictures are scaled to the space on the screen
SCALED = 700  # pixels of a row of words in such pictures: longer rows need less height
NARROW = 800  # pixels of a picture that can be scaled to half the width of the screen
AGAIN = "Go back to the list of rounds"


class Answers(NamedTuple):
    """The answers of a judge after all entries."""

    seen: int  # the last entry
    answers: dict[int, str]  # by position
    last: int | None  # the position that was answered last


class Parse(NamedTuple):
    """One parse of a sentence, as shown to a judge."""

    picture: Markup
    words: list[str]


class Pair(NamedTuple):
    """Two parses of a sentence, as shown to a judge."""

    parses: tuple[Parse, Parse]
    beside: bool  # whether the pictures are narrow enough to stand side by side on a wide screen
    scaled: bool  # whether the pictures are scaled, so that both are in view


@dataclass(frozen=True)
class Seat:
    """The session of one judge in one round."""

    project: Project = field(repr=False)
    kept: JudgingRound
    person: Person
    entries: list[LogEntry] = field(repr=False)

    @cached_property
    def settings(self) -> Round:
        """The settings of the round."""
        return Round.from_dict(self.kept.settings)

    @cached_property
    def trials(self) -> tuple[Trial, ...]:
        """The trials of the judge, in order."""
        return trials_in(self.kept, self.person.id)

    @cached_property
    def answered(self) -> Answers:
        """The answers so far."""
        return fold(self.entries)

    @property
    def done(self) -> int:
        """The number of answered trials."""
        return len(self.answered.answers)

    @property
    def next(self) -> int | None:
        """The position of the first unanswered trial."""
        return next((t.position for t in self.trials if t.position not in self.answered.answers), None)

    def was_sent(self, request: str) -> bool:
        """Return whether this request was sent before."""
        return any(entry.request == request for entry in self.entries)

    def trial(self, position: int, *, status: int = 404) -> Trial:
        """Return the trial at *position*; raise Refusal if it does not exist."""
        if not 0 < position <= len(self.trials):
            raise Refusal(status, "Sentence not found in this round", hint="Continue with the next sentence")
        return self.trials[position - 1]

    def sentence(self, position: int) -> tuple[str, ...]:
        """Return the words of the sentence."""
        trial = self.trial(position)
        tokens: tuple[str, ...] = self._tree(trial.item, trial.upper).tokens
        return tokens

    def pair(self, position: int, *, marked: bool = False) -> Pair:
        """Return the first and the second parse, over words at the same places.

        Args:
            position: The number of the trial.
            marked: Mark the parts in which the parses differ.
        """
        trial = self.trial(position)
        trees = [self._tree(trial.item, system) for system in (trial.upper, trial.lower)]
        pictures = self.project.kind.needed("pictures")
        scaled = len(trees[0].tokens) <= SHORT and not self.settings.reference
        drawn = pictures.aligned(trees, marked=marked, widest=SCALED if scaled else HALF)
        first, second = (
            Parse(Markup(picture), pictures.spoken(tree)) for picture, tree in zip(drawn, trees, strict=True)
        )
        return Pair((first, second), all(width_of(picture) <= NARROW for picture in drawn), scaled)

    def reference(self, position: int) -> Parse | None:
        """Return the reference parse, if the round shows one."""
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
    """Replay *entries* in order and return the answers; the last answer to a trial counts."""
    seen, kept = standing(entries)
    given = [(entry.body["position"], entry.body["choice"]) for entry in kept]
    return Answers(seen, dict(given), given[-1][0] if given else None)


def trials_in(kept: JudgingRound, person: int) -> tuple[Trial, ...]:
    """Return the trials of a person in a round, in order."""
    return _trials(Round.from_dict(kept.settings), tuple(kept.settings["items"]), kept.id, person)


def seats_of(project: Project, person: Person) -> list[Seat]:
    """Return the sessions of a person in all open rounds."""
    return [
        _seat(project, kept, person) for kept in project.store.rounds(project.edition.id) if not kept.closed
    ]


def seat_of(project: Project, number: int, person: Person) -> Seat:
    """Return the session of a person in a round; raise Refusal if the round does not exist or has ended."""
    kept = project.store.round(number)
    if kept is None:
        raise Refusal(404, "Judging round not found", hint=AGAIN)
    if kept.edition != project.edition.id:
        raise Refusal(410, "This round has ended because the sentences have changed", hint=AGAIN)
    return _seat(project, kept, person)


def give(seat: Seat, position: int, choice: str, *, seen: int, once: str, marked: bool = False) -> Seat:
    """Save a judgment and return the updated session; repeating the request changes nothing.

    Args:
        seat: The session of the judge.
        position: The number of the trial.
        choice: The answer.
        seen: The number of the last entry that the judge has seen.
        once: The identifier of the request.
        marked: Whether the differences between the parses were marked.

    Raises:
        Refusal: if the round is closed, or has no such trial or choice.
        Conflict: if the person has answered in another window since, or the same request had another content.
    """
    if not seat.was_sent(once):
        check_open(seat)
        seat.trial(position, status=422)
        if choice not in seat.settings.choices:
            listed = ", ".join(seat.settings.choices)
            raise Refusal(
                422, f"{shorten(choice)} is not an answer in this round", hint=f"Choose one of {listed}"
            )
    body = {"position": position, "choice": choice} | ({"marked": True} if marked else {})
    return _write(seat, VERDICT, lambda before: body, seen, once)


def undo(seat: Seat, *, seen: int, once: str) -> Seat:
    """Undo the last judgment and return the updated session."""
    if not seat.was_sent(once):
        check_open(seat)
        if seat.answered.last is None:
            raise Refusal(409, "There is no answer to undo", hint="Continue with the next sentence")
    return _write(seat, Undo.name, lambda before: {"position": fold(before).last}, seen, once)


def check_open(seat: Seat) -> None:
    """Raise Refusal if the round is closed."""
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
