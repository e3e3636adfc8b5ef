"""An item that coders labelled differently: one label, or one set of tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arbitree.analyses.adjudication.places import (
    Decided,
    Key,
    Place,
    Verdict,
    checked,
    choices_of,
    of_coder,
    unknown_place,
)
from arbitree.analyses.contested import LABEL
from arbitree.data.labels import Label, Tags
from arbitree.data.study import Item
from arbitree.errors import Source, UnknownName, shorten
from arbitree.formats.records import value_of


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """A sheet with one place, ``label``, which any text may be written at; several tags are ``a|b``."""

    item: Item
    values: Mapping[str, Label | Tags]  # by coder
    whole: Place

    @property
    def kind(self) -> str:
        """Whether labels or sets of tags."""
        return str(next(iter(self.values.values())).kind)

    @property
    def tokens(self) -> tuple[str, ...]:
        """None: an item of this kind has no words."""
        return ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The one place, if coders differ."""
        return (self.whole,) if len(self.whole.choices) > 1 else ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Nothing: labels speak for themselves."""
        return ()

    def place(self, key: Key) -> Place:
        """Return the one place."""
        if key != self.whole.key:
            raise unknown_place(key, f"The one place is {self.whole.key!r}")
        return self.whole

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return the wish with its value as it is written in a table; nothing can be in its way."""
        return Verdict({self.place(key).key: str(self._value(value)) for key, value in wish.items()})

    def blocked(self, decisions: Decided) -> dict[tuple[Key, str], str]:
        """Return nothing: every label is possible."""
        return {}

    def of_coder(self, coder: str) -> dict[Key, str]:
        """Return the label of a coder, if it is contested."""
        return of_coder(self.places, coder, tuple(self.values))

    def gold(self, decisions: Decided) -> Label | Tags | None:
        """Return the label."""
        if self.whole.key in decisions:
            return self._value(decisions[self.whole.key])
        return None if self.places else next(iter(self.values.values()))

    def so_far(self, decisions: Decided) -> Any:
        """Return None: there is nothing to draw."""
        return None

    def trouble(self, decisions: Decided) -> str:
        """Return "": nothing can be wrong."""
        return ""

    def left_out(self, decisions: Decided) -> int:
        """Return 0: nothing is left out."""
        return 0

    def _value(self, text: str) -> Label | Tags:
        for value in self.values.values():
            if str(value) == text:
                return value
        text = checked(text, "label", blanks=True)
        if self.kind == Label.kind:
            if "|" in text:
                raise UnknownName(f"{shorten(text)} is a set of tags", hint="Give one label, without '|'")
            return Label(text)
        value = value_of(text, Source("label"))
        found = Tags.of([value.text]) if isinstance(value, Label) else value
        if not len(found):
            raise UnknownName(f"{shorten(text)} has no tags in it", hint="Write tags as a|b")
        return found


def label_sheet(item: Item, values: Mapping[str, Label | Tags]) -> LabelSheet:
    """Return the sheet of an item that coders labelled.

    Example:
        >>> item = Item("s1", "text", "s1")
        >>> sheet = label_sheet(item, {"ann": Label("for"), "bob": Label("against")})
        >>> sheet.gold({"label": "neither"})
        Label(text='neither')
    """
    choices = choices_of((coder, str(value)) for coder, value in values.items())
    return LabelSheet(item, values, Place(LABEL, "", LABEL, "", "", choices))
