"""What commands say on standard error: how files were read, warnings, progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arbitree.backends.base import Progress, silent

PATIENCE = 2.0  # seconds before a progress bar shows


@dataclass(frozen=True, slots=True)
class Talk:
    """Lines on standard error, none when quiet."""

    quiet: bool = False

    def say(self, line: str) -> None:
        """Print one line."""
        if not self.quiet:
            print(line, file=sys.stderr)

    def warn(self, lines: list[str]) -> None:
        """Print warnings, one a line."""
        for line in lines:
            self.say(f"warning: {line}")

    @contextmanager
    def progress(self, what: str) -> Iterator[Progress]:
        """Give a function that shows a bar on a terminal once the work has taken a while."""
        if self.quiet or not sys.stderr.isatty():
            yield silent
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(what)
        begin = time.monotonic()

        def show(done: int, total: int) -> None:
            if not bar.live.is_started and time.monotonic() - begin > PATIENCE:
                bar.start()
            bar.update(task, completed=done, total=total)

        try:
            yield show
        finally:
            bar.stop()
