"""Label studies derived from phrase-structure trees: one label per phrase or per token."""

from __future__ import annotations

from typing import Any

from arbitree.kinds.labels.value import Label
from arbitree.kinds.labels.views import Taken, labels_in
from arbitree.kinds.phrase.spans import brackets_of, tags_of
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.plugins import check_name
from arbitree.study.study import Study

PHRASES = "phrase"  # the label of every phrase, by its tokens
POS = "pos"  # the part of speech of every terminal


def column(trees: Study[PhraseTree], name: str) -> Study[Any]:
    """Return the study of the labels of all trees; sentences are the clusters.

    Args:
        trees: a study of phrase-structure trees.
        name: ``phrase`` (a label for every span that is a phrase for any annotator) or ``pos``.
    Returns:
        A study with one item per span or token.
    """
    check_name(name, (PHRASES, POS), "column")
    if name == PHRASES:
        return labels_in(trees, name, phrase_labels, same_length=False)
    return labels_in(trees, name, phrase_tags)


def phrase_labels(tree: PhraseTree) -> Taken:
    """Yield the label of every span of tokens; nested phrases over one span form one label, top first."""
    return ((name, Label("+".join(chain))) for name, chain in brackets_of(tree).items())


def phrase_tags(tree: PhraseTree) -> Taken:
    """Yield the part of speech of every token."""
    return ((str(number), Label(tag)) for number, tag in enumerate(tags_of(tree), start=1))
