"""Front sheet and data sheet of the workbook for adjudication."""

from __future__ import annotations

from typing import Any

import arbitree
from arbitree.kinds.treebanking.adjudicated import ANNOTATORS, COUNTABLE, FRONT, HEADER, OTHER, REJECT
from arbitree.kinds.treebanking.comparison import Comparison
from arbitree.kinds.treebanking.report import TreebankReport
from arbitree.kinds.treebanking.report_tables import number_of, totals_rows
from arbitree.kinds.treebanking.report_text import mode_line
from arbitree.reporting.xlsx import Book, cell_text, number_format

WIDTHS = (36, 18, 26, 30, 16, 60, 22)


def write_forms(book: Book, report: TreebankReport) -> None:
    """Write one front sheet and one data sheet per pair of annotators."""
    formats = book.formats | {
        "bold": book.workbook.add_format({"bold": True}),
        "open": book.workbook.add_format({"bg_color": "#FFF8E6", "border": 1, "border_color": "#E0D3B0"}),
    }
    several = len(report.comparisons) > 1
    for found in report.comparisons:
        _write_front(book.add_sheet(_title(FRONT, found, several)), report, found, formats)
    for found in report.comparisons:
        _data(book.add_sheet(_title("Data", found, several)), found, formats)


def _title(name: str, found: Comparison, several: bool) -> str:
    return f"{name} {' - '.join(found.coders)}" if several else name


def _write_front(sheet: Any, report: TreebankReport, found: Comparison, formats: dict[str, Any]) -> None:
    for column, width in enumerate(WIDTHS):
        sheet.set_column(column, column, width)
    row = _facts(sheet, report, found, formats)
    for column, title in enumerate(HEADER):
        sheet.write_string(row, column, title, formats["header"])
    start = row + 1
    for place, each in enumerate(found.divergences, start=start):
        suite = report.suite_names.get(each.suite, each.suite)
        texts = (suite, number_of(each.item, each.suite), each.who)
        for column, text in enumerate(texts):
            sheet.write_string(place, column, cell_text(text), formats["text"])
        sheet.write_blank(place, 3, None, formats["open"])
        sheet.write_blank(place, 4, None, formats["open"])
        sheet.write_string(place, 5, cell_text(each.text), formats["text"])
        sheet.write_string(place, 6, cell_text(each.item), formats["text"])
    if found.divergences:
        end = start + len(found.divergences) - 1
        sheet.autofilter(row, 0, end, len(HEADER) - 1)
        sheet.data_validation(start, 4, end, 4, _choices(found))


def _choices(found: Comparison) -> dict[str, Any]:
    names = [*found.coders, REJECT, OTHER]
    listed = ",".join(names)
    usable = len(listed) <= 255 and not any("," in name or '"' in name for name in names)
    shown = ", ".join(names)
    title = {"input_title": "Decision", "input_message": shown[:255], "ignore_blank": True}
    # Excel allows 255 characters for a list in the cell; longer lists are typed and checked on reading.
    return {"validate": "list", "source": names} | title if usable else {"validate": "any"} | title


def _facts(sheet: Any, report: TreebankReport, found: Comparison, formats: dict[str, Any]) -> int:
    """Write the rows above the table; return the row of its header."""
    result, totals = found.result, found.totals
    interval = [result.interval.low, result.interval.high] if result.interval else []
    details = result.details
    lines: list[list[Any]] = [
        ["Type:", "Comparison of annotators of [incr tsdb()] profiles"],
        ["Tool used:", f"Arbitree {arbitree.__version__}"],
        ["Date:", report.date],
        [ANNOTATORS, *found.coders],
        ["Parsed Sentences:", totals.parsed],
        ["Suite Distribution:"],
        *(
            [
                each.corpus or "-",
                "Start Suite:",
                each.start,
                "End Suite:",
                each.end,
                "Sentences:",
                each.sentences,
            ]
            for each in report.suites
        ),
        ["Sentences accepted by at least one:", totals.accepted_by_one],
        ["Sentences rejected by at least one:", totals.rejected_by_one],
        [COUNTABLE, totals.countable],
        *([["Not comparable:", details["caution"]]] if details["caution"] else []),
        ["- K Coefficients -"],
        ["Mode:", mode_line(result)],
        ["Avg. Y-Option Kappa:", "undefined" if result.value is None else result.value],
        ["Confidence interval:", *interval],
        ["Without estimation:", details.get("without_estimation")],
        ["Accepted by both only:", details.get("both_accepted_only")],
        ["Divergences:", len(found.divergences)],
        [],
    ]
    for row, line in enumerate(lines):
        for column, value in enumerate(line):
            if isinstance(value, str):
                sheet.write_string(row, column, cell_text(value), formats["bold"] if column == 0 else None)
            elif value is not None:
                sheet.write_number(row, column, value, number_format(value, formats))
    return len(lines)


def _data(sheet: Any, found: Comparison, formats: dict[str, Any]) -> None:
    sheet.set_column(0, 0, 50)
    sheet.set_column(1, 1, 16)
    for row, (name, value) in enumerate(totals_rows(found)):
        bold = formats["bold"] if str(name).startswith("- ") else None
        sheet.write_string(row, 0, cell_text(str(name)), bold)
        if value is not None:
            sheet.write_number(row, 1, value, number_format(value, formats))
