"""Save decisions on many items at once, all or none, and undo them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from arbitree.adjudication.bulk import BulkSkip, BulkStep, BulkWish, steps_of, undoing
from arbitree.adjudication.events import name_of
from arbitree.adjudication.history import BULK, ITEM, Conflict, LogEntry, NewEntry
from arbitree.web.project.project import Project
from arbitree.web.store import Person
from arbitree.web.store.assignments import item_of

CLOSED = "two people have decided it independently, and the owner decides where they differ"
ATTEMPTS = 5  # to save, while others write about the same items

Plan = Callable[[], tuple[list[BulkStep], list[BulkSkip]]]


class BulkOutcome(NamedTuple):
    """The entries that were saved together, and the places that were skipped."""

    entries: list[LogEntry]
    skipped: list[BulkSkip]


def decide_all(project: Project, person: Person, wishes: Sequence[BulkWish], request: str) -> BulkOutcome:
    """Decide places of many items in one transaction.

    A request that was saved before is not saved again: its entries are returned.

    Raises:
        Conflict: if the request was saved before with another content, or if others write all the time.
    """
    items: dict[int, list[BulkWish]] = {}
    for wish in wishes:
        items.setdefault(wish.number, []).append(wish)

    def plan() -> tuple[list[BulkStep], list[BulkSkip]]:
        return _joined(
            steps_of(project.sheet(number), project.entries(number, person.id), own)
            for number, own in sorted(items.items())
        )

    return _save(project, person, request, plan)


def undo_all(project: Project, person: Person, batch: Sequence[LogEntry], request: str) -> BulkOutcome:
    """Make the places of decisions that were saved together undecided again, in one transaction."""
    items: dict[int, list[LogEntry]] = {}
    for entry in batch:
        items.setdefault(number_of(project, entry), []).append(entry)

    def plan() -> tuple[list[BulkStep], list[BulkSkip]]:
        return _joined(
            undoing(project.sheet(number), project.entries(number, person.id), number, own)
            for number, own in sorted(items.items())
        )

    return _save(project, person, request, plan)


def batch_of(project: Project, request: str) -> list[LogEntry]:
    """Return the entries that were saved together with a request, in order; none if there are none."""
    first = project.store.requested([request])
    if not first or BULK not in first[0].body or first[0].edition != project.edition.id:
        return []
    return project.store.requested([_own(request, place) for place in range(first[0].body[BULK]["size"])])


def number_of(project: Project, entry: LogEntry) -> int:
    """Return the number of the item of an entry."""
    return project.numbers[item_of(entry.subject)]


def _save(project: Project, person: Person, request: str, plan: Plan) -> BulkOutcome:
    for attempt in range(ATTEMPTS):
        if earlier := project.store.requested([request]):
            if earlier[0].person != person.id or not (batch := batch_of(project, request)):
                raise Conflict(earlier)
            return BulkOutcome(batch, [])
        planned, skipped = plan()
        steps, closed = _joined(_allowed(project, person, step) for step in planned)
        skipped += closed
        try:
            saved = project.store.append_all(
                list(_rows(project, person, steps, request)), edition=project.edition.id, person=person.id
            )
        except Conflict:  # others wrote in between: look again, and skip what has changed
            if attempt == ATTEMPTS - 1:
                raise
            continue
        for entry in saved:
            project.assignment.accept(number_of(project, entry), entry.subject)
        return BulkOutcome(saved, skipped)
    raise AssertionError("the last attempt returns or raises")


def _allowed(project: Project, person: Person, step: BulkStep) -> tuple[list[BulkStep], list[BulkSkip]]:
    """Return a step if the person may still write about its item, else why it is skipped."""
    if not project.assignment.is_closed(step.number, project.subject(step.number, person.id)):
        return [step], []
    keys = step.body.get("changes") or step.body["keys"]
    places = "; ".join(name_of(key, project.sheet(step.number)) for key in keys)
    return [], [BulkSkip(step.number, places, CLOSED)]


def _rows(project: Project, person: Person, steps: Sequence[BulkStep], request: str) -> Iterable[NewEntry]:
    about = {BULK: {"id": request, "size": len(steps)}}
    for place, (number, seen, action, body, tally) in enumerate(steps):
        subject = project.subject(number, person.id)
        own = tally if subject.startswith(ITEM) else None  # none where two people decide independently
        yield NewEntry(subject, seen, action, body | about, _own(request, place), own)


def _own(request: str, place: int) -> str:
    """Return the request of one entry among many: the first one has that of the form.

    Example:
        >>> _own("a1b2", 0), _own("a1b2", 1)
        ('a1b2', 'a1b2.2')
    """
    return f"{request}.{place + 1}" if place else request


def _joined(
    parts: Iterable[tuple[list[BulkStep], list[BulkSkip]]],
) -> tuple[list[BulkStep], list[BulkSkip]]:
    steps: list[BulkStep] = []
    skipped: list[BulkSkip] = []
    for own, others in parts:
        steps += own
        skipped += others
    return steps, skipped
