"""Refused requests, with an HTTP status and a message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from pydantic import BaseModel, Field


class Problem(BaseModel):
    """An error response of the JSON API."""

    detail: str = Field(description="the problem")
    hint: str = Field("", description="how to solve it")


ANSWERS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request cannot be read"},
    401: {"model": Problem, "description": "You are not signed in"},
    403: {"model": Problem, "description": "Your role does not allow this, or the CSRF token is missing"},
    404: {"model": Problem, "description": "Not found"},
    409: {"model": Problem, "description": "Someone else changed this first; nothing was saved"},
    410: {"model": Problem, "description": "Expired, used or closed"},
    413: {"model": Problem, "description": "The request is too large"},
    422: {"model": Problem, "description": "The request is not valid, or not possible here"},
    503: {
        "model": Problem,
        "description": "The database cannot be used; the detail says whether the change was saved",
    },
}


class Refusal(Exception):
    """A refused request: the problem, and how to solve it.

    Example:
        >>> refusal = Refusal(410, "This link was used already", hint="Ask the owner for a new one")
        >>> refusal.status, str(refusal)
        (410, 'This link was used already. Ask the owner for a new one.')
    """

    def __init__(
        self, status: int, what: str, *, hint: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        self.status = status
        self.what = what
        self.hint = hint
        self.headers = dict(headers or {})
        super().__init__(" ".join(f"{part.rstrip('.')}." for part in (what, hint) if part))


def is_api(path: str) -> bool:
    """Return whether *path* belongs to the JSON API."""
    return path == "/api" or path.startswith("/api/")


def plain_answer(refusal: Refusal, path: str) -> tuple[str, bytes]:
    """Return the media type and the body of a response without a template."""
    if is_api(path):
        return "application/json", json.dumps({"detail": str(refusal)}).encode()
    return "text/html; charset=utf-8", _PAGE.format(what=escape(str(refusal))).encode()


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Arbitree</title></head>
<body><main><h1>Request refused</h1><p>{what}</p><p><a href="/">Back to the overview</a></p></main></body>
</html>
"""
