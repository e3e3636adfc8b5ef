"""A server of files on 127.0.0.1, as public repositories serve them, and lists of these files."""

import json
import threading
from contextlib import contextmanager
from hashlib import sha1, sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from arbitree.reproduction import sources

COMMIT, OTHER = "a" * 40, "b" * 40


class Server(ThreadingHTTPServer):
    """Files by path, and what goes wrong with them."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {}
        self.cuts = {}  # by path: how many bytes each answer sends before the connection ends
        self.codes = {}  # by path: the code of an answer without content
        self.asked = []  # paths and ranges

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    """Answers with files, parts of files and lists of files."""

    def do_GET(self):
        server, path = self.server, unquote(urlsplit(self.path).path).lstrip("/")
        server.asked.append((path, self.headers.get("Range")))
        content = self._listing(path) if path.startswith("repos/") else server.files.get(path)
        code = server.codes.get(path) or (200 if content is not None else 404)
        if code != 200:
            self.send_error(code)
            return
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").removesuffix("-"))
        if start >= len(content) > 0:
            self.send_error(416)
            return
        rest = content[start:]
        self.send_response(206 if "Range" in self.headers else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        cuts = server.cuts.get(path, [])
        self.wfile.write(rest[: cuts.pop(0)] if cuts else rest)

    def _listing(self, path):
        """As the list of a repository at a commit."""
        _, owner, name, _, _, commit = path.split("/")
        start = f"{owner}/{name}/{commit}/"
        found = [
            {
                "path": each.removeprefix(start),
                "type": "blob",
                "size": len(content),
                "sha": sha1(b"blob %d\0" % len(content) + content).hexdigest(),
            }
            for each, content in self.server.files.items()
            if each.startswith(start)
        ]
        return json.dumps({"tree": found, "truncated": False}).encode()

    def log_message(self, *_):
        pass


@contextmanager
def serving():
    """Run the server until the end of the block."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def listed(folder, releases, files):
    """Write the two lists of files to *folder*.

    Args:
        folder: A directory.
        releases: By name: paper, repository, path, target directory, and the commit to cut with, if any.
        files: By release and name: the content, or None if its checksum is not known.
    """
    rows = ["release\tpaper\trepository\tcommit\tpath\tfolder\tcut\tlicence"]
    for name, (paper, repository, path, target, *cut) in releases.items():
        commit = cut[0] if len(cut) > 1 else COMMIT
        rows.append(
            "\t".join((name, paper, repository, commit, path, target, cut[-1] if cut else "", "free"))
        )
    (folder / "releases.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    rows = ["release\tfile\tbytes\tsha256"]
    for (release, name), content in files.items():
        known = ["", ""] if content is None else [str(len(content)), sha256(content).hexdigest()]
        rows.append("\t".join((release, name, *known)))
    (folder / "files.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


@contextmanager
def instead(folder, monkeypatch):
    """Use the lists in *folder*."""
    monkeypatch.setattr(sources, "HERE", folder)
    clear()
    try:
        yield
    finally:
        clear()


def clear():
    """Read the lists again."""
    sources.releases.cache_clear()
    sources.files.cache_clear()
