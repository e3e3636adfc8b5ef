"""Dependency trees as a kind of annotation."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from arbitree.kinds.dependency.value import DepTree, with_cycles
from arbitree.kinds.kind import Kind, View
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.annotator_models.model import AnnotatorModel
    from arbitree.constructions.explain import Constructions
    from arbitree.kinds.dependency.picture.pictures import DependencyPictures
    from arbitree.kinds.dependency.places import DependencyPlaces
    from arbitree.simulation.noise import Noise


BLANK = "_"  # an empty cell
SHARED_NAMES = {"cpostag": "upos", "postag": "xpos"}  # columns of CoNLL-X that are those of CoNLL-U


class DependencyKind(Kind[DepTree]):
    """Dependency trees."""

    name: ClassVar[str] = "dependency"
    noun: ClassVar[str] = "dependency trees"
    values: ClassVar[tuple[type, ...]] = (DepTree,)
    writers: ClassVar[tuple[str, ...]] = ("conllu", "conllx")
    leading: ClassVar[tuple[str, ...]] = ("las", "uas", "la")
    seen: ClassVar[tuple[str, ...]] = ("tree", "words", "tags")
    label_column: ClassVar[str] = "deprel"
    order: ClassVar[tuple[str, ...]] = (
        "alpha_plain",
        "alpha_diff",
        "alpha_norm",
        "alpha_pqgram",
        "las",
        "uas",
        "la",
        "clas",
        "content_las",
        "function_las",
        "root_las",
        "ned",
        "edit_distance",
        "exact",
        "elas",
        "kappa_labels",
        "ucp",
        "lcp",
        "ted",
        "weighted_las",
    )

    def describe(self, value: DepTree) -> str:
        """Return the words."""
        return " ".join(value.tokens)

    def record(self, value: DepTree) -> dict[str, Any]:
        """Return the tree as it was read."""
        return {
            "tokens": value.tokens,
            "heads": value.heads,
            "relations": value.relations,
            "columns": dict(value.columns),
        }

    def short_record(self, value: DepTree) -> dict[str, list[Any]]:
        """Return heads and relations."""
        return {"heads": list(value.heads), "relations": list(value.relations)}

    def content(self, value: DepTree) -> Hashable:
        """Return the tree without comments and other columns."""
        return value.tokens, value.heads, value.relations

    def parts_in_files(self, value: DepTree) -> Mapping[str, Hashable]:
        """Return the words, heads and relations, each column that is not blank, other lines and comments."""
        from arbitree.formats.conll_rows import remarks

        columns = {
            f"column {SHARED_NAMES.get(name, name)}": cells
            for name, cells in value.columns.items()
            if any(cell != BLANK for cell in cells)
        }
        return {
            "words": value.tokens,
            "heads": value.heads,
            "relations": value.relations,
            **columns,
            "multiword tokens and empty nodes": value.extra,
            "comments": remarks(value.comments),
        }

    @property
    def aspects(self) -> Mapping[str, Callable[[DepTree], str]]:
        """Arcs, words, coarse parts of speech, multiword tokens, and enhanced dependencies."""
        from arbitree.kinds.dependency.aspects import ASPECTS

        return ASPECTS

    def alike(self, first: DepTree, second: DepTree) -> bool:
        """Return whether two trees over the same words have the same arcs, except those of punctuation."""
        from arbitree.kinds.dependency.measures.word_classes import is_punctuation

        kept = [k for k, token in enumerate(first.tokens) if not is_punctuation(token)]
        return all(
            first.heads[k] == second.heads[k] and first.relations[k] == second.relations[k] for k in kept
        )

    def faulty(self, values: Sequence[DepTree]) -> list[int]:
        """Return which of *values* have a cycle."""
        return with_cycles(values)

    def depth(self, value: DepTree) -> int:
        """Return the length of the longest path from the artificial root to a token."""
        import numpy as np

        from arbitree.kinds.dependency.graph import depths_of

        return int(depths_of(np.array(value.heads, dtype=np.intp) - 1).max(initial=0))

    def empty(self) -> DepTree:
        """Return a sentence without words."""
        return DepTree((), (), ())

    def comments(self, value: DepTree) -> tuple[str, ...]:
        """Return the comments before the sentence."""
        return value.comments

    def commented(self, value: DepTree, comments: tuple[str, ...]) -> DepTree:
        """Return the tree with other comments."""
        return replace(value, comments=comments)

    @property
    def views(self) -> Mapping[str, View[DepTree]]:
        """Enhanced dependencies as graphs."""
        from arbitree.kinds.dependency.enhanced_graphs import enhanced
        from arbitree.kinds.graphs.kind import KIND as GRAPHS

        return {"enhanced": View(GRAPHS, enhanced)}

    @property
    def places(self) -> DependencyPlaces:
        """Comparison and adjudication of heads, labels and other columns."""
        from arbitree.kinds.dependency.places import PLACES

        return PLACES

    @property
    def constructions(self) -> Constructions[DepTree]:
        """Methods for finding inconsistencies."""
        from arbitree.kinds.dependency.constructions.explain import DependencyConstructions

        return DependencyConstructions()

    @property
    def models(self) -> Mapping[str, AnnotatorModel[DepTree]]:
        """Models of edges and of heads."""
        from arbitree.kinds.dependency.votes import MODELS

        return MODELS

    @property
    def noises(self) -> Mapping[str, Noise[DepTree]]:
        """Experiments on relations, heads and tokens, as in Skjærholt (2014)."""
        from arbitree.kinds.dependency.noise import NOISES

        return NOISES

    @cached_property
    def pictures(self) -> DependencyPictures:
        """Arcs over one row of words."""
        from arbitree.kinds.dependency.picture.pictures import DependencyPictures

        return DependencyPictures()

    def column(self, study: Study[DepTree], name: str) -> Study[Any]:
        """Return the study of the labels in one column of the trees."""
        from arbitree.kinds.dependency.views import column

        return column(study, name)


KIND = DependencyKind()
