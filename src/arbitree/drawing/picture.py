"""Draw one item of a study for a web page, a file, a notebook or a terminal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from markupsafe import Markup

from arbitree.drawing import svg
from arbitree.drawing.badges import NOT_DONE, OTHER_WORDS
from arbitree.drawing.canvas import WIDTH
from arbitree.errors import StudyError, shorten
from arbitree.study.study import Item, Study, Value, find_item
from arbitree.wording import one_line

if TYPE_CHECKING:
    from arbitree.drawing.fragment import Fragment, Node

V = TypeVar("V", bound=Value)


class Folding(NamedTuple):
    """A picture for a page, with agreed parts folded if it is large."""

    shown: str
    whole: str = ""  # with all parts; empty if nothing is folded

    def __html__(self) -> str:
        """Return the markup for a page, on which the reader can unfold the picture."""
        if not self.whole:
            return self.shown
        words = '<span class="more">Show all words</span><span class="less">Fold agreed words</span>'
        return (
            f'<details class="unfold"><summary>{words}</summary>{self.whole}</details>'
            f'<div class="folded">{self.shown}</div>'
        )


class Part(ABC):
    """Base class: a picture of annotations over the same words."""

    legend: ClassVar[str] = ""  # caption about lines and colours on a page

    @property
    @abstractmethod
    def markup(self) -> str:
        """The picture as markup for a page."""

    @abstractmethod
    def text(self, width: int, colour: bool) -> str:
        """Return the picture as text for a terminal."""

    @property
    @abstractmethod
    def alternative(self) -> str:
        """The text alternative of the picture."""

    @property
    @abstractmethod
    def differences(self) -> list[str]:
        """A sentence for every place where coders differ."""

    @property
    def whole(self) -> str:
        """The picture with all phrases unfolded; empty if no phrase is folded."""
        return ""

    def clickable(self, keys: Sequence[str]) -> Folding:
        """Return the picture for the adjudication page, in which a click chooses a value.

        Elements of a place in *keys* have its key in ``data-key``. Elements of an annotator's value also have
        ``data-wish``: the changes that choose it, one line per place with its key, a tab and the value.
        Values of annotators are drawn at the same position before and after a decision.
        """
        return Folding(self.markup, self.whole)


class Pictures(ABC, Generic[V]):
    """Base class: drawing of annotations of one kind."""

    in_line: ClassVar[bool] = False  # whether the picture shows the words on one line
    by_words: ClassVar[bool] = True  # whether annotations of other words are drawn in a separate part
    outlined: ClassVar[bool] = False  # whether pages draw nodes as indented lines instead of trees over words

    @abstractmethod
    def part(
        self, values: Mapping[str, V], coders: Sequence[str], absent: Mapping[str, str], decided: Any
    ) -> Part:
        """Return the picture of annotations of one item over the same words.

        Args:
            values: Annotations by annotator.
            coders: All annotators of the study; their order determines the colours.
            absent: Reasons why annotators are not among *values*.
            decided: The decisions of the adjudicator, from the places of the kind, or None.
        """

    @abstractmethod
    def aligned(self, values: Sequence[V], *, marked: bool = False, widest: float) -> list[str]:
        """Return one picture for each of *values*, which have the same words, as markup for a page.

        Every word is at the same place in all pictures, so that they can be compared.

        Args:
            values: Annotations of one item.
            marked: Mark the parts that not all annotations share.
            widest: Width in pixels after which a picture may continue in another row.
        """

    @abstractmethod
    def spoken(self, value: V) -> list[str]:
        """Return a description of the annotation, one line per part."""

    def nodes(self, value: V) -> tuple[Node, ...]:
        """Return the nodes of an annotation, for pictures that a page draws; empty if it cannot draw them."""
        return ()

    @abstractmethod
    def fragment(
        self, fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
    ) -> str:
        """Return a picture of *fragment* over *words*, as SVG.

        Args:
            fragment: The fragment to draw.
            others: The alternative fragments; shared parts are drawn thin and grey.
            words: The words of an example.
            differing: Offsets of the words to highlight.
        """


def side_by_side(panels: Sequence[str]) -> str:
    """Return several pictures for a page, beside one another where the page is wide enough."""
    return panels[0] if len(panels) == 1 else f'<div class="panels">{"".join(panels)}</div>'


@dataclass(frozen=True)
class Picture:
    """A picture of the annotations of one item.

    Annotators whose words differ from those of the first are drawn in a separate part.
    """

    item: str
    parts: tuple[Part, ...]
    sources: Mapping[str, str] = field(default_factory=dict)  # path:line, by coder

    @cached_property
    def markup(self) -> Markup:
        """The picture as markup for a page with the style sheet ``pictures.css``."""
        return Markup("".join(part.markup for part in self.parts))

    @cached_property
    def svg(self) -> str:
        """The picture as a standalone SVG file."""
        if len(self.parts) == 1:
            return svg.standalone(self.parts[0].markup) + "\n"
        return svg.standalone(svg.stacked([part.markup for part in self.parts], self.alternative)) + "\n"

    @cached_property
    def text(self) -> str:
        """The picture as text with up to 100 columns."""
        return self.text_in(WIDTH)

    def text_in(self, width: int, *, colour: bool = False) -> str:
        """Return the picture as text with up to *width* columns, in colour if requested."""
        return "\n\n".join(part.text(width, colour) for part in self.parts) + "\n"

    @property
    def alternative(self) -> str:
        """The text alternative of the picture."""
        return " ".join(part.alternative for part in self.parts)

    @property
    def differences(self) -> list[str]:
        """A sentence for every place where coders differ."""
        return [line for part in self.parts for line in part.differences]

    @property
    def whole(self) -> Markup:
        """The picture without triangles for folded phrases; empty if no phrase is folded."""
        return Markup("".join(part.whole for part in self.parts))

    @cached_property
    def page(self) -> Markup:
        """The picture for a page with the script ``pictures.js``; the reader can unfold it."""
        return self.clickable(())

    def clickable(self, keys: Sequence[str]) -> Markup:
        """Return the picture for the adjudication page, in which a click chooses a value at one of *keys*."""
        parts = [part.clickable(keys) for part in self.parts]
        shown = "".join(part.shown for part in parts)
        whole = "".join(part.whole or part.shown for part in parts) if any(p.whole for p in parts) else ""
        return Markup(Folding(shown, whole).__html__())

    def _repr_html_(self) -> str:
        return f'<div class="pictures">{self.svg}</div>'

    def __repr__(self) -> str:
        shown = one_line(self.alternative, 150)
        return f"<Picture of {one_line(self.item)}: {shown}>" if self.item else f"<Picture: {shown}>"

    def __str__(self) -> str:
        return self.text


def draw_values(
    pictures: Pictures[V], values: Mapping[str, V], coders: Sequence[str] = (), decided: Any = None
) -> tuple[Part, ...]:
    """Return a picture of the annotations of one item, with one part per sequence of words.

    Args:
        pictures: The drawing ability of the kind of *values*.
        values: Annotations by annotator.
        coders: All annotators of the study (default: those of *values*).
        decided: The decisions of the adjudicator; drawn only if all annotators have the same words.
    """
    names = coders or tuple(values)
    groups: dict[tuple[str, ...], dict[str, V]] = {}
    for coder, value in values.items():
        groups.setdefault(value.tokens if pictures.by_words else (), {})[coder] = value
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
    return draw_known(pictures, study, find_item(study, item), decided)


def draw_known(pictures: Pictures[V], study: Study[V], item: Item, decided: Any = None) -> Picture:
    """Return the picture of an item of *study* that need not be looked for."""
    cells = study.of(item)
    if not cells:
        raise StudyError(f"item {shorten(item.id)} has no annotations", hint="Choose another item")
    values = {cell.coder: cell.value for cell in cells}
    sources = {cell.coder: str(cell.source) for cell in cells if cell.source}
    return Picture(item.id, draw_values(pictures, values, study.coders, decided), sources)
