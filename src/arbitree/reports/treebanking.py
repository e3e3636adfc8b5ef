"""A report on treebankers: its tables, which workbook, page, CSV and JSON all show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from arbitree.analyses.treebanking.adjudication import Adjudication
from arbitree.analyses.treebanking.comparison import Comparison, SentenceRow, Suites
from arbitree.analyses.treebanking.versions import Versions
from arbitree.data.result import Result
from arbitree.registry import check_name
from arbitree.reports.sheets import Row, Sheet
from arbitree.reports.table import ResultTable
from arbitree.reports.text import in_notebook
from arbitree.reports.words import REASONS

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
        from arbitree.reports.treebank_text import treebank_text

        return treebank_text(self)

    def _repr_html_(self) -> str:
        from arbitree.reports.treebank_text import treebank

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
    return asdict(found) | {"undecided": found.undecided}


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
