"""How phrase-structure trees are drawn: each different one once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from arbitree.drawing.badges import absences
from arbitree.drawing.picture import Part, Pictures
from arbitree.kinds.phrase.picture import overlay
from arbitree.kinds.phrase.picture.svg import fragment_svg, is_folded, phrases_svg
from arbitree.kinds.phrase.picture.text import phrases_text
from arbitree.kinds.phrase.value import PhraseTree

if TYPE_CHECKING:
    from arbitree.constructions.findings import Fragment


@dataclass(frozen=True)
class PhrasesPart(Part):
    """Phrase trees over the same words, each different one once."""

    legend: ClassVar[str] = "Framed: brackets that not all have. Underlined: labels that not all give."

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


class PhrasePictures(Pictures[PhraseTree]):
    """Trees beside one another, aligned by their words."""

    def part(
        self,
        values: Mapping[str, PhraseTree],
        coders: Sequence[str],
        absent: Mapping[str, str],
        decided: PhraseTree | None,
    ) -> PhrasesPart:
        """Return *values*, trees that are the same drawn once."""
        return PhrasesPart(tuple(overlay.side_by_side(values, coders, decided)), tuple(absences(absent)))

    def spoken(self, value: PhraseTree) -> list[str]:
        """Return a line for every phrase, from the top.

        Example:
            >>> PhrasePictures().spoken(PhraseTree(("we", "sing"), ("P", "V", "S", "VP"), (2, 3, -1, 2)))
            ['S: we sing', 'P: we', 'VP: sing', 'V: sing']
        """
        children, yields, tokens = value.children(), value.yields(), value.tokens
        found = []
        stack = [value.parents.index(-1)]
        while stack:
            node = stack.pop()
            words = " … ".join(" ".join(tokens[start:end]) for start, end in yields[node])
            if value.labels[node]:
                found.append(f"{value.labels[node]}: {words}".removesuffix(": "))
            stack += reversed(children[node])
        return found

    def fragment(
        self, fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
    ) -> str:
        """Return the phrases over the words."""
        return fragment_svg(fragment, others, words, differing)
