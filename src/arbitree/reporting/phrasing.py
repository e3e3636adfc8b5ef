"""Results in words that could stand in a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arbitree.kinds.kind import Kind
from arbitree.study.result import Ignored, Interval, Result
from arbitree.study.study import Study
from arbitree.wording import count_of

STATUS = {
    "ok": "",
    "no_pairable": "no item has two annotations to compare",
    "no_verbs": "no gold token is a verb",
    "no_content": "no arc is that of a content word",
    "no_such_tokens": "no gold token has such a part of speech",
    "no_tree": "every sentence has a cycle, other words or nothing to score",
    "no_enhanced": "there are no enhanced dependencies",
    "no_brackets": "there are no brackets to compare",
    "no_triples": "there are no triples to compare",
    "no_variation": "all distances are 0, so chance cannot be told from agreement",
    "single_item": "rests on one item",
    "unsupported": "the measure has no value of this kind",
}

REASONS = {
    "single_annotation": "annotated by one coder only",
    "token_mismatch": "coders differ in the number of tokens",
    "empty_tree": "an annotation is empty",
    "words_differ": "the words differ between coders",
    "words_aligned": "the words differ between coders: only the words they share were compared",
    "no_gold": "gold has no tree for it",
    "no_annotation": "annotated by nobody",
    "unparsed": "no parse to choose",
    "lost": "parsed, but a coder's tables do not know it",
    "unannotated": "not decided by a coder",
    "ambiguous": "a coder left several trees",
    "no_options": "no options to compare",
    "no_common_option": "no option that both coders took",
    "no_estimate": "nothing to estimate from",
    "not_exact": "not all discriminants are known",
}


def headline(kind: Kind[Any], study: Study[Any], results: Sequence[Result]) -> str:
    """Return one sentence with the first result."""
    first = results[0]
    coders = count_of(len(study.coders), "coder")
    coders = coders[0].upper() + coders[1:]
    if first.value is None:
        return f"{coders}: {first.measure} has no value ({STATUS.get(first.status, first.status)})."
    about = "an estimated " if first.details.get("estimated") else ""
    sentence = (
        f"{coders} agree on {count_of(first.items_used, kind.unit)} "
        f"at {about}{first.measure} {first.value:.3f}"
    )
    if first.interval:
        sentence += f" ({first.interval.confidence:.0%} interval {bounds(first.interval, ' to ')})"
    return f"{sentence}."


def bounds(interval: Interval | None, between: str = " – ", digits: int = 3) -> str:
    """Return the two ends of *interval*."""
    return "" if interval is None else f"{interval.low:.{digits}f}{between}{interval.high:.{digits}f}"


def status_lines(results: Sequence[Result]) -> list[str]:
    """Return one line for each status that is not ``ok``, of the results or of their groups."""
    groups = [group for result in results for found in result.groups.values() for group in found]
    whole = dict.fromkeys(result.status for result in results)
    starred = dict.fromkeys(group.status for group in groups if group.value is not None)
    dashed = dict.fromkeys(group.status for group in groups if group.value is None)
    lines = [
        *(_meaning(status, "* " if status in starred else "") for status in whole),
        *(_meaning(status, "* ") for status in starred if status not in whole),
        *(_meaning(status, "— ") for status in dashed if status not in whole),
    ]
    return list(filter(None, lines))


def _meaning(status: str, mark: str) -> str:
    return "" if status == "ok" else f"{mark}{status}: {STATUS.get(status, 'see the documentation')}"


def ignored_lines(results: Sequence[Result]) -> list[str]:
    """Return one line for each reason why items were left out, with the measures that left them out."""
    lines: dict[str, list[str]] = {}
    for result in results:
        for reason, count in Counter(each.reason for each in result.ignored).items():
            line = f"{count_of(count, 'item')} left out ({REASONS.get(reason, reason)})"
            lines.setdefault(line, []).append(result.measure)
    return [f"{line} by {', '.join(measures)}" for line, measures in lines.items()]


def summary(kind: Kind[Any], study: Study[Any]) -> dict[str, Any]:
    """Return what JSON says of a study."""
    return {
        "kind": study.kind,
        "items": len(study.items),
        "coders": list(study.coders),
        "annotations": len(study.cells),
        **kind.size(study),
    }


HARDEST = 20  # items that a page shows

TITLES = {
    "coder": "By coder",
    "pair": "By pair of coders",
    "document": "By document",
    "length": "By sentence length",
    "label": "By label, each against all others",
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Items that the same measures left out for the same reason."""

    reason: str
    measures: tuple[str, ...]
    entries: tuple[Ignored, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an item was read first, and its words."""

    source: str
    text: str


def names_of(results: Sequence[Result]) -> list[str]:
    """Return a name for every result; a measure that was asked for twice is told apart by its options."""
    count = Counter(result.measure for result in results)
    names = [
        result.measure if count[result.measure] == 1 else _with_options(result, results) for result in results
    ]
    numbered = enumerate(names, start=1)
    return [name if names.count(name) == 1 else f"{name} ({number})" for number, name in numbered]


def title_of(kind: str) -> str:
    """Return the heading of a breakdown.

    Example:
        >>> title_of("pair"), title_of("deprel")
        ('By pair of coders', 'By deprel')
    """
    return TITLES.get(kind, f"By {kind}")


def left_out(results: Sequence[Result]) -> list[LeftOut]:
    """Return what was left out, by reason and by the measures that left it out."""
    measures: dict[Ignored, dict[str, None]] = {}
    for name, result in zip(names_of(results), results, strict=True):
        for each in result.ignored:
            measures.setdefault(each, {})[name] = None
    groups: dict[tuple[str, tuple[str, ...]], list[Ignored]] = {}
    for each, names in measures.items():
        groups.setdefault((each.reason, tuple(names)), []).append(each)
    return [LeftOut(reason, names, tuple(entries)) for (reason, names), entries in groups.items()]


def hardest(result: Result, most: int = HARDEST) -> list[tuple[str, float]]:
    """Return the items on which coders differ, those that differ most first, with their values."""
    values = list(values_of(result).items())
    if result.per_item_shows == "disagreement":
        return sorted((each for each in values if each[1] > 0), key=lambda each: -each[1])[:most]
    return sorted((each for each in values if each[1] < 1), key=lambda each: each[1])[:most]


def values_of(result: Result) -> dict[str, float]:
    """Return the values of single items that have one."""
    rows = result.per_item.records() if result.per_item is not None else []
    return {row["item"]: row["value"] for row in rows if row["value"] is not None}


def origins(kind: Kind[Any], study: Study[Any]) -> dict[str, Origin]:
    """Return for every annotated item the source of its first annotation, and its words or labels."""
    return {item.id: Origin(str(cells[0].source or ""), kind.text(cells)) for item, cells in study if cells}


def _with_options(result: Result, results: Sequence[Result]) -> str:
    """Return the name with those options in which *results* of the same measure differ."""
    options = result.details.get("options", {})
    others = [other.details.get("options", {}) for other in results if other.measure == result.measure]
    differing = [key for key in options if any(other.get(key) != options[key] for other in others)]
    shown = ",".join(f"{key}={options[key]}" for key in differing)
    return f"{result.measure}:{shown}" if shown else result.measure
