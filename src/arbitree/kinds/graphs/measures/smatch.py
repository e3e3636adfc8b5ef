"""Smatch: F1 of the triples that two graphs share under the best alignment of their nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from arbitree.kinds.graphs.alignment import SECONDS, Alignment, best_alignment
from arbitree.kinds.graphs.measures.counts import CountRecipe, Matches, Rows, over
from arbitree.kinds.graphs.value import Graph, GraphValue, Triples
from arbitree.measures.measure import FloatArray, Tally
from arbitree.measures.ratio import Ratio
from arbitree.study.study import Study
from arbitree.wording import count_of

SUBSCORES = ("concepts", "roles", "attributes", "negation", "named_entities", "reentrancies")
COUNTED = ("all", "bound", *SUBSCORES)
_NAME = re.compile(r"op\d+")


@dataclass(frozen=True, slots=True)
class Selection:
    """The triples that are compared.

    Args:
        properties: Whether properties of variables, such as tense in MRS and EDS, count.
        drop: Roles that do not count, separated by +, such as wiki.
    """

    properties: bool = True
    drop: str = ""

    def of(self, value: GraphValue) -> Triples:
        """Return the triples of an annotation."""
        graph = value.graph
        if self.properties and not self.drop:
            return graph.triples
        roles = frozenset(self.drop.lower().split("+")) - {""}
        return graph.triples_without(roles, features=self.properties)


def matched(first: Triples, second: Triples, found: Alignment) -> list[frozenset[Any]]:
    """Return the triples of the first graph that are equal to one of the second, by subscore."""
    partner = found.pairs
    attributes, relations = set(second.attributes), set(second.relations)
    labels = {
        (i, first.labels[i])
        for i, j in partner.items()
        if first.labels[i] and first.labels[i] == second.labels[j]
    }
    own = {each for each in first.attributes if (partner.get(each[0], -1), *each[1:]) in attributes}
    between = {
        (a, role, b)
        for a, role, b in first.relations
        if (partner.get(a, -1), role, partner.get(b, -1)) in relations
    }
    sets = _subsets(first)
    theirs = _subsets(second)
    again = {(a, r, b) for a, r, b in between & sets[5] if (partner[a], r, partner[b]) in theirs[5]}
    return [
        frozenset(each) for each in (labels, between, own, own & sets[3], (own | between) & sets[4], again)
    ]


def _subsets(triples: Triples) -> list[frozenset[Any]]:
    """Return the triples of a graph that belong to each subscore."""
    incoming: dict[int, int] = {}
    for _, _, target in triples.relations:
        incoming[target] = incoming.get(target, 0) + 1
    names = {
        each for each in triples.attributes if _NAME.fullmatch(each[1]) and triples.labels[each[0]] == "name"
    }
    found: list[Any] = [
        [(node, label) for node, label in enumerate(triples.labels) if label],
        triples.relations,
        triples.attributes,
        [each for each in triples.attributes if each[1:] == ("polarity", "-")],
        names | {each for each in triples.relations if each[1] == "name"},
        [each for each in triples.relations if incoming[each[2]] > 1],
    ]
    return [frozenset(each) for each in found]


@dataclass(frozen=True, slots=True)
class SmatchRecipe(CountRecipe):
    """Align the graphs of a study, and count their triples."""

    families: ClassVar[tuple[str, ...]] = COUNTED
    empty: ClassVar[Graph] = Graph()

    selection: Selection
    seconds: float
    ignore_missing: bool

    def counts(self, gold: GraphValue, other: GraphValue) -> Rows:
        """Return the numbers of triples of both graphs and of shared triples, with the bound on them."""
        first, second = self.selection.of(gold), self.selection.of(other)
        found = best_alignment(first, second, self.seconds)
        sizes = [[each.size, each.size, *map(len, _subsets(each))] for each in (first, second)]
        return [*sizes, [found.gain, found.bound, *map(len, matched(first, second, found))]]

    def notes(self, study: Study[Any], both: FloatArray) -> tuple[str, ...]:
        """Return how many items have an unproved alignment, and what of the annotations is not compared."""
        open_ones = int((both[0] < both[1]).sum())
        values = [cell.value.graph for cell in study.cells.values()]
        repeated = sum(self.selection.of(value).repeated for value in values)
        documents = sum(bool(value.unread) for value in values)
        found = []
        if open_ones:
            what = count_of(open_ones, study.value_type.unit)
            found.append(
                f"the alignment of {what} may not be the best one (time limit of {self.seconds:g} s): "
                "value_at_bound is the largest value that is possible"
            )
        if repeated:
            found.append(f"{count_of(repeated, 'repeated triple')} of the same graph counted once")
        if documents:
            found.append(f"the document level of {count_of(documents, 'graph')} was not compared")
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Smatch(Ratio[Matches]):
    """Smatch: F1 of the triples of two graphs under the best alignment of their nodes.

    Triples are the labels of nodes, their attributes with the top, and their relations. The alignment is
    exact, so the value is the same in every run.

    Formula:
        P = m / |first|, R = m / |second|, F = 2 m / (|first| + |second|), summed over the corpus
        with m the triples that both graphs share. Against a gold standard, the first is the system.

    Args:
        selection: The triples that count: ``properties``, ``drop``.
        seconds: Time limit of a pair in the integer program. If it is hit, the value has a bound.
        ignore_missing: Exclude sentences without a second annotation, instead of counting all their gold
            triples as missed.
    Reference:
        Cai & Knight (2013).
    """

    kinds: ClassVar[tuple[type, ...]] = (GraphValue,)
    references: ClassVar[tuple[str, ...]] = ("cai-knight2013",)
    ranks_systems: ClassVar[bool] = True
    by_default: ClassVar[bool] = True
    undefined: ClassVar[str] = "no_triples"
    about: ClassVar[str] = "Smatch: F1 of the triples of graphs under the best alignment of nodes"

    selection: Selection = field(default_factory=Selection)
    seconds: float = SECONDS
    ignore_missing: bool = False

    @property
    def statistics(self) -> SmatchRecipe:
        """The recipe that aligns the graphs."""
        return SmatchRecipe(self.selection, self.seconds, self.ignore_missing)

    def sees(self, stats: Matches) -> tuple[str, ...]:
        """Return the graph, whatever its variables are called."""
        return ("graph",)

    def count(self, stats: Matches) -> Tally:
        """Return the number of shared triples, and the mean number of triples."""
        gold, other, both = stats.gold[0], stats.other[0], stats.both[0]
        first, second = (other, gold) if stats.referenced else (gold, other)
        return Tally(both, (gold + other) / 2, {"first": first, "second": second})

    def details(self, stats: Matches, weights: FloatArray) -> Mapping[str, Any]:
        """Return precision, recall and subscores, and the value at the bound if an alignment is unproved."""
        sums = dict(Ratio.details(self, stats, weights))
        row = weights[0][stats.columns]
        found = {
            "precision": over(sums["numerator"], sums["first"]),
            "recall": over(sums["numerator"], sums["second"]),
            "subscores": {
                name: _scores(row, stats, place) for place, name in enumerate(COUNTED[2:], start=2)
            },
        }
        bound = float(row @ stats.both[1])
        if bound > sums["numerator"]:
            unproved = int(((stats.both[0] < stats.both[1]) & (row > 0)).sum())
            found |= {"unproved_items": unproved, "value_at_bound": over(bound, sums["denominator"])}
        return sums | found


def _scores(row: FloatArray, stats: Matches, place: int) -> dict[str, float | None]:
    both, gold, other = (float(row @ each[place]) for each in (stats.both, stats.gold, stats.other))
    first, second = (other, gold) if stats.referenced else (gold, other)
    return {
        "f1": over(2 * both, first + second),
        "precision": over(both, first),
        "recall": over(both, second),
    }


PLUGINS = {"smatch": Smatch()}
