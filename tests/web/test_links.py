"""The page on which links are made says who can open them."""

import pytest
from starlette.testclient import TestClient

from arbitree.web.security import LOOPBACK
from tests.support.web.opened import app_of, visitor

NOT_HERE = "Other people cannot open links"


def people(project, base="http://127.0.0.1:8765", **options):
    """Return the page of people as the owner sees it at *base*, and the page with a new link."""
    ada = visitor(project)
    client = TestClient(app_of(project, **options))
    headers = {
        "Cookie": f"arbitree={ada.cookies['arbitree']}",
        "X-CSRF-Token": ada.headers["X-CSRF-Token"],
        "Host": base.removeprefix("http://"),  # many versions of the client cannot open http://[::1]
    }
    sent = {"name": "Bea", "role": "adjudicator"}
    page = client.get("/people", headers=headers)
    made = client.post("/people", data=sent, headers=headers)
    assert (page.status_code, made.status_code) == (200, 200)
    return page.text, made.text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_a_server_for_this_computer_says_that_others_cannot_open_links(project, host):
    for text in people(project, f"http://{host}:8765", hosts=LOOPBACK):
        assert text.count(NOT_HERE) == 1
        assert "this computer only" in text
        assert "--public https://study.example.org" in text
        assert "--host ADDRESS" in text


def test_behind_a_proxy_others_can_open_links(project):
    hosts = [*LOOPBACK, "study.example.org"]
    for text in people(project, hosts=hosts, public="https://study.example.org"):
        assert NOT_HERE not in text


def test_in_a_network_others_can_open_links(project):
    for text in people(project, "http://192.168.7.9:8765"):
        assert NOT_HERE not in text


def test_a_link_made_under_the_address_of_this_computer_is_good_here_only(project):
    """Though the server listens on other addresses too."""
    for text in people(project):
        assert text.count(NOT_HERE) == 1
        assert "Open the page under the address of this computer in the network" in text
        assert "--host" not in text
