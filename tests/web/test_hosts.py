"""Host names in requests: which forms are read, and who is let in with them."""

import socket
from contextlib import closing

import httpx
import pytest
from starlette.testclient import TestClient

from arbitree.web.hosts import Host, belongs, parse_host, parse_url
from arbitree.web.security import LOOPBACK, GuardedApp
from tests.support.commands import arbitree
from tests.support.web.opened import app_of, visitor
from tests.support.web.serving import DEPENDENCY, serving

FORMS = {
    "127.0.0.1": Host("127.0.0.1"),
    "127.0.0.1:8765": Host("127.0.0.1", 8765),
    "localhost": Host("localhost"),
    "LocalHost:80": Host("localhost", 80),
    "localhost:00080": Host("localhost", 80),
    "[::1]": Host("[::1]"),
    "[::1]:8765": Host("[::1]", 8765),
    "[0:0:0:0:0:0:0:1]:8765": Host("[::1]", 8765),
    "[2001:DB8::A]": Host("[2001:db8::a]"),
    "[::ffff:127.0.0.1]": Host("[::ffff:7f00:1]"),
    "study.example.org": Host("study.example.org"),
    "xn--bcher-kva.example:65535": Host("xn--bcher-kva.example", 65535),
    "my_machine": Host("my_machine"),
}
NONE = [
    "",
    " ",
    ":",
    ":8765",
    "@",
    "@127.0.0.1",
    "127.0.0.1@",
    "127.0.0.1@evil.example",
    "127.0.0.1:8765@evil.example",
    "127.0.0.1:8765@evil.example:8765",
    "user:secret@127.0.0.1",
    "127.0.0.1:",
    "127.0.0.1:0",
    "127.0.0.1:65536",
    "127.0.0.1:999999",
    "127.0.0.1:-1",
    "127.0.0.1:+80",
    "127.0.0.1:8 765",
    "127.0.0.1:8_765",
    "127.0.0.1:80:80",
    "127.0.0.1:http",
    "127.0.0.1:٨٠",
    "127.0.0.1:²",
    "127.0.0.1:0x50",
    " 127.0.0.1",
    "127.0.0.1 ",
    "127.0.0.1\t",
    "127.0.0.1\n",
    "127.0.0.1\x00",
    "127.0.0.1,evil.example",
    "127.0.0.1 evil.example",
    "127.0.0.1;evil.example",
    "127.0.0.1/evil.example",
    "127.0.0.1?evil.example",
    "127.0.0.1#evil.example",
    "127.0.0.1\\evil.example",
    "127.0.0.1%00.evil.example",
    "%3127.0.0.1",
    "127.0.0.1.",
    "localhost.",
    "localhost.:8765",
    ".localhost",
    "local..host",
    "http://127.0.0.1",
    "//127.0.0.1",
    "*",
    "::1",
    "::1:8765",
    "[::1",
    "::1]",
    "[]",
    "[]:80",
    "[127.0.0.1]",
    "[localhost]",
    "[::1]]",
    "[[::1]]",
    "[::1]evil.example",
    "[::1]@evil.example",
    "[::1]:",
    "[::1]:80@evil.example",
    "[::1].evil.example",
    "[::1%25eth0]",
    "[::1%lo]",
    "[v1.fe80]",
    "[:::1]",
    "[1:2:3:4:5:6:7:8:9]",
    "[::12345]",
    "lοcalhost",  # the second letter is Greek
    "localhoſt",  # lower() of an odd letter is a plain one in some alphabets
    "\u212a.example",  # the sign of the unit kelvin, whose lower case is a plain k
    "bücher.example",
    "a" * 256,
]


@pytest.mark.parametrize(("text", "host"), FORMS.items())
def test_hosts_are_read(text, host):
    assert parse_host(text) == host


@pytest.mark.parametrize("text", NONE)
def test_other_texts_are_no_hosts(text):
    assert parse_host(text) is None


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://127.0.0.1:8765", Host("127.0.0.1", 8765)),
        ("http://127.0.0.1", Host("127.0.0.1", 80)),
        ("HTTPS://Study.Example.org", Host("study.example.org", 443)),
        ("https://study.example.org/people?page=2#top", Host("study.example.org", 443)),
        ("https://study.example.org?x", Host("study.example.org", 443)),
        ("http://[::1]:8765/", Host("[::1]", 8765)),
        ("http://127.0.0.1:8765@evil.example/", None),
        ("http://127.0.0.1\\@evil.example", None),
        ("ftp://127.0.0.1:8765", None),
        ("file://", None),
        ("http://", None),
        ("http:///127.0.0.1", None),
        ("http:127.0.0.1", None),
        ("127.0.0.1:8765", None),
        ("javascript://127.0.0.1:8765", None),
        ("null", None),
        ("", None),
    ],
)
def test_urls_have_the_host_that_a_browser_would_go_to(url, host):
    assert parse_url(url) == host


@pytest.mark.parametrize(
    ("page", "header", "same"),
    [
        ("http://127.0.0.1:8765", "127.0.0.1:8765", True),
        ("http://LOCALHOST:8765/people", "localhost:8765", True),
        ("https://study.example.org", "study.example.org", True),
        ("https://study.example.org", "study.example.org:443", True),
        ("https://study.example.org:443", "study.example.org", True),
        ("http://study.example.org", "study.example.org:80", True),
        ("http://[::1]:8765", "[0::1]:8765", True),
        ("https://study.example.org", "study.example.org:80", False),
        ("http://study.example.org:8080", "study.example.org", False),
        ("http://127.0.0.1:9999", "127.0.0.1:8765", False),
        ("http://localhost:8765", "127.0.0.1:8765", False),
        ("http://127.0.0.1:8765@evil.example", "127.0.0.1:8765@evil.example", False),
        ("http://evil.example/http://127.0.0.1:8765", "127.0.0.1:8765", False),
        ("null", "null", False),
        ("", "", False),
    ],
)
def test_a_page_belongs_to_the_host_that_served_it(page, header, same):
    assert belongs(page, header) is same


@pytest.mark.parametrize("hosts", [LOOPBACK, None])
def test_hosts_that_are_none_are_refused_even_where_any_is_accepted(hosts):
    client = TestClient(GuardedApp(hosts=hosts), base_url="http://localhost")
    for text in filter(str.isascii, NONE):
        answer = client.get("/", headers={"Host": text})
        assert answer.status_code == 400, text
        assert "does not accept the host name" in answer.text


STRANGERS = [
    "http://evil.example/",
    "http://127.0.0.1:8765@evil.example/",
    "http://127.0.0.1:8765.evil.example/",
    "http://evil.example/http://127.0.0.1:8765/",
    "ftp://127.0.0.1:8765",
    "about:blank",
]


@pytest.mark.parametrize("name", ["Origin", "Referer"])
def test_a_page_of_another_site_cannot_make_anybody_leave(project, name):
    ada = visitor(project)
    for page in STRANGERS:
        assert ada.post("/leave", headers={name: page}).status_code == 403, page
    assert ada.get("/people").status_code == 200
    assert ada.post("/leave", headers={name: "http://127.0.0.1:8765"}).status_code == 303


def test_the_referer_does_not_count_where_there_is_an_origin(project):
    sent = {"Origin": "http://127.0.0.1:8765", "Referer": "http://evil.example/"}
    assert visitor(project).post("/leave", headers=sent).status_code == 303


def test_links_never_lead_to_the_name_after_the_at_sign(project):
    """The page of people writes the host of the request into the links that it makes."""
    client = TestClient(app_of(project), base_url="http://127.0.0.1:8765")
    ada = visitor(project)
    odd = {"Host": "127.0.0.1:8765@evil.example", "Cookie": f"arbitree={ada.cookies['arbitree']}"}
    assert client.get("/people", headers=odd).status_code == 400


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(*DEPENDENCY, project=tmp_path_factory.mktemp("hosts") / "project") as server:
        yield server


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["GET / HTTP/1.1", "Host: 127.0.0.1"], 401),
        (["GET / HTTP/1.1", "Host: 127.0.0.1@evil.example"], 400),
        (["GET / HTTP/1.1", "Host: evil.example"], 400),
        (["GET / HTTP/1.1", "Host: 127.0.0.1", "Host: 127.0.0.1"], 400),
        (["GET / HTTP/1.1", "Host:"], 400),
        (["GET / HTTP/1.1"], 400),
        (["GET / HTTP/1.0"], 400),
        (["GET http://evil.example/ HTTP/1.1", "Host: 127.0.0.1"], 400),
        (["GET http://127.0.0.1/ HTTP/1.1", "Host: evil.example"], 400),
        (["GET http://127.0.0.1/ HTTP/1.1", "Host: 127.0.0.1"], 400),
        (["GET evil.example HTTP/1.1", "Host: 127.0.0.1"], 400),
        (["OPTIONS * HTTP/1.1", "Host: 127.0.0.1"], 400),
        (["CONNECT evil.example:443 HTTP/1.1", "Host: 127.0.0.1"], 400),
        (["GET //evil.example/ HTTP/1.1", "Host: 127.0.0.1"], 404),
        (["GET / HTTP/1.1", "Host: 127.0.0.1", "X-Forwarded-Host: evil.example"], 401),
    ],
)
def test_requests_over_the_network_name_one_host(server, lines, status):
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=30)) as connection:
        connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"evil.example" not in answer


def test_without_a_proxy_a_client_cannot_choose_the_address_that_is_counted(server):
    with httpx.Client(base_url=server.address) as client:
        given = [client.get("/join/x", headers={"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(40)]
    assert given[-1].status_code == 429


@pytest.mark.parametrize("rest", ["user@study.example.org", "study.example.org:99999", "a.org?x", "a..org"])
def test_a_public_url_has_a_host_and_nothing_else(tmp_path, rest):
    url = f"https://{rest}"
    done = arbitree("serve", *DEPENDENCY, "--public", url, "--port", "0", "--project", tmp_path / "project")
    assert done.returncode == 2
    assert "is not a valid URL. Write it as https://study.example.org" in done.stderr.decode()
