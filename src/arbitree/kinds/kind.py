"""The contract of a kind of annotation: what the rest of the program may ask of it."""

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

TREES = "Give files with trees; of profiles, --format derivations takes the trees"
# The sentence for a study whose kind lacks an ability, and what to do about it.
LACKING = {
    "pictures": (
        "there is no picture of {} annotations",
        "Draw dependency or phrase-structure trees; of profiles, --format derivations takes the trees",
    ),
    "places": ("{} annotations have no places to decide", "Give trees, labels or profiles"),
    "constructions": ("{} annotations have no constructions", TREES),
    "models": ("there is no annotator model of {} annotations", "Give trees or labels"),
    "noises": ("noise is put into trees, and these annotations are none", "Give a file of trees"),
}


class PartStudy(NamedTuple):
    """A group of a breakdown that is a study of its own, such as one label against all others."""

    name: str
    study: Study[Any]
    details: Mapping[str, Any]


class Kind(ABC, Generic[V]):
    """A kind of annotation: its values, and what can be done with them.

    One object, ``KIND``, in ``kinds/<kind>/kind.py``. Everything outside that folder asks this object. Only
    ``name`` and ``values`` are required; every other member has a default, and an ability that the kind
    lacks is None or empty. Abilities are imported when they are asked for.
    """

    name: ClassVar[str]  # of the folder
    values: ClassVar[tuple[type[Any], ...]]  # the types of its values
    writers: ClassVar[tuple[str, ...]] = ()  # formats that hold it, best first
    leading: ClassVar[tuple[str, ...]] = ()  # measures of one coder against gold
    order: ClassVar[tuple[str, ...]] = ()  # of the measures in every table, headline first
    label_column: ClassVar[str] = ""  # the column that models of labels see; none for labels themselves

    @property
    def unit(self) -> str:
        """What an item is called."""
        word: str = self.values[0].unit
        return word

    def sorted(self, measures: Iterable[str]) -> list[str]:
        """Return *measures* in the order of every table; those that the kind does not list follow by name."""
        places = {name: place for place, name in enumerate(self.order)}
        return sorted(measures, key=lambda name: (places.get(name, len(places)), name))

    # What an annotation is, in words and in JSON.

    def size(self, study: Study[V]) -> Mapping[str, int]:
        """Return the size of *study* by JSON key: the tokens of the first annotation of each item."""
        return {"tokens": sum(len(cells[0].value) for _, cells in study if cells)}

    def text(self, cells: Sequence[Annotation[V]]) -> str:
        """Return the annotations of one item as a line of a list: the words that were annotated."""
        return " ".join(cells[0].value.tokens).strip()

    def tokens(self, value: V) -> tuple[str, ...]:
        """Return the words that were annotated; none where an item is not a sentence."""
        return value.tokens

    def describe(self, value: V) -> str:
        """Return an annotation in a few words."""
        return str(value)

    def record(self, value: V) -> dict[str, Any]:
        """Return an annotation as JSON."""
        return {"text": str(value)}

    def short_record(self, value: V) -> Any:
        """Return as JSON what an annotator model decides of an annotation."""
        return str(value)

    # Is it done, and are two of them the same?

    def done(self, value: V) -> bool:
        """Return whether the annotator has done the item; an empty annotation counts as missing."""
        return len(value) > 0

    def content(self, value: V) -> Hashable:
        """Return what makes two annotations the same."""
        return value

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
        """Return the annotation that marks a gap in a file."""
        raise UnsupportedStudy(f"a file of {self.name} annotations cannot mark a gap")

    def comments(self, value: V) -> tuple[str, ...] | None:
        """Return the comments on an annotation in its file; None where files have no comments."""
        return None

    def commented(self, value: V, comments: tuple[str, ...]) -> V:
        """Return an annotation with other comments."""
        return value

    def written(self, value: V, values: Mapping[str, V]) -> Any:
        """Return an annotation as the kind's files hold it; *values* are the coders' of the same item."""
        return value

    def splits(self, item: Item, first: V, second: V) -> Sequence[Any]:
        """Return the options of a parser that two annotators of *item* took differently."""
        return ()

    # How measures see a study.

    @property
    def views(self) -> Mapping[str, View[V]]:
        """The other kinds of annotation that these can be seen as, for measures that fit those."""
        return {}

    def column(self, study: Study[V], name: str) -> Study[Any]:
        """Return the study of the labels in one column of the annotations, such as the relations of trees."""
        raise UnsupportedStudy(
            f"labels cannot be taken from {study.kind} annotations", hint="Leave out --column, or give trees"
        )

    @property
    def breakdowns(self) -> Mapping[str, Callable[[Study[V]], Mapping[str, str]]]:
        """What items can be grouped by, besides documents: the class of every item."""
        return {"length": length_classes}

    @property
    def parts(self) -> Mapping[str, Callable[[Study[V]], Iterable[PartStudy]]]:
        """What annotations can be broken down by: studies that ``Measure.one_label`` measures."""
        return {}

    # Abilities.

    @property
    def places(self) -> Places[V] | None:
        """How annotations are compared and decided place by place."""
        return None

    @property
    def pictures(self) -> Pictures[V] | None:
        """How annotations are drawn."""
        return None

    @property
    def constructions(self) -> Constructions[V] | None:
        """How ``explain`` finds inconsistencies."""
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
    def needed(self, ability: Literal["places"], word: str | None = None) -> Places[V]: ...

    @overload
    def needed(self, ability: Literal["pictures"], word: str | None = None) -> Pictures[V]: ...

    @overload
    def needed(self, ability: Literal["constructions"], word: str | None = None) -> Constructions[V]: ...

    @overload
    def needed(
        self, ability: Literal["models"], word: str | None = None
    ) -> Mapping[str, AnnotatorModel[V]]: ...

    @overload
    def needed(self, ability: Literal["noises"], word: str | None = None) -> Mapping[str, Noise[V]]: ...

    @overload
    def needed(self, ability: str, word: str | None = None) -> Any: ...

    def needed(self, ability: str, word: str | None = None) -> Any:
        """Return the ability of this name.

        Args:
            ability: the name of an attribute.
            word: what messages call such annotations (default: the word of the first type of values).
        Raises:
            UnsupportedStudy: in one sentence, if the kind lacks it.
        """
        found = getattr(self, ability)
        if found is None or found == {}:
            what, hint = LACKING[ability]
            raise UnsupportedStudy(what.format(word or self.values[0].kind), hint=hint)
        return found


@dataclass(frozen=True, slots=True)
class View(Generic[V]):
    """Annotations of one kind seen as those of another."""

    kind: Kind[Any]
    of: Callable[[Study[V]], Study[Any]]
