"""Drawing of phrase-structure trees: each distinct tree once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from arbitree.drawing import svg
from arbitree.drawing.badges import absences
from arbitree.drawing.fragment import Node
from arbitree.drawing.picture import Folding, Part, Pictures
from arbitree.kinds.phrase.choices import said_of
from arbitree.kinds.phrase.picture import overlay
from arbitree.kinds.phrase.picture.clicks import Clicks
from arbitree.kinds.phrase.picture.svg import aligned_svg, fragment_svg, is_folded, phrases_svg
from arbitree.kinds.phrase.picture.text import phrases_text
from arbitree.kinds.phrase.value import TRACE, PhraseTree

if TYPE_CHECKING:
    from arbitree.drawing.fragment import Fragment


@dataclass(frozen=True)
class PhrasesPart(Part):
    """Phrase-structure trees over the same words, each distinct tree once."""

    legend: ClassVar[str] = "Framed: brackets that only some annotators have. Underlined: labels that differ."

    trees: tuple[overlay.Phrases, ...]
    notes: tuple[str, ...]
    values: Mapping[str, PhraseTree] = field(default_factory=dict)  # by annotator
    decided: PhraseTree | None = None

    @cached_property
    def markup(self) -> str:
        """The picture for an HTML page."""
        return phrases_svg(self.trees, notes=self.notes)

    def text(self, width: int, colour: bool) -> str:
        """Return the picture for a terminal."""
        notes = [line for note in self.notes for line in wrap(note, width)]
        return "\n\n".join(
            [phrases_text(self.trees, width=width, colour=colour), *filter(None, ["\n".join(notes)])]
        )

    def clickable(self, keys: Sequence[str]) -> Folding:
        """Return the picture with the brackets and tags of places in *keys* as buttons."""
        if not keys:
            return Folding(self.markup, self.whole)
        known, decided = frozenset(keys), said_of(self.decided) if self.decided else {}
        said = [{} if tree.decided else said_of(self.values[tree.coders[0]]) for tree in self.trees]
        clicks = [Clicks(known, own, decided) for own in said]
        shown, whole = (
            phrases_svg(self.trees, notes=self.notes, clicks=clicks, folded=folded, widest=svg.DESK)
            for folded in (None, False)
        )
        return Folding(shown, whole) if is_folded(self.trees) else Folding(shown)

    @property
    def alternative(self) -> str:
        """The alternative text."""
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
    """Trees side by side, aligned by their words."""

    def part(
        self,
        values: Mapping[str, PhraseTree],
        coders: Sequence[str],
        absent: Mapping[str, str],
        decided: PhraseTree | None,
    ) -> PhrasesPart:
        """Return the picture of *values*; equal trees are drawn once."""
        trees = overlay.side_by_side(values, coders, decided)
        return PhrasesPart(tuple(trees), tuple(absences(absent)), values, decided)

    def aligned(self, values: Sequence[PhraseTree], *, marked: bool = False, widest: float) -> list[str]:
        """Return each tree over words at the same places; trees are never wrapped."""
        trees = [overlay.phrases_of(tree) for tree in values]
        if marked:
            trees = [
                overlay.marked(tree, [each for other, each in enumerate(trees) if other != place])
                for place, tree in enumerate(trees)
            ]
        return aligned_svg(trees)

    def spoken(self, value: PhraseTree) -> list[str]:
        """Return a line of text for every phrase, top down.

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

    def nodes(self, value: PhraseTree) -> tuple[Node, ...]:
        """Return the words with their parts of speech, traces, and the phrases above them.

        Example:
            >>> tree = PhraseTree(("we", "*", "sing"), ("P", "-NONE-", "V", "S"), (3, 3, 3, -1))
            >>> [(node.label, node.token) for node in PhrasePictures().nodes(tree)]
            [('P', 0), ('*', None), ('V', 1), ('S', None)]
        """
        found, token = [], 0
        for node, (label, parent) in enumerate(zip(value.labels, value.parents, strict=True)):
            if node < len(value.words) and label != TRACE:
                found.append(Node(label, parent, token))
                token += 1
            else:
                found.append(Node(value.name(node) or label, parent))
        return tuple(found)

    def fragment(
        self, fragment: Fragment, others: Sequence[Fragment], words: Sequence[str], differing: Sequence[int]
    ) -> str:
        """Return the phrases over the words."""
        return fragment_svg(fragment, others, words, differing)
