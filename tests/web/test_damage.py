"""Databases with flipped bytes: refused in words, or served with every entry as it was written."""

import random
import shutil

import pytest

from arbitree.errors import ArbitreeError
from arbitree.web.project.project import open_project
from arbitree.web.store import StoreError
from tests.support.web.opened import ANN, BOB, opened, visitor, write_study

FILE = "arbitree.sqlite"
TRIES = 60
PAGES = ["/", "/sentences", "/sentences/1", "/adjudicate/1", "/decisions", "/people", "/rounds", "/progress"]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A project that was stopped, and its entries."""
    folder = tmp_path_factory.mktemp("damage")
    project = opened(write_study(folder, ann=ANN, bob=BOB), folder)
    client = visitor(project)
    seen = 0
    for turn in range(6):
        place = client.get("/api/sentences/1/desk").json()["places"][0]
        value = place["choices"][turn % 2]["value"]
        sent = {"seen": seen, "request": f"request-{turn}", "changes": {place["key"]: value}}
        seen += client.post("/api/sentences/1/decisions", json=sent).json()["saved"]
    project.store.keep_finding(1, "agreement", {"headline": "Agreement", "version": "0"})
    project.store.add_round(1, {"systems": ["ann", "bob"], "items": ["s1", "s3"]})
    entries = project.store.entries_under(1, "")
    assert len(entries) == 6
    project.close()
    return folder / "project", entries


def flipped(written, folder, chance, positions):
    """Copy a project, change the bytes of its database at *positions*, and return the copy."""
    shutil.copytree(written, folder)
    raw = bytearray((folder / FILE).read_bytes())
    for position in positions:
        raw[position] ^= 1 << chance.randrange(8)
    (folder / FILE).write_bytes(raw)
    return folder


def look(folder, entries):
    """Open a project and look at its pages; return whether it was served."""
    try:
        project = open_project(None, folder)
    except ArbitreeError:
        return False
    with project.store as store:
        try:
            assert store.entries_under(1, "") == entries
            project.background._recall("agreement")
            client = visitor(project)
        except StoreError:
            return True
        for page in PAGES:
            assert client.get(page).status_code in (200, 503)
    return True


@pytest.mark.parametrize("flips", [1, 3])
def test_flipped_bytes_are_refused_or_hit_no_entry(written, tmp_path, flips):
    folder, entries = written
    chance = random.Random(flips)
    size = (folder / FILE).stat().st_size
    served = 0
    for number in range(TRIES):
        positions = [chance.randrange(size) for _ in range(flips)]
        served += look(flipped(folder, tmp_path / str(number), chance, positions), entries)
    assert 0 < served < TRIES


def test_every_byte_of_an_entry_is_guarded(written, tmp_path):
    folder, entries = written
    raw = (folder / FILE).read_bytes()
    begin = raw.index(b"item/s1")
    chance = random.Random(0)
    text = raw.index(b"request-0", raw.index(b"CREATE TRIGGER log_no_delete"))
    for number, position in enumerate([begin, begin + 6, text, text + 8]):
        assert not look(flipped(folder, tmp_path / str(number), chance, [position]), entries)


def test_a_file_cut_short_is_refused(written, tmp_path):
    folder, entries = written
    raw = (folder / FILE).read_bytes()
    used = len(raw.rstrip(b"\0"))  # SQLite reads zeros beyond the end, which an empty page has there
    for number, length in enumerate([1, 100, 4096, 8192, len(raw) // 2, used - 1]):
        copy = tmp_path / str(number)
        shutil.copytree(folder, copy)
        (copy / FILE).write_bytes(raw[:length])
        assert not look(copy, entries)


def changed(written, folder, text, other):
    """Copy a project, and replace *text* in its database."""
    shutil.copytree(written, folder)
    raw = (folder / FILE).read_bytes()
    assert text in raw
    (folder / FILE).write_bytes(raw.replace(text, other))
    return folder


@pytest.mark.parametrize(
    ("text", "other"),
    [(b"contested", b"contexted"), (b"contested", b"cont\xffsted"), (b"Ada", b"\xffda")],
)
def test_values_that_were_not_written_are_noticed_at_the_start(written, tmp_path, text, other):
    folder, entries = written
    assert not look(changed(folder, tmp_path / "copy", text, other), entries)


def test_settings_of_a_round_that_were_not_written_are_noticed(written, tmp_path):
    folder, _ = written
    project = open_project(None, changed(folder, tmp_path / "copy", b"systems", b"sistems"))
    with project.store as store, pytest.raises(StoreError, match="is damaged"):
        store.rounds(1)
