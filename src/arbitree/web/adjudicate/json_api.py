"""Deciding through JSON: the same desk, for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from arbitree.adjudication import events
from arbitree.adjudication.places import Verdict
from arbitree.web.adjudicate import writing
from arbitree.web.pages import project_of
from arbitree.web.project.background_parts import written
from arbitree.web.project.worklist import progress_of
from arbitree.web.refusals import Refusal
from arbitree.web.sessions import allowed
from arbitree.web.store import Conflict, Entry, Person

router = APIRouter(prefix="/api", tags=["adjudicate"])

Adjudicator = Annotated[Person, allowed("adjudicate")]
Viewer = Annotated[Person, allowed("explore")]
Number = Annotated[int, Path(ge=1, le=2**31, description="Number of the item, from 1")]
Text = Annotated[str, Field(max_length=4000)]


class Seen(BaseModel):
    """What every change says beside its content."""

    seen: int = Field(ge=0, le=2**31, description="Sequence of the last entry that was seen; 0 for none")
    request: str = Field(
        min_length=8, max_length=64, description="A name of your own; sent again, it counts once"
    )


class Changes(Seen):
    """Decisions on places of one item."""

    changes: dict[Text, Text] = Field(min_length=1, max_length=1000, examples=[{"3 head": "2 saw"}])


class Cleared(Seen):
    """Places to make undecided."""

    keys: list[Text] = Field(min_length=1, max_length=1000)


class Noted(Seen):
    """A note on a place; the key "" is the item."""

    key: Text = ""
    text: Annotated[str, Field(max_length=events.LONGEST_NOTE)]


class Rejected(Seen):
    """Why an item is left out."""

    why: Annotated[str, Field(max_length=events.LONGEST_NOTE)] = ""


class ChoiceModel(BaseModel):
    """A value, and who gives it."""

    value: str
    coders: list[str]


class PlaceModel(BaseModel):
    """A contested place."""

    key: str
    place: str
    what: str
    words: str
    choices: list[ChoiceModel]


class DecisionModel(BaseModel):
    """What was decided for a place."""

    value: str
    by: str
    at: str


class OfferModel(BaseModel):
    """What could be changed together."""

    words: str
    changes: dict[str, str]


class DeskModel(BaseModel):
    """One item: what is contested, what is decided."""

    number: int
    item: str
    seen: int
    status: str
    places: list[PlaceModel]
    decisions: dict[str, DecisionModel]
    notes: dict[str, str]
    saved: bool = True
    problem: str = ""
    offers: list[OfferModel] = []
    entails: list[str] = []


class EntryModel(BaseModel):
    """One entry of the log."""

    sequence: int
    by: str
    at: str
    action: str
    body: dict[str, object]


class ProgressModel(BaseModel):
    """How far the study is adjudicated."""

    items: int
    agreed: int
    to_decide: int
    decided: int
    rejected: int


@router.get("/progress")
def progress(request: Request, person: Viewer) -> ProgressModel:
    """Return how far the study is adjudicated."""
    found = progress_of(project_of(request))
    return ProgressModel(**found._asdict())


@router.get("/sentences/{number}/desk")
def show(request: Request, number: Number, person: Viewer) -> DeskModel:
    """Return what is contested and decided on an item."""
    _check(request, number)
    return _model(request, number, events.Outcome(events.state_of(project_of(request), number)))


@router.get("/sentences/{number}/history")
def history(request: Request, number: Number, person: Viewer) -> list[EntryModel]:
    """Return everything that was written on an item, in order."""
    _check(request, number)
    project = project_of(request)
    return list(map(_entry, project.store.entries(project.edition.id, events.subject_of(project, number))))


@router.post("/sentences/{number}/decisions")
def decide(request: Request, number: Number, person: Adjudicator, body: Changes) -> DeskModel:
    """Decide on places of an item; what would break the tree is not saved, and says what would do."""
    project = project_of(request)
    return _act(
        request, number, person, body, lambda wish: writing.decide(project, number, wish, body.changes)
    )


@router.post("/sentences/{number}/clear")
def clear(request: Request, number: Number, person: Adjudicator, body: Cleared) -> DeskModel:
    """Make places undecided again."""
    return _act(
        request,
        number,
        person,
        body,
        lambda wish: writing.clear(project_of(request), number, wish, body.keys),
    )


@router.post("/sentences/{number}/notes")
def note(request: Request, number: Number, person: Adjudicator, body: Noted) -> DeskModel:
    """Keep a note on a place."""
    project = project_of(request)
    return _act(
        request, number, person, body, lambda wish: writing.note(project, number, wish, body.key, body.text)
    )


@router.post("/sentences/{number}/reject")
def reject(request: Request, number: Number, person: Adjudicator, body: Rejected) -> DeskModel:
    """Leave an item out of the gold standard."""
    return _act(
        request,
        number,
        person,
        body,
        lambda wish: writing.reject(project_of(request), number, wish, body.why),
    )


@router.post("/sentences/{number}/reopen")
def reopen(request: Request, number: Number, person: Adjudicator, body: Seen) -> DeskModel:
    """Take an item in again."""
    return _act(request, number, person, body, lambda wish: writing.reopen(project_of(request), number, wish))


@router.post("/sentences/{number}/undo")
def undo(request: Request, number: Number, person: Adjudicator, body: Seen) -> DeskModel:
    """Take back the last entry that stands."""
    return _act(request, number, person, body, lambda wish: writing.undo(project_of(request), number, wish))


def _act(
    request: Request, number: int, person: Person, body: Seen, do: Callable[[events.Wish], events.Outcome]
) -> DeskModel:
    _check(request, number)
    try:
        return _model(request, number, do(events.Wish(person, body.seen, body.request)))
    except Conflict as conflict:
        who = ", ".join(sorted({entry.name for entry in conflict.entries})) or "Another request"
        raise Refusal(
            409, f"{who} wrote meanwhile", hint="Look at the item again and repeat what you want"
        ) from None


def _check(request: Request, number: int) -> None:
    if number > len(project_of(request).study.items):
        raise Refusal(404, "There is no such item", hint="Numbers run from 1 in the order of the study")


def _model(request: Request, number: int, outcome: events.Outcome) -> DeskModel:
    sheet = project_of(request).sheet(number)
    state, verdict = outcome.state, outcome.verdict or Verdict({})
    document = {
        "number": number,
        "item": sheet.item.id,
        "seen": state.seen,
        "status": events.tally_of(sheet, state).status,
        "places": [
            {"key": each.key, "place": each.place, "what": each.what, "words": each.words}
            | {"choices": [choice._asdict() for choice in each.choices]}
            for each in sheet.places
        ],
        "decisions": {
            key: {"value": each.value, "by": each.name, "at": each.at}
            for key, each in state.decisions.items()
        },
        "notes": state.notes,
        "saved": outcome.saved,
        "problem": verdict.problem,
        "offers": [offer._asdict() for offer in verdict.offers],
        "entails": verdict.entails,
    }
    return DeskModel(**written(document))


def _entry(entry: Entry) -> EntryModel:
    document = {"sequence": entry.sequence, "by": entry.name, "at": entry.at, "action": entry.action}
    return EntryModel(**written(document | {"body": entry.body}))
