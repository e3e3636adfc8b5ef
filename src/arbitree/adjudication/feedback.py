"""The differences of each annotator from a gold standard, or from the majority of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from arbitree.adjudication.places import NOTHING, Said, V
from arbitree.study.study import Annotation, Study

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind

FEWEST = 3  # annotators of an item who are compared with the majority of the others


class Difference(NamedTuple):
    """One place at which an annotator differs."""

    item: str
    place: str  # number of a token, or first-last; "" for a whole item
    words: str
    context: str
    given: str  # by the annotator
    expected: str


class DifferenceType(NamedTuple):
    """What is decided, and what the annotator and the others call it: ("label", "obl", "nmod").

    Heads are named by their part of speech or side, so that an error has the same type in all sentences.
    """

    what: str
    given: str
    expected: str


@dataclass(slots=True)
class Feedback:
    """The differences of one annotator, and the number of places compared."""

    coder: str
    gold: bool  # whether a gold standard is compared, or the majority of the others
    items: int = 0  # that were compared
    differing: int = 0  # of these
    differences: int = 0
    uneven: int = 0  # that cannot be compared, because their tokens differ
    alone: int = 0  # items without a gold standard or a majority to compare with
    unsettled: int = 0  # places at which no value has the majority of the others
    compared: Counter[str] = field(default_factory=Counter)  # places by what is decided
    cases: Counter[tuple[str, str]] = field(default_factory=Counter)  # by what is decided and expected
    types: dict[DifferenceType, list[Difference]] = field(default_factory=dict)

    @property
    def ranked(self) -> list[tuple[DifferenceType, list[Difference]]]:
        """The types, the most frequent first."""
        return sorted(self.types.items(), key=lambda each: (-len(each[1]), each[0]))

    def rate(self, found: DifferenceType) -> float | None:
        """Return the share of a type among the places with its expected value; None if that is nothing."""
        if found.expected == NOTHING:
            return None
        return len(self.types[found]) / self.cases[found.what, found.expected]


def feedback_of(study: Study[V], kind: Kind[V], gold: Mapping[str, V] | None = None) -> list[Feedback]:
    """Return the differences of every annotator of *study*.

    Args:
        study: of trees or labels.
        kind: of its annotations.
        gold: the gold standard by item; None to compare with the majority of the other annotators.
    Example:
        >>> from arbitree import kinds, read
        >>> study = read("examples/phrase/ann.mrg", "examples/phrase/bob.mrg", "examples/phrase/cho.mrg")
        >>> [each.differences > 0 for each in feedback_of(study, kinds.of(study))]
        [True, True, True]
    """
    found = {coder: Feedback(coder, gold is not None) for coder in study.coders}
    places = kind.needed("places")
    for item, cells in study:
        done = [cell for cell in cells if kind.done(cell.value)]
        if len(done) < FEWEST if gold is None else item.id not in gold:
            for cell in done:
                found[cell.coder].alone += 1
            continue
        for group in [done] if gold is None else [[cell] for cell in done]:
            values = [cell.value for cell in group]
            known = [] if gold is None else [gold[item.id]]
            compared = places.compare([*values, *known])
            if compared is None:
                for cell in group:
                    found[cell.coder].uneven += 1
                continue
            _compare(found, group, list(compared))
    return list(found.values())


def _compare(found: Mapping[str, Feedback], cells: Sequence[Annotation[Any]], compared: list[Said]) -> None:
    """Count the places of one item."""
    before = {cell.coder: found[cell.coder].differences for cell in cells}
    for said in compared:
        who = range(len(said.rows)) if said.who is None else said.who
        for number, values in enumerate(zip(*said.rows, strict=True)):
            given = dict(zip(who, values, strict=True))
            for place, cell in enumerate(cells):
                if place in given:
                    own = found[cell.coder]
                    expected = _expected(given, place, 1 if own.gold else FEWEST - 1)
                    _take(own, cell, said, number, given[place], expected)
    for cell in cells:
        own = found[cell.coder]
        own.items += 1
        own.differing += own.differences > before[cell.coder]


def _expected(given: Mapping[int, Hashable], place: int, fewest: int) -> list[Hashable]:
    """Return the value that more than half of the others give, in a list that is empty if there is none.

    Args:
        given: the values by annotator.
        place: the annotator who is compared with the others.
        fewest: the number of others that can have a majority.
    Example:
        >>> _expected({0: "a", 1: "b", 2: "b"}, 0, 2), _expected({0: "a", 1: "b", 2: "b"}, 1, 2)
        (['b'], [])
    """
    others = Counter(value for other, value in given.items() if other != place)
    most = others.most_common(1) if others.total() >= fewest else []
    return [value for value, count in most if 2 * count > others.total()]


def _take(
    own: Feedback, cell: Annotation[Any], said: Said, number: int, given: Any, expected: Sequence[Any]
) -> None:
    """Count one place of an annotator."""
    if not expected:
        own.unsettled += 1
        return
    (right,) = expected
    tree = cell.value
    name = said.sort(tree, right, number)
    own.compared[said.what] += 1
    own.cases[said.what, name] += 1
    if given == right:
        return
    key = said.names[number]
    words, context = said.located(tree.tokens, number)
    found = DifferenceType(said.what, said.sort(tree, given, number), name)
    shown = (said.shown(tree, value, number) for value in (given, right))
    own.differences += 1
    own.types.setdefault(found, []).append(Difference(cell.item.id, key, words, context, *shown))


def examples(found: Sequence[Difference], most: int) -> Iterator[Difference]:
    """Yield up to *most* differences, from as many items as possible."""
    seen: Counter[str] = Counter()
    order = []
    for each in found:
        order.append((seen[each.item], each))
        seen[each.item] += 1
    yield from (each for _, each in sorted(order, key=lambda pair: pair[0])[:most])
