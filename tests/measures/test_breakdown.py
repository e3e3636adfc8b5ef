"""The same measure per document, length, coder and pair."""

import pytest

from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.errors import ArbitreeError, UnsupportedStudy
from tests.support.build import dep, study_of
from tests.support.random_studies import some_study

THREE = study_of(
    {
        "a/1": {"x": dep([0, 1], "rs"), "y": dep([0, 1], "rs"), "z": dep([0, 1], "rt")},
        "a/2": {"x": dep([0, 1], "rs"), "y": dep([0, 1], "rt")},
        "b/1": {"y": dep([0] * 7), "z": dep([0] * 7)},
        "b/2": {"x": dep([0, 1, 2]), "z": dep([0, 1, 1])},
    }
)


@pytest.mark.parametrize("measure", ["alpha_plain", "alpha_norm", "las"])
def test_documents_equal_studies_of_those_items_alone(measure):
    study = some_study()
    groups = evaluate(study, measure, resamples=100, by=["document"]).groups["document"]
    assert [group.name for group in groups] == ["d0", "d1", "d2"]
    for group in groups:
        part = study.select(items=[item.id for item in study.items if item.document == group.name])
        alone = evaluate(part, measure, resamples=100)
        assert group.value == pytest.approx(alone.value, abs=1e-12)
        assert (group.interval.low, group.interval.high) == pytest.approx(
            (alone.interval.low, alone.interval.high), abs=1e-12
        )
        assert group.items_used == alone.items_used


def test_pairs_and_coders_equal_studies_of_those_coders_alone():
    for measure in ("alpha_plain", "las"):
        result = evaluate(THREE, measure, resamples=0, by=["pair", "coder"])
        pairs = {group.name: group for group in result.groups["pair"]}
        assert list(pairs) == ["x - y", "x - z", "y - z"]
        for name, group in pairs.items():
            alone = evaluate(THREE.select(coders=name.split(" - ")), measure, resamples=0)
            assert (group.value, group.status) == (alone.value, alone.status)
        coders = {group.name: group for group in result.groups["coder"]}
        own = [pairs["x - y"], pairs["x - z"]]
        mean = sum(group.value * group.items_used for group in own) / sum(group.items_used for group in own)
        assert coders["x"].value == pytest.approx(mean)
        without = evaluate(THREE.select(coders=["x", "y"]), measure, resamples=0).value
        assert coders["z"].details["without"] == without


def test_lengths_are_classes_in_order():
    groups = evaluate(THREE, "las", resamples=0, by=["length"]).groups["length"]
    assert [(group.name, group.items_used) for group in groups] == [("1-5", 3), ("6-10", 1)]


def test_shared_statistics_are_prepared_once(monkeypatch):
    from arbitree.measures.sums.trees import TedSums

    calls = []
    prepare = TedSums.prepare
    monkeypatch.setattr(TedSums, "prepare", lambda *a: calls.append(a) or prepare(*a))
    evaluate_all(THREE, ["alpha_plain", "alpha_diff", "alpha_norm"], resamples=10)
    assert len(calls) == 1
    evaluate_all(THREE, ["alpha_plain", "alpha_diff"], resamples=10, by=["pair", "coder"])
    assert len(calls) == 1 + 1 + 3  # the whole, and each pair once: without one coder there is a pair


def test_unknown_breakdowns_are_refused():
    with pytest.raises(ArbitreeError, match="Did you mean 'document'"):
        evaluate(THREE, "las", by=["documnt"])
    with pytest.raises(UnsupportedStudy, match="needs a study of labels"):
        evaluate(THREE, "las", by=["label"])
