"""Files that name their annotators. Expected values are counted by hand in the files below."""

from __future__ import annotations

import pytest

import arbitree as at
from arbitree.errors import StudyError
from arbitree.reading.assembly import read_study

RIGHT = "1\tRain\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tfell\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
WRONG = RIGHT.replace("nsubj", "obj")


def sentence(coder: str, name: object, tree: str = RIGHT, time: object = None) -> str:
    """Return a sentence with the comments of Arborator."""
    stamp = "" if time is None else f"# timestamp = {time}\n"
    return f"# sent_id = {name}\n# user_id = {coder}\n{stamp}{tree}"


def write(path, *sentences: str) -> str:
    path.write_text("".join(sentences), encoding="utf-8")
    return str(path)


def test_a_file_with_several_annotators_gives_a_study_with_all_of_them(tmp_path):
    rows = [sentence(coder, name) for name in (1, 2, 3) for coder in ("ann", "bob")]
    lines: list[str] = []
    study = read_study([write(tmp_path / "trees.conllu", *rows)], say=lines.append)
    assert study.coders == ("ann", "bob")
    assert [len(cells) for _, cells in study] == [2, 2, 2]
    assert "Annotators: ann (3), bob (3)" in lines


def test_a_file_with_one_annotator_belongs_to_the_annotator_of_the_file(tmp_path):
    paths = [write(tmp_path / f"{name}.conllu", sentence("ann", 1)) for name in ("first", "second")]
    assert read_study(paths).coders == ("first", "second")


def test_files_of_several_annotators_are_documents(tmp_path):
    first = write(tmp_path / "one.conllu", sentence("ann", 1), sentence("bob", 1))
    second = write(tmp_path / "two.conllu", sentence("ann", 1, WRONG), sentence("cho", 1))
    study = read_study([first, second])
    assert study.coders == ("ann", "bob", "cho")
    assert [item.id for item in study.items] == ["one/1", "two/1"]
    assert study.documents == ("one", "two")


def test_annotators_without_ids_are_matched_by_position(tmp_path):
    rows = [f"# user_id = {coder}\n{RIGHT}" for coder in ("ann", "ann", "bob", "bob")]
    study = read_study([write(tmp_path / "a.conllu", *rows)])
    assert [len(cells) for _, cells in study] == [2, 2]


def test_validated_trees_are_the_gold_standard_only_where_one_is_asked_for(tmp_path):
    path = write(
        tmp_path / "a.conllu",
        *(sentence(coder, name) for name in (1, 2) for coder in ("ann", "bob", "base_tree", "last")),
        sentence("validated", 1, WRONG),
        sentence("validated", 3),
    )
    study = read_study([path])
    assert study.coders == ("ann", "bob")
    assert [item.id for item in study.items] == ["1", "2"]  # nobody annotated 3
    table = at.score(study, measures="las", resamples=0)
    assert table.scores.systems == ("ann", "bob")
    assert table["ann"]["las"].value == 0.5  # one of two words in the sentence that is validated


def test_a_tree_with_a_validator_and_no_user_is_the_gold_standard(tmp_path):
    validated = f"# sent_id = 1\n# validated_by = eve\n{WRONG}"
    study = read_study([write(tmp_path / "a.conllu", sentence("ann", 1), sentence("bob", 1), validated)])
    assert (study.coders, study.standard, len(study.gold)) == (("ann", "bob"), "validated", 1)


def test_what_annotators_started_from_is_taken_by_name(tmp_path):
    path = write(
        tmp_path / "a.conllu",
        *(sentence("base_tree", name, WRONG) for name in (1, 2)),
        *(sentence("ann", name, WRONG) for name in (1, 2)),
        *(sentence("bob", name) for name in (1, 2)),
    )
    study = read_study([path])
    table = at.score(study, gold="base_tree", measures="las", resamples=0)
    assert table["ann"]["las"].value == 1  # clicked through
    assert table["bob"]["las"].value == 0.5
    with pytest.raises(StudyError, match=r"unclear which of 2 annotators \(ann, bob\)"):
        at.score(study)


def test_the_gold_standard_of_trees_is_that_of_their_labels(tmp_path):
    path = write(
        tmp_path / "a.conllu", sentence("ann", 1), sentence("bob", 1), sentence("validated", 1, WRONG)
    )
    labels = at.read(path, column="deprel")
    assert labels.coders == ("ann", "bob")
    assert {item: str(value) for item, value in labels.gold.items()} == {"1:1": "obj", "1:2": "root"}
    assert labels.sharing_file("ann") == ("ann", "bob")


def test_feedback_on_trees_compares_with_the_gold_standard(tmp_path):
    path = write(
        tmp_path / "a.conllu", sentence("ann", 1), sentence("bob", 1, WRONG), sentence("validated", 1)
    )
    at.coders(at.read(path), feedback=tmp_path / "feedback", resamples=0)
    assert "gold standard" in (tmp_path / "feedback" / "bob.html").read_text(encoding="utf-8")


def test_of_two_annotations_of_one_item_the_later_counts(tmp_path):
    path = write(
        tmp_path / "a.conllu",
        sentence("ann", 1, WRONG, 1700000000000.5),
        sentence("ann", 1, RIGHT, 1600000000000),
        sentence("bob", 1, RIGHT, 1),
    )
    study = read_study([path])
    assert study.cells["1", "ann"].value.relations == ("obj", "root")
    assert study.notes == (
        f"1 annotation is replaced by a later one of the same annotator: ann at {path}:10",
    )
    with pytest.raises(StudyError, match=r":10: ann annotated '1' twice, here and at .*:4\. Remove one"):
        read_study([path], strict=True)


def test_without_times_the_last_of_two_annotations_counts(tmp_path):
    path = write(tmp_path / "a.conllu", sentence("ann", 1, WRONG), sentence("ann", 1), sentence("bob", 1))
    study = read_study([path])
    assert study.cells["1", "ann"].value.relations == ("nsubj", "root")
    assert "replaced by one that follows in the file" in study.notes[0]


def test_a_gold_standard_alone_is_read(tmp_path):
    path = write(tmp_path / "a.conllu", sentence("validated", 1), sentence("base_tree", 1))
    assert read_study([path]).coders == ("validated",)
