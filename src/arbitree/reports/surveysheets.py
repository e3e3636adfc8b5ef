"""The sheets of a report that rest on more than measures, and the one in which an adjudicator decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arbitree.analyses.contested import Contested, Disagreements
from arbitree.analyses.followed import Outcome
from arbitree.analyses.inconsistencies.findings import Findings
from arbitree.analyses.survey import Survey
from arbitree.formats.decisions import COMMENT, DECISION, FIXED, ITEM, PLACE, SHEET, WHAT
from arbitree.reports.sheets import Row, Sheet, cell_text, printed_wide
from arbitree.reports.words import STATUS

EXAMPLES = 3  # of every type and confusion
TITLES = {
    "labels": "Confused labels",
    "attachments": "Confused attachments",
    "tags": "Confused tags",
}
WIDTHS = {ITEM: 18, PLACE: 8, WHAT: 9, "words": 18, "in": 70, DECISION: 18, COMMENT: 30, "read at": 24}
WIDTH = 16  # of a coder's column
MOST = 1_000_000  # places on the sheet; the file format ends at 1,048,576 rows


def sheets(survey: Survey) -> Iterator[Sheet]:
    """Yield the sheets of *survey* in order; that of the adjudicator is written by itself."""
    if survey.adjudication is not None:
        yield _adjudication(survey.adjudication)
    if survey.types is not None:
        yield _types(survey.types)
    if survey.models is not None:
        header = ("coder", "competence", "low", "high", "agrees with consensus", "annotations", "remark")
        yield Sheet("Coders", header, tuple(_coder(each) for each in survey.models.coders), bar=1)
    if survey.disagreements is not None:
        yield from _confusions(survey.disagreements)


def _adjudication(found: Outcome) -> Sheet:
    rows: list[Row] = [
        (each.coder, each.followed, each.decided, each.share, each.agreement) for each in found.coders
    ]
    rows.append(("(nobody)", found.neither, found.decided, None, None))
    rows.append(("(undecided)", found.undecided, None, None, None))
    header = ("coder", "followed", "decided", "share", "agrees with the outcome")
    return Sheet("Adjudicated", header, tuple(rows), bar=4)


def _types(found: Findings) -> Sheet:
    rows = []
    for each in found.types:
        annotations = " | ".join(fragment.brackets for fragment in each.fragments)
        examples = "; ".join(f"{one.words} ({one.item})" for one in each.nuclei[:EXAMPLES])
        rows.append((each.label, each.class_, each.size, each.occurrences, annotations, examples, each.code))
    header = ("type", "class", "nuclei", "places", "annotations", "examples", "code")
    return Sheet("Types", header, tuple(rows))


def _coder(each: Any) -> tuple[Any, ...]:
    low, high = (each.interval.low, each.interval.high) if each.interval else (None, None)
    status = STATUS.get(each.status, each.status)
    return each.coder, each.competence, low, high, each.agreement, each.annotations, status


def _confusions(found: Disagreements) -> Iterator[Sheet]:
    for key, confusion in found.confusions.items():
        if not confusion.counts:
            continue
        rows = []
        for first, second, *figures in confusion.table().rows:
            examples = confusion.examples.get((first, second), [])
            shown = "; ".join(f"{words} ({item})" if words else item for item, words in examples)
            rows.append((first, second, *figures, shown))
        header = ("label", "other", "times", "share of all", "share of the two", "examples")
        yield Sheet(TITLES[key], header, tuple(rows))


def write_adjudication(workbook: Any, survey: Survey, formats: dict[str, Any]) -> None:
    """Add the sheet on which an adjudicator decides: a row for every contested place.

    The choices of a row stand in hidden columns; the list in the decision's cell is made of these, so that
    no text of the study stands in a formula.
    """
    found = survey.disagreements
    if found is None or not found.places:
        return
    sheet = workbook.add_worksheet(SHEET)
    open_ = workbook.add_format(
        {"bg_color": "#FFF8E6", "border": 1, "border_color": "#E0D3B0", "num_format": "@", "valign": "top"}
    )
    plain = workbook.add_format({"valign": "top"})  # one line a row: programs do not agree on heights of rows
    coders = [name if name not in FIXED else f"coder {name}" for name in found.coders]
    header = [ITEM, PLACE, WHAT, "words", "in", *coders, DECISION, COMMENT, "read at", "choices"]
    first = len(header)  # the first hidden choice
    most = max(len(place.choices) for place in found.places)
    for column, title in enumerate(header):
        sheet.write_string(0, column, cell_text(title), formats["header"])
        sheet.set_column(column, column, WIDTHS.get(title, WIDTH))
    sheet.set_column(first - 1, first + most - 1, WIDTH, None, {"hidden": True})
    rulings = survey.adjudication.rulings if survey.adjudication else {}
    decision = header.index(DECISION)
    for row, place in enumerate(found.places[:MOST], start=1):
        _write_place(sheet, row, place, plain, decision)
        ruled = rulings.get(place.key)
        for column, text in ((decision, ruled and ruled.value), (decision + 1, ruled and ruled.comment)):
            if text:
                sheet.write_string(row, column, cell_text(text), open_)
            else:
                sheet.write_blank(row, column, None, open_)
        sheet.write_number(row, first - 1, len(place.choices))
        for offset, choice in enumerate(place.choices):
            sheet.write_string(row, first + offset, cell_text(choice))
    last = min(len(found.places), MOST)
    sheet.data_validation(1, decision, last, decision, _validation(first))
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, last, first - 2)
    if not any(place.place for place in found.places):  # items that were labelled have no words
        sheet.set_column(1, 1, None, None, {"hidden": True})
        sheet.set_column(3, 4, None, None, {"hidden": True})
    printed_wide(sheet)


def _write_place(sheet: Any, row: int, place: Contested, text: Any, decision: int) -> None:
    values = (place.item, place.place, place.what, place.words, place.context, *place.values)
    for column, value in enumerate(values):
        if value is not None:
            sheet.write_string(row, column, cell_text(value), text)
    sheet.write_string(row, decision + 2, cell_text(place.source), text)


def _validation(first: int) -> dict[str, Any]:
    from xlsxwriter.utility import xl_col_to_name

    count, start = xl_col_to_name(first - 1), xl_col_to_name(first)
    return {
        "validate": "list",
        "source": f"=OFFSET(${start}2,0,0,1,${count}2)",
        "ignore_blank": True,
        "input_title": "Decision",
        "input_message": "Choose a value, or type another. Empty: not decided.",
        "show_error": False,  # another value than any coder's is a decision too
    }
