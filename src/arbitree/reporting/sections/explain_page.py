"""The HTML report of ``arbitree explain``: questions that open to types, examples and whole trees.

The page lists all questions. Types and examples are stored as data, and a script draws them when they are
opened, so that the report of a large study opens fast and filters see all types.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from arbitree.constructions.findings import CORPUS, EXTERNAL, Findings, Nucleus, Occurrence, Type
from arbitree.constructions.versus import NEW, SAME
from arbitree.drawing.fragment import Node
from arbitree.drawing.lettering import drawable, runs_leftwards, visible
from arbitree.files import portable
from arbitree.kinds.kind import Kind
from arbitree.reporting.citations import entries
from arbitree.reporting.document import references_of
from arbitree.reporting.sections.explain import (
    AMONG_CODERS,
    CLASS_WORDS,
    COLUMN_TITLES,
    TABLE_NOTES,
    TABLE_TITLES,
    bits_text,
    change_tables,
    counted,
    counts_text,
    headline,
    legend,
    side_text,
    sides_text,
    value_text,
    versus_text,
)
from arbitree.study.result import Ignored, Table
from arbitree.study.study import Annotation, Study
from arbitree.wording import count_of

if TYPE_CHECKING:
    from arbitree.drawing.picture import Pictures

BLOCK = 100  # sentences that are unpacked together
EXAMPLES = 12  # of each type in the report of a study
NARROW = 120  # letters of all pictures of a nucleus that fit side by side
WIDEST = 80  # words of a nucleus that is drawn


def page(findings: Findings, kind: Kind[Any], study: Study[Any] | None = None, title: str = "") -> str:
    """Return the HTML report about *findings*.

    Args:
        findings: The inconsistencies.
        kind: The kind of the study.
        study: The study; without it, the report has no sentences, trees and documents.
        title: Title of the study, such as the name of the corpus.
    """
    from arbitree.reporting.html import page_from

    data = PageData(findings, kind, study)
    unshown = ("summary", *(AMONG_CODERS if len(findings.coders) < 3 else ()))
    tables = {name: table for name, table in findings.tables.items() if name not in unshown and table.rows}
    if len(data.documents) > 1:
        tables["documents"] = _documents(findings, data)
    if findings.versus:
        changes = change_tables(findings.versus)
        tables = {name: table.shown_in("html") for name, table in changes.items()} | tables
    return page_from(
        "explain.html.j2",
        styles=("pictures.css", "explain.css"),
        scripts=("trees.js", "explain.js"),
        title=title,
        findings=findings,
        headline=headline(findings),
        legend=legend(findings),
        facts=_facts(findings),
        data=_packed(data.main),
        blocks=[_packed(block) for block in data.blocks],
        choices=choices_of(findings, findings.types, data.documents),
        class_words=CLASS_WORDS,
        tables=tables,
        titles=TABLE_TITLES,
        column_titles=COLUMN_TITLES,
        notes_of=TABLE_NOTES,
        versus=versus_text(findings, findings.versus) if findings.versus else "",
        states=_states(findings),
        value_text=value_text,
        bits_text=bits_text,
        sides_text=sides_text,
        left_out=_left_out(findings.ignored),
        citations=entries((*findings.references, *references_of(findings.agreement))),
    )


def _states(findings: Findings) -> dict[str, str]:
    """Return how questions differ from an earlier run, by code."""
    if not findings.versus:
        return {}
    changed = (each for each in findings.versus.questions if each.state != SAME)
    return {each.code: NEW if each.state == NEW else f"{each.before:,} → {each.now:,}" for each in changed}


def _facts(findings: Findings) -> list[str]:
    facts = [f"{findings.items:,} sentences", f"{findings.tokens:,} words"]
    if findings.mode != CORPUS:
        facts.append(count_of(len(findings.coders), "annotator"))
    return [*facts, *reversed(counted(findings))]


def _documents(findings: Findings, data: PageData) -> Table:
    """Return the number of inconsistencies, types and sentences of each document."""
    places: dict[str, list[tuple[str, str]]] = {name: [] for name in data.documents}
    for each in findings.types:
        for nucleus in each.nuclei:
            for item in dict.fromkeys(place.item for place in nucleus.places):
                places[data.document_of[item]].append((each.code, item))
    rows = tuple(
        (name, len(found), len({code for code, _ in found}), len({item for _, item in found}))
        for name, found in places.items()
    )
    return Table(("document", "inconsistencies", "types", "sentences"), rows)


def _left_out(ignored: Sequence[Ignored]) -> dict[str, list[Ignored]]:
    found: dict[str, list[Ignored]] = {}
    for each in ignored:
        found.setdefault(each.reason, []).append(each)
    return found


def choices_of(
    findings: Findings, shown: Sequence[Type], documents: Iterable[str] = ()
) -> dict[str, list[tuple[str, int | None]]]:
    """Return the choices of the filters, each with its number of types; of documents, only the names."""
    classes = Counter(each.class_ for each in shown)
    categories = Counter(category for each in shown for category in each.categories)
    facets = Counter(facet for each in shown for facet in facets_of(each))
    found = {"class": classes, "category": categories, "facet": facets}
    if findings.mode != CORPUS and len(findings.coders) > 2:
        found["coder"] = Counter(coder for each in shown for coder in alone(each) if coder != findings.gold)
    choices: dict[str, list[tuple[str, int | None]]] = {
        name: sorted(counts.items()) for name, counts in found.items() if counts
    }
    names = sorted(documents)
    return choices | ({"document": [(name, None) for name in names]} if len(names) > 1 else {})


def facets_of(each: Type) -> tuple[str, ...]:
    """Return what changes in a type, and which check found it."""
    return (*each.facets, f"{each.kind} check")


def alone(each: Type) -> tuple[str, ...]:
    """Return the coders who are on the smaller side of some nucleus; of two coders, both."""
    found: dict[str, None] = {}
    for nucleus in each.nuclei:
        least = min(count for count in nucleus.counts if count)
        for place in nucleus.places:
            if nucleus.counts[place.fragment] == least:
                found[place.coder] = None
    return tuple(found)


# Data of the page, read by templates/explain.js


@dataclass(slots=True)
class _Numbers:
    """Texts by number, so that each is stored once."""

    known: dict[str, int] = field(default_factory=dict)

    def of(self, text: str) -> int:
        return self.known.setdefault(text, len(self.known))


class PageData:
    """The types and sentences of a page as lists of numbers and texts.

    Items are numbered in the order in which the types name them, so that examples that are read together
    are in the same block.
    """

    def __init__(self, findings: Findings, kind: Kind[Any], study: Study[Any] | None) -> None:
        self.findings = findings
        self._kind = kind
        self._pictures = kind.needed("pictures")
        self._cells: dict[str, list[Annotation[Any]]] = {}
        self._words: dict[tuple[str, str], tuple[str, ...]] = {}
        documents: dict[str, str] = {}
        for item, cells in study or ():
            documents[item.id] = item.document
            self._cells[item.id] = cells
            self._words |= {(item.id, cell.coder): kind.tokens(cell.value) for cell in cells}
        self._coders = {coder: number for number, coder in enumerate(findings.coders)}
        self._labels, self._items = _Numbers(), _Numbers()
        types = [self._type(each) for each in findings.types]
        sentences = [self._sentence(item) for item in self._items.known]
        self.document_of = {item: documents.get(item, "") for item in self._items.known}
        self.documents = sorted(set(self.document_of.values()))
        place = {each.code: number for number, each in enumerate(findings.types)}
        self.blocks = [sentences[start : start + BLOCK] for start in range(0, len(sentences), BLOCK)]
        self.main = {
            "corpus": findings.mode == CORPUS,
            "coders": [visible(coder) for coder in self._coders],
            "documents": [visible(name) for name in self.documents],
            "items": [visible(item) for item in self._items.known],
            "document": [self.documents.index(name) for name in self.document_of.values()],
            "labels": [drawable(label) for label in self._labels.known],
            "types": types,
            "questions": [[each.code, [place[code] for code in each.types]] for each in findings.questions],
            "classes": CLASS_WORDS,
            "outlined": self._pictures.outlined,
            "block": BLOCK,
        }

    def _type(self, each: Type) -> list[Any]:
        fragments = [
            [
                visible(side_text(each, number, self.findings)),
                visible(fragment.brackets),
                self._nodes(fragment.nodes),
            ]
            for number, fragment in enumerate(each.fragments)
        ]
        return [
            each.code,
            visible(each.label),
            each.class_,
            ["label of the whole"] * (each.kind == EXTERNAL) + ["through the head"] * each.via_head,
            facets_of(each),
            each.categories,
            [self._coders[coder] for coder in alone(each)],
            counts_text(each),
            fragments,
            [self._nucleus(one) for one in each.nuclei],
        ]

    def _nucleus(self, one: Nucleus) -> list[Any]:
        return [
            round(one.bits, 2),
            one.tokens if any(" " in token for token in one.tokens) else " ".join(one.tokens),
            one.differing,
            one.counts,
            [
                [
                    self._items.of(place.item),
                    self._coders[place.coder],
                    place.fragment,
                    *self._runs(place, one),
                ]
                for place in one.places
            ],
        ]

    def _runs(self, place: Occurrence, one: Nucleus) -> list[int]:
        """Return the first and last position of each run of words; nothing if they cannot be located.

        Normalisation may have removed words, so that positions in the sentence as read are different ones.
        """
        words, size = self._words.get((place.item, place.coder), ()), len(one.tokens)
        positions: Sequence[int] = place.positions
        if tuple(words[at] for at in positions if at < len(words)) != one.tokens:
            found = [at for at in range(len(words)) if words[at : at + size] == one.tokens]
            if place.gaps or len(found) != 1:
                return []
            positions = range(found[0], found[0] + size)
        runs: list[int] = []
        for at in positions:
            if runs and runs[-1] == at - 1:
                runs[-1] = at
            else:
                runs += [at, at]
        return runs

    def _sentence(self, item: str) -> list[Any]:
        """Return the distinct trees of an item: their annotators, sources, words, direction and nodes."""
        trees: dict[tuple[Any, ...], list[Any]] = {}
        for cell in self._cells.get(item, ()):
            words = self._words[item, cell.coder]
            nodes = self._pictures.nodes(cell.value)
            if (words, nodes) not in trees:
                drawn = [drawable(word) for word in words]
                trees[words, nodes] = [[], [], drawn, int(runs_leftwards(words)), self._nodes(nodes)]
            tree = trees[words, nodes]
            tree[0].append(self._coders.get(cell.coder, -1))
            tree[1].append(visible(str(cell.source or "")))
        return list(trees.values())

    def _nodes(self, nodes: Sequence[Node]) -> list[int]:
        """Return four numbers per node: label, parent, token and relation; -1 for none."""
        found: list[int] = []
        for node in nodes:
            token = -1 if node.token is None else node.token
            edge = self._labels.of(node.edge) if node.edge else -1
            found += (self._labels.of(node.label), node.parent, token, edge)
        return found


def _packed(data: Any) -> str:
    """Return *data* as compressed JSON in base64, which contains no markup and no absolute paths."""
    text = portable(json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), 9)).decode()


# Types as cards, for the report of a study


@dataclass(frozen=True, slots=True)
class Side:
    """One fragment of a type in the HTML report."""

    who: str
    picture: Markup
    brackets: str
    text: str
    letter: str


@dataclass(frozen=True, slots=True)
class Example:
    """One nucleus in its sentence, with the annotators of each fragment."""

    words: tuple[tuple[str, bool], ...]  # and whether they differ
    left: str
    right: str
    item: str
    source: str
    who: str
    drawn: bool = False  # its words are those of the picture


@dataclass(frozen=True, slots=True)
class Card:
    """A type in the HTML report."""

    each: Type
    counts: str
    class_words: str
    sides: tuple[Side, ...]
    examples: tuple[Example, ...]
    more: int
    alone: tuple[str, ...]  # annotators in the minority of some nucleus
    wide: bool  # the pictures are shown below each other


def card_of(each: Type, findings: Findings, pictures: Pictures[Any], most: int = EXAMPLES) -> Card:
    """Return a type for the HTML report, with *most* of its nuclei as examples, the drawn one first."""
    nucleus = min(each.nuclei, key=lambda one: (len(one.words), one.words))
    sides = []
    drawable = len(nucleus.tokens) <= WIDEST
    for number, fragment in enumerate(each.fragments):
        others = [other for other in each.fragments if other is not fragment]
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
    first = [
        replace(example, drawn=drawable and len(each.nuclei) > 1) for example in _examples(nucleus, findings)
    ]
    rest = [one for one in each.nuclei if one is not nucleus][: most - 1]
    examples = [*first, *(example for one in rest for example in _examples(one, findings))]
    return Card(
        each=each,
        counts=counts_text(each),
        class_words=CLASS_WORDS.get(each.class_, each.class_),
        sides=tuple(sides),
        examples=tuple(examples),
        more=len(each.nuclei) - most,
        alone=alone(each),
        wide=len(" ".join(nucleus.tokens)) * len(sides) > NARROW,
    )


def letter(number: int) -> str:
    """Return the badge of a fragment: A, B, ... Z, then numbers.

    Example:
        >>> letter(0), letter(26)
        ('A', '27')
    """
    return chr(65 + number) if number < 26 else str(number + 1)


def _examples(nucleus: Nucleus, findings: Findings) -> list[Example]:
    """Return the sentence once between annotators; in a corpus, one occurrence per fragment."""
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
