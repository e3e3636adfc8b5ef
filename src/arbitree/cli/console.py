"""From a command's options to a study and its results: the road that agree and report share."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import typer

from arbitree.backends.base import Progress, silent
from arbitree.errors import FormatError, Source, UnknownName

if TYPE_CHECKING:
    from arbitree.kinds.treebanking.report import TreebankReport
    from arbitree.reporting.sections.agreement import ResultTable
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


class Presentable(Protocol):
    """What a command found."""

    @property
    def results(self) -> Sequence[Result]:
        """The values, with the papers that define them."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds."""
        ...


def show(table: ResultTable, *, json: bool, cite: bool, verbose: bool, output: str | None) -> None:
    """Print the results as a table or JSON, with the papers behind them if asked."""
    from arbitree.reporting.terminal import as_text, print_results

    given: dict[str, Any] = {"tables": table.tables, "verbose": verbose}
    present(
        table,
        lambda: as_text(table.kind, table.study, table.results, **given),
        lambda: print_results(table.kind, table.study, table.results, **given),
        json=json,
        cite=cite,
        output=output,
    )


def present(
    found: Presentable,
    text: Callable[[], str],
    print_it: Callable[[], None] | None = None,
    *,
    json: bool,
    cite: bool,
    output: str | None,
) -> None:
    """Print what a command found, or write it to the file *output*.

    Args:
        found: what JSON holds of it, and the results whose papers are cited.
        text: makes plain text.
        print_it: prints in colour, for a terminal; by default the plain text serves there too.
        json: print JSON.
        cite: add BibTeX entries.
        output: a file; None for standard output.
    """
    from arbitree.reporting.citations import bibtex

    entries = bibtex(found.results) if cite else []
    if json:
        from json import dumps

        document = found.to_dict() | ({"citations": entries} if cite else {})
        deliver(dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n", output)
        return
    papers = "".join(f"\n{entry}\n" for entry in entries)
    if print_it is not None and output is None and sys.stdout.isatty():
        print_it()
        deliver(papers, None)
    else:
        deliver(text() + papers, output)


def check_least(table: ResultTable, least: float | None) -> None:
    """Exit with 1 if the first measure is under *least* or has no value."""
    first = table.results[0]
    if least is not None and (first.value is None or first.value < least):
        found = "undefined" if first.value is None else f"{first.value:.4f}"
        Talk().say(f"{first.measure} is {found}, under {least:g}")
        raise typer.Exit(1)


def deliver(text: str | bytes, output: str | None) -> None:
    """Print *text*, or write it to the file *output*, whole or not at all."""
    data = text.encode() if isinstance(text, str) else text
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    target = Path(output)
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(data)
        part.replace(target)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        what = f"cannot write ({error.strerror})"
        raise FormatError(what, Source(output), hint="Choose another place") from None


MOST_CODERS = 40  # of a crowd, the pairs are too many to look at, and most share no item


def read_inputs(
    inputs: Sequence[str],
    talk: Talk,
    *,
    dirs: bool,
    format: str | None,
    encoding: str,
    match: str,
    strict: bool,
    column: str | None = None,
) -> Study[Any]:
    """Read the study, or the labels in a column of its trees; say how it was read and what is odd."""
    from arbitree import kernels
    from arbitree.kinds.dependency.views import labels
    from arbitree.reading.assembly import read_study

    study = read_study(
        inputs, dirs=dirs, format=format, encoding=encoding, match=match, strict=strict, say=talk.say
    )
    if column is not None:
        study = labels(study, column)
    gc.freeze()  # the study stays: no need to look through it again for cycles
    talk.warn([*study.notes, *filter(None, [kernels.missing_kernel_note()])])
    return study


def compute(
    command: str,
    study: Study[Any],
    talk: Talk,
    *,
    measures: Sequence[str] | None,
    by: Sequence[str] | None,
    pairs: float | None,
    tolerance: float | None,
    resamples: int,
    confidence: float,
    interval: str,
    seed: int,
    backend: str,
    threads: int,
    scheduler: str | None,
) -> ResultTable:
    """Evaluate the measures and show progress; say how long it may take, or how much was sampled."""
    from arbitree import kinds
    from arbitree.backends.base import opened
    from arbitree.measures.evaluate import evaluate_all
    from arbitree.measures.sampled_sums import outlook
    from arbitree.reporting.sections.agreement import table_of

    with (
        talk.progress("comparing pairs of trees") as progress,
        opened(backend, progress=progress, say=talk.say, threads=threads, scheduler=scheduler) as run,
    ):
        if pairs is None and tolerance is None and not talk.quiet:
            ahead = outlook(study, measures or (), seed, run)
            if ahead:
                talk.say(ahead)
        results = evaluate_all(
            study,
            measures or (),
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            method=interval,
            by=by or (),
            pairs=pairs,
            tolerance=tolerance,
            run=run,
        )
    _say_sampled(talk, results)
    return table_of(command, kinds.of(study), study, results)


def _say_sampled(talk: Talk, results: Sequence[Result]) -> None:
    for result in results:
        allowed = result.details["options"].get("tolerance")
        if allowed is not None and result.details.get("estimated"):
            found = result.details
            sample = f"{found['sampled_pairs']:,} of {found['all_pairs']:,} pairs of sentences"
            talk.say(f"a tolerance of {allowed:g} takes {sample} for {result.measure}")
            return


def fitting_breakdowns(study: Study[Any]) -> list[str]:
    """Return the breakdowns that tell more than the whole does, and that people can look through."""
    from arbitree import kinds

    by = ["coder", "pair"] if 2 < len(study.coders) <= MOST_CODERS else []
    if len(study.documents) > 1:
        by.append("document")
    last = "label" if kinds.of(study).unit == "item" else "length"
    return [*by, last] if len(study.items) > 1 else by


ENDINGS = (".xlsx", ".html", ".csv", ".json", ".txt")


def check_endings(outputs: Sequence[str]) -> None:
    """Raise UnknownName for a file that could not be written, before any work is done."""
    for path in outputs:
        if not path.lower().endswith(ENDINGS):
            hint = f"End it in one of {', '.join(ENDINGS)}"
            raise UnknownName("the ending of this name tells no kind of report", Source(path), hint=hint)


def check_folders(outputs: Sequence[str]) -> None:
    """Raise FormatError for a file whose directory is not there, before any work is done."""
    for path in outputs:
        if not Path(path).resolve().parent.is_dir():
            raise FormatError("there is no such directory to write into", Source(path), hint="Make it first")


def show_report(
    report: TreebankReport, *, json: bool, cite: bool, verbose: bool, outputs: Sequence[str], talk: Talk
) -> list[str]:
    """Write the files asked for, then print the results; return what was written."""
    from arbitree.kinds.treebanking.report import print_treebank, treebank_text

    files: dict[str, bytes] = {}
    for path in outputs:  # everything is made before anything is written
        files |= _rendered(report, path)
    for path, data in files.items():
        deliver(data, path)
    if files:
        talk.say(f"wrote {', '.join(files)}")
    present(
        report,
        lambda: treebank_text(report, verbose=verbose),
        lambda: print_treebank(report, verbose=verbose),
        json=json,
        cite=cite,
        output=None,
    )
    return list(files)


def show_rulings(workbook: str, *, json: bool) -> str:
    """Return what a workbook that was filled in says, without profiles beside it."""
    import arbitree
    from arbitree.kinds.treebanking.adjudicated import adjudicated
    from arbitree.kinds.treebanking.report import adjudication_dict, adjudication_lines
    from arbitree.kinds.treebanking.rulings import read_rulings

    found = [adjudicated(each) for each in read_rulings(workbook)]
    if json:
        shown = {"arbitree": arbitree.__version__, "command": "tsdb", "results": [], "warnings": []}
        return _json(shown | {"adjudication": [adjudication_dict(each) for each in found]}).decode()
    return "".join(f"{line}\n" for each in found for line in adjudication_lines(each))


def _rendered(report: TreebankReport, path: str) -> dict[str, bytes]:
    """Return the files that *path* stands for: one, or for .csv one a table."""
    from io import BytesIO

    ending = Path(path).suffix.lower()
    if ending == ".xlsx":
        from arbitree.kinds.treebanking.workbook import write_treebank_workbook

        stream = BytesIO()
        write_treebank_workbook(report, stream)
        return {path: stream.getvalue()}
    if ending == ".html":
        from arbitree.kinds.treebanking.report import treebank_page

        return {path: treebank_page(report).encode()}
    if ending == ".json":
        return {path: _json(report.to_dict())}
    if ending == ".csv":
        from arbitree.kinds.treebanking.report import csv_tables

        stem = Path(path)
        return {
            str(
                stem if name == "Sentences" else stem.with_name(f"{stem.stem}-{name.lower()}.csv")
            ): text.encode()
            for name, text in csv_tables(report)
        }
    from arbitree.kinds.treebanking.report import treebank_text

    return {path: treebank_text(report).encode()}


def _json(found: dict[str, Any]) -> bytes:
    from json import dumps

    return (dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
