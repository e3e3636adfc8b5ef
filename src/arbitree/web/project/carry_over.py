"""Taking over decisions that were made on an earlier version of the files."""

from __future__ import annotations

from collections import defaultdict

from arbitree.adjudication import events
from arbitree.web.project.project import Project
from arbitree.web.store import Conflict, Entry, Person


def waiting(project: Project) -> dict[str, events.State]:
    """Return what was decided before on items that did not change with the files and that nobody wrote on."""
    if project.before is None:
        return {}
    logs: dict[str, list[Entry]] = defaultdict(list)
    for entry in project.store.entries_under(project.before.id, "item/"):
        logs[entry.subject.removeprefix("item/")].append(entry)
    written = {entry.subject for entry in project.store.entries_under(project.edition.id, "item/")}
    states = {
        item: events.fold(logs[item])
        for item in project.kept
        if item in logs and f"item/{item}" not in written
    }
    return {item: state for item, state in states.items() if state.decisions or state.rejected is not None}


def carry(project: Project, person: Person) -> int:
    """Copy the decisions that wait; return on how many items."""
    return sum(_carry_item(project, person, item, state) for item, state in waiting(project).items())


def _carry_item(project: Project, person: Person, item: str, state: events.State) -> bool:
    assert project.before is not None
    body = {
        "changes": state.values,
        "notes": state.notes,
        "rejected": state.rejected,
        "people": {key: list(each.people) for key, each in state.decisions.items()},
        "edition": project.before.id,
    }
    number = project.numbers[item]
    after = events.State(decisions=state.decisions, rejected=state.rejected)
    try:
        project.store.append(
            edition=project.edition.id,
            subject=events.subject_of(project, number),
            seen=0,
            person=person.id,
            action=events.CARRY,
            body=body,
            request=f"carry {project.before.id} {project.edition.id} {number}",
            tally=events.tally_of(project.sheet(number), after),
        )
    except Conflict:
        return False
    return True
