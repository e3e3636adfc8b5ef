"""Semantic graphs (MRS, EDS) as triples for elementary dependency matching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

Span = tuple[int, int]
Triple = tuple[Span, str, str | Span]

FAMILIES = ("names", "args", "props", "constants", "top")


@dataclass(frozen=True, slots=True)
class Semantics:
    """Predications and the relations between them, identified by the characters that they cover.

    Example:
        >>> rain = Semantics(names=(((3, 9), "_rain_v_1", ""),), top=(((3, 9), "top", ""),))
        >>> len(rain), len(Semantics())
        (1, 0)
    """

    kind: ClassVar[str] = "semantics"
    plural: ClassVar[str] = "semantic graphs"
    unit: ClassVar[str] = "sentence"

    names: tuple[Triple, ...] = ()  # span, predicate
    args: tuple[Triple, ...] = ()  # span, role, span
    props: tuple[Triple, ...] = ()  # span, feature, value
    constants: tuple[Triple, ...] = ()  # span, carg, constant
    top: tuple[Triple, ...] = ()  # span of the topmost predication
    text: str = ""  # as read from the file
    notation: str = ""  # the format of the file

    def __len__(self) -> int:
        return len(self.names)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words of the annotation; a semantic graph has none."""
        return ()

    def triples(self, family: str) -> tuple[Triple, ...]:
        """Return the triples of one of the families."""
        found: tuple[Triple, ...] = getattr(self, family)
        return found
