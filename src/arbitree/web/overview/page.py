"""The first page: how well the coders agree, on what they do not, and how far the adjudication is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from arbitree.web.overview import view
from arbitree.web.pages import is_part, page, project_of
from arbitree.web.project.progress import progress_of
from arbitree.web.project.project import Project
from arbitree.web.sentences.filters import list_of, tally
from arbitree.web.sessions import allowed
from arbitree.web.store import Person

router = APIRouter(include_in_schema=False)

Viewer = Annotated[Person, allowed("explore")]
Part = Literal["agreement", "pairs", "types", "coders"]


@router.get("/")
def show(request: Request, person: Viewer) -> Response:
    """Show what there is to know of the study."""
    project = project_of(request)
    documents, more = view.documents(project)
    return page(
        request,
        "overview.html.j2",
        person=person,
        facts=view.facts(project),
        differing=view.differing(project),
        done=view.done_by(project),
        states=tally(project),
        progress=progress_of(project),
        confusions=view.confusions(project),
        documents=documents,
        more_documents=more,
        parts={name: _part(project, name) for name in view.parts_of(project)},
        list_of=list_of,
    )


@router.get("/overview/{name}")
def part(request: Request, person: Viewer, name: Part) -> Response:
    """Show one part again, for a page that waits for it."""
    project = project_of(request)
    if not is_part(request):
        return RedirectResponse(f"/#{name}", 303)
    context = _part(project, name)
    return page(request, "finding.html.j2", person=person, part=context)


def _part(project: Project, name: str) -> dict[str, Any]:
    finding = project.background.get(name)
    return {"name": name, "finding": finding, "rows": view.measured(finding)}
