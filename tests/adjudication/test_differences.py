"""Contested places and confusions, counted by hand on small studies; laws on random ones."""

from math import comb

import pytest
from hypothesis import given

from arbitree import kinds
from arbitree.adjudication.differences import Confusion, confused_labels
from arbitree.adjudication.differences import disagreements as differences
from arbitree.errors import UnsupportedStudy
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.phrase.choices import NO_BRACKET
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.preference.value import Preference
from tests.support.build import dep, dep_studies, study_of
from tests.support.profiles import decisions


def disagreements(study):
    return differences(study, kinds.of(study))


def tree(heads, relations, tags=("DET", "NOUN", "VERB")):
    return DepTree(("the", "dog", "barks"), tuple(heads), tuple(relations), {"upos": tuple(tags)})


THREE = study_of(
    {
        "s1": {
            "ann": tree((2, 3, 0), ("det", "nsubj", "root")),
            "bob": tree((2, 3, 0), ("det", "obj", "root")),
            "cho": tree((3, 3, 0), ("det", "nsubj", "root")),
        },
        "s2": {"ann": tree((2, 3, 0), ("det", "nsubj", "root"))},
    }
)


def test_places_have_what_each_coder_says():
    found = disagreements(THREE)
    assert [(place.place, place.what, place.words, place.values) for place in found.places] == [
        ("1", "head", "the", ("2 dog", "2 dog", "3 barks")),
        ("2", "label", "dog", ("nsubj", "obj", "nsubj")),
    ]
    assert found.places[0].choices == ("2 dog", "3 barks")
    assert found.places[1].context == "the [dog] barks"


def test_agreed_places_are_counted_for_each_coder_and_in_all():
    found = disagreements(THREE)
    assert found.agreed == {"head": [2, 2, 2, 2], "label": [2, 2, 2, 2]}
    assert found.count("head") == (1, 3)


def test_confusions_count_pairs_of_coders():
    """Three coders are three pairs: nsubj and obj meet in two of them, nsubj agrees in one."""
    confusion = disagreements(THREE).confusions["labels"]
    assert confusion.counts == {("nsubj", "obj"): 2}
    assert confusion.agreed == {"det": 3, "root": 3, "nsubj": 1}
    (row,) = confusion.table().records()
    assert (row["count"], row["share"], row["of the two"]) == (2, 2 / 9, 2 / 3)
    assert confusion.examples == {("nsubj", "obj"): [("s1", "dog")]}


def test_attachments_are_told_by_what_the_heads_are():
    confusion = disagreements(THREE).confusions["attachments"]
    assert confusion.counts == {("NOUN", "VERB"): 2}
    assert confusion.agreed == {"NOUN": 1, "VERB": 3, "ROOT": 3}


def test_heads_without_parts_of_speech_are_told_by_their_side():
    found = disagreements(study_of({"s": {"a": dep((2, 0, 2)), "b": dep((3, 0, 1))}}))
    assert found.confusions["attachments"].counts == {
        ("to the right", "to the right"): 1,
        ("to the left", "to the left"): 1,
    }


def test_brackets_that_one_coder_lacks_are_contested():
    flat = PhraseTree(("a", "b", "c"), ("D", "N", "V", "S"), (3, 3, 3, -1))
    deep = PhraseTree(("a", "b", "c"), ("D", "N", "N", "S", "NP"), (4, 4, 3, -1, 3))
    found = disagreements(study_of({"s": {"ann": flat, "bob": deep}}))
    assert [(place.place, place.what, place.words, place.values) for place in found.places] == [
        ("1-2", "bracket", "a b", (NO_BRACKET, "NP")),
        ("3", "tag", "c", ("V", "N")),
    ]
    assert found.confusions["tags"].counts == {("N", "V"): 1}


def test_discontinuous_brackets_have_a_place():
    broken = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    flat = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S"), (3, 3, 3, -1))
    (place,) = disagreements(study_of({"s": {"ann": broken, "bob": flat}})).places
    assert (place.place, place.values) == ("1-1,3-3", ("VP", NO_BRACKET))


def test_labels_and_sets_are_places_themselves():
    study = study_of({"1": {"a": Label("x"), "b": Label("y")}, "2": {"a": Label("x"), "b": Label("x")}})
    found = disagreements(study)
    assert [(place.item, place.place, place.values) for place in found.places] == [("1", "", ("x", "y"))]
    sets = study_of({"1": {"a": Tags.of("xy"), "b": Tags.of("x")}})
    assert disagreements(sets).places[0].values == ("x|y", "x")


def test_sentences_with_other_tokens_are_left_out_and_said():
    found = disagreements(study_of({"s": {"a": dep((0, 1)), "b": dep((0,))}}))
    assert not found.places
    assert [(each.item, each.reason, each.detail) for each in found.ignored] == [
        ("s", "token_mismatch", "tokens: a 2, b 1")
    ]


@pytest.mark.parametrize("value", [Preference(("a", "b"), "a"), decisions()])
def test_what_has_no_places_is_refused(value):
    with pytest.raises(UnsupportedStudy, match=r"(judgments|treebanking decisions) have no places"):
        disagreements(study_of({"s": {"a": value, "b": value}}))


@given(dep_studies())
def test_every_pair_of_coders_is_counted_once(study):
    found = disagreements(study)
    pairs = sum(comb(len(cells), 2) * len(cells[0].value) for _, cells in study if len(cells) > 1)
    for confusion in found.confusions.values():
        assert confusion.pairs == pairs
    assert len({place.key for place in found.places}) == len(found.places)


@given(dep_studies())
def test_labels_are_confused_as_in_the_study_of_labels(study):
    if not any(len(cells) > 1 for _, cells in study):
        return
    alone = disagreements(kinds.of(study).column(study, "deprel")).confusions.get("labels", Confusion())
    assert disagreements(study).confusions["labels"].counts == alone.counts


def test_an_empty_set_of_tags_is_confused_with_others():
    """An annotator who finds nothing to mark has annotated the item."""
    study = study_of(
        {
            "1": {"ann": Tags(()), "bob": Tags((("x", 1.0),))},
            "2": {"ann": Tags((("x", 0.5), ("y", 0.5))), "bob": Tags((("x", 1.0),))},
        }
    )
    rows = confused_labels(study, kinds.of(study)).records()
    assert [row["share"] for row in rows] == [0.5, 0.5]
