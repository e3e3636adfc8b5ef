"""Agreement of people, verdicts, and metrics as voters."""

import numpy as np
import pytest

from arbitree.kinds.preference.statistics.agreement import agree, shares
from arbitree.kinds.preference.statistics.verdicts import (
    agreement_with_coders,
    agreement_with_verdicts,
    given_verdicts,
    mace_verdicts,
    majority,
    overruled,
    votes_right,
)

NAN = np.nan


def table(both_first, first_second, second_first, both_second):
    cells = [(0, 0)] * both_first + [(0, 1)] * first_second + [(1, 0)] * second_first + [(1, 1)] * both_second
    return np.array(cells)


def test_the_textbook_table():
    """25, 10, 15, 50: observed .75, π .466667, κ .468085, α .469333."""
    found = agree(table(25, 10, 15, 50), ("ann", "bob"))
    assert (found.raw, found.pooled) == (0.75, 0.75)
    assert found.kappa == pytest.approx(0.468085, abs=1e-6)
    assert found.fleiss == pytest.approx(0.466667, abs=1e-6)
    assert found.alpha == pytest.approx(0.469333, abs=1e-6)


def test_the_mean_over_pairs_differs_from_the_pool_where_judgments_are_missing():
    codes = np.array([[0, 0, -1], [0, 1, -1], [1, 1, 1], [0, 0, 0]])
    found = agree(codes, ("ann", "bob", "cho"))
    assert found.raw == pytest.approx((3 / 4 + 1 + 1) / 3)
    assert found.pooled == pytest.approx((1 + 0 + 3 + 3) / (1 + 1 + 3 + 3))
    assert [pair.items for pair in found.pairs] == [4, 2, 2]


def test_two_who_find_neither_better_agree():
    assert agree(np.array([[2, 2], [0, 1]]), ("ann", "bob")).raw == 0.5


def test_without_common_items_there_is_no_agreement():
    found = agree(np.array([[0, -1], [-1, 1]]), ("ann", "bob"))
    assert (found.raw, found.pooled, found.kappa, found.fleiss, found.alpha) == (None,) * 5
    assert np.isnan(shares(np.array([[0, -1]]))).all()


def test_one_word_for_everything_leaves_no_room_for_chance():
    found = agree(np.array([[0, 0], [0, 0]]), ("ann", "bob"))
    assert found.raw == 1
    assert (found.kappa, found.fleiss, found.alpha) == (None, None, None)


def test_majority_drops_and_counts_ties():
    found = majority(np.array([[0, 0, 1], [0, 1, 2], [1, 1, -1], [-1, 2, -1]]))
    assert found.values.tolist()[::2] == [1, 0]
    assert found.left_out == {"tie": 1, "no_judgment": 1}


def test_mace_follows_the_coder_whom_others_confirm():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=120)
    good = [np.where(rng.random(120) < 0.95, truth, 1 - truth) for _ in range(2)]
    codes = np.stack([*good, rng.integers(2, size=120)], axis=1)
    codes[0] = -1
    found = mace_verdicts(codes, ("ann", "bob", "cho"))
    assert found.left_out == {"no_judgment": 1}
    assert found.competence["ann"] > found.competence["cho"]
    assert np.mean((found.values[1:] == 1) == (truth[1:] == 0)) > 0.9


def test_given_verdicts_are_taken_as_they_are():
    found = given_verdicts(np.array([[0], [1], [2], [-1]]), "given")
    assert found.values[:2].tolist() == [1, 0]
    assert found.left_out == {"no_judgment": 2}


@pytest.mark.parametrize(("ties", "share"), [("half", 2.5 / 4), ("exclude", 2 / 3), ("wrong", 2 / 4)])
def test_policies_for_ties(ties, share):
    x, y = np.array([0.1, -0.2, 0.3, 0.0]), np.array([1.0, 0.0, 0.0, 1.0])
    assert agreement_with_verdicts(x, y, ties) == pytest.approx(share)


def test_items_without_a_verdict_do_not_vote():
    assert np.isnan(votes_right(np.array([1.0]), np.array([NAN]))[0])
    assert agreement_with_coders(np.array([1.0]), np.array([[-1]])) is None


def test_agreement_with_coders_is_a_mean_over_them():
    codes = np.array([[0, 1], [0, -1], [0, -1]])
    assert agreement_with_coders(np.array([1.0, 1.0, 1.0]), codes) == 0.5


def test_who_overrules_las_is_told_by_what_the_preferred_parse_does_better():
    codes = np.array([[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1]])
    las = np.array([-0.1, -0.1, -0.1, -0.1, -0.1])
    uas = np.array([0.1, 0.0, 0.0, 0.1, -0.1])
    la = np.array([0.1, 0.2, 0.0, 0.1, -0.1])
    found = overruled(codes, las, uas, la, np.array([1.0, 0, 0, 0, 0]))
    assert [case.place for case in found.cases] == [0, 1, 2]
    assert [case.kind for case in found.cases] == ["attachment", "labelling", "neither"]
    assert found.roots == 1
    assert found.shares == (0.5, 0.5)
