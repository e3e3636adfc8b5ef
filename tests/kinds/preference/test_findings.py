"""Whole studies of preferences, made by hand or at random."""

import random
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from arbitree.errors import StudyError, UnknownName, UnsupportedStudy
from arbitree.kinds.dependency.kind import KIND
from arbitree.kinds.preference import compare
from arbitree.kinds.preference.contest import Contest, measure
from arbitree.kinds.preference.findings import PreferOptions
from arbitree.kinds.preference.fitted_weights import fit_weights
from arbitree.kinds.preference.statistics.logistic import ridge_logistic
from arbitree.kinds.preference.tables import records, sections
from arbitree.kinds.preference.value import Preference
from arbitree.measures.resampling import Resampling
from tests.support.build import dep, random_dep, study_of

prefer = partial(compare.prefer, kind=KIND)

METRICS = ["las", "uas", "la", "content_las", "function_las"]


def contest(name="set", count=40, seed=1, follow=0.8, coders=("ann", "bob", "cho")):
    """Random parses of random gold; coders mostly prefer the parse with the better heads."""
    rng = random.Random(seed)
    trees, judged = {}, {}
    for number in range(count):
        gold = random_dep(rng, rng.randint(4, 9))
        parses = [
            dep(
                [h if rng.random() < 0.7 else 0 for h in gold.heads],
                [r if rng.random() < 0.7 else "other" for r in gold.relations],
                gold.tokens,
            )
            for _ in "ab"
        ]
        trees[f"s{number}"] = {"gold": gold, "one": parses[0], "two": parses[1]}
        good = [sum(g == h for g, h in zip(gold.heads, parse.heads, strict=True)) for parse in parses]
        better = "one" if good[0] >= good[1] else "two"
        worse = "two" if better == "one" else "one"
        judged[f"s{number}"] = {
            coder: Preference(("one", "two"), better if rng.random() < follow else worse) for coder in coders
        }
    study = replace(study_of(trees, ("gold", "one", "two")), reference="gold")
    return Contest(name, study, study_of(judged, coders))


def swapped(found):
    trees = replace(found.trees, coders=("gold", "two", "one"))
    cells = {
        key: replace(cell, value=Preference(("two", "one"), cell.value.choice))
        for key, cell in found.judged.cells.items()
    }
    return Contest(found.name, trees, replace(found.judged, cells=cells))


def test_changing_sides_changes_no_correlation():
    ours, theirs = (
        prefer([each], METRICS, settings=PreferOptions(aggregate="majority", resampling=Resampling(0)))
        for each in (contest(), swapped(contest()))
    )
    for one, other in zip(ours.results, theirs.results, strict=True):
        assert one.value == pytest.approx(other.value)
        assert one.details["agreement"] == pytest.approx(other.details["agreement"])


def test_people_who_go_by_heads_are_best_predicted_by_uas():
    found = prefer([contest(count=80)], METRICS, settings=PreferOptions(resampling=Resampling(0)))
    rho = {result.measure: result.value for result in found.results}
    assert rho["uas"] > rho["las"] > 0
    assert rho["uas"] > rho["la"]


def test_sets_are_pooled_item_by_item():
    sets = [contest("x", 30, 1), contest("y", 20, 2)]
    found = prefer(sets, ["las"], settings=PreferOptions(aggregate="majority", resampling=Resampling(50)))
    assert [part.name for part in found.correlations] == ["x", "y", "all"]
    assert found.results[0].items_used == sum(len(part.y) for part in found.correlations[:2])
    alone = prefer(sets[:1], ["las"], settings=PreferOptions(aggregate="majority", resampling=Resampling(50)))
    group = found.results[0].groups["set"][0]
    assert (group.value, group.interval) == (alone.results[0].value, alone.results[0].interval)


def test_the_seed_makes_the_interval():
    one, same, other = (
        prefer([contest()], ["las"], settings=PreferOptions(resampling=Resampling(50, seed=seed)))
        .results[0]
        .interval
        for seed in (3, 3, 4)
    )
    assert one == same != other


def test_undecided_items_and_identical_parses_are_counted():
    base = contest(count=10)
    same = base.trees.cells["s0", "one"]
    cells = dict(base.trees.cells) | {("s0", "two"): replace(same, coder="two")}
    found = measure(replace(base, trees=replace(base.trees, cells=cells)), ["las"], KIND)
    assert [each.reason for each in found.ignored] == ["identical_parses"]
    assert len(found.items) == 9


def test_missing_trees_and_other_words_are_counted():
    base = contest(count=6)
    cells = dict(base.trees.cells)
    del cells["s0", "two"]
    cells["s1", "one"] = replace(cells["s1", "one"], value=dep([0]))
    found = measure(replace(base, trees=replace(base.trees, cells=cells)), ["las"], KIND)
    assert sorted(each.reason for each in found.ignored) == ["missing_tree", "token_mismatch"]


def test_metrics_without_a_value_tie_and_are_said():
    found = prefer([contest()], ["lcp", "las"], settings=PreferOptions(resampling=Resampling(0)))
    assert found.results[0].details["ties"] == 40
    assert found.results[0].status == "no_variation"
    assert any("lcp is undefined on 40 of 40 items" in note for note in found.notes)


def test_tables_hold_what_the_json_holds():
    found = prefer(
        [contest("x"), contest("y", seed=5)], METRICS, settings=PreferOptions(resampling=Resampling(20))
    )
    tables = records(sections(found))
    assert list(tables) == [
        "people",
        "correlations",
        "systems",
        "tests",
        "coefficients",
        "agreement",
        "between",
        "words",
        "overruled",
    ]
    assert [row["metric"] for row in tables["correlations"]] == [*METRICS, "(ceiling)"]
    assert tables["correlations"][0]["all"] == found.results[0].value


def test_what_cannot_be_done_is_refused():
    with pytest.raises(UnknownName, match="Did you mean 'sign'"):
        PreferOptions(correlate="sing")
    with pytest.raises(UnknownName, match="unknown metric"):
        prefer([contest()], ["uas"], settings=PreferOptions(against="las"))
    with pytest.raises(StudyError, match="no aggregated verdicts"):
        prefer([contest()], ["las"], settings=PreferOptions(aggregate="given"))


def test_newton_finds_the_minimum():
    rng = np.random.default_rng(0)
    for rows, columns in ((60, 5), (8, 20)):  # both ways to solve
        x = rng.normal(size=(rows, columns))
        y = (x[:, 0] + rng.normal(size=rows) > 0).astype(float)
        theta = ridge_logistic(x, y, 2.0)
        penalty = np.full(columns, 2.0)
        penalty[0] = 1e-6
        gradient = x.T @ (1 / (1 + np.exp(-x @ theta)) - y) + penalty * theta
        assert np.abs(gradient).max() < 1e-4


def test_weights_that_people_use_are_found_and_beat_las_on_held_out_items():
    found = prefer(
        [contest(count=400, follow=0.97)], ["las"], settings=PreferOptions(resampling=Resampling(200))
    )
    fitted = fit_weights(found)
    las, weighted = fitted.pooled.agreement
    assert weighted > las
    assert fitted.pooled.agreement_interval[0] > 0
    assert fitted.verdict.startswith("The fitted weights are better than LAS")
    heads = {
        kind: value for credit, kind, name, value in fitted.weights.entries if credit == "head" and not name
    }
    assert heads["base"] > 0


def test_people_who_toss_coins_are_not_fitted():
    found = prefer(
        [contest(count=120, follow=0.5)], ["las"], settings=PreferOptions(resampling=Resampling(200))
    )
    fitted = fit_weights(found)
    assert not fitted.verdict.startswith("The fitted weights are better than LAS")
    assert fitted.to_dict()["held_out"][0]["items"] == 120


def test_the_fit_is_the_same_with_the_same_seed():
    found = prefer([contest(count=60)], ["las"], settings=PreferOptions(resampling=Resampling(20)))
    assert fit_weights(found).to_dict() == fit_weights(found).to_dict()


def test_verdicts_for_one_side_alone_leave_nothing_to_fit():
    base = contest(count=10)
    cells = {
        key: replace(cell, value=Preference(("one", "two"), "one")) for key, cell in base.judged.cells.items()
    }
    one_sided = replace(base, judged=replace(base.judged, cells=cells))
    found = prefer(
        [one_sided], ["las"], settings=PreferOptions(aggregate="majority", resampling=Resampling(20))
    )
    assert found.results[0].value is None
    with pytest.raises(UnsupportedStudy, match="cannot fit weights"):
        fit_weights(found)


def test_a_distance_prefers_the_nearer_parse():
    found = prefer([contest()], ["edit_distance", "las"], settings=PreferOptions(resampling=Resampling(0)))
    assert found.between[0][1] > 0
