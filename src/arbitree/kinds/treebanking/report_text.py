"""Output of ``arbitree tsdb`` on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from arbitree.kinds.treebanking.adjudicated import AdjudicatedPair
from arbitree.kinds.treebanking.comparison import Comparison
from arbitree.kinds.treebanking.disputes import Dispute
from arbitree.reporting.document import (
    COUNT,
    INTERVAL,
    TERMINAL,
    TEXT,
    VALUE,
    WORD,
    Field,
    Section,
    Text,
    interval_title,
    section_in,
    table_of_fields,
)
from arbitree.reporting.phrasing import bounds
from arbitree.reporting.sections.agree import measure_sections, remarks, signatures, span_of
from arbitree.study.result import Column, Result, Table
from arbitree.wording import count_of, decimal, percent

if TYPE_CHECKING:
    from arbitree.kinds.treebanking.report import TreebankReport

DISPUTES = 8  # contested labels that the terminal shows


def shown_sections(report: TreebankReport) -> Iterator[Section]:
    """Yield the sections for a terminal."""
    main = report.main
    beside = [each for each in report.results if "of" in each.details]
    unit = report.table.kind.unit
    for section in (*measure_sections(main, unit), remarks(main, unit)):
        yield section_in(section, TERMINAL)
    yield Section((_beside(beside),) if beside else ())
    for found in report.comparisons:
        yield from _comparison(found, named=len(report.comparisons) > 1)
    if report.versions is not None:
        counts = sorted(report.versions.counts.items(), key=lambda each: -each[1])
        moved = [f"{before} to {after} {count:,}" for (before, after), count in counts if before != after]
        changes = f"{len(report.versions.changes):,} changed, {report.versions.unchanged:,} unchanged"
        lines = [
            f"Sentences since the older version: {changes}",
            *([f"  status: {', '.join(moved)}"] if moved else []),
        ]
        yield Section(tuple(map(Text, lines)))
    if report.adjudicated:
        yield Section(tuple(map(Text, _with_profile(report.adjudicated))))
    for each in report.adjudications:
        yield Section(tuple(map(Text, adjudication_lines(each))))
    yield signatures(report.results)


def adjudication_lines(found: AdjudicatedPair) -> Iterator[str]:
    """Yield a summary of the decisions in a workbook."""
    yield (
        f"Adjudicated: {found.decided:,} of {count_of(found.divergences, 'disagreement')} between "
        f"{' and '.join(found.coders)}, {found.undecided:,} undecided"
    )
    for each in found.annotators:
        share = "" if each.share is None else f" ({percent(each.share)})"
        agreement = (
            "" if each.agreement is None else f"; agreement with the adjudicator {percent(each.agreement, 1)}"
        )
        yield f"  {each.coder}: followed {count_of(each.followed, 'time')}{share}{agreement}"
    if found.neither:
        yield f"  neither annotator: {count_of(found.neither, 'time')}"


def _beside(results: Sequence[Result]) -> Table:
    """Return the measures on whole sentences, which complement those on discriminants."""
    title = interval_title(each.interval for each in results)
    fields: list[Field[Result]] = [
        (Column("measure", "related measure", TEXT), lambda each: each.measure),
        (Column("of", "compared", TEXT), lambda each: each.details["of"]),
        (Column("value", "value", VALUE), lambda each: each.value),
        (Column("interval", title, INTERVAL), span_of),
        (Column("items_used", "sentences", COUNT), lambda each: each.items_used),
    ]
    return table_of_fields(fields, results, media=TERMINAL)


def _comparison(found: Comparison, *, named: bool) -> Iterator[Section]:
    """Yield the sections about two annotators for a terminal."""
    details, totals = found.result.details, found.totals
    yield Section(
        (_values(found.result), Text(mode_line(found.result))), " and ".join(found.coders) if named else ""
    )
    yield Section((_decisions(found),))
    left = [
        (totals.lost, "lost"), (totals.unannotated, "not annotated"),
        (totals.ambiguous, "with more than one parse left"), (totals.missing, "in only one profile"),
    ]  # fmt: skip
    rest = ", ".join(f"{count:,} {what}" for count, what in left if count)
    decided = f"{totals.countable:,} of {totals.parsed:,} parsed sentences are decided by both"
    lines = ["; ".join(filter(None, [decided, rest]))]
    share = details.get("same_tree_share")
    if share is not None:
        both = count_of(details["accepted_by_both"], "sentence")
        lines.append(f"same parse in {percent(share, 1)} of {both} accepted by both")
    if found.divergences:
        diverging = count_of(len(found.divergences), "sentence")
        verb = "has a disagreement" if len(found.divergences) == 1 else "have disagreements"
        lines.append(f"{diverging} {verb}. To adjudicate, write a workbook with -o report.xlsx.")
    elif totals.countable:
        lines.append("No sentence has a disagreement.")
    yield Section(tuple(map(Text, lines)))
    if found.disputes:
        yield Section((_most_disputed(found),))


MODES = {
    "exact": "all discriminants are compared",
    "derivation": "a recorded discriminant has the value that it has in the accepted parse",
    "discriminant": "recorded discriminants are compared one by one",
    "neighbourhood": "recorded discriminants are compared in groups with the same label",
}


def mode_line(result: Result) -> str:
    """Return the mode that compared discriminants and, if it was chosen automatically, the reason."""
    mode, reason = result.details["mode"], result.details["mode_reason"]
    return f"mode {mode}: {MODES[mode]}" + (f" (auto: {reason})" if reason else "")


def _values(result: Result) -> Table:
    """Return the variants of Y-option kappa, which are interpreted together."""
    details = result.details
    both, rejected, bare = (
        details.get(f"sentences_{name}", 0)
        for name in ("both_accepted", "rejected_by_one", "without_options")
    )
    share = details.get("estimated_share")
    said = "no estimates" if not share else f"{percent(share, 1)} of the discriminants are estimated"
    one_alone = "discriminants of only one annotator differ"
    rows = [
        ("with estimation", details.get("with_estimation"), both + rejected + bare, said),
        ("without estimation", details.get("without_estimation"), both + rejected, one_alone),
        ("accepted by both only", details.get("both_accepted_only"), both, ""),
        ("all discriminants pooled (micro)", details.get("micro"), both + rejected + bare, ""),
    ]
    columns = (
        Column("variant", "y_option_kappa", WORD),
        Column("value", "value", VALUE),
        Column("sentences", "sentences", COUNT._replace(wraps=False)),
        Column("remark", "", TEXT),
    )
    return Table(columns, rows, media=TERMINAL)


def _decisions(found: Comparison) -> Table:
    totals, (first, second) = found.totals, found.coders
    columns = (
        Column("decided", "", TEXT),
        Column("accepted", f"{second} accepted", COUNT),
        Column("rejected", f"{second} rejected", COUNT),
    )
    rows = (
        (f"{first} accepted", totals.accepted_by_both, totals.accepted_by_first_only),
        (f"{first} rejected", totals.accepted_by_second_only, totals.rejected_by_both),
    )
    return Table(columns, rows, media=TERMINAL)


def _most_disputed(found: Comparison) -> Table:
    shown = min(DISPUTES, len(found.disputes))
    fields: list[Field[Dispute]] = [
        (
            Column("label", f"most contested labels ({shown} of {len(found.disputes):,})", TEXT),
            lambda each: each.label,
        ),
        (Column("kind", "kind", TEXT), lambda each: each.kind),
        (Column("differing", "differing", COUNT), lambda each: each.differing),
        (Column("compared", "compared", COUNT), lambda each: each.compared),
        (Column("sentences", "sentences", COUNT), lambda each: each.sentences),
    ]
    return table_of_fields(fields, found.disputes[:DISPUTES], media=TERMINAL)


def _with_profile(found: Sequence[tuple[str, Result]]) -> Iterator[str]:
    yield "Agreement with the adjudicated profile:"
    for coder, result in found:
        value = "undefined" if result.value is None else decimal(result.value, 4)
        level = f"{100 * result.interval.confidence:g}% CI " if result.interval else ""
        interval = f" ({level}{bounds(result.interval, ' to ', digits=4)})" if result.interval else ""
        yield f"  {coder}: y_option_kappa {value}{interval} on {count_of(result.items_used, 'sentence')}"
