"""The texts of items: what annotators read, and other columns of a table about the items."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from arbitree.wording import brief

MAIN = ("text", "sentence", "context", "utterance", "passage", "displayedtext")  # names of the main column
POSITIONS = ("indicestargettoken", "indicestargetsentence")  # from where to where, in characters
WORDS = 3  # from which on a cell is text, not a name


@dataclass(frozen=True)
class Texts:
    """The texts of items by column. They are shown to people; no measure depends on them.

    Example:
        >>> texts = Texts({"lemma": {"u1": "order.v"}, "context": {"u1": "They ordered tea."}})
        >>> texts.main("u1"), texts.beside("u1"), texts.main("u3")
        ('They ordered tea.', {'lemma': 'order.v'}, '')
    """

    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by column, then by item

    __repr__ = brief

    def __bool__(self) -> bool:
        return bool(self.columns)

    @cached_property
    def main_column(self) -> str | None:
        """The column of the main text: one with such a name, otherwise the one with the longest cells."""
        named = {_plain(name): name for name in reversed(list(self.columns))}
        found = next((named[name] for name in MAIN if name in named), None)
        return found or max(self.columns, key=lambda name: _length(self.columns[name].values()), default=None)

    def main(self, item: str) -> str:
        """Return the main text of an item; "" if it has none."""
        return "" if self.main_column is None else self.columns[self.main_column].get(item, "")

    def by_column(self, item: str) -> dict[str, str]:
        """Return all texts of an item, by column."""
        return {name: texts[item] for name, texts in self.columns.items() if item in texts}

    def beside(self, item: str) -> dict[str, str]:
        """Return the other texts of an item, by column, except the positions of its target word."""
        apart = {self.main_column, *(name for name in self.columns if _plain(name) in POSITIONS)}
        return {name: text for name, text in self.by_column(item).items() if name not in apart}

    def around(self, item: str) -> tuple[str, str, str]:
        """Return the main text of an item before, within and after the word that was annotated.

        Example:
            >>> use = {"context": {"u": "They order tea."}, "indices_target_token": {"u": "5:10"}}
            >>> Texts(use).around("u")
            ('They ', 'order', ' tea.')
        """
        main = self.main(item)
        for name, texts in self.columns.items():
            place = re.fullmatch(r"(\d{1,9}):(\d{1,9})", texts.get(item, ""))
            if place and _plain(name) == POSITIONS[0]:
                start = int(place[1])
                end = start + len(main[start : int(place[2])].rstrip())
                return main[:start], main[start:end], main[end:]
        return main, "", ""

    def of(self, items: Collection[str]) -> Texts:
        """Return the texts of *items*."""
        parts = {
            name: {item: text for item, text in texts.items() if item in items}
            for name, texts in self.columns.items()
        }
        return Texts({name: part for name, part in parts.items() if part})

    def with_columns(self, columns: Mapping[str, Mapping[str, str]]) -> Texts:
        """Return these texts and other *columns*, which replace columns of the same name."""
        return Texts({**self.columns, **columns})


def is_prose(cells: Iterable[str]) -> bool:
    """Return whether most cells that are not empty have several words.

    Example:
        >>> is_prose(["We saw her.", "She ran away."]), is_prose(["s1", "s2"]), is_prose([])
        (True, False, False)
    """
    given = [cell for cell in cells if cell]
    return 2 * sum(cell.count(" ") + 1 >= WORDS for cell in given) > len(given)


def _plain(name: str) -> str:
    """Return the name of a column in lower case, without punctuation and a prefix such as ``Input.``."""
    return "".join(filter(str.isalnum, re.split("[.:]", name.lower())[-1]))


def _length(cells: Collection[str]) -> float:
    """Return the mean length of cells; those that are numbers count as short."""
    return sum(len(cell) for cell in cells if not cell.replace(".", "").isdigit()) / max(1, len(cells))
