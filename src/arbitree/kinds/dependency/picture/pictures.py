"""How dependency trees are drawn: arcs over one row of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from arbitree.drawing.picture import Part, Pictures
from arbitree.kinds.dependency.picture.overlay import Decided, Overlay, overlay_of
from arbitree.kinds.dependency.picture.svg import arcs_svg, fragment_svg
from arbitree.kinds.dependency.picture.text import arcs_text
from arbitree.kinds.dependency.value import DepTree

if TYPE_CHECKING:
    from arbitree.constructions.findings import Fragment


@dataclass(frozen=True)
class ArcsPart(Part):
    """Dependency trees over the same words."""

    legend: ClassVar[str] = (
        "Underlined: words whose head is contested. Point at a word to see its arcs alone."
    )

    overlay: Overlay

    @cached_property
    def markup(self) -> str:
        """The picture for a page."""
        return arcs_svg(self.overlay)

    def text(self, width: int, colour: bool) -> str:
        """Return the picture for a terminal."""
        return arcs_text(self.overlay, width=width, colour=colour)

    @property
    def alternative(self) -> str:
        """What it shows, in words."""
        return self.overlay.alternative

    @property
    def differences(self) -> list[str]:
        """A sentence for every contested word."""
        return self.overlay.differences()


class DependencyPictures(Pictures[DepTree]):
    """Arcs of all coders over one row of words."""

    in_line: ClassVar[bool] = True

    def part(
        self,
        values: Mapping[str, DepTree],
        coders: Sequence[str],
        absent: Mapping[str, str],
        decided: Decided | None,
    ) -> ArcsPart:
        """Return the arcs of *values* laid over one another."""
        return ArcsPart(overlay_of(values, coders, absent, decided))

    def spoken(self, value: DepTree) -> list[str]:
        """Return a line for every arc; a word that occurs twice has its number after it.

        Example:
            >>> DependencyPictures().spoken(DepTree(("birds", "sing"), (2, 0), ("nsubj", "root")))
            ['birds: nsubj of sing', 'sing: root, under no word']
        """
        counted = Counter(value.tokens)
        words = [
            f"{word} ({number})" if counted[word] > 1 else word
            for number, word in enumerate(value.tokens, start=1)
        ]
        return [
            f"{word}: {relation} of {words[head - 1]}" if head else f"{word}: {relation}, under no word"
            for word, head, relation in zip(words, value.heads, value.relations, strict=True)
        ]

    def fragment(
        self, fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
    ) -> str:
        """Return the words in a row with an arc from each to its head."""
        return fragment_svg(fragment, others, words, differing)
