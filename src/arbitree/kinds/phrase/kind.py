"""Phrase-structure trees as a kind of annotation."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from arbitree.kinds.kind import Kind
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.annotator_models.model import AnnotatorModel
    from arbitree.constructions.explain import Constructions
    from arbitree.kinds.phrase.picture.pictures import PhrasePictures
    from arbitree.kinds.phrase.places import PhrasePlaces
    from arbitree.simulation.noise import Noise


SEPARATOR = "\x1f"  # occurs in no word or label


class PhraseKind(Kind[PhraseTree]):
    """Phrase-structure trees."""

    name: ClassVar[str] = "phrase"
    noun: ClassVar[str] = "phrase-structure trees"
    values: ClassVar[tuple[type, ...]] = (PhraseTree,)
    writers: ClassVar[tuple[str, ...]] = ("brackets", "negra", "tigerxml")
    leading: ClassVar[tuple[str, ...]] = ("parseval",)
    seen: ClassVar[tuple[str, ...]] = ("tree", "words")
    label_column: ClassVar[str] = "phrase"
    order: ClassVar[tuple[str, ...]] = (
        "alpha_plain",
        "alpha_diff",
        "alpha_norm",
        "alpha_pqgram",
        "edit_distance",
        "exact",
        "jaccard",
        "leaf_ancestor",
        "parseval",
        "brants",
        "crossing",
    )

    def describe(self, value: PhraseTree) -> str:
        """Return the words."""
        return " ".join(value.tokens)

    def record(self, value: PhraseTree) -> dict[str, Any]:
        """Return the tree as it was read."""
        return {"words": value.words, "labels": value.labels, "parents": value.parents}

    def short_record(self, value: PhraseTree) -> dict[str, list[Any]]:
        """Return the brackets around more than one word."""
        found = [{"label": label, "span": [list(run) for run in runs]} for _, label, runs in value.phrases()]
        return {"brackets": found}

    def content(self, value: PhraseTree) -> Hashable:
        """Return the tree without comments and other columns."""
        return value.words, value.labels, value.parents

    def parts_in_files(self, value: PhraseTree) -> Mapping[str, Hashable]:
        """Return the words, labels, brackets, columns, edges and comments."""
        from arbitree.kinds.phrase.file_parts import file_parts

        return file_parts(value)

    @property
    def aspects(self) -> Mapping[str, Callable[[PhraseTree], str]]:
        """The nodes with their labels, and the words."""
        return {"tree": _nodes, "words": lambda tree: SEPARATOR.join(tree.words)}

    def alike(self, first: PhraseTree, second: PhraseTree) -> bool:
        """Return whether two trees over the same words look the same in a picture."""
        return _shape(first) == _shape(second)

    def empty(self) -> PhraseTree:
        """Return a sentence without words."""
        return PhraseTree((), (), ())

    def comments(self, value: PhraseTree) -> tuple[str, ...]:
        """Return the comments before the sentence."""
        return value.comments

    def commented(self, value: PhraseTree, comments: tuple[str, ...]) -> PhraseTree:
        """Return the tree with other comments."""
        return replace(value, comments=comments)

    @property
    def places(self) -> PhrasePlaces:
        """Comparison and adjudication of brackets and tags."""
        from arbitree.kinds.phrase.places import PLACES

        return PLACES

    @property
    def constructions(self) -> Constructions[PhraseTree]:
        """Methods for finding inconsistencies."""
        from arbitree.kinds.phrase.constructions.explain import PhraseConstructions

        return PhraseConstructions()

    @property
    def models(self) -> Mapping[str, AnnotatorModel[PhraseTree]]:
        """The majority of brackets."""
        from arbitree.kinds.phrase.votes import MODELS

        return MODELS

    @property
    def noises(self) -> Mapping[str, Noise[PhraseTree]]:
        """Experiments on phrases."""
        from arbitree.kinds.phrase.noise import NOISES

        return NOISES

    @cached_property
    def pictures(self) -> PhrasePictures:
        """Trees side by side."""
        from arbitree.kinds.phrase.picture.pictures import PhrasePictures

        return PhrasePictures()

    def column(self, study: Study[PhraseTree], name: str) -> Study[Any]:
        """Return the study of the labels in one column of the trees."""
        from arbitree.kinds.phrase.views import column

        return column(study, name)


def _nodes(tree: PhraseTree) -> str:
    """Return labels and parents of all nodes, from the first word upwards: in one order for every file."""
    labels, parents = tree.labels, tree.parents
    numbers = {-1: -1}
    found = []
    for word in range(len(tree.words)):
        node = word
        while node not in numbers:
            numbers[node] = len(numbers)
            found.append(labels[node] or str(bool(tree.name(node))))  # a word without a tag is no node
            node = parents[node]
        found.append(str(numbers[node]))
    return SEPARATOR.join(found)


def _shape(tree: PhraseTree) -> list[tuple[int, str, int]]:
    """Return the content of a picture: depth and label of every node, top down, and leaf positions."""
    children = tree.children()
    found = []
    stack = [(tree.parents.index(-1), 0)]
    while stack:
        node, depth = stack.pop()
        found.append((depth, tree.labels[node], node if node < len(tree.words) else -1))
        stack += [(child, depth + 1) for child in reversed(children[node])]
    return found


KIND = PhraseKind()
