"""Habits as they are written, and what they do."""

from random import Random

import pytest

from arbitree.errors import ArbitreeError
from arbitree.simulation.experiments import Habit, Habits
from tests.build import dep, phrase


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
    noisy = Habits((Habit("obl", "nmod", 0.4), Habit("obl", "advmod", 0.2)))(tree, 0.5, Random(0))
    assert noisy.relations.count("nmod") == pytest.approx(2000, abs=140)
    assert noisy.relations.count("advmod") == pytest.approx(1000, abs=100)


def test_other_labels_heads_and_level_zero_are_left_alone():
    tree = dep([2, 0, 2], ["obl", "root", "nmod"])
    habits = Habits((Habit("obl", "nmod"),))
    assert habits(tree, 0.0, Random(0)) == tree
    noisy = habits(tree, 1.0, Random(0))
    assert noisy.relations == ("nmod", "root", "nmod")
    assert noisy.heads == tree.heads


def test_phrases_can_be_confused_but_tags_are_not():
    tree = phrase("(S (NP NP) (VP V))")
    noisy = Habits((Habit("NP", "VP"),))(tree, 1.0, Random(0))
    assert noisy.labels == ("NP", "V", "S", "VP", "VP")


@pytest.mark.parametrize(
    ("habits", "said"),
    [
        ((), "no habit is given"),
        ((Habit("oblique", "nmod"),), "Did you mean 'obl'"),
        ((Habit("obl", "nmod", 0.7), Habit("obl", "mod", 0.7)), "1.4 together"),
    ],
)
def test_habits_that_cannot_be_are_refused(habits, said):
    with pytest.raises(ArbitreeError, match=said):
        Habits(habits).check(("obl", "nmod", "mod"))
