"""The output of ``arbitree prefer``: tables and data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arbitree.kinds.preference.findings import Judged, PreferenceFindings
from arbitree.kinds.preference.fitted_weights import FittedWeights, fitted_sections
from arbitree.kinds.preference.tables import records, sections
from arbitree.plugins import check_name
from arbitree.reporting.document import Document, Presentable, Section, Text, references_of
from arbitree.reporting.phrasing import within
from arbitree.reporting.sections.agree import signatures
from arbitree.study.result import Result
from arbitree.wording import count_of, decimal, percent

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class PreferenceTable(Presentable):
    """The output of ``arbitree prefer``: print it, index a table by its key, or use ``to_dict()``.

    ``to_pandas()`` returns the correlations, or the table with the given key.
    """

    findings: PreferenceFindings
    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = ()  # problems found in the files
    fitted: FittedWeights | None = None

    def __getitem__(self, key: str) -> list[dict[str, Any]]:
        found = records(self.sections)
        check_name(key, found, "table")
        return found[key]

    @property
    def results(self) -> tuple[Result, ...]:
        """The correlation of every metric with human preferences."""
        return tuple(self.findings.results)

    @property
    def document(self) -> Document:
        """The document to print."""
        sections = (
            *self.sections,
            Section(tuple(map(Text, self.findings.notes))),
            signatures(self.results),
        )
        references = references_of(self.results)
        return Document(
            "prefer",
            headline(self.findings),
            sections,
            self.data,
            references,
            main="correlations",
            title="Metrics and human preferences",
        )

    def data(self) -> dict[str, Any]:
        """Return the values for JSON."""
        sets = self.findings.sets
        first = sets[0].measured.contest
        return {
            "study": {
                "kind": first.trees.kind,
                "items": sum(len(each.measured.items) for each in sets),
                "coders": list(first.trees.coders),
                "annotations": sum(len(each.measured.contest.trees.cells) for each in sets),
                "tokens": sum(len(tree) for each in sets for tree in each.measured.trees(0)),
                "judgments": sum(len(each.measured.contest.judged.cells) for each in sets),
            },
            "results": [result.to_dict() for result in self.findings.results],
            "sets": [
                {
                    "set": each.name,
                    "coders": list(each.measured.coders),
                    "agreement": each.agreement.to_dict(),
                    "verdicts": each.verdicts.to_dict(),
                    "overruled": _cases(each),
                }
                for each in sets
            ],
            "tables": records(self.sections),
            **({"fit": self.fitted.to_dict()} if self.fitted else {}),
            "warnings": [*self.warnings, *self.findings.notes],
        }

    def to_pandas(self, key: str = "correlations") -> pd.DataFrame:
        """Return the table with this key as a data frame; needs pandas."""
        return self.document.to_pandas(key)


def preference_table(
    findings: PreferenceFindings,
    *,
    test: str = "steiger",
    fitted: FittedWeights | None = None,
    warnings: Sequence[str] = (),
    all: bool = False,
) -> PreferenceTable:
    """Return *findings* as tables, with p-values of *test*; the text shows all tables if *all* is true."""
    shown = [*sections(findings, test=test, all=all), *(fitted_sections(fitted) if fitted else ())]
    return PreferenceTable(findings, tuple(shown), tuple(warnings), fitted)


def _cases(each: Judged) -> list[dict[str, Any]] | None:
    """Return the items on which judges contradict LAS, and the advantage of the preferred parse."""
    if each.overruled is None:
        return None
    systems, items = each.measured.contest.systems, each.measured.items
    return [
        {
            "item": items[case.place].id,
            "preferred": systems[case.side],
            "uas": case.uas,
            "la": case.la,
            "other_root": case.root,
            "by": case.kind,
        }
        for case in each.overruled.cases
    ]


def headline(findings: PreferenceFindings) -> str:
    """Return a sentence about the metric that others are tested against."""
    result = findings.results[findings.baseline]
    people = len({(each.name, coder) for each in findings.sets for coder in each.measured.coders})
    where = f" in {count_of(len(findings.sets), 'data set')}" if len(findings.sets) > 1 else ""
    start = f"Preferences of {count_of(people, 'judge')} on {count_of(result.items_used, 'item')}{where}"
    if result.value is None:
        return f"{start}: the correlation with {result.measure} is undefined ({result.status})."
    share, verdicts = result.details["agreement"], result.details["verdicts"]
    matched = round(2 * share * verdicts) / 2
    ties = " (a tie counts half)" if matched % 1 else ""
    return (
        f"{start}: correlation with {result.measure} ρ {decimal(result.value)}{within(result.interval)}; "
        f"the highest possible value is {decimal(result.details['ceiling'])}. {result.measure} agrees with "
        f"{matched:,g} of {count_of(verdicts, 'verdict')}{ties}: {percent(share, 1)}."
    )
