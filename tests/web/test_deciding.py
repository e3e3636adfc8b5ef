"""The page of decisions, and the files to take away."""

import csv
import io
import time
import zipfile
from dataclasses import replace

import pytest

from arbitree.adjudication import gold
from arbitree.api.read import read
from arbitree.web.decisions import page
from tests.support.web.looks import parsed
from tests.support.web.opened import ANN, BOB, opened, visitor, write_study


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
    monkeypatch.setattr(page, "SHOWN", 1)
    decide(ada, 1, {"3 head": "2", "3 label": "obj"})
    decide(ada, 1, {"4 label": "obl"}, seen=1)
    assert "1 to 1 of 3" in ada.get("/decisions").text
    assert 'href="/decisions?start=1"' in ada.get("/decisions").text
    last = ada.get("/history?start=1").text
    assert "2 to 2 of 2" in last
    assert 'href="/history?start=0"' in last


def test_what_decisions_come_to_is_found_out_anew_only_when_something_was_written(project, ada, monkeypatch):
    found = []
    make = gold.evaluate

    def counted(*given, **options):
        found.append(given)
        return make(*given, **options)

    monkeypatch.setattr(gold, "evaluate", counted)
    decide(ada, 1, {"3 head": "4"})
    pages = [ada.get("/decisions").text for _ in range(2)]
    assert pages[0] == pages[1]
    assert len(found) == 2  # coders
    decide(ada, 1, {"4 label": "obl"}, seen=1)
    assert "2 decisions" in ada.get("/decisions").text
    assert len(found) == 4


@pytest.mark.parametrize(("used", "shown"), [((8, 8, 8), "8"), ((8, 7, 8), "8 / 7 / 8")])
def test_the_number_of_sentences_is_that_of_each_measure_if_they_differ(ada, monkeypatch, used, shown):
    make = gold.evaluate

    def counted(*given, **options):
        return [replace(make(*given, **options)[0], items_used=count) for count in used]

    monkeypatch.setattr(gold, "evaluate", counted)
    decide(ada, 1, {"3 head": "4"})
    rows = parsed(ada.get("/decisions")).xpath("//table[@class='groups']/tbody/tr")
    assert [row.xpath("string(td[last()])") for row in rows] == [shown, shown]


def test_a_coder_who_is_called_adjudicated_is_not_taken_for_the_gold_standard(tmp_path):
    project = opened(write_study(tmp_path, ann=ANN, adjudicated=BOB), tmp_path)
    with (
        project.store,
        zipfile.ZipFile(io.BytesIO(visitor(project).get("/export/study.zip").content)) as files,
    ):
        assert "agreed_by" not in files.read("adjudicated.conllu").decode()
        assert "# agreed_by = ann, adjudicated" in files.read("adjudicated-2.conllu").decode()


def test_trees_that_brackets_cannot_hold_are_taken_away_in_another_format(tmp_path):
    paths = []
    for coder, label in (("ann", "NP"), ("bob", "VP")):
        paths.append(tmp_path / f"{coder}.mrg")
        paths[-1].write_text(f"(S ({label} (P we) (V met)) (P her))\n", encoding="utf-8")
    project = opened(map(str, paths), tmp_path)
    with project.store:
        ada = visitor(project)
        decide(ada, 1, {"1-2 bracket": "(none)", "1-1,3-3 bracket": "NP"})
        assert "discontinuous" in ada.get("/export/gold.mrg").text
        archive = io.BytesIO(ada.get("/export/study.zip").content)
    with zipfile.ZipFile(archive) as files:
        assert files.namelist() == ["ann.export", "bob.export", "adjudicated.export"]


def test_a_line_break_in_a_note_ends_no_row(ada):
    decide(ada, 1, {"3 head": "4"})
    note = {"key": "3 head", "text": "one\rtwo", "seen": 1, "request": "request-note"}
    assert ada.post("/api/sentences/1/notes", json=note).status_code == 200
    rows = list(csv.reader(io.StringIO(ada.get("/export/decisions.tsv").text), delimiter="\t"))
    assert [row[7] for row in rows] == ["note", "one\ntwo"]


def test_no_cell_of_an_exported_table_is_a_formula(ada):
    decide(ada, 1, {"3 head": "4"})
    note = {"key": "3 head", "text": "=HYPERLINK(1)", "seen": 1, "request": "request-note"}
    assert ada.post("/api/sentences/1/notes", json=note).status_code == 200
    for name in ("decisions", "log"):
        rows = list(csv.reader(io.StringIO(ada.get(f"/export/{name}.tsv").text), delimiter="\t"))
        assert not [cell for row in rows for cell in row if cell.startswith(tuple("=+-@\t\r"))]
    assert "'=HYPERLINK(1)" in ada.get("/export/decisions.tsv").text


def test_an_exported_archive_is_the_same_at_another_time(ada, monkeypatch):
    decide(ada, 3, {"3 head": "1"})
    first = ada.get("/export/study.zip").content
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 3600)
    assert ada.get("/export/study.zip").content == first


def test_traces_that_are_not_in_gold_are_counted(tmp_path):
    paths = []
    for coder, trace in (("ann", "(NP (-NONE- *)) "), ("bob", "")):
        paths.append(tmp_path / f"{coder}.mrg")
        paths[-1].write_text(
            f"(S (NP (P we)) (VP {trace}(V met) ({coder.upper()} (P her))))\n", encoding="utf-8"
        )
    project = opened(map(str, paths), tmp_path)
    with project.store:
        ada = visitor(project)
        places = ada.get("/api/sentences/1/desk").json()["places"]
        decide(ada, 1, {each["key"]: "NP" for each in places})
        assert "1 trace on which annotators differ" in " ".join(ada.get("/decisions").text.split())


def test_annotators_of_profiles_are_measured_against_the_gold_standard(tmp_path):
    project = opened(["examples/profiles/ann", "examples/profiles/bob"], tmp_path)
    with project.store:
        ada = visitor(project)
        number = next(n for n in range(1, 9) if project.sheet(n).places)
        decide(ada, number, project.sheet(number).of_coder("ann"))
        assert "y_option_kappa" in ada.get("/decisions").text
        ann, bob = project.settled().coders
        assert ann.results[0].value > bob.results[0].value
