"""``arbitree demo``: example files, a table, a report."""

from pathlib import Path

import pytest

from arbitree.paths import examples_folder
from tests.support.commands import arbitree

EXAMPLES = Path(__file__).parents[2] / "examples"


def files_in(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def done(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return arbitree("demo")


def test_the_demo_copies_the_examples_prints_a_table_and_writes_a_report(done, tmp_path):
    assert done.returncode == 0
    assert "alpha_plain" in done.stdout.decode()
    folder = tmp_path / "arbitree-demo"
    assert files_in(folder / "examples") == files_in(EXAMPLES)
    assert "</html>" in (folder / "report" / "report.html").read_text(encoding="utf-8")


def test_the_demo_shows_its_commands_and_what_to_open_on_standard_error(done):
    said = done.stderr.decode()
    assert "$ arbitree agree examples/dependency/*.conllu" in said
    assert "run in this directory: cd arbitree-demo\n" in said
    assert "Open report/report.html in a browser" in said
    assert "$ arbitree serve examples/dependency/*.conllu" in said


def test_the_demo_can_be_repeated_and_leaves_the_directory_where_it_was(done, tmp_path):
    again = arbitree("demo")
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert Path.cwd() == tmp_path


def test_a_demo_in_a_directory_that_cannot_be_made_is_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    refused = arbitree("demo", "taken")
    assert refused.returncode == 2
    assert len(refused.stderr.decode().strip().splitlines()) == 1
    assert "arbitree demo DIR" in refused.stderr.decode()


def test_a_step_that_fails_ends_the_demo_with_its_exit_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("arbitree.cli.demo.STUDY", ["examples/nothing.conllu"])
    failed = arbitree("demo")
    assert failed.returncode == 2
    assert "Open report" not in failed.stderr.decode()


def test_the_examples_are_found_in_a_clone():
    assert (examples_folder() / "dependency" / "ann.conllu").exists()
