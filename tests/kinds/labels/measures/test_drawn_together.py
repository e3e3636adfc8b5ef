"""Resamples that draw clusters with equal labels together, compared with resamples of single clusters."""

from dataclasses import replace

import numpy as np
import pytest

from arbitree.api.agree import agree
from arbitree.api.evaluate import evaluate
from arbitree.backends.serial import Serial
from arbitree.kinds.labels.kind import KIND
from arbitree.measures import resampling
from arbitree.measures.options import measure_named
from arbitree.measures.resampling import Groups, Resampling
from arbitree.measures.scored import sample_of
from tests.support.label_patterns import MEASURES, PATTERNS, study_of_patterns

DRAWN = 1000


def plain_weights(members, clusters, seed):
    """Resamples of single clusters, as before clusters were drawn together."""
    random = np.random.default_rng(seed)
    drawn = members[random.integers(len(members), size=(DRAWN, len(members)))]
    places = drawn + np.arange(DRAWN)[:, None] * clusters
    return np.bincount(places.ravel(), minlength=DRAWN * clusters).reshape(DRAWN, clusters).astype(float)


def sample(study, name):
    measure = measure_named(name, KIND)[1]
    return sample_of(study, measure, measure.statistics.prepare(study, Serial()))


def alike_in_distribution(found, expected):
    """Both have the same mean, spread and ends, within the error of drawing: five standard errors each."""
    assert np.isnan(found).mean() == pytest.approx(np.isnan(expected).mean(), abs=0.03)
    found, expected = found[~np.isnan(found)], expected[~np.isnan(expected)]
    spread = expected.std()
    assert found.mean() == pytest.approx(expected.mean(), abs=5 * spread * np.sqrt(2 / DRAWN))
    assert found.std() == pytest.approx(spread, rel=5 / np.sqrt(DRAWN))
    ends = np.quantile(found, [0.025, 0.975]) - np.quantile(expected, [0.025, 0.975])
    assert np.abs(ends).max() < 5 * spread * np.sqrt(2 * 0.025 * 0.975 / DRAWN) / 0.0584  # density there


@pytest.mark.parametrize("per_cluster", [1, 2])
@pytest.mark.parametrize("name", MEASURES)
def test_values_of_groups_have_the_distribution_of_plain_resamples(name, per_cluster):
    study = study_of_patterns(per_cluster=per_cluster)
    whole = sample(study, name)
    for each in (whole, replace(whole, members=whole.members[::2])):  # as in a breakdown by document
        assert len(Groups.of([each]).first) <= len(PATTERNS)
        (found,) = Resampling(DRAWN, seed=1, method="percentile").values(each)
        assert found[0] == each.score(each.weights)[0]
        alike_in_distribution(found[1:], each.score(plain_weights(each.members, each.clusters, 2)))


@pytest.mark.parametrize("per_cluster", [1, 2])
@pytest.mark.parametrize("name", MEASURES)
def test_a_group_counts_as_its_clusters(name, per_cluster):
    """Copies of one cluster are not paired in α, so there only the size of the difference is known: 1/n."""
    each = sample(study_of_patterns(per_cluster=per_cluster), name)
    groups = Groups.of([each])
    numbers = each.groups()
    weights = plain_weights(each.members, each.clusters, 3)[:20]
    sums = np.stack([weights @ (numbers == numbers[first]) for first in groups.first], axis=1)
    found = each.together(groups.first, groups.counts)(sums)
    tolerance = 5e-3 if name.startswith("alpha") else 1e-12
    assert found == pytest.approx(each.score(weights), abs=tolerance, nan_ok=True)


def test_one_cluster_per_group_gives_the_value_of_plain_weights():
    """With one cluster in each group, copies of one cluster are known, and α is exact."""
    each = sample(study_of_patterns(), "alpha_nominal")
    first = Groups.of([each]).first
    counts = np.random.default_rng(0).integers(0, 5, size=(20, len(first))).astype(float)
    plain = np.zeros((20, each.clusters))
    plain[:, first] = counts
    assert each.together(first, np.ones(len(first)))(counts) == pytest.approx(each.score(plain), abs=1e-12)


def test_differences_are_drawn_from_groups_of_both_measures():
    study = study_of_patterns()
    members = np.arange(280)  # items with one label count in π only
    pair = [replace(sample(study, name), members=members) for name in ("kappa", "multi_pi")]
    assert len(Groups.of(pair).first) == len(PATTERNS)
    ours, theirs = Resampling(DRAWN, seed=1, method="percentile").values(*pair)
    weights = plain_weights(members, 280, 2)
    alike_in_distribution((ours - theirs)[1:], pair[0].score(weights) - pair[1].score(weights))


def test_the_order_of_annotators_does_not_change_the_interval():
    found = [
        evaluate(study_of_patterns(order=order), "kappa", interval="percentile", resamples=200).interval
        for order in ((0, 1, 2), (2, 0, 1))
    ]
    assert found[0].low == pytest.approx(found[1].low, abs=1e-12)
    assert found[0].high == pytest.approx(found[1].high, abs=1e-12)


def test_chunks_do_not_change_resamples_of_groups(monkeypatch):
    study = study_of_patterns()
    whole = evaluate(study, "ac1", interval="percentile", resamples=100).interval
    monkeypatch.setattr(resampling, "CHUNK", 30)
    assert evaluate(study, "ac1", interval="percentile", resamples=100).interval == whole


def test_clusters_with_different_labels_are_drawn_one_by_one():
    study = study_of_patterns(items=60)
    each = sample(study, "kappa")
    assert Groups.of([each]) is None
    (found,) = Resampling(DRAWN, seed=2, method="percentile").values(each)
    assert found[1:].tolist() == each.score(plain_weights(each.members, each.clusters, 2)).tolist()


def test_breakdowns_contain_intervals_of_groups():
    study = study_of_patterns()
    found = agree(study, ["kappa"], by=["document", "pair", "label"], interval="percentile", resamples=300)
    for by in ("document", "pair", "label"):
        for group in found["kappa"].groups[by]:
            assert group.interval.low < group.value < group.interval.high, (by, group.name)
