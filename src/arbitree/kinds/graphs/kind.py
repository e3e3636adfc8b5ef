"""The kind of semantic graphs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import ClassVar

from arbitree.kinds.graphs.value import FAMILIES, Semantics
from arbitree.kinds.kind import Kind


class GraphsKind(Kind[Semantics]):
    """Semantic graphs (MRS and EDS)."""

    name: ClassVar[str] = "graphs"
    noun: ClassVar[str] = "meaning representations"
    values: ClassVar[tuple[type, ...]] = (Semantics,)
    writers: ClassVar[tuple[str, ...]] = ()
    leading: ClassVar[tuple[str, ...]] = ("edm",)
    order: ClassVar[tuple[str, ...]] = ("edm",)
    seen: ClassVar[tuple[str, ...]] = ("triples",)

    def parts_in_files(self, value: Semantics) -> Mapping[str, Hashable]:
        """Return the families of triples, and the scope, which only an MRS contains."""
        scope = value.text if value.notation == "simplemrs" else ""
        return {f"triples ({name})": value.triples(name) for name in FAMILIES} | {"scope": scope}

    @property
    def aspects(self) -> Mapping[str, Callable[[Semantics], str]]:
        """All triples, in one order for every file."""
        return {"triples": lambda value: repr([sorted(map(repr, value.triples(each))) for each in FAMILIES])}


KIND = GraphsKind()
