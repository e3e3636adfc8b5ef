"""Distances of all pairs of trees, against the distance of one pair at a time."""

from itertools import combinations

import pytest

from arbitree.api.read import read
from arbitree.distances.ted import DELTAS, Ted
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.measures.distance_spread import distances
from tests.support.build import dep, labelled, study_of


def test_distances_are_those_of_the_pairs():
    study = read("examples/dependency/ann.conllu", "examples/dependency/cho.conllu")
    found = distances(study)
    cells = list(study.cells.values())
    for place, delta in enumerate(DELTAS):
        ted = Ted(delta)
        apart = [ted(a.value, b.value) for a, b in combinations(cells, 2) if a.item != b.item]
        together = [ted(a.value, b.value) for a, b in combinations(cells, 2) if a.item == b.item]
        assert sorted(found.between[place]) == pytest.approx(sorted(apart))
        assert sorted(found.within[place]) == pytest.approx(sorted(together))


def test_a_sample_has_the_size_asked_for_and_pairs_of_different_sentences():
    study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
    found = distances(study, most=100, seed=3)
    assert found.between.shape == (3, 100)
    assert found.sampled
    assert found.every == 480
    assert (distances(study, most=100, seed=3).between == found.between).all()


def test_one_coder_has_no_pairs_within():
    found = distances(read("examples/phrase/ann.mrg"))
    assert found.within.shape == (3, 0)
    assert {row[1] for row in found.table().rows} == {"between"}


def test_what_has_no_trees_is_refused():
    with pytest.raises(UnsupportedStudy):
        distances(labelled([["a", "b"]]))
    with pytest.raises(StudyError):
        distances(study_of({"a": {"x": dep([])}}))
