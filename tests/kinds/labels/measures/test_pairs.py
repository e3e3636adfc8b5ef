"""κ and π over pairs of annotators: crowds in which pairs share few items, and many annotators."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import cohen_kappa_score

from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.backends.threads import Threads
from arbitree.kinds.labels.measures import coder_pairs, pair_counts, shared_items
from arbitree.kinds.labels.measures.coder_pairs import Kappa, Pi, WeightedKappa
from arbitree.kinds.labels.measures.ratings import RatingCounts
from tests.support.build import label_rows, labelled

PAIRWISE = {"kappa": Kappa(), "pi": Pi(), "weighted_kappa": WeightedKappa()}


def crowd(items=400, workers=60, each=3, seed=0):
    """Every item has a few labels, by workers drawn from many."""
    rng = np.random.default_rng(seed)
    rows = []
    for truth in rng.choice(4, size=items, p=[0.4, 0.3, 0.2, 0.1]):
        row = [None] * workers
        for worker in rng.choice(workers, size=each, replace=False):
            row[worker] = int(truth if rng.random() < 0.75 else rng.integers(4))
        rows.append(row)
    return rows


@pytest.fixture(scope="module")
def sparse():
    return labelled(crowd())


def names(study):
    return [result.measure for result in evaluate_all(study, resamples=0)]


def test_kappa_is_not_a_default_for_a_crowd(sparse):
    results = evaluate_all(sparse, resamples=0)
    found = [result.measure for result in results]
    assert {"agreement", "alpha_nominal", "multi_pi", "ac1"} <= set(found)
    assert not set(PAIRWISE) & set(found)
    (note,) = [note for note in results[0].notes if note.startswith("kappa")]
    assert "pairs of annotators share fewer than 20 items" in note
    assert note.endswith("Use --measure kappa to compute it")


@pytest.mark.parametrize("measure", PAIRWISE)
def test_on_request_a_note_names_the_pairs_that_share_too_little(sparse, measure):
    result = evaluate(sparse, measure, resamples=0)
    assert result.value is not None
    given = np.array([[label is not None for label in row] for row in crowd()], dtype=int)
    shared = np.triu(given.T @ given, 1)
    pairs = np.count_nonzero(shared)
    assert (result.details["pairs_of_coders"], result.details["sparse_pairs"]) == (pairs, pairs)
    (note,) = [note for note in result.notes if "share fewer than 20 items" in note]
    assert f"{pairs:,} of {pairs:,} pairs" in note
    assert f"and {pairs - 5:,} more" in note


def test_pairs_that_share_enough_have_no_note():
    rows = [("a", "b", "a"), ("b", "b", "b"), ("a", "a", None)] * 10  # the third annotator shares 20 items
    result = evaluate(labelled(rows), "kappa", resamples=0)
    assert (result.notes, result.details["sparse_pairs"]) == ((), 0)
    assert "kappa" in names(labelled(rows))


def test_one_pair_of_many_that_shares_too_little_is_named():
    rows = [("a", "b", "a"), ("b", "b", None), ("a", "a", None)] * 15 + [(None, "b", "b")] * 15
    study = labelled(rows, ("ann", "bob", "cho"))  # ann and cho share 15 of 60 items
    assert "kappa" in names(study)
    (note,) = evaluate(study, "kappa", resamples=0).notes
    assert note.startswith("1 of 3 pairs of annotators share fewer than 20 items (ann - cho: 15)")


@pytest.mark.parametrize("rows", [[("a", "b")] * 3 + [("b", "b")], [("a", "b", "b"), ("b", "b", "a")] * 3])
def test_small_studies_that_everybody_labelled_are_not_sparse(rows):
    assert "kappa" in names(labelled(rows))
    assert evaluate(labelled(rows), "kappa", resamples=0).details["sparse_pairs"] == 0


def test_work_of_defaults_is_bounded(monkeypatch):
    rows = [("a", "b", "a"), ("b", "b", "b")] * 10  # 60 pairs of labels
    monkeypatch.setattr(coder_pairs, "MOST", 60)
    assert "kappa" in names(labelled(rows))
    monkeypatch.setattr(coder_pairs, "MOST", 59)
    first, *_ = evaluate_all(labelled(rows), resamples=0)
    assert "kappa is not computed by default here: it compares 60 pairs of labels" in first.notes[-1]
    assert evaluate(labelled(rows), "kappa", resamples=0).value is not None


def test_kappa_of_a_crowd_equals_the_mean_of_scikit_learn():
    rows = crowd(items=300, workers=12, each=3)
    expected = []
    for a, b in combinations(range(12), 2):
        both = [(row[a], row[b]) for row in rows if row[a] is not None and row[b] is not None]
        expected.append(cohen_kappa_score(*zip(*both, strict=True)))
    assert evaluate(labelled(rows), "kappa", resamples=0).value == pytest.approx(np.mean(expected))


@settings(max_examples=25)
@given(rows=label_rows(max_coders=6))
def test_counting_shared_items_gives_the_same_values_as_a_table_of_all_pairs(rows):
    study = labelled(rows)
    weights = np.random.default_rng(0).multinomial(len(rows), np.full(len(rows), 1 / len(rows)), size=3)
    weights = np.concatenate([np.ones((1, len(rows))), weights.astype(float)])
    for measure in PAIRWISE.values():
        values = []
        ways = (pair_counts.count_pairs, pair_counts._by_label, pair_counts._by_coder)
        for crowded, counts in ((True, None), *((False, way) for way in ways)):
            with pytest.MonkeyPatch.context() as patch:
                for module in (coder_pairs, shared_items):
                    patch.setattr(module, "is_crowd", lambda given, coders, crowded=crowded: crowded)
                patch.setattr(coder_pairs, "count_pairs", counts)
                stats = RatingCounts().prepare(study, Threads())
                values.append(measure.score(stats, weights))
        for others in values[1:]:
            np.testing.assert_allclose(others, values[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "measure",
    ["agreement", "s", "pi", "kappa", "multi_pi", "multi_kappa", "ac1", "alpha_nominal", "alpha_masi"],
)
def test_in_a_crowd_neither_order_nor_names_of_labels_matter(sparse, measure):
    rows = np.array(crowd(), dtype=object)
    rng = np.random.default_rng(1)
    turned = rows[rng.permutation(len(rows))][:, rng.permutation(rows.shape[1])]
    renamed = [[None if label is None else "dbca"[label] for label in row] for row in turned]
    found = evaluate(labelled(renamed), measure, resamples=0)
    expected = evaluate(sparse, measure, resamples=0)
    assert found.value == pytest.approx(expected.value)
    assert found.details.keys() == expected.details.keys()


@pytest.mark.parametrize("measure", ["weighted_kappa", "ac2", "alpha_ordinal", "alpha_interval"])
def test_in_a_crowd_the_order_of_items_and_annotators_does_not_matter(sparse, measure):
    rows = np.array(crowd(), dtype=object)[::-1, ::-1]
    assert evaluate(labelled(rows.tolist()), measure, resamples=0).value == pytest.approx(
        evaluate(sparse, measure, resamples=0).value
    )
