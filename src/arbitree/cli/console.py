"""Input, output and messages of the commands."""

from __future__ import annotations

import gc
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from arbitree import plugins
from arbitree.backends.base import Progress, Say, mute, silent
from arbitree.cli import progress
from arbitree.errors import ArbitreeError, FormatError, Source, Urgent
from arbitree.files import check_directory, make_writable, write_out, write_whole
from arbitree.paths import exists
from arbitree.wording import decimal

if TYPE_CHECKING:
    from arbitree.cli.options import Showing
    from arbitree.reading.inputs import Reading
    from arbitree.reporting.document import Document
    from arbitree.study.result import Result, Table
    from arbitree.study.study import Study


READING = "reading the inputs"


@dataclass(frozen=True, slots=True)
class Talk:
    """Messages on standard error; none when quiet."""

    quiet: bool = False

    def say(self, line: str) -> None:
        """Print one line."""
        if not self.quiet:
            print(line, file=sys.stderr)

    @property
    def listener(self) -> Say:
        """Return the function that prints the messages of long runs; ``mute`` when quiet."""
        return mute if self.quiet else self.say

    def warn(self, lines: Sequence[str]) -> None:
        """Print warnings, one per line; when quiet, only the urgent ones."""
        for line in lines:
            if not self.quiet or isinstance(line, Urgent):
                print(f"warning: {line}", file=sys.stderr)

    def progress(self, what: str) -> AbstractContextManager[Progress]:
        """Return a context manager for long work, with a function that takes how much is done."""
        if self.quiet:
            return nullcontext(silent)
        return progress.show_bar(what) if sys.stderr.isatty() else progress.report_lines(what)


def present(document: Document, showing: Showing) -> None:
    """Print the results of a command, or write them to a file in the format of its extension.

    Args:
        document: The results of the command.
        showing: Form of the output: text or JSON, BibTeX entries, details, and the file to write.
    """
    talk = Talk(showing.quiet)
    form = "" if showing.output is None else Path(showing.output).suffix.lower()
    if showing.json or form == ".json":
        from arbitree.reporting.json import render

        deliver(render(document, cite=showing.cite), showing.output, talk)
        return
    papers = "".join(f"\n{entry}\n" for entry in document.citations) if showing.cite else ""
    if showing.output is not None and _has_format(form):
        write_files(document, [showing.output], talk)
        deliver(papers, None)
        return
    from arbitree.reporting import terminal

    if showing.output is None and sys.stdout.isatty():
        terminal.show(document, verbose=showing.verbose)
        deliver(papers, None)
    else:
        width = terminal.WIDTH if showing.output else terminal.piped_width()
        text = terminal.text(document, verbose=showing.verbose, width=width)
        deliver(text + papers, showing.output, talk)


def _has_format(extension: str) -> bool:
    """Return whether a file with this extension is written in another format than text."""
    from arbitree.reporting.document import renderers

    return extension != ".txt" and extension in renderers()


def directory_of(output: str | None) -> str | None:
    """Return *output* if it names a directory, which is created if it does not exist; None for a file.

    A name without an extension, or with a slash at its end, is that of a directory.
    """
    if output is None or (Path(output).suffix and not Path(output).is_dir() and not output.endswith("/")):
        check_directory(output)
        return None
    return str(make_writable(output))


def check_signature(
    citation: str,
    reading: Reading,
    talk: Talk,
    showing: Showing,
    *,
    read: Callable[[Reading, Talk], Study[Any]],
    measures: Sequence[str] | None,
) -> None:
    """Compute the value that a signature describes, and exit with code 1 if it is not the same.

    Args:
        citation: the value and its signature.
        reading: the inputs.
        talk: messages.
        showing: form of the output.
        read: reads the study.
        measures: measures whose options name the files that the signature mentions.
    """
    from arbitree.api.verify import readings_of, verify

    first, *others = readings_of(citation, reading)
    study = read(first, talk)
    try:
        found = verify(citation, study, measures=measures or ())
    except ArbitreeError:
        others = [each for each in others if f"match:{each.match}" not in study.settings]
        if not others:
            raise
        found = verify(citation, read(others[0], talk), measures=measures or ())
    if showing.json:
        from arbitree.reporting.document import record
        from arbitree.reporting.json import written

        deliver(written(record("verify", found.to_dict())), showing.output, talk)
    else:
        deliver(f"{found}\n", showing.output, talk)
    if not found.verified:
        raise typer.Exit(1)


def write_files(document: Document, outputs: Sequence[str], talk: Talk) -> list[str]:
    """Write *document* to *outputs*, each in the format of its extension; return all files written."""
    from arbitree.reporting.document import renderers

    files: dict[str, bytes] = {}
    for path in outputs:  # everything is rendered before anything is written
        files |= renderers()[Path(path).suffix.lower()](document, path)
    for path, data in files.items():
        deliver(data, path)
    if files:
        talk.say(f"Wrote {', '.join(files)}")
    return list(files)


@dataclass(frozen=True, slots=True)
class Threshold:
    """Values that a command compares with the threshold of ``--fail-under`` or ``--fail-over``.

    Raises:
        ArbitreeError: If the option does not fit the direction of the measure.
    """

    results: Mapping[str, Result]  # by the name that messages use
    under: float | None = None
    over: float | None = None

    def __post_init__(self) -> None:
        if any(limit is not None and math.isnan(limit) for limit in (self.under, self.over)):
            raise ArbitreeError("the threshold is not a number", hint="Write a number, such as 0.8")
        for name, result in self.results.items():
            if self.under is not None and result.better == "lower":
                what = f"--fail-under does not apply to {name}, because lower values are better"
                raise ArbitreeError(what, hint="Use --fail-over")
            if self.over is not None and result.better == "higher":
                what = f"--fail-over does not apply to {name}, because higher values are better"
                raise ArbitreeError(what, hint="Use --fail-under")

    def check(self) -> None:
        """Exit with code 1 if a value is on the wrong side of the threshold or undefined."""
        limit = self.under if self.over is None else self.over
        if limit is None:
            return
        option, side = ("--fail-under", "below") if self.over is None else ("--fail-over", "above")
        threshold = f"the threshold of {limit:g} set with {option}"
        for name, result in self.results.items():
            if result.value is None:
                Talk().say(f"{name} is undefined, so it does not meet {threshold}.")
                raise typer.Exit(1)
            if result.value < limit if self.over is None else result.value > limit:
                Talk().say(f"{name} {decimal(result.value, 4)} is {side} {threshold}.")
                raise typer.Exit(1)


def write_items(document: Document, items: Table, path: str, talk: Talk) -> None:
    """Write the *items* of *document* in the format of the extension of *path*, by default as TSV."""
    from arbitree.reporting.document import item_document, renderers

    extension = Path(path).suffix.lower()
    render = renderers()[extension if extension in (".csv", ".json", ".xlsx") else ".tsv"]
    for name, data in render(item_document(document.command, document.headline, items), path).items():
        deliver(data, name, talk)


def threshold_of(results: Sequence[Result], under: float | None, over: float | None = None) -> Threshold:
    """Return the threshold for the first of *results*."""
    return Threshold({results[0].measure: results[0]}, under, over)


def deliver(text: str | bytes, output: str | None, talk: Talk | None = None) -> None:
    """Print *text*, or write it to the file *output*, completely or not at all, and name the file."""
    if output is None:
        write_out(text)
        return
    write_whole(output, text)
    if talk is not None:
        talk.say(f"Wrote {output}")


def read_inputs(reading: Reading, talk: Talk) -> Study[Any]:
    """Read the study, or the labels in a column of its trees; print the matching method and warnings."""
    from arbitree import kernels
    from arbitree.api.read import study_of

    _check_files(reading.inputs)
    with talk.progress(READING):
        study = study_of(reading, talk.say)
    gc.freeze()  # the study stays in memory: no need to search it again for cycles
    talk.warn([*study.notes, *filter(None, [kernels.missing_kernel_note()])])
    return study


def read_several(reading: Reading, talk: Talk) -> dict[str, Study[Any]]:
    """Read the studies that the inputs of *reading* name; print warnings with the names of the studies."""
    from arbitree import kernels
    from arbitree.api.read import studies_of

    _check_files(reading.inputs)
    with talk.progress(READING):
        studies = studies_of(reading, talk.say)
    gc.freeze()
    talk.warn([type(note)(f"{name}: {note}") for name, study in studies.items() for note in study.notes])
    talk.warn([*filter(None, [kernels.missing_kernel_note()])])
    return studies


def _check_files(inputs: Sequence[str]) -> None:
    """Raise FormatError if an input that does not exist is a measure, as in ``--measure las uas``."""
    for path in inputs:
        name = path.partition(":")[0]
        # Measures take long to import, so only inputs that look like their names are looked up.
        if name.isidentifier() and not exists(path) and name in plugins.plugins("measures"):
            hint = "To compute several measures, repeat the option --measure"
            raise FormatError("file not found", Source(path), hint=hint)
