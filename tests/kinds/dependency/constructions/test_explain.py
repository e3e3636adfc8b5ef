"""Dependency trees: nuclei, classes and types among coders, and miss rates of parsers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.api.explain import find_inconsistencies as explain
from arbitree.errors import ArbitreeError, StudyError, UnknownName
from arbitree.kinds.dependency.constructions.sentences import CoderFacts, differing
from arbitree.kinds.dependency.value import DepTree
from arbitree.reading.assembly import read_study
from tests.support.build import study_of
from tests.support.constructions.deptrees import coders, corpus, places, tree, versions

# The structures of the published example, in other words: first noun as head, or second.
FIRST = tree("the 2 det, colour 0 root, purple 2 appos", "DET NOUN NOUN")
SECOND = tree("the 3 det, colour 3 compound, purple 0 root", "DET NOUN NOUN")


def test_a_change_of_head_is_one_nucleus_with_all_that_follows():
    found = explain(coders(FIRST, SECOND))
    assert places(found) == [("the colour purple", ("the", "colour", "purple"), "direction")]
    assert found.mode == "coders"
    assert found.counts["inconsistent"] == 3


def test_a_change_of_head_is_the_same_type_wherever_it_hangs():
    """The slot rule: what both versions hang on in the same way is outside."""
    first = tree("paint 0 root, the 3 det, colour 1 obj, blue 3 appos", "VERB DET NOUN NOUN")
    second = tree("paint 0 root, the 4 det, colour 4 compound, blue 1 obj", "VERB DET NOUN NOUN")
    rows = {"s": {"a": FIRST, "b": SECOND}, "t": {"a": second, "b": first}}
    (only,) = explain(study_of(rows)).types
    assert [nucleus.words for nucleus in only.nuclei] == ["the colour purple", "the colour blue"]
    assert only.sides == {"a": (1, 1), "b": (1, 1)}


def test_connected_groups_find_the_same_nucleus():
    found = explain(coders(FIRST, SECOND), nuclei="connected")
    assert places(found) == [("the colour purple", ("the", "colour", "purple"), "direction")]


def test_subtrees_find_the_same_nucleus_as_the_whole_sentence():
    found = explain(coders(FIRST, SECOND), nuclei="subtrees")
    assert places(found) == [("the colour purple", ("the", "colour", "purple"), "direction")]
    assert (found.counts["compared"], found.counts["inconsistent"], found.counts["consistent"]) == (3, 3, 0)


def test_same_heads_and_other_relation_is_one_nucleus_of_class_label():
    first = tree("the 2 det, cat 3 nsubj, sat 0 root", "DET NOUN VERB")
    second = tree("the 2 nmod, cat 3 nsubj, sat 0 root", "DET NOUN VERB")
    found = explain(coders(first, second))
    assert places(found) == [("the cat", ("the",), "label")]
    assert found.types[0].label == "DET: det / nmod under NOUN"
    assert found.types[0].categories == ("det", "nmod")
    assert found.types[0].facets == ("label change",)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("we 2 nsubj, saw 0 root, men 2 obj, there 2 advmod:lmod", "subtype"),
        ("we 2 nsubj, saw 0 root, men 2 obj, there 3 advmod", "attachment"),
        ("we 2 nsubj, saw 0 root, men 2 obj, there 3 nmod", "structural"),
        ("we 2 nsubj, saw 3 acl, men 0 root, there 2 advmod", "direction"),
        ("we 2 nsubj, saw 0 top, men 2 obj, there 2 advmod", "label"),
    ],
)
def test_classes(other, expected):
    tags = "PRON VERB NOUN ADV"
    first = tree("we 2 nsubj, saw 0 root, men 2 obj, there 2 advmod", tags)
    assert [class_ for _, _, class_ in places(explain(coders(first, tree(other, tags))))] == [expected]


def test_part_of_speech_alone_is_a_nucleus_of_one_word():
    text = "we 2 nsubj, run 0 root"
    found = explain(coders(tree(text, "PRON VERB"), tree(text, "PRON NOUN")))
    assert places(found) == [("run", ("run",), "pos")]
    assert not explain(coders(tree(text, "PRON VERB"), tree(text, "PRON NOUN")), pos="strip").types


def test_independent_differences_under_one_head_stay_apart():
    first = tree("a 2 subj, b 0 root, c 2 obj, d 2 mod")
    second = tree("a 2 mod, b 0 root, c 2 iobj, d 2 mod")
    found = explain(coders(first, second))
    assert [words for words, _, _ in places(found)] == ["a b", "b c"]
    joined = explain(coders(first, second), nuclei="connected")
    assert places(joined) == [("a b c", ("a", "c"), "label")]


def test_tokens_with_the_same_slot_are_compared_without_their_governor():
    """Two modifiers of a noun, or one of the other: the noun is no part of it, whatever it is."""
    rows = {
        "s": {
            "a": tree("my 4 poss, dark 3 advmod, blue 4 amod, coat 0 root", "PRON ADJ ADJ NOUN"),
            "b": tree("my 4 poss, dark 4 amod, blue 4 amod, coat 0 root", "PRON ADJ ADJ NOUN"),
        },
        "t": {
            "a": tree("the 4 det, pale 3 advmod, green 4 amod, Alps 0 root", "DET ADJ ADJ PROPN"),
            "b": tree("the 4 det, pale 4 amod, green 4 amod, Alps 0 root", "DET ADJ ADJ PROPN"),
        },
    }
    (only,) = explain(study_of(rows)).types
    assert [nucleus.words for nucleus in only.nuclei] == ["dark blue", "pale green"]
    assert sorted(fragment.brackets for fragment in only.fragments) == ["ADJ + ADJ", "[advmod ADJ] ADJ"]


def test_words_in_between_are_a_gap():
    first = tree("saw 0 root, the 3 det, man 1 obj, with 5 case, glass 1 obl", "V D N P N")
    second = tree("saw 0 root, the 3 det, man 1 obj, with 5 case, glass 3 obl", "V D N P N")
    (only,) = explain(coders(first, second)).types
    (nucleus,) = only.nuclei
    assert nucleus.words == "saw [...] man [...] glass"
    assert nucleus.places[0].positions == (0, 2, 4)
    assert [fragment.brackets for fragment in only.fragments] == ["V [obj N] [obl N]", "V [obj N [obl N]]"]


def test_types_without_parts_of_speech_are_larger():
    rows = {
        "s": {"a": tree("a 2 det, b 0 root", "D N"), "b": tree("a 2 nmod, b 0 root", "D N")},
        "t": {"a": tree("c 2 det, d 0 root", "D NS"), "b": tree("c 2 nmod, d 0 root", "D NS")},
    }
    assert len(explain(study_of(rows)).types) == 2
    (only,) = explain(study_of(rows), type_pos=False).types
    assert only.size == 2
    assert only.fragments[0].text == "_ det>2; _"


def test_three_coders_and_who_is_alone():
    found = explain(coders(FIRST, SECOND, SECOND))
    (only,) = found.types
    assert sorted(only.nuclei[0].counts) == [1, 2]
    rows = {row["coder"]: row for row in found.tables["coders"].records()}
    assert [(rows[c]["minority"], rows[c]["ties"], rows[c]["direction"]) for c in "abc"] == [
        (1, 0, 1),
        (0, 0, 0),
        (0, 0, 0),
    ]
    assert [row["nuclei"] for row in found.tables["pairs"].records()] == [1, 1, 0]
    assert [each.code for each in explain(coders(FIRST, SECOND)).types] == [only.code]


def test_tops_with_other_parts_of_speech_are_not_compared_on_request():
    first = tree("is 0 root, hot 1 xcomp", "AUX ADJ")
    second = tree("is 2 cop, hot 0 root", "AUX ADJ")
    assert len(explain(coders(first, second)).types) == 1
    found = explain(coders(first, second), partition="upos")
    assert not found.types
    assert found.counts["exempt"] == 1


def test_explained_nuclei_are_kept_on_request():
    first = tree("a 2 det, b 3 subj, c 0 root")
    second = tree("a 2 nmod, b 3 subj, c 0 root")
    assert places(explain(coders(first, second), nuclei="subtrees")) == [("a b", ("a",), "label")]
    found = explain(coders(first, second), nuclei="subtrees", report="all")
    assert [words for words, _, _ in places(found)] == ["a b", "a b c"]
    (whole,) = [n for each in found.types for n in each.nuclei if n.words == "a b c"]
    assert whole.residual == ()
    assert whole.explained_by == ((0, 2),)


class TestOddInput:
    def test_other_tokens_are_skipped_and_listed(self):
        found = explain(coders(tree("a 2 x, b 0 r"), tree("a 2 y, c 0 r")))
        assert [(each.item, each.reason) for each in found.ignored] == [("s", "words_differ")]
        assert (found.types, found.items, found.tokens, found.per_thousand) == ((), 0, 0, None)

    def test_other_tokens_are_an_error_on_request(self):
        with pytest.raises(StudyError, match="differ"):
            explain(coders(tree("a 2 x, b 0 r"), tree("a 2 y, c 0 r")), mismatch="error")

    def test_other_tokens_are_aligned_on_request(self):
        """Heads that not all have are one value; the relation to them is still compared."""
        first = tree("a 2 x, b 3 y, do 0 r, n't 3 neg")
        second = tree("a 2 z, b 3 y, don't 0 r")
        found = explain(coders(first, second), mismatch="align")
        assert places(found) == [("a b", ("a",), "label")]
        assert found.tokens == 2
        assert found.counts["unaligned_tokens"] == 3
        assert found.counts["aligned_items"] == 1
        assert [(each.reason, each.detail) for each in found.ignored] == [
            ("words_aligned", 'only a has "do n\'t" as tokens 3 to 4'),
            ("words_aligned", 'only b has "don\'t" as token 3'),
        ]

    def test_a_head_that_not_all_have_differs_from_all_other_heads(self):
        """Worked by hand: "b" is at the root, or under a token without a partner."""
        first, second = tree("a 2 x, b 0 r, c 2 y"), tree("a 2 x, b 3 r, z 0 top, c 2 y")
        found = explain(coders(first, second), mismatch="align")
        ((nucleus,),) = [each.nuclei for each in found.types]
        assert [(each.kind, each.positions, set(each.labels)) for each in nucleus.changes] == [
            ("head", (1,), {"ROOT", "OUTSIDE"})
        ]
        assert {fragment.brackets for fragment in found.types[0].fragments} == {"[r _]", "[r>OUTSIDE _]"}
        assert nucleus.asked == (("head", ("r",)),)
        other = tree("a 2 x, b 3 s, z 0 top, c 2 y")
        found = explain(coders(second, other), mismatch="align")
        assert [each.kind for t in found.types for n in t.nuclei for each in n.changes] == ["relation"]

    def test_stretches_are_aligned_across_gaps(self):
        """The words before and after a stretch that one lacks are one sentence: heads reach over the gap."""
        first, second = tree("a 4 x, uh 1 d, um 1 d, b 0 r"), tree("a 2 y, b 0 r")
        found = explain(coders(first, second), mismatch="align")
        assert [places(found), places(explain(coders(second, first), mismatch="align"))] == [
            [("a [...] b", ("a",), "label")],
            [("a b", ("a",), "label")],
        ]

    def test_places_count_tokens_as_their_own_coder_does(self):
        first = tree("uh 3 x, a 3 x, b 0 r")
        second = tree("a 2 y, b 0 r")
        (nucleus,) = explain(coders(first, second), mismatch="align").types[0].nuclei
        assert [place.positions for place in nucleus.places] == [(1, 2), (0, 1)]

    def test_empty_and_single_annotations_are_listed(self):
        empty = DepTree((), (), ())
        rows = {"s": {"a": FIRST, "b": empty}, "t": {"a": FIRST}, "u": {"a": empty, "b": empty}}
        found = explain(study_of(rows))
        assert [each.reason for each in found.ignored] == ["empty_tree", "single_annotation", "empty_tree"]
        assert found.items == 0

    def test_cycles_are_compared_and_counted(self):
        first = tree("a 2 x, b 1 y, c 0 r")
        second = tree("a 2 x, b 3 y, c 0 r")
        found = explain(coders(first, second))
        assert found.counts["cyclic_trees"] == 1
        assert places(found) == [("a b c", ("b",), "attachment")]
        texts = {fragment.text for fragment in found.types[0].fragments}
        assert texts == {"_ x>2; _ y>1; _", "_ x>2; _ y>3; _"}

    def test_several_roots_are_compared_and_counted(self):
        found = explain(coders(tree("a 0 r, b 0 s"), tree("a 0 r, b 1 x")))
        assert found.counts["several_roots"] == 1
        assert places(found) == [("a b", ("b",), "structural")]
        assert "root change" in found.types[0].facets

    def test_enhanced_dependencies_are_said_to_be_left_out(self):
        with_deps = replace(FIRST, columns={**FIRST.columns, "deps": ("2:det", "_", "_")})
        assert any("enhanced" in note for note in explain(coders(with_deps, SECOND)).notes)

    def test_a_chain_of_a_thousand_tokens_is_drawn(self):
        down = DepTree(("w",) * 1000, tuple(range(1000)), ("x",) * 1000)
        up = DepTree(("w",) * 1000, (*range(2, 1001), 0), ("x",) * 1000)
        (only,) = explain(coders(down, up)).types
        assert len(only.nuclei[0].tokens) == 1000

    def test_wrong_options_and_studies_are_refused_in_one_line(self):
        with pytest.raises(UnknownName, match="Did you mean 'subtrees'"):
            explain(coders(FIRST, SECOND), nuclei="subtree")
        with pytest.raises(StudyError, match="annotator 'z' not found"):
            explain(replace(coders(FIRST, SECOND), reference="z"))
        with pytest.raises(ArbitreeError):
            explain(corpus(FIRST), mode="coders")


class TestParsers:
    """Gold has five objects; the parser takes two for obliques, and one for a subject."""

    GOLD = tree("eat 0 root, it 1 obj", "V P")

    def study(self):
        obl, subj = tree("eat 0 root, it 1 obl", "V P"), tree("eat 0 root, it 1 nsubj", "V P")
        systems = [self.GOLD, obl, obl, subj, self.GOLD]
        rows = {f"s{k}": {"parser": each, "gold": self.GOLD} for k, each in enumerate(systems)}
        return replace(study_of(rows, coders=("parser", "gold")), reference="gold")

    def test_rates_are_missed_over_gold(self):
        found = explain(self.study())
        assert found.mode == "parser"
        assert found.gold == "gold"
        rates = [(each.fragments[1].nodes[1].edge, each.rate) for each in found.types]
        assert [(edge, rate.gold, rate.missed, rate.this) for edge, rate in rates] == [
            ("obl", 5, 3, 2),
            ("nsubj", 5, 3, 1),
        ]
        assert rates[0][1].value == 3 / 5

    def test_gold_fragment_comes_first(self):
        for each in explain(self.study()).types:
            assert each.fragments[0].brackets == "V [obj P]"

    def test_every_system_is_held_against_gold_by_itself(self):
        rows = {"s": {"one": FIRST, "two": FIRST, "gold": SECOND}}
        found = explain(replace(study_of(rows), reference="gold"))
        (only,) = found.types
        assert len(only.nuclei) == 2
        assert (found.items, found.tokens) == (1, 3)
        assert (only.rate.gold, only.rate.missed) == (2, 2)

    def test_what_hangs_side_by_side_is_a_construction_too(self):
        """Gold has three pairs of modifiers side by side; the noun that holds them is not in the nucleus."""
        gold = tree("dark 4 amod, blue 4 amod, old 4 amod, coat 0 root", "ADJ ADJ ADJ NOUN")
        parsed = tree("dark 2 advmod, blue 4 amod, old 4 amod, coat 0 root", "ADJ ADJ ADJ NOUN")
        study = study_of({"s": {"gold": gold, "parser": parsed}})
        (only,) = explain(replace(study, reference="gold")).types
        assert [fragment.brackets for fragment in only.fragments] == ["ADJ + ADJ", "[advmod ADJ] ADJ"]
        assert (only.rate.gold, only.rate.missed, only.rate.this) == (3, 2, 1)
        (other,) = explain(replace(study, reference="parser")).types
        assert (other.rate.gold, other.rate.missed, other.rate.this) == (1, 1, 1)

    @given(versions(max_coders=3))
    def test_what_a_type_counts_was_missed_and_what_was_missed_is_in_gold(self, trees):
        found = explain(replace(coders(*trees), reference="a"))
        for each in found.types:
            if each.rate:
                assert 0 < each.rate.this <= each.rate.missed <= each.rate.gold


OPTIONS = st.fixed_dictionaries(
    {
        "nuclei": st.sampled_from(("pinpoint", "connected", "subtrees")),
        "report": st.sampled_from(("minimal", "all")),
        "type_pos": st.booleans(),
        "unrooted": st.sampled_from(("slot", "always", "never")),
    }
)


class TestLaws:
    @given(versions(), OPTIONS)
    def test_a_coder_agrees_with_herself(self, trees, options):
        assert not explain(coders(trees[0], trees[0], trees[0]), **options).types

    @given(versions(), OPTIONS)
    def test_the_order_of_coders_changes_no_type(self, trees, options):
        ours, theirs = coders(*trees), coders(*reversed(trees), names="fedcba"[-len(trees) :])
        ours, theirs = explain(ours, **options), explain(theirs, **options)
        assert [(each.code, each.class_) for each in ours.types] == [
            (each.code, each.class_) for each in theirs.types
        ]
        assert places(ours) == places(theirs)
        assert ours.counts == theirs.counts

    @settings(max_examples=300)
    @given(versions(), OPTIONS)
    def test_every_differing_token_is_in_a_nucleus_and_no_other_is(self, trees, options):
        expected = differing([CoderFacts.of("", each) for each in trees])
        found = explain(coders(*trees), **options)
        covered = {
            nucleus.places[0].positions[k]
            for each in found.types
            for nucleus in each.nuclei
            for k in nucleus.differing
        }
        assert sorted(covered) == expected

    @given(versions(), OPTIONS)
    def test_fragments_tell_apart_those_who_differ(self, trees, options):
        """Coders with the same fragment in every nucleus have the same tree, and the other way round."""
        found = explain(coders(*trees), **options)
        nuclei = [nucleus for each in found.types for nucleus in each.nuclei]
        for one in range(len(trees)):
            for other in range(one):
                same = all(n.places[one].fragment == n.places[other].fragment for n in nuclei)
                assert same == (trees[one] == trees[other])

    @given(versions())
    def test_every_part_of_a_type_fits_together(self, trees):
        found = explain(coders(*trees))
        for each in found.types:
            assert len(each.fragments) == len({fragment.text for fragment in each.fragments}) > 1
            for nucleus in each.nuclei:
                assert len(nucleus.tokens) == len(nucleus.places[0].positions)
                assert sum(nucleus.counts) == len(trees)
                assert set(nucleus.residual) <= set(nucleus.differing)
                assert nucleus.differing
        assert found.counts["compared"] == found.counts["consistent"] + found.counts["inconsistent"]


@pytest.mark.parametrize(
    ("language", "sentences", "tokens", "las"), [("da", 162, 2394, 0.904344), ("en", 264, 5528, 0.884407)]
)
def test_differing_tokens_of_two_corpora_are_what_labelled_attachment_says(
    data, language, sentences, tokens, las
):
    """The tokens in nuclei are those that LAS, published for these files, counts as different."""
    folder = data / "syn-agreement" / "cdt"
    study = read_study([str(folder / f"{language}-{name}.conll") for name in ("lotte", "morten")])
    found = explain(study)
    assert (found.items, found.tokens) == (sentences, tokens)
    assert found.counts["inconsistent"] == round(tokens * (1 - las))
    covered = {
        (nucleus.item, nucleus.places[0].positions[k])
        for each in found.types
        for nucleus in each.nuclei
        for k in nucleus.differing
    }
    assert len(covered) == found.counts["inconsistent"]
