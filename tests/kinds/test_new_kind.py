"""A kind of annotation from another package: read, measured, reported, served, adjudicated and exported."""

import io
import json
import sys
import zipfile

import openpyxl
import pytest
from typer.testing import CliRunner

import arbitree as at
from arbitree import cli, kinds, plugins
from arbitree.web.project import background_parts
from tests.support.segments import Segments
from tests.support.web.opened import opened, visitor

ENTRY_POINTS = """\
[arbitree.kinds]
segments = tests.support.segments:KIND

[arbitree.formats]
segments = tests.support.segments:Formats

[arbitree.measures]
segments = tests.support.segments:Measures
"""
ANN = "t1\twe came | we saw | we won\nt2\tit rained | all day\nt3\tbirds sing\n"
BOB = "t1\twe came we saw | we won\nt2\tit rained | all day\nt3\tbirds | sing\n"


def forget():
    """Let plug-ins be looked up again."""
    for cached in (kinds.kinds, kinds.of_type, plugins.plugins):
        cached.cache_clear()


@pytest.fixture(autouse=True)
def installed(tmp_path, monkeypatch):
    """Install the package of the kind: its metadata is all that Arbitree learns of it."""
    metadata = tmp_path / "packages" / "segments-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: segments\nVersion: 1.0\n", encoding="utf-8"
    )
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "packages")])
    forget()
    yield
    forget()


@pytest.fixture
def paths(tmp_path):
    """The files of two annotators."""
    found = []
    for name, text in (("ann", ANN), ("bob", BOB)):
        (tmp_path / f"{name}.seg").write_text(text, encoding="utf-8")
        found.append(str(tmp_path / f"{name}.seg"))
    return found


def run(*arguments):
    """Return what a command prints; it must succeed."""
    found = CliRunner().invoke(cli.app, arguments)
    assert found.exit_code == 0, found.output
    return found.stdout


def test_it_is_read(paths):
    study = at.read(*paths)
    assert kinds.of(study).name == "segments"
    assert repr(study) == "Study of 3 texts, 2 annotators (ann, bob), segmented texts"
    assert study.cells["t1", "ann"].value == Segments(("we", "came", "we", "saw", "we", "won"), (2, 4))


def test_it_agrees(paths):
    table = at.agree(at.read(*paths), resamples=20)
    assert table["boundary_agreement"].value == pytest.approx((6 * 0.8 + 4 + 0) / 12)
    assert "Agreement of 2 annotators on 3 texts" in str(table)
    found = json.loads(run("agree", *paths, "--json", "--resamples", "0"))
    assert found["study"] == {
        "kind": "segments", "items": 3, "coders": ["ann", "bob"], "annotations": 6, "tokens": 12
    }  # fmt: skip


def test_it_is_converted(paths, tmp_path):
    run("convert", paths[0], str(tmp_path / "copy.seg"))
    assert (tmp_path / "copy.seg").read_text(encoding="utf-8") == ANN


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("draw", "draw needs trees or graphs, but these files contain segments"),
        ("explain", "explain needs trees or graphs, but these files contain segments"),
        ("coders", "no annotator model fits segments"),
        ("simulate", "simulate needs trees or graphs, but this file contains segments"),
    ],
)
def test_what_it_lacks_is_said_in_one_sentence(paths, command, message):
    given = paths[:1] if command == "simulate" else paths
    found = CliRunner().invoke(cli.app, [command, *given, "--quiet"])
    assert found.exit_code == 2
    assert found.stderr.startswith(f"error: {message}")
    assert len(found.stderr.splitlines()) == 1


def test_it_is_reported(paths, tmp_path):
    run("report", *paths, "-o", str(tmp_path / "out"), "--resamples", "0")
    page = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert "boundary_agreement" in page
    assert "birds sing" in page
    book = openpyxl.load_workbook(tmp_path / "out/report.xlsx")
    assert [row[0].value for row in book["Items"].iter_rows(min_row=2)] == ["t1", "t2", "t3"]


@pytest.fixture
def client(paths, tmp_path):
    """Somebody who adjudicates the texts."""
    project = opened(paths, tmp_path)
    with project.store:
        yield visitor(project)


def test_it_is_served(client):
    assert "3 texts" in client.get("/").text
    assert "birds sing" in client.get("/sentences").text
    assert "we came we saw | we won" in client.get("/sentences/1").text
    found = client.get("/api/sentences/1").json()
    assert found["status"] == "contested"
    assert found["annotations"][1]["value"] == {"text": "we came we saw | we won"}


def test_it_is_adjudicated_and_exported(client):
    desk = client.get("/api/sentences/1/desk").json()
    assert [place["key"] for place in desk["places"]] == ["whole"]
    assert client.get("/adjudicate/1").status_code == 200
    for number, coder in ((1, "bob"), (3, "ann")):
        seen = client.get(f"/api/sentences/{number}/desk").json()["seen"]
        wish = {"seen": seen, "request": f"request-{number}", "changes": {"whole": coder}}
        assert client.post(f"/api/sentences/{number}/decisions", json=wish).status_code == 200
    assert "bob" in client.get("/decisions").text
    assert client.get("/export/gold.seg").text.splitlines() == [
        "t1\twe came we saw | we won",
        "t2\tit rained | all day",
        "t3\tbirds sing",
    ]
    with zipfile.ZipFile(io.BytesIO(client.get("/export/study.zip").content)) as archive:
        assert set(archive.namelist()) == {"ann.seg", "bob.seg", "adjudicated.seg"}
        assert archive.read("ann.seg").decode() == ANN


def test_the_pages_show_its_agreement(paths):
    found = background_parts.compute("agreement", background_parts.Analysis(at.read(*paths)))
    assert [row["measure"] for row in found["rows"]] == ["boundary_agreement"]
