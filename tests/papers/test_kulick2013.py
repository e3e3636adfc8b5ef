"""Kulick et al. (2013): the structures of their examples (1) to (5), with words of our own.

What is expected was worked out by hand from the paper: figure 2 for the elementary trees and arcs, section 3
for what is reported and what is not.
"""

import pytest

import arbitree as at
from tests.support.build import study_of
from tests.support.constructions.build import derivation, elementary_trees, found, reports, spans, tree

ONE_A = (
    "(NP-SBJ (NP (NP (DT The) (NN name)) (NP (NN marmalade))) (NP (-LRB- -LRB-) (NP (NNP Marmelada))"
    " (PP (IN in) (NP (NNP Lisbon))) (-RRB- -RRB-)))"
)
ONE_B = (
    "(NP-SBJ (DT The) (NN name) (NN marmalade) (PRN (-LRB- -LRB-) (FRAG (NP (NNP Marmelada)"
    " (PP (IN in) (NP (NNP Lisbon))))) (-RRB- -RRB-)))"
)
ONE_FLAT = ONE_B.replace("(FRAG (NP (NNP Marmelada) (PP (IN in) (NP (NNP Lisbon)))))",
                         "(FRAG (NP (NNP Marmelada)) (PP (IN in) (NP (NNP Lisbon))))")  # fmt: skip
THREE_A = "(NP (NP (DT The) (NN word)) (NP (NN marmalade)))"
THREE_B = "(NP (DT The) (NN word) (NN marmalade))"
FOUR_A = "(NP (DT the) (ADJP (JJ long) (JJ green)) (NN ladder))"
FOUR_B = "(NP (DT the) (JJ long) (JJ green) (NN ladder))"
FIVE_A = "(NP (PRP$ her) (ADJP (JJ small) (JJ red)) (NN boat))"
FIVE_B = "(NP (PRP$ her) (JJ small) (JJ red) (NN boat))"

# form, spine with the tags of each level, governor, operation, side, target category and level
FIGURE_2A = [
    ("The", [], 1, "A", "L", "NP", 0),
    ("name", [("NP", [[], [], ["SBJ"]])], None, None, None, None, None),
    ("marmalade", [("NP", [[]])], 1, "M", "R", "NP", 1),
    ("-LRB-", [], 4, "M", "L", "NP", 1),
    ("Marmelada", [("NP", [[], []])], 1, "M", "R", "NP", 2),
    ("in", [("PP", [[]])], 4, "M", "R", "NP", 1),
    ("Lisbon", [("NP", [[]])], 5, "A", "R", "PP", 0),
    ("-RRB-", [], 4, "M", "R", "NP", 1),
]
FIGURE_2B = [
    ("The", [], 2, "A", "L", "NP", 0),
    ("name", [], 2, "A", "L", "NP", 0),
    ("marmalade", [("NP", [["SBJ"]])], None, None, None, None, None),
    ("-LRB-", [], 4, "A", "L", "PRN", 0),
    ("Marmelada", [("NP", [[]]), ("FRAG", [[]]), ("PRN", [[]])], 2, "A", "R", "NP", 0),
    ("in", [("PP", [[]])], 4, "A", "R", "NP", 0),
    ("Lisbon", [("NP", [[]])], 5, "A", "R", "PP", 0),
    ("-RRB-", [], 4, "A", "R", "PRN", 0),
]


@pytest.mark.parametrize(("text", "expected"), [(ONE_A, FIGURE_2A), (ONE_B, FIGURE_2B)])
def test_elementary_trees_and_arcs_are_those_of_figure_2(text, expected):
    etrees = elementary_trees(derivation(text))
    rows = []
    for each in etrees:
        spine = [(node["cat"], [level["tags"] for level in node["levels"]]) for node in each["spine"]]
        cat = None if each["gov"] is None else etrees[each["gov"]]["spine"][each["node"]]["cat"]
        rows.append((each["form"], spine, each["gov"], each["op"], each["side"], cat, each["level"]))
    assert rows == expected


def test_figure_2_has_five_adjunctions_and_nine_sister_adjunctions():
    arcs = [each["op"] for text in (ONE_A, ONE_B) for each in elementary_trees(derivation(text))]
    assert (arcs.count("M"), arcs.count("A")) == (5, 9)


def test_fragments_of_the_appositive_and_of_the_flat_noun_phrase():
    (first, *_) = [
        each for each in found(ONE_A, ONE_B, external="off").types if each.nuclei[0].span == (0, 3)
    ]
    assert {each.text for each in first.fragments} == {
        "NP*[NN] <-A.L- DT ; <-M.R.1- NP[NN]",
        "NP*[NN] <-A.L- DT ; <-A.L- NN",
    }
    assert {each.brackets for each in first.fragments} == {"(NP (NP DT NN) (NP NN))", "(NP DT NN NN)"}


def test_nuclei_of_example_1_as_the_paper_reports_them():
    """The name, the gloss, and what is left; the bracketed part is exempt: NP against PRN."""
    findings = found(ONE_A, ONE_B, external="off")
    assert reports(findings) == [
        ((0, 3), "structural", "internal", (0, 1, 2), (0, 1, 2)),
        ((0, 8), "structural", "internal", (0, 1, 2, 3, 4, 5, 7), (3, 4, 7)),
        ((4, 7), "structural", "internal", (1,), (1,)),
    ]
    assert findings.counts == {
        "compared": 9, "consistent": 4, "exempt": 2, "inconsistent": 3, "explained": 0
    }  # fmt: skip


def test_external_check_reports_the_bracketed_part_and_explains_the_whole():
    assert reports(found(ONE_A, ONE_B, external="label")) == [
        ((0, 3), "structural", "internal", (0, 1, 2), (0, 1, 2)),
        ((3, 8), "structural", "external", (0, 1, 2, 4), (0, 1, 4)),
        ((4, 7), "structural", "internal", (1,), (1,)),
    ]


def test_words_that_are_no_unit_are_compared_on_request():
    rows = reports(found(ONE_A, ONE_B, external="off", unrooted="always"))
    assert ((0, 2), "structural", "internal", (0, 1), (0, 1)) in rows


def test_examples_1_and_3_are_of_one_type():
    values = {"one": (ONE_A, ONE_B), "three": (THREE_A, THREE_B)}
    study = study_of({name: {"a": tree(a), "b": tree(b)} for name, (a, b) in values.items()})
    first = at.explain(study, external="off").types[0]
    assert [nucleus.words for nucleus in first.nuclei] == ["The name marmalade", "The word marmalade"]
    assert first.size == 2


def test_examples_4_and_5_are_of_one_type_whatever_stands_before_them():
    values = {"four": (FOUR_A, FOUR_B), "five": (FIVE_A, FIVE_B)}
    study = study_of({name: {"a": tree(a), "b": tree(b)} for name, (a, b) in values.items()})
    (only,) = at.explain(study).types
    assert [(nucleus.words, nucleus.span) for nucleus in only.nuclei] == [
        ("long green", (1, 3)),
        ("small red", (1, 3)),
    ]
    assert only.class_ == "structural"
    assert {each.text for each in only.fragments} == {"ADJP*[JJ] <-A.L- JJ", "JJ + JJ"}
    assert all(nucleus.differing == (0, 1) for nucleus in only.nuclei)


def test_without_the_slot_rule_the_determiner_splits_examples_4_and_5():
    values = {"four": (FOUR_A, FOUR_B), "five": (FIVE_A, FIVE_B)}
    study = study_of({name: {"a": tree(a), "b": tree(b)} for name, (a, b) in values.items()})
    types = at.explain(study, unrooted="never").types
    assert [each.nuclei[0].span for each in types] == [(0, 4), (0, 4)]


def test_a_fragment_that_is_flat_makes_the_gloss_exempt():
    findings = found(ONE_A, ONE_FLAT, external="off")
    assert spans(findings) == [(0, 3), (0, 8)]
    assert findings.counts["exempt"] == 3


def test_three_coders_one_of_whom_differs():
    findings = found(ONE_A, ONE_B, ONE_B, external="off")
    assert spans(findings) == [(0, 3), (0, 8), (4, 7)]
    assert {each.code for each in findings.types} == {
        each.code for each in found(ONE_A, ONE_B, external="off").types
    }
    (first,) = [each for each in findings.types if each.nuclei[0].span == (0, 3)]
    nucleus = first.nuclei[0]
    assert sorted(nucleus.coders_of(number) for number in (0, 1)) == [("a",), ("b", "c")]
    habits = {row["coder"]: row for row in findings.tables["coders"].records()}
    assert [habits[coder]["minority"] for coder in "abc"] == [3, 0, 0]
    assert [row["nuclei"] for row in findings.tables["pairs"].records()] == [3, 3, 0]
