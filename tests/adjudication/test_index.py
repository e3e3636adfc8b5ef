"""The index of a study: counts as the analysis of contested places has them, and what is found in it."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings

import arbitree as at
from arbitree import kinds
from arbitree.adjudication.differences import disagreements
from arbitree.adjudication.index import index_of as index_of_kind
from arbitree.adjudication.whole import sheet_of
from arbitree.errors import UnknownName
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.treebanking.value import REJECTED, UNANNOTATED
from tests.support.build import dep, dep_studies, label_rows, labelled, study_of
from tests.support.examples import EXAMPLES
from tests.support.phrase_trees import HIGH, LOW, tree
from tests.support.profiles import decisions
from tests.support.report_tables import SCRIPT, hostile_table

WORDS = ("Gulls", "saw", "boats")
BASE = dep((2, 0, 2), ("nsubj", "root", "obj"), WORDS)
LABELLED = dep((2, 0, 2), ("nsubj", "root", "obl"), WORDS)
MOVED = dep((2, 0, 1), ("nsubj", "root", "obj"), WORDS)
STUDY = study_of(
    {
        "sea/1": {"ann": BASE, "bob": BASE, "cho": BASE},
        "sea/2": {"ann": BASE, "bob": LABELLED, "cho": BASE},
        "sea/3": {"ann": BASE, "bob": MOVED},
        "land/4": {"ann": dep((0,), ("root",), ("Ho",)), "bob": dep((0, 1), ("root", "x"), ("H", "o"))},
        "land/5": {"cho": dep((0, 1), ("root", "x"), ("Späte", "STRASSE"))},
        "land/6": {},
    },
    ("ann", "bob", "cho"),
)


def index_of(study, **options):
    return index_of_kind(study, kinds.of(study), **options)


INDEX = index_of(STUDY)


def compared(study, listed):
    """Yield for every item what its kind compares; None where that cannot be compared place by place."""
    kind = kinds.of(study)
    for _, cells in study:
        values = [cell.value for cell in cells if kind.done(cell.value)]
        found = kind.places.compare(values, listed=listed) if len(values) > 1 else ()
        yield None if found is None else list(found)


def assert_same_counts(study):
    """Index and analysis count the contested and the compared places that the kind finds, and confusions."""
    entries = index_of(study)
    for number, found in enumerate(compared(study, listed=False), start=1):
        entry = entries[number]
        if found is None:
            assert (entry.compared, entry.whole) == (1, bool(entry.contested))
        else:
            assert entry.compared == sum(len(each.names) for each in found)
            assert entry.contested == sum(1 for each in found for _ in each.differing())
            assert not entry.whole
    kind = kinds.of(study)
    if not kind.places.listed:
        return
    analysis = disagreements(study, kind)
    places = Counter((place.item, place.what) for place in analysis.places)
    sums = Counter()
    for item, found in zip(study.items, compared(study, listed=True), strict=True):
        assert (found is None) == (item.id in {each.item for each in analysis.ignored})
        for each in found or ():
            assert places[item.id, each.what] == sum(1 for _ in each.differing())
            sums[each.what] += len(each.names)
    assert {what: analysis.count(what)[1] for what in analysis.kinds} == +sums
    expected = {
        (what, *pair): count
        for what, each in kind.places.whats.items()
        if what not in ("head", "top")  # those are told by what the heads and tops are
        for pair, count in analysis.confusions[each.confusion].counts.items()
    }
    if not any(each is None for each in compared(study, listed=False)):
        own = {(each.what, each.one, each.other): each.times for each in entries.confusions}
        assert {key: count for key, count in own.items() if key[0] in kind.places.whats} == expected


@settings(max_examples=60)
@given(dep_studies())
def test_places_of_dependency_trees_are_counted_as_in_the_analysis(study):
    assert_same_counts(study)


@settings(max_examples=60)
@given(label_rows())
def test_places_of_labels_are_counted_as_in_the_analysis(rows):
    assert_same_counts(labelled(rows))


@pytest.mark.parametrize("paths", EXAMPLES)
def test_places_of_the_examples_are_counted_as_in_the_analysis(paths):
    assert_same_counts(at.read(*paths))


def assert_same_as_sheets(study):
    """What waits for a decision, and how many places it has, is what an adjudicator's sheet says."""
    index = index_of(study)
    for number, item in enumerate(study.items, start=1):
        if study.of(item):
            places = sheet_of(study, item, kinds.of(study)).places
            assert bool(index.to_decide[number - 1]) == bool(places), item.id
            assert index[number].contested in (0, len(places))
            assert index[number].contested or len(index[number].coders) < 2 or not places


@settings(max_examples=60)
@given(dep_studies())
def test_places_of_dependency_trees_are_those_of_an_adjudicators_sheet(study):
    assert_same_as_sheets(study)


@pytest.mark.parametrize("paths", EXAMPLES)
def test_places_of_the_examples_are_those_of_an_adjudicators_sheet(paths):
    assert_same_as_sheets(at.read(*paths))


def test_pairs_of_coders_who_differ_are_those_whose_values_differ():
    found = disagreements(STUDY, kinds.of(STUDY))
    for number, item in enumerate(STUDY.items, start=1):
        rows = [place.values for place in found.places if place.item == item.id]
        expected = {
            (STUDY.coders[one], STUDY.coders[other])
            for row in rows
            for one in range(3)
            for other in range(one + 1, 3)
            if None not in (row[one], row[other]) and row[one] != row[other]
        }
        if not INDEX[number].whole:
            assert set(INDEX[number].pairs) == expected
    assert INDEX[4].pairs == (("ann", "bob"),)


def test_an_item_is_contested_where_two_differ_else_incomplete_where_one_has_not_done_it():
    states = [INDEX[number].state for number in range(1, 7)]
    assert states == ["agreed", "contested", "contested", "contested", "incomplete", "incomplete"]
    assert INDEX.tally() == {"agreed": 1, "contested": 3, "incomplete": 2}
    assert INDEX[3].coders == ("ann", "bob")
    assert [INDEX[number].disagreement for number in (1, 2, 4, 6)] == [0, 1 / 6, 1, 0]


def test_what_is_shown_of_an_item_is_what_the_first_who_did_it_has():
    assert INDEX[2].text == "Gulls saw boats"
    assert INDEX[5].text == "Späte STRASSE"
    assert (INDEX[6].text, INDEX[6].length, INDEX[6].coders) == ("land/6", 0, ())


def test_labels_involved_are_those_at_contested_tokens():
    assert set(INDEX[2].labels) == {"obj", "obl"}
    assert INDEX[3].labels == ("obj",)  # two heads, one label
    assert set(INDEX.labels) == {"obj", "obl"}
    assert [(each.one, each.other, each.times, each.items) for each in INDEX.confusions] == [
        ("obj", "obl", 2, 1)
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, [2, 3, 1, 5, 6, 4]),
        ({"sort": "order"}, [1, 2, 3, 4, 5, 6]),
        ({"sort": "length"}, [1, 2, 3, 5, 4, 6]),
        ({"sort": "contested"}, [2, 3, 1, 5, 6, 4]),
        ({"pair": ("cho", "bob")}, [2]),
        ({"label": "obj", "sort": "order"}, [2, 3]),
        ({"label": "obl", "other": "obj"}, [2]),
        ({"label": "obj", "other": "obj"}, [3]),
        ({"label": "never said"}, []),
        ({"document": "land", "sort": "order"}, [4, 5, 6]),
        ({"text": "gulls SAW", "sort": "order"}, [1, 2, 3]),
        ({"text": "straße"}, [5]),
        ({"text": "land/4"}, [4]),
        ({"text": "(*"}, []),
        ({"items": frozenset({"sea/3", "land/6", "elsewhere"}), "sort": "order"}, [3, 6]),
        ({"items": frozenset()}, []),
        ({"document": "sea", "text": "BOATS", "pair": ("ann", "bob")}, [2, 3]),
    ],
)
def test_items_are_found_by_what_is_asked(query, expected):
    assert INDEX.find(**query).tolist() == expected


@pytest.mark.parametrize(
    "query",
    [
        {"sort": "beauty"},
        {"pair": ("ann", "dan")},
        {"pair": ("ann", "ann")},
        {"document": "x"},
    ],
)
def test_what_there_is_not_cannot_be_asked_for(query):
    with pytest.raises(UnknownName):
        INDEX.find(**query)


@pytest.mark.parametrize("number", [0, -1, 7])
def test_there_is_no_item_outside_the_study(number):
    with pytest.raises(UnknownName, match="from 1 to 6"):
        INDEX[number]


def test_what_waits_for_a_decision_is_contested_or_one_coders_or_no_tree():
    circle, roots = dep((2, 1), tokens=("a", "b")), dep((0, 0), tokens=("a", "b"))
    study = study_of(
        {
            "agreed": {"ann": BASE, "bob": BASE},
            "contested": {"ann": BASE, "bob": MOVED},
            "alone": {"ann": BASE},
            "circle": {"ann": circle, "bob": circle},
            "roots": {"ann": roots, "bob": roots},
            "nobody": {},
        }
    )
    assert index_of(study).to_decide.tolist() == [False, True, True, True, False, False]
    assert index_of(study, one_root=True).to_decide.tolist() == [False, True, True, True, True, False]


def test_coders_with_mostly_other_words_have_the_item_as_one_place():
    spelt = dep((2, 0, 2), ("nsubj", "root", "obj"), ("Gulls", "saw", "Boats"))
    strange = dep((2, 0, 2), ("nsubj", "root", "obj"), ("x", "y", "boats"))
    study = study_of({"1": {"ann": BASE, "bob": spelt}, "2": {"ann": BASE, "bob": strange}})
    index = index_of(study)
    assert [(index[k].whole, index[k].contested) for k in (1, 2)] == [(False, 1), (True, 1)]
    assert index.confusions[0][:3] == ("form", "Boats", "boats")


def test_other_columns_count():
    one, two = (
        type(BASE)(BASE.tokens, BASE.heads, BASE.relations, {"upos": ("NOUN", "VERB", last)})
        for last in ("NOUN", "PROPN")
    )
    study = study_of({"s": {"ann": one, "bob": two}, "t": {"ann": one, "bob": BASE}})
    index = index_of(study)
    assert [(index[k].contested, index[k].compared) for k in (1, 2)] == [(1, 9), (0, 6)]
    assert index.confusions[0][:3] == ("upos", "NOUN", "PROPN")
    assert index.find(label="PROPN").tolist() == [1]


def test_phrase_trees_are_counted_by_brackets_and_tags():
    index = index_of(study_of({"s": {"ann": tree(LOW), "bob": tree(HIGH)}, "t": {"ann": tree(LOW)}}))
    assert index[1].state == "contested"
    assert index.find(label="(none)") == [1]
    assert index[2].state == "incomplete"


def test_readings_that_were_chosen_are_one_place():
    one, two = decisions(chosen=(1,)), decisions(chosen=(2,))
    rejected, opened = decisions(status=REJECTED, chosen=()), decisions(status=UNANNOTATED, chosen=())
    index = index_of(
        study_of(
            {
                "1": {"ann": one, "bob": one},
                "2": {"ann": one, "bob": two},
                "3": {"ann": rejected, "bob": rejected},
                "4": {"ann": one, "bob": rejected},
                "5": {"ann": one, "bob": opened},
            }
        )
    )
    assert [index[k].state for k in range(1, 6)] == [
        "agreed",
        "contested",
        "agreed",
        "contested",
        "incomplete",
    ]
    assert index[2].text == "birds sing"
    assert index.labels == ()


def test_packed_forests_are_compared_by_the_options_that_were_taken():
    """Otherwise they would wait for a decision that no sheet asks for."""
    np, vp = (replace(decisions((1, key), chosen=(0,)), forest=True) for key in ("np", "vp"))
    study = study_of({"1": {"ann": np, "bob": replace(np, stored=None)}, "2": {"ann": np, "bob": vp}})
    index = index_of(study)
    assert [bool(sheet_of(study, item, kinds.of(study)).places) for item in study.items] == [False, True]
    assert index.to_decide.tolist() == [False, True]


def test_sets_of_tags_are_compared_as_they_are_written():
    both, one = Tags.of(["walk", "run"]), Tags.of(["run"])
    index = index_of(study_of({"1": {"a": both, "b": one}, "2": {"a": one, "b": one}}))
    assert [index[k].state for k in (1, 2)] == ["contested", "agreed"]
    assert index.find(label="run|walk").tolist() == [1]


def test_documents_have_counts():
    assert INDEX.by_document() == [("sea", 3, 2, 2), ("land", 3, 1, 1)]


def test_a_crowd_of_coders_is_counted_pair_by_pair():
    rng = random.Random(5)
    coders = [f"c{k}" for k in range(30)]
    rows = {str(n): {coder: Label(rng.choice("xyz")) for coder in rng.sample(coders, 4)} for n in range(40)}
    index = index_of(study_of(rows, coders))
    for number, row in enumerate(rows.values(), start=1):
        names = [coder for coder in coders if coder in row]
        expected = {
            (one, other)
            for place, one in enumerate(names)
            for other in names[place + 1 :]
            if row[one] != row[other]
        }
        assert set(index[number].pairs) == expected
        for pair in expected:
            assert number in index.find(pair=pair)


def test_hostile_names_are_found_as_they_are():
    index = index_of(hostile_table().study)
    assert index.find(text=SCRIPT.upper(), sort="order").tolist() == [1, 2, 3]
    assert index[1].text.startswith(SCRIPT)
