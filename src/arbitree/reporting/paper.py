"""Text for a paper: a paragraph for its methods section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import arbitree
from arbitree.kinds.kind import Kind
from arbitree.measures.signatures import citation
from arbitree.reporting.citations import authors_and_year
from arbitree.reporting.phrasing import ignored_lines, limit, names_of, summary, within
from arbitree.study.result import Interval, Result
from arbitree.study.study import Study
from arbitree.wording import count_of, decimal, listed

VALUES = 3  # measures in the paragraph; the table contains all
NAMED = 12  # annotators that the paragraph names


def methods_paragraph(kind: Kind[Any], study: Study[Any], results: Sequence[Result]) -> str:
    """Return a paragraph with the data, the first values, their intervals, exclusions and the signature."""
    shown = [
        (name, each) for name, each in zip(names_of(results), results, strict=True) if each.value is not None
    ]
    sentences = [
        _data(kind, study),
        *_values(shown[:VALUES]),
        *_intervals([each.interval for _, each in shown[:VALUES]], kind.unit),
        *(line.replace("all measures", "All of them") for line in _excluded(shown[:VALUES], kind.unit)),
        *(f"The signature of {name} is {citation(each.value, each.signature)}." for name, each in shown[:1]),
    ]
    return " ".join(sentences)


def _excluded(shown: Sequence[tuple[str, Result]], unit: str) -> list[str]:
    return ignored_lines([each for _, each in shown], unit)


def _data(kind: Kind[Any], study: Study[Any]) -> str:
    found = summary(kind, study)
    tokens = f" ({found['tokens']:,} tokens)" if "tokens" in found else ""
    coders = count_of(len(study.coders), "annotator")
    named = f" ({', '.join(study.coders)})" if len(study.coders) <= NAMED else ""
    missing = (
        f"; {study.missing:,} of {len(study.items) * len(study.coders):,} annotations are missing"
        if study.missing
        else ""
    )
    items = count_of(len(study.items), kind.unit)
    program = f"Arbitree {arbitree.__version__}"
    what = next(iter(study.cells.values())).value.plural
    measured = f"We measured the agreement of {coders}{named} on {items}{tokens} with {program}"
    return f"{measured}. The annotations are {what}{missing}."


def _values(shown: Sequence[tuple[str, Result]]) -> list[str]:
    if not shown:
        return []
    parts = [
        f"{name} {decimal(each.value or 0.0)}{limit(each)}{within(each.interval)}" for name, each in shown
    ]
    keys = dict.fromkeys(key for _, each in shown for key in each.references)
    papers = list(dict.fromkeys(filter(None, map(authors_and_year, keys))))
    return [
        f"Agreement is {listed(parts)}.",
        *([f"The measures are described by {listed(papers)}."] if papers else []),
    ]


def _intervals(found: Sequence[Interval | None], unit: str) -> list[str]:
    first = next((each for each in found if each), None)
    if first is None:
        return []
    resamples = f" with {first.resamples:,} resamples" if first.resamples else ""
    return [
        f"Confidence intervals (CI) were computed with the {first.method} method{resamples} over {unit}s."
    ]
