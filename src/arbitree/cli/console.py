"""What commands say on standard error, read, print and write."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from arbitree.backends.base import Progress, Say, mute, silent
from arbitree.files import write_whole

if TYPE_CHECKING:
    from arbitree.cli.options import Showing
    from arbitree.reading.inputs import Reading
    from arbitree.reporting.document import Document
    from arbitree.study.result import Result
    from arbitree.study.study import Study


PATIENCE = 2.0  # seconds before a progress bar shows


@dataclass(frozen=True, slots=True)
class Talk:
    """Lines on standard error, none when quiet."""

    quiet: bool = False

    def say(self, line: str) -> None:
        """Print one line."""
        if not self.quiet:
            print(line, file=sys.stderr)

    @property
    def listener(self) -> Say:
        """Who is told what a long run has to say: nobody when quiet, which may save the work behind it."""
        return mute if self.quiet else self.say

    def warn(self, lines: Sequence[str]) -> None:
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


def present(document: Document, showing: Showing) -> None:
    """Print what a command found, or write it to a file.

    Args:
        document: what the command has to tell.
        showing: as text or JSON, with BibTeX entries and details or without, printed or written to a file.
    """
    if showing.json:
        from arbitree.reporting.json import render

        deliver(render(document, cite=showing.cite), showing.output)
        return
    from arbitree.reporting import terminal

    papers = "".join(f"\n{entry}\n" for entry in document.citations) if showing.cite else ""
    if showing.output is None and sys.stdout.isatty():
        terminal.show(document, verbose=showing.verbose)
        deliver(papers, None)
    else:
        deliver(terminal.text(document, verbose=showing.verbose) + papers, showing.output)


def write_files(document: Document, outputs: Sequence[str], talk: Talk) -> list[str]:
    """Write *document* to *outputs*, each by its ending; return the names of all files written."""
    from arbitree.reporting.document import renderers

    files: dict[str, bytes] = {}
    for path in outputs:  # everything is made before anything is written
        files |= renderers()[Path(path).suffix.lower()](document, path)
    for path, data in files.items():
        deliver(data, path)
    if files:
        talk.say(f"wrote {', '.join(files)}")
    return list(files)


def check_least(results: Sequence[Result], least: float | None) -> None:
    """Exit with 1 if the first measure is under *least* or has no value."""
    first = results[0]
    if least is not None and (first.value is None or first.value < least):
        found = "undefined" if first.value is None else f"{first.value:.4f}"
        Talk().say(f"{first.measure} is {found}, under {least:g}")
        raise typer.Exit(1)


def deliver(text: str | bytes, output: str | None) -> None:
    """Print *text*, or write it to the file *output*, whole or not at all."""
    if output is not None:
        write_whole(output, text)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode() if isinstance(text, str) else text)
    sys.stdout.flush()


def read_inputs(reading: Reading, talk: Talk) -> Study[Any]:
    """Read the study, or the labels in a column of its trees; say how it was read and what is odd."""
    from arbitree import kernels
    from arbitree.api.read import study_of

    study = study_of(reading, talk.say)
    gc.freeze()  # the study stays: no need to look through it again for cycles
    talk.warn([*study.notes, *filter(None, [kernels.missing_kernel_note()])])
    return study
