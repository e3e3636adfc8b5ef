"""Shared by the modules of the papers: parts, figures, and studies of a few trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arbitree import plugins
from arbitree.reading.content import Content
from arbitree.reporting.figure_style import save
from arbitree.study.study import Annotation, Item, Study
from arbitree.wording import brief

FIGURE = ".svg"


@dataclass(frozen=True)
class Part:
    """Pieces of a paper that are made together.

    The function returns tables and texts by name, and figures by the name of their file, which ends in
    ``.svg``. It gets the directory of the data if it needs anything there.
    """

    make: Callable[..., Mapping[str, str]]
    needs: Sequence[str] = field(default=())  # directories of the data

    def lacks(self, data: Path | None) -> list[str]:
        """Return what the data do not contain."""
        return [need for need in self.needs if data is None or not (data / need).exists()]

    def pieces(self, data: Path | None) -> Mapping[str, str]:
        """Return the pieces; none if data are missing."""
        if self.lacks(data):
            return {}
        return self.make(data) if self.needs else self.make()


@dataclass(frozen=True)
class Paper:
    """A paper, and the parts of it that we make again."""

    name: str
    title: str  # author and year
    parts: Sequence[Part]
    reference: str = ""  # key of its entry in the bibliography
    others: Sequence[str] = ()  # papers whose files it needs, too
    unavailable: Mapping[str, str] = field(default_factory=dict)  # what cannot be had, and why

    __repr__ = brief

    @property
    def needs(self) -> list[str]:
        """The directories of data that any part needs."""
        return list(dict.fromkeys(need for part in self.parts for need in part.needs))


def svg_of(paints: Any, **options: Any) -> str:
    """Return a figure as SVG; the arguments are those of ``arbitree.reporting.figure_style.save``."""
    with TemporaryDirectory() as folder:
        paths = save(Path(folder) / "figure", paints, **options)
        (path,) = [path for path in paths if path.suffix == FIGURE]
        return path.read_text(encoding="utf-8")


def study_of(values: Mapping[str, Mapping[str, Any]]) -> Study[Any]:
    """Return the study of *values*, by item and annotator."""
    coders = dict.fromkeys(coder for cells in values.values() for coder in cells)
    items = {name: Item(name, "paper", name) for name in values}
    cells = {
        (name, coder): Annotation(items[name], coder, value)
        for name, given in values.items()
        for coder, value in given.items()
    }
    return Study(tuple(items.values()), tuple(coders), cells)


def trees(text: str) -> Iterator[Any]:
    """Yield the phrase-structure trees that *text* contains in brackets."""
    for entry in plugins.get("formats", "brackets").read(Content("paper", text.encode())):
        yield entry.value
