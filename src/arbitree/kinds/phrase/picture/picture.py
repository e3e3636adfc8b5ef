"""One item of a study as a picture: for a page, as a file, for a notebook, for a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap

from arbitree.kinds.phrase.picture import overlay
from arbitree.kinds.phrase.picture.svg import is_folded, phrases_svg
from arbitree.kinds.phrase.picture.text import phrases_text
from arbitree.kinds.phrase.value import PhraseTree


@dataclass(frozen=True)
class PhrasesPart:
    """Phrase trees over the same words, each different one once."""

    trees: tuple[overlay.Phrases, ...]
    notes: tuple[str, ...]

    @cached_property
    def markup(self) -> str:
        """The picture for a page."""
        return phrases_svg(self.trees, notes=self.notes)

    def text(self, width: int, colour: bool) -> str:
        """Return the picture for a terminal."""
        notes = [line for note in self.notes for line in wrap(note, width)]
        return "\n\n".join(
            [phrases_text(self.trees, width=width, colour=colour), *filter(None, ["\n".join(notes)])]
        )

    @property
    def alternative(self) -> str:
        """What it shows, in words."""
        return overlay.alternative(self.trees)

    @property
    def differences(self) -> list[str]:
        """A sentence for every contested bracket."""
        return overlay.differences(self.trees)

    @property
    def whole(self) -> str:
        """The picture without triangles, if it has any."""
        return phrases_svg(self.trees, notes=self.notes, folded=False) if is_folded(self.trees) else ""


def _phrases(tree: PhraseTree) -> list[str]:
    children, yields, tokens = tree.children(), tree.yields(), tree.tokens
    found = []
    stack = [tree.parents.index(-1)]
    while stack:
        node = stack.pop()
        words = " … ".join(" ".join(tokens[start:end]) for start, end in yields[node])
        if tree.labels[node]:
            found.append(f"{tree.labels[node]}: {words}".removesuffix(": "))
        stack += reversed(children[node])
    return found
