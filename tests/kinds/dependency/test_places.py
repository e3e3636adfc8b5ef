"""Decisions on dependency trees: worked by hand on small sentences, laws on random ones."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.adjudication.places import Offer
from arbitree.adjudication.whole import sheet_of
from arbitree.errors import ArbitreeError, UnknownName
from arbitree.kinds.dependency.kind import KIND
from arbitree.kinds.dependency.places import dependency_sheet
from arbitree.kinds.dependency.value import DepTree
from arbitree.study.study import Item
from tests.support.build import LABELS, dep, random_dep, study_of

WORDS = ("we", "saw", "the", "man", "with", "a", "telescope")


def sheet(*trees, one_root=False):
    names = ("ann", "bob", "cho", "dan")
    study = study_of({"s1": dict(zip(names, trees, strict=False))})
    return sheet_of(study, study.items[0], KIND, one_root=one_root)


def sentence(*heads, relations=None, **columns):
    return replace(dep(heads, relations, WORDS[: len(heads)]), columns=columns)


def heads_of(sheet, *values):
    return {f"{token} head": value for token, value in enumerate(values, start=1) if value}


def keys(sheet):
    return [place.key for place in sheet.places]


def is_tree(tree, *, one_root=False):
    return not tree.defects() and (not one_root or tree.heads.count(0) == 1)


ANN = sentence(2, 0, 4, 2, 7, 7, 2)
BOB = sentence(2, 0, 4, 2, 7, 7, 4)


class TestPlaces:
    def test_a_contested_head_is_one_place_with_the_coders_values(self):
        (place,) = sheet(ANN, BOB, ANN).places
        assert (place.key, place.place, place.what, place.words) == ("7 head", "7", "head", "telescope")
        assert place.context == "we saw the man with a [telescope]"
        assert place.choices == (("2 saw", ("ann", "cho")), ("4 man", ("bob",)))

    def test_labels_and_other_columns_are_places_too(self):
        first = sentence(2, 0, relations="xy", upos=("PRON", "VERB"), lemma=("we", "see"), deps=("_", "a"))
        second = sentence(2, 0, relations="xz", upos=("PRON", "AUX"), lemma=("we", "see"), deps=("_", "b"))
        assert keys(sheet(first, second)) == ["2 label", "2 upos"]

    def test_a_coder_without_a_column_does_not_count_in_it(self):
        with_tags = sentence(2, 0, upos=("PRON", "VERB"))
        without = sentence(2, 0, upos=("_", "_"))
        found = sheet(without, with_tags, sentence(2, 0))
        assert not found.places
        assert found.gold({}).columns["upos"] == ("PRON", "VERB")

    def test_agreed_places_can_be_looked_up(self):
        place = sheet(ANN, BOB).place("1 label")
        assert place.choices == (("x", ("ann", "bob")),)

    @pytest.mark.parametrize(
        "key", ["0 head", "8 head", "1 mood", "head", "1", "", "1-2 head", "01 head", "² head", "1  head"]
    )
    def test_places_that_are_not_there_are_refused(self, key):
        with pytest.raises(UnknownName):
            sheet(ANN, BOB).place(key)
        with pytest.raises(UnknownName):
            sheet(ANN, BOB).judge({}, {key: "1"})

    def test_words_that_are_spelt_in_two_ways_are_a_place(self):
        other = replace(ANN, tokens=("We", *WORDS[1:]))
        found = sheet(ANN, other)
        assert keys(found) == ["1 form"]
        assert found.gold({"1 form": "We"}).tokens[0] == "We"

    def test_an_agreed_circle_is_contested(self):
        looped = sentence(2, 1, 0, 3)
        found = sheet(looped, looped)
        assert keys(found) == ["1 head", "2 head"]
        assert found.gold({}) is None
        assert found.remarks == (
            "All annotators agree, but their heads do not form a tree. "
            "The heads form a cycle: we → saw → we. Enter a different head.",
        )

    def test_several_agreed_roots_are_contested_where_one_is_asked_for(self):
        two = sentence(0, 0, 2)
        assert not sheet(two, two).places
        assert keys(sheet(two, two, one_root=True)) == ["1 head", "2 head"]
        assert "we and saw are roots" in sheet(two, two, one_root=True).remarks[0]
        assert not sheet(ANN, BOB, one_root=True).remarks


class TestJudging:
    @pytest.mark.parametrize("value", ["4", "4 man", " 4 "])
    def test_heads_are_written_in_full(self, value):
        assert sheet(ANN, BOB).judge({}, {"7 head": value}).changes == {"7 head": "4 man"}

    @pytest.mark.parametrize("value", ["0", "root", "0 root"])
    def test_the_root_is_written_in_full(self, value):
        assert sheet(ANN, BOB).judge({}, {"7 head": value}).changes == {"7 head": "0 root"}

    @pytest.mark.parametrize("value", ["8", "-1", "", "man", "4 woman", "4.0", "٤"])
    def test_what_is_no_head_is_refused(self, value):
        with pytest.raises(UnknownName, match="not a valid head"):
            sheet(ANN, BOB).judge({}, {"7 head": value})

    @pytest.mark.parametrize("value", ["", "  ", "a b", "a\tb", "a\nb", "a\x00", "x" * 101, "a\u2028b"])
    def test_labels_that_no_file_can_hold_are_refused(self, value):
        with pytest.raises(ArbitreeError):
            sheet(ANN, BOB).judge({}, {"7 label": value})

    def test_a_label_of_ones_own_is_taken(self):
        assert sheet(ANN, BOB).judge({}, {"7 label": " obl "}).changes == {"7 label": "obl"}

    def test_a_coders_value_may_have_blanks(self):
        first, second = (sentence(0, lemma=(lemma,)) for lemma in ("New York", "York"))
        assert not sheet(first, second).judge({}, {"1 lemma": "New York"}).problem

    def test_a_circle_is_refused_and_named(self):
        verdict = sheet(ANN, BOB).judge({"7 head": "4 man"}, {"4 head": "7"})
        assert verdict.problem == "This head would create a cycle: man → telescope → man."
        (offer,) = verdict.offers
        assert offer.words == "Attach telescope to saw (chosen by ann)."
        assert offer.changes == {"4 head": "7 telescope", "7 head": "2 saw"}

    def test_a_word_is_not_its_own_head(self):
        verdict = sheet(ANN, BOB).judge({}, {"7 head": "7"})
        assert verdict.problem.startswith("This head would create a cycle: telescope is its own head.")
        assert "No annotator's head resolves this" in verdict.problem

    def test_words_that_stand_twice_have_their_numbers(self):
        one, two = (DepTree(("the", "old", "the"), heads, ("x",) * 3) for heads in ((2, 0, 1), (2, 0, 2)))
        assert "the (1) → the (3)" in sheet(one, two).judge({"3 head": "1"}, {"1 head": "3"}).problem

    def test_a_second_root_is_refused_where_one_is_asked_for(self):
        found = sheet(sentence(0, 1, 1), sentence(2, 0, 2), one_root=True)
        verdict = found.judge({"1 head": "0 root"}, {"2 head": "0"})
        assert verdict.problem == "The sentence can have only one root, and it is already we."
        assert [offer.changes for offer in verdict.offers] == [{"2 head": "0 root", "1 head": "2 saw"}]
        assert not sheet(sentence(0, 1, 1), sentence(2, 0, 2)).judge({"1 head": "0"}, {"2 head": "0"}).problem

    def test_the_other_root_may_be_moved_under_the_new_one(self):
        verdict = sheet(sentence(0, 1, 1), sentence(0, 1, 2), one_root=True).judge({}, {"2 head": "0"})
        (offer,) = verdict.offers
        assert offer.words == "Make saw the root, and attach we to it."
        assert offer.changes == {"2 head": "0 root", "1 head": "2 saw"}

    def test_a_coder_with_a_circle_can_be_taken_but_for_it(self):
        found = sheet(sentence(2, 1, 4, 0), sentence(0, 1, 1, 3))
        verdict = found.judge({}, found.of_coder("ann"))
        assert "cycle" in verdict.problem
        assert {"3 head": "4 man", "4 head": "0 root"} in [offer.changes for offer in verdict.offers]

    def test_what_a_choice_rules_out_is_said(self):
        found = sheet(sentence(2, 0, 1), sentence(3, 0, 2), sentence(2, 0, 2))
        (entailed,) = found.judge({}, {"1 head": "3"}).entails
        assert entailed == "Only 1 head is possible for the: saw."

    def test_a_head_of_ones_own_is_asked_for_when_coders_leave_none(self):
        found = sheet(sentence(2, 0, 1), sentence(2, 0, 2))
        assert found.judge({}, {"2 head": "3"}).entails == (
            "No annotator's head is possible for the: enter a different one.",
            "The annotators' heads do not form a tree: enter a different head for the.",
        )

    def test_an_agreed_circle_is_broken_by_a_head_of_ones_own(self):
        looped = sentence(2, 1, 0)
        found = sheet(looped, looped)
        assert "enter a different head" in found.judge({}, {"1 head": "2"}).entails[-1]
        refused = found.judge({"1 head": "2 saw"}, {"2 head": "1"})
        assert "No annotator's head resolves this" in refused.problem
        assert found.blocked({"1 head": "2 saw"}).keys() == {("2 head", "1 we")}
        assert not found.judge({"1 head": "2 saw"}, {"2 head": "3"}).problem
        assert found.gold({"1 head": "2 saw", "2 head": "3 the"}).heads == (2, 3, 0)


class TestOutcome:
    def test_gold_waits_for_every_contested_place(self):
        found = sheet(ANN, replace(BOB, relations=("y",) * 7))
        assert found.gold({"7 head": "2 saw"}) is None

    def test_the_tree_of_a_coder_who_has_it_all_is_taken_as_it_is(self):
        kept = replace(BOB, comments=("# sent_id = s1",), columns={"deps": ("4:x",) * 7})
        assert sheet(ANN, kept).gold({"7 head": "4 man"}) is kept

    def test_what_no_longer_fits_the_first_coders_tree_is_dropped(self):
        base = replace(
            ANN,
            columns={"deps": ("2:x",) * 7, "misc": ("m",) * 7, "phead": ("1",) * 7},
            comments=("# text = we saw",),
            extra=((0, "1-2\twesaw\t_"), (3, "3.1\t_\t_")),
        )
        gold = sheet(base, BOB).gold({"7 head": "4 man", "1 label": "nsubj"})
        assert (gold.heads, gold.relations[0]) == (BOB.heads, "nsubj")
        assert gold.columns == {"deps": ("_",) * 7, "misc": ("m",) * 7, "phead": ("_",) * 7}
        assert gold.comments == base.comments
        assert gold.extra == ((0, "1-2\twesaw\t_"),)

    def test_so_far_has_what_was_decided(self):
        found = sheet(replace(ANN, relations=("y",) * 7), BOB)
        assert found.so_far({}) == {}
        assert found.so_far({"7 head": "4 man"}) == {7: (4, None)}
        assert found.so_far({"7 label": "y", "1 label": "x"}) == {1: (2, "x"), 7: (None, "y")}

    def test_decisions_that_came_apart_are_no_gold_and_can_be_mended(self):
        """An agreed head that was reopened and then left alone again may close a circle."""
        found = sheet(sentence(2, 0, 4, 2), sentence(2, 0, 4, 1))
        decisions = {"4 head": "3 the"}
        assert found.trouble(decisions) == "The heads form a cycle: the → man → the."
        assert found.gold(decisions) is None
        assert not found.judge(decisions, {"1 label": "y"}).problem
        assert not found.judge(decisions, {"4 head": "2"}).problem

    def test_decisions_on_other_sentences_are_passed_over(self):
        found = sheet(ANN, BOB)
        stale = {"7 head": "4 man", "99 head": "1 x", "1 head": "88 x", "label": "x", "3 mood": "x"}
        assert found.gold(stale) is BOB

    def test_one_coders_circle_is_the_adjudicators(self):
        found = sheet(sentence(2, 1, 0))
        assert keys(found) == ["1 head", "2 head"]


@st.composite
def sheets(draw, *, trees_only=False):
    """A sheet of random trees of two to four coders, some cyclic unless *trees_only*, and a random source."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    size, one_root = draw(st.integers(1, 8)), draw(st.booleans())
    base = random_dep(rng, size, LABELS[:2])
    made = []
    for _ in range(draw(st.integers(2, 4))):
        tree = random_dep(rng, size, LABELS[:2])
        if rng.random() < 0.7:
            heads = [
                own if rng.random() < 0.6 else other
                for own, other in zip(base.heads, tree.heads, strict=True)
            ]
            tree = replace(base, heads=tuple(heads))
        if trees_only and not is_tree(tree):
            tree = base
        made.append(tree)
    return sheet(*made, one_root=one_root), made, rng


def wishes(sheet, rng):
    place = rng.choice(sheet.places)
    if rng.random() < 0.6 or place.what != "head":
        return {place.key: rng.choice(place.values)}
    token = rng.randint(1, len(sheet.tokens))
    return {f"{token} head": str(rng.randint(0, len(sheet.tokens)))}


@given(sheets())
def test_accepted_choices_always_make_a_tree(made):
    sheet, _, rng = made
    one_root = sheet.attachments.one_root
    decisions = {}
    for _ in range(60):
        if not sheet.places:
            break
        verdict = sheet.judge(decisions, wishes(sheet, rng))
        if not verdict.problem:
            decisions |= verdict.changes
        assert not sheet.trouble(decisions)
        for offer in verdict.offers:
            again = sheet.judge(decisions, offer.changes)
            assert not again.problem
            assert again.changes == offer.changes
            assert not sheet.trouble({**decisions, **offer.changes})
        if verdict.offers and rng.random() < 0.5:
            decisions |= rng.choice(verdict.offers).changes
        gold = sheet.gold(decisions)
        assert (gold is None) == any(place.key not in decisions for place in sheet.places)
        assert gold is None or is_tree(gold, one_root=one_root)


@given(sheets())
def test_blocked_choices_are_those_that_are_refused(made):
    sheet, _, rng = made
    decisions = {}
    for _ in range(10):
        if not sheet.places:
            break
        verdict = sheet.judge(decisions, wishes(sheet, rng))
        decisions |= {} if verdict.problem else verdict.changes
        blocked = sheet.blocked(decisions)
        refused = {
            (place.key, value)
            for place in sheet.places
            if place.key not in decisions
            for value in place.values
            if sheet.judge(decisions, {place.key: value}).problem
        }
        assert refused == set(blocked)


@given(sheets())
def test_a_tree_can_always_be_reached(made):
    """Whatever was accepted before, every undecided place has a value that is accepted."""
    sheet, _, rng = made
    decisions = {}
    for _ in range(5):
        if sheet.places:
            verdict = sheet.judge(decisions, wishes(sheet, rng))
            decisions |= {} if verdict.problem else verdict.changes
    for place in sheet.places:
        if place.key not in decisions:
            values = [*place.values, *map(str, range(len(sheet.tokens) + 1))]
            verdicts = [sheet.judge(decisions, {place.key: value}) for value in values]
            decisions |= next(verdict.changes for verdict in verdicts if not verdict.problem)
    assert is_tree(sheet.gold(decisions), one_root=sheet.attachments.one_root)


@given(sheets(trees_only=True))
def test_all_of_one_coder_is_accepted_if_it_is_a_tree(made):
    sheet, trees, _ = made
    for coder, tree in zip(("ann", "bob", "cho", "dan"), trees, strict=False):
        if is_tree(tree, one_root=sheet.attachments.one_root):
            wish = sheet.of_coder(coder)
            assert not sheet.judge({}, wish).problem
            gold = sheet.gold(wish)
            assert (gold.heads, gold.relations) == (tree.heads, tree.relations)


@given(sheets(trees_only=True))
def test_identical_coders_leave_nothing_to_decide(made):
    tree = made[1][0]
    same = sheet(tree, replace(tree, comments=("# other",)), tree)
    assert not same.places
    assert same.gold({}) is tree


def test_an_arc_can_be_turned_around():
    """The word below takes the place of the word that is put under it."""
    tokens, labels = ("we", "saw", "it", "all"), ("nsubj", "root", "obj", "det")
    ann = DepTree(tokens, (2, 0, 2, 3), labels)
    bob = DepTree(tokens, (2, 0, 2, 3), (*labels[:3], "amod"))
    sheet = dependency_sheet(Item("s1", "text", "s1"), {"ann": ann, "bob": bob})
    verdict = sheet.judge({}, {"3 head": "4"})
    turned = {"3 head": "4 all", "4 head": "2 saw"}
    assert Offer("Reverse the two words: attach all to saw, the head of it.", turned) in verdict.offers
    assert not sheet.judge({}, turned).problem
