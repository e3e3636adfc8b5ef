"""Exploring through JSON: the study, its sentences, and each of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BaseModel, Field

from arbitree.adjudication.index import Entry
from arbitree.kinds.kind import Kind
from arbitree.reporting.outline import encodable
from arbitree.study.study import Annotation
from arbitree.web.overview import view
from arbitree.web.pages import project_of
from arbitree.web.project.background import PARTS
from arbitree.web.project.background_parts import written
from arbitree.web.refusals import Refusal
from arbitree.web.sentences import filters
from arbitree.web.sentences.filters import Filter
from arbitree.web.sentences.view import SentenceView
from arbitree.web.sessions import allowed
from arbitree.web.store import Person

router = APIRouter(prefix="/api", tags=["explore"])

Viewer = Annotated[Person, allowed("explore")]
Wanted = Annotated[Filter, Depends(filters.asked)]
Number = Annotated[int, Path(ge=1, le=2**31, description="Number of the item, from 1")]


class FindingModel(BaseModel):
    """Something that takes long to compute."""

    state: str = Field(description="running, ready or absent")
    why: str = Field(description="why it is absent")
    document: dict[str, Any] = Field(description="what was found, once it is ready")


class CoderModel(BaseModel):
    """A coder."""

    name: str
    done: int = Field(description="items that the coder did")


class StudyModel(BaseModel):
    """What is served."""

    title: str
    kind: str
    unit: str = Field(description="what an item is called")
    items: int
    annotations: int
    coders: list[CoderModel]
    states: dict[str, int] = Field(description="items of each state")
    contested: int = Field(description="places on which coders differ")
    compared: int = Field(description="places that at least two coders annotated")
    changes: list[str] = Field(description="what changed on disk since the last decisions")
    notes: list[str]
    findings: dict[str, FindingModel]


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
    coders: list[str] = Field(description="who did it")
    pairs: list[tuple[str, str]] = Field(description="coders who differ")
    labels: list[str] = Field(description="involved in what they differ on")


class ListModel(BaseModel):
    """One page of a list."""

    count: int = Field(description="items that pass the filters")
    total: int
    page: int
    pages: int
    sentences: list[SentenceModel]


class AnnotationModel(BaseModel):
    """What one coder says of an item."""

    coder: str
    source: str = Field(description="path:line")
    value: dict[str, Any]


class ItemModel(SentenceModel):
    """An item with its annotations."""

    differences: list[str] = Field(description="what differs, in words")
    annotations: list[AnnotationModel]


@router.get("/study")
def study(request: Request, person: Viewer) -> StudyModel:
    """Return what the study is and what was found out about it."""
    project = project_of(request)
    counts = project.index.counts
    found = {part: project.background.get(part) for part in PARTS if part != "suggestions"}
    return StudyModel(
        title=encodable(project.title),
        kind=project.study.kind,
        unit=project.kind.unit,
        items=len(project.index),
        annotations=len(project.study.cells),
        coders=[CoderModel(name=encodable(name), done=done) for name, done in view.done_by(project)],
        states=filters.tally(project),
        contested=int(counts.contested.sum()),
        compared=int(counts.compared.sum()),
        changes=list(map(encodable, project.changes)),
        notes=list(map(encodable, project.study.notes)),
        findings={
            part: FindingModel(state=each.state, why=each.why, document=written(dict(each.document)))
            for part, each in found.items()
        },
    )


@router.get("/sentences")
def sentences(
    request: Request, person: Viewer, wanted: Wanted, page: Annotated[int, Query(ge=1, le=10**6)] = 1
) -> ListModel:
    """Return the items that pass the filters, a page at a time."""
    project = project_of(request)
    found = filters.find(project, wanted)
    pages = max(1, -(-len(found.numbers) // filters.SHOWN))
    if page > pages:
        raise Refusal(404, f"There is no page {page} of this list", hint=f"It has {pages}")
    numbers = found.numbers[(page - 1) * filters.SHOWN : page * filters.SHOWN]
    entries = [project.index[number] for number in numbers]
    return ListModel(
        count=len(found.numbers),
        total=len(project.index),
        page=page,
        pages=pages,
        sentences=[SentenceModel(**_entry(entry, found.status(entry))) for entry in entries],
    )


@router.get("/sentences/{number}")
def sentence(request: Request, person: Viewer, number: Number) -> ItemModel:
    """Return an item with what every coder says of it."""
    project = project_of(request)
    if number > len(project.index):
        raise Refusal(404, "There is no such item", hint="Numbers run from 1 in the order of the study")
    entry = project.index[number]
    status = project.statuses.get().get(entry.id, entry.state)
    view = SentenceView(project, number, entry, status)
    return ItemModel(
        **_entry(entry, status),
        differences=[encodable(row.sentence) for row in view.rows],
        annotations=[_annotation(cell, project.kind) for cell in view.cells.values()],
    )


def _entry(entry: Entry, status: str) -> dict[str, Any]:
    names = ("number", "id", "document", "text", "length", "contested", "compared", "disagreement")
    values = {name: getattr(entry, name) for name in (*names, "coders", "pairs", "labels")}
    found: dict[str, Any] = written(values | {"status": status})
    return found


def _annotation(cell: Annotation[Any], kind: Kind[Any]) -> AnnotationModel:
    source = encodable(str(cell.source or ""))
    return AnnotationModel(coder=encodable(cell.coder), source=source, value=written(kind.record(cell.value)))
