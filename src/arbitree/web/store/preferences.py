"""Settings of one person, by name."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import bindparam, select

from arbitree.web.store.cache import cached
from arbitree.web.store.database import Database
from arbitree.web.store.tables import preferences

_OF_PERSON = select(preferences.c.name, preferences.c.value).where(
    preferences.c.person == bindparam("person")
)


class PersonalSettings(Database):
    """What each person has set for their own pages."""

    @cached
    def preferences(self, person: int) -> Mapping[str, str]:
        """Return what a person has set, by name."""
        with self._reading() as connection:
            return {row.name: row.value for row in connection.execute(_OF_PERSON, {"person": person})}

    def set_preference(self, person: int, name: str, value: str) -> None:
        """Set a preference of a person, replacing the earlier one."""
        made = self._insert(preferences).values(person=person, name=name, value=value)
        with self._writing() as connection:
            connection.execute(
                made.on_conflict_do_update(index_elements=["person", "name"], set_={"value": value})
            )
