"""Pages on which an adjudicator decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response

from arbitree.adjudication import events
from arbitree.adjudication.places import Sheet, Verdict
from arbitree.errors import UnknownName
from arbitree.reporting.outline import encodable
from arbitree.web.adjudicate import writing
from arbitree.web.adjudicate.view import view_of
from arbitree.web.pages import is_part, page, project_of
from arbitree.web.project.project import Project
from arbitree.web.project.worklist import next_undecided, progress_of
from arbitree.web.refusals import Refusal
from arbitree.web.sentences import filters
from arbitree.web.sentences.filters import Filter
from arbitree.web.sessions import allowed
from arbitree.web.store import Conflict, Person

router = APIRouter(include_in_schema=False)

Adjudicator = Annotated[Person, allowed("adjudicate")]
Wanted = Annotated[Filter, Depends(filters.asked)]
Text = Annotated[str, Form(max_length=4000)]


@dataclass(frozen=True, slots=True)
class Desk:
    """Somebody at the desk of one sentence, who goes through those that pass a filter."""

    request: Request
    number: int
    person: Person
    wanted: Filter

    @property
    def project(self) -> Project:
        """Where it is."""
        return project_of(self.request)

    @property
    def sheet(self) -> Sheet:
        """What is to be decided."""
        return self.project.sheet(self.number)

    def show(
        self,
        *,
        status: int = 200,
        verdict: Verdict | None = None,
        conflict: Conflict | None = None,
        wrong: UnknownName | None = None,
        typed: Mapping[str, str] | None = None,
    ) -> Response:
        """Return the desk as it stands, with what came of a wish."""
        view = view_of(self.project, self.number, self.person)
        return page(
            self.request,
            "desk.html.j2" if is_part(self.request) else "adjudicate.html.j2",
            person=self.person,
            status=status,
            view=view,
            verdict=verdict,
            conflict=view.conflict(conflict) if conflict else None,
            wrong=wrong,
            typed=typed or {},
            progress=progress_of(self.project),
            wanted=self.wanted,
            asked_for=filters.words_of(self.project, self.wanted),
            beside=filters.neighbours(_listed(self.project, self.wanted), self.number),
            once=lambda: uuid4().hex,
        )


@dataclass(frozen=True, slots=True)
class Step:
    """Something that somebody wants to do at a desk."""

    at: Desk
    wish: events.Wish

    def take(
        self,
        do: Callable[[Project, int, events.Wish], events.Outcome],
        typed: Mapping[str, str] | None = None,
    ) -> Response:
        """Do it and show the desk again: changed, refused with offers, or with what others did.

        Args:
            do: what is wished.
            typed: what was typed for a place, which stands there again if it is refused.
        """
        try:
            outcome = do(self.at.project, self.at.number, self.wish)
        except Conflict as conflict:
            return self.at.show(status=409, conflict=conflict, typed=typed)
        except UnknownName as error:
            return self.at.show(status=422, wrong=error, typed=typed)
        if not outcome.saved:
            return self.at.show(status=422, verdict=outcome.verdict, typed=typed)
        if is_part(self.at.request):
            return self.at.show(verdict=outcome.verdict)
        return RedirectResponse(f"/adjudicate/{self.at.number}{self.at.wanted.query}", 303)


def desk_of(request: Request, number: int, person: Adjudicator, wanted: Wanted) -> Desk:
    """Return the desk that an address names."""
    if not 0 < number <= len(project_of(request).study.items):
        raise Refusal(404, "There is no such sentence", hint="Choose one from the list of sentences")
    return Desk(request, number, person, wanted)


AtDesk = Annotated[Desk, Depends(desk_of)]


def step_of(
    at: AtDesk,
    seen: Annotated[int, Form(ge=0)],
    once: Annotated[str, Form(alias="request", min_length=8, max_length=64)],
) -> Step:
    """Return the step that a form asks for."""
    return Step(at, events.Wish(at.person, seen, once))


OneStep = Annotated[Step, Depends(step_of)]


@router.get("/adjudicate")
def first(request: Request, person: Adjudicator, wanted: Wanted) -> Response:
    """Go to the first sentence that is not decided, of all or of those that pass a filter."""
    project = project_of(request)
    number = next_undecided(project, 0, _listed(project, wanted).numbers)
    if number is not None:
        return RedirectResponse(f"/adjudicate/{number}{wanted.query}", 303)
    words = filters.words_of(project, wanted)
    return page(request, "finished.html.j2", person=person, progress=progress_of(project), asked_for=words)


@router.get("/adjudicate/{number}")
def show(at: AtDesk) -> Response:
    """Show the desk of one sentence."""
    return at.show()


@router.get("/adjudicate/{number}/next")
def following(at: AtDesk) -> Response:
    """Go to the next sentence that is not decided."""
    number = next_undecided(at.project, at.number, _listed(at.project, at.wanted).numbers)
    place = "" if number is None else f"/{number}"
    return RedirectResponse(f"/adjudicate{place}{at.wanted.query}", 303)


@router.post("/adjudicate/{number}/decide")
def decide(step: OneStep, wish: Text = "", own: Text = "", key: Text = "") -> Response:
    """Take one choice, an own value, or an offer of several changes."""
    changes = _changes(wish) if wish else {key: own.strip()}
    return step.take(partial(writing.decide, changes=changes), {} if wish else changes)


@router.post("/adjudicate/{number}/take")
def take(step: OneStep, coder: Text = "") -> Response:
    """Take all that one coder says of the contested places, or what is suggested."""
    sheet, project = step.at.sheet, step.at.project
    named = {encodable(name): name for name in project.study.coders}  # a page cannot hold all names of files
    changes = (
        sheet.of_coder(named.get(coder, coder)) if coder else project.findings.suggestions(sheet.item.id)
    )
    if not changes:
        hint = "Choose a coder who has annotated this sentence"
        raise Refusal(422, "There is nothing to take", hint=hint)
    return step.take(partial(writing.decide, changes=changes))


@router.post("/adjudicate/{number}/clear")
def clear(step: OneStep, key: Text) -> Response:
    """Make a place undecided again."""
    return step.take(partial(writing.clear, keys=[key]))


@router.post("/adjudicate/{number}/note")
def note(step: OneStep, key: Text = "", text: Text = "") -> Response:
    """Keep a note on a place, or on the sentence."""
    return step.take(partial(writing.note, key=key, text=text))


@router.post("/adjudicate/{number}/reject")
def reject(step: OneStep, why: Text = "") -> Response:
    """Leave the sentence out of the gold standard."""
    return step.take(partial(writing.reject, why=why))


@router.post("/adjudicate/{number}/reopen")
def reopen(step: OneStep) -> Response:
    """Take the sentence in again."""
    return step.take(writing.reopen)


@router.post("/adjudicate/{number}/undo")
def undo(step: OneStep) -> Response:
    """Take back the last step on this sentence."""
    return step.take(writing.undo)


def _listed(project: Project, wanted: Filter) -> filters.Found:
    """Return the sentences to go through: without a filter all of them, in the order of the files."""
    return filters.find(project, wanted if wanted or wanted.sort else replace(wanted, sort="order"))


def _changes(wish: str) -> dict[str, str]:
    """Return the changes that a button stands for: lines of a key, a tab and a value.

    Example:
        >>> _changes("3 head\\t2 saw\\n4 head\\t0 root")
        {'3 head': '2 saw', '4 head': '0 root'}
    """
    pairs = [line.partition("\t")[::2] for line in wish.split("\n") if line]
    return {key: value.removesuffix("\r") for key, value in pairs}
