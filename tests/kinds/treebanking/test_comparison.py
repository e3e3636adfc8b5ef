"""Simulated projects, totals, disputes."""

from dataclasses import replace

import pytest

from arbitree.api.evaluate import evaluate
from arbitree.kinds.treebanking.comparison import compare, totals_of
from arbitree.kinds.treebanking.suites import suites_of
from arbitree.kinds.treebanking.value import LOST, REJECTED, TWIG, Option
from arbitree.reading.assembly import assemble
from tests.support.build import study_of
from tests.support.profiles import decisions
from tests.support.simulated_profiles import Plan, simulate, write

PLAN = Plan(suites=4, sentences=300, seed=5)


def read(root):
    inputs, _ = suites_of(str(root), ())
    return assemble(inputs)


@pytest.fixture(scope="module")
def project():
    return simulate(PLAN)


def test_exact_recovers_the_truth(project, tmp_path):
    write(project, tmp_path / "p", thorough=True)
    result = evaluate(read(tmp_path / "p"), "y_option_kappa", resamples=0)
    assert {row["mode"] for row in result.per_item.records()} == {"stored", "recorded"}
    assert result.value == pytest.approx(project.truth, abs=1e-12)


def test_the_truth_lies_in_the_interval_of_the_estimate(project, tmp_path):
    write(project, tmp_path / "p")
    study = read(tmp_path / "p")
    result = evaluate(study, "y_option_kappa", resamples=300)
    assert result.interval.low < project.truth < result.interval.high
    statuses = {cell.value.status for cell in study.cells.values()}
    assert statuses == {"accepted", "rejected", "lost", "unannotated"}
    assert any(cell.value.single for cell in study.cells.values())


def test_estimates_inherit_the_agreement_of_the_accepted(tmp_path):
    """Where rejected sentences are harder, the estimate is too good; without estimation it is too bad."""
    project = simulate(Plan(suites=2, sentences=500, harder=0.3, rejected=0.6, slips=0.02))
    write(project, tmp_path / "p")
    details = evaluate(read(tmp_path / "p"), "y_option_kappa", resamples=0).details
    assert details["without_estimation"] < project.truth < details["with_estimation"]


def test_three_alternatives_make_discriminants_milder_than_options(tmp_path):
    """A choice that differs is one option of one, but two of three discriminants."""
    project = simulate(Plan(suites=1, sentences=400, alternatives=3, rejected=0, slips=0))
    write(project, tmp_path / "p", thorough=True)
    study = read(tmp_path / "p")
    exact = evaluate(study, "y_option_kappa", resamples=0)
    options = evaluate(study, "y_option_kappa:mode=neighbourhood,noop=exclude", resamples=0)
    assert exact.value == pytest.approx(project.truth, abs=1e-12)
    assert 1 - options.value == pytest.approx((1 - exact.value) * 3 / 2)


def test_totals_add_up():
    no = {"status": REJECTED, "chosen": ()}
    rows = {
        "1": {"a": decisions(), "b": decisions()},
        "2": {"a": decisions(), "b": decisions(**no)},
        "3": {"a": decisions(**no), "b": decisions(**no)},
        "4": {"a": decisions(status=LOST), "b": decisions(**no)},
        "5": {"a": decisions()},
    }
    totals = totals_of(study_of(rows, ("a", "b")), ("a", "b"))
    assert (totals.parsed, totals.countable, totals.lost, totals.missing) == (5, 3, 1, 1)
    assert (totals.accepted_by_first_only, totals.rejected_by_second_only) == (1, 1)
    assert (totals.accepted_by_one, totals.rejected_by_one) == (2, 2)


def test_chains_that_exclude_each_other_are_disputed():
    def chains(*keys):
        found = tuple(Option(1, TWIG, key, place, place + 1) for place, key in enumerate(keys))
        return decisions(forest=True).__class__("a b", "accepted", options=found, chosen=(0,), forest=True)

    study = study_of({"s": {"a": chains("n@x", "v@y"), "b": chains("n@x", "n@y")}}, ("a", "b"))
    found = compare(study, evaluate(study, "y_option_kappa", resamples=0))
    assert [(row.label, row.differing, row.compared, row.alone) for row in found.disputes] == [
        ("n@y", 1, 1, 0),
        ("v@y", 1, 1, 0),
    ]
    (split,) = found.splits
    assert (split.key, split.span, split.values) == ("v@y | n@y", "1-2", ("v@y", "n@y"))


def test_a_parse_that_is_not_stored_is_not_another_parse():
    """As in a full-forest profile whose results are cut off: the chosen discriminants are the same."""

    def chose(*keys):
        found = tuple(Option(1, TWIG, key, 0, 2) for key in keys)
        return replace(decisions(forest=True), options=found, chosen=(0,))

    rows = {"1": {"a": chose("x"), "b": chose("x")}, "2": {"a": chose("x"), "b": chose("y")}}
    study = study_of(rows)
    result = evaluate(study, "y_option_kappa", resamples=0)
    assert [row["same_tree"] for row in result.per_item.records()] == [True, False]
    assert [each.item for each in compare(study, result).divergences] == ["2"]
