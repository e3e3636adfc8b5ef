"""The owner's page on progress, pace and assignments, the time that pages report, and their JSON routes."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Path, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from arbitree.adjudication.dealing import Deal, equal_shares
from arbitree.errors import ArbitreeError, StudyError
from arbitree.reporting.csv import spreadsheet_text
from arbitree.web.lead.assigning import Outcome, assign, withdraw
from arbitree.web.lead.comparison import between_adjudicators
from arbitree.web.lead.pace import Pace, duration, may_decide, team_of
from arbitree.web.pages import check_number, page, project_of
from arbitree.web.project.background import json_safe
from arbitree.web.project.progress import progress_of
from arbitree.web.refusals import ANSWERS
from arbitree.web.sessions import allowed
from arbitree.web.store import Person, StoreError
from arbitree.wording import encodable

router = APIRouter(responses=ANSWERS)

TAGS: list[str | Enum] = ["progress"]
Owner = Annotated[Person, allowed("own")]
Adjudicator = Annotated[Person, allowed("adjudicate")]
Typed = Annotated[str, Form(max_length=100)]
SHOWN = 200  # differences on the page
SHARE = "share-"  # prefix of the names of the fields with shares
LARGEST_SEED = 2**31 - 1


class DealModel(BaseModel):
    """How to deal the items that nobody has begun."""

    shares: dict[Annotated[int, Field(ge=1, le=2**31 - 1)], Annotated[float, Field(ge=0, le=100)]] = Field(
        min_length=1, max_length=1000, description="Percentage for each person, by number"
    )
    by_document: bool = Field(False, description="Give all items of a document to the same person")
    double: float = Field(0, ge=0, le=100, description="Percentage that two people decide independently")
    seed: int = Field(0, ge=0, le=LARGEST_SEED)


class DealtModel(BaseModel):
    """The result of a deal, in numbers of items."""

    assigned: int
    double: int
    open: int
    begun: int


class PaceModel(BaseModel):
    """The work of one person; times are in seconds."""

    id: int
    name: str
    role: str = Field(description='"" for a person who has left')
    assigned: int
    left: int
    decided: int
    active: float
    per_hour: float | None
    median: float | None
    rest: float | None = Field(description="Estimated time for the assigned items that are left")
    last: str


class TeamModel(BaseModel):
    """The work of all people; times are in seconds."""

    people: list[PaceModel]
    open: int
    differing: int
    per_hour: float | None
    rest: float | None


class AgreementModel(BaseModel):
    """The agreement on one kind of value."""

    what: str
    places: int
    same: int
    alpha: float | None


class DifferenceModel(BaseModel):
    """A place on which two people made different decisions."""

    number: int
    item: str
    what: str
    words: str
    decisions: dict[str, str]
    decided: str


class BetweenModel(BaseModel):
    """The agreement between adjudicators."""

    items: int
    waiting: int
    agreement: list[AgreementModel]
    differences: list[DifferenceModel]


async def shares_in(request: Request) -> dict[int, str]:
    """Return the shares that were typed, by the number of the person."""
    form = await request.form()
    typed = ((name.removeprefix(SHARE), value) for name, value in form.items() if name.startswith(SHARE))
    return {
        int(number): str(value)[:100]
        for number, value in typed
        if number.isascii() and number.isdigit() and 0 < len(number) < 10
    }


Shares = Annotated[dict[int, str], Depends(shares_in)]


@router.get("/progress", include_in_schema=False)
def show(request: Request, person: Owner) -> Response:
    """Show progress, pace and assignments."""
    return _page(request, person)


@router.post("/progress/assign", include_in_schema=False)
def assign_form(
    request: Request,
    person: Owner,
    shares: Shares,
    by_document: Annotated[bool, Form()] = False,
    double: Typed = "0",
    seed: Typed = "0",
) -> Response:
    """Deal the sentences that nobody has begun."""
    typed = {"shares": shares, "by_document": by_document, "double": double, "seed": seed}
    try:
        wanted = Deal(
            shares={number: _percentage(text) for number, text in shares.items()},
            by_document=by_document,
            double=_percentage(double),
            seed=_seed(seed),
        )
        outcome = assign(project_of(request), wanted)
    except StoreError:
        raise
    except ArbitreeError as error:
        return _page(request, person, typed=typed, wrong=error)
    return _page(request, person, typed=typed, outcome=outcome)


@router.post("/progress/withdraw", include_in_schema=False)
def withdraw_form(request: Request, person: Owner) -> Response:
    """Make the sentences that nobody has begun open to all."""
    withdraw(project_of(request))
    return RedirectResponse("/progress#assign", 303)


@router.get("/export/progress.csv", include_in_schema=False)
def people_table(request: Request, person: Owner) -> Response:
    """Export progress and pace by person."""
    header = ["person", "role", "assigned", "left", "decided", "active_seconds", "items_per_hour",
              "median_seconds", "estimated_seconds_left", "last_active"]  # fmt: skip
    rows = [
        [each.name, each.role, each.assigned, each.left, each.decided, _rounded(each.seconds),
         _rounded(each.per_hour), _rounded(each.median), _rounded(each.rest), each.last]
        for each in team_of(project_of(request)).people
    ]  # fmt: skip
    return _csv("progress.csv", [header, *rows])


@router.get("/export/times.csv", include_in_schema=False)
def time_table(request: Request, person: Owner) -> Response:
    """Export the active time of every person on every sentence."""
    project = project_of(request)
    names = project.store.names()
    rows = [
        [each.item, names[each.person], _rounded(each.milliseconds / 1000), each.at]
        for each in project.store.visits(project.edition.id)
    ]
    return _csv("times.csv", [["item", "person", "active_seconds", "last_active"], *rows])


@router.get("/export/independent.csv", include_in_schema=False)
def decision_table(request: Request, person: Owner) -> Response:
    """Export all decisions that two people made independently, when both were done."""
    found = between_adjudicators(project_of(request))
    header = ["item", "place", "what", "words", "first_person", "first", "second_person", "second", "same",
              "decided"]  # fmt: skip
    rows = [
        [each.item, each.compared.place.place if each.compared.place else "", each.compared.what, each.words,
         each.people[0], each.compared.values[0], each.people[1], each.compared.values[1],
         "yes" if each.compared.same else "no", each.decided]
        for each in found.places
    ]  # fmt: skip
    return _csv("independent.csv", [header, *rows])


@router.get("/api/progress/people", tags=TAGS)
def read_people(request: Request, person: Owner) -> TeamModel:
    """Return progress and pace by person."""
    team = team_of(project_of(request))
    people = [_pace(each) for each in team.people]
    return TeamModel(
        people=people, open=team.open, differing=team.differing, per_hour=team.per_hour, rest=team.rest
    )


@router.get("/api/assignments", tags=TAGS)
def read_assignments(request: Request, person: Owner) -> dict[str, list[int]]:
    """Return the numbers of the people to whom each assigned item is assigned, by item."""
    found = project_of(request).store.assignments()
    return {encodable(item): list(people) for item, people in found.items()}


@router.post("/api/assignments", tags=TAGS)
def make_assignments(request: Request, person: Owner, wanted: DealModel) -> DealtModel:
    """Deal the items that nobody has begun; earlier assignments of these items are replaced."""
    deal = Deal(wanted.shares, wanted.by_document, wanted.double, wanted.seed)
    return DealtModel(**assign(project_of(request), deal)._asdict())


@router.get("/api/assignments/agreement", tags=TAGS)
def read_agreement(request: Request, person: Owner) -> BetweenModel:
    """Return the agreement between adjudicators on the items that two people decided independently."""
    found = between_adjudicators(project_of(request))
    document = {
        "items": found.items,
        "waiting": found.waiting,
        "agreement": [row._asdict() for row in found.rows],
        "differences": [
            {"number": each.number, "item": each.item, "what": each.compared.what, "words": each.words,
             "decisions": dict(zip(each.people, each.compared.values, strict=True)), "decided": each.decided}
            for each in found.differing
        ],
    }  # fmt: skip
    return BetweenModel(**json_safe(document))


@router.post("/pace/{number}", include_in_schema=False)
def report_time(
    request: Request,
    person: Adjudicator,
    number: Annotated[int, Path(ge=1)],
    milliseconds: Annotated[int, Form(ge=0)],
) -> Response:
    """Add to the active time of a person on a sentence."""
    project = project_of(request)
    check_number(project, number)
    project.store.add_visit(project.edition.id, project.item(number).id, person.id, milliseconds)
    return Response(status_code=204)


def _page(
    request: Request,
    person: Person,
    *,
    typed: Mapping[str, object] | None = None,
    outcome: Outcome | None = None,
    wrong: ArbitreeError | None = None,
) -> Response:
    project = project_of(request)
    team, between = team_of(project), between_adjudicators(project)
    able = [each for each in team.people if may_decide(each)]
    return page(
        request,
        "lead.html.j2",
        person=person,
        status=422 if wrong else 200,
        progress=progress_of(project),
        team=team,
        able=able,
        typed=_blank(able) | dict(typed or {}),
        between=between,
        differing=between.differing[:SHOWN],
        outcome=outcome,
        wrong=wrong,
        duration=duration,
    )


def _blank(able: Sequence[Pace]) -> dict[str, object]:
    """Return the contents of the form at first: equal shares for all but the owner, who leads."""
    others = [each.id for each in able if each.role != "owner"] or [each.id for each in able]
    shares = {number: f"{share:g}" for number, share in equal_shares(others).items()}
    return {"shares": shares, "by_document": False, "double": "0", "seed": "0"}


def _percentage(text: str) -> float:
    """Return a typed percentage; 0 for an empty field."""
    shown = text.strip().removesuffix("%").strip().replace(",", ".") or "0"
    try:
        value = float(shown) if shown.isascii() else math.nan
    except ValueError:
        value = math.nan
    if not 0 <= value <= 100:
        raise StudyError(f"{text.strip()!r} is not a percentage", hint="Enter a number from 0 to 100")
    return round(value, 4)


def _seed(text: str) -> int:
    shown = text.strip() or "0"
    if not (shown.isascii() and shown.isdigit() and len(shown) < 11 and int(shown) <= LARGEST_SEED):
        raise StudyError(f"{shown!r} is not a seed", hint=f"Enter a number from 0 to {LARGEST_SEED}")
    return int(shown)


def _pace(each: Pace) -> PaceModel:
    document = {
        "id": each.id,
        "name": each.name,
        "role": each.role,
        "assigned": each.assigned,
        "left": each.left,
        "decided": each.decided,
        "active": each.seconds,
        "per_hour": each.per_hour,
        "median": each.median,
        "rest": each.rest,
        "last": each.last,
    }
    return PaceModel(**json_safe(document))


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _csv(name: str, rows: Iterable[Sequence[object]]) -> Response:
    text = io.StringIO()
    cells = ([spreadsheet_text(str(cell)) for cell in row] for row in rows)
    csv.writer(text, lineterminator="\n").writerows(cells)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    data = text.getvalue().encode("utf-8", "backslashreplace")
    return Response(data, media_type="text/csv; charset=utf-8", headers=headers)
