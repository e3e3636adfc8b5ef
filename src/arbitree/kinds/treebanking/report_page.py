"""Output of ``arbitree tsdb`` as an HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arbitree.kinds.treebanking.comparison import Comparison, Divergence, SentenceRow
from arbitree.kinds.treebanking.report_tables import changes_table, disputes_table, number_of, totals_rows
from arbitree.kinds.treebanking.report_text import mode_line
from arbitree.reporting.citations import bibtex
from arbitree.reporting.document import (
    COUNT,
    HTML,
    MEASURE,
    NAME,
    TEXT,
    VALUE,
    WORD,
    WORDS,
    Field,
    table_of_fields,
)
from arbitree.reporting.html import page_from
from arbitree.reporting.latex import latex_table
from arbitree.reporting.paper import methods_paragraph
from arbitree.reporting.phrasing import headline
from arbitree.reporting.sections.agree import result_fields
from arbitree.reporting.sections.next_steps import Step, typed_inputs
from arbitree.study.result import Column, Result, Table

if TYPE_CHECKING:
    from arbitree.kinds.treebanking.report import TreebankReport

MOST = 300  # rows of a table in the HTML report; the workbook contains all


def treebank_page(report: TreebankReport) -> str:
    """Return the HTML report about *report*."""
    results = report.table.results
    measures = _measures_on_page(results)
    return page_from(
        "treebank.html.j2",
        styles=("report.css",),
        scripts=("rows.js",),
        title=", ".join(report.table.study.coders),
        report=report,
        headline=headline(report.table.kind, report.table.study, results),
        results=results,
        warnings=report.table.warnings,
        most=MOST,
        totals_rows=totals_rows,
        mode_line=mode_line,
        measures=measures,
        divergences=[_divergences_on_page(report, each) for each in report.comparisons],
        disputes=[disputes_table([each]) for each in report.comparisons],
        hardest=[_hardest(each) for each in report.comparisons],
        changes=changes_table(report.versions) if report.versions else None,
        citations=bibtex(results),
        steps=treebank_steps(report)[:3],
        paragraph=methods_paragraph(report.table.kind, report.table.study, report.main),
        latex=latex_table(measures),
    )


def treebank_steps(report: TreebankReport) -> list[Step]:
    """Return recommended commands, with the profiles of the user."""
    inputs = typed_inputs(report.inputs, "PROFILE...")
    found: list[Step] = []
    if any(each.divergences for each in report.comparisons):
        found = [
            Step(
                "Write the workbook, and enter decisions in the column Decision of its sheet Front.",
                f"arbitree tsdb {inputs} -o report.xlsx",
            ),
            Step(
                "Read the decisions back, and export the gold standard as a profile.",
                f"arbitree tsdb {inputs} --adjudicated report.xlsx --export gold",
            ),
        ]
        if report.inputs and not any(each.startswith("--") for each in report.inputs):
            text = "Or adjudicate in the browser, and export the gold standard from there."
            found.append(Step(text, f"arbitree serve {inputs}"))
    again = (
        "Check agreement again after the next round of annotation; the exit code is 1 below the threshold."
    )
    return [*found, Step(again, f"arbitree tsdb {inputs} --fail-under 0.8")]


def _measures_on_page(results: Sequence[Result]) -> Table:
    def counted(result: Result) -> str:
        usual = "discriminants" if result.measure == "y_option_kappa" else "accepted parses"
        return str(result.details.get("of") or usual)

    fields: list[Field[Result]] = [
        (Column("measure", "measure", MEASURE), lambda each: each.measure),
        (Column("of", "compared", WORD), counted),
        *result_fields(results, "sentence"),
    ]
    return table_of_fields(fields, results, media=HTML)


def _divergences_on_page(report: TreebankReport, found: Comparison) -> Table:
    names = report.suite_names
    fields: list[Field[Divergence]] = [
        (Column("suite", "suite", TEXT), lambda each: names.get(each.suite, each.suite)),
        (Column("sentence", "sentence", NAME), lambda each: number_of(each.item, each.suite)),
        (Column("who", "accepted by", TEXT), lambda each: each.who),
        (Column("text", "text", WORDS), lambda each: each.text),
    ]
    return table_of_fields(fields, found.divergences, media=HTML)


def _hardest(found: Comparison) -> Table:
    """Return the sentences that two annotators disagree on most."""
    rows = [row for row in found.sentences if row.kappa is not None and row.kappa < 1]
    rows.sort(key=lambda row: (row.kappa or 0.0, -(row.options or 0)))
    fields: list[Field[SentenceRow]] = [
        (Column("suite", "suite", TEXT), lambda each: each.suite),
        (Column("sentence", "sentence", NAME), lambda each: number_of(each.item, each.suite)),
        (Column("kappa", "kappa", VALUE), lambda each: each.kappa),
        (Column("options", "discriminants", COUNT), lambda each: each.options),
        (Column("equal", "equal discriminants", COUNT), lambda each: each.equal),
        (Column("status", "status", WORD), lambda each: " / ".join(each.statuses)),
        (Column("text", "text", WORDS), lambda each: each.text),
    ]
    return table_of_fields(fields, rows[:MOST], media=HTML)
