"""Documents: the output of a command as a headline, sections and data, independent of the medium.

Sections (``reporting/sections/``, and ``report.py`` of a kind) build a document and compute nothing; one
module for each medium shows any document. How a value becomes text is decided here, once for all media.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import arbitree
from arbitree.errors import UnsupportedStudy
from arbitree.measures.coverage import each_once
from arbitree.plugins import check_name, plugins_in
from arbitree.reporting.citations import entries
from arbitree.reporting.phrasing import bounds
from arbitree.study.result import MEDIA, Column, Form, Interval, Result, Table
from arbitree.study.study import Study
from arbitree.wording import decimal, one_line

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from arbitree.reporting.xlsx import Book, Start

T = TypeVar("T")

SHOWN = frozenset({"terminal", "html"})  # for people: numbers are rounded, intervals are one column
DATA = MEDIA - SHOWN  # for programs: low and high are numbers of their own
TERMINAL = frozenset({"terminal"})
HTML = frozenset({"html"})
XLSX = frozenset({"xlsx"})
CSV = frozenset({"csv"})
PANDAS = frozenset({"pandas"})
BAR_WIDTH = 24


# How values become text


class Span(NamedTuple):
    """A value and its interval, and the remark to show without an interval."""

    value: float | None
    interval: Interval | None
    remark: str = ""


def number(value: float | None, digits: int = 4) -> str:
    """Return a value with four digits that is not rounded to 0 or 1, or — for None.

    Example:
        >>> number(0.98382704), number(0.999999), number(None)
        ('0.9838', '>0.9999', '—')
    """
    return "—" if value is None else decimal(value, digits)


def p_text(value: float | None) -> str:
    """Return a p-value with three digits.

    Example:
        >>> p_text(0.00049), p_text(0.0312), p_text(None)
        ('<0.001', '0.031', '—')
    """
    if value is None:
        return "—"
    return "<0.001" if value < 0.001 else decimal(value)


def bar_text(value: float | None, interval: Interval | None, width: int = BAR_WIDTH) -> str:
    """Return *value* as a mark, and its interval as a line, on an axis from 0 to 1.

    An interval that leaves the axis has an arrow at the cut end. A value outside the axis is ``<`` or ``>``.

    Example:
        >>> bar_text(0.5, None, width=9)
        '····●····'
        >>> bar_text(0.5, Interval(-0.479, 0.75, 0.95, "jackknife", 0), width=9)
        '◀━━━●━━··'
        >>> bar_text(-0.2, None, width=5), bar_text(1.4, None, width=5)
        ('<····', '····>')
    """
    if value is None:
        return " " * width
    cells = ["·"] * width
    if interval:
        for place in range(_place(interval.low, width), _place(interval.high, width) + 1):
            cells[place] = "━"
        if interval.low < 0:
            cells[0] = "◀"
        if interval.high > 1:
            cells[-1] = "▶"
    cells[_place(value, width)] = "<" if value < 0 else ">" if value > 1 else "●"
    return "".join(cells)


def _place(value: float, width: int) -> int:
    return round(min(max(value, 0.0), 1.0) * (width - 1))


def _words(value: Any) -> str:
    return "" if value is None else str(value)


def _grouped(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _limit(value: float | None) -> str:
    return "" if value is None else decimal(value, 4)


def _signed(value: float | None) -> str:
    return "—" if value is None else decimal(value, 4, sign="+")


def _range(span: Span, between: str, digits: int) -> str:
    return bounds(span.interval, between, digits) or span.remark


def _bar(span: Span, width: int) -> str:
    return bar_text(span.value, span.interval, width)


NAME = Form("name", _words, right=False, wraps=True, bold=True)
MEASURE = NAME._replace(name="measure")  # a name that is ours, and may have a link to its row
TEXT = Form("text", _words, right=False, wraps=True)
WORD = Form("word", _words, right=False)
WORDS = TEXT._replace(name="words")  # of a sentence
COUNT = Form("count", _grouped, wraps=True)
VALUE = Form("value", number)
RESULT = Form("value", number, axis=True, absent="undefined")  # of a measure
LIMIT = Form("limit", _limit)  # the highest value that identical annotators reach, if it is below 1
FRACTION = Form("value", number, axis=True)
SIGNED = Form("signed", _signed)
P_VALUE = Form("p", p_text)
INTERVAL = Form("interval", partial(_range, between=" – ", digits=4), right=False)
SHORT_INTERVAL = Form("interval", partial(_range, between="–", digits=3))


def bar_column(medium: frozenset[str] = SHOWN, width: int = BAR_WIDTH) -> Column:
    """Return a column that draws values and intervals between 0 and 1."""
    title = "0" + "1".rjust(width - 1)
    return Column("bar", title, Form("bar", partial(_bar, width=width), right=False), medium)


def interval_title(found: Iterable[Interval | None]) -> str:
    """Return the title of a column of intervals; an empty string if there are none."""
    confidence = next((each.confidence for each in found if each), None)
    return f"{100 * confidence:g}% CI" if confidence else ""


# Of what a document is made


@dataclass(frozen=True, slots=True)
class Text:
    """Text, one paragraph per line."""

    words: str
    style: Literal["", "bold", "dim"] = ""
    whole: bool = False  # lines are never broken, so that they can be copied


@dataclass(frozen=True, slots=True)
class Details:
    """Lines that are shown on request."""

    lines: tuple[str, ...]
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks that belong together."""

    blocks: tuple[Text | Table | Details, ...]
    title: str = ""
    number: int | None = None  # in a list of sections


def section_in(section: Section, media: frozenset[str], *, but: str = "") -> Section:
    """Return *section* with its tables limited to these *media*, without the table named *but*."""
    blocks = tuple(
        replace(block, media=block.media & media) if isinstance(block, Table) else block
        for block in section.blocks
        if not (but and isinstance(block, Table) and block.name == but)
    )
    return replace(section, blocks=blocks)


Field = tuple[Column, Callable[[T], Any]]


def named_in_data(fields: Iterable[Field[T]]) -> list[Field[T]]:
    """Return *fields* whose columns programs see by their names, and people by their titles."""
    programs = CSV | PANDAS
    return [
        (column._replace(title=title, media=column.media & media), value)
        for column, value in fields
        for title, media in ((column.title, MEDIA - programs), (column.name, programs))
    ]


def table_of_fields(fields: Sequence[Field[T]], things: Iterable[T], **about: Any) -> Table:
    """Return a table with one row per element of *things* and one column per field.

    Args:
        fields: columns, each with the function that takes its value from a thing.
        things: what the rows are about.
        about: the other arguments of Table.
    """
    rows = tuple(tuple(value(thing) for _, value in fields) for thing in things)
    return Table([column for column, _ in fields], rows, **about)


@dataclass(frozen=True, slots=True)
class Document:
    """The complete output of a command."""

    command: str
    headline: str
    sections: tuple[Section, ...]
    data: Callable[[], Mapping[str, Any]]  # what JSON has beside version and command
    references: tuple[str, ...] = ()  # keys of the papers behind it
    main: str = ""  # the name of the main table
    title: str = "Arbitree report"  # of a workbook
    page: Callable[[], str] | None = None  # makes HTML from a template of its own
    forms: Callable[[Book], None] | None = None  # writes sheets that people fill in, before those of tables
    start: Callable[[], Start] | None = None  # makes the first sheet of a workbook that people fill in
    long: str = ""  # the key of a list in the data that is written with one entry per line

    def tables(self, medium: str) -> list[Table]:
        """Return the tables that *medium* shows."""
        blocks = [block for section in self.sections for block in section.blocks]
        return [each for each in blocks if isinstance(each, Table) and medium in each.media]

    def table(self, name: str, medium: str, what: str = "table") -> Table:
        """Return a table by its name; raise UnknownName if it does not exist."""
        found = {table.name: table for table in self.tables(medium) if table.name}
        check_name(name, found, what)
        return found[name]

    def __getitem__(self, name: str) -> Table:
        """Return a table for programs by its name."""
        return self.table(name, "pandas")

    def __str__(self) -> str:
        from arbitree.reporting.terminal import text

        return text(self)

    def _repr_html_(self) -> str:
        from arbitree.reporting.terminal import notebook_html

        return notebook_html(self)

    @property
    def citations(self) -> list[str]:
        """The references of the document, as BibTeX."""
        return entries(self.references)

    def to_dict(self) -> dict[str, Any]:
        """Return the data for JSON."""
        return record(self.command, self.data())

    def to_pandas(self, name: str = "") -> pd.DataFrame:
        """Return a data frame of a table by its name, by default of the main one; needs pandas."""
        return self[name or self.main].to_pandas()

    def to_latex(self) -> str:
        """Return the tables in LaTeX, the main one first, for the package booktabs."""
        from arbitree.reporting.latex import files

        return files(self, "").popitem()[1].decode()


def item_document(command: str, headline: str, items: Table) -> Document:
    """Return a document that consists of one table with a row per item, for a file of its own."""

    def data() -> dict[str, Any]:
        return {"items": items.shown_in("pandas").records()}

    return Document(command, headline, (Section((items,)),), data, main=items.name, long="items")


class Presentable(ABC):
    """Results of a command that can be shown as a document."""

    __slots__ = ()

    @property
    @abstractmethod
    def document(self) -> Document:
        """The results as a document."""

    def __repr__(self) -> str:
        headline = self.document.headline.partition("\n")[0] or self.document.command
        return f"{type(self).__name__}: {one_line(headline, 250)}"

    def __str__(self) -> str:
        return str(self.document)

    def _repr_html_(self) -> str:
        return self.document._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return self.document.to_dict()

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame of the main table; needs pandas."""
        return self.document.to_pandas()

    def to_latex(self) -> str:
        """Return the tables in LaTeX, the main one first, for the package booktabs."""
        return self.document.to_latex()

    def plot(self) -> Figure:
        """Return a figure; raise UnsupportedStudy if there is none for this command."""
        hint = "Use to_pandas(), and plot the data frame"
        raise UnsupportedStudy(f"results of {self.document.command} have no figure", hint=hint)


def record(command: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return *found* with the keys that every JSON output starts with."""
    return {"arbitree": arbitree.__version__, "command": command, **found}


def notes_of(study: Study[Any], results: Iterable[Result]) -> list[str]:
    """Return the warnings about the study and the results, each once."""
    return each_once((*study.notes, *(note for result in results for note in result.notes)))


def references_of(results: Iterable[Result]) -> tuple[str, ...]:
    """Return the reference keys of *results*, each once."""
    return tuple(dict.fromkeys(key for result in results for key in result.references))


# Which module shows it

Renderer = Callable[[Document, str], dict[str, bytes]]  # contents of the files to write, by name


@cache
def renderers() -> dict[str, Renderer]:
    """Return the functions that write files, by file extension: plug-ins in the modules of this package."""
    return plugins_in("arbitree.reporting")
