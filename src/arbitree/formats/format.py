"""What every format offers, and what it is given: the content of one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Protocol

from arbitree.reading.content import Content, Entry, V


class Format(Protocol[V]):
    """A reader and a writer."""

    about: ClassVar[str]  # what it is, in a line
    kind: ClassVar[type[Any]]  # the type of the values
    suffixes: ClassVar[tuple[str, ...]]  # usual endings of file names, for writing

    def sniff(self, content: Content) -> float:
        """Return how sure it is that *content* is of this format: 0 no, 1 certain."""
        ...

    def read(self, content: Content) -> Iterator[Entry[V]]:
        """Yield the annotations of *content* in order; raise FormatError at the first bad line."""
        ...

    def write(self, entries: Iterable[Entry[V]]) -> Iterator[str]:
        """Yield the text of *entries* in pieces."""
        ...
