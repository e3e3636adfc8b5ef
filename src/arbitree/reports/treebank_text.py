"""A report on treebankers for the terminal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from arbitree.analyses.treebanking.adjudication import Adjudication
from arbitree.analyses.treebanking.comparison import Comparison
from arbitree.data.result import Result
from arbitree.reports.plain import WIDTH
from arbitree.reports.text import renderable
from arbitree.reports.treebanking import TreebankReport
from arbitree.reports.words import bounds, count_of

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
    parts: list[RenderableType] = [renderable(study, main, verbose=verbose)]
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
        parts += [Text(), _disputes(found)]
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


def _disputes(found: Comparison) -> Table:
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
