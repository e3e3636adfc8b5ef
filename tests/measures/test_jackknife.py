"""Intervals by the jackknife: ends by hand, perfect agreement, differences, coverage, short cuts."""

import math
import random

import numpy as np
import pytest
from scipy import stats

from arbitree.api.agree import agree
from arbitree.api.evaluate import evaluate
from arbitree.backends.threads import Threads
from arbitree.kinds.dependency.kind import KIND as DEPENDENCY
from arbitree.kinds.labels.kind import KIND as LABELS
from arbitree.measures import jackknife
from arbitree.measures.coverage import measured
from arbitree.measures.difference import measure_differences, study_differences
from arbitree.measures.jackknife import Contrast, Evidence, clopper_pearson
from arbitree.measures.measure import Extent
from arbitree.measures.options import measure_named
from arbitree.measures.resampling import METHODS, Resampling, ratio_sample
from arbitree.measures.scored import sample_of
from arbitree.measures.sums import pairs as pair_sums
from tests.support.build import dep, labelled, random_dep, study_of


def trees(items=30, seed=1, same=0.6):
    rng = random.Random(seed)
    rows = {}
    for number in range(items):
        tree = random_dep(rng, rng.randint(2, 9))
        other = tree if rng.random() < same else random_dep(rng, len(tree))
        rows[f"d{number % 3}/{number}"] = {"x": tree, "y": other}
    return study_of(rows)


def noisy(items, error, seed=0, coders=2, shares=(0.4, 0.3, 0.3)):
    rng = np.random.default_rng(seed)
    true = rng.choice(len(shares), items, p=shares)
    seen = [
        np.where(rng.random(items) < error, rng.choice(len(shares), items, p=shares), true)
        for _ in range(coders)
    ]
    return labelled(list(zip(*(column.tolist() for column in seen), strict=True)))


def crowd(items=120, workers=30, labels=3, seed=2):
    """Few labels for every item, so that two workers share few items."""
    rng = random.Random(seed)
    rows = {}
    for number in range(items):
        truth = rng.choice("abc")
        rows[str(number)] = {
            f"w{each}": truth if rng.random() < 0.85 else rng.choice("abc")
            for each in rng.sample(range(workers), labels)
        }
    coders = [f"w{each}" for each in range(workers)]
    return labelled([tuple(row.get(coder) for coder in coders) for row in rows.values()], coders)


def test_the_ends_of_a_share_are_those_of_the_formula():
    """Worked through with the formulas of the page on confidence intervals, on the scale of the logit."""
    right = np.array([4, 5, 3, 2, 5, 4, 1, 5.0])
    words = np.array([5, 5, 4, 4, 6, 5, 4, 5.0])
    n = len(words)
    x = right.sum() / words.sum()

    def logit(value):
        return np.log((1 - value) / value)

    u = logit(x)
    p = n * u - (n - 1) * logit((right.sum() - right) / (words.sum() - words))
    kurtosis = stats.kurtosis(p, fisher=False)
    differ = int((right < words).sum())
    t = stats.t.ppf(0.975, min(2 * n / (kurtosis - 1), differ - 1))
    more, less = np.append(p, p.max()), np.append(p, p.min())
    high = u + more.mean() - p.mean() + t * stats.sem(more)
    low = u + less.mean() - p.mean() - t * stats.sem(less)
    sample = ratio_sample(right, words, np.arange(n), lambda: ())
    found = Resampling().interval(sample)
    assert (found.low, found.high) == pytest.approx((1 / (1 + np.exp(high)), 1 / (1 + np.exp(low))))
    assert (found.method, found.resamples, found.differing) == ("jackknife", 0, differ)


def test_few_disagreements_follow_clopper_and_pearson():
    """The exact intervals of R's binom.test and of scipy."""
    for successes in (1, 7, 19):
        exact = stats.binomtest(successes, 20).proportion_ci(0.95, method="exact")
        assert clopper_pearson(successes, 20, 0.95) == pytest.approx((exact.low, exact.high))
    assert clopper_pearson(0, 20, 0.95) == pytest.approx((0, 1 - 0.05 ** (1 / 20)))
    assert clopper_pearson(20, 20, 0.95) == pytest.approx((0.05 ** (1 / 20), 1))


@pytest.mark.parametrize("name", ["las", "alpha_plain", "alpha_norm", "exact"])
def test_perfect_agreement_on_trees_is_not_certain(name):
    result = evaluate(trees(20, same=1), name)
    assert (result.value, result.interval.high) == (1, 1)
    assert result.interval.low == pytest.approx(1 - (1 - 0.05 ** (1 / 20)))
    assert any("no difference in 20 sentences" in note for note in result.notes)
    assert any("13.9%" in note for note in result.notes)


def test_perfect_agreement_on_rare_labels_could_be_much_lower():
    """18 of one label, 2 of another: two labels that differ are 1 / D_e times as unlike as random ones."""
    study = labelled([("a", "a")] * 18 + [("b", "b")] * 2)
    p = 1 - 0.05 ** (1 / 20)
    assert evaluate(study, "agreement").interval.low == pytest.approx(1 - p)
    expected = 2 * (36 / 40) * (4 / 40)
    assert evaluate(study, "kappa").interval.low == pytest.approx(1 - p / expected)
    assert evaluate(study, "alpha_nominal").interval.low == pytest.approx(1 - p / expected)


def test_one_difference_is_told_apart_from_none():
    study = labelled([("a", "a")] * 10 + [("b", "b")] * 9 + [("a", "b")])
    result = evaluate(study, "agreement")
    low, high = clopper_pearson(1, 20, 0.95)
    assert (result.interval.low, result.interval.high) == pytest.approx((1 - high, 1 - low))
    assert any("in only 1 of 20 items" in note for note in result.notes)


def test_a_mean_distance_has_no_upper_limit_but_an_interval():
    same = evaluate(trees(20, same=1), "edit_distance")
    assert same.value == same.interval.low == 0 < same.interval.high
    found = evaluate(trees(20), "edit_distance")
    assert 0 < found.interval.low < found.value < found.interval.high


def test_nothing_in_common_is_not_certain_either():
    study = labelled([("a", "b"), ("b", "a"), ("c", "a"), ("b", "c"), ("a", "c")])
    found = evaluate(study, "agreement").interval
    assert (found.low, found.high) == pytest.approx((0, 1 - 0.05 ** (1 / 5)))


def test_equal_clusters_do_not_make_an_interval_of_width_0():
    study = study_of({str(k): {"x": dep([0, 1, 1]), "y": dep([0, 1, 2])} for k in range(4)})
    found = evaluate(study, "uas").interval
    assert found.low < 2 / 3 < found.high


def test_the_value_decides_if_the_counts_of_items_do_not_fit():
    """Of a measure that ignores some disagreement, and of one whose items do not show it."""
    same = Evidence(1.0, np.ones(10), np.ones(10), 10, 3, 10, Extent())
    assert same.bounds(0.95) == pytest.approx((0.05**0.1, 1))
    hidden = Evidence(0.9, np.linspace(0.88, 0.92, 10), np.ones(10), 10, 0, 10, Extent())
    low, high = hidden.bounds(0.95)
    assert 0 < low < 0.9 < high < 1


def test_clusters_without_tokens_that_count_show_nothing():
    """Two sentences without a content word, for a share of content words."""
    full = ratio_sample(np.array([4.0, 1]), np.array([4.0, 2]), np.arange(2), lambda: ())
    padded = ratio_sample(np.array([4.0, 0, 1, 0]), np.array([4.0, 0, 2, 0]), np.arange(4), lambda: ())
    ours, theirs = (Resampling().interval(each) for each in (full, padded))
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))
    assert ours.clusters == theirs.clusters == 2
    assert ours.high <= 1
    alone = ratio_sample(np.array([4.0, 0, 0]), np.array([4.0, 0, 0]), np.arange(3), lambda: ())
    assert Resampling().interval(alone) is None


def test_shares_lie_between_0_and_1():
    rng = np.random.default_rng(4)
    for _ in range(200):
        n = int(rng.integers(2, 5))
        words = rng.integers(0, 9, n).astype(float)
        right = np.minimum(words, rng.integers(0, 9, n))
        found = Resampling().interval(ratio_sample(right, words, np.arange(n), lambda: ()))
        assert found is None or 0 <= found.low <= right.sum() / words.sum() <= found.high <= 1


def test_distances_beyond_those_of_random_trees_can_be_larger_still():
    """All sentences differ, so that the share of sentences that do does not limit the distance."""
    rng = random.Random(3)
    study = study_of({str(k): {c: random_dep(rng, rng.randint(2, 6)) for c in "x"} for k in range(20)})
    rows = {item.id: study.cells[item.id, "x"].value for item in study.items}
    both = study_of({k: {"x": tree, "y": random_dep(rng, len(tree), ("p", "q"))} for k, tree in rows.items()})
    found = evaluate(both, "edit_distance")
    assert found.value > np.mean([len(tree) for tree in rows.values()])
    assert found.interval.high > found.value + 0.3


def test_edit_distances_are_covered_on_both_sides():
    """Errors by a Poisson law with rates by a gamma law, more than there are words."""
    rng = np.random.default_rng(11)
    above = below = 0
    for _ in range(300):
        errors = rng.poisson(rng.gamma(3, 20 / 3, 50)).astype(float)
        without = (errors.sum() - errors) / 49
        extent = Extent(best=0, worst=math.inf, unlike=15)
        seen = int((errors > 0).sum())
        found = Evidence(errors.mean(), without, np.ones(50), 50, seen, 50, extent).bounds(0.95)
        above, below = above + (found[0] > 20), below + (found[1] < 20)
    assert max(above, below) <= 15


@pytest.mark.parametrize("name", ["alpha_nominal", "alpha_interval", "kappa", "pi", "multi_pi", "ac1", "s"])
def test_coefficients_do_not_reach_below_minus_1(name):
    """Systematic disagreement of two annotators about two categories: D_o is at most twice D_e."""
    found = evaluate(labelled([(1, 1)] * 9 + [(1, 2)]), name).interval
    assert -1 <= found.low < found.high < 1


def test_a_single_item_and_an_undefined_value_have_no_interval():
    one = study_of({"a": {"x": dep([0, 1, 1]), "y": dep([0, 1, 2])}})
    assert evaluate(one, "uas").interval is None
    assert evaluate(labelled([("a", "a")] * 5), "kappa").interval is None


def test_resamples_and_seed_stand_only_where_they_are_used():
    study = noisy(30, 0.3)
    result = evaluate(study, "kappa", seed=5)
    assert "|interval:jackknife|confidence:0.95|v:" in result.signature
    assert result.details["interval_method"] == "jackknife"
    assert result.interval == evaluate(study, "kappa", seed=6, resamples=20).interval
    drawn = evaluate(study, "kappa", seed=5, interval="percentile", resamples=20)
    assert "|interval:percentile|confidence:0.95|resamples:20|seed:5|order:" in drawn.signature
    assert drawn.details["interval_method"] == "percentile"
    assert evaluate(study, "kappa", resamples=0).interval is None


@pytest.mark.parametrize("name", ["alpha_plain", "alpha_diff", "alpha_norm", "alpha_pqgram", "las", "uas"])
@pytest.mark.parametrize("kept", ["stored", "streamed"])
def test_a_short_cut_gives_the_values_of_rows_of_weights(name, kept, monkeypatch):
    monkeypatch.setattr(pair_sums, "STORED_BYTES", 1 << 30 if kept == "stored" else 0)
    study = trees(25)
    _, measure = measure_named(name, DEPENDENCY)
    members = np.arange(3, 20)
    sample = sample_of(study, measure, measure.statistics.prepare(study, Threads()), members)
    fast, slow = sample.jackknifed(), sample.jackknifed(fast=False)
    assert fast.without == pytest.approx(slow.without)
    assert fast.bounds(0.9) == pytest.approx(slow.bounds(0.9))


def test_a_short_cut_over_sampled_pairs_gives_the_values_of_rows():
    study = trees(60)
    _, measure = measure_named("alpha_plain:pairs=400", DEPENDENCY)
    sample = sample_of(study, measure, measure.statistics.prepare(study, Threads()))
    fast, slow = sample.jackknifed(), sample.jackknifed(fast=False)
    assert fast.without == pytest.approx(slow.without)


def test_a_sample_of_pairs_widens_the_interval():
    study = trees(60)
    few, every = (evaluate(study, name) for name in ("alpha_plain:pairs=40", "alpha_plain"))
    assert few.details["value_se"] > 0
    _, measure = measure_named("alpha_plain:pairs=40", DEPENDENCY)
    stats_of = measure.statistics.prepare(study, Threads())
    ones = np.ones((1, 60))
    assert measure.extent(stats_of, ones).error == pytest.approx(few.details["value_se"])
    assert few.interval.high - few.interval.low > every.interval.high - every.interval.low


@pytest.mark.parametrize("name", ["alpha_nominal", "kappa", "multi_kappa", "multi_pi", "ac1", "agreement"])
def test_items_that_are_alike_share_a_value(name):
    study = noisy(40, 0.4, coders=3)
    _, measure = measure_named(name, LABELS)
    sample = sample_of(study, measure, measure.statistics.prepare(study, Threads()))
    grouped, single = sample.jackknifed(), sample.jackknifed(grouped=False)
    assert len(grouped.without) < 30
    assert grouped.counts.sum() == len(single.without) == 40
    assert grouped.bounds(0.95) == pytest.approx(single.bounds(0.95))


def test_many_clusters_are_left_out_in_blocks_whatever_their_order(monkeypatch):
    monkeypatch.setattr(jackknife, "BLOCKS", 20)
    study = noisy(200, 0.4, coders=4)
    turned = study.select(items=[item.id for item in study.items[::-1]])
    first, second = (evaluate(each, "multi_kappa").interval for each in (study, turned))
    assert (first.low, first.high) == pytest.approx((second.low, second.high))
    monkeypatch.undo()
    exact = evaluate(study, "multi_kappa").interval
    assert first.high - first.low == pytest.approx(exact.high - exact.low, rel=0.5)


def test_the_difference_of_two_measures_is_a_paired_one():
    """The pseudo-values of the difference, by leaving out each item; t as for a mean."""
    study = noisy(40, 0.3)
    (row,) = measure_differences(study, LABELS, ["multi_pi", "kappa"]).records()
    values = []
    ids = [item.id for item in study.items]
    for left in ids:
        part = study.select(items=[each for each in ids if each != left])
        both = agree(part, ["multi_pi", "kappa"], resamples=0)
        values.append(both["multi_pi"].value - both["kappa"].value)
    p = 40 * row["difference"] - 39 * np.array(values)
    t = stats.t.ppf(0.975, 80 / (stats.kurtosis(p, fisher=False) - 1))
    more = np.append(p, p.max())
    assert row["high"] == pytest.approx(row["difference"] + more.mean() - p.mean() + t * stats.sem(more))
    same = Contrast(*(Evidence(0.5, np.array([0.4, 0.6]), np.ones(2), 2, 2, 2, Extent()),) * 2, True)
    assert (same.bounds(0.95), same.p()) == ((0, 0), 1)


def test_two_perfect_values_could_still_differ():
    study = labelled([("a", "a")] * 10 + [("b", "b")] * 10)
    (row,) = measure_differences(study, LABELS, ["multi_pi", "kappa"]).records()
    both = [evaluate(study, name).interval.low for name in ("multi_pi", "kappa")]
    assert (row["difference"], row["p"]) == (0, 1)
    assert (row["low"], row["high"]) == pytest.approx((-(1 - both[0]), 1 - both[1]))


def test_the_difference_of_two_studies_follows_from_both_intervals():
    first, second = noisy(50, 0.1), noisy(45, 0.4, seed=1)
    (row,) = study_differences(first, second, (LABELS, LABELS), ["kappa"]).records()
    x, y = (evaluate(each, "kappa") for each in (first, second))
    low = math.hypot(x.value - x.interval.low, y.interval.high - y.value)
    high = math.hypot(x.interval.high - x.value, y.value - y.interval.low)
    assert (row["low"], row["high"]) == pytest.approx((row["difference"] - low, row["difference"] + high))


@pytest.mark.parametrize("paired", [True, False])
def test_p_is_where_the_interval_ends_at_0(paired):
    right = np.array([5, 4, 5, 3, 5, 5, 4, 5, 5, 4.0])
    wrong = np.array([4, 4, 3, 3, 4, 5, 2, 4, 3, 4.0])
    words, members = np.full(10, 6.0), np.arange(10)
    pair = [ratio_sample(each, words, members, lambda: ()).jackknifed() for each in (right, wrong)]
    contrast = Contrast(*pair, paired)
    p = contrast.p()
    assert 0 < p < 0.5
    assert min(map(abs, contrast.bounds(1 - p))) == pytest.approx(0, abs=1e-6)


def test_the_default_covers_where_percentiles_do_not():
    """80 samples of 20 items from a population with a known kappa, 90% of the labels the same."""
    shares, sure = (0.9, 0.1), 0.95
    truth = sure**2  # both know the label: the agreement beyond chance of two annotators who guess otherwise
    inside = dict.fromkeys(METHODS, 0)
    defined = 0
    for seed in range(80):
        study = noisy(20, 1 - sure, seed=seed, shares=shares)
        found = {name: evaluate(study, "kappa", interval=name, resamples=100) for name in METHODS}
        if found["jackknife"].value is None:
            continue
        defined += 1
        for name, result in found.items():
            inside[name] += result.interval.low <= truth <= result.interval.high
    assert inside["percentile"] < 0.6 * defined
    assert inside["jackknife"] > 0.9 * defined


def test_a_crowd_with_few_shared_items_has_an_interval_around_its_value():
    study = crowd()
    for name in ("kappa", "pi", "alpha_nominal"):
        found = evaluate(study, name)
        assert found.interval.low <= found.value <= found.interval.high
    drawn = evaluate(study, "pi", interval="percentile", resamples=200)
    outside = not drawn.interval.low <= drawn.value <= drawn.interval.high
    assert outside == any("does not contain its value" in note for note in drawn.notes)
    assert outside


def test_few_items_carry_the_coverage_that_was_measured():
    note = next(note for note in evaluate(noisy(24, 0.3), "agreement").notes if "are few" in note)
    nearest = next(each for each in measured("jackknife") if each.size == 20)
    assert "24 items are few, so 95% intervals are approximate: in simulated studies of 20 items, " in note
    assert f"{100 * nearest.lowest:.0f}%" in note
    assert "smaller studies" not in note
    assert not any("are few" in note for note in evaluate(noisy(60, 0.3), "agreement").notes)


def test_the_coverage_of_95_percent_intervals_is_not_stated_for_others():
    notes = evaluate(noisy(24, 0.3), "agreement", confidence=0.9).notes
    note = next(note for note in notes if "are few" in note)
    assert "24 items are few, so 90% intervals are approximate: " in note
    assert " of 95% intervals contained the true value" in note


def test_studies_smaller_than_all_simulated_ones_carry_a_warning():
    note = next(note for note in evaluate(noisy(7, 0.3), "agreement").notes if "are few" in note)
    assert "in simulated studies of 10 items, " in note
    assert note.endswith("smaller studies were not simulated, and their coverage may be lower")
