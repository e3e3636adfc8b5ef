"""The contract of a kind of annotation."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar, overload

from arbitree.errors import UnsupportedStudy
from arbitree.study.groupings import length_classes
from arbitree.study.study import Annotation, Item, Study, Value

if TYPE_CHECKING:
    from arbitree.adjudication.places import Places
    from arbitree.annotator_models.model import AnnotatorModel
    from arbitree.constructions.explain import Constructions
    from arbitree.drawing.picture import Pictures
    from arbitree.simulation.noise import Noise

V = TypeVar("V", bound=Value)

TREES = "Pass files with trees; for [incr tsdb()] profiles, add --format derivations"
# The error for a study whose kind lacks an ability, and what to do about it.
LACKING = {
    "pictures": ("draw needs trees or graphs, but these files contain {}", TREES),
    "places": (
        "{} have no places that are decided one by one",
        "Choose the whole annotation of one annotator, or pass trees, labels or profiles",
    ),
    "constructions": (
        "explain needs trees or graphs, but these files contain {}",
        f"{TREES}; for confusions of labels, run 'arbitree report'",
    ),
    "models": (
        "no annotator model fits {}",
        "Pass trees or labels; for [incr tsdb()] profiles, add --format derivations",
    ),
    "noises": ("simulate needs trees or graphs, but this file contains {}", TREES),
}


class PartStudy(NamedTuple):
    """A group of a breakdown that is a study of its own, such as one label against all others."""

    name: str
    study: Study[Any]
    details: Mapping[str, Any]


class Kind(ABC, Generic[V]):
    """A kind of annotation: its values, and what can be done with them.

    One object, ``KIND``, in ``kinds/<kind>/kind.py``. Code outside that folder uses this object. Only
    ``name`` and ``values`` are required; every other member has a default, and an ability that the kind
    lacks is None or empty. Abilities are imported on first use.
    """

    name: ClassVar[str]  # the name of the folder
    noun: ClassVar[str] = "other annotations"  # what messages call its annotations, in the plural
    values: ClassVar[tuple[type[Any], ...]]  # the types of its values
    writers: ClassVar[tuple[str, ...]] = ()  # formats that can store it, best first
    leading: ClassVar[tuple[str, ...]] = ()  # measures that compare one coder with gold
    order: ClassVar[tuple[str, ...]] = ()  # of the measures in every table, headline first
    seen: ClassVar[tuple[str, ...]] = ("content",)  # the aspects that most measures see
    label_column: ClassVar[str] = ""  # the column that annotator models of labels use; empty for labels

    @property
    def unit(self) -> str:
        """What an item is called."""
        word: str = self.values[0].unit
        return word

    def sorted(self, measures: Iterable[str]) -> list[str]:
        """Return *measures* in the order of `order`, followed by all others by name."""
        places = {name: place for place, name in enumerate(self.order)}
        return sorted(measures, key=lambda name: (places.get(name, len(places)), name))

    # Descriptions in words and in JSON.

    def size(self, study: Study[V]) -> Mapping[str, int]:
        """Return the size of *study* by JSON key: the tokens of the first annotation of each item."""
        return {"tokens": sum(len(cells[0].value) for _, cells in study if cells)}

    def text(self, cells: Sequence[Annotation[V]]) -> str:
        """Return one line of text for an item: the words that were annotated."""
        return " ".join(cells[0].value.tokens).strip()

    def tokens(self, value: V) -> tuple[str, ...]:
        """Return the words that were annotated; empty if items are not sentences."""
        return value.tokens

    def describe(self, value: V) -> str:
        """Return an annotation in a few words."""
        return str(value)

    def record(self, value: V) -> dict[str, Any]:
        """Return an annotation as JSON."""
        return {"text": str(value)}

    def short_record(self, value: V) -> Any:
        """Return the parts of an annotation that annotator models decide, as JSON."""
        return str(value)

    # Completeness and equality.

    def done(self, value: V) -> bool:
        """Return whether the annotator has done the item; an empty annotation counts as missing."""
        return len(value) > 0

    def content(self, value: V) -> Hashable:
        """Return a key that is equal for annotations that count as the same."""
        return value

    def parts_in_files(self, value: V) -> Mapping[str, Hashable]:
        """Return the parts of an annotation that a file can contain, by their names in messages.

        A part that is empty or missing stands for the same.
        """
        return {self.noun: self.content(value)}

    @property
    def aspects(self) -> Mapping[str, Callable[[V], str]]:
        """What measures see of an annotation, as text: equal texts stand for the same annotation.

        Fingerprints of data consist of aspects. Nothing that only a file format adds may change the text.
        """
        return {"content": lambda value: repr(self.content(value))}

    def alike(self, first: V, second: V) -> bool:
        """Return whether two annotations of the same words look the same, punctuation aside."""
        return self.content(first) == self.content(second)

    def faulty(self, values: Sequence[V]) -> list[int]:
        """Return which of *values* are not well-formed, such as trees with cycles."""
        return []

    def depth(self, value: V) -> int | None:
        """Return the number of levels of an annotation, if the kind counts them."""
        return None

    def empty(self) -> V:
        """Return the annotation that represents a missing annotation in a file."""
        raise UnsupportedStudy(f"a file of {self.name} annotations cannot represent a missing annotation")

    def comments(self, value: V) -> tuple[str, ...] | None:
        """Return the comments on an annotation in its file; None where files have no comments."""
        return None

    def commented(self, value: V, comments: tuple[str, ...]) -> V:
        """Return an annotation with other comments."""
        return value

    def written(self, value: V, values: Mapping[str, V]) -> Any:
        """Return an annotation as it is written to files; *values* are those of all coders for the item."""
        return value

    def splits(self, item: Item, first: V, second: V) -> Sequence[Any]:
        """Return the discriminants of *item* on which two annotators differ."""
        return ()

    # Views and breakdowns for measures.

    @property
    def views(self) -> Mapping[str, View[V]]:
        """Conversions to other kinds of annotation, for measures that fit those kinds."""
        return {}

    def column(self, study: Study[V], name: str) -> Study[Any]:
        """Return the study of the labels in one column of the annotations, such as the relations of trees."""
        raise UnsupportedStudy(
            f"--column takes labels from trees, but these files contain {self.noun}",
            hint="Omit --column, or pass trees",
        )

    @property
    def breakdowns(self) -> Mapping[str, Callable[[Study[V]], Mapping[str, str]]]:
        """Breakdowns of items besides documents: a function that returns the group of each item."""
        return {"length": length_classes}

    @property
    def parts(self) -> Mapping[str, Callable[[Study[V]], Iterable[PartStudy]]]:
        """Breakdowns inside annotations: the studies that ``Measure.one_label`` measures."""
        return {}

    # Abilities.

    @property
    def places(self) -> Places[V] | None:
        """Comparison and adjudication of single heads, labels, brackets or parses."""
        return None

    @property
    def pictures(self) -> Pictures[V] | None:
        """Drawings."""
        return None

    @property
    def constructions(self) -> Constructions[V] | None:
        """The analysis behind ``explain``."""
        return None

    @property
    def models(self) -> Mapping[str, AnnotatorModel[V]]:
        """The annotator models of ``coders`` by name; the default comes first."""
        return {}

    @property
    def noises(self) -> Mapping[str, Noise[V]]:
        """The experiments of ``simulate`` by name; the defaults come first."""
        return {}

    @overload
    def needed(self, ability: Literal["places"]) -> Places[V]: ...

    @overload
    def needed(self, ability: Literal["pictures"]) -> Pictures[V]: ...

    @overload
    def needed(self, ability: Literal["constructions"]) -> Constructions[V]: ...

    @overload
    def needed(self, ability: Literal["models"]) -> Mapping[str, AnnotatorModel[V]]: ...

    @overload
    def needed(self, ability: Literal["noises"]) -> Mapping[str, Noise[V]]: ...

    @overload
    def needed(self, ability: str) -> Any: ...

    def needed(self, ability: str) -> Any:
        """Return the ability of this name.

        Args:
            ability: the name of an attribute.
        Raises:
            UnsupportedStudy: in one sentence, if the kind lacks it.
        """
        found = getattr(self, ability)
        if found is None or found == {}:
            what, hint = LACKING[ability]
            raise UnsupportedStudy(what.format(self.noun), hint=hint)
        return found


@dataclass(frozen=True, slots=True)
class View(Generic[V]):
    """A conversion of annotations of one kind to another kind."""

    kind: Kind[Any]
    of: Callable[[Study[V]], Study[Any]]
