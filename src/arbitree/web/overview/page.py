"""The overview page: agreement, disagreements and the progress of adjudication."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup
from pydantic import BaseModel, Field

from arbitree.adjudication.index import Frequent
from arbitree.files import portable
from arbitree.study.result import Interval
from arbitree.web.event_loop import at_once
from arbitree.web.pages import is_part, page, part, project_of, rights_of
from arbitree.web.project import background
from arbitree.web.project.background import Finding, json_safe
from arbitree.web.project.progress import progress_of
from arbitree.web.project.project import Project
from arbitree.web.refusals import ANSWERS
from arbitree.web.sentences.filters import list_of, tally
from arbitree.web.sessions import allowed
from arbitree.web.store import Person
from arbitree.wording import encodable

router = APIRouter(responses=ANSWERS)

TAGS: list[str | Enum] = ["explore"]
Viewer = Annotated[Person, allowed("explore")]
Part = Literal["agreement", "pairs", "types", "coders"]
CONFUSED = 15  # pairs of labels of each kind
LISTED = 100  # documents, types
FEWEST = 3  # coders whose pairs are worth a table
PARTS = ("agreement", "pairs", "types", "coders")


class FindingModel(BaseModel):
    """A result that is computed in the background."""

    state: str = Field(description="running, ready or absent")
    why: str = Field(description="the reason if it is absent")
    document: dict[str, Any] = Field(description="the results, if they are ready")


class CoderModel(BaseModel):
    """An annotator."""

    name: str
    done: int = Field(description="number of items that the annotator annotated")


class StudyModel(BaseModel):
    """The study that is served."""

    title: str
    kind: str
    unit: str = Field(description="the noun for an item: sentence or item")
    items: int
    annotations: int
    coders: list[CoderModel]
    states: dict[str, int] = Field(description="number of items in each state")
    contested: int = Field(description="number of disagreements")
    compared: int = Field(description="number of values that at least two annotators give")
    changes: list[str] = Field(description="changes to the files since the last decisions")
    notes: list[str]
    findings: dict[str, FindingModel]


@router.get("/", include_in_schema=False)
@at_once
def show(request: Request, person: Viewer) -> Response:
    """Show the overview of the study."""
    project = project_of(request)
    rights, states, progress = rights_of(project, person), tally(project), progress_of(project)
    findings = {name: project.background.get(name) for name in parts_of(project)}
    # A document that is ready does not change, so the state of its analysis is enough.
    computed = [(each.state, each.why) for each in findings.values()]

    def render() -> Markup:
        documents, more = documents_of(project)
        return part(
            project,
            "overview_body.html.j2",
            rights=rights,
            facts=facts(project),
            differing=differing(project),
            uneven=len(project.index.uneven),
            done=done_by(project),
            states=states,
            progress=progress,
            confusions=confusions(project),
            documents=documents,
            more_documents=more,
            parts={name: _part(name, finding) for name, finding in findings.items()},
            list_of=list_of,
        )

    body = project.drawings.shared(("/", *sorted(rights)), (states, progress, computed), render)
    return page(request, "overview.html.j2", person=person, body=body)


@router.get("/overview/{name}", include_in_schema=False)
def show_part(request: Request, person: Viewer, name: Part) -> Response:
    """Show one part of the overview, for a page that waits for it."""
    project = project_of(request)
    if not is_part(request):
        return RedirectResponse(f"/#{name}", 303)
    context = _part(name, project.background.get(name))
    return page(request, "finding.html.j2", person=person, part=context)


@router.get("/api/study", tags=TAGS)
def study(request: Request, person: Viewer) -> StudyModel:
    """Return the study and the results that have been computed."""
    project = project_of(request)
    counts = project.index.counts
    parts = [name for name in background.PARTS if name != "suggestions"]
    found = {name: project.background.get(name).shown() for name in parts}
    return StudyModel(
        title=encodable(project.title),
        kind=project.study.kind,
        unit=project.kind.unit,
        items=len(project.index),
        annotations=len(project.study.cells),
        coders=[CoderModel(name=encodable(name), done=done) for name, done in done_by(project)],
        states=tally(project),
        contested=int(counts.contested.sum()),
        compared=int(counts.compared.sum()),
        changes=list(map(encodable, project.changes)),
        notes=[encodable(portable(note)) for note in project.study.notes],
        findings={name: FindingModel(**json_safe(each._asdict())) for name, each in found.items()},
    )


def _part(name: str, finding: Finding) -> dict[str, Any]:
    return {"name": name, "finding": finding.shown(), "rows": measured(finding)}


class MeasuredRow(NamedTuple):
    """A row with a value, and its confidence interval for the bar."""

    row: dict[str, Any]
    interval: Interval | None


class Confusions(NamedTuple):
    """Confusions of one kind of value."""

    title: str
    rows: tuple[Frequent, ...]
    more: int


class DocumentRow(NamedTuple):
    """A document with its numbers of contested items and disagreements."""

    name: str
    items: int
    contested: int
    places: int


def parts_of(project: Project) -> tuple[str, ...]:
    """Return the parts that the study supports: types need trees, pairs need three annotators."""
    left_out = set()
    if len(project.study.coders) < 2:
        return ()
    if project.kind.constructions is None:
        left_out.add("types")
    if len(project.study.coders) < FEWEST:
        left_out.add("pairs")
    return tuple(name for name in PARTS if name not in left_out)


def measured(finding: Finding) -> list[MeasuredRow]:
    """Return the rows of a result with their confidence intervals."""
    return [
        MeasuredRow(row, Interval(**row["interval"]) if row.get("interval") else None)
        for row in finding.document.get("rows", ())
    ]


def facts(project: Project) -> list[str]:
    """Return the numbers of items, annotators, annotations and tokens, as text."""
    study, unit = project.study, project.kind.unit
    counts = {unit: len(study.items), "annotator": len(study.coders), "annotation": len(study.cells)}
    if unit != "item":
        counts["token"] = int(project.index.counts.lengths.sum())
    found = [_counted(count, thing) for thing, count in counts.items()]
    if study.missing:
        found[2] += f" ({study.missing:,} missing)"
    return found


def differing(project: Project) -> str:
    """Return a sentence with the numbers of contested items and disagreements."""
    index, unit = project.index, project.kind.unit
    contested = index.tally()["contested"]
    if len(project.study.coders) < 2:
        return "There is only 1 annotator, so nothing is compared. Pass the files of at least 2 annotators."
    if not contested:
        return f"0 of {_counted(len(index), unit)} have disagreements."
    places, compared = int(index.counts.contested.sum()), int(index.counts.compared.sum())
    return (
        f"{contested:,} of {_counted(len(index), unit)} {'has' if contested == 1 else 'have'} disagreements: "
        f"{places:,} of {compared:,} {project.compared} {'differs' if places == 1 else 'differ'}."
    )


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def done_by(project: Project) -> list[tuple[str, int]]:
    """Return the number of items that each annotator annotated."""
    counts = project.index.counts.done.sum(axis=0).tolist()
    return list(zip(project.study.coders, counts, strict=True))


def confusions(project: Project) -> list[Confusions]:
    """Return the confusions by kind of value, the most frequent kind first."""
    kinds = Counter[str]()
    rows: dict[str, list[Frequent]] = {}
    for each in project.index.confusions:
        kinds[each.what] += each.times
        rows.setdefault(each.what, []).append(each)
    places = project.kind.places
    titles = {what: each.title for what, each in places.whats.items()} if places else {}
    return [
        Confusions(titles.get(what, what), tuple(rows[what][:CONFUSED]), max(0, len(rows[what]) - CONFUSED))
        for what, _ in kinds.most_common()
    ]


def documents_of(project: Project) -> tuple[list[DocumentRow], int]:
    """Return the documents with most contested items, and the number of other documents."""
    found = [DocumentRow(*row) for row in project.index.by_document()]
    found.sort(key=lambda each: -each.contested)
    return found[:LISTED], max(0, len(found) - LISTED)
