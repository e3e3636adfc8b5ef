"""Results of one command together: what JSON, terminal, notebook and pandas show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import arbitree
from arbitree.kinds.kind import Kind
from arbitree.plugins import check_name
from arbitree.reporting.phrasing import summary
from arbitree.reporting.terminal import as_text, in_notebook, renderable
from arbitree.study.result import Result, Table
from arbitree.study.study import Study

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["ResultTable", "summary", "table_of"]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The results of *command* on a study."""

    command: str
    kind: Kind[Any]
    study: Study[Any]
    results: tuple[Result, ...]
    tables: Mapping[str, Table] = field(default_factory=dict)  # confusions, differences ... by name

    def __str__(self) -> str:
        return as_text(self.kind, self.study, self.results, tables=self.tables)

    def _repr_html_(self) -> str:
        return in_notebook(renderable(self.kind, self.study, self.results, tables=self.tables))

    def __getitem__(self, measure: str) -> Result:
        found = {result.measure: result for result in self.results}
        check_name(measure, found, "the measures of this table")
        return found[measure]

    def beside(self, name: str, table: Table) -> ResultTable:
        """Return the same results with one more *table*."""
        return replace(self, tables={**self.tables, name: table})

    @property
    def warnings(self) -> list[str]:
        """What whoever reads the numbers should know."""
        notes = [note for result in self.results for note in result.notes]
        return list(dict.fromkeys((*self.study.notes, *notes)))

    def to_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "arbitree": arbitree.__version__,
            "command": self.command,
            "study": summary(self.kind, self.study),
            "results": [result.to_dict() for result in self.results],
            **{name: table.records() for name, table in self.tables.items()},
            "warnings": self.warnings,
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame, one row a measure; needs pandas."""
        import pandas

        rows = [
            {
                "measure": result.measure,
                "value": result.value,
                "low": result.interval.low if result.interval else None,
                "high": result.interval.high if result.interval else None,
                "status": result.status,
                "items_used": result.items_used,
                "items_ignored": len(result.ignored),
                "signature": result.signature,
            }
            for result in self.results
        ]
        return pandas.DataFrame(rows)


def table_of(command: str, kind: Kind[Any], study: Study[Any], results: Sequence[Result]) -> ResultTable:
    """Return the table of *results*."""
    return ResultTable(command, kind, study, tuple(results))
