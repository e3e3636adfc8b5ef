"""The list of sentences and the page of one sentence, and their JSON routes."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, NamedTuple

import numpy as np
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from pydantic import BaseModel, Field

from arbitree.adjudication.index import Index, IndexRow
from arbitree.drawing.badges import CoderBadge, coder_badges
from arbitree.files import portable
from arbitree.kinds.kind import Kind
from arbitree.study.flat_tree import IntArray
from arbitree.study.study import Annotation
from arbitree.web.event_loop import at_once
from arbitree.web.pages import check_number, is_part, page, part, project_of, rights_of
from arbitree.web.project.background import json_safe
from arbitree.web.project.project import Project
from arbitree.web.refusals import ANSWERS, Refusal
from arbitree.web.sentences import filters
from arbitree.web.sentences.filters import Filter
from arbitree.web.sentences.view import SentenceView
from arbitree.web.sessions import allowed
from arbitree.web.store import Person
from arbitree.wording import encodable, encoded

router = APIRouter(responses=ANSWERS)

TAGS: list[str | Enum] = ["explore"]
Viewer = Annotated[Person, allowed("explore")]
Asked = Annotated[Filter, Depends(filters.asked)]
Wanted = Annotated[Filter, Depends(filters.asked_of_page)]
PageNumber = Annotated[int, Query(alias="page", ge=1, le=10**6)]
Number = Annotated[int, Path(ge=1, le=2**31, description="Number of the item, from 1")]
BADGED = 12  # coders whose badges fit into a row
NONE: IntArray = np.zeros(0, dtype=np.int32)  # numbers of sentences


class SentenceModel(BaseModel):
    """An item in a list."""

    number: int
    id: str
    document: str
    text: str
    length: int
    status: str = Field(description="agreed, contested, incomplete, decided or rejected")
    contested: int
    compared: int
    disagreement: float
    coders: list[str] = Field(description="annotators who annotated the item")
    pairs: list[tuple[str, str]] = Field(description="pairs of annotators who disagree")
    labels: list[str] = Field(description="labels involved in the disagreements")


class ListModel(BaseModel):
    """One page of a list."""

    count: int = Field(description="items that match the filters")
    total: int
    page: int
    pages: int
    sentences: list[SentenceModel]


class AnnotationModel(BaseModel):
    """The annotation of one annotator."""

    coder: str
    source: str = Field(description="path:line")
    value: dict[str, Any]


class ItemModel(SentenceModel):
    """An item with its annotations."""

    texts: dict[str, str] = Field(description="texts of the item by column")
    differences: list[str] = Field(description="the disagreements as text")
    annotations: list[AnnotationModel]


class ListPage(NamedTuple):
    """One page of the sentences that match a filter."""

    found: filters.Found
    pages: int
    first: int  # place in the list
    numbers: list[int]

    def entries(self, index: Index) -> list[tuple[IndexRow, str]]:
        """Return the sentences on the page, with the status of each."""
        entries = [index[number] for number in self.numbers]
        return [(entry, self.found.status(entry)) for entry in entries]


def list_page(project: Project, wanted: Filter, shown: int) -> ListPage:
    """Return a page of the list by its number; raise Refusal if it does not exist."""
    found = filters.find(project, wanted)
    pages = max(1, -(-len(found.numbers) // filters.SHOWN))
    if shown > pages:
        raise Refusal(404, f"Page {shown} of this list does not exist", hint=f"The last page is {pages}")
    first = (shown - 1) * filters.SHOWN
    return ListPage(found, pages, first, found.numbers[first : first + filters.SHOWN].tolist())


@router.get("/sentences", include_in_schema=False)
@at_once
def show_list(request: Request, person: Viewer, wanted: Wanted, shown: PageNumber = 1) -> Response:
    """List the sentences that match the filters."""
    project = project_of(request)
    listed = list_page(project, wanted, shown)
    swapped = is_part(request) and request.headers.get("HX-Target") == "list"
    template = "list.html.j2" if swapped else "sentences_body.html.j2"
    rights = rights_of(project, person)

    def render() -> Markup:
        return part(
            project,
            template,
            rights=rights,
            swapped=swapped,
            wanted=wanted,
            asked_for=filters.words_of(project, wanted),
            choices=None if swapped else filters.choices_of(project),
            sorts=filters.SORTS,
            entries=listed.entries(project.index),
            badges=_badged(project.study.coders),
            count=len(listed.found.numbers),
            uneven=len(project.index.uneven),
            total=len(project.index),
            first=listed.first,
            shown=shown,
            pages=listed.pages,
        )

    if wanted:  # few people ask for the same one
        body = render()
    else:
        ids = [project.index.ids[number - 1] for number in listed.numbers]
        states = [listed.found.statuses.get(each) for each in ids]  # None is that of the index
        types = project.background.get("types").state
        name = (template, wanted.but(page=shown), *sorted(rights))
        body = project.drawings.shared(name, (listed.numbers, states, types), render)
    if swapped:
        return HTMLResponse(encoded(body))
    return page(request, "sentences.html.j2", person=person, body=body)


@router.get("/api/sentences", tags=TAGS)
def sentences(request: Request, person: Viewer, wanted: Asked, shown: PageNumber = 1) -> ListModel:
    """Return one page of the items that match the filters."""
    project = project_of(request)
    listed = list_page(project, wanted, shown)
    return ListModel(
        count=len(listed.found.numbers),
        total=len(project.index),
        page=shown,
        pages=listed.pages,
        sentences=[SentenceModel(**_entry(entry, status)) for entry, status in listed.entries(project.index)],
    )


@router.get("/sentences/{number}", include_in_schema=False)
@at_once
def show(request: Request, person: Viewer, number: int, wanted: Wanted) -> Response:
    """Show one sentence: the overlaid trees, the disagreements and the decisions."""
    project = project_of(request)
    found = filters.find(project, wanted)
    view = _view(request, number, found)
    return page(
        request,
        "sentence.html.j2",
        person=person,
        view=view,
        body=project.drawings.around(
            view.item, view.state, lambda: part(project, "sentence_body.html.j2", view=view)
        ),
        wanted=wanted,
        asked_for=filters.words_of(project, wanted),
        beside=filters.neighbours(found, number),
    )


@router.get("/api/sentences/{number}", tags=TAGS)
def sentence(request: Request, person: Viewer, number: Number) -> ItemModel:
    """Return an item with all its annotations."""
    project = project_of(request)
    check_number(project, number)
    view = _view(request, number, filters.Found(NONE, project.statuses.get()))
    return ItemModel(
        **_entry(view.entry, view.status),
        texts=json_safe(project.study.texts.by_column(view.entry.id)),
        differences=[encodable(row.sentence) for row in view.rows],
        annotations=[_annotation(cell, project.kind) for cell in view.cells.values()],
    )


@router.get("/sentences/{number}/picture", include_in_schema=False)
def picture(request: Request, person: Viewer, number: int) -> Response:
    """Show the overlaid trees of a sentence that takes long to draw."""
    return _drawn(request, person, number, "picture.html.j2")


@router.get("/sentences/{number}/coders", include_in_schema=False)
def coders(request: Request, person: Viewer, number: int) -> Response:
    """Show the tree of each annotator separately."""
    return _drawn(request, person, number, "coders.html.j2")


def _badged(coders: tuple[str, ...]) -> dict[str, CoderBadge]:
    """Return the badges of annotators; none if there are too many for the page."""
    return coder_badges(coders) if len(coders) <= BADGED else {}


def _drawn(request: Request, person: Person, number: int, template: str) -> Response:
    project = project_of(request)
    view = _view(request, number, filters.Found(NONE, project.statuses.get()))
    if not view.is_tree:
        raise Refusal(404, "Annotations of this kind cannot be drawn", hint="Go back to the sentence")
    return page(request, template, person=person, view=view, swapped=is_part(request))


def _view(request: Request, number: int, found: filters.Found) -> SentenceView:
    project = project_of(request)
    check_number(project, number)
    entry = project.index[number]
    return SentenceView(project, number, entry, found.status(entry))


def _entry(entry: IndexRow, status: str) -> dict[str, Any]:
    names = ("number", "id", "document", "text", "length", "contested", "compared", "disagreement")
    values = {name: getattr(entry, name) for name in (*names, "coders", "pairs", "labels")}
    found: dict[str, Any] = json_safe(values | {"status": status})
    return found


def _annotation(cell: Annotation[Any], kind: Kind[Any]) -> AnnotationModel:
    source = encodable(portable(str(cell.source or "")))
    return AnnotationModel(
        coder=encodable(cell.coder), source=source, value=json_safe(kind.record(cell.value))
    )
