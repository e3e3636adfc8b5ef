"""Lexicons of the ``wn`` package as hierarchies, by names such as ``wn:oewn:2024``.

Tags are the ids of synsets or senses, or WordNet sense keys if the lexicon contains them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from arbitree.errors import FormatError, Source
from arbitree.extras import need
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy, nearest

PREFIX = "wn:"


@dataclass(frozen=True)
class WnLexicon:
    """A lexicon of the ``wn`` package; *lexicon* is its name there, such as ``oewn:2024``."""

    lexicon: str

    @classmethod
    def named(cls, name: str) -> WnLexicon:
        """Return the lexicon called *name*; raise FormatError if wn or the lexicon is not installed."""
        _lexicon(name)
        return cls(name)

    @property
    def name(self) -> str:
        """The name of the lexicon."""
        return str(self)

    def over(self, tags: Collection[str], *, whole: bool = False) -> Hierarchy:
        """Return the hierarchy below *tags*; with *whole*, of all synsets of the lexicon."""
        starts = {tag: synset for tag in tags if (synset := self._find(tag)) is not None}
        waiting = list(_lexicon(self.lexicon).synsets()) if whole else []
        waiting += starts.values()
        links: dict[tuple[str, str], None] = {}
        seen: dict[str, None] = {}
        while waiting:
            synset = waiting.pop()
            if synset.id in seen:
                continue
            seen[synset.id] = None
            below = synset.hyponyms()  # instances included
            links |= {(synset.id, child.id): None for child in below}
            waiting += below
        synonyms = {tag: synset.id for tag, synset in starts.items()}
        return Hierarchy.of_links(links, seen, synonyms=synonyms, name=str(self))

    def gloss(self, tag: str) -> str:
        """Return the definition of a synset, a sense or a sense key; "" if it is unknown."""
        synset = self._find(tag)
        return "" if synset is None else str(synset.definition() or "")

    def nearest(self, tag: str) -> str | None:
        """Return the id of the synset or sense that is most similar to *tag*."""
        known = _lexicon(self.lexicon)
        return nearest(tag, [each.id for each in (*known.synsets(), *known.senses())])

    def __str__(self) -> str:
        return f"{PREFIX}{self.lexicon}"

    def _find(self, tag: str) -> Any:
        known = _lexicon(self.lexicon)
        import wn

        for read in (known.synset, lambda name: known.sense(name).synset(), self._by_key):
            try:
                return read(tag)
            except wn.Error:
                continue
        return None

    def _by_key(self, tag: str) -> Any:
        sense = _sense_getter(self.lexicon)(tag)
        return None if sense is None else sense.synset()


@cache
def _lexicon(name: str) -> Any:
    need("this hierarchy", "wn", source=Source(f"{PREFIX}{name}"))
    import wn

    try:
        return wn.Wordnet(name)
    except wn.Error as error:
        hint = f"Run: python -m wn download {name}"
        raise FormatError(
            f"the lexicon is not installed ({error})", Source(f"{PREFIX}{name}"), hint=hint
        ) from None


@cache
def _sense_getter(name: str) -> Any:
    """Return the function from sense keys to senses; raise wn.Error if the lexicon has no keys."""
    from wn.compat import sensekey

    return sensekey.sense_getter(name, _lexicon(name))
