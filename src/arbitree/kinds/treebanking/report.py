"""Output of ``arbitree tsdb``: the tables of the workbook, HTML report, CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from arbitree.kinds.treebanking.adjudicated import AdjudicatedPair
from arbitree.kinds.treebanking.comparison import (
    Change,
    Comparison,
    Divergence,
    SentenceRow,
    Suites,
    Versions,
)
from arbitree.kinds.treebanking.disputes import Dispute
from arbitree.reporting.citations import bibtex
from arbitree.reporting.document import (
    COUNT,
    CSV,
    DATA,
    FRACTION,
    HTML,
    INTERVAL,
    MEASURE,
    NAME,
    PANDAS,
    TERMINAL,
    TEXT,
    VALUE,
    WORD,
    WORDS,
    XLSX,
    Document,
    Field,
    Presentable,
    Section,
    Text,
    interval_title,
    references_of,
    section_in,
    table_of_fields,
)
from arbitree.reporting.html import page_from
from arbitree.reporting.phrasing import REASONS, bounds, headline
from arbitree.reporting.sections.agree import (
    ResultTable,
    item_sections,
    measure_sections,
    remarks,
    result_fields,
    span_of,
)
from arbitree.study.result import Column, Result, Table
from arbitree.wording import count_of, decimal, percent

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class TreebankReport(Presentable):
    """The results of ``arbitree tsdb``."""

    table: ResultTable
    comparisons: tuple[Comparison, ...]
    suites: tuple[Suites, ...]
    suite_names: dict[str, str]  # of every document, as in "news - 1"
    date: str
    versions: Versions | None = None
    adjudicated: tuple[tuple[str, Result], ...] = ()  # each annotator compared with an adjudicated profile
    adjudications: tuple[AdjudicatedPair, ...] = ()  # decisions from a workbook

    @property
    def results(self) -> tuple[Result, ...]:
        """Y-option kappa and the related measures."""
        return self.table.results

    @property
    def document(self) -> Document:
        """The comparison as a document."""
        from arbitree.kinds.treebanking.workbook import write_forms

        return Document(
            "tsdb",
            headline(self.table.kind, self.table.study, main_results(self)),
            (*_shown(self), *_listed(self)),
            self.data,
            references_of(self.results),
            main="Sentences",
            title="Treebank report",
            page=lambda: treebank_page(self),
            forms=lambda book: write_forms(book, self),
        )

    def to_pandas(self, name: str = "Sentences") -> pd.DataFrame:
        """Return a data frame of one of the tables of the workbook, by its name; needs pandas."""
        return self.document.table(name, "pandas").to_pandas()

    def data(self) -> dict[str, Any]:
        """Return the comparison for JSON."""
        found: dict[str, Any] = self.table.data()
        found["suites"] = [asdict(each) for each in self.suites]
        found["pairs"] = [_pair(each) for each in self.comparisons]
        if self.versions is not None:
            counts = [
                {"before": before, "after": after, "sentences": count}
                for (before, after), count in self.versions.counts.items()
            ]
            changes = [asdict(each) for each in self.versions.changes]
            found["versions"] = {"counts": counts, "unchanged": self.versions.unchanged, "changes": changes}
        if self.adjudicated:
            found["adjudicated"] = [{"coder": coder} | result.to_dict() for coder, result in self.adjudicated]
        if self.adjudications:
            found["adjudication"] = [adjudication_dict(each) for each in self.adjudications]
        return found


def adjudication_dict(found: AdjudicatedPair) -> dict[str, Any]:
    """Return the decisions of a workbook for JSON."""
    annotators = [
        {"coder": each.coder, "followed": each.followed, "share": each.share, "agreement": each.agreement}
        for each in found.annotators
    ]
    return asdict(found) | {"annotators": annotators, "undecided": found.undecided}


def main_results(report: TreebankReport) -> list[Result]:
    """Return the results on discriminants, without those on whole sentences."""
    return [each for each in report.results if "of" not in each.details]


def _shown(report: TreebankReport) -> Iterator[Section]:
    """Yield the sections for a terminal."""
    main = main_results(report)
    beside = [each for each in report.results if "of" in each.details]
    unit = report.table.kind.unit
    for section in (*measure_sections(main, unit), remarks(main, unit)):
        yield section_in(section, TERMINAL)
    yield Section((_beside(beside),) if beside else ())
    for found in report.comparisons:
        yield from _comparison(found, named=len(report.comparisons) > 1)
    if report.versions is not None:
        counts = sorted(report.versions.counts.items(), key=lambda each: -each[1])
        moved = [f"{before} to {after} {count:,}" for (before, after), count in counts if before != after]
        changes = f"{len(report.versions.changes):,} changed, {report.versions.unchanged:,} unchanged"
        lines = [
            f"Sentences since the older version: {changes}",
            *([f"  status: {', '.join(moved)}"] if moved else []),
        ]
        yield Section(tuple(map(Text, lines)))
    if report.adjudicated:
        yield Section(tuple(map(Text, _with_profile(report.adjudicated))))
    for each in report.adjudications:
        yield Section(tuple(map(Text, adjudication_lines(each))))


def _listed(report: TreebankReport) -> Iterator[Section]:
    """Yield the tables of the workbook, CSV files and data frames."""
    tables = [_divergences(report), _sentences(report), _disputes(report.comparisons), _splits(report)]
    if report.versions is not None:
        tables.append(_changes(report.versions))
    if report.adjudicated or report.adjudications:
        tables.append(_adjudication(report))
    yield Section((*tables, _totals(report)))
    measures = measure_sections(report.results, report.table.kind.unit)
    for section in (*measures, *item_sections(report.table)):
        yield section_in(section, XLSX, but="Items")  # the sentences have a table of their own


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


def _pair(found: Comparison) -> dict[str, Any]:
    totals = asdict(found.totals) | {
        "countable": found.totals.countable,
        "accepted_by_one": found.totals.accepted_by_one,
        "rejected_by_one": found.totals.rejected_by_one,
    }
    return {
        "coders": list(found.coders),
        "value": found.result.value,
        "totals": totals,
        "divergences": [asdict(each) for each in found.divergences],
        "sentences": [asdict(each) for each in found.sentences],
        "disputes": [asdict(each) | {"share": each.share} for each in found.disputes],
        "options": [asdict(each) for each in found.splits],
    }


def _divergences(report: TreebankReport) -> Table:
    rows = [
        (*each.coders, row.suite, number_of(row.item, row.suite), row.who, *row.statuses, row.text)
        for each in report.comparisons
        for row in each.divergences
    ]
    header = ("first", "second", "suite", "sentence", "accepted only by", "status 1", "status 2", "text")
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


def _disputes(found: Sequence[Comparison]) -> Table:
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
    return Table(header, rows, name="Options", media=DATA)


def _changes(found: Versions) -> Table:
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


MOST = 300  # rows of a table in the HTML report; the workbook contains all


def treebank_page(report: TreebankReport) -> str:
    """Return the HTML report about *report*."""
    results = report.table.results
    return page_from(
        "treebank.html.j2",
        title=", ".join(report.table.study.coders),
        report=report,
        headline=headline(report.table.kind, report.table.study, results),
        results=results,
        warnings=report.table.warnings,
        most=MOST,
        totals_rows=totals_rows,
        measures=_measures_on_page(results),
        divergences=[_divergences_on_page(report, each) for each in report.comparisons],
        disputes=[_disputes([each]) for each in report.comparisons],
        hardest=[_hardest(each) for each in report.comparisons],
        changes=_changes(report.versions) if report.versions else None,
        citations=bibtex(results),
    )


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


DISPUTES = 8  # contested labels that the terminal shows


def adjudication_lines(found: AdjudicatedPair) -> Iterator[str]:
    """Yield a summary of the decisions in a workbook."""
    yield (
        f"Adjudicated: {found.decided:,} of {count_of(found.divergences, 'disagreement')} between "
        f"{' and '.join(found.coders)}, {found.undecided:,} undecided"
    )
    for each in found.annotators:
        share = "" if each.share is None else f" ({percent(each.share)})"
        agreement = (
            "" if each.agreement is None else f"; agreement with the adjudicator {percent(each.agreement, 1)}"
        )
        yield f"  {each.coder}: followed {count_of(each.followed, 'time')}{share}{agreement}"
    if found.neither:
        yield f"  neither annotator: {count_of(found.neither, 'time')}"


def _beside(results: Sequence[Result]) -> Table:
    """Return the measures on whole sentences, which complement those on discriminants."""
    title = interval_title(each.interval for each in results)
    fields: list[Field[Result]] = [
        (Column("measure", "related measure", TEXT), lambda each: each.measure),
        (Column("of", "compared", TEXT), lambda each: each.details["of"]),
        (Column("value", "value", VALUE), lambda each: each.value),
        (Column("interval", title, INTERVAL), span_of),
        (Column("items_used", "sentences", COUNT), lambda each: each.items_used),
    ]
    return table_of_fields(fields, results, media=TERMINAL)


def _comparison(found: Comparison, *, named: bool) -> Iterator[Section]:
    """Yield the sections about two annotators for a terminal."""
    details, totals = found.result.details, found.totals
    yield Section((_values(found.result),), " and ".join(found.coders) if named else "")
    yield Section((_decisions(found),))
    left = [
        (totals.lost, "lost"), (totals.unannotated, "not annotated"),
        (totals.ambiguous, "with more than one parse left"), (totals.missing, "in only one profile"),
    ]  # fmt: skip
    rest = ", ".join(f"{count:,} {what}" for count, what in left if count)
    decided = f"{totals.countable:,} of {totals.parsed:,} parsed sentences are decided by both"
    lines = ["; ".join(filter(None, [decided, rest]))]
    share = details.get("same_tree_share")
    if share is not None:
        both = count_of(details["accepted_by_both"], "sentence")
        lines.append(f"same parse in {percent(share, 1)} of {both} accepted by both")
    diverging = count_of(len(found.divergences), "sentence")
    verb = "has a disagreement" if len(found.divergences) == 1 else "have disagreements"
    hint = " To adjudicate, write a workbook with -o report.xlsx." if found.divergences else ""
    lines.append(f"{diverging} {verb}.{hint}")
    yield Section(tuple(map(Text, lines)))
    if found.disputes:
        yield Section((_most_disputed(found),))


def _values(result: Result) -> Table:
    """Return the variants of Y-option kappa, which are interpreted together."""
    details = result.details
    both, rejected, bare = (
        details.get(f"sentences_{name}", 0)
        for name in ("both_accepted", "rejected_by_one", "without_options")
    )
    share = details.get("estimated_share")
    said = "no estimates" if not share else f"{percent(share, 1)} of the discriminants are estimated"
    one_alone = "discriminants of only one annotator differ"
    rows = [
        ("with estimation", details.get("with_estimation"), both + rejected + bare, said),
        ("without estimation", details.get("without_estimation"), both + rejected, one_alone),
        ("accepted by both only", details.get("both_accepted_only"), both, ""),
        ("all discriminants pooled (micro)", details.get("micro"), both + rejected + bare, ""),
    ]
    columns = (
        Column("variant", "y_option_kappa", WORD),
        Column("value", "value", VALUE),
        Column("sentences", "sentences", COUNT._replace(wraps=False)),
        Column("remark", "", TEXT),
    )
    return Table(columns, rows, media=TERMINAL)


def _decisions(found: Comparison) -> Table:
    totals, (first, second) = found.totals, found.coders
    columns = (
        Column("decided", "", TEXT),
        Column("accepted", f"{second} accepted", COUNT),
        Column("rejected", f"{second} rejected", COUNT),
    )
    rows = (
        (f"{first} accepted", totals.accepted_by_both, totals.accepted_by_first_only),
        (f"{first} rejected", totals.accepted_by_second_only, totals.rejected_by_both),
    )
    return Table(columns, rows, media=TERMINAL)


def _most_disputed(found: Comparison) -> Table:
    shown = min(DISPUTES, len(found.disputes))
    fields: list[Field[Dispute]] = [
        (
            Column("label", f"most contested labels ({shown} of {len(found.disputes):,})", TEXT),
            lambda each: each.label,
        ),
        (Column("kind", "kind", TEXT), lambda each: each.kind),
        (Column("differing", "differing", COUNT), lambda each: each.differing),
        (Column("compared", "compared", COUNT), lambda each: each.compared),
        (Column("sentences", "sentences", COUNT), lambda each: each.sentences),
    ]
    return table_of_fields(fields, found.disputes[:DISPUTES], media=TERMINAL)


def _with_profile(found: Sequence[tuple[str, Result]]) -> Iterator[str]:
    yield "Agreement with the adjudicated profile:"
    for coder, result in found:
        value = "undefined" if result.value is None else decimal(result.value, 4)
        level = f"{100 * result.interval.confidence:g}% CI " if result.interval else ""
        interval = f" ({level}{bounds(result.interval, ' to ', digits=4)})" if result.interval else ""
        yield f"  {coder}: y_option_kappa {value}{interval} on {count_of(result.items_used, 'sentence')}"
