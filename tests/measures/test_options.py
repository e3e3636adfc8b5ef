"""Measures by name, with options."""

import pytest

from arbitree.api.evaluate import evaluate
from arbitree.errors import ArbitreeError
from arbitree.kinds.dependency.kind import KIND
from arbitree.measures.options import measure_named
from tests.support.build import dep, study_of

STUDY = study_of({"a": {"x": dep([0, 1]), "y": dep([0, 1])}, "b": {"x": dep([0]), "y": dep([0])}})


def test_options_reach_the_distance_and_the_signature_but_not_the_name():
    named = "alpha_norm:size=leaves,labelled=no"
    result = evaluate(STUDY, named, interval="percentile", resamples=10, seed=4)
    assert result.measure == "alpha_norm"
    assert result.details["options"] == {"size": "leaves", "labelled": False}
    assert result.signature == (
        "alpha_norm:labelled=no,size=leaves|items:2|coders:2|data:28742d748d81"
        "|interval:percentile|confidence:0.95|resamples:10|seed:4|order:3772f142|v:0.1.0.dev5"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("alpha_plane", "Did you mean 'alpha_plain'"),
        ("alpha_plain:sise=leaves", "Did you mean 'size'"),
        ("alpha_plain:size=leafs", "Did you mean 'leaves'"),
        ("alpha_plain:labelled=maybe", "Write yes or no"),
        ("alpha_plain:delta=diff", "unknown alpha_plain option 'delta'"),
        ("las:name=uas", "unknown las option 'name'"),
        ("alpha_plain:size", "Write alpha_plain:size=VALUE"),
        ("alpha_plain:costs=nowhere.tsv", "file not found"),
    ],
)
def test_mistakes_get_help(name, words):
    with pytest.raises(ArbitreeError, match=words):
        measure_named(name, KIND)


def test_one_coder_is_refused():
    with pytest.raises(ArbitreeError, match="agreement needs at least two annotators"):
        evaluate(STUDY.select(coders=["x"]), "las")
