"""The judging page, on which a judge compares two parses, and its JSON routes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from arbitree.adjudication.events import Undo
from arbitree.adjudication.history import Conflict
from arbitree.web.judge import seats
from arbitree.web.judge.seats import Seat
from arbitree.web.pages import page, project_of
from arbitree.web.refusals import ANSWERS, Refusal
from arbitree.web.sessions import allowed
from arbitree.web.store import Person

router = APIRouter(responses=ANSWERS)

Judge = Annotated[Person, allowed("judge")]
Seen = Annotated[int, Form(ge=0)]
Once = Annotated[str, Form(alias="request", min_length=8, max_length=64)]
Marked = Annotated[bool, Query(description="Mark the parts in which the parses differ")]

ELSEWHERE = "Not saved: you have answered in another window since you opened this page"
NOW = "The page now shows the current state"


class SeatOut(BaseModel):
    """The progress of a judge in a round."""

    round: int
    total: int
    done: int
    next: int | None = Field(description="Position of the first unanswered sentence; null at the end.")
    seen: int = Field(description="Number of the last entry, to be sent with the next judgment.")
    choices: list[str]


class ParseOut(BaseModel):
    """One parse, as a drawing and as text."""

    svg: str
    words: list[str]


class TrialOut(BaseModel):
    """Two parses of a sentence, without the names of the systems."""

    round: int
    position: int
    tokens: list[str]
    upper: ParseOut
    lower: ParseOut
    reference: ParseOut | None
    answer: str | None
    seen: int


class UndoIn(BaseModel):
    """A request to undo the last judgment."""

    seen: int = Field(ge=0)
    request: str = Field(
        min_length=8,
        max_length=64,
        description="An identifier of your choice; a repeated request counts once.",
    )


class VerdictIn(UndoIn):
    """A judgment: which parse is better."""

    position: int
    choice: str = Field(max_length=20)
    marked: bool = Field(False, description="Whether the differences between the parses were marked.")


@router.get("/judge", include_in_schema=False)
def choose(request: Request, person: Judge) -> Response:
    """Show the open rounds, or redirect to the only one."""
    taken = seats.seats_of(project_of(request), person)
    if len(taken) == 1:
        return RedirectResponse(f"/judge/{taken[0].kept.id}", 303)
    return page(request, "seats.html.j2", person=person, seats=taken)


@router.get("/judge/{number}", include_in_schema=False)
def show(request: Request, number: int, person: Judge, *, marked: Marked = False) -> Response:
    """Show the next unanswered sentence, or thank the judge."""
    seat = _open_seat(request, number, person)
    return _page(request, seat, seat.next, marked=marked)


@router.get("/judge/{number}/{position}", include_in_schema=False)
def look_back(
    request: Request, number: int, position: int, person: Judge, *, marked: Marked = False
) -> Response:
    """Show one sentence of the round, answered or not."""
    seat = _open_seat(request, number, person)
    return _page(request, seat, seat.trial(position).position, marked=marked)


@router.post("/judge/{number}", include_in_schema=False)
def answer(
    request: Request,
    number: int,
    person: Judge,
    seen: Seen,
    once: Once,
    position: Annotated[int, Form()],
    choice: Annotated[str, Form(max_length=20)],
    marked: Annotated[bool, Form()] = False,
) -> Response:
    """Save a judgment and show the next sentence."""
    return _act(
        request,
        number,
        person,
        once,
        lambda seat: seats.give(seat, position, choice, seen=seen, once=once, marked=marked),
    )


@router.post("/judge/{number}/undo", include_in_schema=False)
def take_back(request: Request, number: int, person: Judge, seen: Seen, once: Once) -> Response:
    """Undo the last judgment and show its sentence again."""
    return _act(request, number, person, once, lambda seat: seats.undo(seat, seen=seen, once=once))


@router.get("/api/judge", tags=["judging"])
def list_seats(request: Request, person: Judge) -> list[SeatOut]:
    """Return the open rounds."""
    return [_seat_out(seat) for seat in seats.seats_of(project_of(request), person)]


@router.get("/api/judge/{number}", tags=["judging"])
def read_seat(request: Request, number: int, person: Judge) -> SeatOut:
    """Return your progress in a round."""
    return _seat_out(_open_seat(request, number, person))


@router.get("/api/judge/{number}/trials/{position}", tags=["judging"])
def read_trial(request: Request, number: int, position: int, person: Judge) -> TrialOut:
    """Return two parses of a sentence."""
    seat = _open_seat(request, number, person)
    upper, lower = (_parse_out(parse) for parse in seat.pair(position).parses)
    reference = seat.reference(position)
    return TrialOut(
        round=number,
        position=position,
        tokens=list(seat.sentence(position)),
        upper=upper,
        lower=lower,
        reference=_parse_out(reference) if reference else None,
        answer=seat.answered.answers.get(position),
        seen=seat.answered.seen,
    )


@router.post("/api/judge/{number}/verdicts", tags=["judging"])
def give_verdict(request: Request, number: int, person: Judge, verdict: VerdictIn) -> SeatOut:
    """Save a judgment; a second judgment of a sentence replaces the first."""
    seat = seats.seat_of(project_of(request), number, person)
    try:
        after = seats.give(
            seat,
            verdict.position,
            verdict.choice,
            seen=verdict.seen,
            once=verdict.request,
            marked=verdict.marked,
        )
    except Conflict:
        raise Refusal(409, ELSEWHERE, hint="Read the round again, then answer again if needed") from None
    return _seat_out(after)


@router.post("/api/judge/{number}/undo", tags=["judging"])
def undo_verdict(request: Request, number: int, person: Judge, wish: UndoIn) -> SeatOut:
    """Undo the last judgment."""
    seat = seats.seat_of(project_of(request), number, person)
    try:
        return _seat_out(seats.undo(seat, seen=wish.seen, once=wish.request))
    except Conflict:
        raise Refusal(409, ELSEWHERE, hint="Read the round again, then answer again if needed") from None


def _open_seat(request: Request, number: int, person: Person) -> Seat:
    seat = seats.seat_of(project_of(request), number, person)
    seats.check_open(seat)
    return seat


def _act(request: Request, number: int, person: Person, once: str, do: Callable[[Seat], Seat]) -> Response:
    """Perform an action, then redirect to the next sentence or to the one whose answer was undone."""
    project = project_of(request)
    try:
        after = do(seats.seat_of(project, number, person))
    except Conflict:
        now = seats.seat_of(project, number, person)
        return _page(request, now, now.next, status=409, notice=f"{ELSEWHERE}. {NOW}.")
    done = next(entry for entry in after.entries if entry.request == once)
    place = f"/{done.body['position']}" if done.action == Undo.name else ""
    return RedirectResponse(f"/judge/{number}{place}", 303)


def _page(
    request: Request,
    seat: Seat,
    position: int | None,
    *,
    status: int = 200,
    notice: str = "",
    marked: bool = False,
) -> Response:
    return page(
        request,
        "judge.html.j2",
        person=seat.person,
        status=status,
        seat=seat,
        position=position,
        notice=notice,
        marked=marked,
        once=lambda: uuid4().hex,
    )


def _seat_out(seat: Seat) -> SeatOut:
    return SeatOut(
        round=seat.kept.id,
        total=len(seat.trials),
        done=seat.done,
        next=seat.next,
        seen=seat.answered.seen,
        choices=list(seat.settings.choices),
    )


def _parse_out(parse: seats.Parse) -> ParseOut:
    return ParseOut(svg=str(parse.picture), words=parse.words)
