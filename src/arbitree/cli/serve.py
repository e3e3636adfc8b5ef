"""``arbitree serve``."""

from __future__ import annotations

import gc
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EADDRNOTAVAIL
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk
from arbitree.extras import WEB, need
from arbitree.files import show_full_paths
from arbitree.paths import possible_path

if TYPE_CHECKING:
    from arbitree.reading.inputs import Reading
    from arbitree.web.project.project import Project


_SERVING = "Serving"
PROJECT = "arbitree-project"
STOPS = [
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if name in signal.Signals.__members__
]

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT... | DIR",
        help="One FILE or NAME=FILE per annotator, one file with all annotators (a table, an export), or an "
        "existing project directory.",
        show_default=False,
    ),
]
ProjectFolder = Annotated[
    str | None,
    typer.Option(
        "--project",
        metavar="DIR",
        help=f"Directory in which decisions are stored. [default: {PROJECT}]",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="URL of the database in which decisions are stored, such as postgresql://USER@HOST/NAME. "
        "[default: SQLite in the project directory]",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.", rich_help_panel=_SERVING)]
Port = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=0,
        max=65535,
        help="Port to listen on. 0 selects a free port.",
        rich_help_panel=_SERVING,
    ),
]
Public = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Public URL of the HTTPS reverse proxy in front of the app, such as https://study.example.org",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
NoBrowser = Annotated[
    bool,
    typer.Option("--no-browser", help="Print the link, but do not open a browser.", rich_help_panel=_SERVING),
]
Owner = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Your name in the history; fixed at the first start. [default: your login]",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
Title = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Title of the study. [default: the names of the annotators]",
        rich_help_panel=_SERVING,
    ),
]
OneRoot = Annotated[
    bool,
    typer.Option(
        "--one-root", help="Refuse decisions that give a sentence a second root.", rich_help_panel=_SERVING
    ),
]
Preselect = Annotated[
    bool,
    typer.Option("--preselect", help="Put the cursor on the suggested choice.", rich_help_panel=_SERVING),
]
TagSet = Annotated[
    str | None,
    typer.Option(
        "--tagset",
        metavar="FILE",
        help="Tags that decisions may use: one per line, JSON, or UD's deprels.json#LANGUAGE.",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
Glosses = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Meanings of labels, shown next to the choices: a table, a WordNet directory, or wn:LEXICON.",
        rich_help_panel=_SERVING,
        show_default=False,
    ),
]
Blind = Annotated[
    bool,
    typer.Option("--blind", help="Hide the names of annotators from adjudicators.", rich_help_panel=_SERVING),
]
AcceptLoss = Annotated[
    bool,
    typer.Option(
        "--accept-loss",
        help="Start even if the history lacks entries that were stored before.",
        rich_help_panel=_SERVING,
    ),
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
    tagset: TagSet = None,
    glosses: Glosses = None,
    blind: Blind = False,
    accept_loss: AcceptLoss = False,
    reading: opt.ReadingOptions,
    full_paths: opt.FullPaths = False,
    quiet: opt.Quiet = False,
) -> None:
    """Start the web app: explore disagreements, adjudicate them, collect blind judgments.

    Example: arbitree serve first.conllu second.conllu third.conllu
    """
    need("arbitree serve", *WEB)
    from arbitree.web.memory import keep_compact
    from arbitree.web.project.project import open_project

    talk = Talk(quiet)
    if full_paths:
        show_full_paths()
    folder, chosen = Path(possible_path(project or PROJECT)), None
    if not reading.dirs and _is_project(inputs):
        folder = Path(inputs[0])
    else:
        chosen = _readable(reading.of(inputs))
    base = _public(public)
    with _listen(host, port) as listening, _on_stop(_interrupt):
        with talk.progress("opening the project"):
            opened = open_project(
                chosen,
                folder,
                database=database,
                title=title,
                one_root=one_root,
                preselect=preselect,
                tagset=tagset,
                glosses=glosses,
                blind=blind,
                accept_loss=accept_loss,
                say=talk.say,
            )
        try:
            keep_compact()
            gc.freeze()  # the study stays in memory; collecting it repeatedly would delay responses
            gc.set_threshold(700, 10, 10)  # collect what requests and connections leave soon
            talk.warn([*opened.study.notes])
            _tell_changes(opened, talk)
            talk.say(f"Decisions are stored in {opened.store.place}")
            _run(opened, listening, host, base, owner, talk, browser=not no_browser)
        finally:
            with _on_stop(_ignore):  # a second signal must not interrupt closing the database
                opened.close()
        with suppress(OSError):  # the terminal may be gone
            talk.say("Server stopped. All decisions are saved.")


@contextmanager
def _on_stop(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Call *handler* when somebody stops the program: with Ctrl-C, with kill, or by closing the terminal."""
    if threading.current_thread() is not threading.main_thread():  # others receive no signals
        yield
        return
    # Signals that are ignored stay ignored, as nohup wants it.
    signals = [each for each in STOPS if signal.getsignal(each) is not signal.SIG_IGN]
    before = {each: signal.signal(each, handler) for each in signals}
    try:
        yield
    finally:
        for each, earlier in before.items():
            signal.signal(each, earlier)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _ignore(number: int, frame: FrameType | None) -> None:
    pass


def _is_project(inputs: list[str]) -> bool:
    """Return whether *inputs* is one directory that is not a profile; it may still not be a project."""
    from arbitree.reading.inputs import is_profile

    if len(inputs) > 1:
        return False
    folder = Path(possible_path(inputs[0]))
    return folder.is_dir() and not is_profile(folder)


def _readable(reading: Reading) -> Reading:
    from arbitree.errors import StudyError

    if "-" in reading.inputs:
        raise StudyError(
            "serve cannot read standard input, because it reads the input again at every start",
            hint="Save the input to a file first",
        )
    return reading


def _listen(host: str, port: int) -> socket.socket:
    """Bind the port before any long computation starts."""
    from arbitree.errors import StudyError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Without the explicit protocol, asyncio would not set TCP_NODELAY, which costs 40 ms per response.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        what = f"cannot listen on {host}, port {port} ({error.strerror})"
        hint = "Choose another port with --port, or pass --port 0 to select a free one"
        if isinstance(error, socket.gaierror) or error.errno == EADDRNOTAVAIL:
            hint = "Pass an address of this machine with --host, such as 127.0.0.1"
        raise StudyError(what, hint=hint) from None
    return listening


def _tell_changes(project: Project, talk: Talk) -> None:
    if project.changes:
        talk.say("The files have changed since the last decisions, which are stored separately:")
        for line in project.changes:
            talk.say(f"  {line}")


def _public(url: str | None) -> str:
    """Return a URL without a path; raise StudyError if it is not valid."""
    from arbitree.errors import StudyError
    from arbitree.web.hosts import parse_url

    base = (url or "").rstrip("/")
    if url and (parse_url(base) is None or base.count("/") > 2 or set(base) & set("?#")):
        hint = "Write it as https://study.example.org"
        raise StudyError(f"--public {url!r} is not a valid URL", hint=hint)
    return base


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
    from arbitree.web.app import create_app
    from arbitree.web.hosts import parse_url
    from arbitree.web.security import LOOPBACK
    from arbitree.web.server import server_of
    from arbitree.web.store import HOUR
    from arbitree.web.store.persons import folded

    port = listening.getsockname()[1]
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # a browser cannot open these
    shown = f"[{here}]" if ":" in here else here
    known = parse_url(public)
    own = [*LOOPBACK, *([known.name] if known else [])]
    hosts = own if shown in LOOPBACK and here == host else None
    app = create_app(project, hosts=hosts, public=public)
    person = project.store.owner(owner or _login())
    if owner and folded(owner) != folded(person.name):
        talk.warn([f"--owner is ignored: the owner of this project is {person.name!r}"])
    token = project.store.invite(person.id, HOUR)
    link = f"{public or f'http://{shown}:{port}'}/enter/{token}"
    talk.say("Open this single-use link to sign in as the owner:")
    print(link, flush=True)
    if hosts is None:
        talk.say(
            "warning: everyone who can reach this machine can reach the app, without encryption; "
            "use an HTTPS reverse proxy and --public"
        )
    server = server_of(app, proxy=bool(public))
    if browser:
        from threading import Timer
        from webbrowser import open as show

        opener = Timer(0.5, show, [link])
        opener.daemon = True
        opener.start()
    with _on_stop(server.handle_exit):
        server.run(sockets=[listening])


def _login() -> str:
    from getpass import getuser

    try:
        return getuser()
    except (KeyError, OSError):
        return os.environ.get("USER") or "owner"


COMMAND = serve
