"""The list of sentences, and the page of each."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response

from arbitree.web.coder_badges import Who, whos_of
from arbitree.web.pages import is_part, page, project_of
from arbitree.web.refusals import Refusal
from arbitree.web.sentences import filters
from arbitree.web.sentences.filters import Filter
from arbitree.web.sentences.view import SentenceView
from arbitree.web.sessions import allowed
from arbitree.web.store import Person

router = APIRouter(include_in_schema=False)

Viewer = Annotated[Person, allowed("explore")]
Wanted = Annotated[Filter, Depends(filters.asked)]
PageNumber = Annotated[int, Query(alias="page", ge=1, le=10**6)]
BADGED = 12  # coders whose badges fit into a row


@router.get("/sentences")
def listing(request: Request, person: Viewer, wanted: Wanted, shown: PageNumber = 1) -> Response:
    """List the sentences that pass the filters."""
    project = project_of(request)
    found = filters.find(project, wanted)
    pages = max(1, -(-len(found.numbers) // filters.SHOWN))
    if shown > pages:
        raise Refusal(404, f"There is no page {shown} of this list", hint=f"It has {pages}")
    first = (shown - 1) * filters.SHOWN
    entries = [project.index[number] for number in found.numbers[first : first + filters.SHOWN]]
    swapped = is_part(request) and request.headers.get("HX-Target") == "list"
    return page(
        request,
        "list.html.j2" if swapped else "sentences.html.j2",
        person=person,
        swapped=swapped,
        wanted=wanted,
        asked_for=filters.words_of(project, wanted),
        choices=None if swapped else filters.choices_of(project),
        sorts=filters.SORTS,
        entries=[(entry, found.status(entry)) for entry in entries],
        whos=_badged(project.study.coders),
        count=len(found.numbers),
        total=len(project.index),
        first=first,
        shown=shown,
        pages=pages,
    )


@router.get("/sentences/{number}")
def show(request: Request, person: Viewer, number: int, wanted: Wanted) -> Response:
    """Show one sentence: the trees over one another, what differs, what was decided."""
    project = project_of(request)
    found = filters.find(project, wanted)
    view = _view(request, number, found)
    return page(
        request,
        "sentence.html.j2",
        person=person,
        view=view,
        wanted=wanted,
        asked_for=filters.words_of(project, wanted),
        beside=filters.neighbours(found, number),
    )


@router.get("/sentences/{number}/picture")
def picture(request: Request, person: Viewer, number: int) -> Response:
    """Show the trees over one another by themselves, for those that take long to draw."""
    return _drawn(request, person, number, "picture.html.j2")


@router.get("/sentences/{number}/coders")
def coders(request: Request, person: Viewer, number: int) -> Response:
    """Show the tree of each coder by itself, and trees with nothing folded."""
    return _drawn(request, person, number, "coders.html.j2")


def _badged(coders: tuple[str, ...]) -> dict[str, Who]:
    """Return the badges of coders, unless there are so many that they would fill the page."""
    return whos_of(coders) if len(coders) <= BADGED else {}


def _drawn(request: Request, person: Person, number: int, template: str) -> Response:
    project = project_of(request)
    view = _view(request, number, filters.Found([], project.statuses.get()))
    if not view.is_tree:
        raise Refusal(404, "There is no picture of such annotations", hint="Go back to the sentence")
    return page(request, template, person=person, view=view, swapped=is_part(request))


def _view(request: Request, number: int, found: filters.Found) -> SentenceView:
    project = project_of(request)
    if not 0 < number <= len(project.index):
        raise Refusal(404, "There is no such sentence", hint="Choose one from the list of sentences")
    entry = project.index[number]
    return SentenceView(project, number, entry, found.status(entry))
