"""All pq-gram distances at once, against one at a time."""

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.backends.serial import Serial
from arbitree.backends.threads import Threads
from arbitree.distances.pqgram import PqGram
from arbitree.kinds.dependency.kind import KIND
from arbitree.measures.alpha import Alpha
from arbitree.measures.options import fitting, measure_named
from arbitree.measures.sums.trees import PqGramSums
from arbitree.study.comparable import pairable
from tests.support.alpha_by_definition import alpha_by_definition
from tests.support.build import dep_studies, phrase, study_of

SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 4))


@given(dep_studies(max_items=5), SHAPES)
@settings(max_examples=60)
def test_sums_and_squares_equal_loops_over_the_distance(study, shape):
    used, _ = pairable(study)
    if not used:
        return
    distance, source = PqGram(*shape), PqGramSums(*shape).source(used)
    values = {item.cluster: [cell.value for cell in cells] for item, cells in used}
    count = len(source.clusters)
    for start, end in ((0, count), (count // 2, count)):
        sums = source.sums((start, end))[0]
        for row, column in product(range(start, end), range(start, count)):
            pairs = product(values[source.clusters[row]], values[source.clusters[column]])
            expected = sum(distance(a, b) ** 2 for a, b in pairs)
            assert sums[row - start, column - start] == pytest.approx(expected, abs=1e-12)
    first, second = (np.array([found[k] for found in source.of_item]) for k in (0, 1))
    expected = [distance(cells[0].value, cells[1].value) ** 2 for _, cells in used]
    assert source.squares(first, second)[0] == pytest.approx(expected, abs=1e-12)


@given(dep_studies(), SHAPES)
@settings(max_examples=60)
def test_alpha_equals_the_definition(study, shape):
    p, q = shape
    expected = alpha_by_definition(study, PqGram(p, q))
    found = evaluate(study, f"alpha_pqgram:p={p},q={q}", resamples=0).value
    assert found is None if expected is None else found == pytest.approx(expected, abs=1e-12)


@given(dep_studies(max_items=4, max_size=4), st.data())
@settings(max_examples=30)
def test_weights_are_multiplicities_of_items(study, draw):
    times = draw.draw(st.lists(st.integers(0, 3), min_size=len(study.items), max_size=len(study.items)))
    measure = Alpha(PqGram())
    stats = measure.statistics.prepare(study, Serial())
    expected = alpha_by_definition(study, PqGram(), times)
    found = measure.score(stats, np.array([times], dtype=float))[0]
    assert np.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-12)


def test_phrase_trees_and_structure_alone():
    study = study_of(
        {
            "a": {"x": phrase("(S (NP P) (VP V (NP D N)))"), "y": phrase("(S (NP P) (VP V D N))")},
            "b": {"x": phrase("(NP D N)"), "y": phrase("(NP D (NP N))")},
        }
    )
    for labelled in (True, False):
        expected = alpha_by_definition(study, PqGram(labelled=labelled))
        found = evaluate(study, f"alpha_pqgram:labelled={'yes' if labelled else 'no'}", resamples=0)
        assert found.value == pytest.approx(expected, abs=1e-12)


@given(dep_studies(max_items=8))
@settings(max_examples=20)
def test_every_backend_gives_the_same_digits(study):
    runs = (Serial(), Threads(1), Threads(3))
    assert len({evaluate(study, "alpha_pqgram", resamples=0, run=run).value for run in runs}) == 1


def test_it_is_computed_on_request_only():
    study = study_of({"a": {"x": phrase("(S A)"), "y": phrase("(S B)")}, "b": {"x": phrase("(S A)")}})
    assert "alpha_pqgram" not in fitting(study, KIND)
    assert "alpha_pqgram" in fitting(study, KIND, on_request=True)
    assert "alpha_pqgram" not in [result.measure for result in evaluate_all(study, resamples=0)]


def test_p_and_q_are_options_and_stand_in_the_signature():
    study = study_of(
        {"a": {"x": phrase("(S A)"), "y": phrase("(S B)")}, "b": {"x": phrase("(T A)"), "y": phrase("(S A)")}}
    )
    result = evaluate(study, "alpha_pqgram:p=3,q=2", resamples=0)
    assert result.signature.startswith("alpha_pqgram:labelled=yes,p=3,q=2|items:2|coders:2|data:")
    assert result.references[-1] == "augsten2005"
    assert json.dumps(result.to_dict())
    assert measure_named("alpha_pqgram", KIND)[1].about == "Krippendorff's α with pq-gram distance"
