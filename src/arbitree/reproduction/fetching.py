"""Downloads from public repositories: checked, resumed after a cut, and never half-written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha1, sha256
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, build_opener, getproxies, proxy_bypass

import arbitree
from arbitree.errors import ArbitreeError, Source
from arbitree.files import appending, make_directory, write_whole
from arbitree.reproduction.sources import Origin, check_inside

RAW = "https://raw.githubusercontent.com"  # files of a repository at a commit
LISTINGS = "https://api.github.com"  # names of these files
SOURCES = "ARBITREE_SOURCES"  # environment variable: another server with both
TIMEOUT = 30.0  # seconds without an answer
TRIES = 3
BLOCK = 1 << 16
LARGEST = 1 << 26  # bytes of a file whose size is not known
AGAIN = "Run the command again; it continues where it stopped"
ELSEWHERE = "Check the space and permissions there, or choose another directory with --cache"


class Unreachable(ArbitreeError):
    """The server cannot be reached."""


class Absent(ArbitreeError):
    """The server does not have the file."""


class _Cut(Exception):
    """The connection ended before the file was complete."""


class _Stale(_Cut):
    """What is there cannot be continued."""


def address(origin: Origin) -> str:
    """Return the address of a file."""
    return f"{_server(RAW)}/{quote(str(origin))}"


def fetch(url: str, target: Path, *, size: int | None = None, checksum: str = "") -> None:
    """Download a file to *target*, completely or not at all.

    What a cut connection left is continued by the next call. *checksum* is that of SHA-256, or ``git:`` with
    the name that git gives to the content.

    Raises:
        Unreachable: If there is no connection to the server.
        Absent: If the server does not have the file.
        ArbitreeError: If the file is incomplete or not the expected one, or cannot be written.
    """
    part = target.with_name(f".{target.name}.part")
    if not checksum:  # what is there may belong to another state of the file
        part.unlink(missing_ok=True)
    for _ in range(TRIES):
        begun = part.exists()
        try:
            _download(url, part, size)
        except _Cut as cut:
            reason = str(cut)
            if isinstance(cut, _Stale):
                part.unlink(missing_ok=True)
            continue
        content = part.read_bytes()
        if _is_expected(content, size, checksum):
            write_whole(target, content, hint=ELSEWHERE)
            part.unlink()
            return
        part.unlink()
        if not begun:  # otherwise its beginning may be that of another file
            what = f"the file from {url} is not the expected one: its checksum or size differs"
            hint = "Try again later; the server or a proxy may have sent another page"
            raise ArbitreeError(what, Source(str(target)), hint=hint)
        reason = "the file was not the expected one"
    raise ArbitreeError(f"the connection to {url} was cut {TRIES} times ({reason})", hint=AGAIN)


def listing(origin: Origin) -> list[tuple[str, int, str]]:
    """Return the files below the directory *origin*: path in the repository, size, and name in git."""
    url = f"{_server(LISTINGS)}/repos/{quote(origin.repository)}/git/trees/{quote(origin.commit)}?recursive=1"
    with _opened(url) as response:
        content = response.read(LARGEST)
    try:
        found = json.loads(content)
        entries = [
            (str(each["path"]), int(each["size"]), f"git:{each['sha']}")
            for each in found["tree"]
            if each["type"] == "blob" and str(each["path"]).startswith(f"{origin.path}/")
        ]
        complete = not found.get("truncated")
    except (ValueError, KeyError, TypeError, AttributeError):
        entries, complete = [], False
    if not entries or not complete:
        raise ArbitreeError(f"the list of files from {url} is not complete", hint="Try again later")
    for path, _, _ in entries:
        check_inside(path)
    return entries


def _server(usual: str) -> str:
    return (os.environ.get(SOURCES) or usual).rstrip("/")


def checksum_of(content: bytes) -> str:
    """Return the SHA-256 checksum of a file."""
    return sha256(content).hexdigest()


def _is_expected(content: bytes, size: int | None, checksum: str) -> bool:
    if size is not None and len(content) != size:
        return False
    if checksum.startswith("git:"):
        named = sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
        return checksum == f"git:{named.hexdigest()}"
    return not checksum or checksum == checksum_of(content)


def _download(url: str, part: Path, size: int | None) -> None:
    """Continue the download to *part*, or begin it; raise _Cut if it is not complete."""
    start = part.stat().st_size if part.exists() else 0
    if start and size is not None and start >= size:
        return  # complete, or too long; the checksum tells
    headers = {"Range": f"bytes={start}-"} if start else {}
    with _opened(url, headers) as response:
        continued = start and response.status == 206
        got = start if continued else 0
        length = response.headers.get("Content-Length")
        expected = got + int(length) if length and length.isdigit() else size
        make_directory(part.parent, hint=ELSEWHERE)
        with appending(part, fresh=not continued, hint=ELSEWHERE) as append:
            for block in _blocks(response):
                got += len(block)
                if got > (size if size is not None else LARGEST):
                    return  # the checksum or size will differ
                append(block)
        if expected is not None and got < expected:
            raise _Cut(f"{got:,} of {expected:,} bytes arrived")


def _blocks(response: IO[bytes]) -> Iterator[bytes]:
    try:
        while block := response.read(BLOCK):
            yield block
    except (HTTPException, OSError) as error:
        raise _Cut(str(error) or type(error).__name__) from None


@contextmanager
def _opened(url: str, headers: dict[str, str] | None = None) -> Iterator[Any]:
    """Open an address; raise errors that say what to do."""
    usual = {"User-Agent": f"arbitree/{arbitree.__version__}", "Accept-Encoding": "identity"}
    request = Request(url, headers=usual | (headers or {}))
    try:
        response = build_opener().open(request, timeout=TIMEOUT)
    except HTTPError as error:
        with error:
            raise _refused(url, error) from None
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        raise _unreachable(url, reason) from None
    with response:
        yield response


def _refused(url: str, error: HTTPError) -> Exception:
    """Return what to raise for an answer that is not the file."""
    if error.code == 416:  # the file is shorter than what was there
        return _Stale("the server cannot continue the file")
    if error.code in (404, 410):
        hint = "Check that the repository is still public; another copy can be put there by hand"
        return Absent(f"the server does not have {url}", hint=hint)
    if error.code == 407:
        return ArbitreeError(f"the proxy {_proxy(url)} needs a name and a password", hint=_PROXY)
    hint = "Try again later" if error.code in (403, 429) or error.code >= 500 else "Check the address"
    return ArbitreeError(f"the server answered {error.code} ({error.reason}) for {url}", hint=hint)


_PROXY = "Check the environment variables HTTPS_PROXY and HTTP_PROXY"


def _unreachable(url: str, reason: object) -> ArbitreeError:
    """Return the error for a server that cannot be reached, or a proxy that does not let us."""
    why = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    proxy = _proxy(url)
    if proxy:
        return ArbitreeError(f"the proxy {proxy} refuses the connection ({why})", hint=_PROXY)
    hint = "Connect to the internet, or download the files by hand"
    return Unreachable(f"cannot reach {urlsplit(url).netloc} ({why})", hint=hint)


def _proxy(url: str) -> str:
    """Return the proxy for an address, without a password; an empty string if there is none."""
    parts = urlsplit(url)
    found = getproxies().get(parts.scheme, "")
    if not found or proxy_bypass(parts.hostname or ""):
        return ""
    return found.rpartition("@")[2] if "@" in found else found
