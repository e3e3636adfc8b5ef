"""Trees in words."""

from arbitree.kinds.dependency.kind import KIND as DEPENDENCY
from arbitree.kinds.phrase.kind import KIND as PHRASES
from arbitree.kinds.phrase.value import PhraseTree
from tests.support.build import dep


def test_words_that_stand_twice_have_their_numbers():
    tree = dep((2, 0, 2), ("nsubj", "root", "obj"), ("birds", "watch", "birds"))
    assert DEPENDENCY.pictures.spoken(tree) == [
        "birds (1): nsubj of watch",
        "watch: root, no head",
        "birds (3): obj of watch",
    ]


def test_a_gap_in_a_phrase_is_told():
    tree = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    assert PHRASES.pictures.spoken(tree) == ["S: wake me up", "VP: wake … up", "V: wake", "R: up", "P: me"]


def test_words_without_a_label_and_traces_are_not_left_hanging():
    tree = PhraseTree(("", "go"), ("-NONE-", "", "S"), (2, 2, -1))
    assert PHRASES.pictures.spoken(tree) == ["S: go", "-NONE-"]
