"""Questions above types, the surprise of an occurrence, and the order of both."""

from math import log2

import pytest
from hypothesis import given

import arbitree as at
from arbitree.constructions.findings import Change, by_bits, by_size
from arbitree.constructions.questions import sorted_by_nuclei, with_questions
from arbitree.constructions.surprise import Surprise, words_at
from arbitree.kinds.dependency.constructions.changes import WORDING as DEPENDENCIES
from arbitree.kinds.phrase.constructions.question_wording import WORDING as PHRASES
from arbitree.reading.assembly import read_study
from arbitree.reporting.sections.explain import sides_text
from tests.support.constructions.build import found as found_in
from tests.support.constructions.build import versions
from tests.support.constructions.made_up import findings, nucleus, pos, type_of


def only(*types, wording=PHRASES):
    found, questions = with_questions(types, ("ann", "bob"), wording)
    assert {each.question for each in found} == {questions[0].code}
    return questions[0]


def test_surprise_is_one_bit_for_a_coin_and_more_for_a_slip():
    """Worked by hand: 1 against 1 is 1 bit; 160 against 1 is log2(162 / 1.5)."""
    surprise = Surprise()
    surprise.want(("on",))
    for _ in range(160):
        surprise.add(("live", "on"), lambda _: ["IN"])
    surprise.add(("live", "on"), lambda _: ["NN"])
    assert surprise.bits(("on",), "IN", "NN") == surprise.bits(("on",), "NN", "IN") == log2(162 / 1.5)
    assert surprise.bits(("off",), "IN", "NN") == 1
    surprise.want(("light",))
    for tag in ("JJ", "NN"):
        surprise.add(("light",), lambda _, tag=tag: [tag])
    assert surprise.bits(("light",), "JJ", "NN") == 1


def test_the_most_surprising_pair_of_values_and_site_counts():
    surprise = Surprise()
    surprise.want(("a",))
    surprise.want(("a", "b"))
    for value in ("x", "x", "x", "y", "z"):
        surprise.add(("a", "b"), lambda positions, value=value: [value] if len(positions) == 1 else ["w"])
    expected = -log2(1.5 / 5)  # three x against one y; y against z is one bit
    assert surprise.most([(("a",), ["x", "y", "z"]), (("a", "b"), ["w", "v"])]) == -log2(0.5 / 6)
    assert surprise.most([(("a",), ["x", "y", "z"])]) == pytest.approx(expected)
    assert surprise.most([(("a",), ["x", "x"])]) == 1


def test_every_place_of_the_words_counts_also_where_they_are_no_phrase():
    """The words occur three times in the sentence; the annotation has a phrase over the second place only."""
    surprise = Surprise()
    surprise.want(("the", "mole"))
    chains = {(3, 4): ("NP",)}
    surprise.add(["the", "mole", "the", *("the", "mole") * 2], lambda positions: [chains.get(positions, ())])
    assert surprise.counts["the", "mole"] == {("NP",): 1, (): 2}


def test_words_with_gaps_are_matched_with_gaps_of_the_same_length():
    surprise = Surprise()
    words = words_at(("ring", "her", "up"), (0, 2))
    surprise.want(words)
    surprise.add(("ring", "him", "up"), lambda positions: [positions])
    surprise.add(("ring", "up", "ring", "up"), lambda positions: [positions])
    assert surprise.counts[words] == {(0, 2): 1}


def test_types_with_the_same_changes_make_one_question():
    noun = type_of(["(NP NN)", "(NP NNS)"], [pos("data", "NN", "NNS"), pos("fish", "NN", "NNS")])
    long = type_of(["(NP DT NN)", "(NP DT NNS)"], [pos("data", "NN", "NNS", item="t", bits=3.0)])
    verb = type_of(["VB", "VBP"], [pos("be", "VB", "VBP")])
    types, (first, second) = with_questions((noun, long, verb), ("ann", "bob"), PHRASES)
    assert first.label == "NN or NNS (data)"
    assert (first.kind, first.changes) == ("pos", (("pos", ("NN", "NNS")),))
    assert first.types == (noun.code, long.code)
    assert (first.size, first.occurrences, first.bits) == (2, 3, 5.0)
    assert first.words == ("data", "fish")
    assert second.types == (verb.code,)
    assert [each.question for each in types] == [first.code, first.code, second.code]
    assert first.to_dict() == {
        "code": first.code,
        "kind": "pos",
        "label": "NN or NNS (data)",
        "changes": [{"kind": "pos", "labels": ["NN", "NNS"]}],
        "types": [noun.code, long.code],
        "nuclei": 2,
        "occurrences": 3,
        "bits": 5.0,
        "one_sided": False,
        "sides": {},
        "directions": [3],
        "words": ["data", "fish"],
    }


def test_a_type_belongs_to_the_question_of_most_of_its_nuclei():
    few, many = pos("a", "X", "Y"), [pos("b", "X", "Z"), pos("c", "X", "Z")]
    assert only(type_of(["1", "2"], [few, *many])).changes == (("pos", ("X", "Z")),)


def test_types_that_ask_nothing_have_no_question():
    plain = type_of(["1", "2"], [nucleus("a", (), ())])
    (kept,), questions = with_questions((plain,), ("ann", "bob"), PHRASES)
    assert questions == ()
    assert kept.question is None


def test_types_without_own_difference_come_last_under_one_heading():
    """With external=full and report=all, some nuclei show only differences that others own."""
    ours = "(NP (NP (DT the) (ADJP (RB very) (JJ old)) (NN boat)) (PP (IN of) (NP (NNP Ann))))"
    theirs = "(NP (DT the) (RB very) (JJ old) (NN boat) (PP (IN of) (NP (NNP Ann))))"
    for settings in ({"external": "full"}, {"report": "all"}):
        found = found_in(ours, theirs, **settings)
        *asking, last = found.questions
        assert [each.label for each in asking] == [
            "with or without ADJP (very old)",
            "with or without NP (the very old boat)",
        ]
        assert (last.kind, last.changes, len(last.types)) == ("none", (), 1)
        assert last.label.startswith("no difference of its own (")
        assert sorted(code for each in found.questions for code in each.types) == sorted(
            each.code for each in found.types
        )
        assert sorted_by_nuclei(found).questions[-1].kind == "none"
        (added,) = [each for each in found.types if each.question == last.code]
        assert added.nuclei[0].to_dict()["changes"] == []


def test_labels_name_the_first_three_changes_in_words():
    asked = [("category", ("ADJP", "NP")), ("phrase", ("VP",)), ("pos", ("JJ", "NN")), ("extent", ("PP",))]
    question = only(type_of(["1", "2"], [nucleus("a b", sorted(asked), ())]))
    assert question.label == "PP longer or shorter, ADJP or NP, with or without VP and 1 more (a b)"
    assert question.kind == "extent+category+phrase+pos"
    heads = [("head", ("nmod", "obl")), ("relation", ("obj",))]
    assert (
        only(type_of(["1", "2"], [nucleus("a", heads, ())]), wording=DEPENDENCIES).label
        == "attachment of nmod or obl, obj (a)"
    )


def test_six_occurrences_in_one_direction_are_a_habit():
    """A sign test gives p = 2 / 2**6 = 0.031 for six, 2 / 2**5 = 0.0625 for five."""
    same = [pos(f"w{number}", "NN", "NNS", item=str(number)) for number in range(6)]
    question = only(type_of(["NN", "NNS"], same))
    assert question.one_sided
    assert question.sides == {"ann": "NN", "bob": "NNS"}
    assert not only(type_of(["NN", "NNS"], same[:5])).one_sided
    both = only(type_of(["NN", "NNS"], [*same, pos("x", "NN", "NNS", swap=True)]))
    assert (both.one_sided, both.directions) == (False, (6, 1))
    assert sides_text(both) == "both ways (6 and 1)"


def test_sides_are_compared_across_the_types_of_a_question():
    """The fragments of the second type are in the other order, as their texts sort."""
    three = [pos(f"w{number}", "NN", "NNS") for number in range(3)]
    reverse = [pos(f"v{number}", "NNS", "NN", swap=True) for number in range(3)]
    against = [pos(f"v{number}", "NNS", "NN") for number in range(3)]
    assert only(type_of(["1", "2"], three), type_of(["3", "4"], reverse)).one_sided
    assert not only(type_of(["1", "2"], three), type_of(["3", "4"], against)).one_sided


def test_shared_tags_and_the_extent_of_phrases_make_sides():
    tags = [("tags", ("NP", "NP-TMP"))]
    three = [nucleus("a", tags, [Change("tags", (0,), ("NP-CLR", "NP-CLR-TMP"))]) for _ in range(3)]
    more = [nucleus("a", tags, [Change("tags", (0,), ("NP", "NP-TMP"))]) for _ in range(3)]
    assert only(type_of(["1", "2"], three + more)).sides == {"ann": "NP", "bob": "NP-TMP"}
    extent = [("extent", ("PP",))]
    short, long = Change("phrase", (0, 1), (None, "PP")), Change("phrase", (0, 1, 2), ("PP", None))
    six = [nucleus("a b c", extent, (short, long)) for _ in range(6)]
    assert only(type_of(["1", "2"], six)).sides == {"ann": "longer PP", "bob": "shorter PP"}


def test_heads_make_sides_by_their_distance():
    """The heads are at other positions in every sentence; ann always takes the nearer one."""
    asked = [("head", ("nmod",))]
    six = [nucleus("a b", asked, [Change("head", (at,), (str(at - 1), str(at - 3)))]) for at in range(4, 10)]
    assert only(type_of(["1", "2"], six), wording=DEPENDENCIES).sides == {
        "ann": "nearer head",
        "bob": "farther head",
    }
    other = nucleus("a b", asked, [Change("head", (4,), ("9", "5"))])
    assert not only(type_of(["1", "2"], [*six, other]), wording=DEPENDENCIES).one_sided


def test_most_bits_come_first_then_occurrences_then_the_label():
    slip = type_of(["1", "2"], [pos("on", "IN", "NN", bits=6.8)], "slip")
    coins = [pos(f"w{number}", "NN", "NNS") for number in range(3)]
    coin = type_of(["3", "4"], coins, "coin")
    again = type_of(["5", "6"], [pos("x", "A", "B", bits=3.0)], "again")
    zero = type_of(["7", "8"], [pos("y", "A", "C", bits=3.0)], "zero")
    assert [each.label for each in by_bits([zero, coin, again, slip])] == ["slip", "coin", "again", "zero"]
    assert by_size([zero, coin, again, slip])[0] is coin
    _, questions = with_questions([zero, coin, again, slip], ("ann", "bob"), PHRASES)
    assert [round(each.bits, 1) for each in questions] == [6.8, 3.0, 3.0, 3.0]
    assert questions[1].occurrences == 3
    assert all(each.bits >= each.occurrences for each in questions)


def test_the_order_of_the_paper_is_by_nuclei():
    slip = type_of(["1", "2"], [pos("on", "IN", "NN", bits=6.8)])
    coin = type_of(["3", "4"], [pos(f"w{number}", "NN", "NNS") for number in range(3)])
    found = findings(slip, coin)
    assert [each.types for each in found.questions] == [(slip.code,), (coin.code,)]
    by_nuclei = sorted_by_nuclei(found)
    assert [each.types for each in by_nuclei.questions] == [(coin.code,), (slip.code,)]
    assert [each.code for each in by_nuclei.types] == [coin.code, slip.code]
    assert [types for _, types in by_nuclei.by_question] == [(by_nuclei.types[0],), (by_nuclei.types[1],)]


@pytest.mark.parametrize(
    ("ours", "theirs", "label"),
    [
        (
            "(VP (VBD fed) (PP (IN on) (NP (NP (NN moss)) (PP (IN near) (NP (NN home))))))",
            "(VP (VBD fed) (PP (IN on) (NP (NN moss))) (PP (IN near) (NP (NN home))))",
            "PP longer or shorter, with or without NP (on moss near home)",
        ),
        (
            "(S (NP-SBJ (PRP it)) (VP (VBZ is) (ADJP-PRD (JJ green))))",
            "(S (NP-SBJ (PRP it)) (VP (VBZ is) (NP-PRD (NN green))))",
            "ADJP or NP, JJ or NN (green)",
        ),
        ("(NP-CLR (DT a) (NN day))", "(NP-CLR-TMP (DT a) (NN day))", "NP or NP-TMP (a day)"),
    ],
)
def test_questions_of_phrase_trees(ours, theirs, label):
    """Worked by hand from the definition: a moved edge, a relabelled word, a tag besides a shared one."""
    assert [question.label for question in found_in(ours, theirs).questions] == [label]


@given(versions(count=3))
def test_the_order_holds_for_random_trees(texts):
    _check_order(found_in(*texts))


def test_two_versions_of_a_treebank(data):
    """Counts and bits of an independent program for the same definitions, rounded as printed there."""
    study = read_study([str(data / "gum-two-versions" / side) for side in ("early", "late")], dirs=True)
    found = at.explain(study)
    assert (len(found.types), len(found.questions)) == (179, 64)
    first = [
        (PHRASES.label(each.changes), round(each.bits), each.occurrences) for each in found.questions[:5]
    ]
    assert first == [
        ("NP or NP-ADV", 142, 81),
        ("NN or NNP", 45, 19),
        ("NP or NP-SBJ", 31, 24),
        ("CD or NNP", 28, 10),
        ("VB or VBP", 21, 10),
    ]
    _check_order(found)


def test_two_annotators_of_dependencies(data):
    coders = [str(data / "syn-agreement" / "ndt" / f"{name}-danish.conll") for name in ("odin", "thor")]
    _check_order(at.explain(at.read(*coders)))


def _check_order(found):
    """No occurrence has less than one bit, every type has one question, and most bits come first."""
    for ranked in (found.questions, found.types):
        assert all(each.bits >= each.occurrences for each in ranked)
        keys = [(-round(each.bits, 9), -each.occurrences, each.label) for each in ranked]
        assert keys == sorted(keys)
    assert sorted(code for each in found.questions for code in each.types) == sorted(
        each.code for each in found.types
    )
    assert sum(each.occurrences for each in found.questions) == found.nuclei
