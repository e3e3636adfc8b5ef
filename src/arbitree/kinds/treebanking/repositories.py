"""Checkout from and commit to Subversion or git, through the clients that are installed.

No password is ever asked for, read or stored here: clients use what their own user set up for them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from arbitree.errors import ArbitreeError, FormatError, Source, StudyError

TIMEOUT = 600  # seconds for one command of a client
SVN = ("svn", "--non-interactive", "--no-auth-cache")
GIT = ("git", "-c", "core.askPass=", "-c", "credential.interactive=false")
_CREDENTIALS = re.compile(r"//[^/@\s]+:[^/@\s]*@")


def client_of(url: str) -> tuple[str, str]:
    """Return ``svn`` or ``git``, and the address that this client is to be given.

    Example:
        >>> client_of("svn+https://svn.example.org/gold"), client_of("https://example.org/gold.git")
        (('svn', 'https://svn.example.org/gold'), ('git', 'https://example.org/gold.git'))
    """
    if _CREDENTIALS.search(url):
        shown = _CREDENTIALS.sub("//…@", url)
        hint = "Leave the password out; set up the client so that it needs none on the command line"
        raise StudyError(f"the address {shown} holds a password", hint=hint)
    if url.startswith("-"):
        raise StudyError(f"{url!r} is no address", hint="Give the address of a repository")
    for prefix in ("git+", "svn+"):
        if url.startswith(prefix) and not url.startswith("svn+ssh:"):
            return prefix[:3], url[4:]
    if url.startswith(("svn:", "svn+ssh:")):
        return "svn", url
    if url.startswith(("git:", "git@", "ssh:")) or url.removesuffix("/").endswith(".git"):
        return "git", url
    place = Path(url.removeprefix("file://"))
    if (place / "format").is_file() and (place / "db").is_dir():
        return "svn", place.resolve().as_uri()
    if (place / "HEAD").is_file() or (place / ".git").exists():
        return "git", str(place.resolve())
    if url.startswith("file:"):  # a folder inside a Subversion repository is no folder on disk
        return "svn", url
    hint = "Write svn+https://... or git+https://..., or the path of a local repository"
    raise StudyError(f"cannot tell what kind of repository {url} is", hint=hint)


def check_out(url: str, target: str) -> str:
    """Bring the repository at *url* into the directory *target*: whole, or not at all.

    A working copy that is there already is brought up to date.

    Returns:
        What was done, in words.
    """
    kind, address = client_of(url)
    folder = Path(target)
    if (folder / f".{kind}").exists():
        _check_origin(kind, folder, address)
        command = [*SVN, "update", "--quiet"] if kind == "svn" else [*GIT, "pull", "--ff-only", "--quiet"]
        _run(command, folder, url)
        return f"updated {target} from {url}"
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        hint = "Give an empty or new directory with --root"
        raise StudyError(f"this is not a working copy of {url}", Source(target), hint=hint)
    if not folder.resolve().parent.is_dir():
        raise StudyError("there is no such directory to check out into", Source(target), hint="Make it first")
    with tempfile.TemporaryDirectory(prefix=".checkout-", dir=folder.parent) as scratch:
        fresh = Path(scratch, "copy")
        if kind == "svn":
            _run([*SVN, "checkout", "--quiet", address, str(fresh)], Path(scratch), url)
        else:
            _run([*GIT, "clone", "--quiet", "--", address, str(fresh)], Path(scratch), url)
        if folder.exists():
            folder.rmdir()
        shutil.move(fresh, folder)
    return f"checked out {url} into {target}"


def _check_origin(kind: str, folder: Path, address: str) -> None:
    """Raise StudyError if a working copy is of another repository."""
    asked = ["info", "--show-item", "url"] if kind == "svn" else ["remote", "get-url", "origin"]
    found = _run([*(SVN if kind == "svn" else GIT), *asked], folder, str(folder)).strip()
    if unquote(found).rstrip("/") != unquote(address).rstrip("/"):
        hint = "Give another directory with --root"
        raise StudyError(f"this is a working copy of {found}", Source(str(folder)), hint=hint)


def check_in(paths: Sequence[str], message: str) -> str:
    """Commit *paths*, which lie in one working copy, and nothing else; git pushes too.

    Returns:
        What was done, in words.
    """
    files = [Path(path).resolve() for path in paths]
    kind, top = _working_copy(files[0])
    for each in files:
        if _working_copy(each) != (kind, top):
            raise StudyError(
                "not in the working copy of the others", Source(str(each)), hint="Give one folder"
            )
    names = [str(each.relative_to(top)) for each in files]
    if kind == "svn":
        _run([*SVN, "add", "--quiet", "--force", "--parents", "--", *names], top, str(top))
        _run([*SVN, "commit", "--quiet", "-m", message, "--", *names], top, str(top))
        return f"committed {', '.join(names)}"
    _run([*GIT, "add", "--", *names], top, str(top))
    if _run([*GIT, "status", "--porcelain", "--", *names], top, str(top)) == "":
        return f"nothing to commit: {', '.join(names)} did not change"
    _run([*GIT, "commit", "--quiet", "-m", message, "--", *names], top, str(top))
    try:
        _run([*GIT, "push", "--quiet", "origin", "HEAD"], top, str(top))
    except ArbitreeError:
        _run([*GIT, "reset", "--quiet", "--soft", "HEAD~1"], top, str(top))  # no commit that nobody sees
        raise
    return f"committed and pushed {', '.join(names)}"


def check_committable(paths: Sequence[str]) -> None:
    """Raise StudyError unless *paths* are to be written inside a working copy, before any work is done."""
    if not paths:
        raise StudyError("there is nothing to commit", hint="Name a file to write with --output")
    for path in paths:
        _working_copy(Path(path).resolve())


def _working_copy(path: Path) -> tuple[str, Path]:
    for folder in path.parents:
        for kind in ("svn", "git"):
            if (folder / f".{kind}").exists():
                return kind, folder
    hint = "Write into the folder that was checked out, for instance --output ROOT/report.xlsx"
    raise StudyError("this file is in no working copy of svn or git", Source(str(path)), hint=hint)


def _run(command: Sequence[str], folder: Path, about: str) -> str:
    """Run a client without a terminal to ask on; return what it printed."""
    if shutil.which(command[0]) is None:
        raise StudyError(f"{command[0]} is not installed", hint=f"Install {command[0]}, or check out by hand")
    environment = os.environ | {"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS": "", "LC_ALL": "C.UTF-8"}
    environment.setdefault("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")
    environment.setdefault("SVN_SSH", "ssh -oBatchMode=yes")
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        hint = "Check the network, or check out by hand"
        raise StudyError(
            f"{command[0]} did not answer for {TIMEOUT} seconds about {about}", hint=hint
        ) from None
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        said = next((line for line in lines if line.startswith(("svn: E", "fatal:", "error:"))), None)
        reason = said or (lines[-1] if lines else f"exit code {done.returncode}")
        hint = "Check the address and your rights; nothing was changed"
        raise FormatError(
            f"{command[0]} failed ({_CREDENTIALS.sub('//…@', reason)})", Source(about), hint=hint
        )
    return done.stdout


__all__ = ["check_committable", "check_in", "check_out", "client_of"]
