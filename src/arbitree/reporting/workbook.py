"""Results as a workbook: a sheet of measures, one for each breakdown, items, what was left out, how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

import xlsxwriter

import arbitree
from arbitree.reporting import outline
from arbitree.reporting.citations import bibtex
from arbitree.reporting.phrasing import REASONS, STATUS, headline, summary
from arbitree.reporting.sections.agreement import ResultTable
from arbitree.reporting.xlsx import OPTIONS, Row, Sheet, formats_of, sheet_name, write_sheet
from arbitree.study.result import Group, Interval, Result

if TYPE_CHECKING:
    from arbitree.reporting.sections.survey import Survey


UNDEFINED = "undefined"


def write_workbook(table: ResultTable, path: str | Path | IO[bytes], survey: Survey | None = None) -> None:
    """Write the workbook of *table* to a file, or to an open one, with what a *survey* found beside."""
    target = str(path) if isinstance(path, Path) else path
    with xlsxwriter.Workbook(target, OPTIONS) as workbook:
        workbook.set_properties({"title": "Arbitree report", "comments": f"Arbitree {arbitree.__version__}"})
        formats = formats_of(workbook)
        taken: list[str] = []

        def write(found: Iterable[Sheet]) -> None:
            for sheet in found:
                taken.append(sheet_name(sheet.name, taken))
                write_sheet(workbook.add_worksheet(taken[-1]), sheet, formats)

        write(_figures_sheets(table))
        if survey is not None:
            from arbitree.adjudication.workbook import SHEET
            from arbitree.reporting.sections import disagreements

            taken.append(SHEET)
            disagreements.write_adjudication(workbook, survey, formats)
            write(disagreements.sheets(survey))
        write(_other_sheets(table))


def sheets(table: ResultTable) -> Iterator[Sheet]:
    """Yield the sheets of *table* in order."""
    yield from _figures_sheets(table)
    yield from _other_sheets(table)


def _figures_sheets(table: ResultTable) -> Iterator[Sheet]:
    names = outline.names_of(table.results)
    yield _measures(table.results, names)
    for kind in table.results[0].groups:
        yield _groups(kind, table.results, names)


def _other_sheets(table: ResultTable) -> Iterator[Sheet]:
    names = outline.names_of(table.results)
    yield _items(table, names)
    yield _left_out(table)
    yield _about(table, names)


def _measures(results: Sequence[Result], names: Sequence[str]) -> Sheet:
    header = ("measure", "value", "low", "high", "confidence", "interval", "used", "ignored", "remark")
    rows = tuple(
        (
            name,
            *_figures(result),
            result.interval.confidence if result.interval else None,
            result.interval.method if result.interval else None,
            result.items_used,
            len(result.ignored),
            STATUS.get(result.status, result.status),
        )
        for name, result in zip(names, results, strict=True)
    )
    return Sheet("Measures", header, rows, bar=1)


def _groups(kind: str, results: Sequence[Result], names: Sequence[str]) -> Sheet:
    """Return one row for each measure and group, so that the filter chooses what to compare."""
    first = results[0].groups[kind]
    extras = list(first[0].details) if first else []
    header = ("measure", kind, "value", "low", "high", "used", *extras, "remark")
    rows = tuple(
        (
            name,
            group.name,
            *_figures(group),
            group.items_used,
            *(group.details[extra] for extra in extras),
            STATUS.get(group.status, group.status),
        )
        for name, result in zip(names, results, strict=True)
        for group in result.groups[kind]
    )
    return Sheet(outline.title_of(kind), header, rows, bar=2)


def _items(table: ResultTable, names: Sequence[str]) -> Sheet:
    values: dict[str, dict[str, float]] = {}
    for name, result in zip(names, table.results, strict=True):
        if result.per_item is not None:
            title = f"{name} disagreement" if result.per_item_shows == "disagreement" else name
            values[title] = {row["item"]: row["value"] for row in result.per_item.records()}
    places = outline.places(table.kind, table.study)
    rows = []
    for item, cells in table.study:
        place = places.get(item.id, outline.Place("", ""))
        figures = [each.get(item.id) for each in values.values()]
        rows.append((item.id, item.document, len(cells), *figures, place.source, place.text))
    header = ("item", "document", "annotations", *values, "first read at", "words")
    return Sheet("Items", header, tuple(rows))


def _left_out(table: ResultTable) -> Sheet:
    places = outline.places(table.kind, table.study)
    rows = tuple(
        (
            each.item,
            REASONS.get(each.reason, each.reason),
            each.detail,
            ", ".join(group.measures),
            places[each.item].source if each.item in places else "",
        )
        for group in outline.left_out(table.results)
        for each in group.entries
    )
    return Sheet("Left out", ("item", "reason", "detail", "left out by", "first read at"), rows)


def _about(table: ResultTable, names: Sequence[str]) -> Sheet:
    rows: list[Row] = [
        ("arbitree", arbitree.__version__),
        ("in words", headline(table.kind, table.study, table.results)),
    ]
    facts = summary(table.kind, table.study) | {"coders": ", ".join(table.study.coders)}
    rows += [*facts.items(), ("missing annotations", table.study.missing)]
    rows += [("warning", warning) for warning in table.warnings]
    signatures = [result.signature for result in table.results]
    rows += [(f"signature of {name}", each) for name, each in zip(names, signatures, strict=True)]
    rows += [("BibTeX", entry) for entry in bibtex(table.results)]
    return Sheet("About", ("what", "value"), tuple(rows))


def _figures(found: Result | Group) -> tuple[float | str, float | None, float | None]:
    interval: Interval | None = found.interval
    low, high = (interval.low, interval.high) if interval else (None, None)
    return UNDEFINED if found.value is None else found.value, low, high
