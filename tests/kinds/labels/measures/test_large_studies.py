"""Short cuts for large studies give the values of the definitions, which weigh every cluster."""

from itertools import combinations

import numpy as np
import pytest

from arbitree.api.evaluate import evaluate
from arbitree.backends.serial import Serial
from arbitree.kinds.labels.distances import Matrix
from arbitree.kinds.labels.kind import KIND
from arbitree.kinds.labels.measures import pair_counts
from arbitree.kinds.labels.measures.ratings import RatingCounts
from arbitree.measures import jackknife, scored
from arbitree.measures.options import measure_named
from arbitree.measures.scored import sample_of
from tests.support.label_patterns import MEASURES, study_of_patterns


@pytest.mark.parametrize("per_cluster", [1, 2])
@pytest.mark.parametrize("name", MEASURES)
def test_blocks_of_clusters_give_the_values_of_single_clusters(monkeypatch, name, per_cluster):
    """Without a block, its clusters have weight 0."""
    study = study_of_patterns(items=120, per_cluster=per_cluster)
    measure = measure_named(name, KIND)[1]
    stats = measure.statistics.prepare(study, Serial())
    members = sample_of(study, measure, stats).members[::2]
    monkeypatch.setattr(jackknife, "BLOCKS", 5)
    found = {}
    for room in (0, 10**9):
        monkeypatch.setattr(jackknife, "ROOM", room)
        found[room] = sample_of(study, measure, stats, members).jackknifed(grouped=False, fast=False)
    assert len(found[0].without) == 5
    assert found[0].without == pytest.approx(found[10**9].without, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("interval", ["jackknife", "percentile"])
@pytest.mark.parametrize("name", MEASURES)
def test_groups_of_items_need_no_other_items(monkeypatch, name, interval):
    study = study_of_patterns(items=120)
    options = {"by": ["document"], "interval": interval, "resamples": 50}
    whole = evaluate(study, name, **options).groups["document"]
    monkeypatch.setattr(scored, "LARGE", 0)
    for group, other in zip(evaluate(study, name, **options).groups["document"], whole, strict=True):
        assert group.value == pytest.approx(other.value, abs=1e-12)
        ends = (other.interval.low, other.interval.high)
        assert (group.interval.low, group.interval.high) == pytest.approx(ends, abs=1e-12)


@pytest.mark.parametrize("missing", [0, 0.3])
def test_all_ways_to_count_pairs_count_the_labels_of_two_annotators(monkeypatch, missing):
    random = np.random.default_rng(2)
    codes = random.integers(3, size=(90, 4)).astype(np.int32)
    codes[random.random(codes.shape) < missing] = -1
    scale = Matrix(np.array([[0, 0.3, 1], [0.3, 0, 0.5], [1, 0.5, 0]]))
    study = study_of_patterns(items=90)
    stats = RatingCounts().prepare(study, Serial())
    given = (codes >= 0).sum(axis=1)
    clusters = np.arange(90) // 10
    stats = pair_counts.LabelCounts(
        codes=codes,
        values=stats.values,
        coders=tuple("abcd"),
        clusters=clusters,
        cluster_count=9,
        single=False,
        given=given,
        used=stats.used,
        ignored=(),
        columns=clusters,
    )
    weights = random.integers(0, 4, size=(7, 9)).astype(np.float64)
    counts = np.zeros((7, 4, 4, 3))
    apart = np.zeros((7, 4, 4))
    for item, labels in enumerate(codes):
        for first, second in combinations(range(4), 2):
            if min(labels[first], labels[second]) >= 0:
                w = weights[:, clusters[item]]
                counts[:, first, second, labels[first]] += w
                counts[:, second, first, labels[second]] += w
                apart[:, first, second] += w * scale.table[labels[first], labels[second]]
                apart[:, second, first] += w * scale.table[labels[first], labels[second]]
    ways = [pair_counts.count_pairs, pair_counts._by_coder, pair_counts._by_label]
    for way in [*ways, *([] if missing else [pair_counts._by_pair])]:
        found = way(stats, scale, weights)
        others = ~np.eye(4, dtype=bool)
        assert np.array_equal(found[0][:, others], counts[:, others])
        assert found[1][:, others] == pytest.approx(apart[:, others], abs=1e-12)
