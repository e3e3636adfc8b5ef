"""A study: items, annotators (called *coders* in the API) and annotations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import Source, StudyError, shorten
from arbitree.numbers import whole_number
from arbitree.study.texts import Texts
from arbitree.wording import brief, one_line

V = TypeVar("V")

NAMED = 5  # annotators that the representation of a study lists
GOLD = "gold"  # the annotator of known values


class Value(Protocol):
    """Interface of all annotations: the name of the kind, a length, and the annotated words."""

    kind: ClassVar[str]  # name of the kind in JSON and messages
    plural: ClassVar[str]  # the same in the plural
    unit: ClassVar[str]  # name of an item

    def __len__(self) -> int:
        """Return the size of the annotation; 0 counts as missing."""
        ...

    def __hash__(self) -> int: ...

    @property
    def tokens(self) -> tuple[str, ...]:
        """The annotated words, if any."""
        ...


@dataclass(frozen=True, slots=True)
class Item:
    """The unit that is annotated. Its cluster is the unit of resampling: for trees, the sentence itself."""

    id: str
    document: str
    cluster: str


class Items(Sequence[Item]):
    """Items stored as columns. All of them are created when somebody asks for more than single items.

    Example:
        >>> items = Items(["s1", "s2"], ["news", "news"])
        >>> items[1], len(items), items == (Item("s1", "news", "s1"), Item("s2", "news", "s2"))
        (Item(id='s2', document='news', cluster='s2'), 2, True)
    """

    __hash__ = None  # type: ignore[assignment]  # as of lists

    def __init__(
        self, ids: Sequence[str], documents: Sequence[str], clusters: Sequence[str] | None = None
    ) -> None:
        """Store the columns.

        Args:
            ids: The id of each item.
            documents: The document of each item.
            clusters: The cluster of each item (default: each item is its own cluster).
        """
        self.ids, self.documents, self.clusters = ids, documents, ids if clusters is None else clusters

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Item: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, place: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(place, slice):
            return self._every[place]
        return Item(self.ids[place], self.documents[place], self.clusters[place])

    def __iter__(self) -> Iterator[Item]:
        return iter(self._every)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self._every == tuple(other)

    def __repr__(self) -> str:
        return repr(self._every)

    @cached_property
    def _every(self) -> tuple[Item, ...]:
        return tuple(map(Item, self.ids, self.documents, self.clusters))


@dataclass(frozen=True, slots=True)
class Annotation(Generic[V]):
    """Everything one annotator gave one item, and the line it was read from."""

    item: Item
    coder: str
    value: V
    source: Source | None = None

    __repr__ = brief


class CellTable(Mapping[tuple[str, str], Annotation[V]]):
    """Cells stored as one table with one row per item and one column per annotator."""

    @property
    @abstractmethod
    def columns(self) -> NDArray[np.intp]:
        """The place of every item's cluster among the clusters."""

    @abstractmethod
    def part(self, rows: Sequence[int] | None, columns: Sequence[int]) -> CellTable[V]:
        """Return the cells of these items (None: all) and annotators."""

    @abstractmethod
    def triples(self) -> Iterator[tuple[str, str, V]]:
        """Yield the item, the annotator and the value of each cell, row by row."""

    @abstractmethod
    def together(self, coder: str) -> tuple[str, ...]:
        """Return the annotators whose annotations come from the same file as those of *coder*."""


@dataclass(frozen=True)
class Study(Generic[V]):
    """Items, annotators and their annotations; any annotation may be missing.

    Example:
        >>> birds, bees = (Item(i, "nature", i) for i in ("birds", "bees"))
        >>> cells = {(item.id, "ann"): Annotation(item, "ann", "NN") for item in (birds, bees)}
        >>> study = Study((birds, bees), ("ann", "bob"), cells)
        >>> study.select(items=["bees"]).items[0].id
        'bees'
        >>> study.missing
        2
        >>> study
        Study of 2 items, 2 annotators (ann, bob), annotations
    """

    items: Sequence[Item]  # a tuple, or Items
    coders: tuple[str, ...]
    cells: Mapping[
        tuple[str, str], Annotation[V]
    ]  # by item id and annotator; missing annotations have no key
    reference: str | None = None  # the annotator of the gold standard, if any
    notes: tuple[str, ...] = ()  # warnings about the files
    settings: tuple[str, ...] = ()  # of reading, which signatures contain, such as match:text
    gold: Mapping[str, V] = field(default_factory=dict)  # known values by item, not of an annotator
    texts: Texts = field(default_factory=Texts)  # what people read; in no fingerprint and no signature
    aside: Mapping[tuple[str, str], Annotation[V]] = field(default_factory=dict)  # used only if named
    standard: str | None = None  # the annotator in aside who gave the known values, if any
    inputs: Mapping[str, str] = field(default_factory=dict)  # by annotator: those that name several

    def __repr__(self) -> str:
        kind = type(next(iter(self.cells.values())).value) if self.cells else None
        unit, values = getattr(kind, "unit", "item"), getattr(kind, "plural", "annotations")
        shown = self.coders if len(self.coders) <= NAMED else (*self.coders[:NAMED], "…")
        items = f"{len(self.items):,} {unit}{'s' * (len(self.items) != 1)}"
        coders = f"{len(self.coders):,} annotator{'s' * (len(self.coders) != 1)}"
        return f"Study of {items}, {coders} ({', '.join(map(one_line, shown))}), {values}"

    def of(self, item: Item) -> list[Annotation[V]]:
        """Return the annotations of *item* in the order of the annotators."""
        found = [self.cells.get((item.id, coder)) for coder in self.coders]
        return [annotation for annotation in found if annotation is not None]

    def __iter__(self) -> Iterator[tuple[Item, list[Annotation[V]]]]:
        return ((item, self.of(item)) for item in self.items)

    def triples(self) -> Iterator[tuple[str, str, V]]:
        """Yield the item, the annotator and the value of each annotation; items are in no special order."""
        if isinstance(self.cells, CellTable):
            return self.cells.triples()
        return ((item, coder, cell.value) for (item, coder), cell in self.cells.items())

    @property
    def missing(self) -> int:
        """The number of missing annotations."""
        return len(self.items) * len(self.coders) - len(self.cells)

    @cached_property
    def clusters(self) -> Sequence[str]:
        """The units of resampling, in the order of the items."""
        if isinstance(self.items, Items) and self.items.clusters is self.items.ids:
            return self.items.ids
        return tuple(dict.fromkeys(item.cluster for item in self.items))

    @cached_property
    def columns(self) -> NDArray[np.intp]:
        """The place of every item's cluster among the clusters."""
        if isinstance(self.cells, CellTable):
            return self.cells.columns
        places = {cluster: place for place, cluster in enumerate(self.clusters)}
        return np.array([places[item.cluster] for item in self.items], dtype=np.intp)

    @property
    def cluster_count(self) -> int:
        """The number of clusters."""
        return int(self.columns.max(initial=-1)) + 1

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The documents, in the order of the items."""
        if isinstance(self.items, Items):
            return tuple(dict.fromkeys(self.items.documents))
        return tuple(dict.fromkeys(item.document for item in self.items))

    @property
    def paths(self) -> Iterator[str]:
        """The files of all annotations, as often as they contain one."""
        return (cell.source.path for cell in self.cells.values() if cell.source)

    @cached_property
    def value_type(self) -> type[Any]:
        """The type of all values."""
        for cell in self.cells.values():
            return type(cell.value)
        raise StudyError("the study contains no annotations", hint="Pass files that contain annotations")

    @property
    def kind(self) -> str:
        """The name of the kind of annotation in JSON and messages."""
        word: str = self.value_type.kind
        return word

    def select(
        self, *, items: Collection[str] | None = None, coders: Collection[str] | None = None
    ) -> Study[V]:
        """Return the part of the study with these items and annotators, in the order of the study."""
        wanted = None if items is None else frozenset(items)
        for coder in coders or ():
            if coder not in self.coders:
                raise StudyError(
                    f"unknown annotator {coder!r}", hint=f"Expected one of: {', '.join(self.coders)}"
                )
        kept_items = self.items if wanted is None else tuple(item for item in self.items if item.id in wanted)
        kept_coders = tuple(coder for coder in self.coders if coders is None or coder in coders)
        reference = self.reference if self.reference in kept_coders else None
        cells = self._cells_of(kept_items, kept_coders)
        texts = self.texts if items is None else self.texts.of({item.id for item in kept_items})
        return replace(
            self, items=kept_items, coders=kept_coders, cells=cells, reference=reference, texts=texts
        )

    def sharing_file(self, coder: str) -> tuple[str, ...]:
        """Return the annotators in the same file, zip file or export as *coder*, including *coder*."""
        if coder in self.inputs:
            return tuple(each for each in self.coders if self.inputs.get(each) == self.inputs[coder])
        return self.cells.together(coder) if isinstance(self.cells, CellTable) else (coder,)

    def with_gold(self) -> Study[V]:
        """Return the study with its known values, if any, as the annotations of its reference.

        The reference is the annotator who gave them, if known, otherwise gold.
        """
        name = self.standard or GOLD
        if not self.gold or name in self.coders:
            return self
        known = {
            (item.id, name): Annotation(item, name, self.gold[item.id])
            for item in self.items
            if item.id in self.gold
        }
        return replace(
            self, coders=(*self.coders, name), cells={**self.cells, **known}, reference=name, gold={}
        )

    def set_aside(self, names: Collection[str], standard: str | None = None) -> Study[V]:
        """Return the study without the annotators *names*, whose annotations are used only if asked for.

        Args:
            names: Annotators; items that only they annotated are left out.
            standard: The one among them whose annotations are the gold standard.
        """
        if not names:
            return self
        aside = {key: cell for key, cell in self.cells.items() if key[1] in names}
        coders = [coder for coder in self.coders if coder not in names]
        annotated = {item for item, coder in self.cells if coder not in names}
        gold = {item: cell.value for (item, coder), cell in aside.items() if coder == standard}
        part = self.select(items=annotated, coders=coders)
        return replace(part, aside=aside, standard=standard, gold=gold or self.gold)

    def taking(self, name: str) -> Study[V]:
        """Return the study with the annotator *name* among the others, if it was set aside."""
        ids = {item.id for item in self.items}
        known = {key: cell for key, cell in self.aside.items() if key[1] == name and key[0] in ids}
        if name in self.coders or not known:
            return self
        aside = {key: cell for key, cell in self.aside.items() if key[1] != name}
        return replace(self, coders=(*self.coders, name), cells={**self.cells, **known}, aside=aside)

    @property
    def names(self) -> tuple[str, ...]:
        """The annotators, and those set aside."""
        return (*self.coders, *dict.fromkeys(coder for _, coder in self.aside))

    def _cells_of(
        self, items: Sequence[Item], coders: tuple[str, ...]
    ) -> Mapping[tuple[str, str], Annotation[V]]:
        columns = [self.coders.index(coder) for coder in coders]
        if items is self.items and isinstance(self.cells, CellTable):
            return self.cells.part(None, columns)
        ids = {item.id for item in items}
        if not isinstance(self.cells, CellTable):
            return {key: cell for key, cell in self.cells.items() if key[0] in ids and key[1] in coders}
        rows = [row for row, item in enumerate(self.items) if item.id in ids]
        return self.cells.part(rows, columns)


def find_item(study: Study[Any], item: str | int | None) -> Any:
    """Return the item with this id or, if there is none, with this number from 1; by default the first."""
    if not study.items:
        raise StudyError("the study contains no items", hint="Pass files that contain annotations")
    if item is None:
        return study.items[0]
    place = place_of(item, [each.id for each in study.items])
    if place is None:
        hint = f"Use an id such as {study.items[0].id!r}, or a number from 1 to {len(study.items)}"
        raise StudyError(f"item {shorten(str(item))} not found in the study", hint=hint)
    return study.items[place]


def place_of(item: str | int, ids: Sequence[str | None]) -> int | None:
    """Return the index of an id in *ids* or, if it is not there, of a number from 1; otherwise None.

    Example:
        >>> place_of("b", ["a", "b"]), place_of(1, ["a", "b"]), place_of("3", ["a", "b"])
        (1, 0, None)
    """
    if item in ids:
        return ids.index(str(item))
    number = whole_number(str(item))
    return number - 1 if number is not None and 0 < number <= len(ids) else None
