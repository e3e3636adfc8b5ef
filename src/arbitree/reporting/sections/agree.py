"""Output of ``arbitree agree``: measures, breakdowns, further tables, excluded items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import arbitree
from arbitree.kinds.kind import Kind
from arbitree.measures.coverage import each_once
from arbitree.measures.signatures import citation
from arbitree.plugins import check_name
from arbitree.reporting import phrasing
from arbitree.reporting.citations import bibtex
from arbitree.reporting.document import (
    COUNT,
    CSV,
    DATA,
    INTERVAL,
    LIMIT,
    MEASURE,
    NAME,
    PANDAS,
    RESULT,
    SHOWN,
    TERMINAL,
    TEXT,
    VALUE,
    XLSX,
    Details,
    Document,
    Field,
    Presentable,
    Section,
    Span,
    Text,
    bar_column,
    interval_title,
    notes_of,
    references_of,
    table_of_fields,
)
from arbitree.reporting.phrasing import (
    REASONS,
    STATUS,
    headline,
    ignored_lines,
    is_limited,
    names_of,
    status_lines,
    summary,
    title_of,
)
from arbitree.study.result import MEDIA, PLAIN, Column, Group, Later, Result, Table
from arbitree.study.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LISTED = 20  # rows of a long table that a terminal shows
GROUPS = {"coder": "annotator"}  # headings of breakdowns that differ from the value of --by
OF_FIRST = {"without": "without", "highest": "of at most"}  # details of the first measure, with their titles
Named = tuple[str, Result]  # a unique name, and its result


@dataclass(frozen=True, slots=True, repr=False)
class ResultTable(Presentable):
    """The results of *command* on a study."""

    command: str
    kind: Kind[Any]
    study: Study[Any]
    results: tuple[Result, ...]
    tables: Mapping[str, Table] = field(default_factory=dict)  # confusions, differences ... by name

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __getitem__(self, measure: str) -> Result:
        found = {result.measure: result for result in self.results}
        check_name(measure, found, "result")
        return found[measure]

    def plot(self) -> Figure:
        """Return a figure of the values with their confidence intervals; needs matplotlib."""
        from arbitree.reporting.charts import forest_figure

        return forest_figure(list(zip(names_of(self.results), self.results, strict=True)))

    def beside(self, name: str, table: Table) -> ResultTable:
        """Return the same results with one more *table*."""
        return replace(self, tables={**self.tables, name: table})

    @property
    def per_item(self) -> Table:
        """One row per item, with its id, document and text, and one column per measure."""
        return replace(_items(self), media=MEDIA)

    @property
    def warnings(self) -> list[str]:
        """Warnings about the study and the values."""
        return notes_of(self.study, self.results)

    @property
    def document(self) -> Document:
        """The results as a document."""
        sections = (
            *measure_sections(self.results, self.kind.unit),
            *(listing(name, table) for name, table in self.tables.items()),
            remarks(self.results, self.kind.unit),
            *item_sections(self),
            signatures(self.results),
        )
        return Document(
            self.command,
            headline(self.kind, self.study, self.results),
            sections,
            self.data,
            references_of(self.results),
            main="Measures",
        )

    def data(self) -> dict[str, Any]:
        """Return the results for JSON."""
        return {
            "study": summary(self.kind, self.study),
            "results": [result.to_dict() for result in self.results],
            **{name: table.records() for name, table in self.tables.items()},
            "warnings": self.warnings,
        }


def table_of(command: str, kind: Kind[Any], study: Study[Any], results: Sequence[Result]) -> ResultTable:
    """Return the table of *results*."""
    return ResultTable(command, kind, study, tuple(results))


def result_fields(results: Sequence[Result], unit: str) -> list[Field[Result]]:
    """Return the columns of every table of results, without the names of the measures.

    Args:
        results: The results in the table.
        unit: Name of an item of the study: sentence or item.
    """
    title = interval_title(result.interval for result in results)
    limits: list[Field[Result]] = [
        (Column("highest", "of at most", LIMIT), lambda each: each.best if is_limited(each) else None)
    ]
    return [
        (Column("value", "value", RESULT), lambda each: each.value),
        *(limits if any(map(is_limited, results)) else ()),
        (bar_column(), lambda each: Span(each.value, each.interval)),
        (Column("interval", title, INTERVAL, SHOWN), span_of),
        (Column("low", "low", VALUE, DATA), lambda each: each.interval and each.interval.low),
        (Column("high", "high", VALUE, DATA), lambda each: each.interval and each.interval.high),
        (Column("status", "status", TEXT, PANDAS | CSV), lambda each: each.status),
        (
            Column("confidence", "confidence", VALUE, XLSX),
            lambda each: each.interval and each.interval.confidence,
        ),
        (Column("method", "CI method", TEXT, XLSX), lambda each: each.interval and each.interval.method),
        (Column("items_used", f"{unit}s", COUNT), lambda each: each.items_used),
        (Column("items_ignored", "excluded", COUNT), lambda each: len(each.ignored)),
        (Column("remark", "remark", TEXT, XLSX), lambda each: STATUS.get(each.status, each.status)),
        (Column("signature", "signature", TEXT, PANDAS | CSV), lambda each: each.signature),
    ]


def fields_of_second(fields: Sequence[Field[Result]]) -> list[Field[tuple[str, Result]]]:
    """Return *fields* of results for pairs of a name and a result."""
    return [(column, partial(_of_second, value)) for column, value in fields]


def _of_second(value: Callable[[Result], Any], pair: tuple[str, Result]) -> Any:
    return value(pair[1])


def span_of(found: Result | Group) -> Span:
    """Return the value and its interval, or the status if it is not ``ok``."""
    return Span(found.value, found.interval, "" if found.status == "ok" else found.status)


def measure_table(results: Sequence[Result], unit: str) -> Table:
    """Return a table with one row per result, each with a unique name."""
    named: list[Field[Named]] = [
        (Column("measure", "measure", MEASURE, SHOWN | XLSX), lambda each: each[0]),
        (Column("measure", "measure", MEASURE, DATA - XLSX), lambda each: each[1].measure),
        *fields_of_second(result_fields(results, unit)),
    ]
    return table_of_fields(named, zip(names_of(results), results, strict=True), name="Measures")


def measure_sections(results: Sequence[Result], unit: str) -> Iterator[Section]:
    """Yield the table of measures, and one table per breakdown."""
    names = names_of(results)
    yield Section((measure_table(results, unit),))
    for kind in results[0].groups:
        rows = [((name,), result) for name, result in zip(names, results, strict=True)]
        listed = group_list(kind, [Column("measure", "measure", NAME)], rows, unit)
        yield Section((_groups(kind, results, names, unit), listed))


def _groups(kind: str, results: Sequence[Result], names: Sequence[str], unit: str) -> Table:
    """Return a breakdown with one row per group and one column per measure."""
    grouped = list(zip(*(result.groups[kind] for result in results), strict=True))
    extras = list(grouped[0][0].details) if grouped else []  # further columns of the breakdown
    columns = [
        Column(kind, f"by {GROUPS.get(kind, kind)}", NAME),
        Column("items_used", f"{unit}s", COUNT),
        *(Column(name, name, VALUE) for name in names),
        *(
            Column(extra, f"{names[0]} {OF_FIRST[extra]}" if extra in OF_FIRST else extra, PLAIN)
            for extra in extras
        ),
    ]
    rows = [
        (
            groups[0].name,
            groups[0].items_used,
            *(group.value for group in groups),
            *(groups[0].details.get(extra) for extra in extras),
        )
        for groups in grouped
    ]
    stars = {
        (row, place): "*"
        for row, groups in enumerate(grouped)
        for place, group in enumerate(groups, start=2)
        if group.value is not None and group.status != "ok"
    }
    return Table(columns, rows, media=TERMINAL, repeated=2, marks=stars)


def group_list(
    kind: str, named: Sequence[Column], results: Sequence[tuple[tuple[str, ...], Result]], unit: str
) -> Table:
    """Return one row per result and group, for the filters of a sheet.

    Args:
        kind: The breakdown.
        named: The first columns, such as the measure.
        results: The results, each with its cells in the first columns.
        unit: Name of an item of the study: sentence or item.
    """
    every = [group for _, result in results for group in result.groups[kind]]
    extras = list(dict.fromkeys(key for group in every for key in group.details))
    rows = [
        (
            *names,
            group.name,
            group.value,
            group.interval and group.interval.low,
            group.interval and group.interval.high,
            group.items_used,
            *(group.details.get(extra) for extra in extras),
            STATUS.get(group.status, group.status),
        )
        for names, result in results
        for group in result.groups[kind]
    ]
    bounded = DATA if any(group.interval for group in every) else DATA - XLSX
    columns = [
        *named,
        Column("group", GROUPS.get(kind, kind), TEXT),
        Column("value", "value", RESULT),
        Column("low", "low", VALUE, bounded),
        Column("high", "high", VALUE, bounded),
        Column("items_used", f"{unit}s", COUNT),
        *(Column(extra, extra) for extra in extras),
        Column("remark", "remark", TEXT),
    ]
    return Table(columns, rows, name=title_of(kind), media=DATA)


def listing(name: str, table: Table) -> Section:
    """Return a section with *table*, of which a terminal shows the first rows."""
    first, *others = table.names
    columns: list[str | Column] = [Column(first, first, PLAIN._replace(right=False)), *others]
    shown = Table(
        columns, table.rows, name=name.capitalize(), media=DATA | TERMINAL, most=LISTED, note=table.note
    )
    return Section((shown,), name)


def remarks(results: Sequence[Result], unit: str) -> Section:
    """Return the remarks on *results*: notes, statuses, excluded items."""
    notes = each_once(note for result in results for note in result.notes)
    lines = [*notes, *status_lines(results), *ignored_lines(results, unit)]
    return Section((*map(Text, lines), Details(ignored_items(results))))


def ignored_items(results: Sequence[Result]) -> tuple[str, ...]:
    """Return one line per excluded item."""
    seen = dict.fromkeys(each for result in results for each in result.ignored)
    return tuple(f"  {each.item}: {each.reason} {each.detail}".rstrip() for each in seen)


def signatures(results: Sequence[Result], of: str = "") -> Section:
    """Return the values and signatures, one per line without line breaks, so that they can be copied.

    Args:
        results: the results.
        of: the system that they belong to, if there are several.
    """
    lines = dict.fromkeys(citation(result.value, result.signature) for result in results)
    return Section((Details((*([f"{of}:"] if of else ()), *lines), whole=True),))


def item_sections(table: ResultTable) -> Iterator[Section]:
    """Yield the tables that only a workbook shows: items, excluded items, settings."""
    yield Section((_items(table), _left_out(table), _about(table)))


def _items(table: ResultTable) -> Table:
    names = names_of(table.results)
    shown = [
        (name, each) for name, each in zip(names, table.results, strict=True) if each.per_item is not None
    ]
    titles = [
        f"{name} disagreement" if each.per_item_shows == "disagreement" else name for name, each in shown
    ]

    def rows() -> list[tuple[Any, ...]]:
        values = [
            {row["item"]: row["value"] for row in each.per_item.records()} if each.per_item else {}
            for _, each in shown
        ]
        read_at = phrasing.origins(table.kind, table.study)
        found = []
        for item, cells in table.study:
            origin = read_at.get(item.id, phrasing.Origin("", ""))
            own = [each.get(item.id) for each in values]
            found.append((item.id, item.document, len(cells), *own, origin.source, origin.text, origin.text))
        return found

    texts = (Column("text", "words", TEXT, XLSX), Column("text", "text", TEXT, MEDIA - XLSX))
    columns: list[str | Column] = ["item", "document", "annotations", *titles, "source", *texts]
    return Table(columns, Later(rows), name="Items", media=XLSX)


def _left_out(table: ResultTable) -> Table:
    def rows() -> list[tuple[Any, ...]]:
        read_at = phrasing.origins(table.kind, table.study)
        return [
            (
                each.item,
                REASONS.get(each.reason, each.reason),
                each.detail,
                ", ".join(group.measures),
                read_at[each.item].source if each.item in read_at else "",
            )
            for group in phrasing.left_out(table.results)
            for each in group.entries
        ]

    columns = ("item", "reason", "detail", "excluded by", "source")
    return Table(columns, Later(rows), name="Excluded", media=XLSX)


def _about(table: ResultTable) -> Table:
    def rows() -> list[tuple[Any, ...]]:
        facts = summary(table.kind, table.study)
        del facts["coders"]
        facts |= {"settings": ", ".join(facts["settings"])} if "settings" in facts else {}
        named = zip(names_of(table.results), table.results, strict=True)
        return [
            ("arbitree", arbitree.__version__),
            ("headline", headline(table.kind, table.study, table.results)),
            ("annotators", ", ".join(table.study.coders)),
            *facts.items(),
            ("missing annotations", table.study.missing),
            *(("warning", warning) for warning in table.warnings),
            *((f"signature of {name}", result.signature) for name, result in named),
            *(("BibTeX", entry) for entry in bibtex(table.results)),
        ]

    return Table(("property", "value"), Later(rows), name="About", media=XLSX)
