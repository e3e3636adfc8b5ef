"""One item of a study as a picture: for a page, as a file, for a notebook, for a terminal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from markupsafe import Markup

from arbitree.drawing import svg
from arbitree.drawing.badges import NOT_DONE, OTHER_WORDS
from arbitree.drawing.canvas import WIDTH
from arbitree.errors import StudyError, shorten
from arbitree.study.study import Study, Value, find_item

if TYPE_CHECKING:
    from arbitree.drawing.fragment import Fragment

V = TypeVar("V", bound=Value)


class Part(ABC):
    """A picture of annotations over the same words."""

    legend: ClassVar[str] = ""  # what a page says about lines and colours

    @property
    @abstractmethod
    def markup(self) -> str:
        """The picture for a page."""

    @abstractmethod
    def text(self, width: int, colour: bool) -> str:
        """Return the picture for a terminal."""

    @property
    @abstractmethod
    def alternative(self) -> str:
        """What it shows, in words."""

    @property
    @abstractmethod
    def differences(self) -> list[str]:
        """A sentence for every place where coders differ."""

    @property
    def whole(self) -> str:
        """The picture with nothing folded; empty where nothing is."""
        return ""


class Pictures(ABC, Generic[V]):
    """How annotations of one kind are drawn."""

    in_line: ClassVar[bool] = False  # whether the words stand on one line, so that the sentence can be read

    @abstractmethod
    def part(
        self, values: Mapping[str, V], coders: Sequence[str], absent: Mapping[str, str], decided: Any
    ) -> Part:
        """Return the picture of annotations of one item over the same words.

        Args:
            values: by coder.
            coders: all coders of the study, whose order decides on colours.
            absent: why a coder is not among *values*.
            decided: what an adjudicator chose, as the places of the kind give it, or None.
        """

    @abstractmethod
    def spoken(self, value: V) -> list[str]:
        """Return the annotation in words, a line for each of its parts."""

    @abstractmethod
    def fragment(
        self, fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
    ) -> str:
        """Return a picture of *fragment* over *words*, as SVG.

        Args:
            fragment: what to draw.
            others: the fragments beside it; what all of them have is drawn thin and grey.
            words: of an example.
            differing: offsets of the words to mark.
        """


@dataclass(frozen=True)
class Picture:
    """Annotations of one item, drawn.

    Coders who have other words than the first are drawn in a part of their own.
    """

    item: str
    parts: tuple[Part, ...]
    sources: Mapping[str, str] = field(default_factory=dict)  # path:line, by coder

    @cached_property
    def markup(self) -> Markup:
        """The picture for a page that has the style sheet ``pictures.css``."""
        return Markup("".join(part.markup for part in self.parts))

    @cached_property
    def svg(self) -> str:
        """The picture as a file of its own."""
        if len(self.parts) == 1:
            return svg.standalone(self.parts[0].markup) + "\n"
        return svg.standalone(svg.stacked([part.markup for part in self.parts], self.alternative)) + "\n"

    @cached_property
    def text(self) -> str:
        """The picture for a terminal of 100 columns."""
        return self.text_in(WIDTH)

    def text_in(self, width: int, *, colour: bool = False) -> str:
        """Return the picture for a terminal of *width* columns, with colours if it has them."""
        return "\n\n".join(part.text(width, colour) for part in self.parts) + "\n"

    @property
    def alternative(self) -> str:
        """What the picture shows, in words."""
        return " ".join(part.alternative for part in self.parts)

    @property
    def differences(self) -> list[str]:
        """A sentence for every place where coders differ."""
        return [line for part in self.parts for line in part.differences]

    @property
    def whole(self) -> Markup:
        """The picture with nothing folded to triangles; empty where nothing is."""
        return Markup("".join(part.whole for part in self.parts))

    def _repr_html_(self) -> str:
        return f'<div class="pictures">{self.svg}</div>'

    def __repr__(self) -> str:
        return (
            f"<Picture of {self.item}: {self.alternative}>" if self.item else f"<Picture: {self.alternative}>"
        )

    def __str__(self) -> str:
        return self.text


def draw_values(
    pictures: Pictures[V], values: Mapping[str, V], coders: Sequence[str] = (), decided: Any = None
) -> tuple[Part, ...]:
    """Return the annotations of one item, a part for each sequence of words.

    Args:
        pictures: of the kind of *values*.
        values: by coder.
        coders: all coders of the study (default: those of *values*).
        decided: what an adjudicator chose; drawn only if all coders have the same words.
    """
    names = coders or tuple(values)
    groups: dict[tuple[str, ...], dict[str, V]] = {}
    for coder, value in values.items():
        groups.setdefault(value.tokens, {})[coder] = value
    chosen = decided if len(groups) == 1 else None
    return tuple(
        pictures.part(
            group,
            names,
            {name: OTHER_WORDS if name in values else NOT_DONE for name in names if name not in group},
            chosen,
        )
        for group in groups.values()
    )


def draw_item(
    pictures: Pictures[V], study: Study[V], item: str | int | None = None, decided: Any = None
) -> Picture:
    """Return the picture of one item of *study*, by its id or its number from 1 (default: the first)."""
    chosen = find_item(study, item)
    cells = study.of(chosen)
    if not cells:
        raise StudyError(f"nobody has annotated {shorten(chosen.id)}", hint="Choose another item")
    values = {cell.coder: cell.value for cell in cells}
    sources = {cell.coder: str(cell.source) for cell in cells if cell.source}
    return Picture(chosen.id, draw_values(pictures, values, study.coders, decided), sources)
