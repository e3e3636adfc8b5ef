"""Output of ``arbitree tsdb``: a report with the results, and the same for JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from arbitree.kinds.treebanking.adjudicated import AdjudicatedPair
from arbitree.kinds.treebanking.comparison import Comparison, Divergence, Suites, Versions
from arbitree.kinds.treebanking.derivation import Derivation
from arbitree.kinds.treebanking.report_page import treebank_page
from arbitree.kinds.treebanking.report_tables import listed_sections
from arbitree.kinds.treebanking.report_text import shown_sections
from arbitree.reporting.document import Document, Presentable, references_of
from arbitree.reporting.phrasing import headline
from arbitree.reporting.sections.agree import ResultTable
from arbitree.study.result import Result

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
    inputs: tuple[str, ...] = ()  # arguments that name the profiles, for the commands that pages recommend

    @property
    def results(self) -> tuple[Result, ...]:
        """Y-option kappa and the related measures."""
        return self.table.results

    @property
    def main(self) -> tuple[Result, ...]:
        """The results on discriminants, without those on whole sentences."""
        return tuple(each for each in self.results if "of" not in each.details)

    @property
    def document(self) -> Document:
        """The comparison as a document."""
        from arbitree.kinds.treebanking.workbook import start_sheet, write_forms

        return Document(
            "tsdb",
            headline(self.table.kind, self.table.study, self.main),
            (*shown_sections(self), *listed_sections(self)),
            self.data,
            references_of(self.results),
            main="Sentences",
            title="Treebank report",
            page=lambda: treebank_page(self),
            forms=lambda book: write_forms(book, self),
            start=lambda: start_sheet(self),
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
        "divergences": [_divergence(each) for each in found.divergences],
        "sentences": [asdict(each) for each in found.sentences],
        "disputes": [asdict(each) | {"share": each.share} for each in found.disputes],
        "options": [asdict(each) for each in found.splits],
    }


def _divergence(found: Divergence) -> dict[str, Any]:
    return {
        "item": found.item,
        "suite": found.suite,
        "text": found.text,
        "who": found.who,
        "statuses": found.statuses,
        "disputed": found.disputed,
        "analyses": found.analyses(Derivation.bracketed),
    }
