"""Authenticate and authorise requests: sessions in signed cookies, CSRF tokens."""

from __future__ import annotations

import hashlib
import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from arbitree.web.event_loop import at_once
from arbitree.web.hosts import belongs
from arbitree.web.refusals import Refusal, is_api
from arbitree.web.roles import RIGHTS, may
from arbitree.web.store import Person, Store

__all__ = [
    "COOKIE",
    "allowed",
    "check_origin",
    "csrf_token",
    "known_visitor",
    "may",
    "sign_in",
    "sign_out",
    "visitor",
]

COOKIE = "arbitree"
BETWEEN = "~"  # sessions in the cookie
OTHERS = 7  # sessions of other projects that are kept
LIFETIME = 30 * 24 * 3600  # seconds that a session lasts
_KNOWN = "arbitree.person"  # in the scope of a request
_SAFE = {"GET", "HEAD", "OPTIONS"}
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def sign_in(request: Request, response: Response, person: Person) -> None:
    """Start a session of *person* with *response*."""
    value = session(_store(request).secret(), person, time.time())
    _set_cookie(request, response, [*_sessions(request)[1], value])


def sign_out(request: Request, response: Response) -> None:
    """End the session in this browser with *response*."""
    _set_cookie(request, response, _sessions(request)[1])


def visitor(request: Request) -> Person | None:
    """Return the person who sent the request, as currently stored in the database; None if unknown."""
    value = _sessions(request)[0]
    return find_session(_store(request), value, time.time()) if value else None


def known_visitor(request: Request) -> Person | None:
    """Return the person who sent the request, if that was found out before; the database is not asked."""
    person: Person | None = request.scope.get(_KNOWN)
    return person


def csrf_token(request: Request) -> str:
    """Return the CSRF token of this session; empty without a session."""
    value = _sessions(request)[0]
    return csrf_of(_store(request).secret(), value) if value else ""


_visitor_at_once, _csrf_token_at_once = at_once(visitor), at_once(csrf_token)


def allowed(right: str) -> Any:
    """Return a dependency that yields the person who sent the request, if they have *right*.

    Requests that change something must come from a page of this app and carry its CSRF token.
    """
    if right not in RIGHTS:
        raise KeyError(right)
    return Depends(_CHECKS.setdefault(right, _check(right)))


def check_origin(request: Request) -> None:
    """Refuse a request that was sent by a page of another site.

    Browsers name the page in Origin, or else in Referer. Programs send neither; they need the CSRF token.
    """
    headers = request.headers
    sender = headers.get("origin", headers.get("referer"))
    if sender is not None and not belongs(sender, headers.get("host", "")):
        raise Refusal(
            403, "The request comes from another site", hint="Open the page on this site and try again"
        )


def session(secret: bytes, person: Person, now: float) -> str:
    """Return the cookie of a session that starts *now*."""
    payload = f"{person.id}.{person.generation}.{int(now) + LIFETIME}"
    return f"{payload}.{_signature(secret, 'session', payload)}"


def find_session(store: Store, value: str, now: float) -> Person | None:
    """Return the person of a session cookie; None if it is forged or expired, or the person was removed."""
    payload, _, signature = value.rpartition(".")
    if not _equal(signature, _signature(store.secret(), "session", payload)):
        return None
    number, generation, expires = map(int, payload.split("."))  # we signed it, so it has this form
    person = store.person(number) if now < expires else None
    return person if person is not None and person.generation == generation else None


def csrf_of(secret: bytes, value: str) -> str:
    """Return the CSRF token of the session of a cookie."""
    return _signature(secret, "csrf", value)


def _check(right: str) -> Callable[[Request], Awaitable[Person]]:
    async def check(request: Request) -> Person:
        person = await _visitor_at_once(request)
        if person is None:
            raise Refusal(
                401,
                "You are not signed in",
                hint="Open your invitation link, or ask the study owner for a new one",
            )
        if request.method not in _SAFE:
            check_origin(request)
            await _check_token(request)
        blind = request.app.state.project.blind
        if not may(person.role, right, blind=blind):
            hidden = blind and may(person.role, right)
            raise Refusal(
                403,
                "Names of annotators are hidden in this project, and this page shows them"
                if hidden
                else f"Your role ({person.role}) does not allow this",
                hint="Continue on the adjudication page"
                if hidden
                else "Ask the study owner to change your role",
            )
        request.scope[_KNOWN] = person
        return person

    return check


# One function for each, so that FastAPI calls it once per request.
_CHECKS: dict[str, Callable[[Request], Awaitable[Person]]] = {}


async def _check_token(request: Request) -> None:
    token = request.headers.get("x-csrf-token", "")
    form = request.headers.get("content-type", "").lower().startswith(_FORMS)
    if not token and form and not is_api(request.scope["path"]):
        token = str((await request.form()).get("csrf", ""))
    if not _equal(token, await _csrf_token_at_once(request)):
        raise Refusal(403, "The page is out of date", hint="Reload the page and try again")


def _sessions(request: Request) -> tuple[str, list[str]]:
    """Return the session of this project, "" if there is none, and the sessions of other projects.

    Browsers store cookies by host, not by port, so all projects on one machine share a cookie.
    """
    secret, own, others = _store(request).secret(), "", []
    for value in filter(None, request.cookies.get(COOKIE, "").split(BETWEEN)):
        payload, _, signature = value.rpartition(".")
        if _equal(signature, _signature(secret, "session", payload)):
            own = value
        else:
            others.append(value)
    return own, others[-OTHERS:]


def _set_cookie(request: Request, response: Response, sessions: list[str]) -> None:
    secure = request.scope["scheme"] == "https"
    if sessions:
        value = BETWEEN.join(sessions)
        response.set_cookie(
            COOKIE, value, max_age=LIFETIME, path="/", secure=secure, httponly=True, samesite="lax"
        )
    else:
        response.delete_cookie(COOKIE, path="/", secure=secure, httponly=True, samesite="lax")


def _store(request: Request) -> Store:
    store: Store = request.app.state.project.store
    return store


def _signature(secret: bytes, purpose: str, text: str) -> str:
    message = f"{purpose}:{text}".encode("utf-8", "surrogatepass")
    return urlsafe_b64encode(hmac.digest(secret, message, hashlib.sha256)).decode().rstrip("=")


def _equal(given: str, right: str) -> bool:
    """Compare two signatures in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())
