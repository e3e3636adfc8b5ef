"""``arbitree serve``."""

from __future__ import annotations

import gc
import os
import socket
from contextlib import suppress
from errno import EADDRNOTAVAIL
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk

if TYPE_CHECKING:
    from arbitree.reading.inputs import Reading
    from arbitree.web.project.project import Project


_SERVING = "Serving"
PROJECT = "arbitree-project"

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT... | DIR",
        help="FILE or NAME=FILE for each coder, or the folder of a project that was served before.",
        show_default=False,
    ),
]
ProjectFolder = Annotated[
    str | None,
    typer.Option(
        "--project",
        metavar="DIR",
        help=f"Folder that keeps the decisions (default: {PROJECT}).",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Keep the decisions in a database: postgresql://USER@HOST/NAME "
        "(default: SQLite in the project's folder).",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.", rich_help_panel=_SERVING)]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for a free one.", rich_help_panel=_SERVING)
]
Public = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Address under which a web server in front, with https, passes it on: https://study.example.org",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
NoBrowser = Annotated[
    bool, typer.Option("--no-browser", help="Open no browser; print the link.", rich_help_panel=_SERVING)
]
Owner = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Your name in the log (default: your login).",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
Title = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT", help="Title of the study (default: the coders' names).", rich_help_panel=_SERVING
    ),
]
OneRoot = Annotated[
    bool, typer.Option("--one-root", help="Keep every sentence to one root.", rich_help_panel=_SERVING)
]
Preselect = Annotated[
    bool,
    typer.Option("--preselect", help="Put the cursor on what is suggested.", rich_help_panel=_SERVING),
]


def serve(
    inputs: Inputs,
    *,
    project: ProjectFolder = None,
    database: Database = None,
    host: Host = "127.0.0.1",
    port: Port = 8765,
    public: Public = None,
    no_browser: NoBrowser = False,
    owner: Owner = None,
    title: Title = None,
    one_root: OneRoot = False,
    preselect: Preselect = False,
    reading: opt.ReadingOptions,
    quiet: opt.Quiet = False,
) -> None:
    """Web app: explore a study, adjudicate it, judge parses blind.

    Example: arbitree serve first.conllu second.conllu third.conllu
    """
    from arbitree.web.project.project import open_project

    talk = Talk(quiet)
    folder, chosen = Path(project or PROJECT), None
    if not reading.dirs and _is_project(inputs):
        folder = Path(inputs[0])
    else:
        chosen = _readable(reading.of(inputs))
    base = _public(public)
    with _listen(host, port) as listening:
        opened = open_project(
            chosen,
            folder,
            database=database,
            title=title,
            one_root=one_root,
            preselect=preselect,
            say=talk.say,
        )
        gc.freeze()  # the study stays: looking through it for cycles again and again would halt the pages
        talk.warn([*opened.study.notes])
        _tell_changes(opened, talk)
        talk.say(f"decisions are kept in {opened.store.place}")
        _run(opened, listening, host, base, owner, talk, browser=not no_browser)


def _is_project(inputs: list[str]) -> bool:
    """Return whether one folder is given that is no profile; whether it holds a project is seen later."""
    from arbitree.reading.inputs import is_profile

    folder = Path(inputs[0])
    return len(inputs) == 1 and folder.is_dir() and not is_profile(folder)


def _readable(reading: Reading) -> Reading:
    from arbitree.errors import StudyError

    if "-" in reading.inputs:
        raise StudyError(
            "standard input cannot be served: it is gone when the server starts again",
            hint="Save it to a file first",
        )
    return reading


def _listen(host: str, port: int) -> socket.socket:
    """Take the port before any long work is done for nothing."""
    from arbitree.errors import StudyError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio would not switch off the waiting for full packets: 40 ms an answer.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        what = f"cannot listen on {host}, port {port} ({error.strerror})"
        hint = "Choose another port with --port, or --port 0 for a free one"
        if isinstance(error, socket.gaierror) or error.errno == EADDRNOTAVAIL:
            hint = "Give an address of this machine with --host, such as 127.0.0.1"
        raise StudyError(what, hint=hint) from None
    return listening


def _tell_changes(project: Project, talk: Talk) -> None:
    if project.changes:
        talk.say("the files have changed since the last decisions, which are kept apart:")
        for line in project.changes:
            talk.say(f"  {line}")


def _public(url: str | None) -> str:
    """Return an address without a path; refuse what is none."""
    from urllib.parse import urlsplit

    from arbitree.errors import StudyError

    parts = urlsplit(url or "")
    if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/")):
        hint = "Write it as https://study.example.org"
        raise StudyError(f"{url!r} is no address to reach the app at", hint=hint)
    return f"{parts.scheme}://{parts.netloc}" if url else ""


def _run(
    project: Project,
    listening: socket.socket,
    host: str,
    public: str,
    owner: str | None,
    talk: Talk,
    *,
    browser: bool,
) -> None:
    from urllib.parse import urlsplit

    import uvicorn

    from arbitree.web.app import create_app
    from arbitree.web.security import LOOPBACK
    from arbitree.web.store import HOUR

    port = listening.getsockname()[1]
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # all addresses are none to go to
    shown = f"[{here}]" if ":" in here else here
    own = [*LOOPBACK, *filter(None, [urlsplit(public).hostname])]
    hosts = own if shown in LOOPBACK and here == host else None
    app = create_app(project, hosts=hosts, public=public)
    token = project.store.invite(project.store.owner(owner or _login()).id, HOUR)
    link = f"http://{shown}:{port}/enter/{token}"
    talk.say("open this link to come in as the owner; it works once:")
    print(link, flush=True)
    if hosts is None:
        talk.say("warning: anybody who can reach this machine can reach the app; use https in front of it")
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, server_header=False))
    if browser:
        from threading import Timer
        from webbrowser import open as show

        opener = Timer(0.5, show, [link])
        opener.daemon = True
        opener.start()
    with suppress(KeyboardInterrupt):  # Ctrl-C is how it is stopped; the server has closed everything by then
        server.run(sockets=[listening])
    talk.say("stopped; all decisions are kept")


def _login() -> str:
    from getpass import getuser

    try:
        return getuser()
    except (KeyError, OSError):
        return os.environ.get("USER") or "owner"


COMMAND = serve
