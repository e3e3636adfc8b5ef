"""Read [incr tsdb()] profiles as trees: the derivations of the accepted parses.

This format is never detected: a profile is read as treebanking decisions unless you name this format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from arbitree.errors import UnsupportedStudy
from arbitree.formats.format import Format
from arbitree.formats.tsdb import Tsdb
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.treebanking.value import ACCEPTED, Decisions, Reading
from arbitree.reading.content import Content, Entry


@dataclass(frozen=True, slots=True)
class Derivations(Format[PhraseTree]):
    """Read the derivations of a profile; a sentence without an accepted parse has no tree."""

    about: ClassVar[str] = (
        "accepted parses of an [incr tsdb()] profile as derivation trees (--format derivations)"
    )
    value_type: ClassVar[type[Any]] = PhraseTree
    writes: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("delphin",)

    def sniff(self, content: Content) -> float:
        """Return 0, because this format is never detected."""
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
            except Exception:  # the parser raises many types of errors for invalid derivations
                broken += 1
                continue
            yield Entry(tree, entry.source, entry.id)
        counts = (
            (absent, "no stored derivation"),
            (broken, "a derivation that cannot be read"),
        )
        content.notes.extend(
            f"{content.path}: accepted sentences excluded because they have {what}: {count:,}"
            for count, what in counts
            if count
        )
        if undecided:
            content.notes.append(
                f"{content.path}: no decisions in this profile; using the first parse of every sentence"
            )

    def write(self, entries: Iterable[Entry[PhraseTree]]) -> Iterator[str]:
        """Raise UnsupportedStudy, because Arbitree does not write profiles."""
        raise UnsupportedStudy(
            "cannot write [incr tsdb()] profiles, only read them", hint="Convert to brackets instead"
        )


def accepted(value: Decisions, *, undecided: bool = False) -> Reading | None:
    """Return the accepted parse if it is stored; for an *undecided* profile, the first parse."""
    if value.stored is None:
        return None
    if undecided:
        return min(value.stored.every(), default=None)
    if value.status != ACCEPTED:
        return None
    found = value.stored.chosen()
    return found[0] if found else None


def tree_of(derivation: str) -> PhraseTree:
    """Return the tree of a derivation in the UDF notation of profiles.

    Example:
        >>> text = '(root (5 subj-head 0 0 2 (1 bird_n 0 0 1 ("birds")) (2 sing_v 0 1 2 ("sing"))))'
        >>> tree = tree_of(text)
        >>> tree.words, tree.labels, tree.parents
        (('birds', 'sing'), ('bird_n', 'sing_v', 'root', 'subj-head'), (3, 3, -1, 2))
    """
    from delphin.derivation import from_string

    words: list[str] = []
    lexical: list[tuple[str, int]] = []  # label, and index of the parent among the phrases
    phrases: list[tuple[str, int]] = []
    stack: list[tuple[Any, int]] = [(from_string(derivation), -1)]
    while stack:
        node, parent = stack.pop()
        if not getattr(node, "daughters", None):  # a word directly under a rule
            words.append(str(node.form))
            lexical.append(("", parent))
        elif _preterminal(node):
            words.append(" ".join(str(each.form) for each in node.daughters))
            lexical.append((str(node.entity), parent))
        else:
            phrases.append((str(node.entity), parent))
            stack += [(each, len(phrases) - 1) for each in reversed(node.daughters)]
    size = len(words)
    parents = [parent if parent < 0 else parent + size for _, parent in (*lexical, *phrases)]
    labels = [label for label, _ in (*lexical, *phrases)]
    return PhraseTree(tuple(words), tuple(labels), tuple(parents))


def _preterminal(node: Any) -> bool:
    return all(not hasattr(each, "daughters") for each in node.daughters)


PLUGINS = {"derivations": Derivations()}
