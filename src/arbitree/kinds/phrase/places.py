"""Disagreements between phrase-structure trees: brackets over spans of tokens, and tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from arbitree.adjudication.places import Key, Places, Said, What, filled
from arbitree.kinds.phrase.choices import BRACKET, NO_BRACKET, TAG, PhraseSheet, phrase_sheet
from arbitree.kinds.phrase.spans import brackets_of, tags_of
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.study.comparable import tokens_match
from arbitree.study.study import Item


class PhrasePlaces(Places[PhraseTree]):
    """Brackets over spans of tokens, and the tags of tokens."""

    compared: ClassVar[str] = "brackets and tags"
    examples: ClassVar[str] = "2-5 bracket, 3 tag"
    whats: ClassVar[Mapping[str, What]] = {
        BRACKET: What(
            "Brackets",
            "label, or (none)",
            confusion="labels",
            heading="Labels",
            note="Number of spans to which two annotators give these labels. Diagonal: both give the same.",
        ),
        TAG: What(
            "Parts of speech",
            confusion="tags",
            heading="Parts of speech",
            note="Number of tokens to which two annotators give these tags. Diagonal: both give the same.",
        ),
    }
    listed: ClassVar[tuple[str, ...]] = (BRACKET, TAG)
    tagged: ClassVar[Mapping[str, str]] = {"label": BRACKET, "labels": BRACKET, "tags": TAG, "pos": TAG}

    def compare(self, values: Sequence[PhraseTree], *, listed: bool = False) -> Iterable[Said] | None:
        """Return the brackets and tags; None if the tokens differ, or if trees have no words."""
        same = tokens_match(values) if listed else has_places(values)
        return self._compared(values) if same else None

    def _compared(self, trees: Sequence[PhraseTree]) -> Iterator[Said]:
        first = trees[0]
        same = all((tree.labels, tree.parents) == (first.labels, first.parents) for tree in trees[1:])
        for what in (BRACKET, TAG):
            if same:
                own = _said(first, what)
                yield Said(what, tuple(own), [tuple(own.values())] * len(trees))
                continue
            said = [_said(tree, what) for tree in trees]
            names = sorted(set().union(*said), key=_order)
            yield Said(what, names, [tuple(own.get(name, NO_BRACKET) for name in names) for own in said])

    def sheet(
        self, item: Item, values: Mapping[str, PhraseTree], *, one_root: bool = False
    ) -> PhraseSheet | None:
        """Return the sheet of trees over the same tokens."""
        trees = filled(values)
        return phrase_sheet(item, trees) if len(trees) > 1 and has_places(list(trees.values())) else None

    def value_at(self, value: PhraseTree, key: Key) -> str | None:
        """Return the label over a span, or the tag of a token."""
        name, _, what = key.partition(" ")
        return _said(value, what).get(name, NO_BRACKET)

    def vocabulary(self, value: PhraseTree) -> Iterable[tuple[str, Iterable[str]]]:
        """Yield the tags and the labels."""
        words = len(value.words)
        yield TAG, value.labels[:words]
        yield BRACKET, value.labels[words:]

    def atoms(self, what: str, value: str) -> Iterable[str]:
        """Return the labels of phrases directly inside each other; nothing for no bracket."""
        return () if value == NO_BRACKET else value.split("+") if what == BRACKET else (value,)


def has_places(trees: Sequence[PhraseTree]) -> bool:
    """Return whether the brackets of *trees* can be compared: over the same tokens, all of them words."""
    first = trees[0].tokens
    return all(first) and all(tree.tokens == first for tree in trees)


def _said(tree: PhraseTree, what: str) -> dict[str, str]:
    """Return the labels of all spans, or the tags of all tokens, by name."""
    if what == TAG:
        return {str(number): tag for number, tag in enumerate(tags_of(tree), start=1)}
    return {name: "+".join(chain) for name, chain in brackets_of(tree).items()}


def _order(name: str) -> tuple[int, ...]:
    return tuple(int(part) for run in name.split(",") for part in run.split("-"))


PLACES = PhrasePlaces()
