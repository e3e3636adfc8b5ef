"""What programs are told when something is not done, the same for all routes."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class Problem(BaseModel):
    """Why something was not done."""

    detail: str = Field(description="what is wrong")
    hint: str = Field("", description="what to do about it")


ANSWERS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request cannot be read"},
    401: {"model": Problem, "description": "Nobody is signed in"},
    403: {"model": Problem, "description": "Not allowed, or the token against forged requests is missing"},
    404: {"model": Problem, "description": "There is no such thing"},
    409: {"model": Problem, "description": "Somebody else wrote meanwhile; nothing was saved"},
    410: {"model": Problem, "description": "It is over"},
    413: {"model": Problem, "description": "Too large"},
    422: {"model": Problem, "description": "Not understood, or not possible here"},
    503: {"model": Problem, "description": "The database cannot be used; nothing was saved"},
}
