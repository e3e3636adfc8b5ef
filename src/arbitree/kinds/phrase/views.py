"""Studies of labels taken from studies of trees: a label for every token, or for every phrase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arbitree.kinds.labels.value import Label
from arbitree.kinds.phrase.spans import brackets_of, tags_of
from arbitree.kinds.phrase.value import PhraseTree


def phrase_labels(tree: PhraseTree) -> Iterator[tuple[str, Any]]:
    """Yield the label of every span of tokens; a chain of phrases over one span is one label, top first."""
    return ((name, Label("+".join(chain))) for name, chain in brackets_of(tree).items())


def phrase_tags(tree: PhraseTree) -> Iterator[tuple[str, Any]]:
    """Yield the part of speech of every token."""
    return ((str(number), Label(tag)) for number, tag in enumerate(tags_of(tree), start=1))
