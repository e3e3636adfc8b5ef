"""Results on standard output or in a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import typer

from arbitree.cli.talk import Talk
from arbitree.errors import FormatError, Source

if TYPE_CHECKING:
    from arbitree.data.result import Result
    from arbitree.reports.table import ResultTable


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
    from arbitree.reports.text import as_text, print_results

    given: dict[str, Any] = {"tables": table.tables, "verbose": verbose}
    present(
        table,
        lambda: as_text(table.study, table.results, **given),
        lambda: print_results(table.study, table.results, **given),
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
    from arbitree.reports.citations import bibtex

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
