"""Output of ``arbitree agree`` for several studies, or for several columns of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from arbitree.plugins import check_name
from arbitree.reporting.document import (
    DATA,
    MEASURE,
    NAME,
    SHOWN,
    Details,
    Document,
    Presentable,
    Section,
    Text,
    interval_title,
    references_of,
)
from arbitree.reporting.phrasing import bounds, ignored_lines, limit, names_of, status_lines, summary
from arbitree.reporting.sections.agree import (
    ResultTable,
    ignored_items,
    listing,
    measure_sections,
    result_fields,
    signatures,
)
from arbitree.study.result import MEDIA, Column, Form, Result, Table
from arbitree.wording import count_of, decimal, listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLURALS = {"study": "studies", "column": "columns"}


class Part(NamedTuple):
    """The results on one study, or on one column of it."""

    labels: tuple[str, ...]  # its names, one per axis
    table: ResultTable

    @property
    def label(self) -> str:
        """Its name in messages."""
        return ", ".join(self.labels)

    @property
    def results(self) -> dict[str, Result]:
        """The results by unique names."""
        found = self.table.results
        return dict(zip(names_of(found), found, strict=True))


class Unfit(NamedTuple):
    """A measure that is left out for one of the studies."""

    labels: tuple[str, ...]
    measure: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ResultTables(Presentable, Mapping[str | tuple[str, ...], ResultTable]):
    """The results of ``agree`` on several studies or columns, by name."""

    axes: tuple[str, ...]  # what the labels of the parts are: study, column
    parts: tuple[Part, ...]
    unfit: tuple[Unfit, ...] = ()

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[str | tuple[str, ...]]:
        return (part.labels if len(self.axes) > 1 else part.labels[0] for part in self.parts)

    def __getitem__(self, name: str | tuple[str, ...]) -> ResultTable:
        found = dict(zip(self, (part.table for part in self.parts), strict=True))
        if name not in found:
            check_name(str(name), [str(each) for each in found], self.axes[0])
        return found[name]

    @property
    def results(self) -> tuple[Result, ...]:
        """All results, study by study."""
        return tuple(result for part in self.parts for result in part.table.results)

    @property
    def firsts(self) -> dict[str, Result]:
        """The first result on each study, by its name in messages."""
        found = [(part.label, part.table.results[0]) for part in self.parts if part.table.results]
        return {f"{result.measure} of {label}": result for label, result in found}

    @property
    def measures(self) -> tuple[str, ...]:
        """Unique names of all measures."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.results))

    @property
    def per_item(self) -> Table:
        """One row per item of every study, with one column per measure."""
        tables = [(part.labels, part.table.per_item.shown_in("pandas")) for part in self.parts]
        names = tuple(dict.fromkeys(name for _, table in tables for name in table.names if name != "text"))
        rows = [
            (*labels, *(row.get(name) for name in (*names, "text")))
            for labels, table in tables
            for row in table.records()
        ]
        return Table((*self.axes, *names, "text"), rows, name="Items")

    def plot(self) -> Figure:
        """Return a figure of the values with their confidence intervals; needs matplotlib."""
        from arbitree.reporting.charts import forest_figure

        return forest_figure(
            [(f"{part.label}: {name}", found) for part in self.parts for name, found in part.results.items()]
        )

    @property
    def warnings(self) -> list[str]:
        """Warnings about the studies and the values."""
        return _shared({part.label: part.table.warnings for part in self.parts})

    @property
    def document(self) -> Document:
        """The results as a document."""
        first = [self._wide()] if "study" in self.axes else []
        sections = (
            Section((*first, self._long())),
            *(section for part in self.parts for section in _further(part)),
            self._remarks(),
            signatures(self.results),
        )
        references = references_of(self.results)
        return Document("agree", self._headline(), sections, self.data, references, main="Measures")

    def data(self) -> dict[str, Any]:
        """Return the results for JSON."""
        found: dict[str, Any] = {}
        if "study" in self.axes:
            known = {part.labels[0]: part.table for part in self.parts}
            found["studies"] = [
                {"study": name, **summary(table.kind, table.study)} for name, table in known.items()
            ]
        found["results"] = [
            {**self._names(part.labels), **result.to_dict()}
            for part in self.parts
            for result in part.table.results
        ]
        for part in self.parts:
            for name, table in part.table.tables.items():
                found.setdefault(name, []).extend(
                    {**self._names(part.labels), **row} for row in table.records()
                )
        if self.unfit:
            found["unfit"] = [
                {**self._names(each.labels), "measure": each.measure, "reason": each.reason}
                for each in self.unfit
            ]
        return {**found, "warnings": self.warnings}

    def _names(self, labels: Sequence[str]) -> dict[str, str]:
        return dict(zip(self.axes, labels, strict=True))

    def _headline(self) -> str:
        """Return one sentence with the lowest and the highest value of the first measure."""
        of = PLURALS[self.axes[-1]]
        several = len({part.labels[0] for part in self.parts}) if "study" in self.axes else 0
        where = f"{several:,} {'study' if several == 1 else 'studies'}" if several else ""
        if "column" in self.axes:
            columns = len({part.labels[-1] for part in self.parts})
            where = f"{count_of(columns, 'column')}{f' of {where}' if where else ''}"
        start = "Agreement" if several else f"Agreement of {count_of(len(self._coders()), 'annotator')}"
        measure = self.measures[0]
        found = {part.label: part.results[measure] for part in self.parts if measure in part.results}
        known = {label: result.value for label, result in found.items() if result.value is not None}
        if not known:
            return f"{start} in {where}: {measure} is undefined in all {of}."
        low, high = (choose(known, key=lambda label: known[label]) for choose in (min, max))
        if low == high:
            return f"{start} in {where}: {measure} {decimal(known[low])}{limit(found[low])} ({low})."
        ends = [f"{decimal(known[each])}{limit(found[each])} ({each})" for each in (low, high)]
        return f"{start} in {where}: {measure} from {ends[0]} to {ends[1]}."

    def _coders(self) -> tuple[str, ...]:
        return self.parts[0].table.study.coders

    def _wide(self) -> Table:
        """Return one row per study, with one column per measure."""
        columns = [
            *(Column(axis, axis, NAME) for axis in self.axes),
            *(Column(name, name, ESTIMATE) for name in self.measures),
            Column("size", "size", SIZE),
        ]
        rows = [
            (
                *part.labels,
                *(part.results.get(name) for name in self.measures),
                (len(part.table.study.items), len(part.table.study.coders)),
            )
            for part in self.parts
        ]
        title = interval_title(result.interval for result in self.results)
        note = f"{f'In parentheses: {title}. ' if title else ''}Size: items × annotators."
        return Table(columns, rows, media=SHOWN, repeated=len(self.axes), note=note)

    def _long(self) -> Table:
        """Return one row per study, column and measure."""
        fields = result_fields(self.results, self._unit())
        columns = [
            *(Column(axis, axis, NAME) for axis in self.axes),
            Column("measure", "measure", MEASURE),
            *(column for column, _ in fields),
        ]
        rows = [
            (*part.labels, name, *(value(result) for _, value in fields))
            for part in self.parts
            for name, result in part.results.items()
        ]
        return Table(columns, rows, name="Measures", media=DATA if "study" in self.axes else MEDIA)

    def _unit(self) -> str:
        units = {part.table.kind.unit for part in self.parts}
        return units.pop() if len(units) == 1 else "item"

    def _remarks(self) -> Section:
        notes = {
            part.label: [note for result in part.table.results for note in result.notes]
            for part in self.parts
        }
        excluded = {
            part.label: ignored_lines(part.table.results, part.table.kind.unit) for part in self.parts
        }
        lines = [*_shared(notes), *status_lines(self.results), *_shared(excluded), *self._left_out()]
        details = tuple(
            f"  {part.label}: {line.strip()}"
            for part in self.parts
            for line in ignored_items(part.table.results)
        )
        return Section((*map(Text, lines), Details(details)))

    def _left_out(self) -> Iterator[str]:
        """Yield one line for the measures that are left out for the same studies and the same reason."""
        where: dict[tuple[str, str], list[str]] = {}
        for each in self.unfit:
            reason = each.reason.removeprefix(f"{each.measure} ")
            where.setdefault((each.measure, reason), []).append(", ".join(each.labels))
        measures: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for (measure, reason), labels in where.items():
            measures.setdefault((reason, tuple(labels)), []).append(measure)
        for (reason, found), names in measures.items():
            share = f"{len(found)} of {len(self.parts)} {PLURALS[self.axes[-1]]}"
            yield f"— {listed(names)} {reason}: left out for {share} ({'; '.join(found)})"


def _estimate(result: Result | None) -> str:
    """Return a value and its interval, or the status of an undefined value.

    Example:
        >>> _estimate(Result("hierarchical_kappa", 0.2, "ok", None, 9, (), "", {"highest": 0.329}))
        '0.200 of at most 0.329'
        >>> _estimate(None), _estimate(Result("las", None, "no_pairable", None, 0, (), ""))
        ('—', 'no_pairable')
    """
    if result is None:
        return "—"
    if result.value is None:
        return result.status
    ends = f" ({bounds(result.interval, '–')})" if result.interval else ""
    return f"{decimal(result.value)}{limit(result)}{ends}"


def _size(counts: tuple[int, int]) -> str:
    return f"{counts[0]:,} × {counts[1]:,}"


ESTIMATE = Form("estimate", _estimate)
SIZE = Form("size", _size)


def _further(part: Part) -> Iterator[Section]:
    """Yield the breakdowns and other tables of one part, with its name."""
    if not part.table.results:
        return
    _, *sections = measure_sections(part.table.results, part.table.kind.unit)
    sections += [listing(name, table) for name, table in part.table.tables.items()]
    for section in sections:
        blocks = tuple(
            replace(block, name=f"{block.name} {part.label}")
            if isinstance(block, Table) and block.name
            else block
            for block in section.blocks
        )
        title = f"{part.label}: {section.title}" if section.title else part.label
        yield replace(section, blocks=blocks, title=title)


def _shared(lines: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the lines of several studies: those of all once, the others with the name of the study.

    Example:
        >>> _shared({"ann": ["few", "odd"], "bob": ["few"]})
        ['few', 'ann: odd']
    """
    every = [line for line in next(iter(lines.values())) if all(line in own for own in lines.values())]
    own = [f"{label}: {line}" for label, found in lines.items() for line in found if line not in every]
    return list(dict.fromkeys([*every, *own]))
