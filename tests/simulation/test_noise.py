"""Habits as they are written, and what they do."""

from random import Random

import pytest

from arbitree.errors import ArbitreeError
from arbitree.kinds.dependency.noise import relabel
from arbitree.kinds.phrase.noise import relabel as relabel_phrases
from arbitree.simulation.noise import Habit, Habits, parse_levels
from tests.support.build import dep, phrase


@pytest.mark.parametrize(
    "text", ["obl", "obl=", "=nmod", "", "obl:0.3", "obl=nmod:1.5", "obl=nmod:-0.1", "a=b:nan"]
)
def test_what_is_no_habit_is_refused(text):
    with pytest.raises(ArbitreeError, match=r"0\.3"):
        Habit.parse(text)


def test_labels_may_have_colons():
    assert Habit.parse("acl:relcl=acl:0.5") == Habit("acl:relcl", "acl", 0.5)
    assert Habit.parse("acl=acl:relcl:0.5") == Habit("acl", "acl:relcl", 0.5)


def test_a_habit_works_as_often_as_its_probability_times_the_level():
    tree = dep([0] * 10_000, ["obl"] * 10_000)
    noisy = Habits((Habit("obl", "nmod", 0.4), Habit("obl", "advmod", 0.2)), relabel)(tree, 0.5, Random(0))
    assert noisy.relations.count("nmod") == pytest.approx(2000, abs=140)
    assert noisy.relations.count("advmod") == pytest.approx(1000, abs=100)


def test_other_labels_heads_and_level_zero_are_left_alone():
    tree = dep([2, 0, 2], ["obl", "root", "nmod"])
    habits = Habits((Habit("obl", "nmod"),), relabel)
    assert habits(tree, 0.0, Random(0)) == tree
    noisy = habits(tree, 1.0, Random(0))
    assert noisy.relations == ("nmod", "root", "nmod")
    assert noisy.heads == tree.heads


def test_phrases_can_be_confused_but_tags_are_not():
    tree = phrase("(S (NP NP) (VP V))")
    noisy = Habits((Habit("NP", "VP"),), relabel_phrases)(tree, 1.0, Random(0))
    assert noisy.labels == ("NP", "V", "S", "VP", "VP")


@pytest.mark.parametrize(
    ("habits", "said"),
    [
        ((), "experiment habit needs at least one"),
        ((Habit("oblique", "nmod"),), "Did you mean 'obl'"),
        ((Habit("obl", "nmod", 0.7), Habit("obl", "mod", 0.7)), "add up to 1.4"),
    ],
)
def test_habits_that_cannot_be_are_refused(habits, said):
    with pytest.raises(ArbitreeError, match=said):
        Habits(habits, relabel).check(("obl", "nmod", "mod"))


@pytest.mark.parametrize(
    "text", ["", "x", "0:1", "0:1:0", "0:2:1", "1:0:0.1", "0:1:0.1:2", "0:1:1e-9", "-0.1", "nan", "0:inf:1"]
)
def test_levels_that_are_none_are_refused(text):
    with pytest.raises(ArbitreeError, match=r"0:1:0\.1"):
        parse_levels(text)


def test_ranges_of_levels_have_round_numbers_and_their_end():
    assert parse_levels("0:1:0.1") == tuple(k / 10 for k in range(11))
    assert parse_levels("0.1:1:0.3") == (0.1, 0.4, 0.7, 1.0)
    assert parse_levels("0:0.95:0.5") == (0.0, 0.5)
