"""Base class of the formats of INCEpTION and WebAnno."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from arbitree.errors import Source, UnsupportedStudy
from arbitree.formats.format import Format
from arbitree.formats.uima.cas import Cas
from arbitree.formats.uima.studies import entries_in, layers_in
from arbitree.kinds.dependency.value import DepTree, with_cycles
from arbitree.kinds.labels.value import Label
from arbitree.reading.content import Content, Entry
from arbitree.reading.layers import CHOSEN, Layer, choose, in_order


class CasFormat(Format[Any]):
    """A document with layers: one of dependency relations gives trees, one with a value per token labels."""

    value_type: ClassVar[type[Any]] = DepTree
    writes: ClassVar[bool] = False
    layered: ClassVar[bool] = True
    instead: ClassVar[str] = "Choose conllu for a layer of relations, or labels for one of labels, with --to"

    @abstractmethod
    def parse(self, content: Content) -> Cas:
        """Return the document in *content*."""

    def layers(self, content: Content) -> list[Layer]:
        """Return the layers of the document."""
        return in_order(layers_in(self._cas(content), content.path))

    def plain_text(self, content: Content) -> str:
        """Return the text of the document."""
        return self._cas(content).text

    def read(self, content: Content) -> Iterator[Entry[Any]]:
        """Yield the trees or labels in the chosen layer."""
        layer = content.parsed.get(CHOSEN)
        if layer is None:
            layer = choose(self.layers(content), content.reading.layer, Source(content.path))
        yield from entries_in(self._cas(content), layer, content)

    def worded(self, content: Content) -> bool:
        """Return whether the chosen layer contains trees."""
        layer = content.parsed.get(CHOSEN)
        return layer is None or layer.unit == "relation"

    def write(self, entries: Iterable[Entry[Any]]) -> Iterator[str]:
        """Raise UnsupportedStudy, because only INCEpTION can write its layers."""
        raise UnsupportedStudy(
            f"cannot write this format ({self.about}): Arbitree only reads it", hint=self.instead
        )

    def holds(self, value_type: type) -> bool:
        """Return whether the values are trees or labels."""
        return value_type in (DepTree, Label)

    def defects(self, values: Sequence[Any]) -> list[tuple[int, str]]:
        """Return the index of every tree with a cycle, with a description of the cycle."""
        places = [place for place, value in enumerate(values) if isinstance(value, DepTree)]
        trees = [values[place] for place in places]
        return [(places[own], defect) for own in with_cycles(trees) for defect in trees[own].defects()]

    def _cas(self, content: Content) -> Cas:
        """Return the document, which is parsed only once."""
        if "cas" not in content.parsed:
            content.parsed["cas"] = self.parse(content)
        found: Cas = content.parsed["cas"]
        return found
