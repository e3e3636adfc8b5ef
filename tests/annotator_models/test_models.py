"""MACE, Dawid-Skene, one coin and majority: laws, and values written out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.annotator_models.dawid_skene import SMOOTHING, DawidSkene
from arbitree.annotator_models.fitting import fit_labels
from arbitree.annotator_models.mace import Mace
from arbitree.annotator_models.majority import Majority
from arbitree.annotator_models.one_coin import OneCoin
from tests.support.noisy_tables import noisy, tables, written_out


def mace(codes, size, *, method="vb", restarts=10, seed=0):
    return fit_labels(Mace(size, method), codes, restarts=restarts, seed=seed)


def dawid_skene(codes, size, **options):
    return fit_labels(DawidSkene(size), codes, **options)


def one_coin(codes, size, **options):
    return fit_labels(OneCoin(size), codes, **options)


def majority(codes, size):
    return fit_labels(Majority(size), codes)


MODELS = {
    "mace vb": lambda codes, size: mace(codes, size, restarts=2),
    "mace em": lambda codes, size: mace(codes, size, method="em", restarts=2),
    "dawid_skene": dawid_skene,
    "one_coin": one_coin,
    "majority": majority,
}
every_model = pytest.mark.parametrize("fit", MODELS.values(), ids=MODELS.keys())


@every_model
@settings(max_examples=40)
@given(table=tables())
def test_posteriors_are_distributions_and_unannotated_items_have_none(fit, table):
    codes, size = table
    found = fit(codes, size)
    annotated = (codes >= 0).any(axis=1)
    assert np.isnan(found.posterior[~annotated]).all()
    assert np.isnan(found.entropy[~annotated]).all()
    assert (found.consensus[~annotated] == -1).all()
    assert found.posterior[annotated].sum(axis=1) == pytest.approx(1)
    assert (found.posterior[annotated] >= 0).all()
    assert (found.entropy[annotated] >= 0).all()
    assert (found.entropy[annotated] <= np.log(size) + 1e-9).all()


@every_model
@settings(max_examples=40)
@given(table=tables())
def test_coders_who_annotated_nothing_have_no_competence(fit, table):
    codes, size = table
    competence = fit(codes, size).competence
    silent = (codes < 0).all(axis=0)
    assert np.isnan(competence[silent]).all()
    known = competence[~np.isnan(competence)]
    assert ((known >= 0) & (known <= 1 + 1e-12)).all()


@pytest.mark.parametrize("name", ["mace em", "dawid_skene", "one_coin"])
@settings(max_examples=60)
@given(table=tables())
def test_the_objective_does_not_decrease(name, table):
    history = MODELS[name](*table).history
    assert 2 <= len(history) <= 51
    assert np.all(np.diff(history) >= -1e-8)


@pytest.mark.parametrize("fit", [dawid_skene, one_coin])
@settings(max_examples=40)
@given(table=tables(), seed=st.integers(0, 1000))
def test_the_order_of_items_and_coders_does_not_matter(fit, table, seed):
    """After a few steps: where the data are symmetric, many steps make differences of rounding grow."""
    codes, size = table
    random = np.random.default_rng(seed)
    rows, columns = random.permutation(codes.shape[0]), random.permutation(codes.shape[1])
    here, there = (fit(each, size, iterations=5) for each in (codes, codes[rows][:, columns]))
    np.testing.assert_allclose(here.posterior[rows], there.posterior, atol=1e-6)
    np.testing.assert_allclose(here.competence[columns], there.competence, atol=1e-6)


@every_model
def test_better_coders_are_trusted_more(fit):
    codes, truth = noisy(400, [0.95, 0.8, 0.65, 0.5], 3, seed=1, missing=0.2)
    found = fit(codes, 3)
    assert list(np.argsort(-found.competence)) == [0, 1, 2, 3]
    assert (found.consensus == truth).mean() > 0.8


def test_models_beat_the_majority_when_coders_differ():
    codes, truth = noisy(500, [0.97, 0.55, 0.55, 0.55, 0.55], 2, seed=3)
    by_majority = (majority(codes, 2).consensus == truth).mean()
    for fit in (mace, dawid_skene, one_coin):
        assert (fit(codes, 2).consensus == truth).mean() > by_majority + 0.1


@settings(max_examples=30)
@given(table=tables(), seed=st.integers(0, 5))
def test_mace_is_its_formula(table, seed):
    """P(a | T) = prod_j (c_j [a = T] + (1 - c_j) theta_j(a)), T uniform: em, whose parameters sum to 1."""
    codes, size = table
    found = mace(codes, size, method="em", restarts=1, seed=seed)
    known = np.nan_to_num(found.competence)

    def chance(coder, truth, answer):
        return known[coder] * (answer == truth) + (1 - known[coder]) * found.guesses[coder, answer]

    likely, posterior = written_out(codes, [1 / size] * size, chance)
    assert found.log_likelihood == pytest.approx(likely, abs=1e-9)
    np.testing.assert_allclose(found.posterior, posterior, atol=1e-9)
    for coder in range(codes.shape[1]):
        expected = [[chance(coder, t, a) for a in range(size)] for t in range(size)]
        if not np.isnan(found.competence[coder]):
            np.testing.assert_allclose(found.confusion[coder], expected, atol=1e-9)


@settings(max_examples=30)
@given(table=tables())
def test_dawid_skene_is_its_formula(table):
    codes, size = table
    found = dawid_skene(codes, size)
    likely, posterior = written_out(codes, found.prior, lambda j, t, a: found.confusion[j, t, a])
    assert found.log_likelihood == pytest.approx(likely, abs=1e-9)
    np.testing.assert_allclose(found.posterior, posterior, atol=1e-9)


@settings(max_examples=30)
@given(table=tables(), iterations=st.integers(1, 4))
def test_dawid_skene_by_loops(table, iterations):
    """The two steps of the paper's section 3, with the smoothing added to every count."""
    codes, size = table
    rows = [row for row in codes if (row >= 0).any()]
    posterior = [[np.mean(row[row >= 0] == t) for t in range(size)] for row in rows]
    for _ in range(iterations + 1):
        prior = np.array([sum(p[t] for p in posterior) + SMOOTHING for t in range(size)])
        prior /= prior.sum()
        confusion = np.full((codes.shape[1], size, size), SMOOTHING)
        for row, p in zip(rows, posterior, strict=True):
            for coder, answer in enumerate(row):
                if answer >= 0:
                    confusion[coder, :, answer] += p
        confusion /= confusion.sum(axis=2, keepdims=True)
        kept = confusion
        _, posterior = written_out(rows, prior, lambda j, t, a, kept=kept: kept[j, t, a])
    found = dawid_skene(codes, size, iterations=iterations)
    # It may stop earlier, where the likelihood has stopped to rise.
    np.testing.assert_allclose(found.confusion, confusion, atol=1e-7)
    np.testing.assert_allclose(found.prior, prior, atol=1e-7)


@settings(max_examples=30)
@given(table=tables())
def test_one_coin_is_its_formula(table):
    codes, size = table
    found = one_coin(codes, size)
    right = np.nan_to_num(found.competence)

    def chance(coder, truth, answer):
        return right[coder] if truth == answer else (1 - right[coder]) / (size - 1)

    likely, posterior = written_out(codes, [1 / size] * size, chance)
    assert found.log_likelihood == pytest.approx(likely, abs=1e-9)
    np.testing.assert_allclose(found.posterior, posterior, atol=1e-9)


def test_majority_by_hand():
    """Three of four for a, a tie of b and c, one vote: shares, and ties count by their part."""
    codes = np.array([[0, 0, 0, 1], [1, 2, -1, -1], [-1, -1, 2, -1]])
    found = majority(codes, 3)
    assert found.posterior.tolist() == [[0.75, 0.25, 0], [0, 0.5, 0.5], [0, 0, 1]]
    assert found.competence.tolist() == [0.75, 0.75, 1.0, 0.0]
    assert found.consensus.tolist() == [0, 1, 2]
    assert found.log_likelihood is None


def test_a_vote_alone_is_no_majority():
    found = majority(np.array([[0, 0, -1], [0, 1, -1], [0, -1, -1], [-1, -1, 1]]), 2)
    assert found.competence[:2].tolist() == [0.75, 0.75]
    assert np.isnan(found.competence[2])


def test_restarts_do_not_depend_on_how_many_there_are():
    codes, _ = noisy(60, [0.9, 0.7, 0.6], 3, seed=2)
    few, many = (mace(codes, 3, restarts=restarts, seed=7) for restarts in (1, 4))
    assert many.log_likelihood >= few.log_likelihood
    again = mace(codes, 3, restarts=4, seed=7)
    assert again.log_likelihood == many.log_likelihood
    assert (again.posterior == many.posterior).all()


@every_model
def test_tables_without_annotations_are_no_error(fit):
    for shape in ((3, 2), (0, 2)):
        found = fit(np.full(shape, -1), 2)
        assert np.isnan(found.posterior).all()
        assert np.isnan(found.competence).all()


@every_model
def test_one_label_leaves_nothing_uncertain(fit):
    found = fit(np.zeros((4, 3), dtype=int), 1)
    assert found.posterior.tolist() == [[1.0]] * 4
    assert found.entropy.tolist() == [0.0] * 4


def test_a_code_that_is_no_label_is_refused():
    with pytest.raises(ValueError, match="code 2 among 2 labels"):
        mace(np.array([[0, 2]]), 2)
