"""Findings on studies: statuses and notes for odd studies, intervals, truth."""

import json

import numpy as np
import pytest

import arbitree as at
from arbitree import kinds
from arbitree.api.coders import find_coders
from arbitree.api.read import read
from arbitree.errors import StudyError, UnknownName, UnsupportedStudy
from arbitree.kinds.graphs.value import Semantics
from arbitree.kinds.labels.truth import read_truth, with_truth
from arbitree.measures.computing import Computing
from arbitree.reporting.sections.coders import CoderTable
from tests.support.build import dep, labelled, phrase, study_of
from tests.support.noisy_tables import noisy

LABEL_MODELS = ("mace", "dawid_skene", "one_coin", "majority")
every_model = pytest.mark.parametrize("model", LABEL_MODELS)


def table(codes, names="abc"):
    """A study from codes."""
    return labelled([[None if code < 0 else names[code] for code in row] for row in codes])


def standings(study, model):
    found = find_coders(study, model, computing=Computing(resamples=20))
    json.dumps(CoderTable(found, kinds.of(found.study)).to_dict(), allow_nan=False)
    assert str(CoderTable(found, kinds.of(found.study)))
    return found


@every_model
def test_a_coder_without_annotations_has_none_and_a_status(model):
    study = labelled([["a", "a", "a", None], ["b", "b", "b", None], ["a", "b", "a", None]])
    found = standings(study, model)
    assert [each.status for each in found.coders] == ["ok", "ok", "ok", "no_annotations"]
    assert found.coders[3].competence is None
    assert found.coders[3].interval is None
    assert found.coders[3].agreement is None
    assert "no annotation could be used" in str(CoderTable(found, kinds.of(found.study)))


@every_model
def test_a_coder_who_shares_no_item_has_none_and_a_status(model):
    rows = [["a", "a", "a", None], ["b", "b", "b", None], ["a", "b", "a", None], [None, None, None, "b"]]
    found = standings(labelled(rows), model)
    assert [each.status for each in found.coders] == ["ok", "ok", "ok", "no_overlap"]
    assert str(found.items[3].consensus) == "b"


@every_model
def test_groups_of_coders_that_share_nothing_are_named(model):
    rows = [["a", "b", None, None], ["a", "a", None, None], [None, None, "b", "b"], [None, None, "a", "b"]]
    notes = " ".join(standings(labelled(rows), model).results[0].notes)
    assert "2 groups" in notes
    assert "two annotators are not enough to estimate who is right (c0 and c1; c2 and c3)" in notes


@every_model
def test_one_label_has_no_competence_but_a_consensus(model):
    found = standings(labelled([["a", "a"], ["a", "a"], ["a", None]]), model)
    assert found.results[0].value is None
    assert found.results[0].status == "no_variation"
    assert {str(item.consensus) for item in found.items} == {"a"}
    assert "all annotations have the same value" in str(CoderTable(found, kinds.of(found.study)))


@every_model
def test_items_that_nobody_labelled_are_counted_and_left_out(model):
    found = standings(labelled([["a", "a", "a"], [None, None, None], ["b", "a", "a"]]), model)
    assert [each.reason for each in found.results[0].ignored] == ["no_annotation"]
    assert found.items[1].consensus is None
    assert found.items[1].entropy is None
    assert len(found.consensus.items) == 2
    assert "annotated by no annotator" in str(CoderTable(found, kinds.of(found.study)))


@pytest.mark.parametrize("model", [*LABEL_MODELS, "edges", "heads", "brackets"])
def test_one_coder_is_an_error_in_words(model):
    with pytest.raises(StudyError, match="coders needs at least two annotators"):
        find_coders(labelled([["a"], ["b"]]), model)


def test_one_item_has_no_interval():
    found = standings(labelled([["a", "a", "b"]]), "mace")
    assert all(each.interval is None for each in found.coders)


@every_model
def test_intervals_hold_the_competence_and_shrink_with_more_items(model):
    widths = []
    for items in (60, 600):
        codes, _ = noisy(items, [0.9, 0.8, 0.7], 3, seed=5)
        found = find_coders(table(codes), model, computing=Computing(resamples=200))
        assert all(each.interval.low <= each.competence <= each.interval.high for each in found.coders)
        widths.append(np.mean([each.interval.high - each.interval.low for each in found.coders]))
    assert widths[1] < widths[0] / 2


def test_the_seed_decides_everything():
    codes, _ = noisy(50, [0.9, 0.6, 0.6], 3, seed=6)
    first, again, other = (
        find_coders(table(codes), computing=Computing(resamples=50, seed=seed)) for seed in (1, 1, 2)
    )
    assert first.coders == again.coders
    assert first.coders != other.coders


def test_clusters_are_resampled_as_wholes():
    """Every token twice as two sentences, or as two tokens of one: the second has half the units."""
    rng = np.random.default_rng(0)
    rows = {}
    for number in range(30):
        relations = ["a" if rng.random() < 0.7 else "b" for _ in range(3)]
        rows[f"s{number}"] = {c: dep((2, 0) * 2, r * 4) for c, r in zip("xyz", relations, strict=True)}
    found = find_coders(study_of(rows), "mace", computing=Computing(resamples=200))
    assert found.study.clusters == tuple(rows)
    assert len(found.study.items) == 120
    alone = labelled([[str(rows[s][c].relations[0]) for c in "xyz"] for s in rows])
    wide, narrow = (
        np.mean([each.interval.high - each.interval.low for each in fit.coders])
        for fit in (
            find_coders(alone, "majority", computing=Computing(resamples=200)),
            find_coders(study_of(rows), "majority"),
        )
    )
    assert wide == pytest.approx(narrow, rel=0.25)


def test_agreement_and_confusion_by_hand():
    """Majority a a b b; the third says b for a once."""
    rows = [["a", "a", "a"], ["a", "a", "b"], ["b", "b", "b"], ["b", "b", "b"]]
    found = find_coders(labelled(rows), "majority", computing=Computing(resamples=0))
    assert [each.agreement for each in found.coders] == [1, 1, 0.75]
    rows = {(r.coder, r.truth, r.answer): r.count for r in found.confusion}
    third = found.coders[2].coder
    assert rows[third, "a", "b"] == pytest.approx(2 / 3)  # the share of votes for a where it says b
    assert rows[third, "a", "a"] == pytest.approx(1)
    assert rows[third, "b", "b"] == pytest.approx(2 + 1 / 3)


def test_ties_are_listed_and_go_to_the_label_with_votes():
    found = find_coders(
        labelled([["b", "c", None], ["c", None, None], ["a", "a", "a"]]),
        "majority",
        computing=Computing(resamples=0),
    )
    assert str(found.items[0].consensus) == "b"
    assert [str(value) for value in found.items[0].ties] == ["b", "c"]
    assert found.items[1].ties == ()
    assert CoderTable(found, kinds.of(found.study)).to_dict()["items"][0]["ties"] == ["b", "c"]


def test_hardest_items_come_first_and_certain_ones_not_at_all():
    rows = [["a", "a", "a"], ["a", "a", "b"], ["a", "b", "c"]]
    study = labelled(rows)
    found = find_coders(study, "majority", computing=Computing(resamples=0))
    assert [item.item for item in found.hardest()] == [study.items[2].id, study.items[1].id]


def test_models_that_do_not_fit_say_which_do():
    trees = study_of({"s": {"ann": dep((0,)), "bob": dep((0,))}})
    phrases = study_of({"s": {"ann": phrase("(S (NP a) b)"), "bob": phrase("(S (NP a) b)")}})
    with pytest.raises(UnsupportedStudy, match=r"Choose one of edges, heads"):
        find_coders(trees, "brackets")
    with pytest.raises(UnsupportedStudy, match=r"Choose one of brackets"):
        find_coders(phrases, "edges")
    with pytest.raises(UnsupportedStudy, match=r"does not apply to labels"):
        find_coders(labelled([["a", "b"]]), "heads")
    with pytest.raises(UnknownName, match="Did you mean 'mace'"):
        find_coders(trees, "mase")
    with pytest.raises(UnknownName, match="restarts 0 is not a positive number"):
        find_coders(trees, restarts=0)
    with pytest.raises(UnknownName, match="unknown MACE method"):
        find_coders(labelled([["a", "b"]]), method="gibbs")


@pytest.mark.parametrize("model", [None, "mace", "edges"])
def test_annotations_without_a_model_are_refused_in_one_sentence(model):
    profiles = read("examples/profiles/ann", "examples/profiles/bob")
    graph = Semantics(names=(((3, 9), "_rain_v_1", ""),))
    graphs = study_of({"s": {"ann": graph, "bob": graph}})
    for study, noun in ((profiles, "treebanking decisions"), (graphs, "meaning representations")):
        with pytest.raises(UnsupportedStudy, match=f"no annotator model fits {noun}"):
            find_coders(study, model)


def test_accuracy_by_hand_with_ties_split(tmp_path):
    """Consensus a, b (tie of b and c), c; truth a, c, a: one right of three, and half a one for the tie."""
    study = labelled([["a", "a", "a"], ["b", "c", None], ["c", "c", "c"]])
    path = tmp_path / "truth.txt"
    path.write_text("a\nc\na\n", encoding="utf-8")
    found = find_coders(study, "majority", computing=Computing(resamples=0))
    _, right = with_truth(found, read_truth(str(path), study)).results
    assert right.value == pytest.approx(1 / 3)
    assert right.details["ties_split"] == pytest.approx(0.5)
    assert right.interval.low <= right.value <= right.interval.high


def test_the_accuracy_of_two_annotators_covers_the_items_on_which_they_agree():
    study = labelled([["a", "a"], ["b", "c"], ["c", "c"]])
    found = find_coders(study, "majority", computing=Computing(resamples=0))
    found = with_truth(found, {"0": "a", "1": "b", "2": "b"})
    assert found.results[1].value == pytest.approx(0.5)
    assert found.results[1].details["total"] == 2
    shown = str(CoderTable(found, kinds.of(found.study)))
    assert "Where they agree, they are correct for 1 of 2 items" in shown


def test_truth_in_a_table_may_leave_items_out(tmp_path):
    study = labelled([["a", "a"], ["b", "c"], ["c", "c"]])
    path = tmp_path / "truth.csv"
    path.write_text(f"item,label\n{study.items[2].id},c\n", encoding="utf-8")
    found = with_truth(
        find_coders(study, "majority", computing=Computing(resamples=0)), read_truth(str(path), study)
    )
    assert found.results[1].details["total"] == 1
    assert found.results[1].details["unknown"] == 2
    assert found.results[1].value == 1


def test_truth_that_does_not_fit_is_an_error_in_words(tmp_path):
    study = labelled([["a", "a"], ["b", "c"]])
    path = tmp_path / "truth.txt"
    for text, lines in (("a\n", 1), ("a\nb\nc\n", 3)):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(StudyError, match=f"{lines} lines for 2 items"):
            read_truth(str(path), study)
    path.write_text("item,label\nnobody,a\n", encoding="utf-8")
    with pytest.raises(StudyError, match="not in the study"):
        read_truth(str(path), study)
    trees = find_coders(
        study_of({"s": {"ann": dep((0,)), "bob": dep((0,))}}), computing=Computing(resamples=0)
    )
    with pytest.raises(UnsupportedStudy, match="with consensus"):
        with_truth(trees, {})


def test_nothing_known_gives_no_accuracy():
    found = with_truth(find_coders(labelled([["a", "b"]]), computing=Computing(resamples=0)), {})
    assert found.results[1].value is None
    assert found.results[1].status == "no_truth"
    assert str(CoderTable(found, kinds.of(found.study)))


@pytest.mark.parametrize("model", ["majority", "dawid_skene", "one_coin"])
def test_names_of_labels_do_not_decide_who_agrees_with_a_tied_consensus(model):
    rows = [("x", "y", None), ("x", "x", "x"), ("y", "y", "x"), (None, "x", "y")]
    other = {"x": "y", "y": "x", None: None}
    found = [
        [group.details["agreement"] for group in at.coders(labelled(each), model).results[0].groups["coder"]]
        for each in (rows, [tuple(other[label] for label in row) for row in rows])
    ]
    assert found[0] == pytest.approx(found[1])
