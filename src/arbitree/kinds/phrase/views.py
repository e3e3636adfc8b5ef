"""Studies of labels taken from studies of trees: a label for every token, or for every phrase."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from arbitree.kinds.labels.value import Label
from arbitree.kinds.phrase.value import PhraseTree


def phrase_labels(tree: PhraseTree) -> Iterator[tuple[str, Any]]:
    """Yield the label of every span of tokens; a chain of phrases over one span is one label, top first."""
    chains: dict[str, list[str]] = {}
    for node, (label, runs) in enumerate(zip(tree.labels, tree.yields(), strict=True)):
        if node >= len(tree.words) and runs:
            name = ",".join(f"{start + 1}-{end}" for start, end in runs)
            chains.setdefault(name, []).append(label)
    return ((name, Label("+".join(chain))) for name, chain in chains.items())


def phrase_tags(tree: PhraseTree) -> Iterator[tuple[str, Any]]:
    """Yield the part of speech of every token."""
    numbers = count(1)
    for word, label in zip(tree.words, tree.labels, strict=False):
        if label != "-NONE-" and word:
            yield str(next(numbers)), Label(label or "_")
