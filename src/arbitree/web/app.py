"""The application: loads the features from their directories and renders errors as pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from importlib import import_module

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

import arbitree
from arbitree.errors import ArbitreeError
from arbitree.files import inputs_carried
from arbitree.web.pages import FEATURES, is_part, page, static
from arbitree.web.project.project import Project
from arbitree.web.refusals import Refusal, is_api
from arbitree.web.security import GuardedApp
from arbitree.web.sessions import known_visitor, visitor
from arbitree.web.store import StoreError, Unconfirmed

FREQUENT = ("/sentences/{number}", "/adjudicate/{number}", "/sentences", "/")  # most requests are for these
NOT_SAVED = "Nothing was saved"
PERHAPS_SAVED = "It is not known whether the change was saved"
WORDS = {404: "Page not found", 405: "This URL does not support that request method"}


def create_app(
    project: Project, *, hosts: Sequence[str] | None = None, public: str = "", compute: bool = True
) -> FastAPI:
    """Return the application that serves *project*.

    Args:
        project: The project to serve.
        hosts: Host names that the server accepts; None for any.
        public: Public URL for links; "" for the URL that the owner uses.
        compute: Compute agreement, types and suggestions in a separate process.
    """

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        if compute:
            project.background.start()
        yield
        project.background.stop()

    about = "Explore disagreements, adjudicate them, collect blind judgments."
    app = GuardedApp(
        hosts=hosts,
        title="Arbitree",
        version=arbitree.__version__,
        description=about,
        lifespan=running,
        docs_url=None,  # these pages load scripts from the network
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.project = project
    app.state.public = public
    app.state.only_here = hosts is not None and not public  # other machines cannot reach the server
    for folder in FEATURES:
        # Not include_router, with which FastAPI takes several times as long to find a route.
        app.router.routes += import_module(f"arbitree.web.{folder.name}.page").router.routes
    # The first one that fits an address is taken; the frequent ones fit no address of others.
    app.router.routes.sort(key=lambda route: getattr(route, "path", "") not in FREQUENT)
    app.get("/static/{name}", include_in_schema=False)(static)
    app.get("/healthy", include_in_schema=False)(_healthy)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(ArbitreeError, _wrong)
    app.add_exception_handler(HTTPException, _missed)
    app.add_exception_handler(RequestValidationError, _unread)
    app.add_middleware(KnownInputs, entered=inputs_carried())
    return app


class KnownInputs:
    """Middleware that lets requests know the inputs of the command, to which paths in pages are relative.

    Some versions of Uvicorn, among them 0.41, start each request in an empty context.
    """

    def __init__(self, app: ASGIApp, entered: Callable[[], AbstractContextManager[None]]) -> None:
        self._app = app
        self._entered = entered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request in the context of the inputs."""
        with self._entered():
            await self._app(scope, receive, send)


def _healthy(request: Request) -> Response:
    """Answer without content if the database can be read, for programs that watch the server."""
    request.app.state.project.store.people()  # not what is in memory
    return Response(status_code=204)


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _answer(request, error.status, error.what, error.hint, error.headers)


def _wrong(request: Request, error: Exception) -> Response:
    """Return the response for an error of the database, or for a request that the study does not support."""
    assert isinstance(error, ArbitreeError)
    if isinstance(error, StoreError):
        # The path may contain names that judges must not see.
        what = error.what.replace(request.app.state.project.store.place, "the database")
        saved = PERHAPS_SAVED if isinstance(error, Unconfirmed) else NOT_SAVED
        return _answer(request, 503, f"{saved}: {what}", error.hint, {"Retry-After": "5"})
    return _answer(request, 422, error.what, error.hint)


def _missed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    return _answer(request, error.status_code, WORDS.get(error.status_code, str(error.detail)), "", headers)


def _unread(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = [f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors()]
    return _answer(request, 422, "The request is not valid", "; ".join(wrong[:3]))


def _answer(
    request: Request, status: int, what: str, hint: str, headers: dict[str, str] | None = None
) -> Response:
    if is_api(request.scope["path"]):
        return JSONResponse({"detail": what, "hint": hint}, status, headers)
    person = known_visitor(request)
    if person is None and status != 503:  # where the database failed, do not ask it again
        with suppress(StoreError):  # the response does not need a name
            person = visitor(request)
    part = is_part(request)
    template = "refusal_part.html.j2" if part else "refusal.html.j2"
    answer = page(request, template, person=person, status=status, what=what, hint=hint)
    # The page keeps its content; the error appears above it.
    moved = {"HX-Retarget": "#message", "HX-Reswap": "innerHTML"} if part else {}
    answer.headers.update({**(headers or {}), **moved})
    return answer
