"""What a model of the coders found, together: what JSON, terminal, notebook and pandas show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import arbitree
from arbitree.analyses.coders.findings import Difficulty, Findings, Standing
from arbitree.analyses.coders.outcome import Confused
from arbitree.data.dependency import DepTree
from arbitree.data.phrase import PhraseTree
from arbitree.data.result import Result
from arbitree.data.study import Study
from arbitree.registry import check_name
from arbitree.reports.standings import as_text, renderable
from arbitree.reports.table import summary
from arbitree.reports.text import in_notebook

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class CoderTable:
    """The findings of a model, as ``arbitree coders`` shows them."""

    findings: Findings

    def __str__(self) -> str:
        return as_text(self.findings)

    def _repr_html_(self) -> str:
        return in_notebook(renderable(self.findings))

    def __getitem__(self, coder: str) -> Standing:
        found = {each.coder: each for each in self.findings.coders}
        check_name(coder, found, "the coders of this table")
        return found[coder]

    @property
    def results(self) -> tuple[Result, ...]:
        """The mean competence, then the accuracy if the truth was given."""
        return self.findings.results

    @property
    def consensus(self) -> Study[Any]:
        """A study of one coder."""
        return self.findings.consensus

    @property
    def warnings(self) -> list[str]:
        """What whoever reads the numbers should know."""
        notes = [note for result in self.results for note in result.notes]
        return list(dict.fromkeys((*self.findings.study.notes, *notes)))

    def to_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        found = self.findings
        return {
            "arbitree": arbitree.__version__,
            "command": "coders",
            "study": summary(found.study),
            "results": [result.to_dict() for result in found.results],
            "warnings": self.warnings,
            "model": found.model,
            "coders": [_coder(each) for each in found.coders],
            "confusion": [_confused(each) for each in found.confusion],
            "items": [_item(each) for each in found.items],
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame, one row a coder; needs pandas."""
        import pandas

        rows = [
            {
                "coder": each.coder,
                "competence": each.competence,
                "low": each.interval.low if each.interval else None,
                "high": each.interval.high if each.interval else None,
                "status": each.status,
                "annotations": each.annotations,
                "agreement": each.agreement,
            }
            for each in self.findings.coders
        ]
        return pandas.DataFrame(rows)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, DepTree):
        return {"heads": list(value.heads), "relations": list(value.relations)}
    if isinstance(value, PhraseTree):
        nodes = list(zip(value.labels, value.yields(), strict=True))[len(value.words) :]
        return {"brackets": [{"label": label, "span": [list(run) for run in runs]} for label, runs in nodes]}
    return None if value is None else str(value)


def _coder(each: Standing) -> dict[str, Any]:
    return {
        "coder": each.coder,
        "competence": each.competence,
        "interval": [each.interval.low, each.interval.high] if each.interval else None,
        "status": each.status,
        "annotations": each.annotations,
        "agreement": each.agreement,
    }


def _confused(each: Confused) -> dict[str, Any]:
    return {
        "coder": each.coder,
        "truth": each.truth,
        "answer": each.answer,
        "count": each.count,
        "share": each.share,
    }


def _item(each: Difficulty) -> dict[str, Any]:
    found = {"item": each.item, "consensus": _plain(each.consensus), "entropy": each.entropy}
    return found | ({"ties": [_plain(value) for value in each.ties]} if each.ties else {})
