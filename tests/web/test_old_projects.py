"""Projects that commit 2142a78 wrote are opened, go on, and export as they did then."""

import json
import shutil
from pathlib import Path

import pytest

from arbitree import kinds
from arbitree.adjudication.export import exported
from arbitree.adjudication.gold import Adjudication
from arbitree.adjudication.history import ITEM, by_item
from arbitree.web.project.project import open_project
from arbitree.web.store import Store
from tests.support.web.opened import visitor

WRITTEN = Path(__file__).parent / "projects" / "2142a78"
EXAMPLES = Path(__file__).parents[2] / "examples"
GOLD = {"dependency": "gold.conllu", "phrase": "gold.mrg", "labels": "gold.tsv", "profiles": "gold.tsv"}


@pytest.fixture(params=GOLD)
def old(request, tmp_path):
    """The name of a project, its files as they were written, and the project, opened."""
    written, folder = WRITTEN / request.param, tmp_path / request.param
    shutil.copytree(written, folder)
    settings = folder / "project.json"
    settings.write_text(
        settings.read_text(encoding="utf-8").replace("EXAMPLES", EXAMPLES.as_posix()), encoding="utf-8"
    )
    project = open_project(None, folder)
    with project.store:
        yield request.param, written, project


def texts(client, written, names):
    return {name: client.get(f"/export/{name}").text for name in names}, {
        name: (written / name).read_text(encoding="utf-8") for name in names
    }


def test_it_is_the_same_edition_and_exports_the_same(old):
    name, written, project = old
    assert [each.id for each in project.store.editions()] == [project.edition.id]
    assert project.changes == []
    assert project.before is None
    now, then = texts(visitor(project), written, [GOLD[name], "decisions.tsv", "log.tsv"])
    assert now == then


def test_a_script_replays_its_log(old):
    """What docs/serve.md shows: the gold standard without the web app."""
    name, written, project = old
    study = project.study
    with Store.open(f"sqlite:///{project.store.place}") as store:
        logs = by_item(store.entries_under(store.latest().id, ITEM))
    kind = kinds.of(study)
    settled = Adjudication(study, project.kind).settle(logs)
    format = {"dependency": "conllu", "phrase": "brackets"}.get(name, "labels")
    gold = (written / GOLD[name]).read_text(encoding="utf-8")
    assert exported(study, kind, settled.gold.golds, format) == gold


def test_it_goes_on(old):
    """The items that were left are decided; what was decided before stays."""
    _, written, project = old
    client = visitor(project)
    before = client.get("/api/progress").json()
    left = 0
    for number in range(1, before["items"] + 1):
        desk = client.get(f"/api/sentences/{number}/desk").json()
        assert client.get(f"/adjudicate/{number}").status_code == 200
        if desk["places"] and not desk["seen"]:
            changes = {place["key"]: place["choices"][0]["value"] for place in desk["places"]}
            sent = {"seen": 0, "request": f"later-item-{number}", "changes": changes}
            assert client.post(f"/api/sentences/{number}/decisions", json=sent).json()["saved"]
            left += 1
    after = client.get("/api/progress").json()
    assert after == before | {"decided": before["decided"] + left}
    now, then = texts(client, written, ["decisions.tsv", "log.tsv"])
    assert set(now["decisions.tsv"].splitlines()) >= set(then["decisions.tsv"].splitlines())
    assert now["log.tsv"].startswith(then["log.tsv"])


@pytest.mark.parametrize("old", ["dependency"], indirect=True)
def test_its_rounds_go_on(old):
    _, written, project = old
    owner = visitor(project)
    for number in (1, 2):
        text = (written / f"judgments-{number}.jsonl").read_text(encoding="utf-8")
        assert owner.get(f"/rounds/{number}/judgments.jsonl").text == text
    closed, running = reversed(owner.get("/api/rounds").json())
    assert (bool(closed["closed"]), bool(running["closed"])) == (True, False)
    assert [(judge["name"], judge["done"]) for judge in running["judges"]] == [("Cy", 3), ("Di", 2)]
    seat = owner.get("/api/judge/2").json()
    sent = {"position": seat["next"], "choice": seat["choices"][0], "seen": seat["seen"]}
    answer = owner.post("/api/judge/2/verdicts", json=sent | {"request": "later-judge"})
    assert answer.json()["done"] == 1


def test_its_settings_are_kept(old, tmp_path):
    name, written, _ = old
    now, then = (
        json.loads((folder / "project.json").read_text(encoding="utf-8"))
        for folder in (tmp_path / name, written)
    )
    kept = {setting: now[setting] for setting in then}  # later versions have more
    assert kept | {"inputs": None} == then | {"inputs": None}
