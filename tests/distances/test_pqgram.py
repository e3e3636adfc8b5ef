"""pq-gram distance: the worked example, the size of profiles, and the laws that it keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.distances.pqgram import NULL, PqGram
from arbitree.errors import UnknownName
from arbitree.study.flat_tree import Vocabulary, flatten
from tests.support.build import dep, dep_trees, phrase

T1 = phrase("(a (a e b) b c)")
T2 = phrase("(a (a e b) b x)")
SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 4))


@pytest.mark.parametrize(("p", "q", "distance"), [(2, 3, 4 / 13), (3, 2, 3 / 11)])
def test_the_worked_example(p, q, distance):
    assert PqGram(p, q)(T1, T2) == pytest.approx(distance, abs=1e-12)


def test_the_profile_of_a_small_tree_is_written_out():
    tree = flatten([[1, 2], [], []], ["S", "NP", "VP"], 0, Vocabulary(), size=3, leaves=2)
    assert PqGram(2, 2).profile(tree) == {
        (NULL, "S", NULL, "NP"): 1,
        (NULL, "S", "NP", "VP"): 1,
        (NULL, "S", "VP", NULL): 1,
        ("S", "NP", NULL, NULL): 1,
        ("S", "VP", NULL, NULL): 1,
    }


@given(dep_trees(), SHAPES)
def test_the_size_of_a_profile_follows_from_leaves_and_inner_nodes(value, shape):
    tree = value.flatten(Vocabulary())
    inner = len(set(tree.parents.tolist()) - {-1})
    leaves = len(tree) - inner
    assert PqGram(*shape).profile(tree).total() == 2 * leaves + shape[1] * inner - 1


@given(dep_trees(), dep_trees(), SHAPES)
def test_it_is_symmetric_and_lies_between_0_and_1(first, second, shape):
    distance = PqGram(*shape)
    assert distance(first, first) == 0
    assert distance(first, second) == distance(second, first)
    assert 0 <= distance(first, second) <= 1


def test_trees_without_a_common_label_are_at_distance_1_unless_labels_do_not_count():
    first, second = phrase("(a b c)"), phrase("(x y z)")
    assert PqGram()(first, second) == 1
    assert PqGram(labelled=False)(first, second) == 0


def test_distinct_trees_can_be_at_distance_0():
    """Bags do not say where their grams stand: that is why it is no metric."""
    first, second = phrase("(r (a (b c)) (a (b d)))"), phrase("(r (a (b d)) (a (b c)))")
    assert first != second
    assert PqGram(2, 1)(first, second) == 0


@pytest.mark.parametrize("label", ["", "None", "*", "\0", "null"])
def test_no_label_is_taken_for_the_null_label(label):
    """A child with an odd label is not the same as no child."""
    assert PqGram()(dep([0, 1], ["r", label]), dep([0], ["r"])) > 0
    assert PqGram(1, 1)(dep([0, 1], ["r", label]), dep([0], ["r"])) > 0


def test_labels_are_not_run_together():
    assert PqGram()(phrase("(r ab c)"), phrase("(r a bc)")) > 0.5


@pytest.mark.parametrize("options", [{"p": 0}, {"q": 0}, {"q": -2}])
def test_p_and_q_are_at_least_1(options):
    with pytest.raises(UnknownName, match="Use a whole number of 1 or more"):
        PqGram(**options)
