"""The page of decisions, and the files to take away."""

import io
import zipfile

import pytest

from arbitree.interface import read
from arbitree.web.routes import deciding
from tests.web.opened import visitor


@pytest.fixture
def ada(project):
    return visitor(project)


def decide(client, number, changes, seen=0):
    body = {"changes": changes, "seen": seen, "request": f"request-{number}-{seen}"}
    answer = client.post(f"/api/sentences/{number}/decisions", json=body)
    assert answer.json()["saved"]
    return answer.json()


def test_before_any_decision_only_agreed_sentences_are_gold(ada):
    answer = ada.get("/export/gold.conllu")
    assert "# agreed_by = ann, bob" in answer.text
    assert answer.text.count("sent_id") == 1
    assert answer.headers["x-undecided"] == "2"


def test_gold_is_read_together_with_the_coders_files(project, ada, tmp_path):
    decide(ada, 1, {"3 head": "4", "3 label": "obj", "4 label": "advmod"})
    (tmp_path / "gold.conllu").write_text(ada.get("/export/gold.conllu").text, encoding="utf-8")
    study = read(tmp_path / "ann.conllu", tmp_path / "bob.conllu", tmp_path / "gold.conllu")
    tree = study.cells["s1", "gold"].value
    assert tree.heads == (2, 0, 4, 2)
    assert tree.relations == ("nsubj", "root", "obj", "advmod")
    assert "# adjudicated_by = Ada" in tree.comments
    assert ("s3", "gold") not in study.cells


def test_the_whole_study_comes_with_gold_as_a_coder(project, ada, tmp_path):
    decide(ada, 3, {"3 head": "1"})
    archive = zipfile.ZipFile(io.BytesIO(ada.get("/export/study.zip").content))
    archive.extractall(tmp_path / "taken")
    names = sorted(archive.namelist())
    assert names == ["adjudicated.conllu", "ann.conllu", "bob.conllu"]
    study = read(*(tmp_path / "taken" / name for name in names))
    assert study.cells["s3", "adjudicated"].value.heads == study.cells["s3", "bob"].value.heads


def test_the_table_of_decisions_says_who_decided_what_against_whom(ada):
    decide(ada, 1, {"3 head": "2"})
    header, row = (line.split("\t") for line in ada.get("/export/decisions.tsv").text.splitlines())
    found = dict(zip(header, row, strict=True))
    assert found["decision"] == "2 saw"
    assert found["decided_by"] == "Ada"
    assert (found["ann"], found["bob"]) == ("2 saw", "4 there")


def test_gold_follows_what_is_undone_and_decided_again(ada):
    decide(ada, 3, {"3 head": "1"})
    assert ada.get("/export/gold.conllu").text.count("sent_id") == 2
    ada.post("/api/sentences/3/undo", json={"seen": 1, "request": "request-undo"})
    assert ada.get("/export/gold.conllu").text.count("sent_id") == 1
    decide(ada, 3, {"3 head": "2"}, seen=2)
    assert "3\tslowly\t_\tX\t_\t_\t2" in ada.get("/export/gold.conllu").text


def test_the_page_says_whom_the_adjudicator_followed(ada):
    decide(ada, 1, {"3 head": "2", "3 label": "obj", "4 label": "obl"})
    text = ada.get("/decisions").text
    assert "3 decisions" in text or "three decisions" in text
    assert "67%" in text
    assert "33%" in text


def test_the_log_has_undone_steps_too(ada):
    decide(ada, 1, {"3 head": "2"})
    ada.post("/api/sentences/1/undo", json={"seen": 1, "request": "request-undo"})
    lines = ada.get("/export/log.tsv").text.splitlines()
    assert [line.split("\t")[4] for line in lines[1:]] == ["decide", "undo"]
    assert "undid entry 1" in ada.get("/history").text


@pytest.mark.parametrize("name", ["gold.mrg", "gold.exe", "log.tsv?edition=99", "../project.json", "nothing"])
def test_what_is_not_there_is_not_exported(ada, name):
    assert ada.get(f"/export/{name}").status_code == 404


def test_long_tables_come_in_pages(ada, monkeypatch):
    monkeypatch.setattr(deciding, "SHOWN", 1)
    decide(ada, 1, {"3 head": "2", "3 label": "obj"})
    decide(ada, 1, {"4 label": "obl"}, seen=1)
    assert "1 to 1 of 3" in ada.get("/decisions").text
    assert 'href="/decisions?start=1"' in ada.get("/decisions").text
    last = ada.get("/history?start=1").text
    assert "2 to 2 of 2" in last
    assert 'href="/history?start=0"' in last
