"""Checkout and commit through the real clients, on repositories made for the test."""

import json
import os
import shutil
import subprocess

import pytest
from typer.testing import CliRunner

from arbitree.cli import app
from arbitree.errors import StudyError
from arbitree.kinds.treebanking.repositories import client_of
from tests.support.profiles import small
from tests.support.system import missing

needs_svn = pytest.mark.skipif(shutil.which("svnadmin") is None, reason=missing("subversion"))
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def run(*arguments, code=0):
    done = CliRunner().invoke(app, ["tsdb", *map(str, arguments), "--resamples", "0"])
    assert done.exit_code == code, done.output
    return done


def shell(*command, cwd=None):
    return subprocess.run(list(map(str, command)), cwd=cwd, check=True, capture_output=True, text=True).stdout


def profiles(folder):
    for coder in ("ann", "bob"):
        small(folder / coder, name="news-1")
    return folder


@pytest.fixture
def svn(tmp_path):
    repository = tmp_path / "repository"
    shell("svnadmin", "create", repository)
    shell("svn", "import", "-q", "-m", "start", profiles(tmp_path / "start"), f"file://{repository}/trunk")
    return repository


@pytest.fixture
def git(tmp_path, monkeypatch):
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "Test")
        monkeypatch.setenv(f"{name}_EMAIL", "test@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    start, bare = profiles(tmp_path / "start"), tmp_path / "gold.git"
    shell("git", "init", "-q", "-b", "trunk", cwd=start)
    shell("git", "add", ".", cwd=start)
    shell("git", "commit", "-q", "-m", "start", cwd=start)
    shell("git", "clone", "-q", "--bare", start, bare)
    return bare


@needs_svn
def test_checkout_report_and_commit_with_subversion(svn, tmp_path):
    work = tmp_path / "work"
    url = f"file://{svn}/trunk"
    done = run("--checkout", url, "--root", work, "-o", work / "ann" / "report.json")
    assert f"Checked out {url}" in done.stderr
    assert "report.json" not in shell("svn", "list", "-R", url)
    done = run("--checkout", url, "--root", work, "-o", work / "report.json", "--commit")
    assert "Updated" in done.stderr
    assert "Committed report.json" in done.stderr
    assert "report.json" in shell("svn", "list", "-R", url).split()
    assert "ann/report.json" not in shell("svn", "list", "-R", url).split()  # nothing else is committed
    assert json.loads(shell("svn", "cat", f"{url}/report.json"))["results"][0]["measure"] == "y_option_kappa"
    run("--root", work, "-o", work / "report.json", "--commit")


@needs_git
def test_checkout_report_and_commit_with_git(git, tmp_path):
    work = tmp_path / "work"
    done = run("--checkout", git, "--root", work, "-o", work / "report.json", "--commit")
    assert "Checked out" in done.stderr
    assert "Committed and pushed report.json" in done.stderr
    assert "report.json" in shell("git", "ls-tree", "-r", "--name-only", "trunk", cwd=git).split()
    done = run("--checkout", git, "--root", work, "-o", work / "other.json")
    assert "Updated" in done.stderr


@needs_git
def test_a_push_that_fails_leaves_no_commit_behind(git, tmp_path):
    work = tmp_path / "work"
    run("--checkout", git, "--root", work)
    before = shell("git", "rev-parse", "HEAD", cwd=work)
    shutil.rmtree(git)
    done = run("--root", work, "-o", work / "report.json", "--commit", code=2)
    assert "git failed" in done.stderr
    assert shell("git", "rev-parse", "HEAD", cwd=work) == before
    assert (work / "report.json").exists()


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("svn+file:///nowhere/at/all", marks=needs_svn),
        pytest.param("git+file:///nowhere/at/all", marks=needs_git),
        pytest.param("svn://127.0.0.1:9/gold", marks=needs_svn),
    ],
)
def test_a_repository_that_cannot_be_reached_is_one_line_and_no_folder(tmp_path, url):
    done = run("--checkout", url, "--root", tmp_path / "work", code=2)
    assert "Nothing was changed" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@needs_git
def test_a_working_copy_of_another_repository_is_left_alone(git, tmp_path):
    work = tmp_path / "work"
    run("--checkout", git, "--root", work)
    other = tmp_path / "other.git"
    shell("git", "clone", "-q", "--bare", git, other)
    done = run("--checkout", other, "--root", work, code=2)
    assert f"working copy of {git}" in done.stderr


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "thesis.txt").write_text("mine", encoding="utf-8")
    done = run("--checkout", "svn://example.org/gold", "--root", tmp_path / "work", code=2)
    assert "not a working copy" in done.stderr


def test_a_report_outside_a_working_copy_is_not_committed(tmp_path):
    root = profiles(tmp_path / "plain")
    done = run("--root", root, "-o", root / "report.json", "--commit", code=2)
    assert "not in a working copy" in done.stderr
    assert not (root / "report.json").exists()


def test_a_missing_client_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run("--checkout", "svn://example.org/gold", "--root", tmp_path / "work", code=2)
    assert "svn is not installed" in done.stderr
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("svn+ssh://host/gold", "svn"),
        ("svn+https://host/gold", "svn"),
        ("git+https://host/gold", "git"),
        ("git@host:gold", "git"),
        ("https://host/gold.git", "git"),
    ],
)
def test_addresses_tell_the_client(url, kind):
    assert client_of(url)[0] == kind


@pytest.mark.parametrize("url", ["https://me:secret@host/gold.git", "svn+https://me:secret@host/gold"])
def test_an_address_with_a_password_is_refused_and_not_shown(url):
    with pytest.raises(StudyError, match="contains a password") as caught:
        client_of(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["https://host/gold", "--upload-pack=x"])
def test_an_address_that_tells_nothing_is_refused(url):
    with pytest.raises(StudyError):
        client_of(url)
