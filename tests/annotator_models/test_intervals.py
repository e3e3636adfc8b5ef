"""Intervals of competences: honest near 1, never of width 0, and percentile on request."""

import re

import numpy as np
import pytest
from scipy.stats import binomtest

from arbitree.annotator_models.intervals import korn_graubard
from arbitree.api.coders import coders, find_coders
from arbitree.errors import UnknownName
from arbitree.measures.computing import Computing
from arbitree.measures.coverage import measured
from arbitree.measures.resampling import Resampling
from arbitree.study.study import Item, Study
from tests.support.build import dep, labelled, phrase, study_of
from tests.support.noisy_tables import noisy


def simulated(random, items, competences, labels):
    """Annotators who know the label with the probability of their competence, and guess otherwise."""
    truth = random.integers(labels, size=(items, 1))
    guesses = random.integers(labels, size=(items, len(competences)))
    return labelled(np.where(random.random(guesses.shape) < competences, truth, guesses).tolist())


@pytest.mark.parametrize("right", [1, 10, 19])
def test_independent_answers_give_the_interval_of_clopper_and_pearson(right):
    share = right / 20
    expected = binomtest(right, 20).proportion_ci(method="exact")
    found = korn_graubard(share, share * (1 - share) / 20, 20, 20, 0.95)
    assert found == pytest.approx((expected.low, expected.high))


def test_answers_that_depend_on_each_other_count_less():
    """Twice the variance of independent answers leaves half of them."""
    dependent = korn_graubard(0.9, 2 * 0.09 / 100, 100, 20, 0.95)
    assert dependent == pytest.approx(korn_graubard(0.9, 0.09 / 50, 50, 20, 0.95))


def test_without_variation_the_number_of_clusters_decides():
    # By hand: without failures among 20, the lower end is 0.025^(1/20).
    low, high = korn_graubard(1.0, 0.0, 500, 20, 0.95)
    assert (low, high) == (pytest.approx(0.025 ** (1 / 20)), 1.0)


def test_large_corpora_count_their_answers():
    """Independent answers of a million tokens: a variance of 1e-9 is not an error of the estimation."""
    low, high = korn_graubard(0.999, 0.999 * 0.001 / 1e6, 1e6, 50_000, 0.95)
    assert high - low == pytest.approx(2 * 1.96 * (0.999 * 0.001 / 1e6) ** 0.5, rel=0.02)


def test_intervals_contain_a_competence_near_1_in_most_samples():
    """In all but a few of 60 samples; percentile intervals contain it in about half of them."""
    random = np.random.default_rng(0)
    inside = {"korn_graubard": 0, "percentile": 0}
    for _ in range(60):
        study = simulated(random, 20, (0.95, 0.95, 0.95), 4)
        for method in inside:
            found = find_coders(study, interval=method, computing=Computing(resamples=100)).coders
            inside[method] += sum(each.interval.low <= 0.95 <= each.interval.high for each in found)
    assert inside["korn_graubard"] >= 0.92 * 180
    assert inside["percentile"] < 0.75 * 180


@pytest.mark.parametrize("model", ["mace", "dawid_skene", "one_coin", "majority"])
def test_annotators_who_agree_on_everything_may_still_be_wrong_sometimes(model):
    study = labelled([["a", "a", "a"], ["b", "b", "b"]] * 10)
    for each in find_coders(study, model, computing=Computing(resamples=50)).coders:
        assert each.interval.low < 0.9 < each.competence <= each.interval.high


@pytest.mark.parametrize("model", ["edges", "heads", "brackets"])
def test_competences_of_trees_lie_in_their_intervals(model):
    if model == "brackets":
        trees = [phrase("(S (NP P) (VP V (NP D N)))"), phrase("(S (NP P) (VP V D N))")]
    else:
        trees = [dep((2, 0, 2, 3)), dep((2, 0, 2, 2))]
    rows = {f"s{n}": {"x": trees[0], "y": trees[n % 5 == 0], "z": trees[n % 7 == 0]} for n in range(30)}
    found = find_coders(study_of(rows), model, computing=Computing(resamples=50))
    for each in found.coders:
        assert each.interval.low < each.competence <= each.interval.high <= 1
        assert each.interval.high - each.interval.low < 0.35


def test_the_method_is_named_and_percentile_stays():
    codes, _ = noisy(60, [0.9, 0.8, 0.7], 3, seed=5)
    study = labelled(codes.tolist())
    result = coders(study, resamples=50).results[0]
    assert result.details["interval_method"] == result.interval.method == "korn_graubard"
    assert "|interval:korn_graubard|confidence:0.95|resamples:50|" in result.signature
    assert "korn-graubard1998" in result.references
    older = coders(study, resamples=50, interval="percentile").results[0]
    assert (older.interval.method, older.value) == ("percentile", result.value)
    assert "korn-graubard1998" not in older.references
    with pytest.raises(UnknownName, match="unknown interval method of competences 'percentil'"):
        coders(study, interval="percentil")


@pytest.mark.parametrize("items", [15, 60])
def test_few_items_have_a_note(items):
    codes, _ = noisy(items, [0.9, 0.8, 0.7], 3, seed=5)
    notes = coders(labelled(codes.tolist()), resamples=50).results[0].notes
    assert any(f"{items} items are few" in note for note in notes) == (items < 50)


def few(study, model):
    notes = coders(study, model, resamples=50).results[0].notes
    return next(each for each in notes if " are few" in each)


def test_notes_do_not_quote_simulations_of_other_models():
    tree = dep([2, 0, 2])
    trees = study_of({f"s{n}": {"x": tree, "y": tree, "z": dep([2, 0, 1])} for n in range(25)})
    codes, _ = noisy(25, [0.9, 0.8, 0.7], 3, seed=5)
    unknown = "the 95% intervals of competence are approximate; their coverage was not measured"
    unknown = f"25 sentences are few, so {unknown}"
    assert few(trees, "edges") == unknown
    for study, model in ((trees, "heads"), (labelled(codes.tolist()), "mace")):
        lowest = next(each.lowest for each in measured("korn_graubard", model) if each.size == 20)
        assert re.search(rf"in simulated studies of 20 \w+, {100 * lowest:.0f}% to ", few(study, model))
    assert measured("korn_graubard", "heads") != measured("korn_graubard", "mace")


def test_items_with_the_same_labels_are_drawn_together(monkeypatch):
    """The draws of weights have the distribution of draws of single items, within the error of drawing."""
    from arbitree.annotator_models.model import pattern_weights
    from arbitree.measures import resampling

    counts = np.array([60, 30, 0, 10])
    pattern = np.random.default_rng(1).permutation(np.repeat(np.arange(4), counts))
    items = tuple(Item(str(k), "d", str(k)) for k in range(100))
    study = Study(items, ("x", "y"), {})
    draws = {}
    for alike in (10, 1000):
        monkeypatch.setattr(resampling, "ALIKE", alike)
        draws[alike] = pattern_weights(study, Resampling(4000, seed=3), pattern, np.arange(100), 4)
        assert draws[alike][:, 0].tolist() == counts.tolist()
        assert (draws[alike].sum(axis=0) == 100).all()
    together, single = draws[10][:, 1:], draws[1000][:, 1:]
    assert not np.array_equal(together, single)
    spread = np.sqrt(counts * (1 - counts / 100))  # of multinomial counts
    for drawn in (together, single):
        assert drawn.mean(axis=1) == pytest.approx(counts, abs=5 * spread.max() / np.sqrt(4000))
        assert drawn.std(axis=1) == pytest.approx(spread, rel=5 / np.sqrt(2 * 4000))


def test_items_of_one_cluster_are_drawn_as_a_cluster():
    from arbitree.annotator_models.model import pattern_weights

    items = tuple(Item(str(k), "d", str(k // 2)) for k in range(100))
    weights = pattern_weights(
        Study(items, ("x", "y"), {}), Resampling(50), np.arange(100) % 2, np.arange(100) // 2, 2
    )
    assert np.array_equal(weights[0], weights[1])  # each cluster has one item of each pattern
