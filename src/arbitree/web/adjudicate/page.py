"""The adjudication page, and its JSON routes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import zip_longest
from typing import Annotated
from urllib.parse import urlsplit
from uuid import uuid4

from fastapi import APIRouter, Depends, Form, Path, Request
from fastapi.responses import RedirectResponse, Response

from arbitree.adjudication import events
from arbitree.adjudication.history import CONTESTED, DECIDED, Conflict, Wish
from arbitree.adjudication.places import Verdict
from arbitree.errors import UnknownName
from arbitree.web.adjudicate.models import (
    Changes,
    Cleared,
    DeskModel,
    EntryModel,
    Noted,
    ProgressModel,
    Rejected,
    Seen,
    Text,
    desk_model,
    entry_model,
)
from arbitree.web.adjudicate.preferences import DeskPreferences
from arbitree.web.adjudicate.view import mask_of, view_of
from arbitree.web.pages import check_number, is_part, page, project_of
from arbitree.web.project.blind import Mask
from arbitree.web.project.progress import next_undecided, progress_for, progress_of
from arbitree.web.project.project import Project
from arbitree.web.refusals import ANSWERS, Refusal
from arbitree.web.roles import may
from arbitree.web.sentences import filters
from arbitree.web.sentences.filters import Filter
from arbitree.web.sessions import allowed
from arbitree.web.store import Person
from arbitree.wording import encodable

router = APIRouter(responses=ANSWERS)

TAGS: list[str | Enum] = ["adjudicate"]
Adjudicator = Annotated[Person, allowed("adjudicate")]
Viewer = Annotated[Person, allowed("follow")]
Wanted = Annotated[Filter, Depends(filters.asked_of_desk)]
Typed = Annotated[str, Form(max_length=4000)]
Ticked = Annotated[bool, Form()]
Fields = Annotated[Sequence[Text], Form(max_length=1000)]  # that a form has several times
Number = Annotated[int, Path(ge=1, le=2**31, description="Number of the item, from 1")]


@dataclass(frozen=True, slots=True)
class Desk:
    """The adjudication page of one sentence, for one person and one filter."""

    request: Request
    number: int
    person: Person
    wanted: Filter
    before: int = 0  # number of the sentence that was just decided; 0 for none

    @property
    def project(self) -> Project:
        """The project that is served."""
        return project_of(self.request)

    @property
    def mask(self) -> Mask | None:
        """What hides the names of annotators; None if they are shown."""
        return mask_of(self.project, self.number, self.person)

    @property
    def address(self) -> str:
        """The URL of the page."""
        return f"/adjudicate/{self.number}{self.wanted.query}"

    @property
    def is_undecided(self) -> bool:
        """Whether there is something left to decide."""
        state = self.project.state(self.number, self.person.id)
        tally = events.tally_of(self.project.sheet(self.number), state)
        return tally.status == CONTESTED

    def show(
        self,
        *,
        status: int = 200,
        verdict: Verdict | None = None,
        conflict: Conflict | None = None,
        wrong: UnknownName | None = None,
        typed: Mapping[str, str] | None = None,
    ) -> Response:
        """Return the current page, with the result of the last request."""
        view = view_of(self.project, self.number, self.person)
        before = view_of(self.project, self.before, self.person) if self.before else None
        response = page(
            self.request,
            "desk.html.j2" if is_part(self.request) else "adjudicate.html.j2",
            person=self.person,
            status=status,
            view=view,
            verdict=verdict,
            conflict=view.conflict(conflict) if conflict else None,
            wrong=wrong,
            typed=typed or {},
            progress=progress_for(self.project, self.person),
            wanted=self.wanted,
            asked_for=filters.words_of(self.project, self.wanted),
            beside=filters.neighbours(_listed(self.project, self.wanted), self.number),
            before={"number": before.number, "seen": before.state.seen} if before else None,
            once=lambda: uuid4().hex,
        )
        shown = urlsplit(self.request.headers.get("HX-Current-URL", "")).path
        if is_part(self.request) and shown != f"/adjudicate/{self.number}":
            response.headers["HX-Push-Url"] = self.address
        return response

    def go_on(self) -> Response | None:
        """Return the page of the next undecided sentence; None if there is none."""
        listed = _listed(self.project, self.wanted).numbers
        number = next_undecided(self.project, self.number, listed, self.person)
        if number is None:
            return None
        if is_part(self.request):
            return replace(self, number=number, before=self.number).show()
        return RedirectResponse(f"/adjudicate/{number}{self.wanted.but(before=self.number)}", 303)


@dataclass(frozen=True, slots=True)
class Sent:
    """A form that was sent from the adjudication page."""

    desk: Desk
    seen: int
    once: str

    def take(
        self,
        action: events.Action,
        typed: Mapping[str, str] | None = None,
        judged: Verdict | None = None,
    ) -> Response:
        """Perform *action* and show the page again: changed, refused with offers, or with a conflict.

        Args:
            action: The action to perform.
            typed: The values that were typed, which are shown again if they are refused.
            judged: The consequences to show, if names of annotators are hidden.
        """
        desk = self.desk
        undecided = desk.is_undecided
        wish = Wish(desk.person.id, desk.person.name, self.seen, self.once)
        try:
            step = desk.project.write(desk.number, wish, action)
        except Conflict as conflict:
            return desk.show(status=409, conflict=conflict, typed=typed)
        except UnknownName as error:
            return desk.show(status=422, wrong=error, typed=typed)
        if not step.saved:
            return desk.show(status=422, verdict=step.verdict, typed=typed)
        after = events.tally_of(desk.project.sheet(desk.number), step.state).status
        decided = action.name == events.Decide.name and after == DECIDED
        if undecided and decided and DeskPreferences.of(desk.project.store, desk.person.id).onward:
            following = desk.go_on()
            if following is not None:
                return following
        if is_part(desk.request):
            return desk.show(verdict=judged or step.verdict)
        return RedirectResponse(desk.address, 303)

    def decide(
        self, changes: Mapping[str, str], typed: Mapping[str, str] | None = None, *, confirmed: bool = False
    ) -> Response:
        """Save decisions; if names are hidden, problems and offers are those of the item without names."""
        desk, mask = self.desk, self.desk.mask
        together = set(changes) in map(set, desk.project.sheet(desk.number).groups)
        action = events.Decide(changes, confirmed=confirmed, apart=together)
        if mask is None:
            return self.take(action, typed)
        try:
            verdict = _judged(mask, action, desk.person)
        except UnknownName as error:
            return desk.show(status=422, wrong=error, typed=typed)
        if verdict.problem:
            return desk.show(status=422, verdict=verdict, typed=typed)
        return self.take(_named(mask, action), typed, verdict)


async def desk_of(
    request: Request, number: int, person: Adjudicator, wanted: Wanted, before: int = 0
) -> Desk:
    """Return the adjudication page of a sentence, after another one was decided."""
    project = project_of(request)
    check_number(project, number)
    return Desk(request, number, person, wanted, before if 0 < before <= len(project.index) else 0)


AtDesk = Annotated[Desk, Depends(desk_of)]


async def sent_from(
    desk: AtDesk,
    seen: Annotated[int, Form(ge=0)],
    once: Annotated[str, Form(alias="request", min_length=8, max_length=64)],
) -> Sent:
    """Return the submitted form."""
    return Sent(desk, seen, once)


AForm = Annotated[Sent, Depends(sent_from)]


@router.get("/adjudicate", include_in_schema=False)
def first(request: Request, person: Adjudicator, wanted: Wanted) -> Response:
    """Redirect to the first undecided sentence that matches the filter."""
    project = project_of(request)
    number = next_undecided(project, 0, _listed(project, wanted).numbers, person)
    if number is not None:
        return RedirectResponse(f"/adjudicate/{number}{wanted.query}", 303)
    words = filters.words_of(project, wanted)
    return page(
        request,
        "finished.html.j2",
        person=person,
        progress=progress_for(project, person),
        whole=progress_of(project),
        asked_for=words,
    )


@router.get("/adjudicate/{number}/next", include_in_schema=False)
def following(desk: AtDesk) -> Response:
    """Redirect to the next undecided sentence."""
    listed = _listed(desk.project, desk.wanted).numbers
    number = next_undecided(desk.project, desk.number, listed, desk.person)
    place = "" if number is None else f"/{number}"
    return RedirectResponse(f"/adjudicate{place}{desk.wanted.query}", 303)


@router.get("/api/progress", tags=TAGS)
def progress(request: Request, person: Viewer) -> ProgressModel:
    """Return the progress of adjudication."""
    found = progress_of(project_of(request))
    return ProgressModel(**found._asdict())


@router.get("/adjudicate/{number}", include_in_schema=False)
def show_page(desk: AtDesk) -> Response:
    """Show the adjudication page of a sentence."""
    return desk.show()


@router.get("/api/sentences/{number}/desk", tags=TAGS)
def show(request: Request, number: Number, person: Viewer) -> DeskModel:
    """Return the disagreements and decisions of an item."""
    check_number(project_of(request), number)
    return _model(request, number, person, events.WishOutcome(project_of(request).state(number, person.id)))


@router.get("/api/sentences/{number}/history", tags=TAGS)
def history(request: Request, number: Number, person: Viewer) -> list[EntryModel]:
    """Return the history of an item, in order."""
    check_number(project_of(request), number)
    entries, mask = project_of(request).entries(number, person.id), _mask(request, number, person)
    return [entry_model(mask.entry(entry) if mask else entry) for entry in entries]


@router.post("/adjudicate/{number}/decide", include_in_schema=False)
def decide_form(
    form: AForm, wish: Typed = "", own: Fields = (), key: Fields = (), confirm: Ticked = False
) -> Response:
    """Save a choice, typed values, or an offer of several changes."""
    typed = {each: value.strip() for each, value in zip_longest(key, own, fillvalue="")} or {"": ""}
    return form.decide(_changes(wish) if wish else typed, {} if wish else typed, confirmed=confirm)


@router.post("/adjudicate/{number}/take", include_in_schema=False)
def take_form(form: AForm, coder: Typed = "") -> Response:
    """Choose all values of one annotator at the contested places, or all suggestions."""
    project, mask = form.desk.project, form.desk.mask
    sheet = mask.sheet if mask else project.sheet(form.desk.number)
    coders = (mask or project).study.coders
    named = {encodable(name): name for name in coders}  # a page cannot hold all names of files
    changes = sheet.of_coder(named.get(coder, coder)) if coder else _suggested(form.desk)
    if not changes:
        hint = "Choose an annotator who has annotated this sentence"
        raise Refusal(422, "There are no values to choose", hint=hint)
    return form.decide(changes)


@router.post("/api/sentences/{number}/decisions", tags=TAGS)
def decide(request: Request, number: Number, person: Adjudicator, body: Changes) -> DeskModel:
    """Save decisions on an item; an invalid choice is not saved, and the response lists valid changes."""
    check_number(project_of(request), number)
    mask = _mask(request, number, person)
    action = events.Decide(body.changes, confirmed=body.confirm)
    if mask is None:
        return _do(request, number, person, body, action)
    verdict = _judged(mask, action, person)
    if verdict.problem:
        state = project_of(request).state(number, person.id)
        return _model(request, number, person, events.WishOutcome(state, verdict))
    return _do(request, number, person, body, _named(mask, action), verdict)


@router.post("/adjudicate/{number}/clear", include_in_schema=False)
def clear_form(form: AForm, key: Fields) -> Response:
    """Clear the decision on a place, or on places that are decided together."""
    return form.take(events.Clear(key))


@router.post("/api/sentences/{number}/clear", tags=TAGS)
def clear(request: Request, number: Number, person: Adjudicator, body: Cleared) -> DeskModel:
    """Clear the decisions on places."""
    return _do(request, number, person, body, events.Clear(body.keys))


@router.post("/adjudicate/{number}/note", include_in_schema=False)
def note_form(form: AForm, key: Typed = "", text: Typed = "") -> Response:
    """Save a note on a place, or on the sentence."""
    return form.take(events.Note(key, text))


@router.post("/api/sentences/{number}/notes", tags=TAGS)
def note(request: Request, number: Number, person: Adjudicator, body: Noted) -> DeskModel:
    """Save a note on a place."""
    return _do(request, number, person, body, events.Note(body.key, body.text))


@router.post("/adjudicate/{number}/reject", include_in_schema=False)
def reject_form(form: AForm, why: Typed = "") -> Response:
    """Exclude the sentence from the gold standard."""
    return form.take(events.Reject(why))


@router.post("/api/sentences/{number}/reject", tags=TAGS)
def reject(request: Request, number: Number, person: Adjudicator, body: Rejected) -> DeskModel:
    """Exclude an item from the gold standard."""
    return _do(request, number, person, body, events.Reject(body.why))


@router.post("/adjudicate/{number}/reopen", include_in_schema=False)
def reopen_form(form: AForm) -> Response:
    """Include the sentence again."""
    return form.take(events.Reopen())


@router.post("/api/sentences/{number}/reopen", tags=TAGS)
def reopen(request: Request, number: Number, person: Adjudicator, body: Seen) -> DeskModel:
    """Include an item again."""
    return _do(request, number, person, body, events.Reopen())


@router.post("/adjudicate/{number}/undo", include_in_schema=False)
def undo_form(form: AForm) -> Response:
    """Undo the last change to this sentence."""
    return form.take(events.Undo())


@router.post("/adjudicate/{number}/settings", include_in_schema=False)
def settings_form(
    desk: AtDesk, suggestions: Ticked = False, names: Ticked = False, onward: Ticked = False
) -> Response:
    """Save what the person has set for their own page; boxes that are not ticked are not sent."""
    DeskPreferences(suggestions, names, onward).save(desk.project.store, desk.person.id)
    return RedirectResponse(f"/adjudicate/{desk.number}{desk.wanted.query}", 303)


@router.post("/api/sentences/{number}/undo", tags=TAGS)
def undo(request: Request, number: Number, person: Adjudicator, body: Seen) -> DeskModel:
    """Undo the last change to an item."""
    return _do(request, number, person, body, events.Undo())


def _suggested(desk: Desk) -> dict[str, str]:
    """Return the suggestions for the undecided places of a sentence."""
    decided = desk.project.state(desk.number, desk.person.id).decisions
    suggested = desk.project.background.suggestions(desk.project.item(desk.number).id)
    return {key: value for key, value in suggested.items() if key not in decided}


def _listed(project: Project, wanted: Filter) -> filters.Found:
    """Return the sentences that match the filter; without a filter, all in the order of the files."""
    return filters.find(project, wanted if wanted or wanted.sort else replace(wanted, sort="order"))


def _changes(wish: str) -> dict[str, str]:
    """Return the changes that a button sends: lines of a key, a tab and a value.

    Example:
        >>> _changes("3 head\\t2 saw\\n4 head\\t0 root")
        {'3 head': '2 saw', '4 head': '0 root'}
    """
    pairs = [line.partition("\t")[::2] for line in wish.split("\n") if line]
    return {key: value.removesuffix("\r") for key, value in pairs}


def _do(
    request: Request,
    number: int,
    person: Person,
    body: Seen,
    action: events.Action,
    judged: Verdict | None = None,
) -> DeskModel:
    check_number(project_of(request), number)
    wish = Wish(person.id, person.name, body.seen, body.request)
    try:
        step = project_of(request).write(number, wish, action)
        return _model(request, number, person, step._replace(verdict=judged or step.verdict))
    except Conflict as conflict:
        who = ", ".join(sorted({entry.name for entry in conflict.entries})) or "another request"
        raise Refusal(
            409,
            f"Not saved: {who} changed this item after you read it",
            hint="Read the item again, then repeat the request if needed",
        ) from None


def _mask(request: Request, number: int, person: Person) -> Mask | None:
    """Return what hides the names from adjudicators of a blind project; others see them."""
    project = project_of(request)
    return project.mask(number) if project.blind and may(person.role, "adjudicate") else None


def _judged(mask: Mask, action: events.Decide, person: Person) -> Verdict:
    """Return whether a choice is valid, without names of annotators."""
    entries = mask.project.entries(mask.number, person.id)
    return action.ask(mask.sheet, events.fold(map(mask.entry, entries))).verdict or Verdict({})


def _named(mask: Mask, action: events.Decide) -> events.Decide:
    """Return the same choice with the names for which letters stand."""
    return replace(action, changes=mask.named(action.changes))


def _model(request: Request, number: int, person: Person, step: events.WishOutcome) -> DeskModel:
    mask = _mask(request, number, person)
    return desk_model(number, mask.sheet if mask else project_of(request).sheet(number), step, mask)
