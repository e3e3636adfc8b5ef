"""Results on standard output or in a file."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arbitree.cli.talk import Talk
from arbitree.errors import FormatError, Source

if TYPE_CHECKING:
    from arbitree.reports.table import ResultTable


def show(table: ResultTable, *, json: bool, cite: bool, verbose: bool, output: str | None) -> None:
    """Print the results as a table or JSON, with the papers behind them if asked."""
    from arbitree.reports.citations import bibtex

    entries = bibtex(table.results) if cite else []
    if json:
        from json import dumps

        found = table.to_dict() | ({"citations": entries} if cite else {})
        deliver(dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n", output)
        return
    from arbitree.reports.text import as_text, print_results

    if output is None and sys.stdout.isatty():
        print_results(table.study, table.results, tables=table.tables, verbose=verbose)
        deliver("".join(f"\n{entry}\n" for entry in entries), None)
    else:
        text = as_text(table.study, table.results, tables=table.tables, verbose=verbose)
        deliver(text + "".join(f"\n{entry}\n" for entry in entries), output)


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
