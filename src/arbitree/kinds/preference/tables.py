"""Tables of the findings: those of the published study and a few more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from arbitree.kinds.preference.findings import PreferenceFindings, SetFindings
from arbitree.kinds.preference.statistics.correlation import associate
from arbitree.kinds.preference.statistics.dependent import Contrast, contrast
from arbitree.reporting.document import DATA, SHOWN, TERMINAL, WORD, Section, interval_title, section_in
from arbitree.scoring.significance import holm
from arbitree.study.result import MEDIA, PLAIN, Column, Form, Interval, Table
from arbitree.wording import decimal

TESTS = ("steiger", "bootstrap")
LEVEL = 0.05
JUDGES = "Agreement between judges"
ELSEWHERE = MEDIA - TERMINAL
NOWHERE: frozenset[str] = frozenset()


def paper_number(value: Any, digits: int = 3) -> str:
    """Return a number in the style of papers; — if it is None.

    Example:
        >>> paper_number(0.5469), paper_number(-0.07), paper_number(None), paper_number(79.166, 2)
        ('.547', '-.070', '—', '79.17')
        >>> paper_number(0.99996), paper_number(99.999, 2)
        ('>.999', '>99.99')
    """
    if value is None:
        return "—"
    if not isinstance(value, float):
        return str(value)
    if digits == 1:  # a mean of counts
        return f"{value:.1f}"
    text = decimal(value, digits, whole=100 if digits == 2 else 1)  # two digits: a percentage
    return text.replace("0.", ".", 1) if digits == 3 and abs(value) < 1 else text


def _paper_ends(interval: Interval | None) -> str:
    return f"{paper_number(interval.low)} to {paper_number(interval.high)}" if interval else ""


def _paper_p(value: float | None) -> str:
    return "" if value is None else paper_number(value)


PAPER_NUMBER = Form("paper", paper_number)
PAPER_INTERVAL = Form("paper", _paper_ends)
PAPER_P = Form("paper", _paper_p)


def paper_section(
    key: str,
    title: str,
    table: Table,
    *,
    stars: frozenset[tuple[int, int]] = frozenset(),
    remark: str = "",
    digits: Mapping[str, int] = MappingProxyType({}),
    media: frozenset[str] = MEDIA,
) -> Section:
    """Return a table in the style of papers.

    Args:
        key: the key of the table in JSON and in Python.
        title: the title above the table.
        table: the names of columns, or columns with a form of their own, and the rows.
        stars: cells (row, column) with a star.
        remark: the remark below the table.
        digits: the number of digits of columns that do not have three.
        media: the media that show the table.
    """
    words = [all(isinstance(row[k], str) for row in table.rows) for k in range(len(table.columns))]
    columns = [
        column._replace(
            form=WORD if word else Form("paper", partial(paper_number, digits=digits.get(column.name, 3)))
        )
        if column.form is PLAIN
        else column
        for column, word in zip(table.columns, words, strict=True)
    ]
    repeated = max(1, words.index(False) if False in words else 1)  # the words that rows begin with
    marks = dict.fromkeys(stars, "*")
    shown = Table(columns, table.rows, name=key, note=remark, repeated=repeated, marks=marks, media=media)
    return Section((shown,), title)


def sections(findings: PreferenceFindings, *, test: str = "steiger", all: bool = False) -> list[Section]:
    """Return all tables that can be computed from the data.

    The terminal shows the agreement of the judges and the correlations; with *all*, everything.
    """
    first = _people(findings) if all else _judges(findings)
    others = [
        _systems(findings),
        _tests(findings),
        _coefficients(findings),
        _agreement(findings),
        _between(findings),
        _words(findings),
        _overruled(findings),
    ]
    rest = [section if all else section_in(section, ELSEWHERE) for section in others if section is not None]
    return [first, _correlations(findings, test), *rest]


def _judges(findings: PreferenceFindings) -> Section:
    """Return the agreement between judges, with fewer columns on a terminal."""
    names = ("set", "items", "judgments", "raw", "kappa", "fleiss", "alpha")
    rows = tuple(tuple(row[name] for name in names) for row in _people_table(findings).records())
    remark = "judgments: per item; raw: mean over pairs of judges; kappa: mean of Cohen's kappa"
    short = paper_section("", JUDGES, Table(names, rows), remark=remark, media=TERMINAL)
    return Section((*short.blocks, *section_in(_people(findings), ELSEWHERE).blocks), JUDGES)


def _people(findings: PreferenceFindings) -> Section:
    remark = (
        "pairs: pairs of judgments of one item; raw: mean over pairs of judges; pooled: over all pairs of "
        "judgments; kappa: mean of Cohen's kappa; length ρ: correlation of the length of an item with the "
        "agreement on it"
    )
    digits = {"length": 1, "depth": 1}
    return paper_section("people", JUDGES, _people_table(findings), remark=remark, digits=digits)


def _people_table(findings: PreferenceFindings) -> Table:
    rows: list[tuple[Any, ...]] = []
    for each in findings.sets:
        least, most = each.per_item
        agreed = each.agreement
        judgments = str(least) if least == most else f"{least}-{most}"
        rows.append(
            (
                *(each.name, len(each.measured.items), each.length, each.depth, judgments),
                *(agreed.compared, agreed.raw, agreed.pooled, agreed.kappa, agreed.fleiss, agreed.alpha),
                each.length_rho,
            )
        )
    columns = ("set", "items", "length", "depth", "judgments", "pairs", "raw", "pooled", "kappa", "fleiss")
    return Table((*columns, "alpha", "length ρ"), tuple(rows))


def _systems(findings: PreferenceFindings) -> Section:
    rows = []
    values: list[list[list[float]]] = [[[] for _ in findings.metrics] for _ in (0, 1)]
    for each in findings.sets:
        for side, system in enumerate(each.measured.contest.systems):
            scores = [findings.score(k, each)[side] for k in range(len(findings.metrics))]
            rows.append((each.name, system, *(None if s is None else 100 * s for s in scores)))
            for k, score in enumerate(scores):
                values[side][k] += [] if score is None else [100 * score]
    systems = [each.measured.contest.systems for each in findings.sets]
    if len(findings.sets) > 1 and len(set(systems)) == 1:
        for side, system in enumerate(systems[0]):
            means = (sum(column) / len(column) if column else None for column in values[side])
            rows.append(("mean", system, *means))
    digits = dict.fromkeys(findings.metrics, 2)
    return paper_section(
        "systems",
        "Scores of the two systems (%)",
        Table(("set", "system", *findings.metrics), tuple(rows)),
        digits=digits,
    )


def _correlations(findings: PreferenceFindings, test: str) -> Section:
    """Return ρ in every data set, with the interval and the corrected p-value of the last column."""
    parts = findings.correlations
    corrected = [corrected_p(part, test) for part in parts]
    intervals = [result.interval for result in findings.results]
    columns = [*(Column(name, name) for name in ("metric", *(part.name for part in parts)))]
    rows: list[tuple[Any, ...]] = []
    for k, name in enumerate(findings.metrics):
        values = (associate(part.x[k], part.y).spearman for part in parts)
        rows.append((name, *values, intervals[k], *_ends(intervals[k]), corrected[-1][k]))
    ceilings = (
        max((c for c in (associate(row, part.y).ceiling for row in part.x) if c is not None), default=None)
        for part in parts
    )
    rows.append(("(ceiling)", *ceilings, None, None, None, None))
    stars = {
        (k, column)
        for column, found in enumerate(corrected, start=1)
        for k, p in enumerate(found)
        if p is not None and p < LEVEL
    }
    resampled = interval_title(intervals)
    columns += [
        Column("interval", resampled, PAPER_INTERVAL, SHOWN if resampled else NOWHERE),
        *(Column(name, name, PAPER_NUMBER, DATA) for name in ("low", "high")),
        Column("p_holm", "p", PAPER_P, MEDIA if len(findings.metrics) > 1 else DATA),
    ]
    against, last = findings.settings.against, parts[-1].name
    remark = ""
    if len(findings.metrics) > 1:
        where = f"{resampled} and p: column {last}; " if len(parts) > 1 and resampled else ""
        remark = (
            f"{where}p: difference from {against} ({test}), corrected for the number of metrics (Holm); "
            f"*: p < {LEVEL:g}; "
        )
    return paper_section(
        "correlations",
        "Correlations with human preferences",
        Table(columns, tuple(rows)),
        stars=frozenset(stars),
        remark=f"Spearman's ρ with the {findings.settings.correlate} of the difference between the systems; "
        f"{remark}ceiling: the highest value that the verdicts allow for these metrics",
    )


def corrected_p(part: SetFindings, test: str) -> list[float | None]:
    """Return the p-value of every metric by *test*, corrected by Holm's method; None for the baseline."""
    found = [None if each is None else each.p(test) for each in part.contrasts]
    corrected = iter(holm([p for p in found if p is not None]))
    return [None if p is None else next(corrected) for p in found]


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval else (None, None)


def _tests(findings: PreferenceFindings) -> Section | None:
    pooled = findings.pooled
    others = [
        (name, found)
        for name, found in zip(findings.metrics, pooled.contrasts, strict=True)
        if found is not None
    ]
    if not others:
        return None
    corrected = dict(zip(findings.metrics, corrected_p(pooled, "steiger"), strict=True))
    rows = [
        (
            *(name, found.difference, *(found.interval or (None, None))),
            *(found.steiger.p, corrected[name], found.bootstrap),
        )
        for name, found in others
    ]
    against = findings.settings.against
    columns = ("metric", f"ρ - ρ({against})", "low", "high", "steiger", "holm", "bootstrap")
    remark = "p-values are two-sided; holm: Steiger's, corrected for the number of metrics"
    return paper_section(
        "tests", f"Comparison with {against}, {pooled.name}", Table(columns, tuple(rows)), remark=remark
    )


def _coefficients(findings: PreferenceFindings) -> Section:
    pooled = findings.pooled
    rows = []
    for name, result, x in zip(findings.metrics, findings.results, pooled.x, strict=True):
        found = associate(x, pooled.y)
        ends = _ends(result.interval)
        rows.append(
            (name, found.spearman, *ends, found.kendall, found.point_biserial, found.auc, found.ceiling)
        )
    columns = ("metric", "ρ", "low", "high", "τ_b", "r_pb", "AUC", "ceiling of ρ")
    return paper_section("coefficients", f"Other coefficients, {pooled.name}", Table(columns, tuple(rows)))


def _agreement(findings: PreferenceFindings) -> Section:
    rows: list[tuple[Any, ...]] = []
    for each, part in zip(findings.sets, findings.correlations, strict=False):
        judgments = int(np.isin(each.measured.codes, (0, 1)).sum())
        rows.append((each.name, "coders", judgments, each.agreement.raw, *each.with_coders))
        rows.append((each.name, "verdicts", len(part.y), None, *part.right))
    columns = ("set", "with", "of", "people", *findings.metrics)
    ties = findings.settings.ties
    fewer = ", so its shares are of fewer" if ties == "exclude" else ""
    remark = (
        f"coders: mean over the judges; verdicts: aggregated by {findings.settings.aggregate}; "
        f"of: judgments or verdicts for one of the systems; ties of a metric: {ties}{fewer}"
    )
    return paper_section(
        "agreement", "Agreement of metrics with judges", Table(columns, tuple(rows)), remark=remark
    )


def _between(findings: PreferenceFindings) -> Section | None:
    names = findings.metrics
    if len(names) < 2:
        return None
    rows = [
        (names[i], *(findings.between[i][j] if j > i else None for j in range(1, len(names))))
        for i in range(len(names) - 1)
    ]
    title = f"Correlations between metrics, {findings.pooled.name}"
    remark = f"Spearman's ρ, computed from the {findings.settings.correlate} of the differences"
    return paper_section("between", title, Table(("metric", *names[1:]), tuple(rows)), remark=remark)


def _words(findings: PreferenceFindings) -> Section | None:
    bare = [name.partition(":")[0] for name in findings.metrics]
    if not {"content_las", "function_las"} <= set(bare):
        return None
    content, function = bare.index("content_las"), bare.index("function_las")
    rows = []
    for part in findings.correlations:
        found: Contrast = contrast(
            part.x[content], part.x[function], part.y, part.weights, findings.settings.resampling.confidence
        )
        values = (associate(part.x[k], part.y).spearman for k in (content, function))
        rows.append((part.name, *values, *(found.p(test) for test in TESTS)))
    columns = ("set", "content", "function", *TESTS)
    return paper_section(
        "words",
        "LAS on content words and function words",
        Table(columns, tuple(rows)),
        remark="content, function: ρ with human preferences; p-values of the difference between the two",
    )


def _overruled(findings: PreferenceFindings) -> Section | None:
    rows = []
    for each in findings.sets:
        found = each.overruled
        if found is None:
            return None
        neither = found.count("neither")
        told = len(found.cases) - neither
        rows.append((each.name, len(found.cases), told, *found.shares, neither, found.roots))
    columns = ("set", "items", "of", "attachment", "labelling", "neither", "root")
    remark = (
        "items on which at least three of four judgments contradict LAS. Classified automatically: "
        "attachment if the preferred parse has the higher UAS, otherwise labelling if it has the higher LA. "
        "attachment and labelling are shares of the items that are one or the other (of). "
        "neither and root are counts; root counts the attachment items with a different root"
    )
    return paper_section(
        "overruled", "Items on which judges contradict LAS", Table(columns, tuple(rows)), remark=remark
    )


def records(found: Sequence[Section]) -> dict[str, list[dict[str, Any]]]:
    """Return the tables for JSON, by key.

    Example:
        >>> records([paper_section("one", "One", Table(("a",), ((1,),)))])
        {'one': [{'a': 1}]}
    """
    blocks = [block for section in found for block in section.blocks]
    tables = [block for block in blocks if isinstance(block, Table) and "pandas" in block.media]
    return {table.name: table.shown_in("pandas").records() for table in tables}
