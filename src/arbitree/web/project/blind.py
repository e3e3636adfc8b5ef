"""Hide the names of annotators from an adjudicator: letters, whose order differs from item to item."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from arbitree.adjudication.history import LogEntry
from arbitree.adjudication.places import Key, Sheet
from arbitree.adjudication.whole import WHOLE
from arbitree.study.study import Annotation, Item, Study
from arbitree.web.project.drawings import Drawings

if TYPE_CHECKING:
    from arbitree.web.project.project import Project


def letters_of(secret: bytes, item: str, coders: Sequence[str]) -> dict[str, str]:
    """Return a letter for each annotator; who knows the names but not the secret cannot tell the order.

    Example:
        >>> orders = {tuple(letters_of(b"key", item, ["ann", "bob"])) for item in ("s1", "s2", "s3", "s4")}
        >>> sorted(orders), sorted(letters_of(b"key", "s1", ["ann", "bob"]).values())
        ([('ann', 'bob'), ('bob', 'ann')], ['A', 'B'])
    """

    def place(coder: str) -> bytes:
        text = f"names:{item}\0{coder}".encode("utf-8", "surrogatepass")
        return hmac.digest(secret, text, hashlib.sha256)

    return {coder: _letter(number) for number, coder in enumerate(sorted(coders, key=place))}


def _letter(number: int) -> str:
    """Return A to Z, then AA, AB and so on.

    Example:
        >>> _letter(0), _letter(25), _letter(26)
        ('A', 'Z', 'AA')
    """
    more, last = divmod(number, len(ascii_uppercase))
    return (_letter(more - 1) if more else "") + ascii_uppercase[last]


@dataclass(frozen=True)
class Mask:
    """One item with letters for the names of its annotators."""

    project: Project
    number: int
    letters: Mapping[str, str]  # by name

    @cached_property
    def study(self) -> Study[Any]:
        """The item alone, as a study of annotators called A, B, C."""
        item = self._item
        cells = {
            (item.id, self.letters[cell.coder]): Annotation(item, self.letters[cell.coder], cell.value)
            for cell in self.project.study.of(item)
        }
        coders = tuple(self.letters.values())
        ordered = {key: cells[key] for coder in coders if (key := (item.id, coder)) in cells}
        return Study((item,), coders, ordered)

    @cached_property
    def sheet(self) -> Sheet[Any]:
        """The sheet of the item."""
        return self.project.adjudication.prepared(self.study, self._item)

    @cached_property
    def drawings(self) -> Drawings:
        """The drawings of the item."""
        return Drawings(self.study, self.project.kind.pictures)

    def hidden(self, changes: Mapping[Key, str]) -> dict[Key, str]:
        """Return decisions with letters, where names are values: in choices between whole annotations."""
        return _named(changes, self._first)

    def named(self, changes: Mapping[Key, str]) -> dict[Key, str]:
        """Return decisions with the names for which letters stand."""
        return _named(changes, {letter: name for name, letter in self.letters.items()})

    def entry(self, entry: LogEntry) -> LogEntry:
        """Return an entry of the history without names of annotators."""
        changes = entry.body.get("changes")
        return entry if not changes else entry._replace(body=entry.body | {"changes": self.hidden(changes)})

    @property
    def _item(self) -> Item:
        return self.project.item(self.number)

    @cached_property
    def _first(self) -> dict[str, str]:
        """The letter that stands for each name as a value: annotators with the same annotation share one."""
        choices = [choice for place in self.sheet.places if place.key == WHOLE for choice in place.choices]
        shared = {letter: choice.value for choice in choices for letter in choice.coders}
        return {name: shared.get(letter, letter) for name, letter in self.letters.items()}


def _named(changes: Mapping[Key, str], names: Mapping[str, str]) -> dict[Key, str]:
    return {key: names.get(value, value) if key == WHOLE else value for key, value in changes.items()}
