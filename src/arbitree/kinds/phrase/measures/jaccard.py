"""Jaccard similarity of labelled brackets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from arbitree.kinds.phrase.value import PhraseTree
from arbitree.measures.pair_mean import PairwiseMean
from arbitree.study.comparable import length_obstacle
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation


@dataclass(frozen=True, slots=True)
class Brackets:
    """Compares sets of brackets (label, tokens under it), preterminals included.

    Example:
        >>> flat = PhraseTree(("", ""), ("N", "V", "S"), (2, 2, -1))
        >>> deep = PhraseTree(("", ""), ("N", "V", "S", "VP"), (2, 3, -1, 2))
        >>> Brackets()(flat, deep)
        (0.75,)
    """

    about: ClassVar[Mapping[str, str]] = {"jaccard": "Jaccard similarity of the labelled brackets"}

    def __call__(self, first: PhraseTree, second: PhraseTree) -> tuple[float, ...]:
        """Return |A ∩ B| / |A ∪ B|."""
        ours, theirs = first.brackets(), second.brackets()
        return (len(ours & theirs) / len(ours | theirs),)

    def obstacle(self, cells: list[Annotation[PhraseTree]]) -> Ignored | None:
        """Return an obstacle if the numbers of words differ.

        Delexicalised trees have no words to differ in: their leaves are part of the annotation.
        """
        return None if all(cell.value.delexicalised for cell in cells) else length_obstacle(cells)


PLUGINS = {"jaccard": PairwiseMean(Brackets(), "jaccard", (PhraseTree,))}
