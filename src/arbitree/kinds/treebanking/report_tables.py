"""Output of ``arbitree tsdb`` as tables of a workbook, CSV files and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from arbitree.kinds.treebanking.comparison import Change, Comparison, SentenceRow, Versions
from arbitree.kinds.treebanking.derivation import Derivation
from arbitree.kinds.treebanking.disputes import Dispute
from arbitree.reporting.document import (
    COUNT,
    CSV,
    DATA,
    FRACTION,
    HTML,
    NAME,
    PANDAS,
    TEXT,
    WORD,
    XLSX,
    Field,
    Section,
    section_in,
    table_of_fields,
)
from arbitree.reporting.phrasing import REASONS
from arbitree.reporting.sections.agree import item_sections, measure_sections
from arbitree.study.result import Column, Later, Table

if TYPE_CHECKING:
    from arbitree.kinds.treebanking.report import TreebankReport

ANALYSES, OPTIONS = "Analyses", "Options"  # sheets that the front sheet links to


def listed_sections(report: TreebankReport) -> Iterator[Section]:
    """Yield the tables of the workbook, CSV files and data frames."""
    tables = [_divergences(report), _sentences(report), disputes_table(report.comparisons), _splits(report)]
    tables.append(_analyses(report))
    if report.versions is not None:
        tables.append(changes_table(report.versions))
    if report.adjudicated or report.adjudications:
        tables.append(_adjudication(report))
    yield Section((*tables, _totals(report)))
    measures = measure_sections(report.results, report.table.kind.unit)
    for section in (*measures, *item_sections(report.table)):
        yield section_in(section, XLSX, but="Items")  # the sentences have a table of their own


def _analyses(report: TreebankReport) -> Table:
    """Return the derivations of sentences with a disagreement, two rows for each."""

    def rows() -> list[tuple[Any, ...]]:
        return [
            (coder, each.suite, number_of(each.item, each.suite), each.text, tree)
            for found in report.comparisons
            for each in found.divergences
            for coder, tree in zip(found.coders, each.analyses(Derivation.indented), strict=True)
        ]

    columns = ("annotator", "suite", "sentence", "text", "analysis")
    return Table(columns, Later(rows), name=ANALYSES, media=XLSX)  # other media show them in one line


def _totals(report: TreebankReport) -> Table:
    rows = [
        (*found.coders, str(name).rstrip(":"), value)
        for found in report.comparisons
        for name, value in totals_rows(found)
        if value is not None
    ]
    return Table(("first", "second", "what", "value"), rows, name="Totals", media=CSV)


def totals_rows(found: Comparison) -> Iterator[tuple[str, float | None]]:
    """Yield the lines of the data sheet: a name and a number, or a heading."""
    totals, (first, second) = found.totals, found.coders
    details = found.result.details
    yield "- Sentences -", None
    yield "Parsed Sentences:", totals.parsed
    yield "Lost Sentences:", totals.lost
    yield "Not annotated:", totals.unannotated
    yield "With several trees left:", totals.ambiguous
    yield "In one profile only:", totals.missing
    yield "Without a parse (not counted above):", totals.unparsed
    yield "With Countable Decisions:", totals.countable
    yield "", None
    yield "- Accepted -", None
    yield f"Only by {first}:", totals.accepted_by_first_only
    yield f"Only by {second}:", totals.accepted_by_second_only
    yield f"By {first} & {second}:", totals.accepted_by_both
    yield "Accepted by at least one:", totals.accepted_by_one
    yield "", None
    yield "- Rejected -", None
    yield f"Only by {first}:", totals.rejected_by_first_only
    yield f"Only by {second}:", totals.rejected_by_second_only
    yield f"By {first} & {second}:", totals.rejected_by_both
    yield "Rejected by at least one:", totals.rejected_by_one
    yield "", None
    yield "- Averages -", None
    yield "- Decision -", None
    yield "Avg. Kappa Decis:", found.result.value
    yield "Without estimation:", details.get("without_estimation")
    yield "Accepted by both only:", details.get("both_accepted_only")
    yield "All options together (micro):", details.get("micro")
    yield "- Statistical -", None
    yield "Avg. # of Options:", details.get("mean_options")
    yield "Avg. # of Parses:", found.mean_readings
    yield "", None
    yield "- Sums used -", None
    yield "Options:", details.get("counted_options")
    yield "Share of options that is estimated:", details.get("estimated_share")
    yield "Proportion of divergence (P_D):", details.get("p_d")
    yield "Sentences accepted by both, with options:", details.get("sentences_both_accepted")
    yield "Sentences rejected by one or both, with options:", details.get("sentences_rejected_by_one")
    yield "Sentences without options:", details.get("sentences_without_options")
    yield "Same tree, of those accepted by both:", details.get("same_tree")


def number_of(item: str, suite: str) -> str:
    """Return the number of a sentence without the name of its suite.

    Example:
        >>> number_of("news-1/12", "news-1"), number_of("12", "news-1")
        ('12', '12')
    """
    return item.removeprefix(f"{suite}/")


def _divergences(report: TreebankReport) -> Table:
    rows = [
        (
            *each.coders,
            row.suite,
            number_of(row.item, row.suite),
            row.who,
            *row.statuses,
            row.text,
            "; ".join(row.disputed),
            *row.analyses(Derivation.bracketed),
        )
        for each in report.comparisons
        for row in each.divergences
    ]
    header = (
        "first", "second", "suite", "sentence", "accepted only by", "status 1", "status 2", "text",
        "disputed", "analysis 1", "analysis 2",
    )  # fmt: skip
    return Table(header, rows, name="Divergences", media=CSV | PANDAS)  # in a workbook: the front sheets


def _sentences(report: TreebankReport) -> Table:
    header = (
        "first", "second", "suite", "sentence", "text", "readings", "status 1", "status 2",
        "chosen 1", "chosen 2", "remark", "subset", "mode", "O", "O_com", "O_uniq", "O_eq", "E", "A_o", "K_Y",
    )  # fmt: skip
    rows = [(*each.coders, *_sentence(row)) for each in report.comparisons for row in each.sentences]
    return Table(header, rows, name="Sentences", media=DATA)


def _sentence(row: SentenceRow) -> tuple[Any, ...]:
    counts = (row.options, row.common, row.unique, row.equal, row.estimated, row.agreement, row.kappa)
    return (
        row.suite,
        number_of(row.item, row.suite),
        row.text,
        row.readings,
        *row.statuses,
        *row.chosen,
        REASONS.get(row.remark, row.remark),
        row.subset,
        row.mode,
        *counts,
    )


def disputes_table(found: Sequence[Comparison]) -> Table:
    """Return the labels that annotators dispute."""
    fields: list[Field[tuple[Comparison, Dispute]]] = [
        (Column("first", "first", TEXT, DATA), lambda each: each[0].coders[0]),
        (Column("second", "second", TEXT, DATA), lambda each: each[0].coders[1]),
        (Column("label", "label", NAME), lambda each: each[1].label),
        (Column("kind", "kind", WORD), lambda each: each[1].kind),
        (Column("differing", "differing", COUNT), lambda each: each[1].differing),
        (Column("compared", "compared", COUNT), lambda each: each[1].compared),
        (Column("share", "share", FRACTION, DATA), lambda each: each[1].share),
        (Column("one annotator only", "one annotator only", COUNT), lambda each: each[1].alone),
        (Column("sentences", "sentences", COUNT), lambda each: each[1].sentences),
        (Column("example", "example", TEXT), lambda each: each[1].example),
    ]
    rows = [(each, row) for each in found for row in each.disputes]
    return table_of_fields(fields, rows, name="Disputes", media=DATA | HTML)


def _splits(report: TreebankReport) -> Table:
    rows = [
        (*each.coders, row.suite, number_of(row.item, row.suite), row.kind, row.key, row.span, *row.values)
        for each in report.comparisons
        for row in each.splits
    ]
    header = ("first", "second", "suite", "sentence", "kind", "discriminant", "span", "value 1", "value 2")
    return Table(header, rows, name=OPTIONS, media=DATA)


def changes_table(found: Versions) -> Table:
    """Return the sentences that changed since an older version."""
    fields: list[Field[Change]] = [
        (Column("annotator", "annotator", TEXT), lambda each: each.coder),
        (Column("suite", "suite", TEXT), lambda each: each.suite),
        (Column("sentence", "sentence", NAME), lambda each: number_of(each.item, each.suite)),
        (Column("before", "before", WORD), lambda each: each.before),
        (Column("after", "after", WORD), lambda each: each.after),
        (Column("chosen before", "chosen before", WORD, DATA), lambda each: each.chosen_before),
        (Column("chosen after", "chosen after", WORD, DATA), lambda each: each.chosen_after),
        (Column("chosen before", "parse before", WORD, HTML), lambda each: each.chosen_before),
        (Column("chosen after", "parse after", WORD, HTML), lambda each: each.chosen_after),
    ]
    return table_of_fields(fields, found.changes, name="Changes", media=DATA | HTML)


def _adjudication(report: TreebankReport) -> Table:
    rows: list[tuple[Any, ...]] = []
    for coder, result in report.adjudicated:
        low, high = (result.interval.low, result.interval.high) if result.interval else (None, None)
        rows.append((coder, "adjudicated profile", result.value, low, high, result.items_used, None, None))
    for each in report.adjudications:
        for found in each.annotators:
            rows.append(
                (
                    found.coder,
                    "workbook",
                    found.agreement,
                    None,
                    None,
                    each.agreed + each.decided,
                    found.followed,
                    found.share,
                )
            )
    header = (
        "annotator",
        "compared with",
        "agreement",
        "low",
        "high",
        "sentences",
        "followed",
        "share followed",
    )
    return Table(header, rows, name="Adjudication", media=DATA)
