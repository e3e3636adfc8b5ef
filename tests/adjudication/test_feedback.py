"""What annotators did differently from a gold standard, or from the majority of the others."""

import csv

import openpyxl
import pytest

import arbitree as at
from arbitree import kinds
from arbitree.adjudication.feedback import Difference, DifferenceType, examples, feedback_of
from arbitree.api import coders as api
from arbitree.kinds.labels.value import Label
from arbitree.reporting.html import render
from arbitree.reporting.sections.feedback import feedback_document
from tests.support.build import dep, labelled, study_of

NAMES = ("ann", "bob", "cho")


def found_in(study, gold=None):
    return {each.coder: each for each in feedback_of(study, kinds.of(study), gold)}


def types_of(found):
    return {key: len(differences) for key, differences in found.types.items()}


def test_labels_are_compared_with_the_majority_of_the_others():
    """Ann is alone on the first item; on the third, the others of bob and of cho are split."""
    found = found_in(labelled([["a", "b", "b"], ["b", "b", "b"], ["a", "a", "c"]], NAMES))
    assert types_of(found["ann"]) == {DifferenceType("label", "a", "b"): 1}
    assert found["ann"].compared["label"] == 2
    assert found["ann"].unsettled == 1
    assert found["ann"].rate(DifferenceType("label", "a", "b")) == 0.5
    assert types_of(found["bob"]) == {}
    assert types_of(found["cho"]) == {DifferenceType("label", "c", "a"): 1}


def test_half_of_the_others_is_not_a_majority():
    found = found_in(labelled([["a", "b", "b", "c", "c"]]))
    assert [each.differences for each in found.values()] == [0] * 5
    assert found["c0"].unsettled == 1


def test_an_item_of_two_annotators_is_not_counted():
    found = found_in(labelled([["a", "b", None], ["a", "a", "a"]], NAMES))
    assert [(each.alone, each.items, each.differences) for each in found.values()] == [
        (1, 1, 0),
        (1, 1, 0),
        (0, 1, 0),
    ]


def test_a_gold_standard_needs_no_others():
    study = labelled([["a", "b"], ["b", None], ["c", "c"]], ("ann", "bob"))
    gold = {"0": Label("a"), "1": Label("a")}
    found = found_in(study, gold)
    assert types_of(found["ann"]) == {DifferenceType("label", "b", "a"): 1}
    assert types_of(found["bob"]) == {DifferenceType("label", "b", "a"): 1}
    assert found["ann"].rate(DifferenceType("label", "b", "a")) == 0.5
    assert found["ann"].alone == 1


def test_heads_are_grouped_by_side_and_shown_with_their_words():
    """Heads have no tags here, so that their side names the type."""
    right, wrong = dep((2, 0, 2), "abc", ("we", "saw", "her")), dep((2, 0, 1), "abd", ("we", "saw", "her"))
    found = found_in(study_of({"s": {"ann": wrong, "bob": right, "cho": right}}))["ann"]
    head, label = DifferenceType("head", "to the left", "to the left"), DifferenceType("label", "d", "c")
    assert types_of(found) == {head: 1, label: 1}
    assert found.types[head] == [Difference("s", "3", "her", "we saw [her]", "1 we", "2 saw")]
    assert found.compared == {"head": 3, "label": 3}


def test_sentences_with_other_words_are_counted_as_not_compared():
    found = found_in(study_of({"s": {"ann": dep((0,)), "bob": dep((0,)), "cho": dep((0, 1))}}))
    assert [(each.uneven, each.items) for each in found.values()] == [(1, 0)] * 3


def test_the_order_of_annotators_does_not_matter():
    files = [f"examples/dependency/{name}.conllu" for name in NAMES]
    first, second = (found_in(at.read(*each)) for each in (files, files[::-1]))
    assert first == {name: second[name] for name in NAMES}


def test_examples_come_from_different_items_first():
    rows = [Difference(item, place, "", "", "", "") for item, place in ("s1", "s2", "t1")]
    assert [each.item + each.place for each in examples(rows, 2)] == ["s1", "t1"]


def test_the_page_is_addressed_to_the_annotator_and_escapes_names():
    name = '<b>"ann"'
    study = labelled([["<i>", "b", "b"], ["b", "b", "b"]], (name, "bob", "cho"))
    (found, *_) = feedback_of(study, kinds.of(study))
    page = render(feedback_document(found, kinds.of(study), "ann.csv"))
    assert "Feedback for &lt;b&gt;" in page
    assert "compares your annotations with the majority of the other annotators" in page
    assert "1 of 2 labels (50%) differs, in 1 of 2 items." in page
    assert "Label: &lt;i&gt; instead of b" in page
    assert "<i>" not in page


def test_the_words_of_a_sentence_wrap_on_the_page():
    """Otherwise a long sentence moves the two annotations out of the page."""
    right, wrong = dep((2, 0, 2), "abc", ("we", "saw", "her")), dep((2, 0, 1), "abc", ("we", "saw", "her"))
    study = study_of({"s": {"ann": wrong, "bob": right, "cho": right}})
    (found, *_) = feedback_of(study, kinds.of(study))
    page = render(feedback_document(found, kinds.of(study), "ann.csv"))
    assert '<td class="words"><p dir="auto">we saw [her]</p></td>' in page


def test_each_annotator_gets_a_page_and_a_sheet(tmp_path):
    study = labelled([["a", "b", "b"], ["b", "b", "b"]], ("../ann", "bob", "Bob"))
    at.coders(study, feedback=tmp_path / "out", resamples=0)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {f"{name}.{form}" for name in ("___ann", "bob", "Bob-2") for form in ("html", "xlsx")}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    sheet = openpyxl.load_workbook(tmp_path / "out" / "___ann.xlsx")["Differences"]
    header, row = (tuple(cell.value for cell in each) for each in sheet.iter_rows())
    assert dict(zip(header, row, strict=True)) == {
        "type": "label: a instead of b",
        "count of the type": 1,
        "item": "0",
        "yours": "a",
        "majority": "b",
    }


def test_without_the_extra_the_sheet_is_a_table_as_csv(tmp_path, monkeypatch):
    monkeypatch.setattr(api, "installed", lambda *modules: False)
    at.coders(labelled([["a", "b", "b"]] * 2, NAMES), feedback=tmp_path, resamples=0)
    assert {path.suffix for path in tmp_path.iterdir()} == {".html", ".csv"}
    with (tmp_path / "ann.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["yours"] for row in rows] == ["a", "a"]


def test_a_gold_annotator_is_left_out_of_the_model_and_gets_no_feedback(tmp_path):
    study = at.read(*(f"examples/phrase/{name}.mrg" for name in NAMES))
    table = at.coders(study, gold="cho", feedback=tmp_path, resamples=0)
    assert [each.coder for each in table.findings.coders] == ["ann", "bob"]
    assert {path.stem for path in tmp_path.iterdir()} == {"ann", "bob"}
    assert "compares your annotations with the gold standard" in (tmp_path / "ann.html").read_text(
        encoding="utf-8"
    )


def test_one_annotator_is_compared_with_the_gold_standard(tmp_path):
    study = at.read(*(f"examples/phrase/{name}.mrg" for name in NAMES[:2]))
    table = at.coders(study, gold="bob", feedback=tmp_path, resamples=0)
    assert "needs two annotators besides the gold standard" in str(table)
    assert {path.stem for path in tmp_path.iterdir()} == {"ann"}


def test_a_gold_column_is_the_gold_standard(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("item,ann,bob,gold\n1,a,b,a\n2,b,b,b\n3,a,a,a\n", encoding="utf-8")
    at.coders(at.read(path), feedback=tmp_path / "out", resamples=0)
    assert "1 of 3 labels" in (tmp_path / "out" / "bob.html").read_text(encoding="utf-8")
    assert "All 3 labels in 3 items are the same" in (tmp_path / "out" / "ann.html").read_text(
        encoding="utf-8"
    )


def test_two_annotators_without_gold_have_no_majority(tmp_path):
    study = at.read(*(f"examples/phrase/{name}.mrg" for name in NAMES[:2]))
    with pytest.raises(at.ArbitreeError, match="the majority of the others needs 3 annotators"):
        at.coders(study, feedback=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(at.ArbitreeError, match="annotator 'nobody'"):
        at.coders(study, gold="nobody", feedback=tmp_path / "out")
