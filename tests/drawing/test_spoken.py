"""Trees in words."""

from arbitree.drawing.picture import spoken
from arbitree.kinds.phrase.value import PhraseTree
from tests.build import dep


def test_words_that_stand_twice_have_their_numbers():
    tree = dep((2, 0, 2), ("nsubj", "root", "obj"), ("birds", "watch", "birds"))
    assert spoken(tree) == [
        "birds (1): nsubj of watch",
        "watch: root, under no word",
        "birds (3): obj of watch",
    ]


def test_a_gap_in_a_phrase_is_told():
    tree = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    assert spoken(tree) == ["S: wake me up", "VP: wake … up", "V: wake", "R: up", "P: me"]


def test_words_without_a_label_and_traces_are_not_left_hanging():
    tree = PhraseTree(("", "go"), ("-NONE-", "", "S"), (2, 2, -1))
    assert spoken(tree) == ["S: go", "-NONE-"]
