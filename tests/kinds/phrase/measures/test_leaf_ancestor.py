"""Leaf-ancestor on a published example, whose structure is here with other words."""

from dataclasses import replace

import pytest

from arbitree.api.evaluate import evaluate
from arbitree.kinds.phrase.measures.leaf_ancestor import LeafAncestor, lineages
from tests.support.bracket_pairs import GOLD, TEST, pair, trees


def shown(text, *, pos=True):
    return [" ".join(mark for _, mark in lineage) for lineage in lineages(trees(text)[0], pos=pos)]


def test_lineages_are_as_printed():
    gold, test = shown(GOLD), shown(TEST)
    assert gold[0] == "ART ] NP S [ S"
    assert gold[4] == "[ N NP VP ] VP S S"
    assert test[4] == "N ] [ N' NP VP S S"
    assert (gold[2], test[2]) == ("V ] VP [ VP S S", "V ] [ VP S S")


def test_similarities_are_as_printed():
    metric = LeafAncestor()
    ours, theirs = (lineages(trees(text)[0], pos=True) for text in (GOLD, TEST))
    found = [metric.similarity(a, b) for a, b in zip(ours, theirs, strict=True)]
    expected = [1, 1, 12 / 13, 0.9333, 1 - 4.5 / 16, 0.875, 0.8889, 0.8889, 1]
    assert found == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", 0.914215),
        (":similar=none,substitution=1", 0.910743),
        (":similar=none", 0.903799),
    ],
)
def test_means_are_as_published(options, expected):
    assert evaluate(pair(), f"leaf_ancestor{options}", resamples=0).value == pytest.approx(expected, abs=5e-7)


def test_parts_of_speech_can_be_left_out():
    """By hand: the only word that differs does so in its part of speech."""
    study = pair("(S (NP (N rain)) (VP (V fell)))", "(S (NP (A rain)) (VP (V fell)))")
    assert evaluate(study, "leaf_ancestor:include_pos=no", resamples=0).value == 1
    assert evaluate(study, "leaf_ancestor", resamples=0).value == pytest.approx((1 + 1 - 2 / 10) / 2)


@pytest.mark.parametrize(("top", "expected"), [("(TOP {})", 0.91389), ("{}", 0.89951)])
def test_without_parts_of_speech_as_in_disco_dop(top, expected):
    """Values of disco-dop for this pair, with the topmost node and without it."""
    study = pair(top.format(GOLD), top.format(TEST))
    name = "leaf_ancestor:include_pos=no,similar=none,substitution=1"
    assert evaluate(study, name, resamples=0).value == pytest.approx(expected, abs=5e-6)


def test_without_parts_of_speech_only_phrases_set_marks():
    """By hand: `rain` begins and ends no phrase of the flat tree, so its lineage there is S alone.

    the: NP [ S and [ S, 1 - 1/5; rain: NP ] S and S, 1 - 2/4; fell: [ VP S ] and S ], 1 - 2/6.
    """
    deep, flat = "(S (NP (D the) (N rain)) (VP (V fell)))", "(S (D the) (N rain) (V fell))"
    assert shown(deep, pos=False) == ["NP [ S", "NP ] S", "[ VP S ]"]
    assert shown(flat, pos=False) == ["[ S", "S", "S ]"]
    found = evaluate(pair(deep, flat), "leaf_ancestor:include_pos=no", resamples=0).value
    assert found == pytest.approx((4 / 5 + 2 / 4 + 4 / 6) / 3)


def test_a_tree_of_one_part_of_speech_has_an_empty_lineage():
    """By hand: nothing is left to compare in equal trees, and everything is inserted in the other."""
    name = "leaf_ancestor:include_pos=no"
    assert evaluate(pair("(V go)", "(V go)"), name, resamples=0).value == 1
    assert evaluate(pair("(V go)", "(S (V go))"), name, resamples=0).value == 0


def test_mean_of_sentences():
    study = pair()
    both = replace(study, reference="gold")
    assert evaluate(both, "leaf_ancestor:average=sentences", resamples=0).value == pytest.approx(
        0.914215, abs=5e-7
    )
