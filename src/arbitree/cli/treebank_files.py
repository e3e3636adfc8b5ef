"""The files and the text of ``arbitree tsdb``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.cli.showing import deliver, present
from arbitree.cli.talk import Talk
from arbitree.errors import FormatError, Source, UnknownName

if TYPE_CHECKING:
    from arbitree.reports.treebanking import TreebankReport

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
    from arbitree.reports.treebank_text import print_treebank, treebank_text

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
    from arbitree.analyses.treebanking.adjudication import adjudicated
    from arbitree.formats.adjudications import read_rulings
    from arbitree.reports.treebank_text import adjudication_lines
    from arbitree.reports.treebanking import adjudication_dict

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
        from arbitree.reports.treebank_xlsx import write_treebank_workbook

        stream = BytesIO()
        write_treebank_workbook(report, stream)
        return {path: stream.getvalue()}
    if ending == ".html":
        from arbitree.reports.treebank_html import treebank_page

        return {path: treebank_page(report).encode()}
    if ending == ".json":
        return {path: _json(report.to_dict())}
    if ending == ".csv":
        from arbitree.reports.treebank_csv import csv_tables

        stem = Path(path)
        return {
            str(
                stem if name == "Sentences" else stem.with_name(f"{stem.stem}-{name.lower()}.csv")
            ): text.encode()
            for name, text in csv_tables(report)
        }
    from arbitree.reports.treebank_text import treebank_text

    return {path: treebank_text(report).encode()}


def _json(found: dict[str, Any]) -> bytes:
    from json import dumps

    return (dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
