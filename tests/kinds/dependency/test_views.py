"""Labels taken from trees."""

import pytest

from arbitree import kinds
from arbitree.api.evaluate import evaluate
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.value import Tags
from tests.support.build import dep, phrase, study_of


def labels(study, name):
    return kinds.of(study).column(study, name)


def tree(heads, relations, **columns):
    return DepTree(tuple("abcdef"[: len(heads)]), tuple(heads), tuple(relations), columns)


def texts(study):
    return {key: str(cell.value) for key, cell in study.cells.items()}


def test_tokens_are_items_and_sentences_their_clusters():
    study = study_of({"d/s": {"x": dep([2, 0], ["nsubj", "root"]), "y": dep([2, 0], ["obj", "root"])}})
    found = labels(study, "deprel")
    assert texts(found) == {
        ("d/s:1", "x"): "nsubj",
        ("d/s:2", "x"): "root",
        ("d/s:1", "y"): "obj",
        ("d/s:2", "y"): "root",
    }
    assert {item.cluster for item in found.items} == {"d/s"}
    assert {item.document for item in found.items} == {"d"}


def test_sentences_with_other_tokens_are_left_out_and_counted():
    study = study_of(
        {
            "1": {"x": dep([0]), "y": dep([2, 0])},
            "2": {"x": dep([0]), "y": dep([0])},
            "3": {"x": dep([0]), "y": dep([2, 0])},
        }
    )
    found = labels(study, "deprel")
    assert [item.id for item in found.items] == ["2:1"]
    assert "2 sentences are excluded: annotators differ in the number of tokens (first: '1')" in found.notes


def test_columns_and_features():
    one = tree(
        [2, 0], ["a", "b"], upos=("NOUN", "VERB"), feats=("Case=Nom|Number=Sing", "_"), deps=("_", "_")
    )
    study = study_of({"s": {"x": one, "y": one}})
    assert texts(labels(study, "upos"))["s:2", "x"] == "VERB"
    assert texts(labels(study, "Case")) == {
        ("s:1", "x"): "Nom",
        ("s:2", "x"): "_",
        ("s:1", "y"): "Nom",
        ("s:2", "y"): "_",
    }
    with pytest.raises(UnknownName, match=r"unknown column or feature 'Caze'\. Did you mean 'Case'"):
        labels(study, "Caze")


def test_enhanced_dependencies_are_sets():
    deps = ("2:nsubj|3:nsubj", "0:root", "2:conj|2.1:x")
    one = tree([2, 0, 2], "abc", deps=deps)
    study = study_of({"s": {"x": one, "y": one}})
    value = labels(study, "enhanced").cells["s:1", "x"].value
    assert value == Tags.of(["2:nsubj", "3:nsubj"])
    assert labels(study, "enhanced_heads").cells["s:1", "x"].value == Tags.of(["2", "3"])
    assert labels(study, "enhanced_labels").cells["s:1", "x"].value == Tags.of(["nsubj"])
    assert labels(study, "enhanced_offsets").cells["s:3", "x"].value == Tags.of(["-1", "-0.9"])
    assert labels(study, "enhanced_offsets").cells["s:2", "x"].value == Tags.of(["root"])
    broken = tree([0], "a", deps=("x:y",))
    with pytest.raises(UnsupportedStudy, match="'x:y' of token 1 is not HEAD:RELATION"):
        labels(study_of({"s": {"x": broken}}), "enhanced")
    with pytest.raises(UnsupportedStudy, match="no column of enhanced dependencies"):
        labels(study_of({"s": {"x": dep([0])}}), "enhanced")


def test_phrases_are_labelled_by_their_tokens():
    flat, deep = phrase("(S (NP P) (VP V))"), phrase("(S (NP P) (XP V))")
    found = labels(study_of({"s": {"x": flat, "y": deep}}), "phrase")
    assert texts(found) == {
        ("s:1-2", "x"): "S",
        ("s:1-1", "x"): "NP",
        ("s:2-2", "x"): "VP",
        ("s:1-2", "y"): "S",
        ("s:1-1", "y"): "NP",
        ("s:2-2", "y"): "XP",
    }
    with pytest.raises(UnknownName, match="unknown column 'deprel'"):
        labels(study_of({"s": {"x": flat}}), "deprel")


def test_kappa_over_relations_is_kappa_over_the_projection():
    rows = {
        "1": {"x": dep([2, 0], "ab"), "y": dep([0, 1], "aa")},
        "2": {"x": dep([0, 1, 1], "abc"), "y": dep([0, 1, 2], "abb")},
        "3": {"x": dep([0]), "y": dep([0, 1])},
    }
    study = study_of(rows)
    whole = evaluate(study, "kappa_labels", seed=4)
    assert whole.value == pytest.approx(evaluate(labels(study, "deprel"), "kappa", resamples=0).value)
    assert (whole.items_used, [each.reason for each in whole.ignored]) == (2, ["token_mismatch"])
    assert whole.details["tokens"] == 5
    equal = evaluate(study, "kappa_labels:tokens=equal_heads", resamples=0)
    # Tokens with the same head: 2.1 (a, a) and 2.2 (b, b): perfect.
    assert (equal.value, equal.details["tokens"]) == (1, 2)
