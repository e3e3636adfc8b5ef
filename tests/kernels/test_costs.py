"""Costs by label, and what is refused."""

import math

import numpy as np
import pytest

from arbitree.errors import StudyError
from arbitree.kernels.costs import LARGEST_TABLE, Costs, Listed
from arbitree.study.flat_tree import Vocabulary
from tests.support.trees import all_pairs, arrays, both_kernels, random_trees

RELATIONS = Vocabulary(["nsubj", "obj", "punct"])


def test_unit_costs_are_one_but_for_equal_labels():
    costs = Costs.unit(2)
    assert costs.relabel.tolist() == [[0, 1], [1, 0]]
    assert costs.delete.tolist() == costs.insert.tolist() == [1, 1]
    assert costs.symmetric


def test_functions_are_asked_for_every_label():
    costs = Costs.from_functions(RELATIONS, lambda a, b: abs(len(a) - len(b)) / 4, len)
    assert costs.relabel.tolist() == [[0, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0]]
    assert costs.delete.tolist() == costs.insert.tolist() == [5, 3, 5]


def test_functions_may_leave_out_the_cost_to_remove():
    assert Costs.from_functions(RELATIONS, lambda a, b: float(a != b)).delete.tolist() == [1, 1, 1]


def test_rows_hold_in_both_directions_and_the_rest_costs_one():
    costs = Costs.from_rows(RELATIONS, [("obj", "nsubj", 0.25), ("punct", "", 0)])
    assert costs.relabel.tolist() == [[0, 0.25, 1], [0.25, 0, 1], [1, 1, 0]]
    assert costs.delete.tolist() == costs.insert.tolist() == [1, 1, 0]
    assert costs.symmetric


def test_rows_may_name_labels_that_the_study_lacks_and_add_none():
    costs = Costs.from_rows(RELATIONS, [("nsubj", "csubj", 0.1), ("csubj", "", 0.2), ("csubj", "ccomp", 3)])
    assert costs.relabel.tolist() == Costs.unit(3).relabel.tolist()
    assert costs.delete.tolist() == [1, 1, 1]
    assert len(RELATIONS) == 3


def test_the_same_row_twice_is_no_contradiction():
    costs = Costs.from_rows(RELATIONS, [("obj", "nsubj", 0.5), ("nsubj", "obj", 0.5)])
    assert costs.relabel[0, 1] == 0.5


def test_an_empty_vocabulary_has_costs():
    assert Costs.from_functions(Vocabulary(), lambda a, b: 1.0).relabel.shape == (0, 0)
    assert Costs.from_rows(Vocabulary(), [("a", "b", 2)]).delete.shape == (0,)
    assert Costs.unit(0).symmetric


@pytest.mark.parametrize(
    ("relabel", "delete", "insert"),
    [([[0, 1], [2, 0]], [1, 1], [1, 1]), ([[0, 1], [1, 0]], [1, 2], [1, 1])],
)
def test_costs_that_differ_by_direction_are_not_symmetric(relabel, delete, insert):
    assert not Costs(np.array(relabel), np.array(delete), np.array(insert)).symmetric


@pytest.mark.parametrize("cost", [-0.5, math.nan, math.inf])
def test_numbers_that_are_no_costs_are_refused(cost):
    said = {math.inf: "inf"}.get(cost, str(cost))
    with pytest.raises(
        StudyError, match=f"relabelling 'nsubj' as 'obj' costs {said}. Use a cost of 0 or more"
    ):
        Costs.from_rows(RELATIONS, [("obj", "nsubj", cost)])
    with pytest.raises(StudyError, match=f"inserting or deleting 'other' costs {said}"):
        Costs.from_rows(RELATIONS, [("other", "", cost)])
    with pytest.raises(StudyError, match=f"relabelling 'nsubj' as 'obj' costs {said}"):
        Costs.from_functions(RELATIONS, lambda a, b: cost if a != b else 0)
    with pytest.raises(StudyError, match=f"deleting 'punct' costs {said}"):
        Costs.from_functions(RELATIONS, lambda a, b: a != b, lambda label: cost if label == "punct" else 1)
    with pytest.raises(StudyError, match=f"inserting label 1 costs {said}"):
        Costs(np.zeros((2, 2)), np.ones(2), np.array([1, cost]))


def test_a_price_on_an_equal_label_is_refused():
    with pytest.raises(StudyError, match=r"relabelling 'obj' as 'obj' costs 0\.5\. Use 0"):
        Costs.from_rows(RELATIONS, [("obj", "obj", 0.5)])
    with pytest.raises(StudyError, match=r"relabelling 'nsubj' as itself costs 0\.5"):
        Costs.from_functions(RELATIONS, lambda a, b: 0.5)
    with pytest.raises(StudyError, match="relabelling label 0 as itself costs 1"):
        Costs(np.ones((2, 2)), np.ones(2), np.ones(2))


def test_two_prices_for_one_thing_are_refused():
    with pytest.raises(StudyError, match=r"relabelling 'nsubj' as 'obj' has 2 costs, 0\.5 and 0\.7"):
        Costs.from_rows(RELATIONS, [("obj", "nsubj", 0.5), ("nsubj", "obj", 0.7)])


def test_a_row_without_labels_is_refused():
    with pytest.raises(StudyError, match="contains no label"):
        Costs.from_rows(RELATIONS, [("", "", 1)])


@pytest.mark.parametrize(
    "shapes", [((2, 3), 2, 2), ((2, 2), 3, 2), ((2, 2), 2, 1), ((4,), 2, 2), ((2, 2), (2, 1), 2)]
)
def test_arrays_that_do_not_fit_each_other_are_refused(shapes):
    with pytest.raises(StudyError, match="have shapes"):
        Costs(*map(np.zeros, shapes))


def wide(count=LARGEST_TABLE + 1):
    """Return a vocabulary that is too large for a table of all pairs."""
    return Vocabulary([f"label{number}" for number in range(count)])


ROWS = [("label5", "label1", 0.1), ("label1", "label3", 1 / 3), ("label0", "", 0.7), ("label2", "other", 9)]


def test_costs_of_many_labels_are_listed_with_the_same_values():
    listed, table = Costs.from_rows(wide(), ROWS), Costs.from_rows(wide(64), ROWS)
    assert isinstance(listed.relabel, Listed)
    few = np.arange(64, dtype=np.int32)
    for ours, theirs in zip(listed.over(few), table.over(few), strict=True):
        assert ours.tolist() == theirs.tolist()
    assert listed.symmetric
    with pytest.raises(ValueError, match="a label of the trees has no costs"):
        listed.over(np.array([LARGEST_TABLE + 1]))


def test_costs_of_66501_labels_do_not_need_a_table():
    """A table of all pairs would need 33 GiB."""
    words = wide(66_501)
    rows = [(f"label{number}", f"label{number + 1}", 0.5) for number in range(66_500)]
    costs = Costs.from_rows(words, rows)
    assert sum(array.nbytes for array in costs.arrays) < 4_000_000
    assert costs.over(np.array([7, 9, 8]))[0].tolist() == [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]


@both_kernels
def test_listed_costs_give_the_distances_of_a_table(kernel):
    found = random_trees(21, 40, largest=25, labels=8)
    corpus = kernel.Corpus(*arrays(found))
    listed, table = Costs.from_rows(wide(), ROWS).arrays, Costs.from_rows(wide(64), ROWS).arrays
    pairs = all_pairs(40)
    assert (
        corpus.weighted_distances(*pairs, *listed).tolist()
        == corpus.weighted_distances(*pairs, *table).tolist()
    )
    assert corpus.weighted_table(0, 1, *listed).tolist() == corpus.weighted_table(0, 1, *table).tolist()
    block = np.arange(0, 41, 4), np.ones(40), np.ones(40), (0, 10), (0, 10)
    assert corpus.weighted_sums(*block, *listed).tolist() == corpus.weighted_sums(*block, *table).tolist()


@both_kernels
def test_listed_costs_that_do_not_fit_are_refused(kernel):
    corpus = kernel.Corpus(*arrays(random_trees(22, 2)))
    starts, others, prices, delete, insert = Costs.from_rows(wide(), ROWS).arrays
    for said, arguments in (
        ("differ", (starts[1:], others, prices, delete, insert)),
        ("differ", (starts, others[1:], prices, delete, insert)),
        ("differ", (starts, others, prices, delete, insert[1:])),
        ("no costs", (starts[:1], others[:0], prices[:0], delete[:0], insert[:0])),
        ("do not run", (starts + 1, others, prices, delete, insert)),
        ("do not run", (starts[::-1].copy(), others, prices, delete, insert)),
    ):
        with pytest.raises(ValueError, match=said):
            corpus.weighted_table(0, 1, *arguments)
