"""What the owner of a round makes, sees and takes away."""

import json
import re
import shlex

import pytest
from typer.testing import CliRunner

from arbitree.cli import app as commands
from arbitree.reading.inputs import Reading
from arbitree.web.project.project import open_project
from tests.support.web.visitors import SYSTEMS, Visitor, assert_blind, make, once, write_trees


def test_judgments_go_through_prefer_with_the_command_that_the_page_shows(
    project, owner, judge, tmp_path, monkeypatch
):
    """Judges who always find the parse of quagga better: the command must hear exactly that."""
    make(owner, repeats=0.25)
    for who in (judge, owner):
        for position in range(1, 16):
            trial = who.get(f"/api/judge/1/trials/{position}").json()
            choice = "upper" if trial["upper"]["words"][-1].endswith("of ferry") else "lower"
            who.send(
                "/api/judge/1/verdicts", position=position, choice=choice, seen=position - 1, request=once()
            )
    found = owner.get("/api/rounds/1").json()
    assert [each["counts"] for each in found["judges"]] == [{"quagga": 12}, {"quagga": 12}]
    assert [(each["repeats_alike"], each["repeats"]) for each in found["judges"]] == [(3, 3), (3, 3)]
    assert found["agreement"]["raw"] == 1
    file = owner.get("/rounds/1/judgments.jsonl")
    assert file.headers["content-disposition"] == 'attachment; filename="judgments-1.jsonl"'
    assert file.content == owner.get("/api/rounds/1/judgments").content
    (tmp_path / "judgments-1.jsonl").write_bytes(file.content)
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(found["command"])
    result = CliRunner().invoke(commands, [*arguments, "--resamples", "0", "--json", "-q"])
    assert (program, result.exit_code) == ("arbitree", 0), result.output
    verdicts = json.loads(result.stdout)["sets"][0]["verdicts"]
    assert verdicts["items"] == verdicts["first"] == 12


def test_both_bad_and_equal_are_told_apart_in_the_file(owner, judge):
    make(owner)
    judge.answer("equal")
    judge.answer("bad")
    lines = [json.loads(line) for line in owner.get("/rounds/1/judgments.jsonl").text.splitlines()]
    assert {line["choice"] for line in lines} == {None, "both bad"}
    assert {line["coder"] for line in lines} == {"Judit"}


def test_the_owner_makes_a_round_with_the_form(project, owner):
    fields = {
        "first": "quagga",
        "second": "zorilla",
        "sentences": "5",
        "repeats": "20",
        "equal": "true",
        "seed": "7",
    }
    assert owner.post("/rounds", **fields).headers["location"] == "/rounds/1"
    kept = project.store.round(1).settings
    assert len(kept["items"]) == 5
    assert (kept["repeats"], kept["equal"], kept["bad"], kept["reference"]) == (0.2, True, False, "")
    assert "Round 1" in owner.get("/rounds").text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"second": "quagga"}, "itself"),
        ({"second": "okapi", "reference": "okapi"}, "cannot be the reference"),
        ({"second": "yak"}, "yak"),
        ({"sentences": "none"}, "none"),
        ({"sentences": "0"}, "sentences"),
        ({"repeats": "60"}, "repeats"),
        ({"seed": "-1"}, "seed"),
    ],
)
def test_a_form_that_makes_no_sense_comes_back_with_what_was_typed(project, owner, wrong, said):
    fields = {"first": "quagga", "second": "zorilla", "sentences": "7", "repeats": "10", "seed": "3"} | wrong
    answer = owner.post("/rounds", **fields)
    assert answer.status_code == 422
    assert said in re.search('<p class="warnings" role="alert">(.*?)</p>', answer.text, re.DOTALL)[1]
    assert (
        f'name="sentences" inputmode="numeric" autocomplete="off" value="{fields["sentences"]}"'
        in answer.text
    )
    assert not project.store.rounds(project.edition.id)


def test_the_page_of_a_round_follows_the_judges(owner, judge):
    make(owner, repeats=0)
    assert "0 of 12 judgments received" in owner.get("/rounds/1").text
    judge.answer("upper")
    part = owner.get("/rounds/1", **{"HX-Request": "true"}).text
    assert "1 of 12 judgments received" in part
    assert "<html" not in part
    assert 'hx-trigger="every 3s"' in part
    assert "1 : 0" in part
    owner.post("/rounds/1/close")
    assert '<div id="poll"></div>' in owner.get("/rounds/1", **{"HX-Request": "true"}).text


def test_agreement_is_shown_once_two_have_judged(project, owner, judge):
    make(owner, repeats=0)
    for who in (judge, owner):
        for _ in range(12):
            who.answer("equal")
    page = owner.get("/rounds/1").text
    assert "Agreement between judges: 100% of the sentences" in page


def test_rounds_of_earlier_files_keep_their_judgments(project, owner, judge, tmp_path):
    make(owner)
    judge.answer("upper")
    inputs = write_trees(tmp_path, items=4)
    later = open_project(Reading(inputs), tmp_path / "project")
    try:
        other, old = Visitor(later, judge.person), Visitor(later, owner.person)
        assert later.edition.id != project.edition.id
        assert other.get("/judge/1").status_code == 410
        assert "No judging round is open" in other.get("/judge").text
        assert "earlier version of the files" in old.get("/rounds").text
        assert "files have changed" in old.get("/rounds/1").text
        assert len(old.get("/rounds/1/judgments.jsonl").text.splitlines()) == 1
    finally:
        later.store.close()


def test_phrase_trees_are_judged_too(tmp_path):
    for name, text in (
        ("quagga", "(S (NP (P we)) (VP (V saw) (NP (N gulls))))"),
        ("zorilla", "(S (P we) (VP (V saw) (N gulls)))"),
    ):
        (tmp_path / f"{name}.mrg").write_text(f"{text}\n", encoding="utf-8")
    project = open_project(
        Reading(tuple(f"{name}={tmp_path / name}.mrg" for name in SYSTEMS)), tmp_path / "project"
    )
    try:
        owner = Visitor(project, project.store.owner("Olga"))
        judge = Visitor(project, project.store.add_person("Judit", "judge"))
        assert make(owner)["items"] == 1
        page = judge.get("/judge/1")
        assert_blind(page)
        assert page.text.count("<svg") == 2
        assert "NP: gulls" in page.text
        assert owner.get("/api/rounds/1").json()["command"].startswith("arbitree prefer GOLD quagga=")
    finally:
        project.store.close()


def test_labels_are_not_judged(tmp_path):
    (tmp_path / "labels.csv").write_text(
        "coder,item,label\nann,1,N\nbob,1,V\nann,2,N\nbob,2,N\n", encoding="utf-8"
    )
    project = open_project(Reading((str(tmp_path / "labels.csv"),)), tmp_path / "project")
    try:
        owner = Visitor(project, project.store.owner("Olga"))
        assert "need trees or graphs" in owner.get("/rounds").text
        assert "Item not found" in owner.get("/adjudicate/3").text
        answer = owner.get("/api/sentences/3").json()
        assert answer == {"detail": "Item not found", "hint": "This study contains 2 items"}
        assert owner.send("/api/rounds", systems=["ann", "bob"]).status_code == 422
    finally:
        project.store.close()


def test_names_cannot_smuggle_markup_into_the_owners_pages(tmp_path):
    names = ("<b>one", '"two"')
    write_trees(tmp_path)
    inputs = tuple(f"{name}={tmp_path}/{file}.conllu" for name, file in zip(names, SYSTEMS, strict=True))
    project = open_project(Reading(inputs), tmp_path / "project")
    try:
        owner = Visitor(project, project.store.owner("Olga"))
        make(owner, systems=project.study.coders)
        for address in ("/rounds", "/rounds/1"):
            page = owner.get(address).text
            assert "&lt;b&gt;one" in page
            assert "<b>one" not in page
    finally:
        project.store.close()


def test_the_document_for_programs_names_the_models(owner):
    document = owner.get("/api/openapi.json").json()
    assert {"SeatOut", "TrialOut", "VerdictIn", "RoundIn", "RoundOut"} <= set(
        document["components"]["schemas"]
    )
    assert "/api/judge/{number}/verdicts" in document["paths"]
    assert "/judge" not in document["paths"]


def test_parts_that_are_polled_are_all_in_the_page(owner):
    make(owner)
    page = owner.get("/rounds/1").text
    named = re.search('hx-select-oob="([^"]+)"', page)[1].split(",")
    assert len(named) == 5
    assert all(page.count(f'id="{name[1:]}"') == 1 for name in named)


def test_the_form_offers_two_systems_and_not_gold(tmp_path):
    inputs = [source.replace("okapi=", "Gold=") for source in write_trees(tmp_path)]
    project = open_project(Reading(tuple(inputs)), tmp_path / "project")
    try:
        page = Visitor(project, project.store.owner("Olga")).get("/rounds").text
        assert re.findall('value="([^"]*)" selected', page) == list(SYSTEMS)
    finally:
        project.store.close()


def test_a_round_is_closed_and_opened_again_in_either_database(store):
    edition = store.add_edition("0a1b", "{}")
    number = store.add_round(edition.id, {"items": []}).id
    store.close_round(number)
    assert store.round(number).closed
    store.reopen_round(number)
    assert not store.round(number).closed


def test_seeds_are_drawn_so_that_no_judge_can_guess_them(owner):
    seeds = {re.search(r'name="seed"[^>]*value="(\d+)"', owner.get("/rounds").text)[1] for _ in range(3)}
    assert len(seeds) == 3
