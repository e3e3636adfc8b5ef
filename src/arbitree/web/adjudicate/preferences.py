"""Settings of a person for their own adjudication page."""

from __future__ import annotations

from typing import NamedTuple

from arbitree.web.store import Store

STORED = {"suggestions": ("hidden", "shown"), "names": ("hidden", "shown"), "onward": ("off", "on")}


class DeskPreferences(NamedTuple):
    """The settings of one person for the adjudication page."""

    suggestions: bool = True  # show what the annotator model suggests
    names: bool = True  # show the names of the annotators
    onward: bool = True  # go on to the next undecided item after the last decision

    @classmethod
    def of(cls, store: Store, person: int) -> DeskPreferences:
        """Return the settings of a person; what was never set, or to an unknown value, is on."""
        stored = store.preferences(person)
        return cls(**{name: stored.get(name) != off for name, (off, _) in STORED.items()})

    def save(self, store: Store, person: int) -> None:
        """Store the settings of a person."""
        before = DeskPreferences.of(store, person)
        for name, words in STORED.items():
            value = getattr(self, name)
            if value != getattr(before, name):
                store.set_preference(person, name, words[value])
