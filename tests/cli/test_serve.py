"""The command that starts the web app."""

import httpx

from tests.web.serving import DEPENDENCY, Server


def test_the_keyboard_stops_it_and_nothing_is_an_error(tmp_path):
    server = Server(*DEPENDENCY, project=tmp_path / "project")
    assert httpx.get(server.link).status_code == 200
    code, said = server.interrupt()
    assert code == 0
    assert said.splitlines()[-1] == "stopped; all decisions are kept"
    assert "Traceback" not in said
