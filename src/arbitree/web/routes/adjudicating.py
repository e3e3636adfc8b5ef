"""Pages on which an adjudicator decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response

from arbitree.analyses.adjudication.places import Verdict
from arbitree.errors import UnknownName
from arbitree.web import browsing, desk
from arbitree.web.browsing import Filter
from arbitree.web.deskview import view_of
from arbitree.web.pages import is_part, page, project_of
from arbitree.web.people import allowed
from arbitree.web.project import Project
from arbitree.web.refusals import Refusal
from arbitree.web.store import Conflict, Person
from arbitree.web.worklist import next_undecided, progress_of

router = APIRouter(include_in_schema=False)

Adjudicator = Annotated[Person, allowed("adjudicate")]
Wanted = Annotated[Filter, Depends(browsing.asked)]
Seen = Annotated[int, Form(ge=0)]
Once = Annotated[str, Form(alias="request", min_length=8, max_length=64)]
Text = Annotated[str, Form(max_length=4000)]


@router.get("/adjudicate")
def first(request: Request, person: Adjudicator, wanted: Wanted) -> Response:
    """Go to the first sentence that is not decided, of all or of those that pass a filter."""
    return _onward(request, person, 0, wanted)


@router.get("/adjudicate/{number}")
def show(request: Request, number: int, person: Adjudicator, wanted: Wanted) -> Response:
    """Show the desk of one sentence."""
    return _desk(request, person, number, wanted)


@router.get("/adjudicate/{number}/next")
def following(request: Request, number: int, person: Adjudicator, wanted: Wanted) -> Response:
    """Go to the next sentence that is not decided."""
    return _onward(request, person, number, wanted)


@router.post("/adjudicate/{number}/decide")
def decide(
    request: Request,
    number: int,
    person: Adjudicator,
    wanted: Wanted,
    seen: Seen,
    once: Once,
    wish: Text = "",
    own: Text = "",
    key: Text = "",
) -> Response:
    """Take one choice, an own value, or an offer of several changes."""
    changes = _changes(wish) if wish else {key: own.strip()}
    return _act(
        request,
        person,
        number,
        wanted,
        seen,
        once,
        lambda w: desk.decide(project_of(request), number, w, changes),
    )


@router.post("/adjudicate/{number}/take")
def take(
    request: Request, number: int, person: Adjudicator, wanted: Wanted, seen: Seen, once: Once, coder: Text
) -> Response:
    """Take all that one coder says of the contested places, or what is suggested."""
    project = project_of(request)
    sheet = _sheet(request, number)
    changes = sheet.of_coder(coder) if coder else project.findings.suggestions(sheet.item.id)
    if not changes:
        raise Refusal(422, "There is nothing to take", hint="Choose a coder who has annotated this sentence")
    return _act(
        request, person, number, wanted, seen, once, lambda w: desk.decide(project, number, w, changes)
    )


@router.post("/adjudicate/{number}/clear")
def clear(
    request: Request, number: int, person: Adjudicator, wanted: Wanted, seen: Seen, once: Once, key: Text
) -> Response:
    """Make a place undecided again."""
    return _act(
        request,
        person,
        number,
        wanted,
        seen,
        once,
        lambda w: desk.clear(project_of(request), number, w, [key]),
    )


@router.post("/adjudicate/{number}/note")
def note(
    request: Request,
    number: int,
    person: Adjudicator,
    wanted: Wanted,
    seen: Seen,
    once: Once,
    key: Text = "",
    text: Text = "",
) -> Response:
    """Keep a note on a place, or on the sentence."""
    return _act(
        request,
        person,
        number,
        wanted,
        seen,
        once,
        lambda w: desk.note(project_of(request), number, w, key, text),
    )


@router.post("/adjudicate/{number}/reject")
def reject(
    request: Request, number: int, person: Adjudicator, wanted: Wanted, seen: Seen, once: Once, why: Text = ""
) -> Response:
    """Leave the sentence out of the gold standard."""
    return _act(
        request,
        person,
        number,
        wanted,
        seen,
        once,
        lambda w: desk.reject(project_of(request), number, w, why),
    )


@router.post("/adjudicate/{number}/reopen")
def reopen(
    request: Request, number: int, person: Adjudicator, wanted: Wanted, seen: Seen, once: Once
) -> Response:
    """Take the sentence in again."""
    return _act(
        request, person, number, wanted, seen, once, lambda w: desk.reopen(project_of(request), number, w)
    )


@router.post("/adjudicate/{number}/undo")
def undo(
    request: Request, number: int, person: Adjudicator, wanted: Wanted, seen: Seen, once: Once
) -> Response:
    """Take back the last step on this sentence."""
    return _act(
        request, person, number, wanted, seen, once, lambda w: desk.undo(project_of(request), number, w)
    )


def _onward(request: Request, person: Person, after: int, wanted: Filter) -> Response:
    project = project_of(request)
    number = next_undecided(project, after, _listed(project, wanted).numbers)
    if number is None and after:
        return RedirectResponse(f"/adjudicate{wanted.query}", 303)
    if number is None:
        words = browsing.words_of(project, wanted)
        return page(
            request, "finished.html.j2", person=person, progress=progress_of(project), asked_for=words
        )
    return RedirectResponse(f"/adjudicate/{number}{wanted.query}", 303)


def _listed(project: Project, wanted: Filter) -> browsing.Found:
    """Return the sentences to go through: without a filter all of them, in the order of the files."""
    return browsing.find(project, wanted if wanted or wanted.sort else replace(wanted, sort="order"))


def _sheet(request: Request, number: int) -> Any:
    try:
        return project_of(request).sheet(number)
    except IndexError:
        raise Refusal(
            404, "There is no such sentence", hint="Choose one from the list of sentences"
        ) from None


def _changes(wish: str) -> dict[str, str]:
    """Return the changes that a button stands for: lines of a key, a tab and a value.

    Example:
        >>> _changes("3 head\\t2 saw\\n4 head\\t0 root")
        {'3 head': '2 saw', '4 head': '0 root'}
    """
    pairs = [line.partition("\t")[::2] for line in wish.split("\n") if line]
    return {key: value.removesuffix("\r") for key, value in pairs}


def _act(
    request: Request,
    person: Person,
    number: int,
    wanted: Filter,
    seen: int,
    once: str,
    do: Callable[[desk.Wish], desk.Outcome],
) -> Response:
    """Do what was wished and show the desk again: changed, refused with offers, or with what others did."""
    _sheet(request, number)
    try:
        outcome = do(desk.Wish(person, seen, once))
    except Conflict as conflict:
        return _desk(request, person, number, wanted, status=409, conflict=conflict)
    except UnknownName as error:
        return _desk(request, person, number, wanted, status=422, wrong=error)
    verdict = outcome.verdict
    if not outcome.saved:
        return _desk(request, person, number, wanted, status=422, verdict=verdict)
    if is_part(request):
        return _desk(request, person, number, wanted, verdict=verdict)
    return RedirectResponse(f"/adjudicate/{number}{wanted.query}", 303)


def _desk(
    request: Request,
    person: Person,
    number: int,
    wanted: Filter,
    *,
    status: int = 200,
    verdict: Verdict | None = None,
    conflict: Conflict | None = None,
    wrong: UnknownName | None = None,
) -> Response:
    project = project_of(request)
    _sheet(request, number)
    view = view_of(project, number, person)
    template = "desk.html.j2" if is_part(request) else "adjudicate.html.j2"
    return page(
        request,
        template,
        person=person,
        status=status,
        view=view,
        verdict=verdict,
        conflict=view.conflict(conflict) if conflict else None,
        wrong=wrong,
        progress=progress_of(project),
        wanted=wanted,
        asked_for=browsing.words_of(project, wanted),
        beside=browsing.neighbours(_listed(project, wanted), number),
        once=lambda: uuid4().hex,
    )
