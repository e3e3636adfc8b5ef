"""Nuclei of worked examples: what differs, which differences are one decision, and what is shown of it."""

import pytest

from tests.support.constructions.build import found

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


def test_three_annotators_two_of_whom_agree():
    ours, theirs, expected = EXAMPLES["tags of two phrases on one spine"]
    findings = found(theirs, theirs, ours)
    for each in findings.types:
        (nucleus,) = each.nuclei
        assert sorted(nucleus.coders_of(number) for number in (0, 1)) == [("a", "b"), ("c",)]
    assert sorted(nucleus.words for each in findings.types for nucleus in each.nuclei) == [
        "noon",
        "noon past",
    ]
    assert len(findings.types) == len(expected)
    rows = {row["coder"]: row["minority"] for row in findings.tables["coders"].records()}
    assert rows == {"a": 0, "b": 0, "c": 2}


def test_changes_have_a_label_for_each_fragment():
    ours, theirs, _ = EXAMPLES["an attachment"]
    (only,) = found(ours, theirs).types
    first = side(only, only.nuclei[0], "a") == only.fragments[0].brackets
    changes = only.to_dict()["nuclei"][0]["changes"]
    rows = {tuple(each["positions"]): each["labels"] if first else each["labels"][::-1] for each in changes}
    assert rows == {(1, 2): [None, "PP"], (1, 2, 3, 4): ["PP", None], (2, 3, 4): ["NP", None]}
    assert {each["kind"] for each in changes} == {"phrase"}
    assert only.nuclei[0].asked == (("extent", ("PP",)), ("phrase", ("NP",)))


def test_phrases_with_other_words_are_marked():
    """For b, the NP over the nucleus also covers d."""
    ours = "(NP (NP (NP (DT a) (NN b)) (NP (NN c))) (RB d))"
    (only,) = found(ours, "(NP (DT a) (NN b) (NN c) (RB d))").types
    assert only.nuclei[0].words == "a b c"
    marked = {
        fragment["brackets"]: [node["label"] for node in fragment["nodes"] if node.get("partial")]
        for fragment in only.to_dict()["fragments"]
    }
    assert marked == {"(NP (NP DT NN) (NP NN))": [], "(NP DT NN NN)": ["NP"]}


def test_tags_of_inner_copies_are_shown():
    """The topmost PP is the same for both; the star hides its tags, but not those of the PP inside."""
    ours = "(PP-LOC (PP-TMP (IN on) (NN day)) (ADVP (RB now)) (NP (NN x)))"
    theirs = "(PP-LOC (PP-TMP (IN on) (NN day)) (RB now) (NN x))"
    texts = {each.text for kind in found(ours, theirs).types for each in kind.fragments}
    assert all("TMP" in text for text in texts if "IN" in text)


def test_a_part_of_speech_is_shown_if_types_leave_parts_of_speech_out():
    """A part of speech that moves the head; only the word that differs keeps its tag."""
    ours, theirs = "(NP (NN a) (JJ b) (CD c))", "(NP (NN a) (NP (JJ b) (CD c)))"
    (only,) = found(ours, theirs, type_pos=False).types
    assert sorted(each.brackets for each in only.fragments) == ["(NP _ _)", "_ + _"]
    (only,) = found(*EXAMPLES["a part of speech that moves the head"][:2], type_pos=False).types
    assert sorted(each.brackets for each in only.fragments) == ["CD", "NNP"]
    (only,) = found(*EXAMPLES["a phrase and the part of speech of its only word"][:2], type_pos=False).types
    assert sorted(each.brackets for each in only.fragments) == ["(ADJP JJ)", "(NP NN)"]


NESTED = EXAMPLES["a phrase inside a phrase, both only in one tree"][:2]


def test_on_request_nuclei_grow_to_a_phrase_that_all_have():
    findings = found(*NESTED, unrooted="never")
    assert [nucleus.span for each in findings.types for nucleus in each.nuclei] == [(0, 6), (0, 6)]
    owned = [change.positions for each in findings.types for change in each.nuclei[0].changes]
    assert sorted(owned) == [(0, 1, 2, 3), (1, 2)]


def test_on_request_larger_phrases_are_reported_and_own_nothing():
    (larger,) = [
        nucleus
        for each in found(*NESTED, report="all").types
        for nucleus in each.nuclei
        if nucleus.explained_by
    ]
    assert (larger.span, larger.explained_by) == ((0, 6), ((1, 3), (0, 4)))
    assert (larger.changes, larger.asked, larger.residual) == ((), (), ())


def test_nuclei_of_other_lengths_are_counted():
    findings = found(*NESTED, min_len=3)
    assert [nucleus.words for each in findings.types for nucleus in each.nuclei] == ["a rather small crab"]
    assert "1 nucleus is shorter than min_len or longer than max_len and not listed" in findings.notes
    assert findings.counts["inconsistent"] == 2
    assert "2 nuclei are" in found(*NESTED, max_len=1).notes[0]


def test_the_full_external_check_adds_nuclei_that_own_nothing():
    """The label of the second phrase decides whether the first is the head of the clause."""
    findings = found("(S (NP (NN x)) (VP (VB y)))", "(S (NP (NN x)) (NP (VB y)))", external="full")
    rows = {
        nucleus.words: (each.kind, len(nucleus.changes)) for each in findings.types for nucleus in each.nuclei
    }
    assert rows == {"x": ("external", 0), "y": ("external", 1)}


def test_the_paper_explains_a_phrase_by_differences_and_not_by_words():
    """Both differences have one head word: the inner tag must not hide the outer one."""
    ours, theirs, _ = EXAMPLES["tags of two phrases on one spine"]
    findings = found(ours, theirs, external="off")
    assert [nucleus.span for each in findings.types for nucleus in each.nuclei] == [(0, 1), (0, 2)]
    owned = [change.positions for each in findings.types for change in each.nuclei[0].changes]
    assert owned == [(0,), (0, 1)]


@pytest.mark.parametrize(
    ("ours", "theirs", "option"),
    [
        (
            "(S (NP-1 (NN x)) (VP (VB y)))",
            "(S (NP (NN x)) (VP (VB y)))",
            "1 in indices (shown by --set indices=keep)",
        ),
        (
            "(S (NP (NN x)) (VP (VB y) (-NONE- *)))",
            "(S (NP (NN x)) (VP (VB y)))",
            "1 in traces (shown by --empties keep)",
        ),
        ("(S (NP (NP (NN x))) (VP (VB y)))", "(S (NP (NN x)) (VP (VB y)))", "(shown by --set unary=keep)"),
        (
            "(TOP (S (NN x) (VB y)))",
            "(S (NN x) (VB y))",
            "1 in outer brackets (shown by --set strip_root=no)",
        ),
        ("(S (NP|X (NN x)) (VP (VB y)))", "(S (NP (NN x)) (VP (VB y)))", "1 in what is never compared"),
    ],
)
def test_differences_that_normalisation_removes_are_said(ours, theirs, option):
    findings = found(ours, theirs)
    assert not findings.types
    (note,) = findings.notes
    assert note.startswith("1 sentence differs only in what is removed before the comparison: ")
    assert option in note
    assert not found(ours, ours).notes


def test_words_without_a_partner_are_taken_out_and_listed():
    ours = "(S (NP (DT a) (ADJP (JJ b) (UH oh) (UH my) (JJ c)) (NN d)) (VP (VBD e)))"
    theirs = "(S (NP (DT a) (JJ b) (JJ c) (NN d)) (VP (VBD went)))"
    findings = found(ours, theirs, mismatch="align")
    ((only,), (nucleus,)) = findings.types, findings.types[0].nuclei
    assert [(each.reason, each.detail) for each in findings.ignored] == [
        ("words_aligned", "only a has 'oh my' as tokens 3 to 4"),
        ("words_aligned", "only a has 'e' as token 7"),
        ("words_aligned", "only b has 'went' as token 5"),
    ]
    assert (nucleus.words, nucleus.tokens) == ("b [...] c", ("b", "c"))
    assert {place.coder: place.positions for place in nucleus.places} == {"a": (1, 4), "b": (1, 2)}
    assert nucleus.changes[0].positions == (1, 4)
    assert sorted(each.brackets for each in only.fragments) == ["(ADJP JJ JJ)", "JJ + JJ"]
    assert (findings.items, findings.tokens) == (1, 4)
    assert found("(S (NN a))", "(S (NN b))", mismatch="align").items == 0


def test_the_paper_s_nuclei_name_the_same_changes_in_any_order():
    """For the second annotator, *still* has a larger ADJP, whose tags say nothing about it."""
    trees = [
        "(VP (ADJP (RB still)) (S-SBJ (PP (IN at) (NP (NN sea))) (RB now)))",
        "(VP (ADJP (RB still) (PP (IN at) (NP (NN sea)) (RB now))))",
        "(VP (ADJP-TMP (RB still)) (S-SBJ (PP (IN at) (NP (NN sea))) (RB now)))",
    ]
    for order in (trees, trees[::-1]):
        (tags,) = [each for each in found(*order, external="off").types if each.class_ == "function"]
        assert tags.nuclei[0].asked == (("tags", ("ADJP", "ADJP-TMP")),)
