"""Front sheet and data sheet of the workbook for adjudication."""

from __future__ import annotations

from typing import Any

import arbitree
from arbitree.kinds.treebanking.adjudicated import (
    ANNOTATORS,
    COUNTABLE,
    FRONT,
    HEADER,
    ITEM,
    OTHER,
    REJECT,
)
from arbitree.kinds.treebanking.comparison import Comparison, Divergence
from arbitree.kinds.treebanking.derivation import Derivation
from arbitree.kinds.treebanking.report import TreebankReport
from arbitree.kinds.treebanking.report_tables import ANALYSES, OPTIONS, number_of, totals_rows
from arbitree.kinds.treebanking.report_text import mode_line
from arbitree.reporting.phrasing import headline
from arbitree.reporting.xlsx import Book, Start, cell_text, number_format, printed_wide

WIDTHS = (24, 9, 14, 18, 14, 28, 40, 32, 32, 10)  # about one landscape page of readable print
DISPUTED = 8  # discriminants that a cell lists; the sheet Options has all
LONGEST = 500  # characters of an analysis that a cell of the front sheet shows; the sheet Analyses has all
LINKED = 20_000  # rows with links, of which the file format allows 65,530 in a sheet


def write_forms(book: Book, report: TreebankReport) -> None:
    """Write one front sheet and one data sheet per pair of annotators."""
    formats = book.formats | {
        "open": book.workbook.add_format(
            {
                "bg_color": "#FFF8E6",
                "border": 1,
                "border_color": "#E0D3B0",
                "text_wrap": True,
                "valign": "top",
            }
        ),
    }
    several = len(report.comparisons) > 1
    analyses = options = 1  # the row of the first divergence in both sheets
    for found in report.comparisons:
        sheet = book.add_sheet(_title(FRONT, found, several))
        _write_front(sheet, report, found, formats, (options, analyses))
        options += len(found.splits)
        analyses += 2 * len(found.divergences)
    for found in report.comparisons:
        _data(book.add_sheet(_title("Data", found, several)), found, formats)


SHEETS = {
    "Sentences": "every sentence: status, group, discriminants, agreement, mode",
    "Disputes": "labels, sorted by the number of discriminants that differ",
    OPTIONS: "every discriminant that differs, by sentence",
    ANALYSES: "the derivations of the sentences with a disagreement",
    "Changes": "sentences that changed since the older version",
    "Adjudication": "how often the adjudicator followed each annotator",
    "Measures": "every measure, with its confidence interval",
    "Excluded": "sentences that measures exclude, with the reason",
    "About": "the study, warnings, signatures and references",
}


def start_sheet(report: TreebankReport) -> Start:
    """Return the first sheet: what to do, and what the other sheets contain."""
    shown = headline(report.table.kind, report.table.study, report.main)
    steps = [("Read the results in the sheets Measures and Sentences.", "")]
    if any(found.divergences for found in report.comparisons):
        choices = f"the name of an annotator, {REJECT}, {OTHER}, or parse and a number, such as parse 4"
        steps = [
            (
                f"Decide on each sentence of the sheet {FRONT} in the column Decision: enter {choices}. "
                "Empty cells mean undecided. You can add comments freely.",
                "",
            ),
            (
                "Save the workbook as .xlsx, and export the gold standard with the profiles.",
                "arbitree tsdb PROFILE... --adjudicated FILE.xlsx --export DIR",
            ),
            *steps,
        ]
    return Start("Treebank report", shown, steps, _contents)


def _contents(name: str) -> str:
    """Return what a sheet contains."""
    if name == FRONT or name.startswith(f"{FRONT} "):
        return "counts, values, and every sentence with a disagreement, with a column for the decision"
    if name == "Data" or name.startswith("Data "):
        return "how many sentences each annotator accepted and rejected, and the sums behind the values"
    return SHEETS.get(name, "the measures for each group, with confidence intervals")


def _title(name: str, found: Comparison, several: bool) -> str:
    return f"{name} {' - '.join(found.coders)}" if several else name


def _write_front(
    sheet: Any, report: TreebankReport, found: Comparison, formats: dict[str, Any], links: tuple[int, int]
) -> None:
    for column, width in enumerate(WIDTHS):
        sheet.set_column(column, column, width)
    row = _facts(sheet, report, found, formats)
    first, second = found.coders
    titles = (*HEADER, "Sentence", "Disputed discriminants", f"Analysis of {first}", f"Analysis of {second}")
    for column, title in enumerate((*titles, ITEM)):
        sheet.write_string(row, column, cell_text(title), formats["header"])
    start = row + 1
    rows = _option_rows(found, links[0])
    for place, each in enumerate(found.divergences):
        below = start + place
        suite = report.suite_names.get(each.suite, each.suite)
        texts = {0: suite, 1: number_of(each.item, each.suite), 2: each.who, 5: each.text, 9: each.item}
        for column, text in texts.items():
            sheet.write_string(below, column, cell_text(text), formats["text"])
        for column in (3, 4):
            sheet.write_blank(below, column, None, formats["open"])
        trees = links[1] + 2 * place
        targets = [(OPTIONS, rows.get(each.item)), (ANALYSES, trees), (ANALYSES, trees + 1)]
        shown = [_disputed(each), *(_short(text) for text in each.analyses(Derivation.bracketed))]
        for column, (text, (name, target)) in enumerate(zip(shown, targets, strict=True), start=6):
            if target is None or place >= LINKED:
                sheet.write_string(below, column, cell_text(text), formats["text"])
            else:
                link = f"internal:'{name}'!A{target + 1}"
                sheet.write_url(below, column, link, formats["link"], cell_text(text))
    if found.divergences:
        end = start + len(found.divergences) - 1
        sheet.autofilter(row, 0, end, len(titles))
        sheet.data_validation(start, 4, end, 4, _choices(found))
    printed_wide(sheet, header=row)
    sheet.print_area(0, 0, start + max(len(found.divergences), 1) - 1, len(titles))


def _option_rows(found: Comparison, start: int) -> dict[str, int]:
    """Return the first row of each sentence in the sheet of all options."""
    rows: dict[str, int] = {}
    for place, split in enumerate(found.splits, start=start):
        rows.setdefault(split.item, place)
    return rows


def _disputed(found: Divergence) -> str:
    if not found.disputed:
        return "none recorded for both"
    more = len(found.disputed) - DISPUTED
    return "\n".join([*found.disputed[:DISPUTED], *([f"and {more} more"] if more > 0 else [])])


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _choices(found: Comparison) -> dict[str, Any]:
    """Return a list to choose from that lets other texts pass: any parse can be named by its number."""
    names = [*found.coders, REJECT, OTHER]
    usable = len(",".join(names)) <= 255 and not any("," in name or '"' in name for name in names)
    shown = f"{', '.join(names)}, or parse and a number, such as parse 4"
    title = {
        "input_title": "Decision",
        "input_message": shown[:255],
        "ignore_blank": True,
        "show_error": False,
    }
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
        ["Mode:", mode_line(result).removeprefix("mode ")],
        ["Avg. Y-Option Kappa:", "undefined" if result.value is None else result.value],
        ["Confidence interval:", *interval],
        ["Without estimation:", details.get("without_estimation")],
        ["Accepted by both only:", details.get("both_accepted_only")],
        ["Divergences:", len(found.divergences)],
        [],
    ]
    for row, line in enumerate(lines):
        for column, value in enumerate(line):
            if column == 1 and isinstance(value, str) and len(line) == 2:
                _write_wide(sheet, row, value, formats)
            elif isinstance(value, str):
                sheet.write_string(row, column, cell_text(value), formats["bold" if column == 0 else "text"])
            elif value is not None:
                sheet.write_number(row, column, value, number_format(value, formats))
    return len(lines)


def _write_wide(sheet: Any, row: int, text: str, formats: dict[str, Any]) -> None:
    """Write a text across all columns but the first; the height of merged cells does not follow the text."""
    lines = 1 + len(text) // sum(WIDTHS[1:])
    sheet.merge_range(row, 1, row, len(WIDTHS) - 1, "", formats["text"])
    sheet.write_string(row, 1, cell_text(text), formats["text"])
    sheet.set_row(row, 15 * lines)


def _data(sheet: Any, found: Comparison, formats: dict[str, Any]) -> None:
    sheet.set_column(0, 0, 50)
    sheet.set_column(1, 1, 16)
    for row, (name, value) in enumerate(totals_rows(found)):
        bold = formats["bold"] if str(name).startswith("- ") else None
        sheet.write_string(row, 0, cell_text(str(name)), bold)
        if value is not None:
            sheet.write_number(row, 1, value, number_format(value, formats))
    printed_wide(sheet, header=None)
