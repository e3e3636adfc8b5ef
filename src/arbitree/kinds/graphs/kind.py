"""The kind of semantic graphs."""

from __future__ import annotations

from typing import ClassVar

from arbitree.kinds.graphs.value import Semantics
from arbitree.kinds.kind import Kind


class GraphsKind(Kind[Semantics]):
    """Semantic graphs (MRS and EDS)."""

    name: ClassVar[str] = "graphs"
    noun: ClassVar[str] = "meaning representations"
    values: ClassVar[tuple[type, ...]] = (Semantics,)
    writers: ClassVar[tuple[str, ...]] = ()
    leading: ClassVar[tuple[str, ...]] = ("edm",)
    order: ClassVar[tuple[str, ...]] = ("edm",)


KIND = GraphsKind()
