"""An item that coders labelled differently: one label, or one set of tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.adjudication.differences import LABEL
from arbitree.adjudication.places import (
    Decided,
    Key,
    Place,
    Verdict,
    checked,
    choices_of,
    of_coder,
    unknown_place,
)
from arbitree.backends.serial import Serial
from arbitree.errors import Source, UnknownName, UnsupportedStudy, shorten
from arbitree.formats.label_rows import value_of
from arbitree.kinds.labels.measures.ratings import RatingCounts
from arbitree.kinds.labels.value import Label, Tags
from arbitree.study.result import Table
from arbitree.study.study import Item, Study


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


def confusions(study: Study[Any]) -> Table:
    """Return the pairs of different labels that coders gave to one item, the most frequent first.

    Every pair of coders counts once for an item. The share is that among all pairs of labels, equal ones
    included.

    Example:
        >>> from arbitree.api.read import read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu", column="upos")
        >>> confusions(study).records()[0]["count"]
        1
    """
    if study.value_type not in (Label, Tags):
        raise UnsupportedStudy(
            "confusions are counted of labels", hint="Take labels from the trees: --column deprel"
        )
    stats = RatingCounts().prepare(study, Serial())
    size = len(stats.values)
    together = np.zeros((size, size))
    for _, counts in stats.blocks(stats.pairable):
        together += counts.T @ counts
    given = stats.given[stats.pairable]
    pairs = float((given * (given - 1)).sum()) / 2
    first, second = np.nonzero(np.triu(together, 1))
    order = np.argsort(-together[first, second], kind="stable")
    rows = tuple(
        (str(stats.values[a]), str(stats.values[b]), int(together[a, b]), float(together[a, b] / pairs))
        for a, b in zip(first[order], second[order], strict=True)
    )
    return Table(("label", "other", "count", "share"), rows)
