"""Downloads: what arrives is checked, what is cut is continued, and every fault is one line."""

import errno
import os
from hashlib import sha1, sha256

import pytest

from arbitree.errors import ArbitreeError
from arbitree.reproduction import fetching
from arbitree.reproduction.sources import Origin
from tests.support.public_files import serving

CONTENT = bytes(range(256)) * 1000
SUM = sha256(CONTENT).hexdigest()


@pytest.fixture
def server(monkeypatch):
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    with serving() as found:
        found.files["file"] = CONTENT
        yield found


def fetch(server, target, path="file", **options):
    fetching.fetch(f"{server.address}/{path}", target, **options)


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_arrives_with_its_directory_and_nothing_else(server, tmp_path):
    fetch(server, tmp_path / "new" / "file", size=len(CONTENT), checksum=SUM)
    assert (tmp_path / "new" / "file").read_bytes() == CONTENT
    assert left(tmp_path / "new") == ["file"]


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_a_cut_connection_is_continued(server, tmp_path, size):
    server.cuts["file"] = [100_000, 60_000]
    fetch(server, tmp_path / "file", size=size, checksum=SUM)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert [each for _, each in server.asked] == [None, "bytes=100000-", "bytes=160000-"]


def test_a_later_call_continues_what_was_cut_three_times(server, tmp_path):
    server.cuts["file"] = [50_000, 50_000, 50_000]
    with pytest.raises(ArbitreeError, match=r"was cut 3 times .*Run the command again; it continues"):
        fetch(server, tmp_path / "file", checksum=SUM)
    assert left(tmp_path) == [".file.part"]
    fetch(server, tmp_path / "file", checksum=SUM)
    assert server.asked[-1] == ("file", "bytes=150000-")
    assert left(tmp_path) == ["file"]


def test_a_beginning_of_another_file_is_dropped(server, tmp_path):
    (tmp_path / ".file.part").write_bytes(b"other")
    fetch(server, tmp_path / "file", checksum=SUM)
    assert [each for _, each in server.asked] == ["bytes=5-", None]
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_beginning_is_not_continued_by_another_call_without_a_checksum(server, tmp_path):
    (tmp_path / ".file.part").write_bytes(b"other")
    fetch(server, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_beginning_that_is_longer_than_the_file_is_dropped(server, tmp_path):
    (tmp_path / ".file.part").write_bytes(CONTENT + b"more")
    fetch(server, tmp_path / "file", checksum=SUM)
    assert (tmp_path / "file").read_bytes() == CONTENT


@pytest.mark.parametrize(
    "expected",
    [{"checksum": "0" * 64}, {"size": 10}, {"size": len(CONTENT), "checksum": "git:0"}],
)
def test_another_file_is_refused_and_not_kept(server, tmp_path, expected):
    (tmp_path / "file").write_bytes(b"earlier")
    with pytest.raises(ArbitreeError, match="is not the expected one: its checksum or size differs"):
        fetch(server, tmp_path / "file", **expected)
    assert (tmp_path / "file").read_bytes() == b"earlier"
    assert left(tmp_path) == ["file"]


def test_the_name_that_git_gives_is_a_checksum(server, tmp_path):
    named = sha1(b"blob %d\0" % len(CONTENT) + CONTENT).hexdigest()
    fetch(server, tmp_path / "file", checksum=f"git:{named}")
    assert left(tmp_path) == ["file"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (404, "the server does not have .* Check that the repository is still public"),
        (403, r"the server answered 403 .* Try again later\.$"),
        (503, r"the server answered 503 .* Try again later\.$"),
        (400, r"the server answered 400 .* Check the address\.$"),
    ],
)
def test_a_refusal_is_one_line(server, tmp_path, code, message):
    server.codes["file"] = code
    with pytest.raises(ArbitreeError, match=message) as caught:
        fetch(server, tmp_path / "file")
    assert "\n" not in str(caught.value)
    assert left(tmp_path) == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES])
def test_a_full_disk_leaves_nothing(server, tmp_path, monkeypatch, code):
    def write(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(ArbitreeError, match=r"cannot write the file .* choose another directory with cache"):
        fetch(server, tmp_path / "file", checksum=SUM)
    monkeypatch.undo()
    assert left(tmp_path) == []


def test_a_proxy_is_used(server, tmp_path, monkeypatch):
    monkeypatch.setenv("http_proxy", server.address)
    server.files["file.txt"] = b"through a proxy"
    fetching.fetch("http://files.invalid/file.txt", tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"through a proxy"


def test_a_proxy_that_refuses_is_named_without_its_password(tmp_path, monkeypatch):
    with serving() as closed:
        port = closed.server_port
    monkeypatch.setenv("http_proxy", f"http://me:secret@127.0.0.1:{port}")
    with pytest.raises(ArbitreeError, match=r"the proxy .* refuses the connection .*HTTPS_PROXY") as caught:
        fetching.fetch("http://files.invalid/file", tmp_path / "file")
    assert "secret" not in str(caught.value)
    assert not isinstance(caught.value, fetching.Unreachable)


def test_a_proxy_that_asks_for_a_password_is_named(server, tmp_path, monkeypatch):
    monkeypatch.setenv("http_proxy", server.address)
    server.codes["file"] = 407
    with pytest.raises(ArbitreeError, match="needs a name and a password"):
        fetching.fetch("http://files.invalid/file", tmp_path / "file")


def test_a_server_that_is_not_there_cannot_be_reached(server, tmp_path):
    with serving() as closed:
        pass
    with pytest.raises(fetching.Unreachable, match=r"cannot reach 127\.0\.0\.1:"):
        fetch(closed, tmp_path / "file")


def test_a_list_of_files_has_sizes_and_names_of_git(server, monkeypatch):
    monkeypatch.setenv("ARBITREE_SOURCES", server.address)
    server.files |= {
        "me/trees/abc/data/it/one": b"1",
        "me/trees/abc/data/it/x/two": b"22",
        "me/trees/abc/c": b"",
    }
    found = fetching.listing(Origin("me/trees", "abc", "data/it"))
    assert [(path, size) for path, size, _ in found] == [("data/it/one", 1), ("data/it/x/two", 2)]


@pytest.mark.parametrize(
    "path", ["data/it/../../../evil", "data/it//evil", "data/it/C:\\evil", "data/it/a\\..\\evil"]
)
def test_a_list_with_a_path_that_leaves_its_directory_is_refused(server, monkeypatch, path):
    monkeypatch.setenv("ARBITREE_SOURCES", server.address)
    server.files[f"me/trees/abc/{path}"] = b"1"
    with pytest.raises(ArbitreeError, match="is not the path of a file below a directory"):
        fetching.listing(Origin("me/trees", "abc", "data/it"))


def test_an_answer_that_is_not_a_list_is_refused(server, monkeypatch):
    monkeypatch.setenv("ARBITREE_SOURCES", server.address)
    with pytest.raises(ArbitreeError, match=r"is not complete\. Try again later"):
        fetching.listing(Origin("me/trees", "abc", "data/it"))
