"""κ over the leaves of a hierarchy of tags; tags may be inner nodes, sets or distributions.

Reference:
    Melamed & Resnik (2000), section 5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arbitree.backends.base import Run
from arbitree.kinds.labels.distances import Equality
from arbitree.kinds.labels.hierarchy.downward import Downward
from arbitree.kinds.labels.measures.chance import ROUNDING, corrected, mean_difference
from arbitree.kinds.labels.measures.ratings import LabelCounts, counts_of, rows_in
from arbitree.kinds.labels.measures.tag_sets import HierarchyOptions, codes_given, tags_given
from arbitree.kinds.labels.value import Label, Tags
from arbitree.measures.measure import Extent, FloatArray, ItemCounts, Measure, Prepared, Statistics, share
from arbitree.plugins import check_name
from arbitree.study.study import Study

EXPECTED = ("pooled", "cohen")
BLOCK = 1 << 22  # numbers held at once for the resamples


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LeafAgreement(Prepared):
    """Agreement of every item over the leaves, and the tags of each annotator by cluster.

    Chance agreement is computed over tags, which are few, not over leaves, which are many: with q the weights
    of the tags and D the products of their leaf distributions, Σ_l Pr(l)² is q D q.
    """

    counts: LabelCounts
    products: FloatArray  # (used,) Σ over pairs of annotators of Σ_l p1(l) p2(l)
    selves: FloatArray  # (used,) mean over the annotations of Σ_l p(l)²
    overlaps: Any  # (tags, tags) sparse: Σ_l of the products of two tags' leaf distributions
    pooled: Any  # (clusters, tags) sparse: weights of the tags, every item counted once
    by_coder: tuple[Any, ...]  # the same for each annotator
    items: FloatArray  # (clusters,) items with tags
    items_by_coder: FloatArray  # (clusters, coders)
    leaves: int

    @property
    def pairs(self) -> FloatArray:
        """The number of pairs of annotators of every used item."""
        given = self.counts.given[self.counts.pairable].astype(np.float64)
        return given * (given - 1) / 2

    @property
    def differing(self) -> FloatArray:
        """1 for every used item whose annotations have different distributions over the leaves, else 0."""
        return (self.selves - self.products / self.pairs > ROUNDING).astype(np.float64)

    def distinct(self, clusters: NDArray[np.intp], counts: FloatArray) -> LeafAgreement:
        """Return the statistics of *clusters*, each of which represents *counts* clusters with equal tags."""
        part = self.counts.distinct(clusters, counts)
        used = self.counts.positions(rows_in(clusters, self.counts.clusters, self.counts.cluster_count)[0])
        return replace(
            self,
            counts=part,
            products=self.products[used],
            selves=self.selves[used],
            pooled=self.pooled[clusters],
            by_coder=tuple(each[clusters] for each in self.by_coder),
            items=self.items[clusters],
            items_by_coder=self.items_by_coder[clusters],
            columns=part.columns,
            used=part.used,
        )

    @property
    def used_columns(self) -> NDArray[np.intp]:
        """The column of the cluster of every used item."""
        return self.counts.used_columns

    def by_cluster(self, amounts: FloatArray) -> FloatArray:
        """Return the sums of *amounts*, one for each used item, over the items of each cluster."""
        return self.counts.by_cluster(amounts, self.counts.pairable)


@dataclass(frozen=True, slots=True)
class LeafStatistics(Statistics[LeafAgreement]):
    """Distribute the tags over the leaves and compare all pairs of annotations."""

    tagset: HierarchyOptions

    def prepare(self, study: Study[Any], run: Run) -> LeafAgreement:
        """Compare the annotations; *run* is not used."""
        codes, values = codes_given(study)
        counts = counts_of(
            codes,
            values,
            items=study.items,
            coders=study.coders,
            clusters=study.columns,
            cluster_count=study.cluster_count,
            singles=True,
        )
        tags = tags_given(codes, values)
        down, notes = self.tagset.over(study, tags)
        leaves = _leaf_rows(down, tags)
        overlaps = leaves @ leaves.T
        weights = _tag_weights(values, tags)
        coders = [_rows_of(weights, column) for column in codes.T]
        whole = sum(coders[1:], coders[0])
        selves = np.append(_quadratic(weights, overlaps), 0.0)[codes].sum(axis=1)
        products = (_quadratic(whole, overlaps) - selves) / 2
        gather = _gathering(counts, np.ones(len(codes)))
        return LeafAgreement(
            counts=counts,
            products=products[counts.pairable],
            selves=(selves / np.maximum(counts.given, 1))[counts.pairable],
            overlaps=overlaps,
            pooled=_gathering(counts, 1 / np.maximum(counts.given, 1)) @ whole,
            by_coder=tuple(gather @ each for each in coders),
            items=gather @ (counts.given > 0).astype(np.float64),
            items_by_coder=gather @ (codes >= 0).astype(np.float64),
            leaves=leaves.shape[1],
            columns=counts.columns,
            used=counts.used,
            ignored=counts.ignored,
            notes=(*counts.notes, *notes),
        )


@dataclass(frozen=True, slots=True)
class HierarchicalKappa(Measure[LeafAgreement]):
    """Chance-corrected agreement over leaves.

    Formula:
        κ = (Pr(A) - Pr(E)) / (1 - Pr(E))
        Pr(A) = mean over items, and over the pairs of annotators of an item, of Σ_l p1(l) p2(l)
        Pr(E) = Σ_l Pr(l)², with Pr(l) the mean of all annotations (pooled), or the mean over pairs of
        annotators of Σ_l Pr1(l) Pr2(l), with the means of each annotator (cohen).
        normalised: (Pr(A) - Pr(E)) / (Pr(A') - Pr(E)), with Pr(A') the mean over annotations of Σ_l p(l)²:
        the value of Pr(A) if every annotator were compared with an identical copy.
    Args:
        expected: ``pooled`` or ``cohen``, as above.
        normalised: whether to divide by the highest possible value, as above.
    """

    kinds: ClassVar[tuple[type, ...]] = (Label, Tags)
    references: ClassVar[tuple[str, ...]] = ("melamed-resnik2000",)
    undefined: ClassVar[str] = "no_variation"
    across_items: ClassVar[bool] = True
    about: ClassVar[str] = "κ over the leaves of a hierarchy of tags; needs hierarchy=FILE"

    tagset: HierarchyOptions = field(default_factory=HierarchyOptions)
    expected: str = EXPECTED[0]
    normalised: bool = False
    by_default: bool = field(default=False, metadata={"fixed": True})

    def __post_init__(self) -> None:
        check_name(self.expected, EXPECTED, "kind of expected agreement")

    def check(self, study: Study[Any]) -> None:
        """Raise UnsupportedStudy if there is no hierarchy."""
        self.tagset.check("hierarchical_kappa")

    @property
    def statistics(self) -> LeafStatistics:
        """The recipe for the agreement over leaves, shared by all variants."""
        return LeafStatistics(self.tagset)

    def score(self, stats: LeafAgreement, weights: FloatArray) -> FloatArray:
        """Return κ for every row of *weights*; NaN if chance agreement is at its maximum."""
        observed, expected, highest = self._parts(stats, weights)
        if not self.normalised:
            return corrected(observed, expected)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(
                highest - expected > ROUNDING, (observed - expected) / (highest - expected), np.nan
            )

    def extent(self, stats: LeafAgreement, weights: FloatArray) -> Extent:
        """Return 1 to -1; tags that differ are more unlike than two random ones.

        There is no limit if κ is normalised, nor if chance agreement depends on tags that are not compared.
        """
        apart = mean_difference(stats.counts, Equality(), weights)
        _, expected, _ = self._parts(stats, weights)
        unlike = apart / max(1 - float(expected[0]), ROUNDING)
        limited = not self.normalised and bool((stats.counts.codes >= 0).all())
        return Extent(worst=-math.inf, unlike=unlike, farthest=2 if limited else math.inf)

    def highest(self, stats: LeafAgreement, weights: FloatArray) -> float:
        """Return κ of annotators who are compared with identical copies of themselves."""
        if self.normalised:
            return 1.0
        _, expected, highest = self._parts(stats, weights)
        return float(corrected(highest, expected)[0])

    def drawn_together(self, stats: LeafAgreement) -> NDArray[np.intp]:
        """Return numbers of clusters: resamples draw those with the same tags together."""
        return stats.counts.alike(coders=self.expected == "cohen")

    def details(self, stats: LeafAgreement, weights: FloatArray) -> Mapping[str, Any]:
        """Return Pr(A), Pr(E), and the numbers behind the value."""
        observed, expected, _ = (float(each[0]) for each in self._parts(stats, weights))
        return {
            "observed_agreement": share(observed),
            "expected_agreement": share(expected),
            "items_differing": round(float(weights[0] @ stats.by_cluster(stats.differing))),
            "annotations": int(stats.counts.given[stats.counts.pairable].sum()),
            "coverage": float((stats.counts.codes >= 0).mean()) if stats.counts.codes.size else None,
            "tags": stats.overlaps.shape[0],
            "leaves": stats.leaves,
        }

    def item_counts(self, stats: LeafAgreement) -> ItemCounts:
        """Return the agreement of every item: its sum over pairs of annotators, and the number of pairs."""
        return ItemCounts(stats.products, stats.pairs)

    def _parts(self, stats: LeafAgreement, weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return Pr(A), Pr(E) and Pr(A') for every row of *weights*."""
        counts = weights @ stats.by_cluster(np.ones(len(stats.used)))
        chance = _pooled if self.expected == "pooled" else _between_coders
        step = max(1, BLOCK // max(stats.overlaps.shape[0], 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = weights @ stats.by_cluster(stats.products / stats.pairs) / counts
            highest = weights @ stats.by_cluster(stats.selves) / counts
            parts = [chance(stats, weights[k : k + step]) for k in range(0, len(weights), step)]
        return observed, np.concatenate(parts), highest


def _pooled(stats: LeafAgreement, weights: FloatArray) -> FloatArray:
    """Return Σ_l Pr(l)² with Pr(l) over all annotations: equation 5."""
    shares = (stats.pooled.T @ weights.T) / (weights @ stats.items)
    found: FloatArray = np.einsum("tb,tb->b", stats.overlaps @ shares, shares)
    return found


def _between_coders(stats: LeafAgreement, weights: FloatArray) -> FloatArray:
    """Return the mean over pairs of annotators of Σ_l Pr1(l) Pr2(l), without annotators who have no items."""
    counts = weights @ stats.items_by_coder
    present = (counts > 0).sum(axis=1)
    total: Any = 0.0
    alone: Any = 0.0
    for own, count in zip(stats.by_coder, counts.T, strict=True):
        shares = (own.T @ weights.T) / np.where(count > 0, count, 1)
        total = total + shares
        alone = alone + np.einsum("tb,tb->b", stats.overlaps @ shares, shares)
    found: FloatArray = np.einsum("tb,tb->b", stats.overlaps @ total, total) - alone
    found /= present * (present - 1)
    return found


def _gathering(counts: LabelCounts, amounts: FloatArray) -> Any:
    """Return the matrix that sums weighted rows of items into rows of clusters."""
    from scipy.sparse import csr_array

    places = np.arange(len(counts.codes))
    return csr_array((amounts, (counts.clusters, places)), (counts.cluster_count, len(places)))


def _tag_weights(values: tuple[Any, ...], tags: Mapping[str, float]) -> Any:
    """Return the weights of *tags* in each value: (values, tags)."""
    from scipy.sparse import csr_array

    places = {tag: place for place, tag in enumerate(tags)}
    entries = [
        (row, places[tag], weight)
        for row, value in enumerate(values)
        for tag, weight in value.weights
        if tag in places
    ]
    rows, columns, data = zip(*entries, strict=True) if entries else ((), (), ())
    return csr_array((data, (rows, columns)), (len(values), len(tags)), dtype=np.float64)


def _leaf_rows(down: Downward, tags: Mapping[str, float]) -> Any:
    """Return the leaf distributions of *tags*: (tags, leaves that any of them reaches)."""
    from scipy.sparse import csr_array

    masses = [down.masses(tag) for tag in tags]
    leaves = {leaf: place for place, leaf in enumerate(sorted({leaf for each in masses for leaf in each}))}
    rows = np.repeat(np.arange(len(masses)), [len(each) for each in masses])
    columns = [leaves[leaf] for each in masses for leaf in each]
    data = [mass for each in masses for mass in each.values()]
    return csr_array((data, (rows, columns)), (len(masses), len(leaves)), dtype=np.float64)


def _rows_of(weights: Any, codes: NDArray[np.int32]) -> Any:
    """Return the row of *weights* for each of *codes*; an empty row for -1."""
    from scipy.sparse import csr_array

    present = np.flatnonzero(codes >= 0)
    entries = (np.ones(len(present)), (present, codes[present]))
    return csr_array(entries, (len(codes), weights.shape[0])) @ weights


def _quadratic(rows: Any, matrix: Any) -> FloatArray:
    """Return x M x for each row x."""
    return np.asarray((rows @ matrix).multiply(rows).sum(axis=1), dtype=np.float64).ravel()


PLUGINS = {"hierarchical_kappa": HierarchicalKappa()}
