"""Alpha over trees against the definition written as loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.backends.serial import Serial
from arbitree.backends.threads import Threads
from arbitree.distances.ted import CostFunctions, Ted
from arbitree.measures.alpha import Alpha
from arbitree.measures.sums.pairs import Stripe
from tests.support.alpha_by_definition import alpha_by_definition
from tests.support.build import dep, dep_studies, phrase, study_of
from tests.support.random_studies import some_study

ALPHAS = ("alpha_plain", "alpha_diff", "alpha_norm")
AGREED = dep([2, 0], ["nsubj", "root"])
OTHER = dep([0, 1], ["root", "obj"])


@given(dep_studies())
@settings(max_examples=60)
def test_all_alphas_equal_the_definition(study):
    for name in ALPHAS:
        delta = name.removeprefix("alpha_")
        expected = alpha_by_definition(study, Ted(delta))
        found = evaluate(study, name, resamples=0).value
        assert found is None if expected is None else found == pytest.approx(expected, abs=1e-12)


@given(dep_studies(max_items=4, max_size=4), st.data())
@settings(max_examples=40)
def test_weights_are_multiplicities_of_items(study, draw):
    times = draw.draw(st.lists(st.integers(0, 3), min_size=len(study.items), max_size=len(study.items)))
    measure = Alpha()
    stats = measure.statistics.prepare(study, Serial())
    expected = alpha_by_definition(study, Ted(), times)
    found = measure.score(stats, np.array([times], dtype=float))[0]
    assert np.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-12)


def test_size_leaves_counts_terminals_of_phrase_trees():
    study = study_of(
        {
            "a": {"x": phrase("(S (NP P) (VP V (NP D N)))"), "y": phrase("(S (NP P) (VP V D N))")},
            "b": {"x": phrase("(NP D N)"), "y": phrase("(NP D (NP N))")},
        }
    )
    for delta in ("diff", "norm"):
        for size in ("nodes", "leaves"):
            expected = alpha_by_definition(study, Ted(delta, size=size))
            found = evaluate(study, f"alpha_{delta}:size={size}", resamples=0)
            assert found.value == pytest.approx(expected, abs=1e-12)
            assert f"size={size}" in found.signature
    assert Ted("norm", size="leaves")(*(study.cells["a", c].value for c in "xy")) == pytest.approx(1 / 8)
    assert Ted("norm")(*(study.cells["a", c].value for c in "xy")) == pytest.approx(1 / 15)


def test_unlabelled_alpha_sees_structure_alone():
    study = study_of(
        {
            "a": {"x": dep([2, 0], "pq"), "y": dep([2, 0], "rs")},
            "b": {"x": dep([0, 1, 2]), "y": dep([0, 1, 2])},
        }
    )
    assert evaluate(study, "alpha_plain:labelled=no", resamples=0).value == 1
    assert evaluate(study, "alpha_plain", resamples=0).value < 1


def test_label_costs_by_callable_and_by_table(tmp_path):
    study = study_of(
        {
            "a": {"x": dep([2, 0], ["advmod", "root"]), "y": dep([2, 0], ["obl", "root"])},
            "b": {"x": dep([0, 1], ["root", "obj"]), "y": dep([0, 1], ["root", "obj"])},
        }
    )
    mild = CostFunctions(lambda a, b: 0.3 if {a, b} == {"advmod", "obl"} else float(a != b))
    expected = alpha_by_definition(study, Ted(costs=mild))
    (by_callable,) = evaluate_all(study, [("alpha_plain", Alpha(Ted(costs=mild)))], resamples=0)
    assert by_callable.value == pytest.approx(expected, abs=1e-12)
    table = tmp_path / "costs.tsv"
    table.write_text("# adverbials\nadvmod\tobl\t0.3\n", encoding="utf-8")
    by_table = evaluate(study, f"alpha_plain:costs={table}", resamples=0)
    assert by_table.value == pytest.approx(expected, abs=1e-12)
    assert by_table.value > evaluate(study, "alpha_plain", resamples=0).value
    assert f"costs={table.name}#" in by_table.signature


def test_labels_of_a_cost_table_that_no_tree_has_are_named(tmp_path):
    rows = {"x": dep([2, 0], ["advmod", "root"]), "y": dep([2, 0], ["obl", "root"])}
    study = study_of({"a": rows, "b": rows})
    table = tmp_path / "costs.tsv"
    table.write_text("advmod\toblx\t0.3\nobl\t\t0.5\n", encoding="utf-8")
    found = evaluate(study, f"alpha_plain:costs={table}", resamples=0)
    assert f"{table}: no tree has the label 'oblx'" in found.notes
    parted = evaluate(study, f"alpha_plain:costs={table}", resamples=0, by=["pair"])
    assert parted.notes == found.notes
    table.write_text("".join(f"obl\tx{number}\t0.3\n" for number in range(7)), encoding="utf-8")
    (note,) = evaluate(study, f"alpha_plain:costs={table}", resamples=0).notes
    assert note.endswith("no tree has the labels 'x0', 'x1', 'x2', 'x3', 'x4' and 2 more")
    table.write_text("advmod\tobl\t0.3\n", encoding="utf-8")
    assert not evaluate(study, f"alpha_plain:costs={table}", resamples=0).notes


def test_tokens_on_a_cycle_count_in_the_size_but_not_in_the_tree():
    cyclic, tree = dep([2, 1, 0]), dep([3, 3, 0])
    assert Ted()(cyclic, tree) == 2
    assert Ted("norm")(cyclic, tree) == pytest.approx(2 / 8)


@pytest.mark.parametrize(
    ("rows", "value", "status"),
    [
        ({"a": {"x": AGREED, "y": AGREED}, "b": {"x": AGREED, "y": AGREED}}, None, "no_variation"),
        ({"a": {"x": AGREED, "y": AGREED}}, None, "no_variation"),
        ({"a": {"x": AGREED, "y": OTHER}}, 0.0, "single_item"),
        ({"a": {"x": AGREED, "y": OTHER}, "b": {"x": OTHER, "y": AGREED}}, -0.5, "ok"),
        ({"a": {"x": AGREED}, "b": {"y": OTHER}}, None, "no_pairable"),
        ({"a": {"x": AGREED, "y": AGREED}, "b": {"x": OTHER, "y": OTHER}}, 1.0, "ok"),
    ],
)
def test_degenerate_studies(rows, value, status):
    result = evaluate(study_of(rows, ("x", "y")), "alpha_plain", resamples=20)
    assert result.status == status
    assert result.value == (None if value is None else pytest.approx(value, abs=1e-12))
    if value is None:
        assert result.interval is None


def test_items_of_one_annotation_are_counted_and_do_not_move_the_value():
    rows = {"a": {"x": AGREED, "y": OTHER}, "b": {"x": OTHER, "y": OTHER}}
    with_single = study_of(rows | {"c": {"x": dep([0] * 9)}})
    result = evaluate(with_single, "alpha_plain", resamples=0)
    assert result.value == evaluate(study_of(rows), "alpha_plain", resamples=0).value
    assert [(each.item, each.reason) for each in result.ignored] == [("c", "single_annotation")]
    assert (result.items_used, len(result.ignored)) == (2, 1)


def test_empty_trees_are_left_out_and_counted():
    rows = {"a": {"x": AGREED, "y": OTHER}, "b": {"x": OTHER, "y": dep([])}, "c": {"x": OTHER, "y": OTHER}}
    result = evaluate(study_of(rows), "alpha_plain", resamples=0)
    assert [(each.item, each.reason) for each in result.ignored] == [("b", "empty_tree")]


@given(dep_studies(max_items=8))
@settings(max_examples=20)
def test_every_backend_and_thread_count_gives_the_same_digits(study):
    runs = (Serial(), Threads(1), Threads(2), Threads(5))
    values = {tuple(r.value for r in evaluate_all(study, ALPHAS, resamples=0, run=run)) for run in runs}
    assert len(values) == 1


def test_stripes_meet_without_gaps_and_may_be_streamed(monkeypatch):
    """Small stripes, so that a small study crosses all their borders."""
    from arbitree.measures.sums import pairs as pair_sums
    from tests.support.build import random_dep

    rng = __import__("random").Random(7)
    study = study_of({f"i{k}": {c: random_dep(rng, rng.randint(1, 7)) for c in "xyz"} for k in range(23)})
    whole = [r.value for r in evaluate_all(study, ALPHAS, resamples=0)]
    monkeypatch.setattr(pair_sums, "STRIPE", 3)
    pieces = evaluate_all(study, ALPHAS, resamples=50)
    assert [r.value for r in pieces] == pytest.approx(whole, abs=1e-12)
    assert all(r.interval.low <= r.value <= r.interval.high for r in pieces)
    monkeypatch.setattr(pair_sums, "STORED_BYTES", 100)
    calls = []
    stripes = pair_sums._stripes
    monkeypatch.setattr(pair_sums, "_stripes", lambda *a: calls.append(a) or stripes(*a))
    streamed = evaluate_all(study, ALPHAS, resamples=50)
    assert [r.value for r in streamed] == pytest.approx([r.value for r in pieces], abs=1e-12)
    assert [r.interval.low for r in streamed] == pytest.approx([r.interval.low for r in pieces], abs=1e-12)
    assert len(calls) == 1  # one pass for all measures and resamples


def test_the_sum_behind_an_estimate_is_computed_once(monkeypatch):
    calls = []
    between = Stripe.between
    monkeypatch.setattr(Stripe, "between", lambda *given: calls.append(given[2]) or between(*given))
    study = study_of({f"i{k}": {"x": AGREED, "y": AGREED if k % 2 else OTHER} for k in range(9)})
    found = evaluate_all(study, ALPHAS)
    assert sorted(calls) == [(0,), (1,), (2,)]
    assert [r.value for r in found] == [r.value for r in evaluate_all(study, ALPHAS, resamples=0)]


def test_documents_of_a_streamed_study_are_the_same(monkeypatch):
    from arbitree.measures.sums import pairs as pair_sums

    study = some_study()
    stored = evaluate(study, "alpha_plain", resamples=20, by=["document"])
    monkeypatch.setattr(pair_sums, "STORED_BYTES", 100)
    streamed = evaluate(study, "alpha_plain", resamples=20, by=["document"])
    for ours, theirs in zip(streamed.groups["document"], stored.groups["document"], strict=True):
        assert ours.value == pytest.approx(theirs.value, abs=1e-12)
        assert ours.interval.low == pytest.approx(theirs.interval.low, abs=1e-12)
