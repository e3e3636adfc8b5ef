"""Define the base class of formats, which detect, read and write the files of one format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic

from arbitree.errors import Source, UnsupportedStudy
from arbitree.reading.content import Content, Entry, Records, V
from arbitree.reading.inputs import Input
from arbitree.reading.layers import Layer
from arbitree.reading.views import Views
from arbitree.study.study import Study


def extension(path: str) -> str:
    """Return the file extension of *path*, without that of compressed files."""
    return Path(path.removesuffix(".gz")).suffix


def entries_in(study: Study[V]) -> Iterator[Entry[V]]:
    """Yield the annotations of *study*; documents are named if there are several."""
    several = len(study.documents) > 1
    for item, cells in study:
        for cell in cells:
            document = item.document if several else None
            yield Entry(cell.value, cell.source or Source(item.id), item.id, document, cell.coder)


class Format(ABC, Generic[V]):
    """Base class for formats: a reader and, unless the format is read-only, a writer.

    Subclasses implement ``sniff`` and ``read``. If one file is a table with the annotations of several
    annotators, the subclass sets ``tabular`` and implements ``records`` and ``gather`` as well.

    A file can name the annotator of each annotation, too: ``read`` sets ``coder`` of the entries, and ``id``,
    ``document`` and ``time`` if the file contains them. A file that names several annotators gives a study
    with all of them. If an annotator annotated an item twice, the annotation with the larger time counts.
    ``roles`` contains the names that the tool of the format uses for other things than annotators.
    """

    about: ClassVar[str]  # one-line description
    value_type: ClassVar[type[Any]]  # the type of the values
    suffixes: ClassVar[tuple[str, ...]] = ()  # usual file extensions; downloads use the first
    unit: ClassVar[str] = "sentence"  # name of one entry
    writes: ClassVar[bool] = True  # whether files can be written, too
    tabular: ClassVar[bool] = False  # whether a file names the annotators
    roles: ClassVar[Mapping[str, str]] = {}  # by name in a file: GOLD or BY_NAME of ``reading.annotators``
    holds_ids: ClassVar[bool] = True  # whether a comment can contain the id of a sentence
    holds_gaps: ClassVar[bool] = False  # whether the annotation of a sentence can be missing
    needs: ClassVar[tuple[str, ...]] = ()  # optional packages without which it is only detected
    # layers that a user can choose, with options and their values; defaults first
    views: ClassVar[Views] = {}
    layered: ClassVar[bool] = False  # whether files contain layers, of which a user can choose one
    zoned: ClassVar[bool] = False  # whether a file contains zones, of which a user can choose one
    instead: ClassVar[str] = ""  # advice for users who want to convert from this format

    @abstractmethod
    def sniff(self, content: Content) -> float:
        """Return the confidence that *content* is in this format, from 0 (not) to 1 (certain)."""

    @abstractmethod
    def read(self, content: Content) -> Iterator[Entry[V]]:
        """Yield the annotations of *content* in order; raise FormatError at the first bad line."""

    def views_in(self, content: Content) -> tuple[str, ...]:
        """Return the views that *content* itself contains, not only through references to other files."""
        return tuple(self.views)

    def layers(self, content: Content) -> list[Layer]:
        """Return the layers of *content*, of which a user can choose one."""
        return []

    def plain_text(self, content: Content) -> str:
        """Return the annotated text of *content*, which all annotators of a document share, if known."""
        return ""

    def worded(self, content: Content) -> bool:
        """Return whether the values contain the annotated words, which annotators share."""
        return True

    def ending(self, content: Content) -> str:
        """Return the line feeds that a complete file ends with.

        A file without them may be incomplete. The text is empty if a file in this format that is cut off
        cannot be read, because brackets or elements are not closed.
        """
        return ""

    def holds(self, value_type: type) -> bool:
        """Return whether files in this format contain values of this type."""
        return value_type is self.value_type

    def write(self, entries: Iterable[Entry[V]]) -> Iterator[str]:
        """Yield the text of *entries* in pieces."""
        raise UnsupportedStudy(f"cannot write this format ({self.about}): Arbitree only reads it")

    def write_as(self, entries: Iterable[Entry[V]], suffix: str) -> Iterator[str]:
        """Yield the text of *entries* for a file with this extension."""
        return self.write(entries)

    def text(self, entries: Iterable[Entry[V]], path: str) -> str:
        """Return the text of *entries* for a file called *path*."""
        return "".join(self.write_as(entries, extension(path)))

    def write_study(self, study: Study[V], suffix: str) -> Iterator[str]:
        """Yield the text of *study*, which has one annotator unless the format is tabular."""
        return self.write_as(entries_in(study), suffix)

    def defects(self, values: Sequence[V]) -> list[tuple[int, str]]:
        """Return the index of every value that is not well-formed, with the reason."""
        return []

    def records(self, content: Content) -> Records:
        """Return the rows of a table."""
        raise NotImplementedError

    def gather(self, files: Sequence[tuple[Input, Records]]) -> Study[V]:
        """Return the study that contains the rows of all *files*."""
        raise NotImplementedError
