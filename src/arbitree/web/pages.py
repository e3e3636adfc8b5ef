"""Pages made from templates, and the files that they load."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment

import arbitree
from arbitree.reporting.html import environment_of, source_of
from arbitree.reporting.outline import encodable
from arbitree.web.project.project import Project
from arbitree.web.refusals import Refusal
from arbitree.web.roles import may
from arbitree.web.sessions import csrf_token
from arbitree.web.store import Person

OWN = Path(__file__).with_name("static")
TEMPLATES = Path(__file__).with_name("templates")
SHARED = ("style.css", "pictures.css", "report.css", "pictures.js", "sort.js")  # with the reports
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
YEAR = 31_536_000


def project_of(request: Request) -> Project:
    """Return the project that is served."""
    project: Project = request.app.state.project
    return project


def page(
    request: Request, template: str, *, person: Person | None = None, status: int = 200, **context: Any
) -> HTMLResponse:
    """Return the page, or the part of one, that *template* makes."""
    rights = {
        right for right in ("explore", "adjudicate", "judge", "own") if person and may(person.role, right)
    }
    text = (
        _environment()
        .get_template(template)
        .render(
            context,
            request=request,
            address=request.url.path,
            person=person,
            rights=rights,
            csrf=csrf_token(request) if person else "",
            project=project_of(request),
            unit=project_of(request).kind.unit,
            version=arbitree.__version__,
        )
    )
    return HTMLResponse(encodable(text), status_code=status)


def is_part(request: Request) -> bool:
    """Return whether a script asks for a part of a page, to put it in place of what is there."""
    return request.headers.get("HX-Request") == "true"


def static(name: str) -> Response:
    """Return a file that pages load; only those that are known are given away."""
    known = _files()
    if name not in known:
        raise Refusal(404, "There is no such file", hint="Go back to the overview")
    data, kind = known[name]
    return Response(data, media_type=kind, headers={"Cache-Control": f"public, max-age={YEAR}, immutable"})


@cache
def _environment() -> Environment:
    environment = environment_of(TEMPLATES)
    environment.globals["file"] = _address
    return environment


@cache
def _files() -> dict[str, tuple[bytes, str]]:
    paths = [path for path in OWN.iterdir() if path.suffix in KINDS] + [source_of(name) for name in SHARED]
    return {path.name: (path.read_bytes(), KINDS[path.suffix]) for path in paths}


@cache
def _address(name: str) -> str:
    """Return where a page loads a file, with a mark that changes with it so that browsers keep it."""
    return f"/static/{name}?{hashlib.sha256(_files()[name][0]).hexdigest()[:12]}"
