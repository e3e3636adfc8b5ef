"""Jaccard similarity of brackets."""

import pytest

from arbitree.api.evaluate import evaluate
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.phrase.value import PhraseTree
from tests.support.build import dep, phrase, study_of


def test_brackets_are_sets_of_label_and_span():
    study = study_of(
        {
            "a": {"x": phrase("(S (NP P) (VP V (NP D N)))"), "y": phrase("(S (NP P) (VP V) (NP D N))")},
            "b": {"x": phrase("(NP D N)"), "y": phrase("(NP D N)")},
        }
    )
    # a: 8 brackets each; VP spans differ: 7 shared of 9.
    assert evaluate(study, "jaccard", resamples=0).value == pytest.approx((4 * 7 / 9 + 2 * 1) / 6)


def test_unary_repetition_of_a_label_collapses():
    study = study_of({"a": {"x": phrase("(NP (NP N))"), "y": phrase("(NP N)")}})
    assert evaluate(study, "jaccard", resamples=0).value == 1


def test_discontinuous_constituents_are_compared_by_all_their_words():
    split = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    whole = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 4, 4, -1, 3))
    assert evaluate(study_of({"a": {"x": split, "y": whole}}), "jaccard", resamples=0).value == 4 / 6


def test_traces_take_no_room():
    with_trace = PhraseTree(("go", "*T*"), ("V", "-NONE-", "S"), (2, 2, -1))
    without = PhraseTree(("go",), ("V", "S"), (1, -1))
    assert evaluate(study_of({"a": {"x": with_trace, "y": without}}), "jaccard", resamples=0).value == 1


def test_words_that_differ_in_number_are_ignored_but_delexicalised_leaves_are_not():
    one = PhraseTree(("go",), ("V", "S"), (1, -1))
    two = PhraseTree(("go", "on"), ("V", "R", "S"), (2, 2, -1))
    assert evaluate(study_of({"a": {"x": one, "y": two}}), "jaccard", resamples=0).status == "no_pairable"
    leaves = study_of({"a": {"x": phrase("(S V)"), "y": phrase("(S V R)")}})
    assert evaluate(leaves, "jaccard", resamples=0).value == 1 / 4


@pytest.mark.parametrize(("name", "length"), [("jaccard", 3.5), ("jaccard:length=first", 3)])
def test_an_item_of_different_lengths_weighs_their_mean_or_the_first(name, length):
    """By hand: 4 brackets of 9 are shared by 3 and 4 leaves, 6 of 8 by 4 leaves each."""
    study = study_of(
        {
            "a": {"x": phrase("(S (NP D N) (VP V))"), "y": phrase("(S (NP D N) (VP V R))")},
            "b": {"x": phrase("(S (NP D N) (VP V A))"), "y": phrase("(S (NP D N) (VP V) A)")},
        }
    )
    result = evaluate(study, name, resamples=0)
    assert result.value == pytest.approx((length * 4 / 9 + 4 * 6 / 8) / (length + 4))
    assert f"length={'first' if 'first' in name else 'mean'}" in result.signature


def test_other_lengths_are_refused():
    with pytest.raises(UnknownName, match="Expected one of: first, mean"):
        evaluate(study_of({"a": {"x": phrase("(S V)"), "y": phrase("(S V)")}}), "jaccard:length=last")


def test_a_measure_of_another_kind_is_refused_with_those_that_fit():
    with pytest.raises(UnsupportedStudy, match=r"jaccard cannot measure dependency.*alpha_plain"):
        evaluate(study_of({"a": {"x": dep([0]), "y": dep([0])}}), "jaccard")
