"""Feedback to one annotator, as a page and a sheet: what differs from the gold standard or the majority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arbitree.adjudication.feedback import FEWEST, Difference, DifferenceType, Feedback, examples
from arbitree.adjudication.places import NOTHING, Places
from arbitree.kinds.kind import Kind
from arbitree.reporting.document import (
    COUNT,
    CSV,
    HTML,
    NAME,
    TEXT,
    WORDS,
    XLSX,
    Document,
    Field,
    Section,
    Text,
    table_of_fields,
)
from arbitree.study.result import Column, Form, Table
from arbitree.wording import count_of, listed, percent

MOST_TYPES = 25  # with examples on the page
MOST_EXAMPLES = 5  # of each
SHEET = "Differences"  # the main table


def _share(value: float | None) -> str:
    return "" if value is None else percent(value)


SHARE = Form("share", _share)


def feedback_document(found: Feedback, kind: Kind[Any], sheet: str) -> Document:
    """Return the feedback to one annotator.

    Args:
        found: What the annotator did differently.
        kind: The kind of the annotations.
        sheet: The name of the file that lists all differences.
    """
    places = kind.needed("places")
    other = "gold standard" if found.gold else "majority"
    shown = found.ranked[:MOST_TYPES]
    sections = (
        Section((_overview(found), *map(Text, _notes(found, kind.unit)))),
        Section((_types(found, other),) if shown else (), "Types of differences"),
        *(_type(found, each, differences, other, kind.unit, sheet) for each, differences in shown),
        Section((_all(found, other, kind.unit),)),
        Section(tuple(map(Text, _legend(found, places)))),
    )

    def data() -> Mapping[str, Any]:
        return {"differences": _all(found, other, kind.unit).records()}

    headline = "\n".join(_sentences(found, kind.unit, places.compared))
    return Document("coders", headline, sections, data, main=SHEET, title=f"Feedback for {found.coder}")


def _sentences(found: Feedback, unit: str, things: str) -> list[str]:
    other = "the gold standard" if found.gold else "the majority of the other annotators"
    first = f"This page compares your annotations with {other}."
    total = found.compared.total()
    if not total:
        return [first, f"None of your {unit}s could be compared."]
    if not found.differences:
        return [first, f"All {total:,} {things} in {count_of(found.items, unit)} are the same."]
    share = percent(found.differences / total)
    where = f"in {found.differing:,} of {count_of(found.items, unit)}"
    differ = "differs" if found.differences == 1 else "differ"
    return [first, f"{found.differences:,} of {total:,} {things} ({share}) {differ}, {where}."]


def _notes(found: Feedback, unit: str) -> list[str]:
    other = "missing from the gold standard" if found.gold else f"with fewer than {FEWEST} annotators"
    excluded = [
        f"{count_of(number, thing)} {why}"
        for number, thing, why in (
            (found.unsettled, "value", "on which the others have no majority"),
            (found.alone, unit, other),
            (found.uneven, unit, "with other words"),
        )
        if number
    ]
    majority = [
        "The majority is the value that more than half of the other annotators chose. It can be wrong. "
        "If you think that your annotation is correct, discuss it with the others."
    ] * (not found.gold)
    return [*majority, *([f"Not counted: {listed(excluded)}."] if excluded else [])]


def _legend(found: Feedback, places: Places[Any]) -> list[str]:
    heads = [what for what, each in places.whats.items() if each.token and what in found.compared]
    if not heads:
        return []
    return [
        "Types of heads contain the part of speech of the head, or the side on which it is if there are no "
        "parts of speech."
    ]


def _overview(found: Feedback) -> Table:
    counts = {
        what: sum(len(each) for kind, each in found.types.items() if kind.what == what)
        for what in found.compared
    }
    fields: list[Field[str]] = [
        (Column("what", "annotation", NAME), lambda what: what),
        (Column("compared", "compared", COUNT), lambda what: found.compared[what]),
        (Column("different", "different", COUNT), lambda what: counts[what]),
        (Column("share", "share", SHARE), lambda what: counts[what] / found.compared[what]),
    ]
    return table_of_fields(fields, found.compared, name="Overview", media=HTML | XLSX)


def title_of(found: DifferenceType) -> str:
    """Return a type in words.

    Example:
        >>> title_of(DifferenceType("label", "obl", "nmod")), title_of(DifferenceType("head", "NOUN", "NOUN"))
        ('label: obl instead of nmod', 'head: another NOUN')
        >>> title_of(DifferenceType("bracket", "NP", NOTHING))
        'bracket: extra NP'
    """
    if found.expected == NOTHING:
        return f"{found.what}: extra {found.given}"
    if found.given == NOTHING:
        return f"{found.what}: missing {found.expected}"
    if found.given == found.expected:
        return f"{found.what}: {_given(found)}"
    return f"{found.what}: {found.given} instead of {found.expected}"


def _given(found: DifferenceType) -> str:
    return f"another {found.given}" if found.given == found.expected else found.given


def _types(found: Feedback, other: str) -> Table:
    fields: list[Field[DifferenceType]] = [
        (Column("what", "annotation", NAME), lambda each: each.what),
        (Column("given", "yours", TEXT), _given),
        (Column("expected", other, TEXT), lambda each: each.expected),
        (Column("count", "count", COUNT), lambda each: len(found.types[each])),
        (Column("cases", "cases", COUNT), lambda each: _cases(found, each)),
        (Column("share", "share", SHARE), found.rate),
    ]
    ranked = [each for each, _ in found.ranked]
    note = f"Cases: how often the {other} has this value. Share: how often you chose yours there."
    return table_of_fields(fields, ranked, name="Types", note=note, media=HTML | XLSX)


def _cases(found: Feedback, each: DifferenceType) -> int | None:
    return None if found.rate(each) is None else found.cases[each.what, each.expected]


def _type(
    found: Feedback,
    each: DifferenceType,
    differences: Sequence[Difference],
    other: str,
    unit: str,
    sheet: str,
) -> Section:
    """Return the section of one type with a few examples."""
    shown = list(examples(differences, MOST_EXAMPLES))
    rate, cases = found.rate(each), _cases(found, each)
    count = f"{count_of(len(differences), 'time')}"
    words = count if rate is None else f"{count}, in {percent(rate)} of {count_of(cases or 0, 'case')}"
    more = len(differences) - len(shown)
    rest = [Text(f"The file {sheet} lists {more:,} more.", style="dim")] if more else []
    table = table_of_fields(_columns(shown, other, unit), shown, media=HTML)
    title = title_of(each)
    return Section((Text(f"{words}."), table, *rest), title[0].upper() + title[1:])


def _columns(shown: Sequence[Difference], other: str, unit: str) -> list[Field[Difference]]:
    fields: list[Field[Difference]] = [
        (Column("item", unit, NAME), lambda each: each.item),
        (Column("context", "words", WORDS), lambda each: each.context),
        (Column("given", "yours", TEXT), lambda each: each.given),
        (Column("expected", other, TEXT), lambda each: each.expected),
    ]
    return [each for each in fields if each[0].name != "context" or any(one.context for one in shown)]


def _all(found: Feedback, other: str, unit: str) -> Table:
    """Return all differences, in the order of the types."""
    rows = [(kind, each) for kind, differences in found.ranked for each in differences]
    placed = any(each.place for _, each in rows)
    fields: list[Field[tuple[DifferenceType, Difference]]] = [
        (Column("type", "type"), lambda row: title_of(row[0])),
        (Column("count", "count of the type", COUNT), lambda row: len(found.types[row[0]])),
        (Column("item", unit), lambda row: row[1].item),
        (Column("place", "place"), lambda row: row[1].place),
        (Column("words", "words"), lambda row: row[1].words),
        (Column("given", "yours"), lambda row: row[1].given),
        (Column("expected", other), lambda row: row[1].expected),
        (Column("context", "context"), lambda row: row[1].context),
    ]
    kept = [each for each in fields if placed or each[0].name not in ("place", "words", "context")]
    return table_of_fields(kept, rows, name=SHEET, media=XLSX | CSV)
