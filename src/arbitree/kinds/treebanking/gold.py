"""The gold standard of profiles: the decisions of an adjudicator, and what annotators agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from arbitree.errors import FormatError, Source
from arbitree.formats.profiles.tables import Profile
from arbitree.formats.profiles.writing import WrittenSentence, check_empty, write_profile
from arbitree.kinds.treebanking.adjudicated import OTHER, REJECT, FrontRow, Rulings
from arbitree.kinds.treebanking.places import same_outcome
from arbitree.kinds.treebanking.value import ACCEPTED, REJECTED, SELECT, UNPARSED, Decisions
from arbitree.kinds.treebanking.value import REJECT as REJECT_ALL
from arbitree.study.study import Annotation, Study

AGREED, DECIDED, OPEN = "agreed", "decided", "undecided"
AUTHOR = "adjudicator"
ANNOTATED = ("tree", "decision", "preference")  # tables that annotators write
PARSED = ("parse", "result")

Cells = Mapping[str, Annotation[Decisions]]


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """What a sentence is to be in the gold standard."""

    how: str  # agreed, decided, undecided or unparsed
    coder: str  # whose parses it has
    outcome: str  # accepted, rejected; "" for the coder's own annotation, or if undecided
    parse: int | None = None  # that is accepted
    comment: str = ""


def golds_of(study: Study[Decisions], rulings: Sequence[Rulings], path: str) -> dict[str, GoldSentence]:
    """Return the gold standard: decisions where annotators differ, else what they agree on.

    Args:
        study: the annotators.
        rulings: the decisions of each pair of them.
        path: of the workbook with the decisions.
    """
    decided: dict[str, FrontRow] = {}
    for new in (row for each in rulings for row in each.rows if row.choice):
        other = decided.setdefault(new.item, new)
        if other.choice != new.choice:
            what = f"{other.cell} and {new.cell} decide sentence {new.item!r} differently"
            raise FormatError(what, Source(path), hint="Make the same decision in both")
    found = {}
    for item, cells in study:
        by_coder = {cell.coder: cell for cell in cells}
        row = decided.get(item.id)
        if row is not None:
            found[item.id] = _decided(by_coder, row, path)
        elif cells:
            whole = len(cells) == len(study.coders)
            found[item.id] = GoldSentence(_state([cell.value for cell in cells], whole), cells[0].coder, "")
    return found


def check_parses(study: Study[Decisions], rulings: Sequence[Rulings], path: str) -> None:
    """Raise FormatError if a decision names a parse that its sentence does not have."""
    known = {item.id: {cell.coder: cell for cell in cells} for item, cells in study}
    for row in (row for each in rulings for row in each.rows):
        if row.parse is not None and row.item in known:
            _holder(known[row.item], row, path)


def _state(values: Sequence[Decisions], whole: bool) -> str:
    statuses = {value.status for value in values}
    if statuses == {UNPARSED}:
        return UNPARSED
    same = whole and statuses <= {ACCEPTED, REJECTED} and all(same_outcome(*two) for two in pairwise(values))
    return AGREED if same else OPEN


def _decided(cells: Cells, row: FrontRow, path: str) -> GoldSentence:
    first = next(iter(cells))
    if row.choice in cells:
        return GoldSentence(DECIDED, row.choice, "", comment=row.comment)
    if row.choice == REJECT:
        return GoldSentence(DECIDED, first, REJECTED, comment=row.comment)
    if row.choice == OTHER:
        return GoldSentence(OPEN, first, "", comment=row.comment)
    if row.parse is None:
        what = f"{row.cell}: {row.choice} has not annotated sentence {row.item!r}"
        raise FormatError(what, Source(path), hint=f"Choose one of {', '.join(cells)}")
    return GoldSentence(DECIDED, _holder(cells, row, path), ACCEPTED, row.parse, row.comment)


def _holder(cells: Cells, row: FrontRow, path: str) -> str:
    """Return an annotator whose parses include the one that *row* names, if possible with its derivation."""
    numbered = {coder: cell.value for coder, cell in cells.items() if not cell.value.forest}
    for coder, value in numbered.items():
        if value.stored is not None and any(each.id == row.parse for each in value.stored.every()):
            return coder
    for coder, value in numbered.items():
        if row.parse is not None and row.parse < value.readings:
            return coder
    most = max((value.readings for value in numbered.values()), default=0)
    what = f"{row.cell}: sentence {row.item!r} has no {row.choice}"
    hint = f"Write a number from 0 to {most - 1}" if most else "Choose an annotator"
    raise FormatError(what, Source(path), hint=hint)


def export_gold(
    study: Study[Decisions],
    golds: Mapping[str, GoldSentence],
    folder: str,
    date: datetime,
    *,
    encoding: str = "utf-8",
) -> Counter[str]:
    """Write the gold standard as a profile, or one for each suite; return how many sentences are what.

    Sentences that are not decided are written as not annotated, with their parses.

    Args:
        study: the annotators' profiles.
        golds: the gold standard by item.
        folder: new or empty directory.
        date: of the decisions.
        encoding: text encoding of the profiles.
    """
    check_empty(folder)
    profiles: dict[str, Profile] = {}
    counts: Counter[str] = Counter()
    for document in study.documents:
        target = Path(folder, document) if len(study.documents) > 1 else Path(folder)
        base: Profile | None = None
        sentences = []
        for item, cells in study:
            if item.document != document or not cells:
                continue
            if cells[0].coder != study.coders[0]:
                counts[f"missing from the profile of {study.coders[0]} and not exported"] += 1
                continue
            base = base or _profile(cells[0], profiles, encoding)
            gold, own = golds[item.id], cells[0].value.stored
            source = next(cell for cell in cells if cell.coder == gold.coder)
            if own is None or source.value.stored is None:  # without a row in the table parse
                counts[UNPARSED] += 1
                continue
            counts[gold.how] += 1
            origin = _profile(source, profiles, encoding)
            sentences.append(_written(gold, own.parse, origin, source.value.stored.parse, date))
        if base is not None:
            write_profile(target, base, sentences)
    return counts


def _profile(cell: Annotation[Decisions], known: dict[str, Profile], encoding: str) -> Profile:
    assert cell.source is not None  # profiles are read from files
    folder = str(Path(cell.source.path).parent)
    if folder not in known:
        known[folder] = Profile(folder, encoding)
    return known[folder]


def _written(
    gold: GoldSentence, parse: int, source: Profile, source_parse: int, decided: datetime
) -> WrittenSentence:
    if gold.how != OPEN and not gold.outcome:
        return WrittenSentence(parse, source, source_parse, (*PARSED, *ANNOTATED))
    date = f"{decided.day}-{decided.month}-{decided.year} {decided:%H:%M:%S}"
    active = {ACCEPTED: "1", REJECTED: "0"}.get(gold.outcome, "-1")
    version = "0" if gold.how == OPEN else "1"
    rows = {
        "tree": [
            {
                "t-version": version,
                "t-active": active,
                "t-author": AUTHOR,
                "t-start": date,
                "t-end": date,
                "t-comment": gold.comment,
            }
        ]
    }
    if gold.outcome:
        action = SELECT if gold.outcome == ACCEPTED else REJECT_ALL
        state = {"t-version": version, "d-state": "-1", "d-type": str(action), "d-date": date}
        rows["decision"] = [state]
    if gold.parse is not None:
        rows["preference"] = [{"t-version": version, "result-id": str(gold.parse)}]
    return WrittenSentence(parse, source, source_parse, PARSED, rows)
