"""The findings of ``arbitree prefer`` as text and as JSON."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

import arbitree
from arbitree.kinds.preference.findings import Findings, Judged
from arbitree.kinds.preference.fitted_weights import Fitted, fitted_sections
from arbitree.kinds.preference.tables import Section, records, sections
from arbitree.plugins import check_name
from arbitree.reporting.phrasing import bounds
from arbitree.reporting.terminal import WIDTH, ToWidth, in_notebook, portions
from arbitree.study.result import Result
from arbitree.wording import count_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class PreferenceTable:
    """What ``arbitree prefer`` shows: print it, index a table by its key, or take ``to_dict()``.

    ``to_pandas()`` gives the correlations, or the table with the key that is asked for.
    """

    findings: Findings
    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = ()  # what is odd about the files
    fitted: Fitted | None = None

    def __str__(self) -> str:
        file = io.StringIO()
        Console(file=file, width=WIDTH, color_system=None).print(_renderable(self))
        return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())

    def _repr_html_(self) -> str:
        return in_notebook(_renderable(self))

    def __getitem__(self, key: str) -> list[dict[str, Any]]:
        found = records(self.sections)
        check_name(key, found, "the tables")
        return found[key]

    def print(self) -> None:
        """Print everything on the terminal, in colour unless NO_COLOR is set."""
        console = Console(highlight=False)
        console.width = min(console.width, WIDTH)
        console.print(_renderable(self))

    @property
    def results(self) -> tuple[Result, ...]:
        """The correlation of every metric with people."""
        return tuple(self.findings.results)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        sets = self.findings.sets
        first = sets[0].measured.contest
        return {
            "arbitree": arbitree.__version__,
            "command": "prefer",
            "study": {
                "kind": first.trees.value_type.kind,
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
        """Return a data frame of one of the tables, by its key; needs pandas."""
        import pandas

        return pandas.DataFrame(self[key])


def preference_table(
    findings: Findings, *, test: str = "steiger", fitted: Fitted | None = None, warnings: Sequence[str] = ()
) -> PreferenceTable:
    """Return *findings* as tables; stars are set by *test*."""
    shown = [*sections(findings, test=test), *(fitted_sections(fitted) if fitted else ())]
    return PreferenceTable(findings, tuple(shown), tuple(warnings), fitted)


def _cases(each: Judged) -> list[dict[str, Any]] | None:
    """Return the items on which people overrule LAS, and what the preferred parse does better."""
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


def headline(findings: Findings) -> str:
    """Return one sentence with the metric that is tested against."""
    result = findings.results[findings.baseline]
    people = len({(each.name, coder) for each in findings.sets for coder in each.measured.coders})
    where = f" in {count_of(len(findings.sets), 'set')}" if len(findings.sets) > 1 else ""
    start = f"{count_of(people, 'coder')} judged {count_of(result.items_used, 'item')}{where}"
    start = start[0].upper() + start[1:]
    if result.value is None:
        return f"{start}; {result.measure} has no correlation with them ({result.status})."
    interval = ""
    if result.interval:
        interval = f" ({result.interval.confidence:.0%} interval {bounds(result.interval, ' to ')})"
    share = result.details["agreement"]
    return (
        f"{start}. {result.measure} correlates with them at ρ {result.value:.3f}{interval}, where "
        f"{result.details['ceiling']:.3f} is the most it could; it shares {share:.1%} of the verdicts."
    )


def _renderable(table: PreferenceTable) -> RenderableType:
    parts: list[RenderableType] = [Text(headline(table.findings))]
    for section in table.sections:
        parts += [Text(), Text(section.title, style="bold"), section_grid(section)]
        if section.remark:
            parts.append(Text(section.remark, style="dim"))
    if table.findings.notes:
        parts += [Text(), *(Text(note) for note in table.findings.notes)]
    return Group(*parts)


def section_grid(section: Section) -> ToWidth:
    """Return the table of *section* for a rich console; if it is too wide, it goes on below."""
    return ToWidth(partial(_grids, section))


def _grids(section: Section, width: int) -> list[Grid]:
    columns = section.table.columns
    words = [all(isinstance(row[k], str) for row in section.table.rows) for k in range(len(columns))]
    lines = [
        [
            cell_text(value, section.digits.get(name, 3)) + "*" * ((number, place) in section.stars)
            for place, (name, value) in enumerate(zip(columns, row, strict=True))
        ]
        for number, row in enumerate(section.table.rows)
    ]
    widths = [max(map(len, column)) + 2 for column in zip(columns, *lines, strict=True)]
    kept = max(1, words.index(False) if False in words else 1)  # the words that rows begin with
    grids = []
    for places in portions(widths[kept:], width + 2 - sum(widths[:kept])):
        shown = [*range(kept), *(kept + place for place in places)]
        grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for place in shown:
            grid.add_column(columns[place], justify="left" if words[place] else "right", overflow="fold")
        for line in lines:
            grid.add_row(*(Text(line[place]) for place in shown))
        grids.append(grid)
    return grids


def cell_text(value: Any, digits: int = 3) -> str:
    """Return a number as papers print it, — where there is none.

    Example:
        >>> cell_text(0.5469), cell_text(-0.07), cell_text(None), cell_text(200), cell_text(79.166, 2)
        ('.547', '-.070', '—', '200', '79.17')
    """
    if value is None:
        return "—"
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.{digits}f}"
    if digits == 3 and abs(value) < 1:
        return text.replace("0.", ".", 1)
    return text
