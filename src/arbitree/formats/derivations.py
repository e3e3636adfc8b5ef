"""Profiles of [incr tsdb()] as trees: the derivations of the parses that were accepted.

Asked for by name only: a profile is taken for decisions unless somebody wants its trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from arbitree.errors import UnsupportedStudy
from arbitree.formats.tsdb import Tsdb
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.treebanking.value import ACCEPTED
from arbitree.kinds.treebanking.views import accepted, tree_of
from arbitree.reading.content import Content, Entry


@dataclass(frozen=True, slots=True)
class Derivations:
    """The reader; a sentence that was not accepted has no tree."""

    about: ClassVar[str] = "accepted parses of an [incr tsdb()] profile as trees of rules (by name only)"
    kind: ClassVar[type] = PhraseTree
    suffixes: ClassVar[tuple[str, ...]] = ()

    def sniff(self, content: Content) -> float:
        """Return 0: this is never found by looking."""
        return 0.0

    def read(self, content: Content) -> Iterator[Entry[PhraseTree]]:
        """Yield the tree of every accepted sentence."""
        entries = list(Tsdb().read(content))
        undecided = not any(entry.value.chosen or entry.value.options for entry in entries)
        absent = broken = 0
        for entry in entries:
            reading = accepted(entry.value, undecided=undecided)
            if reading is None or not reading.derivation:
                absent += entry.value.status == ACCEPTED
                continue
            try:
                tree = tree_of(reading.derivation)
            except Exception:  # whatever a parser of such texts raises, it is the text's fault
                broken += 1
                continue
            yield Entry(tree, entry.source, entry.id)
        counts = (
            (absent, "stored without derivation"),
            (broken, "stored with a derivation that cannot be read"),
        )
        content.notes.extend(
            f"{content.path}: {count:,} accepted sentences are {what}" for count, what in counts if count
        )
        if undecided:
            content.notes.append(f"{content.path}: nobody decided anything here; the first parses are taken")

    def write(self, entries: Iterable[Entry[PhraseTree]]) -> Iterator[str]:
        """Refuse."""
        raise UnsupportedStudy("profiles are read, not written", hint="Convert to brackets instead")


PLUGINS = {"derivations": Derivations()}
