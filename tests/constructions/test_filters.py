"""Filters keep the types and nuclei that fulfil all conditions, and count everything again."""

import json

import pytest

import arbitree as at
from arbitree.constructions.filters import Filter
from arbitree.errors import UnknownName, UnsupportedStudy

HARBOUR = ["examples/harbour/ann.mrg", "examples/harbour/bob.mrg"]
TREES = [f"examples/dependency/{name}.conllu" for name in ("ann", "bob", "cho")]


@pytest.fixture(scope="module")
def study():
    return at.read(*HARBOUR)


@pytest.fixture(scope="module")
def all_found(study):
    return at.explain(study)


def words_of(found):
    return {nucleus.words for each in found.types for nucleus in each.nuclei}


def test_a_category_keeps_the_types_whose_difference_contains_it(study, all_found):
    found = at.explain(study, only="ADJP")
    assert [each.code for each in found.types] == [
        each.code for each in all_found.types if "ADJP" in each.categories
    ]
    both = at.explain(study, only=["ADJP", "NNP"])
    assert {each.code for each in both.types} == {each.code for each in found.types} | {
        each.code for each in all_found.types if "NNP" in each.categories
    }


def test_a_class_keeps_its_types_and_its_row_of_the_summary(study, all_found):
    found = at.explain(study, class_="structural")
    assert list(found.types) == all_found.of_class("structural")
    assert found.summary.records() == [
        row for row in all_found.summary.records() if row["class"] == "structural"
    ]


def test_words_are_a_part_of_the_text_in_any_case(study, all_found):
    found = at.explain(study, words="H OLD")  # over a space between two words, as on the page
    assert words_of(found) == {"a whale with old glasses"}
    (each,) = found.types
    assert (each.size, each.occurrences, each.bits) == (1, 1, 1.0)
    assert each.sides == {"ann": (1, 0), "bob": (0, 1)}
    assert len(next(one for one in all_found.types if one.code == each.code).nuclei) == 2


def test_questions_are_those_of_the_types_and_are_counted_again(study, all_found):
    found = at.explain(study, words="with")
    (question,) = found.questions
    (before,) = [each for each in all_found.questions if each.code == question.code]
    assert (len(question.types), question.occurrences, question.size) == (1, 2, 2)
    assert (len(before.types), before.occurrences, before.size) == (2, 4, 4)
    assert set(question.words) == words_of(found)


def test_conditions_hold_together(study):
    assert words_of(at.explain(study, only="NP", class_="structural", words="jetsam")) == {"The noun jetsam"}
    assert at.explain(study, class_="pos", words="jetsam").types == ()


def test_a_rate_is_not_told_for_some_of_its_nuclei(study):
    found = at.explain(study, gold="ann", words="whale")
    assert [each.rate for each in found.types] == [None]
    assert all(each.rate for each in at.explain(study, gold="ann", class_="structural").types)


def test_counts_state_of_how_many(study, all_found):
    found = at.explain(study, words="with")
    assert found.to_dict()["filter"] == {
        "only": [],
        "class": [],
        "words": "with",
        "of": {"nuclei": 11, "types": 6, "questions": 5},
    }
    assert "Found 2 of 11 inconsistencies, 1 of 6 types and 1 of 5 questions in" in " ".join(
        str(found).split()
    )
    assert "Filter: words that contain 'with'." in str(found)
    assert "filter" not in all_found.to_dict()
    none = at.explain(study, words="zebra")
    assert "Found 0 of 11 inconsistencies, 0 of 6 types" in str(none)


def test_the_signature_contains_the_filter(study, all_found):
    settings, version = all_found.signature.rsplit("|v:", 1)
    found = at.explain(study, only=["NP", "ADJP"], class_="structural", words="old")
    assert found.signature == f"{settings}|only:NP+ADJP|class:structural|words:old|v:{version}"


def test_tables_of_annotators_count_what_is_left():
    study = at.read(*TREES)
    whole, found = at.explain(study), at.explain(study, only="obl")
    for name in ("coders", "pairs"):
        rows, all_rows = found.tables[name].records(), whole.tables[name].records()
        assert len(rows) == len(all_rows)
        assert rows != all_rows
    assert sum(row["nuclei"] for row in found.tables["pairs"].records()) <= 3 * found.nuclei


def test_order_by_nuclei_holds_after_the_filter(study):
    sizes = [each.size for each in at.explain(study, class_="structural", sort="nuclei").types]
    assert sizes == sorted(sizes, reverse=True)


def test_one_corpus_is_filtered_too():
    found = at.explain(at.read("examples/corpus/ferry.conllu"), only="nmod", words="ferry")
    assert words_of(found) == {"ferry [...] island"}


def test_unknown_names_are_refused_with_a_suggestion(study):
    with pytest.raises(UnknownName, match=r"has the category or relation 'PPP'\. Did you mean 'PP'"):
        at.explain(study, only="PPP")
    with pytest.raises(UnknownName, match="Did you mean 'ADJP'"):
        at.explain(study, only="adjp")
    with pytest.raises(UnknownName, match="The most frequent are NP"):
        at.explain(study, only="xcomp:pred")
    with pytest.raises(UnknownName, match=r"unknown class 'structure'\. Did you mean 'structural'"):
        at.explain(study, class_="structure")


def test_without_inconsistencies_every_category_is_accepted():
    study = at.read("one=examples/harbour/ann.mrg", "two=examples/harbour/ann.mrg")
    assert "Found 0 of 0 inconsistencies" in str(at.explain(study, only="PP"))


def test_runs_with_the_same_filter_can_be_compared(study, all_found, tmp_path):
    path = tmp_path / "before.json"
    path.write_text(json.dumps(at.explain(study, words="with").to_dict()), encoding="utf-8")
    again = at.explain(study, words="with", versus=path)
    assert {each.state for each in again.versus.types} == {"same"}
    with pytest.raises(UnsupportedStudy, match="Use the same only, class_ and words in both runs"):
        at.explain(study, versus=path)
    with pytest.raises(UnsupportedStudy, match="other filters"):
        at.explain(study, words="with", versus=all_found)


def test_no_condition_is_no_filter():
    assert not Filter()
    assert Filter(words="a")
