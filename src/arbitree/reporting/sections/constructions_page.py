"""Findings on inconsistencies as one page of HTML that opens from disk and asks the network for nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from arbitree.constructions.findings import CORPUS, Findings, Nucleus, Occurrence, Type
from arbitree.drawing.picture import Pictures
from arbitree.reporting.citations import entries
from arbitree.reporting.document import references_of
from arbitree.reporting.html import page_from
from arbitree.reporting.sections.constructions import (
    AMONG_CODERS,
    CLASS_WORDS,
    counts_text,
    headline,
    side_text,
    value_text,
)
from arbitree.study.result import Ignored

TYPES = 300  # drawn on a page; JSON and TSV have all
EXAMPLES = 12  # of each
NARROW = 60  # letters of a nucleus whose pictures go side by side
WIDEST = 80  # words of a nucleus that is drawn
TITLES = {
    "coders": "Who differs",
    "pairs": "Which pairs differ",
}
HELP = {
    "coders": "Minority: nuclei in which most others agree on something else. Ties: no side has most coders.",
    "pairs": "Nuclei in which the two differ.",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One fragment of a type as the page shows it."""

    who: str
    picture: Markup
    brackets: str
    text: str
    letter: str


@dataclass(frozen=True, slots=True)
class Example:
    """One nucleus in its sentence, with who says what."""

    words: tuple[tuple[str, bool], ...]  # and whether they differ
    left: str
    right: str
    item: str
    source: str
    who: str


@dataclass(frozen=True, slots=True)
class Card:
    """A type as the page shows it."""

    each: Type
    counts: str
    class_words: str
    sides: tuple[Side, ...]
    examples: tuple[Example, ...]
    more: int
    alone: tuple[str, ...]  # coders who are on the smaller side of some nucleus
    wide: bool  # the pictures have a line each


def page(findings: Findings, title: str, pictures: Pictures[Any], *, most: int = TYPES) -> str:
    """Return a page about *findings*.

    Args:
        findings: what to show.
        title: of the study, such as the name of the corpus.
        pictures: of the kind of the study.
        most: types to draw, those with most nuclei first.
    """
    shown = findings.types[:most]
    unshown = ("summary", *(AMONG_CODERS if len(findings.coders) < 3 else ()))
    tables = {name: table for name, table in findings.tables.items() if name not in unshown and table.rows}
    return page_from(
        "explain.html.j2",
        styles=("pictures.css", "explain.css"),
        scripts=("filter.js",),
        title=title,
        findings=findings,
        headline=headline(findings),
        facts=_facts(findings),
        cards=[card_of(each, findings, pictures) for each in shown],
        hidden=len(findings.types) - len(shown),
        choices=choices_of(findings, shown),
        class_words=CLASS_WORDS,
        tables=tables,
        titles=TITLES,
        notes_of=HELP,
        value_text=value_text,
        left_out=_left_out(findings.ignored),
        citations=entries((*findings.references, *references_of(findings.agreement))),
        corpus=findings.mode == CORPUS,
    )


def _facts(findings: Findings) -> list[str]:
    facts = [f"{findings.items:,} sentences", f"{findings.tokens:,} words"]
    if findings.mode != CORPUS:
        facts.append(f"{len(findings.coders):,} coders")
    unit = "nuclei" if findings.mode == CORPUS else "places"
    return [*facts, f"{len(findings.types):,} types", f"{findings.nuclei:,} {unit}"]


def card_of(each: Type, findings: Findings, pictures: Pictures[Any], most: int = EXAMPLES) -> Card:
    """Return a type as a page shows it, with *most* of its nuclei as examples."""
    nucleus = min(each.nuclei, key=lambda one: (len(one.words), one.words))
    sides = []
    for number, fragment in enumerate(each.fragments):
        others = [other for other in each.fragments if other is not fragment]
        drawable = len(nucleus.tokens) <= WIDEST
        picture = pictures.fragment(fragment, others, nucleus.tokens, nucleus.differing) if drawable else ""
        sides.append(
            Side(
                side_text(each, number, findings),
                Markup(picture),
                fragment.brackets,
                fragment.text,
                letter(number),
            )
        )
    examples = [example for one in each.nuclei[:most] for example in _examples(one, findings)]
    return Card(
        each=each,
        counts=counts_text(each),
        class_words=CLASS_WORDS.get(each.class_, each.class_),
        sides=tuple(sides),
        examples=tuple(examples),
        more=len(each.nuclei) - most,
        alone=_alone(each),
        wide=len(" ".join(nucleus.tokens)) > NARROW,
    )


def letter(number: int) -> str:
    """Return the badge of a fragment: A, B, ... Z, then numbers.

    Example:
        >>> letter(0), letter(26)
        ('A', '27')
    """
    return chr(65 + number) if number < 26 else str(number + 1)


def _examples(nucleus: Nucleus, findings: Findings) -> list[Example]:
    """Return the sentence once among coders; in a corpus one place for each fragment."""
    words = tuple((token, offset in nucleus.differing) for offset, token in enumerate(nucleus.tokens))
    first = nucleus.places[0]
    gaps = len(nucleus.tokens) != first.span[1] - first.span[0]
    if gaps:
        words = _with_gaps(nucleus)
    if findings.mode != CORPUS:
        sides = sorted({place.fragment for place in nucleus.places})
        who = "; ".join(f"{letter(side)} {', '.join(nucleus.coders_of(side))}" for side in sides)
        return [_example(first, words, who)]
    found = []
    for side, count in enumerate(nucleus.counts):
        place = next((each for each in nucleus.places if each.fragment == side), None)
        if place is not None:
            found.append(_example(place, words, f"{letter(side)} {count:,} ×"))
    return found


def _with_gaps(nucleus: Nucleus) -> tuple[tuple[str, bool], ...]:
    positions = nucleus.places[0].positions
    found: list[tuple[str, bool]] = []
    for offset, token in enumerate(nucleus.tokens):
        if offset and positions[offset] != positions[offset - 1] + 1:
            found.append(("[...]", False))
        found.append((token, offset in nucleus.differing))
    return tuple(found)


def _example(place: Occurrence, words: tuple[tuple[str, bool], ...], who: str) -> Example:
    return Example(words, place.left, place.right, place.item, place.source, who)


def _alone(each: Type) -> tuple[str, ...]:
    """Return the coders who are on the smaller side of some nucleus; of two coders, both."""
    found: dict[str, None] = {}
    for nucleus in each.nuclei:
        least = min(count for count in nucleus.counts if count)
        for place in nucleus.places:
            if nucleus.counts[place.fragment] == least:
                found[place.coder] = None
    return tuple(found)


def choices_of(findings: Findings, shown: Sequence[Type]) -> dict[str, list[tuple[str, int]]]:
    """Return what the filters offer, each with the number of types on the page."""
    classes = Counter(each.class_ for each in shown)
    categories = Counter(category for each in shown for category in each.categories)
    facets = Counter(facet for each in shown for facet in each.facets)
    facets.update(f"{each.kind} check" for each in shown)
    found = {"class": classes, "category": categories, "facet": facets}
    if findings.mode != CORPUS and len(findings.coders) > 2:
        found["coder"] = Counter(coder for each in shown for coder in _alone(each) if coder != findings.gold)
    return {name: sorted(counts.items()) for name, counts in found.items() if counts}


def _left_out(ignored: Sequence[Ignored]) -> dict[str, list[Ignored]]:
    found: dict[str, list[Ignored]] = {}
    for each in ignored:
        found.setdefault(each.reason, []).append(each)
    return found
