"""The progress of long work on standard error: a bar on a terminal, otherwise one line every ten seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from arbitree.backends.base import Progress

PATIENCE = 2.0  # seconds before a bar shows
EVERY = 10.0  # seconds between two lines


@contextmanager
def report_lines(what: str) -> Iterator[Progress]:
    """Print a line with the time and, while known, the share of the work that is done, every ten seconds."""
    begin = time.monotonic()
    share: list[str] = []

    def show(done: float, total: int) -> None:
        share[:] = [f"{int(100 * done / total)}%"] if done < total else []  # what follows is not counted

    def line() -> None:
        passed = f"{time.monotonic() - begin:.0f} s"
        shown = f"{share[0]} ({passed})" if share else passed
        print(f"{what[:1].upper()}{what[1:]}: {shown}", file=sys.stderr, flush=True)

    with _repeated(line, first=EVERY):
        yield show


@contextmanager
def show_bar(what: str) -> Iterator[Progress]:
    """Show a bar once the work has taken a while; it only moves back and forth if no share is known."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=None)

    def show(done: float, total: int) -> None:
        bar.update(task, completed=done, total=total)

    try:
        with _repeated(bar.start, first=PATIENCE):
            yield show
    finally:
        bar.stop()


@contextmanager
def _repeated(act: Callable[[], None], first: float) -> Iterator[None]:
    """Call *act* after *first* seconds and then every ten, in a thread, until the end of the block."""
    end = Event()

    def run() -> None:
        pause = first
        while not end.wait(pause):
            act()
            pause = EVERY

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
