"""Expected disagreement from a sample of pairs: unbiased, with an honest error, the same for one seed."""

import pickle
import random
import threading

import numpy as np
import pytest

from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.backends.serial import Serial
from arbitree.backends.threads import Threads
from arbitree.distances.ted import Ted
from arbitree.errors import ArbitreeError
from arbitree.kinds.dependency.kind import KIND
from arbitree.measures.options import measure_named
from arbitree.measures.sums import pairs as pair_sums
from arbitree.measures.sums import sampled as sampled_sums
from arbitree.measures.sums.sampled import Sampling, Strata, draw, outlook, sampling_of
from arbitree.measures.sums.trees import PqGramSums, TedSums, distinct_trees
from arbitree.study.comparable import pairable
from tests.support.build import random_dep, study_of
from tests.support.random_studies import some_study

ALPHAS = ("alpha_plain", "alpha_diff", "alpha_norm")


def uneven_study(items=40, seed=5):
    """Sentences of very different sizes, with two to four annotations each."""
    rng = random.Random(seed)
    rows = {}
    for number in range(items):
        size = rng.choice([1, 2, 3, 5, 8, 13])
        tree = random_dep(rng, size)
        rows[f"d{number % 2}/{number}"] = {
            coder: tree if rng.random() < 0.7 else random_dep(rng, size)
            for coder in "wxyz"[: rng.randint(2, 4)]
        }
    return study_of(rows, tuple("wxyz"))


STUDY = uneven_study()
EXACT = {result.measure: result for result in evaluate_all(STUDY, [*ALPHAS, "alpha_pqgram"], resamples=0)}


@pytest.mark.parametrize("pairs", [30, 160, 400])  # one class of sizes, two and three
@pytest.mark.parametrize("name", ["alpha_plain", "alpha_norm", "alpha_pqgram"])
def test_the_sum_is_unbiased_and_so_is_its_variance(name, pairs):
    measure = measure_named(name, KIND)[1]
    stats, column = measure.statistics.prepare(STUDY, Serial()), measure.distance.column
    used, _ = pairable(STUDY)
    source = PqGramSums().source(used) if name == "alpha_pqgram" else distinct_trees(used, TedSums())
    ones = np.ones((1, len(stats.sizes)))
    drawn = [draw(source, stats.sizes, pairs, (seed, 1), Serial()) for seed in range(1000)]
    found = np.array([each.between(ones, column)[0] for each in drawn])
    exact = stats.between(ones, column)[0]
    assert abs(found.mean() - exact) < 4 * found.std() / np.sqrt(len(found))
    assert np.mean([each.error(column).deviation ** 2 for each in drawn]) == pytest.approx(
        found.var(), rel=0.2
    )


def test_expected_disagreement_is_unbiased_and_the_observed_one_exact():
    found = [evaluate(STUDY, "alpha_plain", resamples=0, pairs=200, seed=k, run=Serial()) for k in range(100)]
    expected = np.array([result.details["expected"] for result in found])
    exact = EXACT["alpha_plain"].details
    assert abs(expected.mean() - exact["expected"]) < 4 * expected.std() / np.sqrt(len(found))
    assert {result.details["observed"] for result in found} == {exact["observed"]}


def test_the_error_of_alpha_is_that_of_its_estimates():
    found = [evaluate(STUDY, "alpha_plain", resamples=0, pairs=200, seed=k, run=Serial()) for k in range(200)]
    spread = np.std([result.value for result in found])
    assert np.mean([result.details["value_se"] for result in found]) == pytest.approx(spread, rel=0.25)


def test_strata_cover_every_pair_once():
    """Their masses add up to the sum over all pairs, for any weights."""
    for clusters, pairs in ((2, 2), (3, 1000), (40, 400), (41, 100_000)):
        amounts = np.random.default_rng(clusters).uniform(size=clusters)
        strata = Strata.of(clusters, pairs)
        total = (amounts.sum() ** 2 - (amounts**2).sum()) / 2
        assert strata.masses(amounts).sum() == pytest.approx(total)


def test_as_many_pairs_as_there_are_give_the_exact_value():
    every = len(STUDY.items) * (len(STUDY.items) - 1) // 2
    for pairs in (every, 1e6):
        result = evaluate(STUDY, "alpha_plain", resamples=20, pairs=pairs)
        assert result.value == EXACT["alpha_plain"].value
        assert result.interval == evaluate(STUDY, "alpha_plain", resamples=20).interval
        assert result.notes[0] == (
            f"all {every} pairs of sentences were compared, because the requested sample is not smaller"
        )
        assert "estimated" not in result.details
    assert evaluate(STUDY, "alpha_plain", resamples=0, pairs=every - 1).details["estimated"]


def test_a_result_says_that_it_is_an_estimate():
    result = evaluate(STUDY, "alpha_plain", resamples=0, pairs=200, seed=3)
    assert result.details["estimated"] is True
    assert (result.details["sampled_pairs"], result.details["all_pairs"]) == (200, 780)
    assert result.details["options"]["pairs"] == 200
    assert "|pairs:200|" in result.signature
    assert "|seed:3|" in result.signature
    assert result.notes[0].startswith("alpha_plain is an estimate from 200 of 780 pairs of sentences, ± 0.0")
    exact = EXACT["alpha_plain"]
    assert "pairs" not in exact.signature
    assert exact.notes == ()


def test_the_seed_decides_and_backends_do_not():
    def values(seed, run):
        results = evaluate_all(STUDY, ALPHAS, resamples=50, pairs=300, seed=seed, run=run)
        return [(r.value, r.interval.low, r.interval.high) for r in results]

    assert values(1, Serial()) == values(1, Threads(3))
    assert values(1, Serial()) != values(2, Serial())


def test_the_way_of_asking_does_not_matter():
    as_option = evaluate(STUDY, "alpha_plain:pairs=2e2", resamples=50, seed=4)
    as_argument = evaluate(STUDY, "alpha_plain", pairs=200, resamples=50, seed=4)
    assert (as_option.value, as_option.interval) == (as_argument.value, as_argument.interval)
    assert as_option.signature == as_argument.signature


def test_small_blocks_give_the_same_digits(monkeypatch):
    whole = evaluate(STUDY, "alpha_plain", resamples=30, pairs=300)
    monkeypatch.setattr(sampled_sums, "BLOCK", 7)
    monkeypatch.setattr(sampled_sums, "ROWS", 3)
    pieces = evaluate(STUDY, "alpha_plain", resamples=30, pairs=300)
    assert (pieces.value, pieces.interval) == (whole.value, whole.interval)


def test_the_interval_is_wider_than_the_full_one_but_not_by_much():
    study = uneven_study(items=150, seed=8)
    full = evaluate(study, "alpha_plain", resamples=1000).interval
    widths = []
    for seed in range(5):
        found = evaluate(study, "alpha_plain", resamples=1000, pairs=5000, seed=seed).interval
        slack = 0.15 * (full.high - full.low)
        assert found.low < full.low + slack
        assert found.high > full.high - slack
        widths.append((found.high - found.low) / (full.high - full.low))
    assert 0.9 < np.mean(widths) < 1.35


def test_fewer_pairs_widen_the_interval():
    study = uneven_study(items=150, seed=8)
    few, many = (evaluate(study, "alpha_plain", pairs=n, resamples=500).interval for n in (200, 10_000))
    assert few.high - few.low > 1.1 * (many.high - many.low)


def test_groups_are_sampled_for_themselves():
    result = evaluate(STUDY, "alpha_plain", pairs=100, resamples=50, by=["document", "pair"])
    exact = evaluate(STUDY, "alpha_plain", resamples=0, by=["document", "pair"])
    for kind in ("document", "pair"):
        for ours, theirs in zip(result.groups[kind], exact.groups[kind], strict=True):
            assert ours.items_used == theirs.items_used
            assert ours.value == pytest.approx(theirs.value, abs=0.2)


def test_a_tolerance_is_met_19_times_in_20():
    study = uneven_study(items=400, seed=2)
    exact = evaluate(study, "alpha_norm", resamples=0).value
    found = [evaluate(study, "alpha_norm", resamples=0, tolerance=0.001, seed=k) for k in range(40)]
    assert all(2000 < result.details["sampled_pairs"] < 79_800 for result in found)
    assert sum(abs(result.value - exact) <= 0.001 for result in found) >= 37
    assert np.mean([result.details["value_se"] for result in found]) < 0.001 / 1.96


def test_a_tolerance_is_about_the_first_alpha():
    study = uneven_study(items=400, seed=2)
    for names in (ALPHAS, ALPHAS[::-1]):
        results = evaluate_all(study, names, resamples=0, tolerance=0.01)
        assert len({result.details["sampled_pairs"] for result in results}) == 1
        assert 1.96 * results[0].details["value_se"] <= 0.01
        alone = evaluate(study, names[0], resamples=0, tolerance=0.01)
        assert alone.value == results[0].value
        assert f"|pairs:{alone.details['sampled_pairs']}|" in alone.signature


def test_a_tolerance_that_needs_all_pairs_gets_them():
    result = evaluate(STUDY, "alpha_plain", resamples=0, tolerance=1e-9)
    assert result.value == EXACT["alpha_plain"].value
    assert "all 780 pairs" in result.notes[0]


def test_the_sums_are_sampled_where_others_would_be_streamed(monkeypatch):
    monkeypatch.setattr(pair_sums, "STORED_BYTES", 100)
    monkeypatch.setattr(pair_sums, "_stripes", None)
    assert evaluate(STUDY, "alpha_plain", resamples=20, pairs=300).value == pytest.approx(
        EXACT["alpha_plain"].value, abs=0.1
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pairs": 1}, "at least 2"),
        ({"pairs": -3}, "at least 2"),
        ({"pairs": 2.5}, "at least 2"),
        ({"pairs": float("nan")}, "at least 2"),
        ({"tolerance": 0}, "above 0"),
        ({"tolerance": float("inf")}, "above 0"),
        ({"tolerance": float("nan")}, "above 0"),
        ({"pairs": 100, "tolerance": 0.1}, "Set only one of them"),
    ],
)
def test_impossible_requests_are_refused(options, words):
    with pytest.raises(ArbitreeError, match=words):
        evaluate(STUDY, "alpha_plain", **options)


@pytest.mark.parametrize("text", ["pairs=many", "tolerance=", "pairs=1.5", "pairs=9,tolerance=1"])
def test_mistakes_in_options_get_help(text):
    with pytest.raises(ArbitreeError, match=r"Write a number|whole number|only one"):
        measure_named(f"alpha_plain:{text}", KIND)


def test_measures_without_pairs_of_sentences_cannot_be_sampled():
    with pytest.raises(ArbitreeError, match="no pairs of sentences to sample for las"):
        evaluate(STUDY, "las", pairs=100)
    assert [r.measure for r in evaluate_all(STUDY, ["las", "alpha_plain"], resamples=0, pairs=100)]


def test_two_sentences_and_one_are_never_sampled():
    for items in (1, 2):
        study = some_study(items=items)
        exact = evaluate(study, "alpha_plain", resamples=5)
        assert evaluate(study, "alpha_plain", resamples=5, pairs=2).value == exact.value
        assert evaluate(study, "alpha_plain", resamples=5, tolerance=0.1).value == exact.value


def test_large_studies_are_announced_with_a_rough_error(monkeypatch):
    from arbitree.measures.sums import sampled as outlooks

    assert outlook(STUDY, KIND, (), 0, Serial()) is None
    monkeypatch.setattr(pair_sums, "STORED_BYTES", 100)
    assert outlook(STUDY, KIND, (), 0, Serial()) is None  # no more pairs than are offered
    monkeypatch.setattr(outlooks, "SUGGESTED", 600)
    line = outlook(STUDY, KIND, (), 0, Serial())
    trees = len(STUDY.cells)
    assert line.startswith(f"{trees * (trees - 1) // 2:,} pairs of trees to compare; to estimate alpha_plain")
    assert "estimate alpha_plain from a sample, add --pairs 1e6 (error about ± 0.0" in line
    assert outlook(STUDY, KIND, ["las"], 0, Serial()) is None
    assert outlook(STUDY, KIND, ["alpha_plain:pairs=100"], 0, Serial()) is None


def test_the_outlook_names_a_very_long_sentence(monkeypatch):
    monkeypatch.setattr(Ted, "slow_from", 1)
    line = outlook(STUDY, KIND, (), 0, Serial())
    assert line is not None
    assert "tokens, so edit distance may take very long" in line
    assert outlook(STUDY, KIND, ["las"], 0, Serial()) is None
    assert outlook(STUDY, KIND, ["alpha_pqgram"], 0, Serial()) is None


def test_sampling_of_reads_numbers():
    assert sampling_of(1e6, None) == Sampling(1_000_000)
    assert not sampling_of(None, None).asked


class Sending(Serial):
    """A backend with a connection, which sends functions to another process."""

    def __init__(self):
        object.__setattr__(self, "progress", threading.Lock())  # like a connection, it cannot be sent

    def __call__(self, function, arguments):
        return map(pickle.loads(pickle.dumps(function)), arguments)


def test_a_backend_can_send_the_work_without_its_connection():
    def found(run):
        result = evaluate(STUDY, "alpha_plain", resamples=50, pairs=200, seed=4, run=run)
        return result.value, result.interval

    assert found(Serial()) == found(Sending())
