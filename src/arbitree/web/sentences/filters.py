"""Filters of the list of sentences, as encoded in URLs, and the sentences that match them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

import numpy as np
from fastapi import Depends, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError, validate_call

from arbitree.adjudication.history import DECIDED, REJECTED
from arbitree.adjudication.index import STATES, IndexRow
from arbitree.errors import UnknownName
from arbitree.study.flat_tree import IntArray
from arbitree.web.project.background import READY, RUNNING
from arbitree.web.project.project import Project
from arbitree.web.waiting import may_wait

STATUSES = (*STATES, DECIDED, REJECTED)
UNEVEN = "uneven"  # a state to ask for beside the others: the tokens differ
SHOWN = 50  # on a page
LONGEST = 300  # characters of a filter
PAIRS = 60  # that are offered
LABELS = 300
DOCUMENTS = 500
MANY = 1000  # items with decisions, which are counted in 0.2 ms
NUMBER = r"^([1-9]\d{0,5})?$"

Status = Literal["", "agreed", "contested", "incomplete", "decided", "rejected", "uneven"]
Sort = Literal["", "disagreement", "contested", "length", "order"]
Text = Annotated[str, Query(max_length=LONGEST)]
SORTS = {
    "disagreement": "highest share of disagreements first",
    "contested": "most disagreements first",
    "length": "longest first",
    "order": "order of the files",
}


@dataclass(frozen=True, slots=True)
class Filter:
    """The values of a filter; "" for any value."""

    text: str = ""
    state: str = ""
    pair: str = ""  # numbers of two coders, as 1-2
    label: str = ""
    other: str = ""
    type: str = ""  # the number of a type of disagreement
    question: str = ""  # the number of a question, which several types ask
    document: str = ""
    sort: str = ""

    def __bool__(self) -> bool:
        return any(value for name, value in self._given().items() if name != "sort")

    @property
    def query(self) -> str:
        """The query string of the filter, with its question mark; "" if the filter is empty."""
        return self.but()

    def but(self, **changes: Any) -> str:
        """Return the query string with *changes*, such as another page."""
        chosen = self._given() | {name: str(value) for name, value in changes.items() if value}
        return f"?{urlencode(chosen, errors='replace')}" if chosen else ""

    def _given(self) -> dict[str, str]:
        return {name: value for name in NAMES if (value := getattr(self, name))}


NAMES = tuple(field.name for field in fields(Filter))
NO_FILTER = Filter()


def list_of(page: str = "/sentences", /, **given: str) -> str:
    """Return the URL of the list, or of another page with a filter.

    Example:
        >>> list_of(label="obj", other="obl:arg")
        '/sentences?label=obj&other=obl%3Aarg'
    """
    return f"{page}{Filter(**given).query}"


async def asked(
    text: Text = "",
    state: Status = "",
    pair: Annotated[str, Query(pattern=r"^([1-9]\d{0,5}-[1-9]\d{0,5})?$")] = "",
    label: Text = "",
    other: Text = "",
    type: Annotated[str, Query(pattern=NUMBER)] = "",
    question: Annotated[str, Query(pattern=NUMBER)] = "",
    document: Annotated[str, Query(max_length=4000)] = "",
    sort: Sort = "",
) -> Filter:
    """Return the filter in a URL."""
    return Filter(text.strip(), state, pair, label.strip(), other.strip(), type, question, document, sort)


_checked = validate_call(asked)


async def asked_of_page(request: Request) -> Filter:
    """Return the same filter for a page, whose parameters are not documented.

    FastAPI takes a tenth of a millisecond for the parameters of ``asked``, most of which are never given.
    """
    if not request.scope["query_string"]:
        return NO_FILTER
    given: dict[str, Any] = {name: value for name, value in request.query_params.items() if name in NAMES}
    try:
        return await _checked(**given)
    except ValidationError as error:
        wrong = [{**each, "loc": ("query", *each["loc"])} for each in error.errors()]
        raise RequestValidationError(wrong) from None


async def asked_without_names(request: Request, wanted: Annotated[Filter, Depends(asked)]) -> Filter:
    """Return the filter in a URL of an adjudicator; annotators cannot be looked for if names are hidden."""
    return _without_names(request, wanted)


async def asked_of_desk(request: Request, wanted: Annotated[Filter, Depends(asked_of_page)]) -> Filter:
    """Return the same filter for a page."""
    return _without_names(request, wanted)


def _without_names(request: Request, wanted: Filter) -> Filter:
    return replace(wanted, pair="") if request.app.state.project.blind else wanted


class Found(NamedTuple):
    """The sentences that match a filter, with their states."""

    numbers: IntArray
    statuses: Mapping[str, str]  # of those that somebody has written on, by id

    def status(self, entry: IndexRow) -> str:
        """Return the name of the state of a sentence."""
        return self.statuses.get(entry.id, entry.state)


class Neighbours(NamedTuple):
    """The position of a sentence among those that match a filter."""

    place: int | None  # from 1; None if it does not pass
    total: int
    previous: int | None
    next: int | None


def find(project: Project, wanted: Filter) -> Found:
    """Return the sentences that match a filter, sorted."""
    if wanted:  # looks at every sentence
        may_wait()
    statuses = project.statuses.get()
    numbers = project.index.find(
        wanted.sort or "disagreement",
        pair=pair_of(project, wanted.pair),
        label=wanted.label or None,
        other=wanted.other or None,
        document=wanted.document or None,
        text=wanted.text or None,
        items=items_of(project, wanted),
    )
    if wanted.state == UNEVEN:
        numbers = numbers[np.isin(numbers, project.index.uneven)]
    elif wanted.state:
        rows = zip(project.index.ids, project.index.words, strict=True)
        kept = np.array([statuses.get(item, state) == wanted.state for item, state in rows], dtype=bool)
        numbers = numbers[kept[numbers - 1]]
    return Found(numbers, statuses)


def tally(project: Project) -> dict[str, int]:
    """Return the number of items in each state."""
    found, statuses = dict.fromkeys(STATUSES, 0) | project.index.tally(), project.statuses.get()
    if len(statuses) > MANY:
        may_wait()
    for item, status in statuses.items():
        found[project.index.words[project.numbers[item] - 1]] -= 1
        found[status] += 1
    return found


def neighbours(found: Found, number: int) -> Neighbours:
    """Return the sentences before and after one; if it does not match, the first one that does."""
    numbers = found.numbers
    total, places = len(numbers), np.flatnonzero(numbers == number).tolist()
    if not places:
        return Neighbours(None, total, None, int(numbers[0]) if total else None)
    (place,) = places
    return Neighbours(
        place + 1,
        total,
        int(numbers[place - 1]) if place else None,
        int(numbers[place + 1]) if place + 1 < total else None,
    )


def pair_of(project: Project, pair: str) -> tuple[str, str] | None:
    """Return two annotators by their numbers."""
    if not pair:
        return None
    coders = project.study.coders
    one, other = (int(number) - 1 for number in pair.split("-"))
    if one == other or max(one, other) >= len(coders):
        hint = f"Pass two numbers from 1 to {len(coders)}, such as 1-2"
        raise UnknownName(f"{pair} is not a pair of annotators", hint=hint)
    return coders[one], coders[other]


def items_of(project: Project, wanted: Filter) -> frozenset[str] | None:
    """Return the items with a type of inconsistency and with types of a question; None for all items."""
    typed = frozenset(type_of(project, wanted.type)["items"]) if wanted.type else None
    if not wanted.question:
        return typed
    asked = frozenset(item for row in question_of(project, wanted.question) for item in row["items"])
    return asked if typed is None else asked & typed


def type_of(project: Project, type: str) -> Mapping[str, Any]:
    """Return a type of inconsistency by its number."""
    rows = _types(project)
    if int(type) > len(rows):
        raise UnknownName(f"type {type} does not exist", hint=f"Pass a number from 1 to {len(rows)}")
    return rows[int(type) - 1]


def question_of(project: Project, question: str) -> list[Mapping[str, Any]]:
    """Return the types of a question by its number."""
    rows = _types(project)
    if found := [row for row in rows if row["number"] == int(question)]:
        return found
    hint = f"Pass a number from 1 to {rows[-1]['number']}" if rows and rows[-1]["number"] else ""
    raise UnknownName(f"question {question} does not exist", hint=hint or "Use another filter")


def _types(project: Project) -> list[Mapping[str, Any]]:
    found = project.background.get("types")
    if found.state != READY:
        why = "they are still being computed" if found.state == RUNNING else found.shown().why
        hint = "Try again in a few seconds" if found.state == RUNNING else "Use another filter"
        raise UnknownName(f"the types of inconsistencies are not available: {why}", hint=hint)
    rows: list[Mapping[str, Any]] = found.document["rows"]
    return rows


class Choices(NamedTuple):
    """The choices in the filter form."""

    pairs: list[tuple[str, str]]  # value and words
    labels: tuple[str, ...]
    documents: tuple[str, ...]
    more_documents: bool
    types: list[tuple[str, str]]
    questions: list[tuple[str, str]]


def choices_of(project: Project) -> Choices:
    """Return the choices in the filter form."""
    coders = project.study.coders
    pairs = []
    if len(coders) * (len(coders) - 1) // 2 <= PAIRS:
        numbered = combinations(enumerate(coders, start=1), 2)
        pairs = [(f"{one}-{two}", f"{first} and {second}") for (one, first), (two, second) in numbered]
    documents = project.study.documents
    found = project.background.get("types")
    rows = found.document["rows"] if found.state == READY else ()
    return Choices(
        pairs=pairs,
        labels=project.index.labels[:LABELS],
        documents=documents[:DOCUMENTS],
        more_documents=len(documents) > DOCUMENTS,
        types=[(str(number), row["title"]) for number, row in enumerate(rows, start=1)],
        questions=list({str(row["number"]): row["question"] for row in rows if row["number"]}.items()),
    )


def words_of(project: Project, wanted: Filter) -> list[str]:
    """Return the description of a filter."""
    parts = []
    if wanted.text:
        parts.append(f"with “{wanted.text}”")
    if wanted.state:
        parts.append({REJECTED: "excluded", UNEVEN: "whose tokens differ"}.get(wanted.state, wanted.state))
    if pair := pair_of(project, wanted.pair):
        parts.append(f"on which {pair[0]} and {pair[1]} differ")
    labels = [label for label in (wanted.label, wanted.other) if label]
    if labels:
        parts.append(f"in which {' and '.join(labels)} {'is' if len(labels) == 1 else 'are'} contested")
    if wanted.type:
        parts.append(f"of type {wanted.type}: {type_of(project, wanted.type)['title']}")
    if wanted.question:
        title = question_of(project, wanted.question)[0]["question"]
        parts.append(f"with question {wanted.question}: {title}")
    if wanted.document:
        parts.append(f"in {wanted.document}")
    return parts
