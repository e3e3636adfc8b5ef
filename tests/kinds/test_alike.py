"""Annotations that look the same, whatever else differs."""

from dataclasses import replace

from arbitree.kinds.dependency.kind import KIND as DEPENDENCY
from arbitree.kinds.phrase.kind import KIND as PHRASE
from arbitree.kinds.phrase.value import PhraseTree
from tests.support.build import dep, phrase


def test_dependency_trees_are_alike_if_they_differ_in_punctuation_alone():
    words = ("it", "rains", ".")
    assert DEPENDENCY.alike(dep((2, 0, 2), tokens=words), dep((2, 0, 1), tokens=words))
    assert not DEPENDENCY.alike(dep((2, 0, 2), tokens=words), dep((0, 1, 2), tokens=words))


def test_phrase_trees_are_alike_if_their_pictures_are():
    tree = PhraseTree(("we", "sing"), ("P", "V", "S", "VP"), (2, 3, -1, 2))
    assert PHRASE.alike(tree, replace(tree, comments=("# cedar",), columns={"edge": ("a", "b", "c", "d")}))
    assert not PHRASE.alike(phrase("(S (NP (P)) (V))"), phrase("(S (P) (VP (V)))"))
    assert not PHRASE.alike(phrase("(S (VP (A) (B)))"), phrase("(VP (S (A) (B)))"))


def test_the_depth_of_a_tree_is_its_longest_path_and_cycles_have_none():
    assert [DEPENDENCY.depth(dep(heads)) for heads in ((2, 0, 2), (0, 1, 2), (2, 1), ())] == [2, 3, 0, 0]
    assert PHRASE.depth(phrase("(S (NP (P)) (V))")) is None
