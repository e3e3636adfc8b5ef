"""One item of a study as a picture: for a page, as a file, for a notebook, for a terminal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from markupsafe import Markup

from arbitree.drawing import svg
from arbitree.drawing.badges import NOT_DONE, OTHER_WORDS, absences
from arbitree.errors import UnsupportedStudy
from arbitree.kinds.dependency.picture.overlay import overlay_of
from arbitree.kinds.dependency.picture.picture import ArcsPart, _arcs
from arbitree.kinds.dependency.picture.text import WIDTH
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.picture import overlay
from arbitree.kinds.phrase.picture.picture import PhrasesPart, _phrases
from arbitree.kinds.phrase.value import PhraseTree

if TYPE_CHECKING:
    from arbitree.constructions.findings import Fragment

V = TypeVar("V")


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
    parts: tuple[ArcsPart | PhrasesPart, ...]
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


def _parts(
    trees: Mapping[str, Any], coders: Sequence[str], decided: Any
) -> tuple[ArcsPart | PhrasesPart, ...]:
    groups: dict[tuple[str, ...], dict[str, Any]] = {}
    for coder, tree in trees.items():
        if not isinstance(tree, DepTree | PhraseTree):
            what = f"there is no picture of {getattr(tree, 'kind', type(tree).__name__)} annotations"
            hint = (
                "Draw dependency or phrase-structure trees; of profiles, --format derivations takes the trees"
            )
            raise UnsupportedStudy(what, hint=hint)
        groups.setdefault(tree.tokens, {})[coder] = tree
    if len({type(tree) for tree in trees.values()}) > 1:
        raise UnsupportedStudy("the trees are of two kinds", hint="Draw trees of one kind together")
    chosen = decided if len(groups) == 1 else None
    return tuple(_part(group, trees, coders, chosen) for group in groups.values())


def _part(
    group: dict[str, Any], trees: Mapping[str, Any], coders: Sequence[str], decided: Any
) -> ArcsPart | PhrasesPart:
    absent = {name: OTHER_WORDS if name in trees else NOT_DONE for name in coders if name not in group}
    if isinstance(next(iter(group.values())), DepTree):
        return ArcsPart(overlay_of(group, coders, absent, decided))
    return PhrasesPart(tuple(overlay.side_by_side(group, coders, decided)), tuple(absences(absent)))


def spoken(tree: DepTree | PhraseTree) -> list[str]:
    """Return a line for every arc, from the first to the last word, or for every phrase, from the top.

    A word that stands twice in the sentence has its number after it.

    Example:
        >>> spoken(DepTree(("birds", "sing"), (2, 0), ("nsubj", "root")))
        ['birds: nsubj of sing', 'sing: root, under no word']
        >>> spoken(PhraseTree(("we", "sing"), ("P", "V", "S", "VP"), (2, 3, -1, 2)))
        ['S: we sing', 'P: we', 'VP: sing', 'V: sing']
    """
    return _arcs(tree) if isinstance(tree, DepTree) else _phrases(tree)
