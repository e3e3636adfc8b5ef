"""Head tables: rules that select the head among the children of a phrase."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from arbitree.errors import FormatError, Source, UnknownName, shorten
from arbitree.files import note_input
from arbitree.reading.guard import guarded_reader
from arbitree.reading.limits import read_bytes

FOLDER = Path(__file__).with_name("tables")
PUNCTUATION = frozenset(
    ("``", "''", ",", ".", ":", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "HYPH", "-NONE-", '"', "$,", "$.", "$(")
)
CONJUNCTIONS = frozenset(("CC", "CONJP", "CONJ"))
DIRECTIONS = ("left", "right", "leftdis", "rightdis")
SIDES = ("leftmost", "rightmost")  # tables without rules

Rule = tuple[str, tuple[str, ...]]  # a direction and labels


@dataclass(slots=True)
class HeadTable:
    """Rules by category, and the categories without rules that were encountered.

    Example:
        >>> table = parse("NP rightdis NN NNS\\nNP left NP\\nWHNP like NP\\n", "example")
        >>> table.head("NP", ("DT", "NN", "SBAR"))
        1
        >>> table.head("NP", ("NP", ",", "NP"))
        0
        >>> table.head("XP", (",", "A", "B")), table.unknown
        (1, {'XP': None})
    """

    name: str
    rules: dict[str, list[Rule]] = field(default_factory=dict)
    default: str = "left"
    unknown: dict[str, None] = field(default_factory=dict)
    _known: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)

    def head(self, cat: str, children: tuple[str, ...]) -> int:
        """Return the index of the head among *children*, the categories of the children of a phrase *cat*."""
        key = (cat, children)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._coordinated(self._find(cat, children), children)
        return found

    def _find(self, cat: str, children: tuple[str, ...]) -> int:
        rules = self.rules.get(cat)
        if rules is None:
            if len(children) > 1 and self.rules:
                self.unknown[cat] = None
            rules = [(self.default, ())]
        for direction, labels in rules:
            order = range(len(children)) if direction.startswith("left") else range(len(children) - 1, -1, -1)
            if direction.endswith("dis"):
                wanted = frozenset(labels)
                hits = (place for place in order if children[place] in wanted)
            else:
                hits = (place for label in labels for place in order if children[place] == label)
            if (found := next(hits, None)) is not None:
                return found
        order = range(len(children)) if rules[-1][0].startswith("left") else range(len(children) - 1, -1, -1)
        return next((place for place in order if children[place] not in PUNCTUATION), order[0])

    @staticmethod
    def _coordinated(head: int, children: tuple[str, ...]) -> int:
        """Move the head before the conjunction to its left (Collins 1999)."""
        if head >= 2 and children[head - 1] in CONJUNCTIONS:
            for place in range(head - 2, -1, -1):
                if children[place] not in PUNCTUATION:
                    return place
        return head


def parse(text: str, name: str, path: str = "") -> HeadTable:
    """Return the table in *text*, with lines ``CATEGORY: DIRECTION LABEL...`` or ``CATEGORY: like OTHER``.

    Raises:
        FormatError: for a line that is neither.
    """
    table = HeadTable(name)
    copies: list[tuple[str, str, int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        parts = line.split()
        if not parts or line.startswith(("#", "%")):
            continue
        cat = parts[0].removesuffix(":") or ":"  # the colon may be left out
        direction, labels = parts[1] if len(parts) > 1 else "", tuple(parts[2:])
        if direction == "like" and len(labels) == 1:
            copies.append((cat, labels[0], number))
        elif direction in DIRECTIONS:
            table.rules.setdefault(cat, []).append((direction, labels))
        else:
            what = f"not a head rule: {shorten(line.strip())}"
            known = ", ".join(DIRECTIONS)
            hint = f"Write CATEGORY: DIRECTION LABEL... ({known}), or CATEGORY: like OTHER"
            raise FormatError(what, Source(path or name, number), hint=hint)
    for cat, other, number in copies:
        if other not in table.rules:
            hint = "Add rules for the other category"
            raise FormatError(
                f"{cat} is declared like {other}, which has no rules", Source(path, number), hint=hint
            )
        table.rules[cat] = table.rules[other]
    if not table.rules:
        raise FormatError(
            "no head rules in this file",
            Source(path or name),
            hint="Write one rule per line, such as NP: right NN NNS",
        )
    return table


def shipped() -> dict[str, str]:
    """Return the names of the tables that come with Arbitree, each with a one-line description."""
    found = {
        path.stem: path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ").rstrip(".")
        for path in sorted(FOLDER.glob("*.heads"))
    }
    sides = {name: f"no rules: the head is the {name} child that is not punctuation" for name in SIDES}
    return found | sides


@guarded_reader
def head_table(name: str) -> HeadTable:
    """Return the table called *name*, or the table in the file *name*.

    Raises:
        UnknownName: if it is neither.
    """
    if name in SIDES:
        return HeadTable(name, default=name.removesuffix("most"))
    path = FOLDER / f"{name}.heads"
    if name in shipped():
        return parse(path.read_text(encoding="utf-8"), name, str(path))
    note_input(name)
    try:
        return parse(read_bytes(name).decode(), Path(name).stem, name)
    except FileNotFoundError:
        known = ", ".join(shipped())
        raise UnknownName(
            f"unknown head table {name!r}, and no such file", hint=f"Expected one of: {known}"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        what = getattr(error, "strerror", None) or "not UTF-8"
        raise FormatError(
            f"cannot read the head rules ({what})", Source(name), hint="Pass a UTF-8 text file"
        ) from None


def unknown_note(table: HeadTable) -> list[str]:
    """Return a note about the categories without a rule, if there are any."""
    cats = sorted(cat or "(no label)" for cat in table.unknown)
    if not cats:
        return []
    shown = ", ".join(cats[:8]) + (f" and {len(cats) - 8} more" if len(cats) > 8 else "")
    what = f"the head table {table.name!r} has no rule for {shown}"
    return [f"{what}; Arbitree uses their first child that is not punctuation as the head"]
