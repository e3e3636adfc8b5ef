"""MACE and Dawid-Skene on the data that were released with MACE (Hovy et al. 2013).

Accuracies and log-likelihoods are those of the authors' own program and, for Dawid-Skene, of crowd-kit. The
program draws its restarts at random, so that likelihoods are compared with a tolerance, and accuracies to
within one item.
"""

import pytest

from arbitree.api.coders import find_coders
from arbitree.kinds.labels.truth import read_truth, with_truth
from arbitree.measures.computing import Computing
from arbitree.measures.resampling import Resampling
from arbitree.reading.assembly import read_study

ITEMS = {"rte": 800, "temporal": 462}

PUBLISHED = [
    ("rte", "mace", "vb", 0.9263, -3923.868),
    ("rte", "mace", "em", 0.9287, -3681.433),
    ("temporal", "mace", "vb", 0.9416, -1379.405),
    ("temporal", "mace", "em", 0.9416, -1259.291),
    ("rte", "dawid_skene", "", 0.9275, None),
    ("temporal", "dawid_skene", "", 0.9416, None),
    ("rte", "majority", "", 0.9187, None),
    ("temporal", "majority", "", 0.9394, None),
]


def fitted(data, name, model, method):
    folder = data / "mace" / "test"
    study = read_study([str(folder / f"{name}.csv")])
    found = find_coders(study, model, method=method or "vb", computing=Computing(resamples=0))
    return with_truth(found, read_truth(str(folder / f"{name}.key"), study), Resampling(0))


@pytest.mark.parametrize(("name", "model", "method", "accuracy", "likelihood"), PUBLISHED)
def test_published_accuracy_and_likelihood(data, name, model, method, accuracy, likelihood):
    found = fitted(data, name, model, method)
    competence, right = found.results
    assert right.items_used == ITEMS[name]
    assert right.value == pytest.approx(accuracy, abs=1 / ITEMS[name])
    if likelihood is not None:
        assert competence.details["log_likelihood"] == pytest.approx(likelihood, abs=0.05)


def test_majority_with_ties_split(data):
    """0.8969: each of 65 items in which labels tie counts by its part."""
    _, right = fitted(data, "rte", "majority", "").results
    assert right.details["ties"] == 65
    assert right.details["ties_split"] == pytest.approx(0.8969, abs=5e-5)
