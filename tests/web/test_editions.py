"""Files that change between two starts."""

import pytest

from arbitree.adjudication import events
from arbitree.api.read import from_table, read
from arbitree.errors import StudyError
from arbitree.web.project.editions import Contents, carry, changes_between, contents_of, unchanged
from arbitree.wording import count_of
from tests.support.web.opened import ANN, BOB, opened, sentence, visitor, wish, write_study

NEW = sentence("s3", ("rain", "falls", "slowly"), (3, 0, 2), ("nsubj", "root", "advmod"))


def decide(project, number, coder="ann"):
    person = project.store.owner("Ada")
    asked = wish(person, project.state(number).seen, f"request-{project.edition.id}-{number}")
    return project.write(number, asked, events.Decide(project.sheet(number).of_coder(coder)))


def test_the_same_files_have_the_same_fingerprint_wherever_they_lie(tmp_path):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        write_study(tmp_path / name, ann=ANN, bob=BOB)
    here, there = (
        contents_of(read(tmp_path / name / "ann.conllu", tmp_path / name / "bob.conllu"))
        for name in ("here", "there")
    )
    assert here == there
    assert Contents.of_text(here.text) == here


def test_labels_are_told_apart_too():
    one = contents_of(from_table([["a", "b"], ["a", None]]))
    other = contents_of(from_table([["a", "b"], ["a", "b"]]))
    assert changes_between(one, other) == ["coder2: 1 item changed (2)."]
    assert unchanged(one, other) == ["1"]


def test_coders_who_come_and_go_are_named():
    old, new = Contents(("ann",), {"s1": ("x",)}), Contents(("bob",), {"s1": ("x",)})
    assert changes_between(old, new) == ["Annotator bob is new.", "Annotator ann was removed."]
    assert unchanged(old, new) == []


def test_decisions_on_changed_files_are_kept_apart_and_come_back_with_the_files(tmp_path):
    paths = write_study(tmp_path, ann=ANN, bob=BOB)
    with opened(paths, tmp_path).store:
        decide(opened(paths, tmp_path), 1)
    write_study(tmp_path, ann=[*ANN[:2], NEW])
    changed = opened(paths, tmp_path)
    with changed.store:
        assert changed.changes == ["ann: 1 item changed (s3)."]
        assert changed.state(1).values == {}
    write_study(tmp_path, ann=ANN)
    restored = opened(paths, tmp_path)
    with restored.store:
        assert restored.state(1).values
        assert restored.changes == []


def test_decisions_on_what_did_not_change_can_be_taken_over(tmp_path):
    paths = write_study(tmp_path, ann=ANN, bob=BOB)
    first = opened(paths, tmp_path)
    with first.store:
        decide(first, 1, "bob")
        decide(first, 3)
    write_study(tmp_path, ann=[*ANN[:2], NEW])
    second = opened(paths, tmp_path)
    with second.store:
        owner = second.store.owner("Ada")
        ada = visitor(second)
        assert f"Copy decisions for {count_of(1, 'unchanged sentence')}" in ada.get("/decisions").text
        assert carry(second, owner) == 1
        assert carry(second, owner) == 0  # once is enough
        assert "Copy decisions" not in ada.get("/decisions").text
        assert second.state(1).values == first.sheet(1).of_coder("bob")
        assert second.state(1).people == ("Ada",)
        assert second.state(3).values == {}


def test_decisions_that_were_made_anew_are_not_overwritten_by_old_ones(tmp_path):
    paths = write_study(tmp_path, ann=ANN, bob=BOB)
    first = opened(paths, tmp_path)
    with first.store:
        decide(first, 1, "bob")
    write_study(tmp_path, ann=[*ANN[:2], NEW])
    second = opened(paths, tmp_path)
    with second.store:
        decide(second, 1, "ann")
        assert carry(second, second.store.owner("Ada")) == 0
        assert second.state(1).values == second.sheet(1).of_coder("ann")


def test_another_study_is_refused_the_project(tmp_path):
    with opened(write_study(tmp_path, ann=ANN, bob=BOB), tmp_path).store:
        pass
    other = [sentence("other", ("no", "way"), (2, 0), ("det", "root"))]
    paths = write_study(tmp_path, cho=other, dan=other)
    with pytest.raises(StudyError, match="another study"):
        opened(paths, tmp_path)


def test_decisions_that_are_taken_over_stay_with_who_made_each(tmp_path):
    paths = write_study(tmp_path, ann=ANN, bob=BOB)
    first = opened(paths, tmp_path)
    with first.store:
        ada, bea = first.store.owner("Ada"), first.store.add_person("Bea", "adjudicator")
        first.write(1, wish(ada, 0, "request-1"), events.Decide({"3 head": "2"}))
        first.write(1, wish(bea, 1, "request-2"), events.Decide({"4 label": "obl"}))
    write_study(tmp_path, ann=[*ANN[:2], NEW])
    second = opened(paths, tmp_path)
    with second.store:
        carry(second, second.store.owner("Ada"))
        found = second.state(1).decisions
        assert {key: each.people for key, each in found.items()} == {
            "3 head": ("Ada",),
            "4 label": ("Bea",),
        }
        assert "took over 2 decisions of Ada, Bea" in visitor(second).get("/history").text
