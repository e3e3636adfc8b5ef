"""Count the labels of all pairs of annotators under weights of clusters."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from arbitree.kinds.labels.distances import Scale
from arbitree.kinds.labels.measures.ratings import BLOCK, LabelCounts
from arbitree.measures.measure import FloatArray

ITEMS = 4096  # items that are counted at once: few enough for a processor's own memory
JOINED = 8  # items per cluster, on average, from which on counts of clusters are faster than items

Counts = tuple[FloatArray, FloatArray]


def count_pairs(stats: LabelCounts, scale: Scale, weights: FloatArray) -> Counts:
    """Return the frequencies of the labels of each pair of annotators, and the sums of their distances.

    Args:
        stats: The labels.
        scale: The distances of labels.
        weights: (B, clusters).
    Returns:
        The frequency of each label on the items that another annotator labelled: (B, coder, other, label),
        and the sum of the distances of their labels: (B, coder, other).
    """
    coders, size = stats.codes.shape[1], len(stats.values)
    columns = coders**2 * (size + 1)
    if stats.cluster_count * JOINED <= len(stats.codes) and stats.cluster_count * columns <= BLOCK:
        table = stats.kept(("pairs", scale), lambda: _by_cluster(stats, scale))
        return _split(weights @ table, coders, size)
    if len(weights) * size < coders:
        return _by_label(stats, scale, weights)
    complete = bool((stats.given == coders).all())
    return (_by_pair if complete else _by_coder)(stats, scale, weights)


def _split(counts: FloatArray, coders: int, size: int) -> Counts:
    """Return frequencies and distances from columns with both."""
    given = counts[:, : coders**2 * size].reshape(-1, coders, coders, size)
    return given, counts[:, coders**2 * size :].reshape(-1, coders, coders)


def _by_cluster(stats: LabelCounts, scale: Scale) -> FloatArray:
    """Return both counts of every cluster: (clusters, coder x other x label and coder x other)."""
    coders, size, count = stats.codes.shape[1], len(stats.values), stats.cluster_count
    given = np.zeros((count, coders, coders, size))
    apart = np.zeros((count, coders, coders))
    columns = np.ascontiguousarray(stats.codes.T)
    for first, second in combinations(range(coders), 2):
        items = np.flatnonzero((columns[first] >= 0) & (columns[second] >= 0))
        rows, ours, theirs = stats.clusters[items], columns[first][items], columns[second][items]
        for one, other, labels in ((first, second, ours), (second, first, theirs)):
            found = np.bincount(rows * size + labels, minlength=count * size)
            given[:, one, other] = found.reshape(count, size)
        apart[:, first, second] = np.bincount(rows, scale.between(ours, theirs), count)
        apart[:, second, first] = apart[:, first, second]
    return np.concatenate([given.reshape(count, -1), apart.reshape(count, -1)], axis=1)


def _by_pair(stats: LabelCounts, scale: Scale, weights: FloatArray) -> Counts:
    """Return the counts if every annotator labelled every item; one product compares all pairs."""
    coders, size = stats.codes.shape[1], len(stats.values)
    first, second = np.triu_indices(coders, 1)
    counts = np.zeros((len(weights), coders * size + len(first)))
    for start in range(0, len(stats.codes), ITEMS):
        codes = stats.codes[start : start + ITEMS]
        table = np.zeros((len(codes), counts.shape[1]))
        table[np.arange(len(codes))[:, None], np.arange(coders) * size + codes] = 1
        table[:, coders * size :] = scale.between(codes[:, first], codes[:, second])
        counts += weights[:, stats.clusters[start : start + ITEMS]] @ table
    given = np.broadcast_to(
        counts[:, : coders * size].reshape(-1, coders, 1, size), (len(weights), coders, coders, size)
    )
    apart = np.zeros((len(weights), coders, coders))
    apart[:, first, second] = apart[:, second, first] = counts[:, coders * size :]
    return given, apart


def _by_coder(stats: LabelCounts, scale: Scale, weights: FloatArray) -> Counts:
    """Return the counts; one product compares a label of one annotator with all others."""
    codes = stats.codes
    coders = codes.shape[1]
    apart = np.zeros((len(weights), coders, coders))
    given = np.zeros((len(weights), coders, coders, len(stats.values)))
    said = (codes >= 0).astype(np.float64)
    for coder in range(coders):
        for label in range(len(stats.values)):
            items = np.flatnonzero(codes[:, coder] == label)
            if len(items):
                w = weights[:, stats.clusters[items]]
                given[:, coder, :, label] = w @ said[items]
                apart[:, coder] += w @ (scale.between(label, codes[items]) * said[items])
    return given, apart


def _by_label(stats: LabelCounts, scale: Scale, weights: FloatArray) -> Counts:
    """Return the counts; one product compares a label of all annotators with all.

    This is faster for few rows of weights and many annotators.
    """
    coders = stats.codes.shape[1]
    apart = np.zeros((len(weights), coders, coders))
    given = np.zeros((len(weights), coders, coders, len(stats.values)))
    step = max(1, BLOCK // coders)
    for start in range(0, len(stats.codes), step):
        codes = stats.codes[start : start + step]
        said = (codes >= 0).astype(np.float64)
        for label in range(len(stats.values)):
            far = scale.between(label, codes) * said
            for place, row in enumerate(weights[:, stats.clusters[start : start + step]]):
                own = np.where(codes == label, row[:, None], 0).T
                given[place, :, :, label] += own @ said
                apart[place] += own @ far
    return given, apart
