"""Drawing of dependency trees: arcs over one row of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from arbitree.drawing import svg
from arbitree.drawing.fragment import Node
from arbitree.drawing.picture import Folding, Part, Pictures
from arbitree.kinds.dependency.picture.overlay import Decided, Overlay, overlay_of
from arbitree.kinds.dependency.picture.svg import aligned_svg, arcs_svg, fragment_svg
from arbitree.kinds.dependency.picture.text import arcs_text
from arbitree.kinds.dependency.value import DepTree

if TYPE_CHECKING:
    from arbitree.drawing.fragment import Fragment


@dataclass(frozen=True)
class ArcsPart(Part):
    """Dependency trees over the same words."""

    legend: ClassVar[str] = (
        "Underlined words have a contested head or label. Point at a word to show only its arcs."
    )

    overlay: Overlay

    @cached_property
    def markup(self) -> str:
        """The picture for an HTML page."""
        return arcs_svg(self.overlay)

    def text(self, width: int, colour: bool) -> str:
        """Return the picture for a terminal."""
        return arcs_text(self.overlay, width=width, colour=colour)

    def clickable(self, keys: Sequence[str]) -> Folding:
        """Return the picture with the arcs and labels of places in *keys* as buttons."""
        if not keys:
            return Folding(self.markup)
        whole = arcs_svg(self.overlay, keys=keys, widest=svg.DESK)
        folded = arcs_svg(self.overlay, keys=keys, widest=svg.DESK, folded=True)
        return Folding(folded, whole) if folded else Folding(whole)

    @property
    def alternative(self) -> str:
        """The alternative text."""
        return self.overlay.alternative

    @property
    def differences(self) -> list[str]:
        """A sentence for every contested word."""
        return self.overlay.differences()


class DependencyPictures(Pictures[DepTree]):
    """Arcs of all annotators over one row of words."""

    in_line: ClassVar[bool] = True

    def part(
        self,
        values: Mapping[str, DepTree],
        coders: Sequence[str],
        absent: Mapping[str, str],
        decided: Decided | None,
    ) -> ArcsPart:
        """Return the overlay of the arcs of *values*."""
        return ArcsPart(overlay_of(values, coders, absent, decided))

    def aligned(self, values: Sequence[DepTree], *, marked: bool = False, widest: float) -> list[str]:
        """Return the arcs of each tree over words at the same places."""
        given = [list(zip(tree.heads, tree.relations, strict=True)) for tree in values]
        arcs = zip(*given, strict=True)
        differing = {token for token, said in enumerate(arcs, start=1) if len(set(said)) > 1}
        overlays = [overlay_of({"": tree}, ("",), {}) for tree in values]
        return aligned_svg(overlays, differing=differing if marked else (), widest=widest)

    def spoken(self, value: DepTree) -> list[str]:
        """Return a line of text for every arc; a repeated word is followed by its number.

        Example:
            >>> DependencyPictures().spoken(DepTree(("birds", "sing"), (2, 0), ("nsubj", "root")))
            ['birds: nsubj of sing', 'sing: root, no head']
        """
        counted = Counter(value.tokens)
        words = [
            f"{word} ({number})" if counted[word] > 1 else word
            for number, word in enumerate(value.tokens, start=1)
        ]
        return [
            f"{word}: {relation} of {words[head - 1]}" if head else f"{word}: {relation}, no head"
            for word, head, relation in zip(words, value.heads, value.relations, strict=True)
        ]

    def nodes(self, value: DepTree) -> tuple[Node, ...]:
        """Return the words with their parts of speech, heads and relations.

        Example:
            >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
            >>> [(node.parent, node.edge) for node in DependencyPictures().nodes(tree)]
            [(1, 'nsubj'), (-1, 'root')]
        """
        tags = value.columns.get("upos") or value.columns.get("xpos") or ("",) * len(value)
        return tuple(
            Node(tag, head - 1, token, relation)
            for token, (tag, head, relation) in enumerate(
                zip(tags, value.heads, value.relations, strict=True)
            )
        )

    def fragment(
        self, fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
    ) -> str:
        """Return the words in a row with an arc from each to its head."""
        return fragment_svg(fragment, others, words, differing)
