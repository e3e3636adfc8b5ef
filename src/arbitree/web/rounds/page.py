"""Pages on which the owner creates judging rounds and follows their progress, and their JSON routes."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from arbitree.errors import ArbitreeError, StudyError
from arbitree.kinds.preference.trials import MOST_REPEATS, Round
from arbitree.web.pages import is_part, page, project_of
from arbitree.web.refusals import ANSWERS
from arbitree.web.rounds import progress
from arbitree.web.rounds.progress import RoundProgress
from arbitree.web.sessions import allowed
from arbitree.web.store import Person, StoreError

router = APIRouter(responses=ANSWERS)

Owner = Annotated[Person, allowed("own")]
Text = Annotated[str, Form(max_length=1000)]
Tick = Annotated[bool, Form()]

LARGEST_SEED = 2**31 - 1


def drawn_seed() -> int:
    """Return a random seed, so that judges cannot derive the sides."""
    return secrets.randbelow(LARGEST_SEED)


class RoundIn(BaseModel):
    """The settings of a judging round."""

    systems: tuple[str, str] = Field(description="Two annotators of the study.")
    sentences: int | None = Field(
        None, ge=1, description="Number of sentences; null for all on which the systems differ."
    )
    repeats: float = Field(
        0.1, ge=0, le=MOST_REPEATS, description="Share of sentences to repeat with sides swapped."
    )
    equal: bool = True
    bad: bool = True
    reference: str = Field("", description='Annotator whose parse is shown as a reference; "" for none.')
    seed: int = Field(default_factory=drawn_seed, ge=0, le=LARGEST_SEED)


class JudgeOut(BaseModel):
    """The progress and consistency of a judge."""

    name: str
    done: int
    total: int
    counts: dict[str, int]
    repeats_alike: int
    repeats: int
    upper: int
    lower: int


class RoundOut(RoundIn):
    """A round and its judges."""

    id: int
    at: str
    closed: str = Field(description="Time of closing; empty while the round is open.")
    items: int
    left_out: dict[str, int]
    judges: list[JudgeOut]
    agreement: dict[str, Any]
    command: str


@router.get("/rounds", include_in_schema=False)
def index(request: Request, person: Owner) -> Response:
    """List the rounds, with a form for a new one."""
    return _index(request, person, {})


@router.post("/rounds", include_in_schema=False)
def create(
    request: Request,
    person: Owner,
    first: Text,
    second: Text,
    sentences: Text = "",
    repeats: Text = "10",
    equal: Tick = False,
    bad: Tick = False,
    reference: Text = "",
    seed: Text = "",
) -> Response:
    """Create a round and show it."""
    typed = {"first": first, "second": second, "sentences": sentences, "repeats": repeats, "equal": equal,
             "bad": bad, "reference": reference, "seed": seed}  # fmt: skip
    try:
        settings = Round(
            systems=(first, second),
            sentences=_number(sentences, "sentences", 1, progress.MOST_SENTENCES)
            if sentences.strip()
            else None,
            repeats=_number(repeats, "repeats", 0, round(100 * MOST_REPEATS)) / 100,
            equal=equal,
            bad=bad,
            reference=reference,
            seed=_number(seed, "seed", 0, LARGEST_SEED) if seed.strip() else drawn_seed(),
        )
        made = progress.make(project_of(request), settings)
    except StoreError:
        raise
    except ArbitreeError as error:
        return _index(request, person, typed, wrong=error)
    return RedirectResponse(f"/rounds/{made.kept.id}", 303)


@router.get("/rounds/{number}", include_in_schema=False)
def show(request: Request, number: int, person: Owner) -> Response:
    """Show the progress of a round; scripts request only the numbers."""
    template = "round_figures.html.j2" if is_part(request) else "round.html.j2"
    return page(request, template, person=person, round=progress.round_of(project_of(request), number))


@router.post("/rounds/{number}/close", include_in_schema=False)
def close(request: Request, number: int, person: Owner) -> Response:
    """Close a round."""
    _set_open(request, number, False)
    return RedirectResponse(f"/rounds/{number}", 303)


@router.post("/rounds/{number}/reopen", include_in_schema=False)
def reopen(request: Request, number: int, person: Owner) -> Response:
    """Reopen a round."""
    _set_open(request, number, True)
    return RedirectResponse(f"/rounds/{number}", 303)


@router.get("/rounds/{number}/judgments.jsonl", include_in_schema=False)
def download(request: Request, number: int, person: Owner) -> Response:
    """Export the judgments of a round."""
    return _file(progress.round_of(project_of(request), number))


@router.get("/api/rounds", tags=["rounds"])
def list_rounds(request: Request, person: Owner) -> list[RoundOut]:
    """Return all rounds, the newest first."""
    return [_out(each) for each in progress.all_rounds(project_of(request))]


@router.post("/api/rounds", tags=["rounds"], status_code=201)
def make_round(request: Request, person: Owner, wanted: RoundIn) -> RoundOut:
    """Create a round."""
    return _out(progress.make(project_of(request), Round(**wanted.model_dump())))


@router.get("/api/rounds/{number}", tags=["rounds"])
def read_round(request: Request, number: int, person: Owner) -> RoundOut:
    """Return a round with its judges."""
    return _out(progress.round_of(project_of(request), number))


@router.post("/api/rounds/{number}/close", tags=["rounds"])
def close_round(request: Request, number: int, person: Owner) -> RoundOut:
    """Close a round."""
    return _out(_set_open(request, number, False))


@router.post("/api/rounds/{number}/reopen", tags=["rounds"])
def reopen_round(request: Request, number: int, person: Owner) -> RoundOut:
    """Reopen a round."""
    return _out(_set_open(request, number, True))


@router.get(
    "/api/rounds/{number}/judgments",
    tags=["rounds"],
    response_class=Response,
    responses={
        200: {"content": {"application/x-ndjson": {}}, "description": "JSON lines for arbitree prefer."}
    },
)
def read_judgments(request: Request, number: int, person: Owner) -> Response:
    """Return the judgments as JSON lines, which ``arbitree prefer --judgments`` reads."""
    return _file(progress.round_of(project_of(request), number))


def _index(
    request: Request, person: Person, typed: dict[str, Any], *, wrong: ArbitreeError | None = None
) -> Response:
    project = project_of(request)
    first, second = progress.likely_systems(project.study)
    blank = {"first": first, "second": second, "sentences": "", "repeats": "10", "equal": True, "bad": True,
             "reference": "", "seed": str(drawn_seed())}  # fmt: skip
    return page(
        request,
        "rounds.html.j2",
        person=person,
        status=422 if wrong else 200,
        rounds=progress.all_rounds(project),
        possible=progress.judges_trees(project),
        typed=blank | typed,
        wrong=wrong,
    )


def _number(text: str, what: str, least: int, most: int) -> int:
    shown = text.strip()
    if not (shown.isascii() and shown.isdigit() and len(shown) < 12 and least <= int(shown) <= most):
        raise StudyError(
            f"{shown!r} is not a valid value for {what}", hint=f"Enter a number from {least} to {most:,}"
        )
    return int(shown)


def _set_open(request: Request, number: int, opened: bool) -> RoundProgress:
    project = project_of(request)
    progress.round_of(project, number)
    if opened:
        project.store.reopen_round(number)
    else:
        project.store.close_round(number)
    return progress.round_of(project, number)


def _file(judged: RoundProgress) -> Response:
    disposition = f'attachment; filename="{judged.file_name}"'
    text = "".join(judged.lines)
    return Response(text, media_type="application/x-ndjson", headers={"Content-Disposition": disposition})


def _out(judged: RoundProgress) -> RoundOut:
    settings, kept = judged.settings, judged.kept
    judges = [
        JudgeOut(
            name=judge.name,
            done=judge.done,
            total=len(judge.trials),
            counts=judge.counts,
            repeats_alike=judge.consistency[0],
            repeats=judge.consistency[1],
            upper=judge.sides[0],
            lower=judge.sides[1],
        )
        for judge in judged.judges
    ]
    return RoundOut(
        **settings.to_dict(),
        id=kept.id,
        at=kept.at,
        closed=kept.closed,
        items=len(judged.items),
        left_out=kept.settings["left_out"],
        judges=judges,
        agreement=dict(judged.agreement.to_dict()),
        command=judged.command,
    )
