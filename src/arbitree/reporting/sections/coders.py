"""What a model of the coders found, in words and tables for the terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

import arbitree
from arbitree.annotator_models.findings import CoderEstimate, CoderFindings, Difficulty
from arbitree.annotator_models.model import CoderConfusion
from arbitree.kinds.kind import Kind
from arbitree.plugins import check_name
from arbitree.reporting.phrasing import bounds, ignored_lines, summary
from arbitree.reporting.terminal import WIDTH, bar, in_notebook
from arbitree.study.result import Result
from arbitree.study.study import Study
from arbitree.wording import count_of

if TYPE_CHECKING:
    import pandas as pd


MOST_CODERS = 40  # rows of a table on the terminal; --verbose shows all
MOST_ITEMS = 10
MOST_CONFUSIONS = 10
NAME = 20  # characters of a name that are not broken into lines
TEXT = 48  # characters of an item's words
BAR = 16

STATUS = {
    "no_annotations": "annotated nothing that could be used",
    "no_overlap": "shares no item with another coder, so that nothing tells right from wrong",
    "no_variation": "there is nothing to choose between, so that knowing cannot be told from guessing",
}


def as_text(findings: CoderFindings, kind: Kind[Any], *, verbose: bool = False) -> str:
    """Return the findings as plain text."""
    file = io.StringIO()
    Console(file=file, width=WIDTH, color_system=None).print(renderable(findings, kind, verbose=verbose))
    lines = "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())
    return lines + (_signatures(findings) if verbose else "")


def print_findings(findings: CoderFindings, kind: Kind[Any], *, verbose: bool = False) -> None:
    """Print the findings on the terminal, in colour unless NO_COLOR is set."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    console.print(renderable(findings, kind, verbose=verbose))
    if verbose:
        print(_signatures(findings), end="")


def renderable(findings: CoderFindings, kind: Kind[Any], *, verbose: bool = False) -> RenderableType:
    """Return what a rich console prints: sentences, coders, confusions, the hardest items, notes."""
    parts: list[RenderableType] = [*map(Text, _sentences(findings)), Text(), _coders(findings, verbose)]
    confusions = _confusions(findings.confusion)
    if confusions:
        parts += [Text(), confusions]
    hardest = findings.hardest(MOST_ITEMS)
    if hardest:
        parts += [Text(), _items(kind, hardest)]
    lines = _notes(findings, verbose)
    return Group(*parts, *([Text(), *map(Text, lines)] if lines else []))


def _sentences(findings: CoderFindings) -> list[str]:
    first, *rest = findings.results
    coders = count_of(len(findings.study.coders), "coder")
    begin = f"{coders[0].upper()}{coders[1:]}, {count_of(first.items_used, 'item')}, model {findings.model}"
    if first.value is None:
        lines = [f"{begin}: there are no competences ({STATUS.get(first.status, first.status)})."]
    else:
        within = ""
        if first.interval:
            within = f" ({first.interval.confidence:.0%} interval {bounds(first.interval, ' to ')})"
        lines = [f"{begin}: mean competence {first.value:.3f}{within}."]
    for result in rest:
        if result.value is not None:
            found = result.details
            split = f" ({found['ties_split']:.4f} with {found['ties']:,} ties split)" if found["ties"] else ""
            right = f"{found['correct']:,} of {found['total']:,} items"
            lines.append(f"The consensus is right for {right}: accuracy {result.value:.4f}{split}.")
    return [*lines, f"Competence is {findings.about}."]


def _coders(findings: CoderFindings, verbose: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    confidence = next((each.interval.confidence for each in findings.coders if each.interval), None)
    shown = findings.coders if verbose else findings.coders[:MOST_CODERS]
    table.add_column("coder", style="bold", overflow="fold", no_wrap=_short(each.coder for each in shown))
    table.add_column("competence", justify="right", no_wrap=True)
    table.add_column("0" + "1".rjust(BAR - 1), no_wrap=True)
    table.add_column(f"{confidence:.0%} interval" if confidence else "", no_wrap=True)
    table.add_column("items", justify="right", no_wrap=True)
    table.add_column("agrees", justify="right", no_wrap=True)
    for each in shown:
        remark = bounds(each.interval, digits=4) or ("" if each.status == "ok" else each.status)
        table.add_row(
            Text(each.coder),
            _number(each.competence),
            Text(bar(each.competence, each.interval, BAR)),
            Text(remark),
            f"{each.annotations:,}",
            _number(each.agreement),
        )
    return table


def _confusions(confusion: Sequence[CoderConfusion]) -> Table | None:
    found = [each for each in confusion if each.truth != each.answer]
    if not found:
        return None
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("coder", style="bold", overflow="fold")
    table.add_column("consensus has", overflow="fold")
    table.add_column("coder has", overflow="fold")
    table.add_column("times", justify="right")
    table.add_column("of these", justify="right")
    for each in sorted(found, key=lambda row: -row.count)[:MOST_CONFUSIONS]:
        names = (Text(each.coder), Text(each.truth or "(none)"), Text(each.answer or "(none)"))
        table.add_row(*names, f"{each.count:.3g}", f"{each.share:.0%}")
    return table


def _items(kind: Kind[Any], hardest: Sequence[Difficulty]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(
        "hardest items", style="bold", overflow="fold", no_wrap=_short(each.item for each in hardest)
    )
    table.add_column("entropy", justify="right", no_wrap=True)
    table.add_column("consensus", overflow="ellipsis")
    for each in hardest:
        consensus = "None" if each.consensus is None else kind.describe(each.consensus)
        table.add_row(Text(each.item), _number(each.entropy), Text(_shortened(consensus)))
    return table


def _notes(findings: CoderFindings, verbose: bool) -> list[str]:
    lines = list(dict.fromkeys(note for result in findings.results for note in result.notes))
    statuses = dict.fromkeys(each.status for each in findings.coders if each.status != "ok")
    for status in statuses:
        who = [each.coder for each in findings.coders if each.status == status]
        named = ", ".join(who[:5]) + (f" and {len(who) - 5} more" if len(who) > 5 else "")
        lines.append(f"{status}: {STATUS.get(status, 'see the documentation')} ({named})")
    lines += ignored_lines(findings.results[:1])
    more = len(findings.coders) - MOST_CODERS
    if more > 0 and not verbose:
        lines.append(f"{count_of(more, 'more coder')}: --verbose and --json show all")
    if verbose:
        lines += [
            f"  {each.item}: {each.reason} {each.detail}".rstrip() for each in findings.results[0].ignored
        ]
    return lines


def _signatures(findings: CoderFindings) -> str:
    return "\n" + "".join(f"{result.signature}\n" for result in findings.results)


def _number(value: float | None) -> str:
    return "—" if value is None else f"{value:.4f}"


def _short(names: Iterable[str]) -> bool:
    return max(map(len, names), default=0) <= NAME


def _shortened(text: str) -> str:
    return text if len(text) <= TEXT else f"{text[: TEXT - 1]}…"


@dataclass(frozen=True, slots=True)
class CoderTable:
    """The findings of a model, as ``arbitree coders`` shows them."""

    findings: CoderFindings
    kind: Kind[Any]

    def __str__(self) -> str:
        return as_text(self.findings, self.kind)

    def _repr_html_(self) -> str:
        return in_notebook(renderable(self.findings, self.kind))

    def __getitem__(self, coder: str) -> CoderEstimate:
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
            "study": summary(self.kind, found.study),
            "results": [result.to_dict() for result in found.results],
            "warnings": self.warnings,
            "model": found.model,
            "coders": [_coder(each) for each in found.coders],
            "confusion": [_confused(each) for each in found.confusion],
            "items": [_item(each, self.kind) for each in found.items],
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


def _coder(each: CoderEstimate) -> dict[str, Any]:
    return {
        "coder": each.coder,
        "competence": each.competence,
        "interval": [each.interval.low, each.interval.high] if each.interval else None,
        "status": each.status,
        "annotations": each.annotations,
        "agreement": each.agreement,
    }


def _confused(each: CoderConfusion) -> dict[str, Any]:
    return {
        "coder": each.coder,
        "truth": each.truth,
        "answer": each.answer,
        "count": each.count,
        "share": each.share,
    }


def _item(each: Difficulty, kind: Kind[Any]) -> dict[str, Any]:
    consensus = None if each.consensus is None else kind.short_record(each.consensus)
    found = {"item": each.item, "consensus": consensus, "entropy": each.entropy}
    return found | ({"ties": [kind.short_record(value) for value in each.ties]} if each.ties else {})
