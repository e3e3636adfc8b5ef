"""A report on treebankers: its tables, which workbook, page, CSV and JSON all show."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from arbitree.kinds.treebanking.adjudicated import Adjudication
from arbitree.kinds.treebanking.comparison import Comparison, SentenceRow, Suites
from arbitree.kinds.treebanking.versions import Versions
from arbitree.plugins import check_name
from arbitree.reporting.citations import bibtex
from arbitree.reporting.html import render
from arbitree.reporting.outline import encodable
from arbitree.reporting.phrasing import REASONS, bounds, headline
from arbitree.reporting.sections.agreement import ResultTable
from arbitree.reporting.terminal import WIDTH, in_notebook, renderable
from arbitree.reporting.xlsx import Row, Sheet
from arbitree.study.result import Result
from arbitree.wording import count_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class TreebankReport:
    """Everything that ``arbitree tsdb`` found."""

    table: ResultTable
    comparisons: tuple[Comparison, ...]
    suites: tuple[Suites, ...]
    suite_names: dict[str, str]  # of every document, as in "news - 1"
    date: str
    versions: Versions | None = None
    adjudicated: tuple[tuple[str, Result], ...] = ()  # each annotator with an adjudicated profile
    adjudications: tuple[Adjudication, ...] = ()  # what a workbook says

    @property
    def results(self) -> tuple[Result, ...]:
        """Y-option kappa and what stands beside it."""
        return self.table.results

    def __str__(self) -> str:

        return treebank_text(self)

    def _repr_html_(self) -> str:

        return in_notebook(treebank(self))

    def to_pandas(self, name: str = "Sentences") -> pd.DataFrame:
        """Return a data frame of one of the tables of the workbook, by its name; needs pandas."""
        import pandas

        found = {sheet.name: sheet for sheet in tables(self)}
        check_name(name, found, "the tables of this report")
        return pandas.DataFrame(list(found[name].rows), columns=list(found[name].header))

    def to_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        found: dict[str, Any] = self.table.to_dict()
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


def adjudication_dict(found: Adjudication) -> dict[str, Any]:
    """Return what JSON says of a workbook that was read back."""
    annotators = [
        {"coder": each.coder, "followed": each.followed, "share": each.share, "agreement": each.agreement}
        for each in found.annotators
    ]
    return asdict(found) | {"annotators": annotators, "undecided": found.undecided}


def tables(report: TreebankReport) -> Iterator[Sheet]:
    """Yield the tables of *report* that are lists: sentences, disputes, options and the rest."""
    yield _divergences(report)
    yield _sentences(report)
    yield _disputes(report)
    yield _splits(report)
    if report.versions is not None:
        yield _changes(report.versions)
    if report.adjudicated or report.adjudications:
        yield _adjudication(report)


def totals_rows(found: Comparison) -> Iterator[Row]:
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


def _divergences(report: TreebankReport) -> Sheet:
    rows = [
        (*each.coders, row.suite, number_of(row.item, row.suite), row.who, *row.statuses, row.text)
        for each in report.comparisons
        for row in each.divergences
    ]
    header = ("first", "second", "suite", "sentence", "accepted only by", "status 1", "status 2", "text")
    return Sheet("Divergences", header, tuple(rows))


def _sentences(report: TreebankReport) -> Sheet:
    header = (
        "first", "second", "suite", "sentence", "text", "readings", "status 1", "status 2",
        "chosen 1", "chosen 2", "remark", "subset", "mode", "O", "O_com", "O_uniq", "O_eq", "E", "A_o", "K_Y",
    )  # fmt: skip
    rows = [(*each.coders, *_sentence(row)) for each in report.comparisons for row in each.sentences]
    return Sheet("Sentences", header, tuple(rows))


def _sentence(row: SentenceRow) -> Row:
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


def _disputes(report: TreebankReport) -> Sheet:
    rows = [
        (
            *each.coders,
            row.label,
            row.kind,
            row.differing,
            row.compared,
            row.share,
            row.alone,
            row.sentences,
            row.example,
        )
        for each in report.comparisons
        for row in each.disputes
    ]
    header = (
        "first", "second", "label", "kind", "differing", "compared", "share", "one annotator only",
        "sentences", "example",
    )  # fmt: skip
    return Sheet("Disputes", header, tuple(rows), bar=6)


def _splits(report: TreebankReport) -> Sheet:
    rows = [
        (*each.coders, row.suite, number_of(row.item, row.suite), row.kind, row.key, row.span, *row.values)
        for each in report.comparisons
        for row in each.splits
    ]
    header = ("first", "second", "suite", "sentence", "kind", "discriminant", "span", "value 1", "value 2")
    return Sheet("Options", header, tuple(rows))


def _changes(found: Versions) -> Sheet:
    rows = [
        (
            row.coder,
            row.suite,
            number_of(row.item, row.suite),
            row.before,
            row.after,
            row.chosen_before,
            row.chosen_after,
        )
        for row in found.changes
    ]
    header = ("annotator", "suite", "sentence", "before", "after", "chosen before", "chosen after")
    return Sheet("Changes", header, tuple(rows))


def _adjudication(report: TreebankReport) -> Sheet:
    rows: list[Sequence[Any]] = []
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
    return Sheet("Adjudication", header, tuple(rows))


FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_tables(report: TreebankReport) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every table."""
    for sheet in tables(report):
        yield sheet.name, _text(sheet.header, sheet.rows)
    rows = [
        (*found.coders, str(name).rstrip(":"), value)
        for found in report.comparisons
        for name, value in totals_rows(found)
        if value is not None
    ]
    yield "Totals", _text(("first", "second", "what", "value"), rows)


def _text(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _cell(value: Any) -> Any:
    """Keep text from becoming a formula when a spreadsheet program opens the file.

    Example:
        >>> _cell("=1+1"), _cell("a=b"), _cell(-0.5), _cell(None)
        ("'=1+1", 'a=b', -0.5, '')
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    text = encodable(value)
    return f"'{text}" if text.startswith(FORMULA) else text


MOST = 300  # rows of a table on the page; the workbook has all


def treebank_page(report: TreebankReport) -> str:
    """Return a page about *report*."""
    results = report.table.results
    return render(
        "treebank.html.j2",
        title=", ".join(report.table.study.coders),
        report=report,
        headline=headline(report.table.kind, report.table.study, results),
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


DISPUTES = 8  # labels that the terminal shows


def treebank_text(report: TreebankReport, *, verbose: bool = False) -> str:
    """Return *report* as plain text."""
    file = io.StringIO()
    Console(file=file, width=WIDTH, color_system=None).print(treebank(report, verbose=verbose))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def print_treebank(report: TreebankReport, *, verbose: bool = False) -> None:
    """Print *report* on the terminal."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    console.print(treebank(report, verbose=verbose))


def treebank(report: TreebankReport, *, verbose: bool = False) -> RenderableType:
    """Return what a rich console prints."""
    study, results = report.table.study, report.table.results
    main = [each for each in results if "of" not in each.details]
    beside = [each for each in results if "of" in each.details]
    parts: list[RenderableType] = [renderable(report.table.kind, study, main, verbose=verbose)]
    parts += [Text(), _beside(beside)] if beside else []
    for found in report.comparisons:
        parts += [Text(), *_comparison(found, named=len(report.comparisons) > 1)]
    if report.versions is not None:
        counts = sorted(report.versions.counts.items(), key=lambda each: -each[1])
        moved = [f"{before} to {after} {count:,}" for (before, after), count in counts if before != after]
        changes = f"{len(report.versions.changes):,} changed, {report.versions.unchanged:,} as they were"
        parts += [Text(), Text(f"Since the older version: {changes}")]
        parts += [Text(f"  status: {', '.join(moved)}")] if moved else []
    if report.adjudicated:
        parts += [Text(), *(Text(line) for line in _with_profile(report.adjudicated))]
    for each in report.adjudications:
        parts += [Text(), *(Text(line) for line in adjudication_lines(each))]
    return Group(*parts)


def adjudication_lines(found: Adjudication) -> Iterator[str]:
    """Yield what a workbook that was read back says."""
    yield (
        f"Adjudicated: {found.decided:,} of {found.divergences:,} divergences of "
        f"{' and '.join(found.coders)}, {found.undecided:,} undecided"
    )
    for each in found.annotators:
        share = "" if each.share is None else f" ({each.share:.0%})"
        agreement = "" if each.agreement is None else f"; agrees with the adjudicator on {each.agreement:.1%}"
        yield f"  {each.coder}: followed {each.followed:,} times{share}{agreement}"
    if found.neither:
        yield f"  neither: {found.neither:,} times"


def _beside(results: Sequence[Result]) -> Table:
    """Return the measures of whole decisions, which are to be read beside those of options."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("beside it")
    table.add_column("of")
    table.add_column("value", justify="right")
    table.add_column("interval")
    table.add_column("used", justify="right")
    for each in results:
        value = "—" if each.value is None else f"{each.value:.4f}"
        remark = bounds(each.interval, digits=4) or ("" if each.status == "ok" else each.status)
        table.add_row(each.measure, str(each.details["of"]), value, remark, f"{each.items_used:,}")
    return table


def _comparison(found: Comparison, *, named: bool) -> list[RenderableType]:
    details, totals = found.result.details, found.totals
    parts: list[RenderableType] = [Text(" and ".join(found.coders), style="bold")] if named else []
    parts += [_values(found.result), Text(), _decisions(found), Text()]
    left = [
        (totals.lost, "lost"), (totals.unannotated, "not annotated"),
        (totals.ambiguous, "with several trees left"), (totals.missing, "in one profile only"),
    ]  # fmt: skip
    rest = ", ".join(f"{count:,} {what}" for count, what in left if count)
    decided = f"{totals.countable:,} of {totals.parsed:,} parsed sentences decided by both"
    parts.append(Text("; ".join(filter(None, [decided, rest]))))
    share = details.get("same_tree_share")
    if share is not None:
        parts.append(Text(f"same tree in {share:.1%} of {details['accepted_by_both']:,} accepted by both"))
    parts.append(
        Text(f"{len(found.divergences):,} sentences diverge; -o report.xlsx lists them for an adjudicator")
    )
    if found.disputes:
        parts += [Text(), _disputes_shown(found)]
    return parts


def _values(result: Result) -> Table:
    """Return the values that are always to be read together."""
    details = result.details
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title, justify in (
        ("y_option_kappa", "left"),
        ("value", "right"),
        ("sentences", "right"),
        ("", "left"),
    ):
        table.add_column(title, justify=justify, no_wrap=title != "")  # type: ignore[arg-type]
    both, rejected, bare = (
        details.get(f"sentences_{name}", 0)
        for name in ("both_accepted", "rejected_by_one", "without_options")
    )
    share = details.get("estimated_share")
    said = "nothing is estimated" if not share else f"{share:.1%} of the options are estimates"
    rows = [
        ("with estimation", details.get("with_estimation"), both + rejected + bare, said),
        (
            "without estimation",
            details.get("without_estimation"),
            both + rejected,
            "options of one alone differ",
        ),
        ("accepted by both only", details.get("both_accepted_only"), both, ""),
        ("all options together (micro)", details.get("micro"), both + rejected + bare, ""),
    ]
    for name, value, count, remark in rows:
        table.add_row(name, "—" if value is None else f"{value:.4f}", f"{count:,}", remark)
    return table


def _decisions(found: Comparison) -> Table:
    totals, (first, second) = found.totals, found.coders
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column(Text(f"{second} accepted"), justify="right")
    table.add_column(Text(f"{second} rejected"), justify="right")
    table.add_row(
        Text(f"{first} accepted"), f"{totals.accepted_by_both:,}", f"{totals.accepted_by_first_only:,}"
    )
    table.add_row(
        Text(f"{first} rejected"), f"{totals.accepted_by_second_only:,}", f"{totals.rejected_by_both:,}"
    )
    return table


def _disputes_shown(found: Comparison) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    shown = min(DISPUTES, len(found.disputes))
    table.add_column(f"most disputed ({shown} of {len(found.disputes):,})", overflow="fold")
    table.add_column("kind")
    for title in ("differing", "compared", "sentences"):
        table.add_column(title, justify="right")
    for each in found.disputes[:DISPUTES]:
        table.add_row(
            Text(each.label), each.kind, f"{each.differing:,}", f"{each.compared:,}", f"{each.sentences:,}"
        )
    return table


def _with_profile(found: Sequence[tuple[str, Result]]) -> Iterator[str]:
    yield "With the adjudicated profile:"
    for coder, result in found:
        value = "undefined" if result.value is None else f"{result.value:.4f}"
        interval = f" ({bounds(result.interval, digits=4)})" if result.interval else ""
        yield f"  {coder}: y_option_kappa {value}{interval} on {count_of(result.items_used, 'sentence')}"
