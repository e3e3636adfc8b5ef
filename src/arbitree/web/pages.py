"""Render pages from templates, and serve the files that pages load; each feature's directory has both."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment
from jinja2.runtime import Context
from markupsafe import Markup

import arbitree
from arbitree.adjudication.history import REJECTED
from arbitree.drawing.badges import CoderBadge
from arbitree.drawing.lettering import visible
from arbitree.files import portable
from arbitree.reading.inputs import DEFAULT_DOCUMENT
from arbitree.reporting.html import environment_of, source_of
from arbitree.web.project.project import Project
from arbitree.web.refusals import Refusal
from arbitree.web.roles import RIGHTS, may
from arbitree.web.sessions import csrf_token
from arbitree.web.store import Person
from arbitree.wording import count_of, encoded

HERE = Path(__file__).parent
FEATURES = tuple(sorted(path.parent for path in HERE.glob("*/page.py")))  # with their templates
SHARED = ("style.css", "pictures.css", "report.css", "pictures.js", "sort.js", "copy.js")  # with the reports
MEDIA = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
YEAR = 31_536_000
SECTIONS = (
    "/sentences",
    "/adjudicate",
    "/decisions",
    "/history",
    "/judge",
    "/progress",
    "/rounds",
    "/people",
)  # pages of the navigation, except the overview


def project_of(request: Request) -> Project:
    """Return the project that is served."""
    project: Project = request.app.state.project
    return project


def check_number(project: Project, number: int) -> None:
    """Refuse the number of an item that the study does not contain."""
    if not 0 < number <= len(project.study.items):
        unit = project.kind.unit
        hint = f"This study contains {count_of(len(project.study.items), unit)}"
        raise Refusal(404, f"{unit.capitalize()} not found", hint=hint)


def page(
    request: Request, template: str, *, person: Person | None = None, status: int = 200, **context: Any
) -> HTMLResponse:
    """Return the page, or the part of a page, rendered from *template*."""
    rights = rights_of(project_of(request), person)
    context |= {
        "request": request,
        "address": request.scope["path"],
        "person": person,
        "rights": rights,
        "csrf": csrf_token(request) if person else "",
        "nav": _nav(rights, project_of(request).kind.unit, _section(request.scope["path"])),
        "project": project_of(request),
        "unit": project_of(request).kind.unit,
        "version": arbitree.__version__,
    }
    return HTMLResponse(encoded(_rendered(template, context)), status_code=status)


def rights_of(project: Project, person: Person | None) -> frozenset[str]:
    """Return what a person may do; nothing if it is not known who they are."""
    return _rights(person.role, project.blind) if person else frozenset()


@cache
def _rights(role: str, blind: bool) -> frozenset[str]:
    return frozenset(right for right in RIGHTS if may(role, right, blind=blind))


def _section(path: str) -> str:
    """Return the address in the navigation that leads to a page; "" if none does."""
    return next((each for each in SECTIONS if path.startswith(each)), "/" if path == "/" else "")


@lru_cache(maxsize=1024)
def _nav(rights: frozenset[str], unit: str, current: str) -> Markup:
    return Markup(_rendered("nav.html.j2", {"rights": rights, "unit": unit, "current": current}))


def part(project: Project, template: str, **context: Any) -> Markup:
    """Return a part of a page that is the same for everybody who may see it."""
    return Markup(_rendered(template, context | {"project": project, "unit": project.kind.unit}))


def _rendered(template: str, context: dict[str, Any]) -> str:
    """Render a template and release everything that it was given.

    The macros of a template and its context refer to each other. Without this, they would keep what the page
    shows, such as a whole gold standard, until the next complete garbage collection.
    """
    contexts: list[Context] = []
    try:
        return _environment().get_template(template).render(context, contexts=contexts)
    finally:
        for made in contexts:
            made.parent.clear()
            made.vars.clear()
            made.blocks.clear()


class _ListedContext(Context):
    """A context that lists itself, because included templates have contexts of their own."""

    def __init__(self, environment: Environment, parent: dict[str, Any], *args: Any, **options: Any) -> None:
        super().__init__(environment, parent, *args, **options)
        # The context of a template from which macros are imported is not listed: all requests share it.
        if "contexts" in parent:
            parent["contexts"].append(self)


def is_part(request: Request) -> bool:
    """Return whether a script requests a part of a page, to replace that part."""
    return request.headers.get("HX-Request") == "true"


async def static(name: str) -> Response:
    """Return a file that pages load; other files are not served."""
    known = _files()
    if name not in known:
        raise Refusal(404, "File not found", hint="Go back to the overview")
    data, media = known[name]
    return Response(data, media_type=media, headers={"Cache-Control": f"public, max-age={YEAR}, immutable"})


def state_word(state: str) -> str:
    """Return the word that pages show for the state of an item.

    Example:
        >>> state_word("rejected"), state_word("decided"), state_word("uneven")
        ('excluded', 'decided', 'tokens differ')
    """
    return {REJECTED: "excluded", "uneven": "tokens differ"}.get(state, state)


def document_name(name: str) -> str:
    """Return the name of a document as pages show it; "" for the one that a study without documents has."""
    return "" if name == DEFAULT_DOCUMENT else name


@lru_cache(maxsize=1024)
def badge(who: CoderBadge) -> Markup:
    """Return the badge of an annotator, followed by the name unless they are the same.

    Example:
        >>> badge(CoderBadge("t", "t", "hue-1"))
        Markup('<span class="badge hue-1">t</span>')
    """
    if who.badge == who.name:
        return Markup('<span class="badge {}">{}</span>').format(who.hue, who.badge)
    named = Markup('<span class="badge {}" aria-hidden="true">{}</span> <bdi>{}</bdi>')
    return named.format(who.hue, who.badge, visible(who.name))


@cache
def _environment() -> Environment:
    environment = environment_of(HERE / "templates", *FEATURES)
    environment.context_class = _ListedContext
    environment.auto_reload = False  # templates of another version may need what this one does not have
    environment.filters["file"] = _address  # a filter of a constant is applied when the template is compiled
    environment.filters["badge"] = badge
    environment.filters["portable"] = portable
    environment.filters["state"] = state_word
    environment.filters["document"] = document_name
    return environment


@cache
def _files() -> dict[str, tuple[bytes, str]]:
    own = [path for folder in (HERE / "static", *FEATURES) for path in folder.iterdir()]
    paths = [path for path in own if path.suffix in MEDIA] + [source_of(name) for name in SHARED]
    return {path.name: (path.read_bytes(), MEDIA[path.suffix]) for path in paths}


@cache
def _address(name: str) -> str:
    """Return the URL of a file, with a digest of its contents so that browsers can cache it."""
    return f"/static/{name}?{hashlib.sha256(_files()[name][0]).hexdigest()[:12]}"
