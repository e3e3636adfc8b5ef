"""Worked examples of de Castro (2011), their structure with words of our own; part numbers of the thesis.

Values that the thesis misprints are computed by hand from its formulas.
"""

from itertools import pairwise

import numpy as np
import pytest

from arbitree.api.evaluate import evaluate
from arbitree.kinds.treebanking.measures.discriminants import shared
from arbitree.kinds.treebanking.measures.neighbourhoods import neighbourhoods
from arbitree.kinds.treebanking.measures.y_counts import BOTH, NOOP, R1, Counted, arrays
from arbitree.kinds.treebanking.measures.y_option import YOptionKappa
from arbitree.kinds.treebanking.value import ACCEPTED, REJECTED
from arbitree.study.study import Item
from tests.support.build import study_of
from tests.support.profiles import decisions, options

TABLE_5_1 = [(12, 8), (7, 6), (9, 0), (10, 7), (17, 12)]
TABLE_5_2 = [(14, 10, 8, 4), (8, 2, 1, 6), (6, 4, 3, 2), (12, 8, 3, 4), (9, 5, 4, 4)]


def counted(number, subset, total, common, equal, unique, estimate=True):
    item = Item(str(number), "doc", str(number))
    return Counted(
        item=item, subset=subset, mode="neighbourhood", statuses=(ACCEPTED, ACCEPTED), readings=9,
        total=total, common=common, equal=equal, unique=unique, vacuous=0, exact_match=False,
        table=(0, 0, 0, 0), fixed=equal, open=unique if estimate else 0, weight=total,
    )  # fmt: skip


def value(rows, **settings):
    places = {row.item.cluster: place for place, row in enumerate(rows)}
    measure = YOptionKappa(**settings)
    found = measure.of_pair(arrays(("a", "b"), rows, places), np.ones((1, len(rows))))
    return float(found[0])


def agreements(rows, **settings):
    """A_o of every sentence."""
    return [(value([row], **settings) + 1) / 2 for row in rows]


def table_5_1():
    return [counted(n, BOTH, total, total, equal, 0) for n, (total, equal) in enumerate(TABLE_5_1)]


def table_5_2(estimate=True):
    return [
        counted(10 + n, R1, total, common, equal, unique, estimate)
        for n, (total, common, equal, unique) in enumerate(TABLE_5_2)
    ]


@pytest.mark.parametrize(("equal", "expected"), [(4, 0.6), (5, 1), (0, -1)])
def test_five_options(equal, expected):
    """4.3.1: agreement on four of five options is 0.8."""
    assert value([counted(0, BOTH, 5, 5, equal, 0)]) == pytest.approx(expected)


def test_table_5_1_and_the_proportion_of_divergence():
    rows = table_5_1()
    places = {row.item.cluster: place for place, row in enumerate(rows)}
    pair = arrays(("a", "b"), rows, places)
    assert YOptionKappa().divergence(pair, np.ones((1, 5)))[0] == pytest.approx(22 / 55)
    each = [value([row]) for row in rows]
    assert each == pytest.approx([1 / 3, 5 / 7, -1, 0.4, 7 / 17])
    assert value(rows) == pytest.approx(0.171877, abs=5e-7)
    assert value(rows, average="micro") == pytest.approx(0.2)
    assert np.mean(agreements(rows)) == pytest.approx(0.585938, abs=5e-7)


@pytest.mark.parametrize(
    ("rounding", "expected", "mean"),
    [
        ("floor", [10 / 14, 4 / 8, 4 / 6, 5 / 12, 6 / 9], 0.5929),
        ("none", [10.4 / 14, 4.6 / 8, 4.2 / 6, 5.4 / 12, 6.4 / 9], 0.6358),
    ],
)
def test_table_5_2_with_estimates(rounding, expected, mean):
    found = agreements(table_5_2(), p_d=0.4, estimate_rounding=rounding)
    assert found == pytest.approx(expected)
    assert np.mean(found) == pytest.approx(mean, abs=5e-5)
    whole = value(table_5_2(), p_d=0.4, estimate_rounding=rounding)
    assert whole == pytest.approx(2 * mean - 1, abs=1e-4)


def test_table_5_2_without_estimates():
    found = agreements(table_5_2(estimate=False), p_d=0.4)
    assert found == pytest.approx([8 / 14, 1 / 8, 3 / 6, 3 / 12, 4 / 9])
    assert np.mean(found) == pytest.approx(0.3782, abs=5e-5)


def test_the_divergence_of_the_accepted_estimates_the_rejected():
    """Tables 5.1 and 5.2 in one corpus: P_D is that of the first."""
    together = value([*table_5_1(), *table_5_2()])
    assert together == pytest.approx((5 * 0.171877 + 5 * 0.2716) / 10, abs=5e-5)


def test_average_options_cancel():
    """(5.8), (5.9): a sentence without options agrees as the others do, whatever their number."""
    rows = [counted(n, BOTH, 13, 13, 13 - n % 2, 0) for n in range(4)]
    blank = counted(99, NOOP, 0, 0, 0, 0)
    blank = type(blank)(**{f: getattr(blank, f) for f in blank.__slots__} | {"open": 1.0, "weight": 1.0})
    assert value([blank], p_d=0.4) == pytest.approx(0.2)
    assert (value([*rows, blank]) * 5 - value(rows) * 4) == pytest.approx(1 - 2 * (2 / 52))
    micro = value([*rows, blank], average="micro")
    assert micro == pytest.approx(value(rows, average="micro"))


# Figure 5.14: label, what it says; left column and right column.
LEFT = [
    (4, "clear ARG1 tie_1"), (2, "clear ARG1 tie_2"), (4, "clear ASPECT -"), (4, "clear MOOD indicative"),
    (1, "of ARG1 clear"), (4, "of ARG1 clear_2"), (2, "in ARG1 tie_1"), (4, "in ARG1 tie_2"),
    (4, "very ARG1 clear"), (2, "very ARG1 clear_2"), (4, "much ARG1 clear"), (1, "much ARG1 clear_2"),
]  # fmt: skip
RIGHT = [
    (4, "clear ARG1 tie_1"), (4, "clear ARG1 tie_2"), (2, "clear ASPECT -"), (4, "clear MOOD indicative"),
    (1, "of ARG1 clear"), (4, "of ARG1 clear_2"), (1, "in ARG1 tie_1"), (4, "in ARG1 tie_2"),
    (4, "very ARG1 clear"), (4, "very ARG1 clear_2"), (4, "much ARG1 clear"), (2, "much ARG2 clear_2"),
]  # fmt: skip


def same(left, right, **settings):
    return {each.label: each.same for each in neighbourhoods(options(*left), options(*right), **settings)}


@pytest.mark.parametrize("below_only", [False, True])
def test_figure_5_14(below_only):
    found = same(LEFT, RIGHT, below_only=below_only)
    assert found == {"clear": True, "of": True, "in": False, "very": True, "much": True}
    assert list(found) == ["clear", "of", "in", "very", "much"]
    study = study_of({"s": {"a": decisions(*LEFT), "b": decisions(*RIGHT)}})
    result = evaluate(study, f"y_option_kappa:below_only={'yes' if below_only else 'no'}", resamples=0)
    assert result.value == pytest.approx(0.6)
    row = result.per_item.records()[0]
    assert (row["options"], row["common"], row["equal"], row["agreement"]) == (5, 5, 4, pytest.approx(0.8))


def test_figure_5_14_shares_no_discriminant_below_the_last_hit():
    *_, last = neighbourhoods(options(*LEFT), options(*RIGHT), below_only=True)
    assert last.vacuous
    *_, last = neighbourhoods(options(*LEFT), options(*RIGHT))
    assert (last.vacuous, last.matched) == (False, 1)


@pytest.mark.parametrize("below_only", [False, True])
def test_figure_5_14_with_its_last_row_mended(below_only):
    mended = [*RIGHT[:-1], (2, "much ARG1 clear_2")]
    assert sum(same(LEFT, mended, below_only=below_only).values()) == 3
    study = study_of({"s": {"a": decisions(*LEFT), "b": decisions(*mended)}})
    assert evaluate(study, "y_option_kappa", resamples=0).value == pytest.approx(0.2)


def test_figure_5_14_discriminant_by_discriminant():
    assert shared(decisions(*LEFT), decisions(*RIGHT)) == (13, 11, 10)
    mended = [*RIGHT[:-1], (2, "much ARG1 clear_2")]
    assert shared(decisions(*LEFT), decisions(*mended)) == (12, 12, 10)


@pytest.mark.parametrize("below_only", [False, True])
def test_figures_5_15_to_5_18(below_only):
    assert same(LEFT[:4], RIGHT[:4], below_only=below_only) == {"clear": True}
    assert same(LEFT[4:6], RIGHT[4:6], below_only=below_only) == {"of": True}
    left = [(1, "of ARG1 clear"), (4, "of ARG2 clear"), (2, "in ARG1 tie_1")]
    right = [(2, "of ARG2 clear"), (1, "in ARG1 tie_1")]
    assert same(left, right, below_only=below_only) == {"of": True, "in": False}
    stranded = [(1, "of ARG1 clear"), (1, "in ARG1 tie_1")]
    found = neighbourhoods(options(*stranded), options((1, "in ARG1 tie_1")), below_only=below_only)
    assert [(each.label, each.common, each.same) for each in found] == [
        ("of", False, False),
        ("in", True, True),
    ]


def test_figure_5_19_against_a_rejection_at_once():
    rows = [
        (1, "count ARG2 least"), (4, "product PART1 sum"), (1, "about ARG1 exactly"),
        (4, "about ARG1 sum"), (4, "about ARG1 product"), (4, "sell ARG2 lamp"),
    ]  # fmt: skip
    assert list(same(rows, [])) == ["count", "about"]
    study = study_of(
        {"s": {"a": decisions(*rows, status=REJECTED, chosen=()), "b": decisions(status=REJECTED, chosen=())}}
    )
    result = evaluate(study, "y_option_kappa:p_d=0.4", resamples=0)
    row = result.per_item.records()[0]
    assert (row["options"], row["common"], row["unique"], row["subset"]) == (2, 0, 2, R1)
    assert row["estimated"] == pytest.approx(1.2)
    assert row["agreement"] == pytest.approx(0.6)
    assert result.value == pytest.approx(0.2)


def test_figures_6_3_and_6_4_keep_their_identities():
    """The published counts satisfy what the code asserts of its own report."""
    from arbitree.kinds.treebanking.comparison import Totals

    assert sum((874, 3335, 775, 279, 10218)) == 15481
    totals = Totals(
        coders=("one", "two"), parsed=15481, lost=15481 - 12319, unannotated=0, ambiguous=0, missing=0,
        accepted_by_both=3297, accepted_by_first_only=1361, accepted_by_second_only=977,
        rejected_by_both=6684,
    )  # fmt: skip
    assert totals.countable == 12319
    assert totals.lost == 3162
    assert totals.accepted_by_one == 5635
    assert totals.rejected_by_one == 9022
    totals.check()


def test_more_readings_dilute_a_difference():
    """With two readings every discriminant separates them."""
    rows = [(1, "a ARG1 b"), (4, "a ARG1 c")]
    turned = [(4, "a ARG1 b"), (1, "a ARG1 c")]
    study = study_of(
        {
            "s": {
                "x": decisions(*rows, complete=True, readings=2),
                "y": decisions(*turned, complete=True, readings=2, chosen=(1,)),
            }
        }
    )
    result = evaluate(study, "y_option_kappa:mode=exact", resamples=0)
    assert result.value == -1
    assert result.per_item.records()[0]["mode"] == "stored"


def test_chapter_3_coefficients_agree_with_the_options_table():
    """Table 3.1 of the thesis as values of one hundred shared discriminants: pi and alpha."""
    cells = [(1, 1, 25), (1, 2, 15), (2, 1, 10), (2, 2, 50)]
    left, right = [], []
    for ours, theirs, count in cells:
        start = len(left)
        left += [(ours, f"d{start + k} ARG1 x") for k in range(count)]
        right += [(theirs, f"d{start + k} ARG1 x") for k in range(count)]
    study = study_of({"s": {"a": decisions(*left), "b": decisions(*right)}})
    result = evaluate(study, "y_option_kappa:mode=discriminant", resamples=0)
    assert result.value == pytest.approx(0.5)  # S of the thesis: chance is one half
    assert result.details["options_pi"] == pytest.approx(0.466667, abs=5e-7)
    assert result.details["options_alpha"] == pytest.approx(0.469333, abs=5e-7)
    alpha = evaluate(study, "y_option_kappa:several=alpha", resamples=0)
    assert alpha.value == pytest.approx(0.469333, abs=5e-7)
    assert all(a is not b for a, b in pairwise(left))
