"""A report on treebankers as one page of HTML that opens from disk."""

from __future__ import annotations

from arbitree.analyses.treebanking.comparison import SentenceRow
from arbitree.reports.citations import bibtex
from arbitree.reports.html import render
from arbitree.reports.treebanking import TreebankReport, number_of, totals_rows
from arbitree.reports.words import headline

MOST = 300  # rows of a table on the page; the workbook has all


def treebank_page(report: TreebankReport) -> str:
    """Return a page about *report*."""
    results = report.table.results
    return render(
        "treebank.html.j2",
        title=", ".join(report.table.study.coders),
        report=report,
        headline=headline(report.table.study, results),
        results=results,
        warnings=report.table.warnings,
        most=MOST,
        number_of=number_of,
        totals_rows=totals_rows,
        hardest=_hardest(report),
        citations=bibtex(results),
    )


def _hardest(report: TreebankReport) -> list[list[SentenceRow]]:
    """Return for every pair of annotators the sentences that they disagree on most."""
    found = []
    for each in report.comparisons:
        rows = [row for row in each.sentences if row.kappa is not None and row.kappa < 1]
        rows.sort(key=lambda row: (row.kappa or 0.0, -(row.options or 0)))
        found.append(list(rows[:MOST]))
    return found
