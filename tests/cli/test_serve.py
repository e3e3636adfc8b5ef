"""The command that starts the web app."""

import httpx
import pytest

from arbitree.reading.inputs import Reading
from arbitree.web.project.project import open_project
from tests.support.commands import arbitree
from tests.support.web.serving import DEPENDENCY, Server


def test_the_keyboard_stops_it_and_nothing_is_an_error(tmp_path):
    server = Server(*DEPENDENCY, project=tmp_path / "project")
    assert httpx.get(server.link).status_code == 200
    code, said = server.interrupt()
    assert code == 0
    assert said.splitlines()[-1] == "Server stopped. All decisions are saved."
    assert "Traceback" not in said


def test_behind_a_proxy_the_link_of_the_owner_has_its_address(tmp_path):
    url = "https://study.example.org"
    server = Server(*DEPENDENCY, project=tmp_path / "project", options=["--public", url])
    server.stop()
    assert server.link.startswith(f"{url}/enter/")


def test_the_folder_alone_is_served_as_it_was_before(tmp_path):
    first = Server(*DEPENDENCY, project=tmp_path / "project", options=["--title", "Gulls", "--one-root"])
    first.stop()
    project = open_project(None, tmp_path / "project")
    with project.store:
        assert (project.title, project.one_root, project.preselect) == ("Gulls", True, False)


def test_another_name_of_the_owner_is_ignored_with_a_warning(tmp_path):
    assert "--owner" not in Server(*DEPENDENCY, project=tmp_path / "project").stop()
    again = Server(*DEPENDENCY, project=tmp_path / "project", options=["--owner", "Ada"])
    assert "warning: --owner is ignored: the owner of this project is 'Olga'" in again.stop()


def test_decisions_that_are_elsewhere_are_not_begun_anew(tmp_path):
    database = f"sqlite:///{tmp_path}/elsewhere.sqlite"
    with open_project(Reading(tuple(map(str, DEPENDENCY))), tmp_path / "project", database=database).store:
        pass
    for inputs in ([tmp_path / "project"], [*DEPENDENCY, "--project", tmp_path / "project"]):
        done = arbitree("serve", *inputs, "--no-browser", "--port", "0")
        assert done.returncode == 2
        assert "elsewhere.sqlite. Pass its URL with --database" in done.stderr.decode()


def test_an_empty_folder_is_said_to_hold_no_project(tmp_path):
    done = arbitree("serve", tmp_path, "--no-browser", "--port", "0")
    assert done.returncode == 2
    assert "not a project directory. Pass one file per annotator" in done.stderr.decode()


@pytest.mark.parametrize("host", ["192.0.2.1", "256.256.256.256"])
def test_an_address_of_another_machine_is_not_blamed_on_the_port(tmp_path, host):
    done = arbitree("serve", *DEPENDENCY, "--host", host, "--port", "0", "--project", tmp_path / "project")
    assert done.returncode == 2
    assert "--host" in done.stderr.decode()


@pytest.mark.parametrize("url", ["study.example.org", "https://", "https://study.example.org/app", "ftp://x"])
def test_what_is_no_public_address_is_refused(tmp_path, url):
    done = arbitree("serve", *DEPENDENCY, "--public", url, "--port", "0", "--project", tmp_path / "project")
    assert done.returncode == 2
    assert "is not a valid URL. Write it as https://study.example.org" in done.stderr.decode()
