"""Results as one page of HTML that opens from disk and asks the network for nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import arbitree
from arbitree.data.result import Group, Interval, Result
from arbitree.data.study import Study
from arbitree.reports import outline
from arbitree.reports.citations import entries
from arbitree.reports.findings import CLASS_WORDS
from arbitree.reports.heat import pair_matrix
from arbitree.reports.lettering import visible
from arbitree.reports.summary import summary
from arbitree.reports.table import ResultTable
from arbitree.reports.words import REASONS, STATUS, bounds, count_of, headline, unit_of

if TYPE_CHECKING:
    from arbitree.analyses.survey import Survey

TEMPLATES = Path(__file__).with_name("templates")
OPEN = 20  # longer lists start closed
LISTED = 500  # items of a list of what was left out
ROWS = 200  # of a breakdown
HIDDEN = ("options", "ignored", "resamples", "undefined_resamples")  # details told elsewhere on the page


@dataclass(frozen=True, slots=True)
class Bar:
    """A value and its interval on an axis from 0 to 1, in percent of its length."""

    mark: float | None  # None: below 0
    start: float
    length: float
    label: str  # the same in words


def page(table: ResultTable, title: str, survey: Survey | None = None) -> str:
    """Return a page about *table*.

    Args:
        table: the results, with any breakdowns that they were computed with.
        title: of the study, such as the name of the corpus.
        survey: what else there is to show.
    """
    results = table.results
    return render(
        "report.html.j2",
        styles=("pictures.css", "explain.css", "report.css"),
        scripts=("pictures.js", "filter.js", "rows.js"),
        title=title,
        study=table.study,
        facts=_facts(table.study),
        unit=unit_of(table.study),
        done=Counter(coder for _, coder in table.study.cells),
        headline=headline(table.study, results),
        extremes=_extremes(results[0]),
        results=results,
        names=outline.names_of(results),
        interval=next((result.interval for result in results if result.interval), None),
        groups=_groups(results),
        left_out=outline.left_out(results),
        warnings=list(dict.fromkeys([*table.warnings, *(survey.notes if survey else ())])),
        disagreement=results[0].per_item_shows == "disagreement",
        **_parts(table, survey),
    )


def _parts(table: ResultTable, survey: Survey | None) -> dict[str, Any]:
    """Return what the template asks for beside measures."""
    from arbitree.analyses.survey import Survey
    from arbitree.reports import surveypage

    survey = survey or Survey()
    first, places = table.results[0], outline.places(table.study)
    confusions = surveypage.confused(survey, anchors)
    cards, choices = surveypage.cards(survey)
    hardest, named = surveypage.sentences(
        table.study,
        outline.hardest(first),
        surveypage.named_items(confusions, cards),
        outline.values_of(first),
        places,
        anchors,
        Counter(place.item for place in survey.disagreements.places) if survey.disagreements else {},
    )
    pairs = first.groups.get("pair", ())
    pairs = pairs if len(pairs) <= ROWS else ()
    ids = anchors("pair", [group.name for group in pairs])
    keys = dict.fromkeys((*(key for each in table.results for key in each.references), *survey.references))
    return {
        "places": places,
        "hardest": hardest,
        "named": named,
        "links": {each.item: each.anchor for each in (*hardest, *named)},
        "disagreements": survey.disagreements,
        "confusions": confusions,
        "types": survey.types,
        "types_headline": surveypage.types_headline(survey),
        "cards": cards,
        "choices": choices,
        "class_words": CLASS_WORDS,
        "models": survey.models,
        "adjudication": survey.adjudication,
        "pair_matrix": pair_matrix(table.study.coders, pairs) if len(pairs) > 1 else None,
        "pair_anchors": {(group.name, ""): anchor for group, anchor in zip(pairs, ids, strict=True)},
        "signatures": surveypage.signatures(survey),
        "absent": survey.absent,
        "citations": entries(keys),
    }


def render(template: str, *, styles: Sequence[str] = (), scripts: Sequence[str] = (), **context: Any) -> str:
    """Return a page from *template* with the sheets and scripts that it has beside those of all pages."""
    style = "\n".join(_inlined(name) for name in ("style.css", *styles))
    script = "\n".join(_inlined(name) for name in ("sort.js", *scripts))
    text = (
        _environment()
        .get_template(template)
        .render(
            context,
            version=arbitree.__version__,
            style=Markup(style),
            script=Markup(script),
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
    )
    return outline.encodable(text)


def bar(value: float, interval: Interval | None) -> Bar:
    """Return where *value* and *interval* lie on the axis.

    Example:
        >>> bar(0.5, Interval(0.25, 0.75, 0.95, "percentile", 1000)).label
        '0.500, interval 0.250 to 0.750, on an axis from 0 to 1'
    """
    low, high = (_percent(interval.low), _percent(interval.high)) if interval else (0.0, 0.0)
    between = f", interval {bounds(interval, ' to ')}" if interval else ""
    label = f"{value:.3f}{between}, on an axis from 0 to 1"
    return Bar(None if value < 0 else _percent(value), low, round(high - low, 2), label)


def anchors(kind: str, names: Sequence[str]) -> list[str]:
    """Return one id a name, such as can stand in an address, no two alike.

    Example:
        >>> anchors("pair", ["ann - bob", "ann – bob", "<b>"])
        ['pair-ann-bob', 'pair-ann-bob-2', 'pair-b']
    """
    found: dict[str, None] = {}
    for name in names:
        slug = "-".join([kind, *(re.findall(r"\w+", name) or ["row"])])
        number = 1
        while (anchor := slug if number == 1 else f"{slug}-{number}") in found:
            number += 1
        found[anchor] = None
    return list(found)


@cache
def _environment() -> Environment:
    return environment_of()


def environment_of(*folders: Path) -> Environment:
    """Return what makes pages of the templates in *folders* and of those of the reports."""
    environment = Environment(
        loader=FileSystemLoader([*folders, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., Any]] = {
        "grouped": lambda number: f"{number:,}",
        "number": lambda value: f"{value:.3f}",
        "detail": _detail,
        "reason": lambda code: REASONS.get(code, code),
        "status": lambda code: STATUS.get(code, code),
        "bounds": bounds,
        "visible": visible,
    }
    environment.filters |= filters
    style, script = (_inlined(name) for name in ("style.css", "sort.js"))
    environment.globals |= {
        "style": Markup(style),
        "script": Markup(script),
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "anchors": anchors,
        "bar": bar,
        "count_of": count_of,
        "title_of": outline.title_of,
        "most_open": OPEN,
        "most_listed": LISTED,
        "hidden": HIDDEN,
    }
    return environment


def _inlined(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _detail(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_detail(each)}" for key, each in value.items())
    if isinstance(value, str) or value is None:
        return str(value or "undefined")
    return f"{value:,.4f}" if isinstance(value, float) else f"{value:,}"


def _hash(text: str) -> str:
    """Return the source expression by which a page's policy allows *text* and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _percent(value: float) -> float:
    return round(min(max(value, 0.0), 1.0) * 100, 2)


def _facts(study: Study[Any]) -> list[str]:
    found = summary(study)
    counts = {
        unit_of(study): found["items"],
        "coder": len(study.coders),
        "annotation": found["annotations"],
        **({"token": found["tokens"]} if "tokens" in found else {}),
    }
    facts = [f"{count:,} {thing}{'' if count == 1 else 's'}" for thing, count in counts.items()]
    if study.missing:
        facts[2] += f" ({study.missing:,} missing)"
    return facts


def _groups(results: Sequence[Result]) -> dict[str, list[tuple[Group, ...]]]:
    """Return for every breakdown its rows, each with one group a measure; of many, those that agree least."""
    found = {}
    for kind in results[0].groups:
        rows = list(zip(*(result.groups[kind] for result in results), strict=True))
        if len(rows) > ROWS:
            rows.sort(key=lambda row: (row[0].value is None, row[0].value))
        found[kind] = rows[:ROWS]
    return found


def _extremes(result: Result) -> tuple[Group, Group] | None:
    """Return the pairs of coders that agree best and least, unless all agree alike."""
    groups = result.groups.get("pair", ())
    pairs = [(group.value, place) for place, group in enumerate(groups) if group.value is not None]
    if len({value for value, _ in pairs}) < 2:
        return None
    return groups[max(pairs)[1]], groups[min(pairs)[1]]
