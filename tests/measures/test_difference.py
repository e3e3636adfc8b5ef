"""Differences of values, confusions, and the breakdown by label."""

import numpy as np
import pytest

from arbitree.adjudication.differences import confused_labels
from arbitree.api.evaluate import evaluate
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.kinds.dependency.kind import KIND as DEPENDENCY
from arbitree.kinds.labels.kind import KIND
from arbitree.kinds.labels.value import Tags
from arbitree.measures.difference import measure_differences, study_differences
from arbitree.measures.options import measure_named
from tests.support.build import dep, labelled, study_of


def noisy(seed, error, items=60, shares=None):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items) if shares is None else rng.choice(3, items, p=shares)
    seen = [np.where(rng.random(items) < error, rng.integers(0, 3, items), truth) for _ in range(2)]
    return labelled(list(zip(*(column.tolist() for column in seen), strict=True)))


def test_two_measures_of_one_study():
    study = noisy(0, 0.3, 200, shares=(0.9, 0.1, 0))  # one label dominates, which lowers kappa, not ac1
    (row,) = measure_differences(study, KIND, ["ac1", "kappa"]).records()
    values = [evaluate(study, name, resamples=0).value for name in ("ac1", "kappa")]
    assert [row["first"], row["second"]] == values
    assert row["difference"] == pytest.approx(values[0] - values[1])
    assert 0 < row["low"] < row["difference"] < row["high"]
    assert row["p"] < 0.01
    with pytest.raises(UnsupportedStudy, match="a difference needs at least two measures"):
        measure_differences(study, KIND, ["kappa"])


@pytest.mark.parametrize(
    ("names", "other", "hint"),
    [
        (["kappa", "agreement"], "agreement", "Compare kappa with one of: alpha_nominal, "),
        (["ac1", "kappa", "agreement"], "agreement", "Compare ac1 with one of: alpha_nominal, "),
        (["agreement", "kappa"], "kappa", "Omit difference."),
    ],
)
def test_measures_of_different_families_are_not_compared(names, other, hint):
    with pytest.raises(UnsupportedStudy, match=f"{names[0]} and {other} cannot be compared") as error:
        measure_differences(noisy(0, 0.3), KIND, names)
    assert "the same value does not mean the same level of agreement in both" in str(error.value)
    assert hint in str(error.value)


def test_by_default_the_family_of_the_first_measure_is_compared():
    found = [row["what"] for row in measure_differences(noisy(0, 0.3), KIND).records()]
    assert "alpha_nominal - kappa" in found
    assert not any("agreement" in what for what in found)


def test_one_measure_with_two_options_is_a_family():
    study = study_of({"s1": {"a": dep([0, 1]), "b": dep([0, 1])}, "s2": {"a": dep([0, 1]), "b": dep([2, 0])}})
    names = ["ted", "ted:unlabelled=yes"]
    (row,) = measure_differences(study, DEPENDENCY, names).records()
    assert row["what"] == "ted - ted:unlabelled=yes"
    objects = [("mine", measure_named(name, DEPENDENCY)[1]) for name in names]
    assert measure_differences(study, DEPENDENCY, objects).records()[0]["difference"] == row["difference"]


def test_studies_that_cannot_be_compared_are_refused():
    study, alone = noisy(1, 0.2), labelled([("x",), ("y",)])
    with pytest.raises(StudyError, match="agreement needs at least two annotators"):
        study_differences(study, alone, (KIND, KIND))
    trees = study_of({"s1": {"a": dep([0]), "b": dep([0])}})
    with pytest.raises(UnsupportedStudy, match="no measure can compare labels with dependency trees"):
        study_differences(study, trees, (KIND, DEPENDENCY))


def test_equal_studies_do_not_differ():
    study = noisy(1, 0.2)
    (row,) = study_differences(study, study, (KIND, KIND), ["kappa"]).records()
    assert (row["difference"], row["low"], row["high"], row["p"]) == (0, 0, 0, 1)


def test_a_better_study_is_told_from_a_worse_one():
    good, bad = noisy(2, 0.05, 80), noisy(3, 0.6)
    (row,) = study_differences(good, bad, (KIND, KIND), ["alpha_nominal"]).records()
    assert row["low"] > 0
    assert row["p"] < 0.05
    (turned,) = study_differences(bad, good, (KIND, KIND), ["alpha_nominal"]).records()
    assert turned["difference"] == pytest.approx(-row["difference"])


def test_paired_resamples_are_narrower():
    """The same items judged twice: what makes an item hard is the same in both."""
    first = noisy(4, 0.4, 200)
    rng = np.random.default_rng(5)
    rows = [[first.cells[item.id, c].value for c in first.coders] for item in first.items]
    rows = [row if rng.random() > 0.05 else [row[0], row[0]] for row in rows]
    second = labelled(rows)
    (paired,) = study_differences(first, second, (KIND, KIND), ["agreement"]).records()
    moved = study_of({f"other{k}": dict(zip(("c0", "c1"), row, strict=True)) for k, row in enumerate(rows)})
    (apart,) = study_differences(first, moved, (KIND, KIND), ["agreement"]).records()
    assert paired["high"] - paired["low"] < (apart["high"] - apart["low"]) / 2


def test_confusions_are_counted_for_every_pair_of_coders():
    study = labelled([("a", "b", "b"), ("a", "a", None), ("c", "a", "a"), ("a", None, None)])
    found = confused_labels(study, KIND)
    assert found.rows == (("a", "b", 2, 2 / 7), ("a", "c", 2, 2 / 7))
    with pytest.raises(UnsupportedStudy, match="confusions can be counted only for labels"):
        confused_labels(study_of({"s": {"x": dep([0]), "y": dep([0])}}), DEPENDENCY)


def test_a_label_against_all_others():
    rows = [("a", "a"), ("a", "b"), ("b", "b"), ("c", "c"), ("c", "b")]
    result = evaluate(labelled(rows), "kappa", by=["label"], resamples=20)
    groups = {group.name: group for group in result.groups["label"]}
    assert list(groups) == ["b", "a", "c"]
    binary = [tuple(str(int(label == "a")) for label in row) for row in rows]
    assert groups["a"].value == pytest.approx(evaluate(labelled(binary), "kappa", resamples=0).value)
    # Three labels a; the second coder agrees in one item: 2 of 3.
    assert groups["a"].details["specific"] == pytest.approx(2 / 3)
    assert groups["a"].details["share"] == pytest.approx(0.3)


def test_a_tag_is_a_label_of_the_sets_that_hold_it():
    sets = labelled([(Tags.of("ab"), Tags.of("a")), (Tags.of("b"), Tags.of("bc"))])
    result = evaluate(sets, "alpha_masi", by=["label"], resamples=0)
    assert {group.name: group.details["specific"] for group in result.groups["label"]} == {
        "a": 1,
        "b": pytest.approx(2 / 3),
        "c": 0,
    }
