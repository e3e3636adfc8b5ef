"""Middleware for all requests and responses: security headers, host names, size and rate limits."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection
from typing import Any

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arbitree.web.hosts import parse_host
from arbitree.web.limits import Window, network, too_often
from arbitree.web.refusals import Refusal, plain_answer
from arbitree.web.store import Person

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
LARGEST_BODY = 256 * 1024
_LINKS = ("/join/", "/enter/")

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: with it browsers send forms with "Origin: null", which could be anybody's.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class GuardedApp(FastAPI):
    """A FastAPI app that applies the middleware to every response, including those for crashes."""

    def __init__(
        self,
        *,
        hosts: Collection[str] | None = None,
        clock: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> None:
        self._hosts = hosts
        self._clock = clock
        super().__init__(**options)
        self.state.inviting = Window(30, 3600, clock=clock)

    def build_middleware_stack(self) -> ASGIApp:
        """Return the app wrapped in its middleware."""
        guessing = Window(30, 60, clock=self._clock)
        app = LinkLimit(BodyLimit(super().build_middleware_stack()), guessing)
        return SafeHeaders(HostCheck(app, self._hosts))


def count_invitation(request: Request, person: Person) -> None:
    """Limit the number of invitations that a person creates per hour."""
    window: Window = request.app.state.inviting
    window.check(str(person.id), "You have created too many invitations")


class SafeHeaders:
    """Middleware that adds security headers: browsers load only files of this app and cache no pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to a response."""

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_guarded if scope["type"] == "http" else send)


class HostCheck:
    """Middleware that accepts only known host names; None for *hosts* accepts every valid one.

    This prevents DNS rebinding: another site can point its name at this machine, but its requests carry that
    name. Requests name the host once, in the Host header: a second host in the target is refused.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None) -> None:
        self._app = app
        self._hosts = None if hosts is None else {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or refuse it."""
        if scope["type"] == "lifespan" or self._accepts(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            what = "This server does not accept the host name in the URL"
            known = ", ".join(sorted(self._hosts or ["the URL of the link that you received"]))
            await _refuse(scope, send, Refusal(400, what, hint=f"Use {known}"))
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _accepts(self, scope: Scope) -> bool:
        given = Headers(scope=scope).getlist("host")
        host = parse_host(given[0]) if len(given) == 1 else None
        if host is None or not scope.get("raw_path", b"/").startswith(b"/"):
            return False
        return self._hosts is None or host.name in self._hosts


class BodyLimit:
    """Middleware that reads the whole body of a request, *most* bytes at most, before it calls the app.

    The app sees no request that its client does not complete.
    """

    def __init__(self, app: ASGIApp, most: int = LARGEST_BODY) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        what = f"The request is larger than {self._most // 1024} kB"
        refusal = Refusal(413, what, hint="Send a smaller request", headers={"Connection": "close"})
        length = Headers(scope=scope).get("content-length", "0")
        if not re.fullmatch("[0-9]{1,12}", length) or int(length) > self._most:
            await _refuse(scope, send, refusal)
            return
        body, more = bytearray(), True
        while more and len(body) <= self._most:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        if len(body) > self._most:
            await _refuse(scope, send, refusal)
            return
        whole: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def receive_whole() -> Message:
            return whole.pop() if whole else await receive()

        await self._app(scope, receive_whole, send)


class LinkLimit:
    """Middleware that limits attempts to guess the tokens of links."""

    def __init__(self, app: ASGIApp, window: Window) -> None:
        self._app = app
        self._window = window

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or refuse it."""
        if scope["type"] != "http" or not scope["path"].startswith(_LINKS):
            await self._app(scope, receive, send)
            return
        client = network((scope.get("client") or ("", 0))[0])
        if wait := self._window.take(client):
            await _refuse(
                scope, send, too_often("Too many invalid links were opened from your network", wait)
            )
            return

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                self._window.give_back(client)
            await send(message)

        await self._app(scope, receive, send_counted)


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    kind, body = plain_answer(refusal, scope["path"])
    headers = {"Content-Type": kind, "Content-Length": str(len(body)), **refusal.headers}
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": raw})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
