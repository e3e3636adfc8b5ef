"""Systems ranked and compared."""

import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import arbitree as at
from arbitree.errors import UnsupportedStudy
from arbitree.kinds.dependency.kind import KIND
from arbitree.measures.resampling import Resampling
from arbitree.scoring.systems import score_systems
from tests.support.build import dep, random_dep, study_of
from tests.support.perturbed import perturbed

FOLDER = Path(__file__).parents[2] / "examples/score"


def three_systems(items=30):
    rng = random.Random(2)
    rows = {}
    for number in range(items):
        gold = random_dep(rng, rng.randint(3, 9))
        rows[str(number)] = {
            "gold": gold,
            "bad": perturbed(gold, rng, 0.5),
            "good": perturbed(gold, rng, 0.02),
            "fair": perturbed(gold, rng, 0.2),
        }
    return replace(study_of(rows), reference="gold")


def test_systems_are_ranked_and_all_pairs_tested():
    scores = score_systems(three_systems(), KIND, ["las", "edit_distance"], resampling=Resampling(300))
    assert scores.systems == ("good", "fair", "bad")
    pairs = [(each.first, each.second) for each in scores.comparisons if each.measure == "las"]
    assert pairs == [("good", "fair"), ("good", "bad"), ("fair", "bad")]
    for each in scores.comparisons:
        assert each.randomisation <= each.holm
        assert each.interval[0] <= each.difference <= each.interval[1]
    assert (
        score_systems(three_systems(), KIND, ["edit_distance"], resampling=Resampling(0)).systems[0] == "good"
    )


def test_every_value_is_a_ratio_of_its_sentences():
    """What tests rest on: numerators over denominators give the value of every metric."""
    table = at.score(FOLDER / "gold.conllu", FOLDER / "heron.conllu", resamples=0)
    for result in table.results:
        rows = result.per_item.rows
        total = sum(row[1] for row in rows) / sum(row[2] for row in rows)
        assert result.value == pytest.approx(total), result.measure


def test_intervals_of_differences_rest_on_the_same_draws():
    """The same sentences are drawn for both systems: a system never differs from itself."""
    study = three_systems(40)
    cells = {key: cell for key, cell in study.cells.items() if key[1] in ("gold", "good")}
    twin = {(item, "twin"): replace(cell, coder="twin") for (item, c), cell in cells.items() if c == "good"}
    same = replace(study, coders=("gold", "good", "twin"), cells={**cells, **twin})
    (found,) = score_systems(same, KIND, ["las"], resampling=Resampling(200)).comparisons
    assert (found.difference, found.interval, found.bootstrap, found.randomisation) == (0, (0, 0), 1, 1)


def test_items_that_one_system_lacks_are_left_out_of_the_comparison():
    study = three_systems(10)
    cells = {key: cell for key, cell in study.cells.items() if key != ("3", "bad")}
    scores = score_systems(replace(study, cells=cells), KIND, ["las"], resampling=Resampling(50))
    items = {(each.first, each.second): each.items for each in scores.comparisons}
    assert items == {("good", "fair"): 10, ("good", "bad"): 9, ("fair", "bad"): 9}


def test_bootstrap_values_are_those_of_a_plain_loop():
    """Draw the sentences one by one, from the same seed."""
    study = three_systems(12)
    results = score_systems(
        study, KIND, ["las"], resampling=Resampling(40, seed=5, method="percentile")
    ).results["fair"][0]
    rows = np.array([row[1:3] for row in results.per_item.rows])
    random_numbers = np.random.default_rng(5)
    values = []
    for _ in range(40):
        drawn = rows[random_numbers.integers(12, size=12)]
        values.append(drawn[:, 0].sum() / drawn[:, 1].sum())
    assert results.interval.low == pytest.approx(np.quantile(values, 0.025))
    assert results.interval.high == pytest.approx(np.quantile(values, 0.975))


def test_sentences_that_differ_most_come_first():
    scores = score_systems(three_systems(), KIND, ["las"], resampling=Resampling(0))
    found = scores.differences(5)
    assert len(found) == 5
    assert [each.size for each in found] == sorted((each.size for each in found), reverse=True)


def test_one_system_has_no_comparisons():
    study = study_of({"a": {"gold": dep([0, 1]), "s": dep([0, 1])}})
    scores = score_systems(replace(study, reference="gold"), KIND, ["las"])
    assert scores.comparisons == ()
    assert scores.differences(3) == []


def test_a_study_without_gold_and_a_coefficient_are_refused():
    study = study_of({"a": {"gold": dep([0, 1]), "s": dep([0, 1])}})
    with pytest.raises(UnsupportedStudy, match="needs a gold standard"):
        score_systems(study, KIND, ["las"])
    with pytest.raises(UnsupportedStudy, match="does not score systems"):
        score_systems(replace(study, reference="gold"), KIND, ["alpha_plain"])


def test_python_interface():
    table = at.score(
        FOLDER / "gold.conllu", FOLDER / "heron.conllu", wren=FOLDER / "wren.conllu", resamples=0
    )
    assert table["heron"]["las"].value > table["wren"]["las"].value
    assert "heron" in str(table)
    assert set(table.to_pandas()["system"]) == {"heron", "wren"}
    study = at.read(FOLDER / "gold.conllu", FOLDER / "heron.conllu")
    assert at.score(study, resamples=0).scores.systems == ("heron",)
    with pytest.raises(UnsupportedStudy):
        at.score(study, FOLDER / "wren.conllu")


def test_systems_with_the_same_value_share_a_rank_and_the_headline():
    study = three_systems()
    cells = {
        **study.cells,
        **{(item.id, "twin"): replace(study.cells[item.id, "good"], coder="twin") for item in study.items},
    }
    study = replace(study, coders=(*study.coders, "twin"), cells=cells)
    table = at.score(study, measures=["las"], resamples=0)
    assert table.scores.ranks() == {"good": 1, "twin": 1, "fair": 3, "bad": 4}
    assert "good and twin tie for best with las" in table.document.headline
    shown = re.findall(r"^(\d=?) +(\w+)", str(table), re.MULTILINE)
    assert shown == [("1=", "good"), ("1=", "twin"), ("3", "fair"), ("4", "bad")]
