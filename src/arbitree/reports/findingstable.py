"""Findings on inconsistencies for Python: what print, notebook and pandas show."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from arbitree.analyses.inconsistencies.findings import Findings
from arbitree.reports.findings import COLUMNS, as_text, place_rows, renderable
from arbitree.reports.text import in_notebook

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class FindingsTable(Findings):
    """Findings that can be printed, shown in a notebook, and taken as a data frame."""

    @classmethod
    def of(cls, findings: Findings) -> FindingsTable:
        """Return *findings* as a table."""
        return cls(**{each.name: getattr(findings, each.name) for each in fields(findings)})

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return in_notebook(renderable(self))

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame, one row a place of a nucleus, with the columns of the TSV; needs pandas."""
        import pandas

        return pandas.DataFrame(list(place_rows(self)), columns=list(COLUMNS))
