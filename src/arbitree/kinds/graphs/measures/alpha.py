"""Krippendorff's α with distances between graphs: 1 - F of Smatch, or bags of neighbourhoods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.errors import UnknownName
from arbitree.kinds.graphs.alignment import SECONDS, best_alignment
from arbitree.kinds.graphs.canonical import canonical
from arbitree.kinds.graphs.measures.smatch import Selection
from arbitree.kinds.graphs.neighbourhoods import ROUNDS, bag_distance, bag_of
from arbitree.kinds.graphs.value import GraphValue, Triples
from arbitree.measures.alpha import Alpha
from arbitree.measures.measure import FloatArray
from arbitree.measures.sums.bags import bags_of
from arbitree.measures.sums.distinct import Distinct, distinct_values
from arbitree.measures.sums.pairs import PairStatistics, PairSums, Used, prepare
from arbitree.measures.sums.recipes import recipe_of
from arbitree.measures.sums.sampled import Sampling
from arbitree.study.comparable import pairable
from arbitree.study.flat_tree import IntArray
from arbitree.study.study import Study
from arbitree.wording import count_of

DISTANCES = ("smatch", "wl")
CHEAP = 2_000  # pairs of items that are aligned without being asked for; of more, a sample
SAMPLED = 2_000  # pairs in that sample


@dataclass(frozen=True, slots=True)
class GraphDistance:
    """Distance between graphs: 1 - F of Smatch, or the share of neighbourhoods that they do not share.

    Args:
        distance: ``smatch``, or ``wl`` for large corpora.
        rounds: Rounds of ``wl``.
        selection: The triples that count: ``properties``, ``drop``.
        seconds: Time limit of a pair in the integer program.
    """

    kinds: ClassVar[tuple[type, ...]] = (GraphValue,)
    slow_from: ClassVar[None] = None
    column: ClassVar[int] = 0

    distance: str = "smatch"
    rounds: int = ROUNDS
    selection: Selection = field(default_factory=Selection)
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        if self.distance not in DISTANCES:
            raise UnknownName(f"distance is {self.distance!r}", hint="Use smatch or wl")
        if self.rounds < 0:
            raise UnknownName(f"rounds is {self.rounds}", hint="Use a whole number of 0 or more")

    @property
    def about(self) -> str:
        """A short description."""
        return "distances between graphs (1 - F of Smatch, or wl)"

    @property
    def references(self) -> tuple[str, ...]:
        """The papers that define the distance."""
        return ("cai-knight2013",) if self.distance == "smatch" else ("shervashidze2011",)

    def __call__(self, first: GraphValue, second: GraphValue) -> float:
        """Return the distance of two annotations."""
        ours, theirs = map(self.selection.of, (first, second))
        if self.distance == "wl":
            return bag_distance(bag_of(ours, self.rounds), bag_of(theirs, self.rounds))
        return 1 - 2 * best_alignment(ours, theirs, self.seconds).gain / (ours.size + theirs.size)


@dataclass(frozen=True, slots=True)
class GraphSums(PairStatistics):
    """Recipe for the sums of distances between graphs, which are not squared."""

    deltas: ClassVar[int] = 2  # with the alignments that were found, and with the best that are possible

    distance: GraphDistance
    sampling: Sampling

    def prepare(self, study: Study[Any], run: Run) -> PairSums:
        """Compute the sums in blocks that *run* distributes; of very many pairs, estimate them."""
        if self.distance.distance == "wl":
            return prepare(study, self.bags, self.sampling, run)
        used, _ = pairable(study)
        clusters = len({item.cluster for item, _ in used})
        sampling, notes = self.sampling, []
        if not sampling.asked and clusters * (clusters - 1) // 2 > CHEAP:
            sampling = replace(sampling, pairs=SAMPLED)
            notes.append(
                f"expected disagreement was estimated from {SAMPLED:,} pairs of sentences. "
                "Use --pairs N for another number, or distance=wl to compare all pairs"
            )
        found = prepare(study, self.aligned, sampling, run)
        if unproved := int((found.per_item[0] > found.per_item[1]).sum()):
            notes.append(
                f"the alignments of {count_of(unproved, 'sentence')} may not be the best ones "
                f"(time limit of {self.distance.seconds:g} s): value_range contains α"
            )
        return replace(found, notes=(*found.notes, *notes))

    def aligned(self, used: Used) -> AlignedGraphs:
        """Return the graphs of *used*, to be aligned."""
        return AlignedGraphs(self._distinct(used), self.distance.seconds)

    def bags(self, used: Used) -> Any:
        """Return the bags of neighbourhoods of the graphs of *used*."""
        found = self._distinct(used)
        values: list[int] = []
        elements: list[int] = []
        numbers: dict[int, int] = {}
        for place, triples in enumerate(found.values):
            for key in bag_of(triples, self.distance.rounds).elements():
                values.append(place)
                elements.append(numbers.setdefault(key, len(numbers)))
        return bags_of(found, np.array(values, dtype=np.int64), np.array(elements, dtype=np.int64), power=1)

    def _distinct(self, used: Used) -> Distinct[Triples]:
        values = [[self.distance.selection.of(cell.value) for cell in cells] for _, cells in used]
        return distinct_values(used, values, key=canonical, size=_size)


def _size(triples: Triples) -> int:
    return triples.size


@recipe_of.register
def _(distance: GraphDistance, sampling: Sampling) -> GraphSums:
    return GraphSums(distance, sampling)


@dataclass(frozen=True, slots=True)
class AlignedGraphs:
    """Graphs that are aligned pair by pair, when their distance is needed."""

    found: Distinct[Triples]
    seconds: float

    @property
    def delta_count(self) -> int:
        """2: the distance of the alignment that was found, and the smallest that is possible."""
        return 2

    @property
    def clusters(self) -> tuple[str, ...]:
        """The clusters by the size of their graphs."""
        return self.found.clusters

    @property
    def of_item(self) -> tuple[tuple[int, ...], ...]:
        """The graphs of every item."""
        return self.found.of_item

    @property
    def groups(self) -> NDArray[np.int64]:
        """The start of each cluster's graphs."""
        return self.found.groups

    @property
    def counts(self) -> FloatArray:
        """The number of annotations with each graph."""
        return self.found.counts

    def sums(self, rows: tuple[int, int]) -> FloatArray:
        """Return the sums between the clusters of *rows* and all clusters from its first."""
        groups, counts = self.groups, self.counts
        total = np.zeros((2, rows[1] - rows[0], len(self.clusters) - rows[0]))
        for row in range(*rows):
            for column in range(row + 1, len(self.clusters)):
                for ours in range(groups[row], groups[row + 1]):
                    for theirs in range(groups[column], groups[column + 1]):
                        weight = counts[ours] * counts[theirs]
                        total[:, row - rows[0], column - rows[0]] += weight * self._distances(ours, theirs)
        return total

    def squares(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the distances of pairs of graphs, not squared."""
        return np.array(
            [self._distances(i, j) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
        ).T.reshape(2, len(first))

    def _distances(self, first: int, second: int) -> FloatArray:
        ours, theirs = self.found.values[first], self.found.values[second]
        if first == second:
            return np.zeros(2)
        aligned = best_alignment(ours, theirs, self.seconds)
        return 1 - 2 * np.array([aligned.gain, aligned.bound]) / (ours.size + theirs.size)


@dataclass(frozen=True, slots=True)
class GraphAlpha(Alpha):
    """1 minus the ratio of observed to expected disagreement between graphs.

    Formula:
        α = 1 - D_o / D_e
        D_o = 1/n Σ_i 1/(r_i - 1) Σ_{c≠c'} d(x_ic, x_ic')
        D_e = 1/(n(n - 1)) Σ d(x, y) over all ordered pairs of annotations
        with d = 1 - F of Smatch or d = wl, not squared, over the items with r_i >= 2.
    """

    family: ClassVar[str] = "chance-corrected agreement on graphs"

    distance: GraphDistance = field(default_factory=GraphDistance)

    def sees(self, stats: PairSums) -> tuple[str, ...]:
        """Return the graph, whatever its variables are called."""
        return ("graph",)

    def sampled(self, plan: Sampling) -> GraphAlpha:
        """Return the same measure with the sampling *plan*."""
        return replace(self, sampling=plan)

    def details(self, stats: PairSums, weights: FloatArray) -> Mapping[str, Any]:
        """Return the parts of α, and the range of α if an alignment is unproved."""
        found = dict(Alpha.details(self, stats, weights))
        if self.distance.distance == "wl":
            return found
        (most, highest), (least, lowest) = (
            [float(part[0]) for part in self.parts_of(stats, weights, column)[:2]] for column in (0, 1)
        )
        if (most, highest) != (least, lowest) and lowest > 0:
            found["value_range"] = [1 - most / lowest, 1 - least / highest]
        return found


PLUGINS = {"alpha_graph": GraphAlpha()}
