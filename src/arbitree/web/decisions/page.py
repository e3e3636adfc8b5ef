"""The Decisions page, the history, and exported files."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from arbitree import plugins
from arbitree.adjudication.events import describe
from arbitree.adjudication.export import Gold, exported
from arbitree.adjudication.gold import GoldStandard, gold_coder
from arbitree.adjudication.history import ITEM
from arbitree.errors import FormatError
from arbitree.extras import installed
from arbitree.files import file_names
from arbitree.kinds.kind import Kind
from arbitree.reporting.csv import spreadsheet_text
from arbitree.web.pages import page, project_of
from arbitree.web.project.editions import carry, waiting
from arbitree.web.project.project import Project
from arbitree.web.refusals import ANSWERS, Refusal
from arbitree.web.sessions import allowed
from arbitree.web.store import Person
from arbitree.wording import encoded

router = APIRouter(include_in_schema=False, responses=ANSWERS)

Viewer = Annotated[Person, allowed("explore")]
Owner = Annotated[Person, allowed("own")]
SHOWN = 200  # rows of a page
ZIP = "application/zip"


@router.get("/decisions")
def decisions(request: Request, person: Viewer, start: Annotated[int, Query(ge=0)] = 0) -> Response:
    """Show the decisions and the agreement of each annotator with them."""
    project = project_of(request)
    settled = project.settled()
    return page(
        request,
        "decisions.html.j2",
        person=person,
        rulings=settled.rulings[start : start + SHOWN],
        total=len(settled.rulings),
        start=start,
        shown=SHOWN,
        gold=settled.gold,
        waiting=len(waiting(project)),
        standings=settled.coders,
        files=files_of(project.kind),
    )


@router.get("/history")
def history(request: Request, person: Viewer, start: Annotated[int, Query(ge=0)] = 0) -> Response:
    """Show the history, most recent entries first."""
    project = project_of(request)
    entries, total = project.store.latest_entries(project.edition.id, ITEM, start, SHOWN)
    rows = [
        (entry, number, describe(entry, project.sheet(number)))
        for entry in entries
        if (number := project.numbers.get(entry.subject.removeprefix(ITEM)))
    ]
    return page(request, "history.html.j2", person=person, rows=rows, total=total, start=start, shown=SHOWN)


@router.get("/export/decisions.tsv")
def decision_table(request: Request, person: Viewer) -> Response:
    """Export the table of decisions."""
    project = project_of(request)
    header = ["item", "place", "what", "words", "decision", "decided_by", "at", "note", *project.study.coders]
    rows = (
        [
            each.item,
            each.place.place,
            each.place.what,
            each.place.words,
            each.decision.value,
            each.decision.name,
            each.decision.at,
            each.note,
            *each.values,
        ]
        for each in project.settled().rulings
    )
    return _table("decisions.tsv", header, rows)


@router.get("/export/log.tsv")
def log_table(request: Request, person: Viewer, edition: int | None = None) -> Response:
    """Export the complete history of this version of the files, or of an earlier one."""
    project = project_of(request)
    chosen = project.edition.id if edition is None else edition
    if chosen not in {each.id for each in project.store.editions()}:
        raise Refusal(404, "Version of the files not found", hint="Choose one on the Decisions page")
    rows = (
        [
            entry.at,
            entry.name,
            entry.subject.removeprefix(ITEM),
            str(entry.sequence),
            entry.action,
            describe(entry),
        ]
        for entry in project.store.read_entries(chosen, ITEM)
    )
    return _table("log.tsv", ["at", "who", "item", "entry", "action", "what"], rows)


@router.get("/export/study.zip")
def whole_study(request: Request, person: Viewer) -> Response:
    """Export the files of all annotators and the gold standard, for use as a study."""
    project = project_of(request)
    found = _gold(project)
    files = files_of(project.kind)
    if not files:
        raise Refusal(
            404, "The gold standard cannot be exported in this format", hint="Export decisions.tsv instead"
        )
    *others, last = files.items()
    for ending, name in others:
        with suppress(FormatError):  # brackets cannot be interrupted; other formats can hold such trees
            return _download(_archive(project, found, ending, name), "study.zip", ZIP, found)
    return _download(_archive(project, found, *last), "study.zip", ZIP, found)


@router.get("/export/gold.{ending}")
def gold(request: Request, person: Viewer, ending: str) -> Response:
    """Export the gold standard: all items that are agreed or decided."""
    project = project_of(request)
    files = files_of(project.kind)
    if ending not in files:
        what = "The gold standard cannot be exported in this format"
        raise Refusal(404, what, hint=f"Choose one of {', '.join(files)}")
    found = _gold(project)
    text = exported(project.study, project.kind, found.golds, files[ending])
    return _download(encoded(text), f"gold.{ending}", "text/plain; charset=utf-8", found)


@router.post("/editions/carry")
def take_over(request: Request, person: Owner) -> Response:
    """Copy the decisions on unchanged items from the earlier version of the files."""
    carry(project_of(request), person)
    return RedirectResponse("/decisions", 303)


def files_of(kind: Kind[Any]) -> dict[str, str]:
    """Return the file extensions and formats in which annotations of this kind can be written."""
    formats = {name: plugins.get("formats", name) for name in kind.writers}
    return {
        each.suffixes[0].removeprefix("."): name for name, each in formats.items() if installed(*each.needs)
    }


def _gold(project: Project) -> GoldStandard:
    found = project.settled().gold
    if not found.golds:
        raise Refusal(404, "No decisions yet", hint="Adjudicate a sentence first")
    return found


def _archive(project: Project, gold: GoldStandard, ending: str, format: str) -> bytes:
    study, kind, adjudicated = project.study, project.kind, gold_coder(project.study.coders)
    *names, last = file_names([*study.coders, adjudicated])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for coder, name in zip(study.coders, names, strict=True):
            cells = ((item.id, study.cells.get((item.id, coder))) for item in study.items)
            own = {item: Gold(cell.value, ()) for item, cell in cells if cell}
            if own:
                text = exported(study, kind, own, format, coder=coder, own=True)
                archive.writestr(_member(f"{name}.{ending}"), encoded(text))
        text = exported(study, kind, gold.golds, format, coder=adjudicated)
        archive.writestr(_member(f"{last}.{ending}"), encoded(text))
    return buffer.getvalue()


def _member(name: str) -> zipfile.ZipInfo:
    """Return the entry of a file in an archive, without a date: the same files are the same archive."""
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return member


def _table(name: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Response:
    data = io.BytesIO()
    cells = (  # a carriage return alone would end a row
        [spreadsheet_text(re.sub("\r\n?", "\n", cell)) for cell in row] for row in chain([header], rows)
    )
    with io.TextIOWrapper(data, "utf-8", newline="", write_through=True) as text:
        csv.writer(text, delimiter="\t", lineterminator="\n").writerows(cells)
        return _download(data.getvalue(), name, "text/tab-separated-values; charset=utf-8")


def _download(data: bytes, name: str, kind: str, gold: GoldStandard | None = None) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if gold is not None:
        headers["X-Undecided"] = str(len(gold.undecided))
        headers["X-Rejected"] = str(len(gold.rejected))
    return Response(data, media_type=kind, headers=headers)
