"""Taking over decisions that were made on an earlier version of the files."""

from __future__ import annotations

from collections import defaultdict

from arbitree.web import desk
from arbitree.web.project import Project
from arbitree.web.store import Conflict, Entry, Person


def carry(project: Project, person: Person) -> int:
    """Copy the decisions of the edition before on items that are as they were; return on how many.

    Items that somebody has decided anew already are left alone.
    """
    if project.before is None:
        return 0
    logs: dict[str, list[Entry]] = defaultdict(list)
    for entry in project.store.entries_under(project.before.id, "item/"):
        logs[entry.subject.removeprefix("item/")].append(entry)
    return sum(_carry_item(project, person, item, logs[item]) for item in project.kept if item in logs)


def _carry_item(project: Project, person: Person, item: str, entries: list[Entry]) -> bool:
    state = desk.fold(entries)
    subject = desk.subject_of(project, project.numbers[item])
    nothing = not state.decisions and state.rejected is None
    if nothing or project.store.entries(project.edition.id, subject):
        return False
    assert project.before is not None
    body = {
        "changes": state.values,
        "notes": state.notes,
        "rejected": state.rejected,
        "people": list(state.people),
        "edition": project.before.id,
    }
    number = project.numbers[item]
    after = desk.State(decisions=state.decisions, rejected=state.rejected)
    try:
        project.store.append(
            edition=project.edition.id,
            subject=subject,
            seen=0,
            person=person.id,
            action=desk.CARRY,
            body=body,
            request=f"carry {project.before.id} {project.edition.id} {number}",
            tally=desk.tally_of(project.sheet(number), after),
        )
    except Conflict:
        return False
    return True
