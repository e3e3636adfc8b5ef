"""The contract of a format: how files of one format are recognised, read and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic

from arbitree.errors import UnsupportedStudy
from arbitree.reading.content import Content, Entry, Records, V
from arbitree.reading.inputs import Input
from arbitree.study.study import Study


class Format(ABC, Generic[V]):
    """A reader and, unless files of the format are only read, a writer.

    ``sniff`` and ``read`` are required. A format whose files are tables with the annotations of several
    coders sets ``tabular`` and has ``records`` and ``gather`` too.
    """

    about: ClassVar[str]  # what it is, in a line
    value_type: ClassVar[type[Any]]  # the type of the values
    suffixes: ClassVar[tuple[str, ...]] = ()  # usual endings of file names, that of downloads first
    unit: ClassVar[str] = "sentence"  # what an entry is called
    tabular: ClassVar[bool] = False  # whether a file names the coders of its annotations
    holds_ids: ClassVar[bool] = True  # whether a comment can give a sentence its id
    holds_gaps: ClassVar[bool] = False  # whether a sentence can lack an annotation
    instead: ClassVar[str] = ""  # what to do, where files of other formats cannot be made of it

    @abstractmethod
    def sniff(self, content: Content) -> float:
        """Return how sure it is that *content* is of this format: 0 no, 1 certain."""

    @abstractmethod
    def read(self, content: Content) -> Iterator[Entry[V]]:
        """Yield the annotations of *content* in order; raise FormatError at the first bad line."""

    def holds(self, value_type: type) -> bool:
        """Return whether files of the format hold values of this type."""
        return value_type is self.value_type

    def write(self, entries: Iterable[Entry[V]]) -> Iterator[str]:
        """Yield the text of *entries* in pieces."""
        raise UnsupportedStudy(f"{self.about}: read, not written")

    def write_as(self, entries: Iterable[Entry[V]], suffix: str) -> Iterator[str]:
        """Yield the text of *entries* as a file with this ending has it."""
        return self.write(entries)

    def text(self, entries: Iterable[Entry[V]], path: str) -> str:
        """Return *entries* as a file called *path* has them."""
        return "".join(self.write_as(entries, Path(path.removesuffix(".gz")).suffix))

    def defects(self, values: Sequence[V]) -> list[tuple[int, str]]:
        """Return which of *values* are not well-formed, and why."""
        return []

    def records(self, content: Content) -> Records:
        """Return the rows of a table."""
        raise NotImplementedError

    def gather(self, files: Sequence[tuple[Input, Records]]) -> Study[V]:
        """Return the study of all *files*."""
        raise NotImplementedError
