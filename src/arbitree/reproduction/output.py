"""Output of ``arbitree papers``: published values next to ours, and the files that they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from arbitree.files import inputs_kept, make_writable
from arbitree.reporting.document import (
    COUNT,
    DATA,
    NAME,
    SHOWN,
    TEXT,
    WORD,
    Document,
    Presentable,
    Section,
    Text,
)
from arbitree.reproduction.cells import Cell, Comparison, Grid
from arbitree.reproduction.collection import NOWHERE, Found
from arbitree.reproduction.pages import write_page
from arbitree.reproduction.parts import FIGURE, Paper
from arbitree.study.result import Column, Form, Table
from arbitree.wording import brief, count_of

COMPARISONS = ("paper", "part", "row", "column", "published", "ours", "equal")
CELL = Form("cell", str, right=False, wraps=True)
FENCE = "```"
LEGEND = (
    "A value with = is the published one and ours. Otherwise, the published value comes first, and ours "
    "follows in parentheses. A value in parentheses alone has not been published."
)


@dataclass(frozen=True)
class Made:
    """What was made of a paper, and the data that were missing for the rest."""

    paper: Paper
    pieces: Mapping[str, str]
    lacking: Sequence[str] = ()

    __repr__ = brief

    @property
    def compared(self) -> list[tuple[str, Comparison]]:
        """The cells that have a published value and ours, with the name of their table."""
        return [
            (mark, each)
            for mark, piece in self.pieces.items()
            if isinstance(piece, Grid)
            for each in piece.compared()
        ]

    @property
    def summary(self) -> str:
        """How many values are equal."""
        if not self.compared:
            return "nothing to compare"
        equal = sum(each.equal for _, each in self.compared)
        return f"{equal} of {count_of(len(self.compared), 'published value')} equal ours"


@dataclass(frozen=True, repr=False)
class PaperTables(Presentable):
    """Results of ``arbitree papers``: print them, convert them, or ``write`` them as pages and figures."""

    made: tuple[Made, ...]
    files: tuple[Found, ...] = ()
    warnings: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Mapping[str, str]:
        """Return the pieces of a paper: tables and texts in Markdown, figures as SVG."""
        return next(each.pieces for each in self.made if each.paper.name == name)

    @property
    def document(self) -> Document:
        """The tables as a document."""
        legend = [Section((Text(LEGEND),))] if any(each.compared for each in self.made) else []
        sections = legend + [section for each in self.made for section in _sections(each)]
        if lines := self._left_out():
            sections.append(Section((Text("\n".join(lines)),), "Not compared"))
        references = tuple(each.paper.reference for each in self.made if each.paper.reference)
        return Document(
            "papers",
            "\n".join(f"{_capital(each.paper.title)}: {each.summary}." for each in self.made),
            (*sections, Section((self._comparisons(),))),
            self.data,
            references,
            main="Comparisons",
        )

    def unavailable(self) -> list[dict[str, str]]:
        """Return what cannot be had, and why."""
        return [
            {"paper": each.paper.name, "what": what, "why": why}
            for each in self.made
            for what, why in each.paper.unavailable.items()
        ]

    def missing(self) -> list[dict[str, Any]]:
        """Return the directories of which files are missing, and why."""
        groups: dict[tuple[str, str, str], int] = {}
        for each in self.files:
            if each.place == NOWHERE:
                folder = each.file.target if each.file.folder else str(PurePosixPath(each.file.target).parent)
                key = (each.file.release.paper, folder, each.note)
                groups[key] = groups.get(key, 0) + 1
        return [
            {"paper": paper, "directory": folder, "files": count, "why": why}
            for (paper, folder, why), count in groups.items()
        ]

    def _left_out(self) -> list[str]:
        """Return a line on everything that is not compared."""
        return [
            *(f"cannot be had: {each['what']} ({each['why']})" for each in self.unavailable()),
            *(
                f"missing: {count_of(each['files'], 'file')} of {each['directory']} ({each['why']})"
                for each in self.missing()
            ),
        ]

    def data(self) -> dict[str, Any]:
        """Return the tables for JSON."""
        return {
            "papers": [_record(each) for each in self.made],
            "unavailable": self.unavailable(),
            "missing": self.missing(),
            "files": [file_record(each) for each in self.files],
            "warnings": list(self.warnings),
        }

    @inputs_kept()
    def write(self, folder: str | Path) -> list[Path]:
        """Write a page in Markdown for each paper, and its figures, to *folder*; return the paths.

        In a page that exists, only the tables and texts between marks are replaced.
        """
        target = make_writable(folder)
        return [
            path
            for each in self.made
            if each.pieces
            for path in write_page(target, each.paper.name, each.paper.title, each.pieces)
        ]

    def _comparisons(self) -> Table:
        rows = [
            (each.paper.name, mark, *comparison) for each in self.made for mark, comparison in each.compared
        ]
        return Table(COMPARISONS, rows, name="Comparisons", media=DATA)


@dataclass(frozen=True, repr=False)
class PaperFiles(Presentable):
    """The files that papers need: where they are public, sizes, licences, and which of them are there."""

    files: tuple[Found, ...]

    @property
    def document(self) -> Document:
        """The list as a document."""
        there = sum(each.place != NOWHERE for each in self.files)
        size = sum(each.file.size or 0 for each in self.files)
        return Document(
            "papers",
            f"{count_of(len(self.files), 'file')}, {_size(size)}{_available(there, len(self.files))}.",
            (Section((self._releases(),), "Releases"), Section((self._table(),), "Files")),
            self.data,
            main="Files",
        )

    def data(self) -> dict[str, Any]:
        """Return the list for JSON."""
        return {"files": [file_record(each) for each in self.files]}

    def _releases(self) -> Table:
        columns = [
            Column("folder", "directory", NAME._replace(wraps=False)),
            Column("files", "files", COUNT),
            Column("size", "size", WORD),
            Column("repository", "repository", WORD),
            Column("commit", "commit", TEXT),
            Column("licence", "licence", TEXT),
        ]
        groups: dict[Any, list[Found]] = {}
        for each in self.files:
            groups.setdefault(each.file.release, []).append(each)
        rows = [
            (
                release.folder,
                len(group),
                _size(sum(each.file.size or 0 for each in group)),
                release.repository,
                release.commit[:10] + (f" and {release.cut[:10]}" if release.cut else ""),
                release.licence,
            )
            for release, group in groups.items()
        ]
        return Table(columns, rows, media=SHOWN)

    def _table(self) -> Table:
        columns = [
            Column("file", "file", NAME),
            Column("bytes", "bytes", COUNT),
            Column("place", "place", WORD),
            *(
                Column(name, name, TEXT, DATA)
                for name in ("repository", "commit", "path", "sha256", "licence")
            ),
        ]
        rows = [
            (
                each.file.target,
                each.file.size,
                each.place,
                each.file.origin.repository,
                each.file.origin.commit,
                each.file.origin.path,
                each.file.sha256,
                each.file.release.licence,
            )
            for each in self.files
        ]
        return Table(columns, rows, name="Files")


def _available(there: int, files: int) -> str:
    """Return how many files are there, for the end of a sentence.

    Example:
        >>> _available(0, 5), _available(5, 5), _available(2, 5), _available(0, 0)
        ('; none downloaded yet', '; all available', '; 2 available, 3 missing', '')
    """
    if not files:
        return ""
    if not there:
        return "; none downloaded yet"
    return "; all available" if there == files else f"; {there:,} available, {files - there:,} missing"


def file_record(found: Found) -> dict[str, Any]:
    """Return a file for JSON."""
    origin = found.file.origin
    record = {
        "file": found.file.target,
        "place": found.place,
        "repository": origin.repository,
        "commit": origin.commit,
        "path": origin.path,
        "bytes": found.file.size,
        "sha256": found.file.sha256 or None,
        "licence": found.file.release.licence,
    }
    return record | ({"cut_with": found.file.release.cut} if found.file.release.cut else {})


def _sections(made: Made) -> list[Section]:
    return [
        Section(_blocks(mark, piece), f"{_capital(made.paper.title)}: {mark}")
        for mark, piece in made.pieces.items()
        if not mark.endswith(FIGURE)
    ]


def _blocks(mark: str, piece: str) -> tuple[Text | Table, ...]:
    if not isinstance(piece, Grid):
        lines = [line for line in piece.splitlines() if not line.startswith(FENCE)]
        return (Text("\n".join(lines), whole=piece.startswith(FENCE)),)
    columns = [Column(str(place), _plain(title), CELL) for place, title in enumerate(piece.header)]
    rows = [tuple(map(_plain, line)) for line in piece.body]
    table = Table(columns, rows, media=SHOWN, repeated=1)
    return (table, Text(piece.remark)) if piece.remark else (table,)


def _plain(text: str) -> str:
    """Return a cell without Markdown."""
    shown = text.plain if isinstance(text, Cell) else text.replace("**", "")
    return shown.replace("`", "").replace("*", "")


def _record(made: Made) -> dict[str, Any]:
    compared: dict[str, list[Comparison]] = {}
    for mark, each in made.compared:
        compared.setdefault(mark, []).append(each)
    parts: list[dict[str, Any]] = []
    for mark, piece in made.pieces.items():
        if mark.endswith(FIGURE):
            parts.append({"name": mark.removesuffix(FIGURE), "figure": True})
        elif isinstance(piece, Grid):
            cells = [each._asdict() for each in compared.get(mark, [])]
            table = {"columns": list(piece.header), "rows": [list(map(_plain, line)) for line in piece.body]}
            remark = {"text": piece.remark} if piece.remark else {}
            parts.append({"name": mark, **table, **remark, "compared": cells})
        else:
            parts.append({"name": mark, "text": str(piece)})
    return {
        "name": made.paper.name,
        "title": made.paper.title,
        "compared": len(made.compared),
        "equal": sum(each.equal for _, each in made.compared),
        "parts": parts,
    }


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"
