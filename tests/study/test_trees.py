"""From annotations to the trees that kernels see."""

import pytest
from hypothesis import given

from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.study.flat_tree import Vocabulary
from tests.support.build import dep, dep_trees, phrase


def drawn(tree):
    """Return the flat tree as nested brackets."""
    children = [[] for _ in range(len(tree))]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append(node)

    def text(node):
        inner = "".join(f" {text(child)}" for child in children[node])
        return f"({tree.label(node)}{inner})"

    return text(len(tree) - 1)


def test_relations_label_the_nodes_and_children_stand_in_token_order():
    tree = dep([3, 1, 0, 3], ["subj", "det", "pred", "obj"]).flatten(Vocabulary())
    assert drawn(tree) == "( (pred (subj (det)) (obj)))"
    assert (tree.size, tree.leaves) == (5, 4)
    assert tree.origins.tolist() == [2, 1, 4, 3, 0]


def test_several_roots_hang_under_the_artificial_one():
    assert drawn(dep([0, 0], "ab").flatten(Vocabulary())) == "( (a) (b))"


def test_tokens_on_and_under_a_cycle_are_left_out_but_counted():
    tree = dep([2, 1, 0, 1], "abcd")
    assert tree.unreached() == [1, 2, 4]
    flat = tree.flatten(Vocabulary())
    assert drawn(flat) == "( (c))"
    assert flat.size == 5


def test_words_are_removed_and_parts_of_speech_stay():
    tree = PhraseTree(("birds", "sing"), ("NNS", "", "S"), (2, 2, -1)).flatten(Vocabulary())
    assert drawn(tree) == "(S (NNS))"
    assert (tree.size, tree.leaves) == (2, 2)


def test_leaf_symbols_of_delexicalised_trees_are_nodes():
    tree = phrase("(S (NP P) (VP V (NP D N)))").flatten(Vocabulary())
    assert drawn(tree) == "(S (NP (P)) (VP (V) (NP (D) (N))))"
    assert (tree.size, tree.leaves) == (8, 4)


def test_children_of_discontinuous_phrases_are_ordered_by_their_first_word():
    tree = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    assert drawn(tree.flatten(Vocabulary())) == "(S (VP (V) (R)) (P))"
    assert tree.yields()[4] == ((0, 1), (2, 3))


@given(dep_trees())
def test_leftmost_and_parents_describe_one_tree(tree):
    flat = tree.flatten(Vocabulary())
    for node in range(len(flat)):
        under = [k for k in range(node + 1) if k >= flat.leftmost[node]]
        assert all(k == node or flat.leftmost[node] <= flat.parents[k] <= node for k in under)
    assert flat.parents[-1] == -1
    assert flat.leftmost[-1] == 0


def test_parts_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match="the numbers of tokens, heads and relations differ"):
        DepTree(("a",), (0, 1), ("x",))
    with pytest.raises(ValueError, match="do not match"):
        PhraseTree(("a",), ("x", "y"), (0,))
