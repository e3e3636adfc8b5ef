"""LAS with weights from a file."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.errors import FormatError
from arbitree.kinds.dependency.measures.weighted import LAS, Weights, read_weights
from tests.support.build import dep, dep_studies, study_of

GOLD = dep([2, 0, 2, 3], ["nsubj", "root", "obj", "det"])
SYSTEM = dep([2, 0, 1, 3], ["obj", "root", "obj", "det"])


def pair(gold=GOLD, system=SYSTEM):
    from dataclasses import replace

    return replace(study_of({"a": {"gold": gold, "system": system}}), reference="gold")


def write(path, **parts):
    path.write_text(json.dumps({"measure": "weighted_las", **parts}), encoding="utf-8")
    return f"weighted_las:weights={path}"


@given(dep_studies())
def test_without_weights_it_is_las(study):
    weighted, las = evaluate_all(study, ["weighted_las", "las"], resamples=0)
    assert weighted.value == pytest.approx(las.value)


def test_weights_by_hand(tmp_path):
    """Heads right: 1, 2 and 4; all right: 2 and 4. A subject's head is worth 3 more."""
    name = write(tmp_path / "w.json", labelled={"base": 1}, head={"relation": {"nsubj": 3}})
    result = evaluate(pair(), name, resamples=0)
    assert result.value == pytest.approx((2 + 3) / (4 + 3))
    assert result.details["options"]["weights"] == str(read_weights(str(tmp_path / "w.json")))


def test_sums_below_zero_are_worth_nothing(tmp_path):
    name = write(tmp_path / "w.json", labelled={"base": 1, "relation": {"det": -5, "obj": -1}})
    assert evaluate(pair(), name, resamples=0).value == pytest.approx(1 / 2)


def test_depth_is_that_of_gold(tmp_path):
    name = write(tmp_path / "w.json", label={"depth": {"1": 2, "3": 1}})
    assert evaluate(pair(), name, resamples=0).value == 1


def test_no_worth_at_all_is_undefined(tmp_path):
    result = evaluate(pair(), write(tmp_path / "w.json", head={"base": -1}), resamples=0)
    assert result.value is None
    assert result.status != "ok"


@given(dep_studies(), st.dictionaries(st.sampled_from(["nsubj", "obj"]), st.floats(-2, 2), max_size=2))
def test_a_tree_with_itself_is_perfect(study, relations):
    weights = Weights(
        (("labelled", "base", "", 1.0), *(("head", "relation", k, v) for k, v in relations.items()))
    )
    from arbitree.kinds.dependency.measures.weighted import WeightedAttachment

    same = study_of({key[0]: {"x": cell.value, "y": cell.value} for key, cell in study.cells.items()})
    (result,) = evaluate_all(same, [("weighted_las", WeightedAttachment(weights=weights))], resamples=0)
    assert result.value == pytest.approx(1)


def test_what_is_written_is_read_back(tmp_path):
    weights = Weights((("labelled", "base", "", 1.0), ("head", "tag", "NOUN", 0.25)), '{"seed": 3}')
    path = tmp_path / "w.json"
    path.write_text(json.dumps(weights.to_dict()), encoding="utf-8")
    found = read_weights(str(path))
    assert set(found.entries) >= set(weights.entries)
    assert json.loads(found.note) == {"seed": 3}
    assert str(found) != str(LAS)


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        '{"measure": "las"}',
        '{"measure": "weighted_las", "head": 1}',
        '{"measure": "weighted_las", "head": {"colour": {}}}',
        '{"measure": "weighted_las", "head": {"tag": 1}}',
        '{"measure": "weighted_las", "head": {"tag": {"NOUN": "much"}}}',
        '{"measure": "weighted_las", "head": {"base": NaN}}',
    ],
)
def test_broken_files_are_refused(tmp_path, text):
    path = tmp_path / "w.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=r"w\.json"):
        read_weights(str(path))
