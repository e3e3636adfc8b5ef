"""Parts of a report besides agreement: types, annotator models, confusions, drawn sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from arbitree.adjudication.differences import Confusion, Contested, Disagreements
from arbitree.adjudication.places import NOTHING, What
from arbitree.adjudication.standings import Adjudicated
from arbitree.adjudication.workbook import COMMENT, DECISION, FIXED, ITEM, PLACE, SHEET, WHAT
from arbitree.annotator_models.findings import CoderFindings
from arbitree.constructions.findings import Findings
from arbitree.drawing.picture import Picture, Pictures, draw_item
from arbitree.measures.coverage import each_once
from arbitree.reporting.document import FRACTION
from arbitree.reporting.phrasing import Origin
from arbitree.reporting.sections import explain as words
from arbitree.reporting.sections.coders import coder_table
from arbitree.reporting.sections.explain_page import Card, card_of, choices_of
from arbitree.reporting.sections.matrices import Matrix, confusion_matrix
from arbitree.reporting.xlsx import Book, cell_text, printed_wide
from arbitree.study.result import Column, Table
from arbitree.study.study import Annotation, Item, Study
from arbitree.wording import count_of


@dataclass(frozen=True, slots=True)
class Survey:
    """Parts of a report; None where the study does not support one."""

    disagreements: Disagreements | None = None
    types: Findings | None = None
    models: CoderFindings | None = None
    adjudication: Adjudicated | None = None
    uneven: Sequence[tuple[Item, list[Annotation[Any]]]] = ()  # items whose tokens differ
    alone: Sequence[tuple[Item, list[Annotation[Any]]]] = ()  # items of only one annotator
    absent: dict[str, str] = field(default_factory=dict)  # the reason why a part is missing, by its name

    @property
    def notes(self) -> list[str]:
        """Warnings about the types and the annotator models."""
        found = [*(self.types.notes if self.types else ())]
        found += [note for each in (self.models.results if self.models else ()) for note in each.notes]
        return each_once(found)

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the papers behind the parts."""
        models = [key for each in (self.models.results if self.models else ()) for key in each.references]
        return (*(self.types.references if self.types else ()), *models)


@dataclass(frozen=True, slots=True)
class TableSection:
    """A section of the HTML report with a note and a table, which is also a sheet of the workbook."""

    key: str  # its id in the HTML report
    title: str
    note: Markup
    table: Table
    row: str  # prefix of the ids of the rows


def fix_first(survey: Survey, unit: str, *, most: int | None = None) -> TableSection | None:
    """Return the items that cannot be compared as they are; None without any.

    Args:
        survey: The parts of the report.
        unit: The name of an item.
        most: The number of items to list, by default all.
    """
    found = [("different tokens", each) for each in survey.uneven]
    found += [("one annotator only", each) for each in survey.alone]
    if not found:
        return None
    rows = [
        (
            item.id,
            problem,
            ", ".join(map(_with_tokens, cells)),
            " ".join(cells[0].value.tokens),
            ", ".join(str(cell.source) for cell in cells if cell.source),
        )
        for problem, (item, cells) in found[:most]
    ]
    note = "{}{}Correct the files, then create the report again.{}".format(
        _uneven_text(len(survey.uneven), unit),
        _alone_text(len(survey.alone), unit),
        f" The table shows the first {len(rows):,}; the workbook lists all."
        if len(rows) < len(found)
        else "",
    )
    columns = ("item", "problem", "annotators", "words of the first annotator", "source")
    table = Table(columns, rows, name="Fix first")
    return TableSection("fix-first", "Fix these first", Markup.escape(note), table, "uneven")


def _with_tokens(cell: Annotation[Any]) -> str:
    count = len(cell.value.tokens)
    return f"{cell.coder} ({count_of(count, 'token')})" if count else cell.coder


def _uneven_text(count: int, unit: str) -> str:
    if not count:
        return ""
    them = "it" if count == 1 else "them"
    return (
        f"The annotators have different numbers of tokens in {count_of(count, unit)}. Measures that compare "
        f"tokens exclude {them}. The edit distance is higher for this reason alone. "
    )


def _alone_text(count: int, unit: str) -> str:
    if not count:
        return ""
    has, them = ("was", "it") if count == 1 else ("were", "them")
    return (
        f"{count_of(count, unit)} {has} matched with no {unit} of another annotator, so no measure includes "
        f"{them}. If others annotated {them} too, check the ids, or choose another method with --match. "
    )


def table_sections(survey: Survey) -> Iterator[TableSection]:
    """Yield the sections of *survey* that are tables."""
    if survey.models is not None:
        yield _models(survey.models)


def _models(found: CoderFindings) -> TableSection:
    interval = found.results[0].interval
    resamples = f"Confidence intervals use {interval.resamples:,} resamples." if interval else ""
    note = Markup(
        "Competence (model <i>{}</i>): {}. It is estimated without a gold standard. {} "
        "To see more, to choose the number of resamples and to write the consensus, run "
        "<code>arbitree coders INPUT...</code>."
    ).format(found.model, found.about, resamples)
    return TableSection("models", "Annotator competence", note, coder_table(found), "model")


TYPES = 25  # drawn in the HTML report; as many questions are listed
FIRST = 5  # types that are not folded
EXAMPLES = 3  # of each
CONFUSED = 40  # pairs listed
NAMED = 30  # sentences drawn because a table names them
DIFFERENCES = 12  # described in text next to a picture
ROOM = 1_500_000  # characters that all pictures may use
ONE = 60_000  # characters that one picture may use
NO_PICTURE = Markup("")


@dataclass(frozen=True, slots=True)
class Pair:
    """A confusion: two labels given to the same token or item."""

    names: tuple[str, str]
    count: int
    share: float  # of all pairs of values
    rate: float  # of the pairs with one of the two labels
    examples: tuple[tuple[str, str], ...]  # item and words
    anchor: str


@dataclass(frozen=True, slots=True)
class ConfusionCard:
    """A confusion matrix and the list behind it."""

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
    picture: Markup = NO_PICTURE
    differences: tuple[str, ...] = ()
    more: int = 0  # differences that are not shown
    contested: int = 0  # number of disagreements
    drawn: bool = False
    too_long: bool = False


def confused(survey: Survey, anchors: Any) -> list[ConfusionCard]:
    """Return the confusions of *survey*."""
    if survey.disagreements is None:
        return []
    found = survey.disagreements.confusions
    whats = survey.disagreements.whats.values()
    return [_confused(what, found[what.confusion], anchors) for what in whats if found[what.confusion].counts]


def most_confused(cards: Sequence[ConfusionCard]) -> Pair | None:
    """Return the most frequent confusion of two values in the first table; None without any.

    A part that only one annotator has is not a confusion of two values.
    """
    return next((pair for card in cards[:1] for pair in card.pairs if NOTHING not in pair.names), None)


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
) -> tuple[list[Card], dict[str, list[tuple[str, int | None]]]]:
    """Return the first types of inconsistencies, and the choices of their filters."""
    if survey.types is None or pictures is None:
        return [], {}
    shown = survey.types.types[:TYPES]
    return [card_of(each, survey.types, pictures, EXAMPLES) for each in shown], choices_of(
        survey.types, shown
    )


def types_headline(survey: Survey) -> str:
    """Return one sentence with the number of inconsistencies."""
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
    """Return the hardest items and those named in tables, with pictures up to a total size.

    Args:
        study: The study.
        pictures: Pictures of the kind of *study*, if it has any.
        hardest: Items and their values.
        named: Items named in tables, the most important first.
        values: Values of all items.
        origins: Sources and words of the items.
        anchors: Function that turns names into ids.
        contested: Number of disagreements by item.
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
            room -= len(sentence.picture)
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
    foldable = len(picture.whole) <= min(room - len(markup), ONE)
    return replace(sentence, picture=picture.page if foldable else markup, drawn=True)


def named_items(confusions: Sequence[ConfusionCard], shown: Sequence[Card]) -> list[str]:
    """Return the items named in the report: the first example of each confusion and type, then the others."""
    listed = [[item for item, _ in pair.examples] for each in confusions for pair in each.pairs]
    listed += [[example.item for example in card.examples] for card in shown]
    return [items[rank] for rank in range(EXAMPLES) for items in listed if rank < len(items)]


def outcome_words(found: Adjudicated) -> str:
    """Return one sentence about the decisions of the adjudicator.

    Example:
        >>> from arbitree.adjudication.standings import Standing
        >>> coders = (Standing("ann", 2, 2), Standing("bob", 0, 2))
        >>> outcome_words(Adjudicated({}, 3, 2, 0, coders, {}))
        'The adjudicator decided 2 of 3 disagreements and followed ann 2 times, bob 0 times.'
    """
    share = f"{found.decided:,} of {count_of(found.places, 'disagreement')}"
    who = ", ".join(f"{each.coder} {count_of(each.followed, 'time')}" for each in found.coders)
    other = f", no annotator {count_of(found.neither, 'time')}" if found.neither else ""
    return f"The adjudicator decided {share} and followed {who}{other}."


def signatures(survey: Survey) -> list[tuple[str, str]]:
    """Return the signatures of the parts, by name."""
    types = [("inconsistencies", survey.types.signature)] if survey.types else []
    models = survey.models.results if survey.models else ()
    return [*types, *((each.measure, each.signature) for each in models)]


SHEET_EXAMPLES = 3  # of every type and confusion
WIDTHS = {ITEM: 18, PLACE: 8, WHAT: 9, "words": 18, "in": 70, DECISION: 18, COMMENT: 30, "read at": 24}
WIDTH = 16  # of an annotator's column
MOST = 1_000_000  # disagreements on the sheet; the file format allows 1,048,576 rows


def tables(survey: Survey, unit: str) -> Iterator[Table]:
    """Yield the tables of *survey* in the order of their sheets, without the adjudication sheet."""
    if (first := fix_first(survey, unit)) is not None:
        yield first.table
    if survey.adjudication is not None:
        yield _adjudication(survey.adjudication)
    if survey.types is not None:
        yield from (each for each in words.question_tables(survey.types) if each.name == "Questions")
        yield _types(survey.types)
    yield from (each.table for each in table_sections(survey))
    if survey.disagreements is not None:
        yield from _confusions(survey.disagreements)


def _adjudication(found: Adjudicated) -> Table:
    rows: list[tuple[Any, ...]] = [
        (each.coder, each.followed, each.decided, each.share, each.agreement) for each in found.coders
    ]
    rows.append(("(other value)", found.neither, found.decided, None, None))
    rows.append(("(undecided)", found.undecided, None, None, None))
    last = Column("agreement", "agreement with gold", FRACTION)
    return Table(("annotator", "followed", "decided", "share", last), rows, name="Adjudicated")


def _types(found: Findings) -> Table:
    rows = []
    for each in found.types:
        annotations = " | ".join(fragment.brackets for fragment in each.fragments)
        examples = "; ".join(f"{one.words} ({one.item})" for one in each.nuclei[:SHEET_EXAMPLES])
        figures = (each.size, each.occurrences, each.bits)
        rows.append(
            (each.label, each.class_, *figures, annotations, examples, each.code, each.question or "")
        )
    columns = (
        "type",
        "class",
        "nuclei",
        "occurrences",
        "bits",
        "annotations",
        "examples",
        "code",
        "question",
    )
    return Table(columns, rows, name="Types")


def _confusions(found: Disagreements) -> Iterator[Table]:
    for key, confusion in found.confusions.items():
        if not confusion.counts:
            continue
        rows = []
        for first, second, *counts in confusion.table().rows:
            examples = confusion.examples.get((first, second), [])
            shown = "; ".join(f"{words} ({item})" if words else item for item, words in examples)
            rows.append((first, second, *counts, shown))
        columns = ("label", "other label", "count", "share of all", "share of the two labels", "examples")
        yield Table(columns, rows, name=f"Confused {key}")


def write_adjudication(book: Book, survey: Survey) -> None:
    """Add the sheet for the adjudicator's decisions, with one row per disagreement.

    The choices of a row are in hidden columns. The drop-down list of the decision refers to them, so that
    no formula contains text of the study.
    """
    found = survey.disagreements
    if found is None or not found.places:
        return
    sheet, workbook, formats = book.add_sheet(SHEET), book.workbook, book.formats
    open_ = workbook.add_format(
        {"bg_color": "#FFF8E6", "border": 1, "border_color": "#E0D3B0", "num_format": "@", "valign": "top"}
    )
    plain = workbook.add_format(
        {"valign": "top"}
    )  # one line per row, because row heights differ between programs
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
    if not any(place.place for place in found.places):  # items of label studies have no words
        sheet.set_column(1, 1, None, None, {"hidden": True})
        sheet.set_column(3, 4, None, None, {"hidden": True})
    printed_wide(sheet)
    sheet.print_area(0, 0, last, first - 2)


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
        "input_message": "Choose a value, or type a different one. Leave empty if undecided.",
        "show_error": False,  # a value that no annotator gave is a valid decision
    }
