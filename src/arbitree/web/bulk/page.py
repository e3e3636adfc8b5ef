"""The page on which many disagreements are decided at once, and its JSON routes."""

from __future__ import annotations

from enum import Enum
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from arbitree.adjudication.bulk import BulkWish
from arbitree.adjudication.events import Decide, describe
from arbitree.adjudication.history import BULK, ITEM, Conflict, LogEntry
from arbitree.adjudication.whole import WHOLE
from arbitree.errors import UnknownName
from arbitree.web.adjudicate.preferences import DeskPreferences
from arbitree.web.bulk.candidates import SHOWN, Side, candidates_of, sides_of, wish_of
from arbitree.web.pages import check_number, page, project_of
from arbitree.web.project.background import json_safe
from arbitree.web.project.bulk import BulkOutcome, batch_of, decide_all, number_of, undo_all
from arbitree.web.project.project import Project
from arbitree.web.refusals import ANSWERS, Refusal
from arbitree.web.sentences import filters
from arbitree.web.sentences.filters import Filter
from arbitree.web.sessions import allowed
from arbitree.web.store import Person

router = APIRouter(responses=ANSWERS)

TAGS: list[str | Enum] = ["adjudicate"]
REQUEST = r"^[\w-]{8,60}$"
Adjudicator = Annotated[Person, allowed("adjudicate")]
Wanted = Annotated[Filter, Depends(filters.asked_without_names)]
Choose = Annotated[str, Query(max_length=filters.LONGEST, description="The label, or the number of the side")]
Once = Annotated[str, Form(alias="request", pattern=REQUEST)]
Batch = Annotated[str, Path(pattern=REQUEST)]
Text = Annotated[str, Field(max_length=4000)]


class WishModel(BaseModel):
    """The decision on places of one item."""

    number: int = Field(ge=1, le=2**31)
    seen: int = Field(ge=0, le=2**31, description="Number of the last entry of the item that was read")
    changes: dict[Text, Text] = Field(min_length=1, max_length=1000)


class BulkModel(BaseModel):
    """Decisions on places of many items."""

    request: str = Field(
        pattern=REQUEST, description="An identifier of your choice; a repeated one counts once"
    )
    places: list[WishModel] = Field(min_length=1, max_length=SHOWN)


class UndoModel(BaseModel):
    """The request to undo decisions that were saved together."""

    request: str = Field(pattern=REQUEST)


class SkipModel(BaseModel):
    """Places that were left as they are."""

    number: int
    places: str
    why: str


class CandidateModel(WishModel):
    """Places of one item that can be decided, and the reason if the choice is not valid now."""

    problem: str


class OutcomeModel(BaseModel):
    """The result of decisions on many items."""

    saved: int = Field(description="number of entries")
    skipped: list[SkipModel]


@router.get("/bulk", include_in_schema=False)
def show(request: Request, person: Adjudicator, wanted: Wanted, choose: Choose = "") -> Response:
    """Show the disagreements that match the filter, with the choice that would be made at each."""
    project = project_of(request)
    sides = sides_of(project, wanted)
    side = _side(sides, choose) if choose else None
    return page(
        request,
        "bulk.html.j2",
        person=person,
        wanted=wanted,
        asked_for=filters.words_of(project, wanted),
        sides=sides,
        side=side,
        candidates=candidates_of(project, person, wanted, side) if side else None,
        names_shown=not project.blind and DeskPreferences.of(project.store, person.id).names,
        once=uuid4().hex,
    )


@router.get("/api/bulk", tags=TAGS)
def find(request: Request, person: Adjudicator, wanted: Wanted, choose: Choose) -> list[CandidateModel]:
    """Return the undecided disagreements that match the filter, with the choice for each."""
    project = project_of(request)
    found = candidates_of(project, person, wanted, _side(sides_of(project, wanted), choose)).found
    return [
        CandidateModel(**json_safe(each.wish._asdict()), problem=json_safe(each.problem)) for each in found
    ]


@router.post("/bulk", include_in_schema=False)
def apply_form(
    request: Request,
    person: Adjudicator,
    wanted: Wanted,
    once: Once,
    place: Annotated[list[str], Form(max_length=SHOWN)] = [],  # noqa: B006
) -> Response:
    """Save the ticked decisions, all in one transaction."""
    if not place:
        raise Refusal(422, "No disagreement is ticked", hint="Go back and tick at least one")
    outcome = _decide(request, person, [wish_of(each) for each in place], once)
    return _result(request, person, once, outcome, wanted)


@router.post("/api/bulk", tags=TAGS)
def apply(request: Request, person: Adjudicator, body: BulkModel) -> OutcomeModel:
    """Save decisions on many items in one transaction; those that are not valid are skipped."""
    wishes = [BulkWish(each.number, each.seen, each.changes) for each in body.places]
    return _model(_decide(request, person, wishes, body.request))


@router.get("/bulk/{batch}", include_in_schema=False)
def show_batch(request: Request, person: Adjudicator, batch: Batch) -> Response:
    """Show decisions that were saved together."""
    return _result(request, person, batch, BulkOutcome(_batch(request, person, batch), []))


@router.post("/bulk/{batch}/undo", include_in_schema=False)
def undo_form(request: Request, person: Adjudicator, batch: Batch, once: Once) -> Response:
    """Make the places of decisions that were saved together undecided again."""
    return _result(request, person, once, _undo(request, person, batch, once), undone=True)


@router.post("/api/bulk/{batch}/undo", tags=TAGS)
def undo(request: Request, person: Adjudicator, batch: Batch, body: UndoModel) -> OutcomeModel:
    """Make the places of decisions that were saved together undecided again, in one transaction."""
    return _model(_undo(request, person, batch, body.request))


def _side(sides: list[Side], choose: str) -> Side:
    for side in sides:
        if side.value == choose:
            return side
    raise UnknownName("this cannot be chosen here", hint="Choose one of the annotations that are shown")


def _decide(request: Request, person: Person, wishes: list[BulkWish], once: str) -> BulkOutcome:
    project = project_of(request)
    for wish in wishes:
        check_number(project, wish.number)
    if any(WHOLE in wish.changes for wish in wishes):
        hint = "Open the adjudication page of the sentence"
        raise Refusal(422, "Whole annotations are chosen one by one", hint=hint)
    try:
        return decide_all(project, person, wishes, once)
    except Conflict:
        raise _not_saved() from None


def _undo(request: Request, person: Person, batch: str, once: str) -> BulkOutcome:
    try:
        return undo_all(project_of(request), person, _batch(request, person, batch), once)
    except Conflict:
        raise _not_saved() from None


def _batch(request: Request, person: Person, batch: str) -> list[LogEntry]:
    entries = batch_of(project_of(request), batch)
    own = entries and entries[0].person == person.id
    if not own:  # of two who decide an item independently, neither sees the decisions of the other
        entries = [entry for entry in entries if entry.subject.startswith(ITEM)]
    if not entries or entries[0].action != Decide.name:
        raise Refusal(404, "These decisions do not exist", hint="Look for them in the history")
    return entries


def _not_saved() -> Refusal:
    return Refusal(409, "Not saved: others changed these sentences", hint="Reload the page and try again")


def _result(
    request: Request,
    person: Person,
    batch: str,
    outcome: BulkOutcome,
    wanted: Filter | None = None,
    *,
    undone: bool = False,
) -> Response:
    project = project_of(request)
    return page(
        request,
        "bulk_result.html.j2",
        person=person,
        batch=batch,
        rows=[
            (number, describe(entry, project.sheet(number))) for number, entry in _numbered(project, outcome)
        ],
        skipped=outcome.skipped,
        wanted=wanted,
        undone=undone,
        ids={number: project.item(number).id for number in _numbers(project, outcome)},
        once=uuid4().hex,
    )


def _numbered(project: Project, outcome: BulkOutcome) -> list[tuple[int, LogEntry]]:
    """Return the entries with the numbers of their items, and without what says that they are many."""
    plain = [
        each._replace(body={k: v for k, v in each.body.items() if k != BULK}) for each in outcome.entries
    ]
    return [(number_of(project, each), each) for each in plain]


def _numbers(project: Project, outcome: BulkOutcome) -> set[int]:
    return {number_of(project, each) for each in outcome.entries} | {each.number for each in outcome.skipped}


def _model(outcome: BulkOutcome) -> OutcomeModel:
    skipped = [SkipModel(**json_safe(each._asdict())) for each in outcome.skipped]
    return OutcomeModel(saved=len(outcome.entries), skipped=skipped)
