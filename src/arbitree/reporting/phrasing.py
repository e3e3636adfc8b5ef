"""Texts that describe results: headlines, statuses, reasons for exclusion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.kinds.kind import Kind
from arbitree.measures.resampling import Resampling
from arbitree.measures.signatures import typed
from arbitree.study.result import Ignored, Interval, Result
from arbitree.study.study import Annotation, Study
from arbitree.wording import EXACT, count_of, decimal, listed

STATUS = {
    "ok": "",
    "no_pairable": "undefined, because no item has two annotations to compare",
    "no_verbs": "undefined, because no gold token is a verb",
    "no_content": "undefined, because no gold token is a content word",
    "no_such_tokens": "undefined, because no gold token has one of these parts of speech",
    "no_tree": "undefined, because every sentence has a cycle, different tokens or nothing to score",
    "no_enhanced": "undefined, because the files contain no enhanced dependencies",
    "no_brackets": "undefined, because there are no brackets to compare",
    "no_triples": "undefined, because there are no triples to compare",
    "no_variation": "undefined, because all annotations are equal under this measure and chance agreement "
    "is 100%",
    "single_item": "computed from a single item, so it is not meaningful",
    "no_annotations": "undefined, because no annotation could be used",
    "no_overlap": "undefined, because no item is shared with another annotator",
    "two_annotators": "undefined, because two annotators are not enough to estimate who is right",
    "unsupported": "undefined, because the measure does not support this breakdown",
}

REASONS = {
    "single_annotation": "annotated by only one annotator",
    "token_mismatch": "the number of tokens differs between annotators",
    "empty_tree": "an annotation is empty",
    "words_differ": "the tokens differ between annotators",
    "words_aligned": "the tokens differ between annotators, so only shared tokens were compared",
    "no_gold": "missing from the gold standard",
    "no_annotation": "annotated by no annotator",
    "unparsed": "without a parse",
    "lost": "parsed, but missing from one annotator's tables",
    "unannotated": "not decided by one annotator",
    "ambiguous": "one annotator left more than one parse",
    "no_options": "no discriminants to compare",
    "no_common_option": "no discriminant decided by both annotators",
    "no_estimate": "no data to estimate from",
    "not_exact": "not all discriminants are known",
    "no_derivation": "an accepted parse is not stored",
    "tokens_not_aligned": "the accepted parses have different tokens, which cannot be aligned by characters",
}


def headline(kind: Kind[Any], study: Study[Any], results: Sequence[Result]) -> str:
    """Return one sentence with the first result, and how many items differ."""
    first = results[0]
    coders = count_of(len(study.coders), "annotator")
    caution = f"{first.details['caution']} " if first.details.get("caution") else ""
    if first.value is None:
        why = STATUS.get(first.status, first.status).removeprefix("undefined, ")
        return f"{caution}Agreement of {coders}: {first.measure} is undefined, {why}."
    about = "estimated " if first.details.get("estimated") else ""
    items = count_of(first.items_used, kind.unit)
    value = f"{about}{first.measure} {decimal(first.value)}{limit(first)}{within(first.interval)}"
    return f"{caution}Agreement of {coders} on {items}: {value}{_differing(first, kind.unit)}."


def limit(result: Result, digits: int = 3) -> str:
    """Return the value of identical annotators, if it is below 1.

    Example:
        >>> limit(Result("hierarchical_kappa", 0.2, "ok", None, 9, (), "", {"highest": 0.329}))
        ' of at most 0.329'
        >>> limit(Result("las", 0.2, "ok", None, 9, (), ""))
        ''
    """
    return f" of at most {decimal(result.best, digits)}" if is_limited(result) else ""


def is_limited(result: Result) -> bool:
    """Return whether identical annotators do not reach 1."""
    return result.better == "higher" and result.best < 1 - EXACT


def _differing(result: Result, unit: str) -> str:
    if result.per_item is None:
        return ""
    if "items_differing" in result.details:  # a measure that estimates values counts them itself
        found = int(result.details["items_differing"])
    else:
        values = np.array(result.per_item.column("value"), dtype=np.float64)  # NaN for undefined values
        apart = values > EXACT if result.per_item_shows == "disagreement" else values < 1 - EXACT
        found = int(np.count_nonzero(apart))
    return (
        f"; {count_of(found, unit)} {'differs' if found == 1 else 'differ'}"
        if found
        else f"; no {unit} differs"
    )


def within(interval: Interval | None) -> str:
    """Return *interval* in parentheses, with its level.

    Example:
        >>> within(Interval(0.919, 0.96, 0.95, "percentile", 1000))
        ' (95% CI 0.919 to 0.960)'
    """
    return "" if interval is None else f" ({100 * interval.confidence:g}% CI {bounds(interval, ' to ')})"


def bounds(interval: Interval | None, between: str = " – ", digits: int = 3) -> str:
    """Return the two ends of *interval*."""
    if interval is None:
        return ""
    return f"{decimal(interval.low, digits)}{between}{decimal(interval.high, digits)}"


def status_lines(results: Sequence[Result]) -> list[str]:
    """Return one line per status that is not ``ok``, of the results or of their groups."""
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


def ignored_lines(results: Sequence[Result], unit: str) -> list[str]:
    """Return one line per reason for exclusion, with the measures and the number of excluded items."""
    lines: dict[tuple[str, int], list[str]] = {}
    for result in results:
        for reason, count in Counter(each.reason for each in result.ignored).items():
            lines.setdefault((reason, count), []).append(result.measure)
    return [
        f"{_subject(measures, results)} {count_of(count, unit)}: {REASONS.get(reason, reason)}."
        for (reason, count), measures in lines.items()
    ]


def _subject(measures: Sequence[str], results: Sequence[Result]) -> str:
    if 1 < len(measures) == len(results):
        return "all measures exclude"
    return f"{listed(measures)} {'excludes' if len(measures) == 1 else 'exclude'}"


USUAL = ("format:", "match:id", "match:position")  # settings that only signatures contain


def summary(kind: Kind[Any], study: Study[Any]) -> dict[str, Any]:
    """Return the summary of a study for JSON; of the settings, only unusual ones."""
    settings = [each for each in study.settings if not each.startswith(USUAL)]
    return {
        "kind": study.kind,
        "items": len(study.items),
        "coders": list(study.coders),
        "annotations": len(study.cells),
        **kind.size(study),
        **({"settings": settings} if settings else {}),
    }


OF_MEASURES = "first, second: the values of the two measures."
OF_STUDIES = "first: the inputs; second: the study to compare with (--versus)."


def differences_note(compared: str, resampling: Resampling) -> str:
    """Return the explanation below a table of differences.

    Args:
        compared: What the first and the second value are.
        resampling: How the intervals and p-values are computed.

    Example:
        >>> differences_note("", Resampling()).partition("low")[2]
        ', high: 95% CI of the difference. p: two-sided, by jackknife.'
    """
    text = f"{compared} difference: first minus second."
    if not resampling.resamples:
        return f"{text} low, high and p need resamples."
    drawn = f"bootstrap, {resampling.resamples:,} resamples"
    how = drawn if resampling.resampled else resampling.method
    level = f"{100 * resampling.confidence:g}%"
    return f"{text} low, high: {level} CI of the difference. p: two-sided, by {how}."


HARDEST = 20  # items that an HTML report shows

TITLES = {
    "coder": "By annotator",
    "pair": "By pair of annotators",
    "document": "By document",
    "length": "By sentence length",
    "label": "By label, each against all others",
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Items that the same measures exclude for the same reason."""

    reason: str
    measures: tuple[str, ...]
    entries: tuple[Ignored, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Source of the first annotation of an item, and its words."""

    source: str
    text: str


def names_of(results: Sequence[Result]) -> list[str]:
    """Return a unique name for every result; a measure that occurs twice is named with its options."""
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
        ('By pair of annotators', 'By deprel')
    """
    return TITLES.get(kind, f"By {kind}")


def left_out(results: Sequence[Result]) -> list[LeftOut]:
    """Return the excluded items, by reason and by the measures that exclude them."""
    measures: dict[Ignored, dict[str, None]] = {}
    for name, result in zip(names_of(results), results, strict=True):
        for each in result.ignored:
            measures.setdefault(each, {})[name] = None
    groups: dict[tuple[str, tuple[str, ...]], list[Ignored]] = {}
    for each, names in measures.items():
        groups.setdefault((each.reason, tuple(names)), []).append(each)
    return [LeftOut(reason, names, tuple(entries)) for (reason, names), entries in groups.items()]


def hardest(result: Result, most: int = HARDEST, *, apart: Collection[str] = ()) -> list[tuple[str, float]]:
    """Return the items with disagreement and their values, most disagreement first.

    Args:
        result: The result of a measure.
        most: The number of items.
        apart: Items to omit, such as those whose tokens differ.
    """
    values = [each for each in values_of(result).items() if each[0] not in apart]
    if result.per_item_shows == "disagreement":
        return sorted((each for each in values if each[1] > 0), key=lambda each: -each[1])[:most]
    return sorted((each for each in values if each[1] < 1), key=lambda each: each[1])[:most]


def values_of(result: Result) -> dict[str, float]:
    """Return the defined values of single items."""
    rows = result.per_item.records() if result.per_item is not None else []
    return {row["item"]: row["value"] for row in rows if row["value"] is not None}


def origins(kind: Kind[Any], study: Study[Any]) -> dict[str, Origin]:
    """Return the source of the first annotation of every annotated item, and its words, or text and labels.

    The labels follow the text of an item that has no words.
    """
    return {
        item.id: Origin(str(cells[0].source or ""), _text_of(kind, study, item.id, cells))
        for item, cells in study
        if cells
    }


def _text_of(kind: Kind[Any], study: Study[Any], item: str, cells: Sequence[Annotation[Any]]) -> str:
    """Return the words of an item; for an item without words, its text, if any, and the annotations."""
    main = "" if kind.tokens(cells[0].value) else study.texts.main(item)
    return f"{main} ({kind.text(cells)})" if main else kind.text(cells)


def _with_options(result: Result, results: Sequence[Result]) -> str:
    """Return the name with the options in which *results* of the same measure differ."""
    options = result.details.get("options", {})
    others = [other.details.get("options", {}) for other in results if other.measure == result.measure]
    differing = {
        key: value for key, value in options.items() if any(other.get(key) != value for other in others)
    }
    return typed(result.measure, differing)
