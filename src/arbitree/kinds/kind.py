"""The contract of a kind of annotation: what the rest of the program may ask of it."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

V = TypeVar("V")


class Kind(ABC, Generic[V]):
    """A kind of annotation: its values, and what can be done with them.

    One object, ``KIND``, in ``kinds/<kind>/kind.py``. Everything outside that folder asks this object.
    """

    name: ClassVar[str]  # of the folder
    values: ClassVar[tuple[type, ...]]  # the types of its values
    unit: ClassVar[str] = "sentence"  # what an item is called
    writers: ClassVar[tuple[str, ...]] = ()  # formats that hold it, best first
    leading: ClassVar[tuple[str, ...]] = ()  # measures of one coder against gold
    order: ClassVar[tuple[str, ...]] = ()  # of the measures in every table, headline first

    def sorted(self, measures: Iterable[str]) -> list[str]:
        """Return *measures* in the order of every table; those that the kind does not list follow by name."""
        places = {name: place for place, name in enumerate(self.order)}
        return sorted(measures, key=lambda name: (places.get(name, len(places)), name))
