"""The adjudicator's workbook of profiles, read back: what was decided, and whom the adjudicator followed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from arbitree.adjudication.standings import Standing, standings
from arbitree.errors import FormatError, Source
from arbitree.numbers import whole_number
from arbitree.reading.guard import guarded_reader
from arbitree.reading.workbooks import FilledSheet, read_sheets

# The words of the front sheet, which its writer takes from here.
FRONT = "Front"
ANNOTATORS = "Annotators:"
COUNTABLE = "With Countable Decisions:"
WHO, COMMENT, DECISION, ITEM = "Accepted only by:", "Comments:", "Decision:", "Item"
HEADER = ("Suite number", "Sentence number", WHO, COMMENT, DECISION)  # the first columns

REJECT = "reject"
OTHER = "other"  # another parse than either annotator's, which is not named
PARSE = "parse"  # with a number: this parse
_PARSE = re.compile(rf"(?:{PARSE}\s*)?([0-9]{{1,9}})(?:\.0)?")  # spreadsheet programs write decimals


@dataclass(frozen=True, slots=True)
class FrontRow:
    """One sentence that diverges, and what the adjudicator chose.

    This is an annotator, ``reject``, ``parse 4``, ``other`` for a parse without a number, or "".
    """

    item: str
    accepted: dict[str, str]  # the parse of each annotator who accepted the sentence
    choice: str
    comment: str
    cell: str  # where it stands, as Front!E18

    @property
    def parse(self) -> int | None:
        """The number of the parse that was chosen by its number."""
        return int(self.choice.removeprefix(PARSE)) if self.choice.startswith(f"{PARSE} ") else None

    def followed(self, coders: tuple[str, str]) -> str:
        """Return the annotator whom the choice follows; "" if neither.

        To reject what one annotator accepted is to follow the other.
        """
        if self.choice == REJECT and len(self.accepted) == 1:
            return next(coder for coder in coders if coder not in self.accepted)
        if self.parse is not None:
            return next((coder for coder, own in self.accepted.items() if own == str(self.parse)), "")
        return self.choice if self.choice in coders else ""


@dataclass(frozen=True, slots=True)
class Rulings:
    """All sentences of two annotators that diverge."""

    coders: tuple[str, str]
    countable: int  # sentences that both decided, those on which they agree included
    rows: tuple[FrontRow, ...]


@guarded_reader
def read_rulings(path: str) -> list[Rulings]:
    """Return what the front sheets of the workbook at *path* say, one for each pair of annotators."""
    fronts = read_sheets(path, lambda title: title == FRONT or title.startswith(f"{FRONT} "))
    if not fronts:
        hint = "Pass a workbook written by 'arbitree tsdb -o FILE.xlsx'"
        raise FormatError(f"the workbook has no sheet {FRONT!r}", Source(path), hint=hint)
    return [_front(sheet) for sheet in fronts]


def _front(sheet: FilledSheet) -> Rulings:
    facts = {row[0]: row[1:] for row in sheet.rows if row and row[0]}
    if ANNOTATORS not in facts or COUNTABLE not in facts or HEADER[0] not in facts:
        what = f"sheet {sheet.title!r} has no row {ANNOTATORS!r} or {COUNTABLE!r}"
        raise FormatError(what, Source(sheet.path), hint="Do not change the rows above the table")
    again = "Write the workbook again with 'arbitree tsdb -o FILE.xlsx'"
    coders = [name for name in facts[ANNOTATORS][:2] if name]
    if len(coders) < 2:
        what = f"sheet {sheet.title!r}: {ANNOTATORS!r} is not followed by two names"
        raise FormatError(what, Source(sheet.path), hint=again)
    countable = whole_number("".join(facts[COUNTABLE][:1]))
    if countable is None or countable < 0:
        what = f"sheet {sheet.title!r}: {COUNTABLE!r} is not followed by a number"
        raise FormatError(what, Source(sheet.path), hint=again)
    pair = (coders[0], coders[1])
    return Rulings(pair, countable, tuple(_rulings(sheet, pair)))


def _rulings(sheet: FilledSheet, coders: tuple[str, str]) -> Iterator[FrontRow]:
    source = Source(sheet.path)
    start = next(place for place, row in enumerate(sheet.rows) if row and row[0] == HEADER[0])
    columns = sheet.columns(start, (*HEADER, ITEM))
    for row in range(start + 1, len(sheet.rows)):
        who, choice, comment, item = (
            sheet.cell(row, columns[name]).strip() for name in (WHO, DECISION, COMMENT, ITEM)
        )
        if not who:
            continue
        cell = sheet.name(row, columns[DECISION])
        name, _, parses = who.rpartition(" - ")
        accepted = {name: parses} if name in coders else dict(zip(coders, parses.split("/"), strict=False))
        found = FrontRow(item, accepted, _choice(choice, coders, source, cell), comment, cell)
        if found.parse is not None and len(accepted) == 2 and len(set(accepted.values())) == 1:
            what = f"{cell}: the parses of a packed forest have no numbers, so {choice!r} names none of them"
            raise FormatError(what, source, hint=f"Choose one of {', '.join((*coders, REJECT, OTHER))}")
        yield found


def _choice(text: str, coders: tuple[str, str], source: Source, cell: str) -> str:
    """Return a decision as it is written, in any case, in its usual form."""
    known = {name.casefold(): name for name in (*coders, REJECT, OTHER, "")}
    number = _PARSE.fullmatch(text.casefold())
    if text.casefold() in known:
        return known[text.casefold()]
    if number is None:
        names = ", ".join(filter(None, known.values()))
        hint = f"Choose one of {names}, write 'parse' and the number of a parse, or leave it empty"
        raise FormatError(f"{cell}: unknown decision {text!r}", source, hint=hint)
    return f"{PARSE} {int(number[1])}"


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
    followed = [each.followed(rulings.coders) for each in chosen]
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
