"""Checkout and commit by the user's own Subversion or git, which know the user's credentials; we never do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from arbitree.errors import ArbitreeError, FormatError, Source, StudyError

CLIENTS = {
    "svn": ("svn", "--non-interactive", "--no-auth-cache"),
    "git": ("git", "-c", "core.askPass=", "-c", "credential.interactive=false"),
}
_CREDENTIALS = re.compile(r"//[^/@\s]+:[^/@\s]*@")


def client_of(url: str) -> tuple[str, str]:
    """Return ``svn`` or ``git``, and the URL to pass to this client.

    Example:
        >>> client_of("svn+https://svn.example.org/gold"), client_of("https://example.org/gold.git")
        (('svn', 'https://svn.example.org/gold'), ('git', 'https://example.org/gold.git'))
    """
    if _CREDENTIALS.search(url):
        shown = _CREDENTIALS.sub("//…@", url)
        hint = "Remove the password and store it in the configuration of the client"
        raise StudyError(f"the URL {shown} contains a password", hint=hint)
    if url.startswith("-"):
        raise StudyError(f"{url!r} is not a valid URL", hint="Set --checkout to the URL of a repository")
    if url.startswith(("git+", "svn+")) and not url.startswith("svn+ssh:"):
        return url[:3], url[4:]
    if url.startswith(("svn:", "svn+ssh:")):
        return "svn", url
    if url.startswith(("git:", "git@", "ssh:")) or url.removesuffix("/").endswith(".git"):
        return "git", url
    place = Path(url.removeprefix("file://"))
    if (place / "HEAD").is_file() or (place / ".git").exists():
        return "git", str(place.resolve())
    if (place / "format").is_file():
        return "svn", place.resolve().as_uri()
    if url.startswith("file:"):  # a folder inside a Subversion repository is no folder on disk
        return "svn", url
    hint = "Write svn+https://... or git+https://..., or the path of a local repository"
    raise StudyError(f"cannot detect the type of the repository {url}", hint=hint)


def check_out(url: str, target: str) -> str:
    """Check out *url* into the directory *target*, or update the working copy there; return what was done."""
    kind, address = client_of(url)
    folder = Path(target)
    if (folder / f".{kind}").exists():
        asked = ("info", "--show-item", "url") if kind == "svn" else ("remote", "get-url", "origin")
        origin = _run(kind, *asked, folder=folder, about=target).strip()
        if unquote(origin).rstrip("/") != unquote(address).rstrip("/"):
            hint = "Set another directory with --root"
            raise StudyError(f"this is a working copy of {origin}", Source(target), hint=hint)
        update = ("update", "--quiet") if kind == "svn" else ("pull", "--ff-only", "--quiet")
        _run(kind, *update, folder=folder, about=url)
        return f"Updated {target} from {url}"
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        hint = "Set an empty or new directory with --root"
        raise StudyError(f"this is not a working copy of {url}", Source(target), hint=hint)
    if not folder.resolve().parent.is_dir():
        hint = "Create the directory"
        raise StudyError("the parent directory does not exist", Source(target), hint=hint)
    bring = ("checkout", "--quiet") if kind == "svn" else ("clone", "--quiet")
    try:
        _run(kind, *bring, "--", address, str(folder.resolve()), folder=folder.resolve().parent, about=url)
    except ArbitreeError:
        shutil.rmtree(folder, ignore_errors=True)  # it was empty or absent
        raise
    return f"Checked out {url} to {target}"


def check_in(paths: Sequence[str], message: str) -> str:
    """Commit *paths*, all in one working copy, and nothing else; git pushes too. Return what was done."""
    kind, top = _working_copy(paths[0])
    names = [os.path.relpath(Path(path).resolve(), top) for path in paths]

    def run(*arguments: str) -> str:
        return _run(kind, *arguments, folder=top, about=str(top))

    if kind == "svn":
        run("add", "--quiet", "--force", "--parents", "--", *names)
        run("commit", "--quiet", "-m", message, "--", *names)
        return f"Committed {', '.join(names)}"
    run("add", "--", *names)
    if run("status", "--porcelain", "--", *names) == "":
        return f"Nothing to commit: {', '.join(names)} did not change"
    run("commit", "--quiet", "-m", message, "--", *names)
    try:
        run("push", "--quiet", "origin", "HEAD")
    except ArbitreeError:
        run("reset", "--quiet", "--soft", "HEAD~1")  # no commit that nobody sees
        raise
    return f"Committed and pushed {', '.join(names)}"


def check_committable(paths: Sequence[str]) -> None:
    """Raise StudyError unless *paths* are to be written inside a working copy, before any work is done."""
    if not paths:
        raise StudyError("no file to commit", hint="Set a file to write with --output")
    for path in paths:
        _working_copy(path)


def _working_copy(path: str) -> tuple[str, Path]:
    for folder in Path(path).resolve().parents:
        for kind in CLIENTS:
            if (folder / f".{kind}").exists():
                return kind, folder
    hint = "Write to the directory that was checked out, for instance --output ROOT/report.xlsx"
    raise StudyError("this file is not in a working copy of svn or git", Source(path), hint=hint)


def _run(kind: str, *arguments: str, folder: Path, about: str) -> str:
    """Run a client without a terminal to ask on; return what it printed."""
    if shutil.which(kind) is None:
        raise StudyError(f"{kind} is not installed", hint=f"Install {kind}, or check out the files yourself")
    quiet = {"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS": "", "LC_ALL": "C.UTF-8"}
    batch = {"GIT_SSH_COMMAND": "ssh -oBatchMode=yes", "SVN_SSH": "ssh -oBatchMode=yes"}
    done = subprocess.run(
        [*CLIENTS[kind], *arguments],
        cwd=folder,
        env=batch | dict(os.environ) | quiet,
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        said = next((line for line in lines if line.startswith(("svn: E", "fatal:", "error:"))), None)
        reason = _CREDENTIALS.sub("//…@", said or (lines[-1] if lines else f"exit code {done.returncode}"))
        hint = "Nothing was changed. Check the URL and your access rights"
        raise FormatError(f"{kind} failed ({reason})", Source(about), hint=hint)
    return done.stdout
