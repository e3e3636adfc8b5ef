"""What the page of a report shows beside measures: types, models, confusions, sentences with pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from arbitree.analyses.contested import Confusion
from arbitree.analyses.followed import Outcome
from arbitree.analyses.survey import Survey
from arbitree.data.dependency import DepTree
from arbitree.data.phrase import PhraseTree
from arbitree.data.study import Study
from arbitree.reports import findings as words
from arbitree.reports.findingspage import Card, card_of, choices_of
from arbitree.reports.heat import Matrix, confusion_matrix
from arbitree.reports.outline import Place
from arbitree.reports.pictures import Picture, draw
from arbitree.reports.words import count_of, count_word

TYPES = 25  # drawn on the page
EXAMPLES = 3  # of each
CONFUSED = 40  # pairs listed
NAMED = 30  # sentences drawn because a table names them
DIFFERENCES = 12  # said in words beside a picture
ROOM = 1_500_000  # letters that all pictures may take
ONE = 60_000  # letters that one picture may take
NOTHING = Markup("")

TITLES = {
    "labels": "Labels",
    "attachments": "Attachments",
    "tags": "Parts of speech",
}
NOTES = {
    "labels": "How often two coders give two labels to one place. On the diagonal: how often the same.",
    "attachments": (
        "Tokens under different heads, by what the heads are: their part of speech, or the side on which "
        "they stand. On the diagonal: another head of the same kind."
    ),
    "tags": "How often two coders give two tags to one token. On the diagonal: how often the same.",
}


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
class Confused:
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


def confused(survey: Survey, anchors: Any) -> list[Confused]:
    """Return the confusions of *survey* that there are."""
    found = survey.disagreements.confusions if survey.disagreements else {}
    return [_confused(key, each, anchors) for key, each in found.items() if each.counts]


def _confused(key: str, found: Confusion, anchors: Any) -> Confused:
    rows = found.table().rows[:CONFUSED]
    ids = anchors(key, [f"{row[0]} {row[1]}" for row in rows])
    pairs = tuple(
        Pair((one, two), count, share, rate, tuple(found.examples.get((one, two), ())), anchor)
        for (one, two, count, share, rate), anchor in zip(rows, ids, strict=True)
    )
    return Confused(
        key=key,
        title=TITLES[key],
        note=NOTES[key],
        matrix=confusion_matrix(found),
        pairs=pairs,
        hidden=len(found.counts) - len(pairs),
        anchors={pair.names: pair.anchor for pair in pairs},
    )


def cards(survey: Survey) -> tuple[list[Card], dict[str, list[tuple[str, int]]]]:
    """Return the first types of inconsistencies, and what their filters offer."""
    if survey.types is None:
        return [], {}
    shown = survey.types.types[:TYPES]
    return [card_of(each, survey.types, EXAMPLES) for each in shown], choices_of(survey.types, shown)


def types_headline(survey: Survey) -> str:
    """Return in words how much is inconsistent."""
    return words.headline(survey.types) if survey.types else ""


def sentences(
    study: Study[Any],
    hardest: Sequence[tuple[str, float]],
    named: Iterable[str],
    values: Mapping[str, float],
    places: Mapping[str, Place],
    anchors: Any,
    contested: Mapping[str, int],
) -> tuple[list[Sentence], list[Sentence]]:
    """Return the hardest items and those that tables name, with pictures as long as there is room.

    Args:
        study: what to draw from.
        hardest: items and their values.
        named: items, the most important first.
        values: of all items.
        places: where items were read, and their words.
        anchors: makes ids of names.
        contested: how many places of each item are.
    """
    drawable = study.value_type in (DepTree, PhraseTree)
    first = [item for item, _ in hardest]
    others = [item for item in dict.fromkeys(named) if item not in set(first)][:NAMED] if drawable else []
    ids = anchors("item", [*first, *others])
    found, room = [], ROOM
    for item, anchor in zip([*first, *others], ids, strict=True):
        place = places.get(item, Place("", ""))
        count = contested.get(item, 0)
        sentence = Sentence(item, values.get(item), place.text, place.source, anchor, contested=count)
        if drawable:
            sentence = _drawn(sentence, draw(study, item), room)
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


def named_items(confusions: Sequence[Confused], shown: Sequence[Card]) -> list[str]:
    """Return the items that the page names: the first example of each confusion and type, then the others."""
    listed = [[item for item, _ in pair.examples] for each in confusions for pair in each.pairs]
    listed += [[example.item for example in card.examples] for card in shown]
    return [items[rank] for rank in range(EXAMPLES) for items in listed if rank < len(items)]


def outcome_words(found: Outcome) -> str:
    """Return in words what the adjudicator did.

    Example:
        >>> from arbitree.analyses.followed import Standing
        >>> coders = (Standing("ann", 2, 1.0, 0.9, 2), Standing("bob", 0, 0.0, 0.5, 2))
        >>> outcome_words(Outcome({}, 3, 2, 0, coders, {}))
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
