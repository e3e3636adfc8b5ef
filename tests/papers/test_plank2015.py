"""Tables of Plank et al. (2015), on the three languages of its release that are at hand.

Punctuation is what consists of Unicode punctuation alone; verdicts are those released with the paper. One of
the German ones is the word "root", on an item that both annotators gave to the first parser: the printed
correlation comes out if it counts as not for the first parser.
"""

from functools import partial

import pytest

from arbitree.api.prefer import is_tree
from arbitree.kinds.dependency.kind import KIND
from arbitree.kinds.preference import compare
from arbitree.kinds.preference.contest import files_in, read_contest
from arbitree.kinds.preference.findings import PreferOptions
from arbitree.measures.resampling import Resampling

prefer = partial(compare.prefer, kind=KIND)

METRICS = ("las", "uas", "la")
# items, mean length, mean depth, judgments an item, raw agreement (Table 5 has three digits), kappa
TABLE_1 = {
    "da": (200, 22.7, 8.1, (2, 3), 0.768, 0.53),
    "de": (200, 18.0, 4.4, (2, 2), 0.670, 0.33),
    "en": (200, 23.4, 5.4, (4, 4), 0.728, 0.45),
}
KAPPA = {"da": 0.534, "de": 0.341, "en": 0.457}  # by an independent program on the same files
TABLE_2 = {
    "da": ((79.28, 83.40, 85.92), (82.75, 87.00, 88.42)),
    "de": ((69.09, 75.70, 82.05), (72.07, 80.29, 82.22)),
    "en": ((79.17, 82.31, 87.88), (78.30, 82.91, 86.80)),
}
PREDICATIONS = {
    "da": ((47.69, 55.23), (52.31, 62.31)),
    "de": ((19.72, 30.45), (19.38, 33.22)),
    "en": ((41.27, 47.17), (36.05, 45.58)),
}
TABLE_4_LAS = {"de": 0.466, "en": 0.547}
TABLE_5_LAS = {"de": 0.710, "en": 0.715}


def contests(data, stray="exclude"):
    folder = data / "plank2015"
    return [
        read_contest(
            files_in(
                str(folder / name),
                is_tree,
                judgments="annotated.csv",
                verdicts="prediction",
            ),
            stray=stray,
        )
        for name in TABLE_1
    ]


@pytest.fixture(scope="module")
def findings(data):
    settings = PreferOptions(aggregate="given", resampling=Resampling(0))
    return prefer(contests(data, "second"), METRICS, settings=settings)


def test_table_1_data_and_agreement(findings):
    for each in findings.sets:
        items, length, depth, judgments, raw, kappa = TABLE_1[each.name]
        assert len(each.measured.items) == items
        assert each.length == pytest.approx(length, abs=0.061)  # de is 18.06, printed 18.0
        assert round(each.depth, 1) == depth
        assert each.per_item == judgments
        assert round(each.agreement.raw, 3) == raw
        assert each.agreement.kappa == pytest.approx(kappa, abs=0.011)
        assert round(each.agreement.kappa, 3) == KAPPA[each.name]


def test_table_2_scores_of_both_parsers(findings):
    for each in findings.sets:
        for side in (0, 1):
            found = [round(100 * findings.score(k, each)[side], 2) for k in range(3)]
            assert tuple(found) == TABLE_2[each.name][side], each.name


def test_table_4_correlation_of_las_with_people(findings):
    groups = {group.name: group for group in findings.results[0].groups["set"]}
    for name, rho in TABLE_4_LAS.items():
        assert round(groups[name].value, 3) == rho
    assert groups["da"].value == pytest.approx(0.297, abs=0.0015)


def test_table_4_with_the_stray_verdict_left_out(data):
    """Without the verdict "root" the German correlation is .464."""
    german = prefer(
        [contests(data)[1]], ["las"], settings=PreferOptions(aggregate="given", resampling=Resampling(0))
    )
    assert german.results[0].items_used == 199
    assert round(german.results[0].value, 3) == 0.464


def test_table_4_with_verdicts_of_our_own(data):
    """MACE on the released judgments: English as printed, German .458, with blue on the item in question."""
    found = prefer(contests(data), ["las"], settings=PreferOptions(resampling=Resampling(0)))
    groups = {group.name: group.value for group in found.results[0].groups["set"]}
    assert round(groups["en"], 3) == 0.547
    assert groups["de"] == pytest.approx(0.458, abs=0.001)


def test_our_mace_gives_the_released_verdicts(data, findings):
    """Danish and English by expectation maximisation; German has two judges, so MACE cannot tell."""
    own = prefer(
        contests(data), ["las"], settings=PreferOptions(aggregate="mace-em", resampling=Resampling(0))
    )
    same = {
        ours.name: int((ours.verdicts.values == theirs.verdicts.values).sum())
        for ours, theirs in zip(own.sets, findings.sets, strict=True)
    }
    assert (same["da"], same["en"]) == (200, 200)
    assert same["de"] >= 200 - 27 - 1  # the judges differ on 27, and one verdict is a stray one


def test_table_2_predications_leave_out_verbs_without_dependents(data):
    """Two German cells differ by one verb of 289."""
    names = ["lcp:childless=skip", "ucp:childless=skip"]
    found = prefer(
        contests(data), names, settings=PreferOptions(aggregate="majority", resampling=Resampling(0))
    )
    for each in found.sets:
        for side in (0, 1):
            scores = [100 * found.score(k, each)[side] for k in (0, 1)]
            near = 0.005 if (each.name, side) != ("de", 1) else 0.35
            assert scores == pytest.approx(PREDICATIONS[each.name][side], abs=near), each.name


def test_table_5_is_a_mean_over_annotators(findings):
    for each in findings.sets:
        if each.name in TABLE_5_LAS:
            assert round(each.with_coders[0], 3) == TABLE_5_LAS[each.name]


def test_table_7_counts_the_items_on_which_people_overrule_las(findings):
    assert len(findings.sets[2].overruled.cases) == 35
