"""Comparison and adjudication of labels: an item is one place with a label or a set of tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arbitree.adjudication.places import (
    Coded,
    Decided,
    Key,
    Place,
    Places,
    Said,
    Sheet,
    Verdict,
    What,
    checked,
    choices_of,
    filled,
    unknown_place,
)
from arbitree.errors import Source, UnknownName, shorten
from arbitree.formats.label_tables.rows import value_of
from arbitree.kinds.labels.hierarchy.files import find_lexicon
from arbitree.kinds.labels.value import Label, Tags, ratings
from arbitree.study.grid import MISSING
from arbitree.study.study import Item, Study

LABEL = "label"


@dataclass(frozen=True, slots=True)
class LabelSheet(Sheet[Label | Tags]):
    """A sheet with one place, ``label``, whose value can be any text; several tags are written ``a|b``."""

    whole: Place

    @property
    def kind(self) -> str:
        """The kind of the values: labels or sets of tags."""
        return str(next(iter(self.values.values())).kind)

    def place(self, key: Key) -> Place:
        """Return the only place; raise an error for any other key."""
        if key != self.whole.key:
            raise unknown_place(key, f"The only place is {self.whole.key!r}")
        return self.whole

    def judge(self, decisions: Decided, wish: Decided) -> Verdict:
        """Return the requested change with its value as in a table; it is always valid."""
        return Verdict({self.place(key).key: str(self._value(value)) for key, value in wish.items()})

    def gold(self, decisions: Decided) -> Label | Tags | None:
        """Return the label."""
        if self.whole.key in decisions:
            return self._value(decisions[self.whole.key])
        return None if self.places else next(iter(self.values.values()))

    def _value(self, text: str) -> Label | Tags:
        for value in self.values.values():
            if str(value) == text:
                return value
        text = checked(text, "label", blanks=True)
        if self.kind == Label.kind:
            if "|" in text:
                raise UnknownName(f"{shorten(text)} is a set of tags", hint="Enter one label, without '|'")
            return Label(text)
        value = value_of(text, Source("label"))
        found = Tags.of([value.text]) if isinstance(value, Label) else value
        if not len(found):
            raise UnknownName(f"{shorten(text)} contains no tags", hint="Write tags as a|b")
        return found


def label_sheet(item: Item, values: Mapping[str, Label | Tags]) -> LabelSheet:
    """Return the sheet of an item with labels.

    Example:
        >>> item = Item("s1", "text", "s1")
        >>> sheet = label_sheet(item, {"ann": Label("for"), "bob": Label("against")})
        >>> sheet.gold({"label": "neither"})
        Label(text='neither')
    """
    choices = choices_of((coder, str(value)) for coder, value in values.items())
    place = Place(LABEL, "", LABEL, "", "", choices)
    return LabelSheet(item, values, (place,) if len(choices) > 1 else (), (), place)


class LabelPlaces(Places[Label | Tags]):
    """One place per item."""

    compared: ClassVar[str] = "labels"
    whats: ClassVar[Mapping[str, What]] = {
        LABEL: What(
            "Labels",
            confusion="labels",
            heading="Labels",
            note="Number of items to which two annotators give these labels. Diagonal: both give the same.",
        )
    }
    listed: ClassVar[tuple[str, ...]] = (LABEL,)
    tagged: ClassVar[Mapping[str, str]] = {LABEL: LABEL, "labels": LABEL, "tag": LABEL, "tags": LABEL}

    def compare(self, values: Sequence[Label | Tags], *, listed: bool = False) -> Iterable[Said]:
        """Return the labels as text."""
        return (Said(LABEL, ("",), [(str(value),) for value in values]),)

    def coded(self, study: Study[Label | Tags], *, empty: bool = False) -> Coded:
        """Return the numbers of all labels as text; empty sets count as missing unless *empty*."""
        found = ratings(study)
        names = [str(value) if empty or len(value) else None for value in found.values]
        known = dict.fromkeys(name for name in names if name is not None)
        places = {name: place for place, name in enumerate(known)}
        codes = np.array([*(MISSING if name is None else places[name] for name in names), MISSING])[
            found.codes
        ]
        return Coded(LABEL, codes, tuple(places))

    def sheet(
        self, item: Item, values: Mapping[str, Label | Tags], *, one_root: bool = False
    ) -> LabelSheet | None:
        """Return the sheet of an item with several labels."""
        given = filled(values)
        return label_sheet(item, given) if len(given) > 1 else None

    def value_at(self, value: Label | Tags, key: Key) -> str | None:
        """Return the label."""
        return str(value)

    def vocabulary(self, value: Label | Tags) -> Iterable[tuple[str, Iterable[str]]]:
        """Yield the label."""
        yield LABEL, (str(value),)

    def atoms(self, what: str, value: str) -> Iterable[str]:
        """Return the tags of a set, or the label."""
        return sorted(value_of(value, Source("label")).tags)

    def glosses(self, path: str, tags: Sequence[str]) -> Mapping[str, str]:
        """Return what *tags* mean: from a WordNet database, a lexicon of the package wn, or a table."""
        lexicon = find_lexicon(path)
        if lexicon is None:
            return Places.glosses(self, path, tags)
        return {tag: gloss for tag in tags if (gloss := lexicon.gloss(tag))}


PLACES = LabelPlaces()
