"""Workbooks that an adjudicator has filled in."""

import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl

from arbitree.adjudication.workbook import SHEET, read_decisions
from arbitree.kinds.treebanking.adjudicated import adjudicated, read_rulings
from tests.fuzz import mutators
from tests.fuzz.target import EXAMPLES, Run, Target
from tests.support.commands import arbitree


def _decisions(folder: Path) -> Run:
    return _reader(read_decisions, folder)


def _rulings(folder: Path) -> Run:
    return _reader(lambda path: [adjudicated(each) for each in read_rulings(path)], folder)


def _reader(read: Callable[[str], Any], folder: Path) -> Run:
    path = folder / "book.xlsx"

    def run(data: bytes) -> None:
        path.write_bytes(data)
        read(str(path))

    return run


def _report() -> list[bytes]:
    """The adjudication sheet of a report; the other sheets are not read."""
    files = (EXAMPLES / "dependency" / f"{name}.conllu" for name in ("ann", "bob"))
    with tempfile.TemporaryDirectory() as folder:
        arbitree("report", *files, "-o", folder, "--resamples", 0)
        book = openpyxl.load_workbook(Path(folder, "report.xlsx"))
    for name in book.sheetnames:
        if name != SHEET:
            del book[name]
    whole = io.BytesIO()
    book.save(whole)
    return [whole.getvalue()]


def _comparison() -> list[bytes]:
    """The workbook of two profiles."""
    profiles = (EXAMPLES / "profiles" / name for name in ("ann", "bob"))
    with tempfile.TemporaryDirectory() as folder:
        arbitree("tsdb", *profiles, "-o", f"{folder}/book.xlsx", "--resamples", 0)
        return [Path(folder, "book.xlsx").read_bytes()]


TARGETS = (
    Target("workbooks", _decisions, _report, mutators.archive, share=3, guided=False),
    Target("rulings", _rulings, _comparison, mutators.archive, share=3, guided=False),
)
