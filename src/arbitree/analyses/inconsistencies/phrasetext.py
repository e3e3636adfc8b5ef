"""Phrase-structure annotations as one text, with the labels that its strings of words have as phrases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from arbitree.analyses.inconsistencies.normalisation import Normal, Normaliser, looks_historical
from arbitree.analyses.inconsistencies.repeats import Text, repeated
from arbitree.analyses.inconsistencies.settings import Settings
from arbitree.data.phrase import PhraseTree
from arbitree.data.result import Ignored
from arbitree.data.study import Annotation, Study

Labels = dict[tuple[int, int], str]  # by first position and length


@dataclass(slots=True)
class LabelledText:
    """All annotations as one text, with the labels of their phrases."""

    cells: list[Annotation[PhraseTree]]
    words: list[tuple[str, ...]]
    text: Text
    labels: Labels
    scattered: int = 0
    ignored: list[Ignored] = field(default_factory=list)

    @classmethod
    def of(cls, study: Study[PhraseTree], settings: Settings) -> LabelledText:
        """Return the text of all annotations in *study*; those without words are counted and left out."""
        trees = [cell.value for cell in study.cells.values()]
        historical = settings.style == "historical" or (settings.style == "auto" and looks_historical(trees))
        normaliser = Normaliser(settings, historical=historical)
        cells, words, ignored = [], [], []
        labels: Labels = {}
        scattered = start = 0
        for item, found in study:
            for cell in found:
                normal = normaliser.normal(cell.value)
                if not normal.words:
                    ignored.append(Ignored(item.id, "empty_tree", f"empty for {cell.coder}"))
                    continue
                for span, chain in _chains(normal).items():
                    if span is None:
                        scattered += len(chain)
                    else:
                        labels[start + span[0], span[1] - span[0]] = "/".join(chain)
                cells.append(cell)
                words.append(normal.words)
                start += len(normal.words)
        shown = [[word.lower() for word in each] for each in words] if settings.case == "lower" else words
        return cls(cells, words, Text.of(shown), labels, scattered, ignored)

    def strings(self, settings: Settings) -> Iterator[tuple[int, list[int]]]:
        """Yield the length and the positions of every string that repeats and is a phrase somewhere."""
        by_length: dict[int, list[int]] = defaultdict(list)
        for start, length in self.labels:
            by_length[length].append(start)
        phrase = np.zeros(len(self.text.words), dtype=bool)
        for length, starts, strings in repeated(self.text):
            if length < settings.min_len or not by_length[length]:
                continue
            if settings.max_len is not None and length > settings.max_len:
                return
            phrase[by_length[length]] = True
            is_phrase = np.zeros(int(strings.max()) + 1, dtype=bool)
            is_phrase[strings[phrase[starts]]] = True
            phrase[by_length[length]] = False
            kept = np.flatnonzero(is_phrase[strings])
            order = kept[np.argsort(strings[kept], kind="stable")]
            cuts = np.flatnonzero(np.diff(strings[order])) + 1
            for part in np.split(starts[order], cuts) if len(order) else ():
                yield length, part.tolist()

    def notes(self) -> list[str]:
        """Return what whoever reads the findings should know."""
        if not self.scattered:
            return []
        return [f"phrases with gaps are no strings of words and left out: {self.scattered}"]


def _chains(normal: Normal) -> dict[tuple[int, int] | None, list[str]]:
    """Return the categories of the phrases over each span, the highest first; under None those with gaps."""
    size = len(normal.forms)
    position, width = [], 0
    for terminal in range(size):
        position.append(width)
        width += terminal not in normal.traces
    runs: list[tuple[int, int, int]] = [
        (position[k], position[k] + (k not in normal.traces), int(k not in normal.traces))
        for k in range(size)
    ]
    phrases: list[tuple[int, int, int]] = [(0, 0, 0)] * len(normal.children)
    for place in range(len(normal.children) - 1, -1, -1):  # phrases are in preorder
        below = [runs[child] if child < size else phrases[child - size] for child in normal.children[place]]
        real = [each for each in below if each[2]]
        if real:
            phrases[place] = (min(r[0] for r in real), max(r[1] for r in real), sum(r[2] for r in real))
    chains: dict[tuple[int, int] | None, list[str]] = defaultdict(list)
    for place, (first, end, count) in enumerate(phrases):
        if count:
            span = (first, end) if end - first == count else None
            chains[span].append(normal.labels[size + place][0])
    return chains
