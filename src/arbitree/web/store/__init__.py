"""The database of a project: history, people, judging rounds and computed results."""

from __future__ import annotations

from arbitree.web.store.assignments import Assignments
from arbitree.web.store.copies import Copies
from arbitree.web.store.faults import StoreError, Unconfirmed, damaged
from arbitree.web.store.invitations import HOUR, WEEK, Invitation, Invitations
from arbitree.web.store.persons import Person, PersonError
from arbitree.web.store.preferences import PersonalSettings
from arbitree.web.store.records import Edition, JudgingRound, ProjectRecords
from arbitree.web.store.seal import LossError, Seal, SealedLog
from arbitree.web.store.visits import Visit, Visits

__all__ = [
    "HOUR",
    "WEEK",
    "Edition",
    "Invitation",
    "JudgingRound",
    "LossError",
    "Person",
    "PersonError",
    "Seal",
    "Store",
    "StoreError",
    "Unconfirmed",
    "Visit",
    "damaged",
]


class Store(Assignments, Invitations, PersonalSettings, Visits, ProjectRecords, SealedLog, Copies):
    """The database of one project.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder, Store.open(f"sqlite:///{folder}/arbitree.sqlite") as store:
        ...     edition, ada = store.add_edition("0a1b", "{}"), store.owner("Ada")
        ...     entry = store.append(
        ...         edition=edition.id, subject="item/s1", seen=0, person=ada.id,
        ...         action="choose", body={"3 head": "2 saw"}, request="r1",
        ...     )
        ...     [(each.sequence, each.name, each.body) for each in store.entries(edition.id, "item/s1")]
        [(1, 'Ada', {'3 head': '2 saw'})]
    """
