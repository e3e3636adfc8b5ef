"""The adjudicator's workbook of profiles, read back: what was decided, and whom the adjudicator followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arbitree.adjudication.standings import Standing, standings
from arbitree.adjudication.workbook import columns_of, opened
from arbitree.errors import FormatError, Source

# The words of the front sheet, which its writer takes from here.
FRONT = "Front"
ANNOTATORS = "Annotators:"
COUNTABLE = "With Countable Decisions:"
HEADER = (
    "Suite number", "Sentence number", "Accepted only by:", "Comments:", "Decision:", "Sentence", "Item",
)  # fmt: skip


REJECT = "reject"
OTHER = "other"  # another parse than either annotator's


@dataclass(frozen=True, slots=True)
class FrontRow:
    """One sentence that diverges, and what the adjudicator chose: an annotator, reject, other, or ""."""

    item: str
    accepted_by: str  # the annotator who alone accepted it; "" if both did
    choice: str
    comment: str
    cell: str  # where it stands, as Front!E18


@dataclass(frozen=True, slots=True)
class Rulings:
    """All sentences of two annotators that diverge."""

    coders: tuple[str, str]
    countable: int  # sentences that both decided, those on which they agree included
    rows: tuple[FrontRow, ...]


def read_rulings(path: str) -> list[Rulings]:
    """Return what the front sheets of the workbook at *path* say, one for each pair of annotators."""
    book = opened(path)
    fronts = [name for name in book.sheetnames if name == FRONT or name.startswith(f"{FRONT} ")]
    if not fronts:
        hint = "Pass a workbook written by 'arbitree tsdb -o FILE.xlsx'"
        raise FormatError(f"the workbook has no sheet {FRONT!r}", Source(path), hint=hint)
    return [_front(book[name], path) for name in fronts]


def _front(sheet: Any, path: str) -> Rulings:
    rows = list(sheet.iter_rows())
    facts = {str(row[0].value): [cell.value for cell in row[1:]] for row in rows if row and row[0].value}
    if ANNOTATORS not in facts or COUNTABLE not in facts or HEADER[0] not in facts:
        what = f"sheet {sheet.title!r} has no row {ANNOTATORS!r} or {COUNTABLE!r}"
        raise FormatError(what, Source(path), hint="Do not change the rows above the table")
    coders = (str(facts[ANNOTATORS][0]), str(facts[ANNOTATORS][1]))
    try:
        countable = int(facts[COUNTABLE][0])
    except (TypeError, ValueError):
        raise FormatError(
            f"sheet {sheet.title!r}: {COUNTABLE!r} is not followed by a number",
            Source(path),
            hint="Write the workbook again with 'arbitree tsdb -o FILE.xlsx'",
        ) from None
    return Rulings(coders, countable, tuple(_rulings(sheet, rows, coders, path)))


def _rulings(sheet: Any, rows: list[Any], coders: tuple[str, str], path: str) -> Iterator[FrontRow]:
    start = next(place for place, row in enumerate(rows) if row[0].value == HEADER[0])
    columns = columns_of(rows[start], HEADER, sheet.title, path)
    known = {name.casefold(): name for name in (*coders, REJECT, OTHER, "")}
    for row in rows[start + 1 :]:
        who, choice, comment, item = (
            str(row[columns[name]].value or "").strip()
            for name in ("Accepted only by:", "Decision:", "Comments:", "Item")
        )
        if not who:
            continue
        cell = f"{sheet.title}!{row[columns['Decision:']].coordinate}"
        if choice.casefold() not in known:
            hint = f"Choose one of {', '.join(filter(None, known.values()))}, or leave it empty"
            raise FormatError(f"{cell}: unknown decision {choice!r}", Source(path), hint=hint)
        name = who.rpartition(" - ")[0]
        accepted_by = name if name in coders else ""
        yield FrontRow(item, accepted_by, known[choice.casefold()], comment, cell)


@dataclass(frozen=True, slots=True)
class AdjudicatedPair:
    """What became of the divergences of two annotators."""

    coders: tuple[str, str]
    divergences: int
    decided: int
    neither: int  # another parse, or a rejection of what both accepted
    agreed: int  # sentences that never diverged
    annotators: tuple[Standing, ...]

    @property
    def undecided(self) -> int:
        """Divergences without a decision."""
        return self.divergences - self.decided


def adjudicated(rulings: Rulings) -> AdjudicatedPair:
    """Sum up the decisions of one adjudicator."""
    chosen = [each for each in rulings.rows if each.choice]
    followed = [_followed(each.choice, each.accepted_by, rulings.coders) for each in chosen]
    agreed = rulings.countable - len(rulings.rows)
    counted = [agreed if chosen else 0] * 2  # there is no outcome to agree with while nothing is decided
    decided = [[each == coder for coder in rulings.coders] for each in followed]
    return AdjudicatedPair(
        coders=rulings.coders,
        divergences=len(rulings.rows),
        decided=len(chosen),
        neither=followed.count(""),
        agreed=agreed,
        annotators=standings(rulings.coders, decided, counted),
    )


def _followed(choice: str, accepted_by: str, coders: tuple[str, str]) -> str:
    """Return whom a decision follows; to reject what one annotator accepted is to follow the other."""
    if choice == REJECT and accepted_by:
        return coders[1] if accepted_by == coders[0] else coders[0]
    return "" if choice in (REJECT, OTHER) else choice
