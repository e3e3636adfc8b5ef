"""One item of a study as a picture: for a page, as a file, for a notebook, for a terminal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from arbitree.kinds.dependency.picture.overlay import Overlay
from arbitree.kinds.dependency.picture.svg import arcs_svg
from arbitree.kinds.dependency.picture.text import arcs_text
from arbitree.kinds.dependency.value import DepTree


@dataclass(frozen=True)
class ArcsPart:
    """Dependency trees over the same words."""

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

    @property
    def whole(self) -> str:
        """Nothing: arcs are never folded."""
        return ""


def _arcs(tree: DepTree) -> list[str]:
    counted = Counter(tree.tokens)
    words = [
        f"{word} ({number})" if counted[word] > 1 else word
        for number, word in enumerate(tree.tokens, start=1)
    ]
    return [
        f"{word}: {relation} of {words[head - 1]}" if head else f"{word}: {relation}, under no word"
        for word, head, relation in zip(words, tree.heads, tree.relations, strict=True)
    ]
