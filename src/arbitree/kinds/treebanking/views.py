"""The trees that treebankers chose: from decisions to the derivations of the accepted parses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from arbitree import plugins
from arbitree.formats.derivations import accepted, tree_of
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.treebanking.derivation import Lexicon
from arbitree.kinds.treebanking.measures.discriminants import sides_of
from arbitree.kinds.treebanking.value import ACCEPTED, REJECTED, Decisions, Reading
from arbitree.reading.content import Content
from arbitree.study.study import Annotation, Study

OUTCOME, YES, DERIVED_YES = COLUMNS = ("outcome", "yes", "derived_yes")


def column(profiles: Study[Decisions], name: str) -> Study[Any]:
    """Return the labels that are called *name*: outcomes, or sets of discriminants."""
    plugins.check_name(name, COLUMNS, "column")
    return outcomes(profiles) if name == OUTCOME else yes_sets(profiles, derived=name == DERIVED_YES)


def outcomes(profiles: Study[Decisions]) -> Study[Label]:
    """Return who accepted and who rejected what; a sentence that was not decided has no label."""
    found: dict[tuple[str, str], Any] = {
        key: Annotation(cell.item, cell.coder, Label(cell.value.status), cell.source)
        for key, cell in profiles.cells.items()
        if cell.value.status in (ACCEPTED, REJECTED)
    }
    return _with(profiles, found, OUTCOME)


def yes_sets(profiles: Study[Decisions], *, derived: bool = False) -> Study[Tags]:
    """Return the discriminants set to yes, of sentences that all who decided them accepted.

    Args:
        profiles: the annotations.
        derived: take those that were recorded for any annotator and hold of the accepted derivation.
    """
    rejected = {item for (item, _), cell in profiles.cells.items() if cell.value.status == REJECTED}
    lexicon = Lexicon.of(cell.value for cell in profiles.cells.values()) if derived else None
    found: dict[tuple[str, str], Any] = {}
    for item, cells in profiles:
        accepted = [cell for cell in cells if cell.value.status == ACCEPTED]
        sides = sides_of([cell.value for cell in accepted], lexicon) if item.id not in rejected else None
        for cell, side in zip(accepted, sides.all if sides else (), strict=False):
            names = [
                f"{kind} {key} {start}-{end}" for (kind, key, start, end), yes in side.values.items() if yes
            ]
            if names:
                found[item.id, cell.coder] = Annotation(cell.item, cell.coder, Tags.of(names), cell.source)
    return _with(profiles, found, DERIVED_YES if derived else YES)


def _with(profiles: Study[Decisions], cells: dict[tuple[str, str], Any], column: str) -> Study[Any]:
    items = {item for item, _ in cells}
    kept = tuple(item for item in profiles.items if item.id in items)
    settings = (f"column:{column}", *profiles.settings)
    return Study(kept, profiles.coders, cells, profiles.reference, profiles.notes, settings)


V = TypeVar("V")


def readings(profiles: Study[Decisions]) -> Study[PhraseTree]:
    """Return the accepted parses of *profiles* as phrase-structure trees of rules and lexical entries.

    A sentence that was not accepted has no tree. Of a profile in which nobody decided anything, such as
    the output of a parser, the first parse of every sentence counts.
    """
    return projected(profiles, lambda reading: tree_of(reading.derivation), "derivation")


def projected(profiles: Study[Decisions], make: Callable[[Reading], V], field: str) -> Study[V]:
    """Return the study of what *make* makes of the accepted parses; what cannot be made is noted."""
    undecided = {
        coder
        for coder in profiles.coders
        if not any(cell.value.chosen or cell.value.options for cell in _of(profiles, coder))
    }
    cells: dict[tuple[str, str], Annotation[V]] = {}
    absent = broken = 0
    first = ""
    for key, cell in profiles.cells.items():
        reading = accepted(cell.value, undecided=cell.coder in undecided)
        if reading is None or not getattr(reading, field):
            absent += cell.value.status == ACCEPTED
            continue
        try:
            cells[key] = Annotation(cell.item, cell.coder, make(reading), cell.source)
        except Exception as error:  # whatever a parser of such texts raises, it is the text's fault
            broken += 1
            first = first or f"{cell.item.id!r} of {cell.coder}: {' '.join(str(error).split())}"
    notes = list(dict.fromkeys((*profiles.notes, *_table_notes(profiles))))
    if absent:
        notes.append(f"{absent:,} accepted sentences are stored without {field} and excluded")
    if broken:
        notes.append(f"cannot read the {field} of {broken:,} sentences; first: {first}")
    for coder in profiles.coders:
        if coder in undecided:
            notes.append(
                f"{coder}: the profile contains no decisions; the first parse of each sentence is used"
            )
    return Study(profiles.items, profiles.coders, cells, profiles.reference, tuple(notes), profiles.settings)


def _of(profiles: Study[Decisions], coder: str) -> Iterator[Annotation[Decisions]]:
    return (cell for cell in profiles.cells.values() if cell.coder == coder)


def _table_notes(profiles: Study[Decisions]) -> Iterator[str]:
    for cell in profiles.cells.values():
        if cell.value.stored is not None:
            yield from cell.value.stored.notes()


READER = "simplemrs"  # the format of the field mrs
# Older grammars put properties on handles, which no reader of MRS takes.
_HANDLE_PROPERTIES = re.compile(r"(\bh[0-9]+)\s*\[\s*h\b[^\[\]]*\]")


def meanings(profiles: Study[Decisions]) -> Study[Any]:
    """Return the accepted parses of *profiles* as meaning representations; what cannot be read is noted."""
    reader = plugins.get("formats", READER)

    def make(reading: Reading) -> Any:
        text = without_handle_properties(reading.mrs)
        (entry,) = reader.read(Content("mrs", text.encode("utf-8", "surrogatepass")))
        return entry.value

    return projected(profiles, make, "mrs")


def without_handle_properties(mrs: str) -> str:
    """Return *mrs* without property lists on handles.

    Example:
        >>> without_handle_properties("LBL: h3 [ h SCOPE: WIDEST ] ARG0: e2 [ e TENSE: past ]")
        'LBL: h3 ARG0: e2 [ e TENSE: past ]'
    """
    return _HANDLE_PROPERTIES.sub(r"\1", mrs)
