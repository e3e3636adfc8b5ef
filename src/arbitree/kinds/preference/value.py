"""The preference of a judge between two annotations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Preference:
    """A choice between the annotations of two annotators of one item; None means that neither is better.

    Example:
        >>> Preference(("malt", "mst"), "mst").side
        1
        >>> Preference(("malt", "mst"), None).side is None
        True
        >>> Preference(("malt", "mst"), None, bad=True).bad  # neither is better, for both are bad
        True
    """

    kind: ClassVar[str] = "preference"
    unit: ClassVar[str] = "item"
    plural: ClassVar[str] = "preferences"

    options: tuple[str, str]  # names of coders in the study of what was compared
    choice: str | None
    bad: bool = False  # of no choice: both are bad, where otherwise both are as good

    def __post_init__(self) -> None:
        if self.choice is not None and self.choice not in self.options:
            raise ValueError(f"{self.choice!r} is not one of {self.options}")
        if self.bad and self.choice is not None:
            raise ValueError(f"{self.choice!r} cannot be preferred if both are bad")

    def __len__(self) -> int:
        return 1  # one judgment, as a tree has so many tokens

    @property
    def tokens(self) -> tuple[str, ...]:
        """An empty tuple, because a preference has no words."""
        return ()

    @property
    def side(self) -> int | None:
        """0 for the first option, 1 for the second, None for neither."""
        return None if self.choice is None else self.options.index(self.choice)
