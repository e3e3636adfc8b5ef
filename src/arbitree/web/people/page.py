"""Sign in with an invitation link, and manage people."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from arbitree.web.hosts import parse_url
from arbitree.web.pages import page, project_of
from arbitree.web.project.project import Project
from arbitree.web.refusals import ANSWERS, Refusal
from arbitree.web.roles import may
from arbitree.web.security import LOOPBACK, count_invitation
from arbitree.web.sessions import allowed, check_origin, sign_in, sign_out, visitor
from arbitree.web.store import Invitation, Person

router = APIRouter(include_in_schema=False, responses=ANSWERS)

Owner = Annotated[Person, allowed("own")]
Name = Annotated[str, Form(max_length=200)]
Role = Annotated[Literal["adjudicator", "judge", "viewer"], Form()]
Days = Annotated[int, Form(ge=1, le=90)]

STATES = {
    "used": "This link has already been used",
    "expired": "This link has expired",
    "revoked": "This link has been replaced or revoked",
    "unknown": "This link is not valid",
}


@router.get("/join/{token}")
@router.get("/enter/{token}")
def greet(request: Request, token: str) -> Response:
    """Show the invitation; opening a link does not use it."""
    invitation = _open(request, token)
    return page(request, "join.html.j2", invited=invitation.person, token=token)


@router.post("/join/{token}")
@router.post("/enter/{token}")
def join(request: Request, token: str) -> Response:
    """Use an invitation link and sign the person in."""
    check_origin(request)
    _open(request, token)
    person = project_of(request).store.use(token)
    if person is None:
        raise Refusal(410, STATES["used"], hint="Ask the study owner for a new one")
    blind = project_of(request).blind
    pages = {"explore": "/", "adjudicate": "/adjudicate", "judge": "/judge"}
    first = next(path for right, path in pages.items() if may(person.role, right, blind=blind))
    answer = RedirectResponse(first, 303)
    sign_in(request, answer, person)
    return answer


@router.post("/leave")
def leave(request: Request) -> Response:
    """Sign out in this browser."""
    check_origin(request)
    answer = RedirectResponse("/", 303)
    if visitor(request) is not None:
        sign_out(request, answer)
    return answer


@router.get("/people")
def people(request: Request, person: Owner, returned: Annotated[int, Query(ge=0, le=2**31)] = 0) -> Response:
    """Show the people in this project, and how many sentences of somebody who left are open again."""
    return _people(request, person, returned=returned)


@router.post("/people")
def invite(request: Request, person: Owner, name: Name, role: Role, days: Days = 7) -> Response:
    """Add a person and create their link."""
    count_invitation(request, person)
    store = project_of(request).store
    added = store.add_person(name, role)
    return _people(request, person, invited=added, token=store.invite(added.id, timedelta(days=days)))


@router.post("/people/{number}/link")
def link(request: Request, person: Owner, number: int, days: Days = 7) -> Response:
    """Create a new link for a person; unused links become invalid."""
    count_invitation(request, person)
    store = project_of(request).store
    known = _known(request, number)
    store.revoke(known.id)
    return _people(request, person, invited=known, token=store.invite(known.id, timedelta(days=days)))


@router.post("/people/{number}/role")
def change(request: Request, person: Owner, number: int, role: Role) -> Response:
    """Change the role of a person immediately."""
    project = project_of(request)
    project.store.set_role(_known(request, number).id, role)
    return _released(project)


@router.post("/people/{number}/sessions")
def end_sessions(request: Request, person: Owner, number: int) -> Response:
    """Sign a person out in all browsers, for example after a device was lost; they need a new link."""
    project_of(request).store.end_sessions(_known(request, number).id)
    return RedirectResponse("/people", 303)


@router.post("/people/{number}/remove")
def remove(request: Request, person: Owner, number: int) -> Response:
    """Remove a person from the project; their entries stay in the history."""
    project = project_of(request)
    project.store.remove_person(_known(request, number).id)
    return _released(project)


def _released(project: Project) -> Response:
    """Withdraw the undecided items of people who have left, and show the list."""
    count = project.assignment.release()
    return RedirectResponse(f"/people?returned={count}" if count else "/people", 303)


def _known(request: Request, number: int) -> Person:
    found = project_of(request).store.person(number)
    if found is None or found.role == "owner":
        raise Refusal(404, "Person not found", hint="Choose a person from the list")
    return found


def _open(request: Request, token: str) -> Invitation:
    invitation = project_of(request).store.invitation(token)
    if invitation.state != "open":
        code = 404 if invitation.state == "unknown" else 410
        raise Refusal(code, STATES[invitation.state], hint="Ask the study owner for a new one")
    return invitation


def _people(
    request: Request, person: Person, invited: Person | None = None, token: str = "", returned: int = 0
) -> Response:
    project = project_of(request)
    base = request.app.state.public or f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    host = parse_url(base)
    return page(
        request,
        "people.html.j2",
        person=person,
        people=project.store.people(),
        invited=invited,
        returned=returned,
        address_of_link=f"{base}/join/{token}" if token else "",
        only_here=host is not None and host.name in LOOPBACK,
        listens_only_here=request.app.state.only_here,
    )
