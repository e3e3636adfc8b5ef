"""What a report tells beside agreement: types, models, confusions, sentences with pictures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from markupsafe import Markup

from arbitree.adjudication.differences import Confusion, Contested, Disagreements
from arbitree.adjudication.places import What
from arbitree.adjudication.standings import Adjudicated
from arbitree.adjudication.workbook import COMMENT, DECISION, FIXED, ITEM, PLACE, SHEET, WHAT
from arbitree.annotator_models.findings import CoderFindings
from arbitree.constructions.findings import Findings
from arbitree.drawing.picture import Picture, Pictures, draw_item
from arbitree.reporting.document import FRACTION
from arbitree.reporting.phrasing import Origin
from arbitree.reporting.sections import explain as words
from arbitree.reporting.sections.coders import coder_table
from arbitree.reporting.sections.explain import Card, card_of, choices_of
from arbitree.reporting.xlsx import Book, cell_text, printed_wide
from arbitree.study.result import Column, Group, Table
from arbitree.study.study import Study
from arbitree.wording import count_of, count_word

LEVELS = 6  # of shading, 0 for none
WIDEST = 12  # names of a matrix on a page


@dataclass(frozen=True, slots=True)
class Survey:
    """Parts of a report; None where the study does not support one."""

    disagreements: Disagreements | None = None
    types: Findings | None = None
    models: CoderFindings | None = None
    adjudication: Adjudicated | None = None
    absent: dict[str, str] = field(default_factory=dict)  # why a part is not there, by its name

    @property
    def notes(self) -> list[str]:
        """What whoever reads the numbers should know."""
        found = [*(self.types.notes if self.types else ())]
        found += [note for each in (self.models.results if self.models else ()) for note in each.notes]
        return list(dict.fromkeys(found))

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the papers behind the parts."""
        models = [key for each in (self.models.results if self.models else ()) for key in each.references]
        return (*(self.types.references if self.types else ()), *models)


@dataclass(frozen=True, slots=True)
class TableSection:
    """A section of the page that is a note and a table, which is a sheet of the workbook too."""

    key: str  # its address on the page
    link: str  # what the list of sections calls it
    title: str
    note: Markup
    table: Table
    row: str  # what the addresses of the rows begin with; the first column completes them


def table_sections(survey: Survey) -> Iterator[TableSection]:
    """Yield the sections of *survey* that are tables: a new section is one more of them."""
    if survey.models is not None:
        yield _models(survey.models)


def _models(found: CoderFindings) -> TableSection:
    interval = found.results[0].interval
    resamples = f"Intervals from {interval.resamples:,} resamples." if interval else ""
    note = Markup(
        "Competence under the model <i>{}</i>: how reliable a coder is, judged by all others, with no gold "
        "standard. Beside it: how often a coder has what the consensus has. {} "
        "<code>arbitree coders INPUT...</code> tells more and writes the consensus."
    ).format(found.model, resamples)
    title = "How far each coder can be trusted"
    return TableSection("models", "coders' competence", title, note, coder_table(found), "model")


@dataclass(frozen=True, slots=True)
class Cell:
    """What two names have together."""

    text: str
    level: int  # of shading
    title: str  # the same in words
    pair: tuple[str, str] | None = None  # the names, if something can be shown of them
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Matrix:
    """Names, and for each a row of cells."""

    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    hidden: int = 0  # names that there is no room for


def confusion_matrix(found: Confusion, *, most: int = WIDEST) -> Matrix:
    """Return the names with most disagreements against each other.

    Example:
        >>> found = Confusion(Counter(a=9), Counter({("a", "b"): 4, ("a", "c"): 1}))
        >>> confusion_matrix(found).names
        ('a', 'b', 'c')
    """
    totals: Counter[str] = Counter()
    for pair, count in found.counts.items():
        for name in set(pair):
            totals[name] += count
    ranked = sorted(totals, key=lambda name: (-totals[name], name))
    names, highest = ranked[:most], max(found.counts.values(), default=1)
    rows = tuple(tuple(_confused_cells(found, one, two, highest) for two in names) for one in names)
    return Matrix(tuple(names), rows, len(ranked) - len(names))


def _confused_cells(found: Confusion, one: str, two: str, highest: int) -> Cell:
    pair = (min(one, two), max(one, two))
    count = found.counts[pair]
    if one == two and not count:
        agreed = found.agreed[one]
        return Cell(f"{agreed:,}", 0, f"{one}: agreed {agreed:,} times", agreed=True)
    if not count:
        return Cell("", 0, f"{one} and {two} are not confused")
    words = f"{one} against {two}" if one != two else f"{one} against another {one}"
    return Cell(f"{count:,}", level(count / highest), f"{words}: {count:,} times", pair)


def level(share: float) -> int:
    """Return how dark a share of the highest count is; small counts are told apart better than large ones.

    Example:
        >>> level(0), level(0.01), level(1)
        (0, 1, 5)
    """
    return min(LEVELS - 1, math.ceil((LEVELS - 1) * math.sqrt(share)))


def pair_matrix(coders: Sequence[str], groups: Sequence[Group]) -> Matrix:
    """Return who agrees with whom: the darker, the less, between the best and the least pair."""
    values: Mapping[tuple[str, str], Group] = dict(zip(combinations(coders, 2), groups, strict=True))
    known = [group.value for group in groups if group.value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)

    def cell(one: str, two: str) -> Cell:
        group = values.get((one, two)) or values.get((two, one))
        if group is None:
            return Cell("", 0, one)
        if group.value is None:
            return Cell("—", 0, f"{group.name}: undefined", (one, two))
        share = (high - group.value) / (high - low) if high > low else 0.0
        dark = min(LEVELS - 1, round((LEVELS - 1) * share))
        return Cell(f"{group.value:.3f}", dark, f"{group.name}: {group.value:.3f}", (group.name, ""))

    return Matrix(tuple(coders), tuple(tuple(cell(one, two) for two in coders) for one in coders))


TYPES = 25  # drawn on the page
EXAMPLES = 3  # of each
CONFUSED = 40  # pairs listed
NAMED = 30  # sentences drawn because a table names them
DIFFERENCES = 12  # said in words beside a picture
ROOM = 1_500_000  # letters that all pictures may take
ONE = 60_000  # letters that one picture may take
NOTHING = Markup("")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two labels that are confused."""

    names: tuple[str, str]
    count: int
    share: float  # of all pairs of values
    rate: float  # where coders say one of the two
    examples: tuple[tuple[str, str], ...]  # item and words
    anchor: str


@dataclass(frozen=True, slots=True)
class ConfusionCard:
    """A matrix and the list behind it."""

    key: str
    title: str
    note: str
    matrix: Matrix
    pairs: tuple[Pair, ...]
    hidden: int
    anchors: Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One item with its picture."""

    item: str
    value: float | None
    text: str
    source: str
    anchor: str
    picture: Markup = NOTHING
    whole: Markup = NOTHING
    differences: tuple[str, ...] = ()
    more: int = 0  # differences that are not said
    contested: int = 0  # places
    drawn: bool = False
    too_long: bool = False


def confused(survey: Survey, anchors: Any) -> list[ConfusionCard]:
    """Return the confusions of *survey* that there are."""
    if survey.disagreements is None:
        return []
    found = survey.disagreements.confusions
    whats = survey.disagreements.whats.values()
    return [_confused(what, found[what.confusion], anchors) for what in whats if found[what.confusion].counts]


def _confused(what: What, found: Confusion, anchors: Any) -> ConfusionCard:
    key = what.confusion
    rows = found.table().rows[:CONFUSED]
    ids = anchors(key, [f"{row[0]} {row[1]}" for row in rows])
    pairs = tuple(
        Pair((one, two), count, share, rate, tuple(found.examples.get((one, two), ())), anchor)
        for (one, two, count, share, rate), anchor in zip(rows, ids, strict=True)
    )
    return ConfusionCard(
        key=key,
        title=what.heading,
        note=what.note,
        matrix=confusion_matrix(found),
        pairs=pairs,
        hidden=len(found.counts) - len(pairs),
        anchors={pair.names: pair.anchor for pair in pairs},
    )


def cards(
    survey: Survey, pictures: Pictures[Any] | None
) -> tuple[list[Card], dict[str, list[tuple[str, int]]]]:
    """Return the first types of inconsistencies, and what their filters offer."""
    if survey.types is None or pictures is None:
        return [], {}
    shown = survey.types.types[:TYPES]
    return [card_of(each, survey.types, pictures, EXAMPLES) for each in shown], choices_of(
        survey.types, shown
    )


def types_headline(survey: Survey) -> str:
    """Return in words how much is inconsistent."""
    return words.headline(survey.types) if survey.types else ""


def sentences(
    study: Study[Any],
    pictures: Pictures[Any] | None,
    hardest: Sequence[tuple[str, float]],
    named: Iterable[str],
    values: Mapping[str, float],
    origins: Mapping[str, Origin],
    anchors: Any,
    contested: Mapping[str, int],
) -> tuple[list[Sentence], list[Sentence]]:
    """Return the hardest items and those that tables name, with pictures as long as there is room.

    Args:
        study: what to draw from.
        pictures: of the kind of *study*, if it has any.
        hardest: items and their values.
        named: items, the most important first.
        values: of all items.
        origins: where items were read, and their words.
        anchors: makes ids of names.
        contested: how many places of each item are.
    """
    first = [item for item, _ in hardest]
    others = [item for item in dict.fromkeys(named) if item not in set(first)][:NAMED] if pictures else []
    ids = anchors("item", [*first, *others])
    found, room = [], ROOM
    for item, anchor in zip([*first, *others], ids, strict=True):
        origin = origins.get(item, Origin("", ""))
        count = contested.get(item, 0)
        sentence = Sentence(item, values.get(item), origin.text, origin.source, anchor, contested=count)
        if pictures is not None:
            sentence = _drawn(sentence, draw_item(pictures, study, item), room)
            room -= len(sentence.picture) + len(sentence.whole)
        found.append(sentence)
    return found[: len(first)], [each for each in found[len(first) :] if each.drawn]


def _drawn(sentence: Sentence, picture: Picture, room: int) -> Sentence:
    differences = picture.differences
    sentence = replace(
        sentence,
        differences=tuple(differences[:DIFFERENCES]),
        more=max(0, len(differences) - DIFFERENCES),
    )
    markup = picture.markup
    if len(markup) > min(room, ONE):
        return replace(sentence, too_long=True)
    whole = picture.whole if len(picture.whole) <= min(room - len(markup), ONE) else NOTHING
    return replace(sentence, picture=markup, whole=whole, drawn=True)


def named_items(confusions: Sequence[ConfusionCard], shown: Sequence[Card]) -> list[str]:
    """Return the items that the page names: the first example of each confusion and type, then the others."""
    listed = [[item for item, _ in pair.examples] for each in confusions for pair in each.pairs]
    listed += [[example.item for example in card.examples] for card in shown]
    return [items[rank] for rank in range(EXAMPLES) for items in listed if rank < len(items)]


def outcome_words(found: Adjudicated) -> str:
    """Return in words what the adjudicator did.

    Example:
        >>> from arbitree.adjudication.standings import Standing
        >>> coders = (Standing("ann", 2, 2), Standing("bob", 0, 2))
        >>> outcome_words(Adjudicated({}, 3, 2, 0, coders, {}))
        'Two of three contested places are decided; ann was followed two times, bob no times.'
    """
    share = f"{count_word(found.decided)} of {count_of(found.places, 'contested place')}"
    who = ", ".join(
        f"{each.coder} {'was followed ' if not number else ''}{count_of(each.followed, 'time')}"
        for number, each in enumerate(found.coders)
    )
    verb = "is" if found.decided == 1 else "are"
    other = f", nobody {count_of(found.neither, 'time')}" if found.neither else ""
    return f"{share[0].upper()}{share[1:]} {verb} decided; {who}{other}."


def signatures(survey: Survey) -> list[tuple[str, str]]:
    """Return how the parts can be had again."""
    types = [("inconsistencies", survey.types.signature)] if survey.types else []
    models = survey.models.results if survey.models else ()
    return [*types, *((each.measure, each.signature) for each in models)]


SHEET_EXAMPLES = 3  # of every type and confusion
WIDTHS = {ITEM: 18, PLACE: 8, WHAT: 9, "words": 18, "in": 70, DECISION: 18, COMMENT: 30, "read at": 24}
WIDTH = 16  # of a coder's column
MOST = 1_000_000  # places on the sheet; the file format ends at 1,048,576 rows


def tables(survey: Survey) -> Iterator[Table]:
    """Yield the tables of *survey* in the order of their sheets; the adjudicator's form is no table."""
    if survey.adjudication is not None:
        yield _adjudication(survey.adjudication)
    if survey.types is not None:
        yield _types(survey.types)
    yield from (each.table for each in table_sections(survey))
    if survey.disagreements is not None:
        yield from _confusions(survey.disagreements)


def _adjudication(found: Adjudicated) -> Table:
    rows: list[tuple[Any, ...]] = [
        (each.coder, each.followed, each.decided, each.share, each.agreement) for each in found.coders
    ]
    rows.append(("(nobody)", found.neither, found.decided, None, None))
    rows.append(("(undecided)", found.undecided, None, None, None))
    last = Column("agreement", "agrees with the outcome", FRACTION)
    return Table(("coder", "followed", "decided", "share", last), rows, name="Adjudicated")


def _types(found: Findings) -> Table:
    rows = []
    for each in found.types:
        annotations = " | ".join(fragment.brackets for fragment in each.fragments)
        examples = "; ".join(f"{one.words} ({one.item})" for one in each.nuclei[:SHEET_EXAMPLES])
        rows.append((each.label, each.class_, each.size, each.occurrences, annotations, examples, each.code))
    columns = ("type", "class", "nuclei", "places", "annotations", "examples", "code")
    return Table(columns, rows, name="Types")


def _confusions(found: Disagreements) -> Iterator[Table]:
    for key, confusion in found.confusions.items():
        if not confusion.counts:
            continue
        rows = []
        for first, second, *figures in confusion.table().rows:
            examples = confusion.examples.get((first, second), [])
            shown = "; ".join(f"{words} ({item})" if words else item for item, words in examples)
            rows.append((first, second, *figures, shown))
        columns = ("label", "other", "times", "share of all", "share of the two", "examples")
        yield Table(columns, rows, name=f"Confused {key}")


def write_adjudication(book: Book, survey: Survey) -> None:
    """Add the sheet on which an adjudicator decides: a row for every contested place.

    The choices of a row stand in hidden columns; the list in the decision's cell is made of these, so that
    no text of the study stands in a formula.
    """
    found = survey.disagreements
    if found is None or not found.places:
        return
    sheet, workbook, formats = book.add_sheet(SHEET), book.workbook, book.formats
    open_ = workbook.add_format(
        {"bg_color": "#FFF8E6", "border": 1, "border_color": "#E0D3B0", "num_format": "@", "valign": "top"}
    )
    plain = workbook.add_format({"valign": "top"})  # one line a row: programs do not agree on heights of rows
    coders = [name if name not in FIXED else f"coder {name}" for name in found.coders]
    header = [ITEM, PLACE, WHAT, "words", "in", *coders, DECISION, COMMENT, "read at", "choices"]
    first = len(header)  # the first hidden choice
    most = max(len(place.choices) for place in found.places)
    for column, title in enumerate(header):
        sheet.write_string(0, column, cell_text(title), formats["header"])
        sheet.set_column(column, column, WIDTHS.get(title, WIDTH))
    sheet.set_column(first - 1, first + most - 1, WIDTH, None, {"hidden": True})
    rulings = survey.adjudication.rulings if survey.adjudication else {}
    decision = header.index(DECISION)
    for row, place in enumerate(found.places[:MOST], start=1):
        _write_place(sheet, row, place, plain, decision)
        ruled = rulings.get(place.key)
        for column, text in ((decision, ruled and ruled.value), (decision + 1, ruled and ruled.comment)):
            if text:
                sheet.write_string(row, column, cell_text(text), open_)
            else:
                sheet.write_blank(row, column, None, open_)
        sheet.write_number(row, first - 1, len(place.choices))
        for offset, choice in enumerate(place.choices):
            sheet.write_string(row, first + offset, cell_text(choice))
    last = min(len(found.places), MOST)
    sheet.data_validation(1, decision, last, decision, _validation(first))
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, last, first - 2)
    if not any(place.place for place in found.places):  # items that were labelled have no words
        sheet.set_column(1, 1, None, None, {"hidden": True})
        sheet.set_column(3, 4, None, None, {"hidden": True})
    printed_wide(sheet)


def _write_place(sheet: Any, row: int, place: Contested, text: Any, decision: int) -> None:
    values = (place.item, place.place, place.what, place.words, place.context, *place.values)
    for column, value in enumerate(values):
        if value is not None:
            sheet.write_string(row, column, cell_text(value), text)
    sheet.write_string(row, decision + 2, cell_text(place.source), text)


def _validation(first: int) -> dict[str, Any]:
    from xlsxwriter.utility import xl_col_to_name

    count, start = xl_col_to_name(first - 1), xl_col_to_name(first)
    return {
        "validate": "list",
        "source": f"=OFFSET(${start}2,0,0,1,${count}2)",
        "ignore_blank": True,
        "input_title": "Decision",
        "input_message": "Choose a value, or type another. Empty: not decided.",
        "show_error": False,  # another value than any coder's is a decision too
    }
