"""Nuclei of worked examples: what differs, which differences are one decision, and what is shown of it."""

import pytest

from tests.constructions.build import found

# The trees of two annotators; then words, class, kind, and the fragments of both. Worked by hand.
EXAMPLES = {
    "tags of two phrases on one spine": (
        "(S (NP (NP-TMP (NN noon)) (RB past)) (VP (VBD came)))",
        "(S (NP-SBJ (NP (NN noon)) (RB past)) (VP (VBD came)))",
        [
            ("noon", "function", "internal", "(NP-TMP NN)", "(NP NN)"),
            ("noon past", "function", "internal", "(NP (NP NN) RB)", "(NP-SBJ (NP NN) RB)"),
        ],
    ),
    "a part of speech that moves the head": (
        "(S (NP-SBJ (NNP Gate) (NNP 4)) (VP (VBD closed) (NP-TMP (NN yesterday))))",
        "(S (NP-SBJ (NNP Gate) (CD 4)) (VP (VBD closed) (NP-TMP (NN yesterday))))",
        [("4", "pos", "internal", "NNP", "CD")],
    ),
    "a tag above a unary phrase": (
        "(S (S (VP (VBG whistling))) (, ,) (NP-SBJ (PRP he)) (VP (VBD left)))",
        "(S (S-ADV (VP (VBG whistling))) (, ,) (NP-SBJ (PRP he)) (VP (VBD left)))",
        [("whistling", "function", "internal", "(S (VP VBG))", "(S-ADV (VP VBG))")],
    ),
    "a phrase inside a phrase, both only in one tree": (
        "(NP (NP (DT a) (ADJP (RB rather) (JJ small)) (NN crab)) (PP (IN in) (NP (NNP May))))",
        "(NP (DT a) (RB rather) (JJ small) (NN crab) (PP (IN in) (NP (NNP May))))",
        [
            ("rather small", "structural", "internal", "(ADJP RB JJ)", "RB + JJ"),
            (
                "a rather small crab",
                "structural",
                "internal",
                "(NP DT (ADJP RB JJ) NN)",
                "DT + (ADJP RB JJ) + NN",
            ),
        ],
    ),
    "an attachment": (
        "(VP (VBD slept) (PP (IN on) (NP (NP (NN straw)) (PP (IN near) (NP (NN fire))))))",
        "(VP (VBD slept) (PP (IN on) (NP (NN straw))) (PP (IN near) (NP (NN fire))))",
        [
            (
                "on straw near fire",
                "structural",
                "internal",
                "(PP IN (NP (NP NN) (PP IN (NP NN))))",
                "(PP IN (NP NN)) + (PP IN (NP NN))",
            )
        ],
    ),
    "sisters that only one tree has": (
        "(NP (NP (DT the) (NN term)) (NP (NN spray)))",
        "(NP (DT the) (NN term) (NN spray))",
        [("the term spray", "structural", "internal", "(NP (NP DT NN) (NP NN))", "(NP DT NN NN)")],
    ),
    "sisters around a conjunction": (
        "(NP (NP (DT an) (NN oar)) (CC or) (NP (DT a) (NN pole)))",
        "(NP (DT an) (NN oar) (CC or) (DT a) (NN pole))",
        [
            (
                "an oar or a pole",
                "structural",
                "internal",
                "(NP (NP DT NN) CC (NP DT NN))",
                "(NP DT NN CC DT NN)",
            )
        ],
    ),
    "a phrase and the part of speech of its only word": (
        "(S (NP-SBJ (PRP it)) (VP (VBZ is) (ADJP-PRD (JJ cold))))",
        "(S (NP-SBJ (PRP it)) (VP (VBZ is) (NP-PRD (NN cold))))",
        [("cold", "structural", "internal", "(ADJP JJ)", "(NP NN)")],
    ),
    "a tag of a larger phrase and a smaller phrase": (
        "(S (NP-SBJ (NP (DT a) (NN seal)) (PP (IN on) (NP (NN ice)))) (VP (VBD barked)))",
        "(S (NP (DT a) (NN seal) (PP (IN on) (NP (NN ice)))) (VP (VBD barked)))",
        [
            ("a seal", "structural", "internal", "(NP DT NN)", "DT + NN"),
            (
                "a seal on ice",
                "function",
                "internal",
                "(NP-SBJ (NP DT NN) (PP IN (NP NN)))",
                "(NP (NP DT NN) (PP IN (NP NN)))",
            ),
        ],
    ),
    "another label is no moved edge": (
        "(NP (`` ``) (ADJP (JJ foggy)) ('' ''))",
        "(ADJP (`` ``) (JJ foggy) ('' ''))",
        [
            ("foggy", "structural", "internal", "(ADJP JJ)", "JJ"),
            ("`` foggy ''", "structural", "external", "(NP …)", "(ADJP …)"),
        ],
    ),
    "a phrase inside a larger one of its category": (
        "(NP (NP (NNP Ann) (POS 's)) (NN hat))",
        "(NP (NNP Ann) (POS 's) (NN hat))",
        [("Ann 's", "structural", "internal", "(NP NNP POS)", "NNP + POS")],
    ),
    "tags of copies inside a phrase": (
        "(PP (PP-TMP (IN on) (NN day)) (CC or) (PP-TMP (IN at) (NN dusk)))",
        "(PP (ADVP-TMP (IN on) (NN day)) (CC or) (PP-TMP (IN at) (NN dusk)))",
        [("on day", "structural", "external", "(PP …)", "(ADVP …)")],
    ),
}


def side(each, nucleus, coder):
    """The fragment of an annotator."""
    (number,) = [number for number in range(len(each.fragments)) if coder in nucleus.coders_of(number)]
    return each.fragments[number].brackets


@pytest.mark.parametrize("name", EXAMPLES)
def test_nuclei_of_worked_examples(name):
    ours, theirs, expected = EXAMPLES[name]
    rows = [
        (nucleus.words, each.class_, each.kind, side(each, nucleus, "a"), side(each, nucleus, "b"))
        for each in found(ours, theirs).types
        for nucleus in each.nuclei
    ]
    assert sorted(rows) == sorted(expected)
