"""Head tables: which child of a phrase is its head."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from arbitree.errors import FormatError, Source, UnknownName, shorten

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
    """Rules by category, and the categories that had none and were met.

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
        """Return which of *children*, by their categories, is the head of a phrase *cat*."""
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
        """Move the head before the conjunction that stands at its left (Collins 1999)."""
        if head >= 2 and children[head - 1] in CONJUNCTIONS:
            for place in range(head - 2, -1, -1):
                if children[place] not in PUNCTUATION:
                    return place
        return head


def parse(text: str, name: str, path: str = "") -> HeadTable:
    """Return the table in *text*: ``CATEGORY: DIRECTION LABEL...`` or ``CATEGORY: like OTHER`` a line.

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
            what = f"no head rule: {shorten(line.strip())}"
            known = ", ".join(DIRECTIONS)
            hint = f"Write CATEGORY: DIRECTION LABEL... ({known}), or CATEGORY: like OTHER"
            raise FormatError(what, Source(path or name, number), hint=hint)
    for cat, other, number in copies:
        if other not in table.rules:
            hint = "Give the other category rules of its own"
            raise FormatError(
                f"{cat} is to be like {other}, which has no rules", Source(path, number), hint=hint
            )
        table.rules[cat] = table.rules[other]
    if not table.rules:
        raise FormatError("no head rules in this file", Source(path or name), hint="See docs/head-tables.md")
    return table


def shipped() -> dict[str, str]:
    """Return the names of the tables that come with Arbitree, each with a line on what it is."""
    found = {
        path.stem: path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ").rstrip(".")
        for path in sorted(FOLDER.glob("*.heads"))
    }
    sides = {name: f"no rules: the {name} child that is not punctuation" for name in SIDES}
    return found | sides


def head_table(name: str) -> HeadTable:
    """Return the table called *name*, or the one in the file of that name.

    Raises:
        UnknownName: if it is neither.
    """
    if name in SIDES:
        return HeadTable(name, default=name.removesuffix("most"))
    path = FOLDER / f"{name}.heads"
    if name in shipped():
        return parse(path.read_text(encoding="utf-8"), name, str(path))
    try:
        return parse(Path(name).read_text(encoding="utf-8"), Path(name).stem, name)
    except FileNotFoundError:
        known = ", ".join(shipped())
        raise UnknownName(f"no head table and no file {name!r}", hint=f"Known: {known}") from None
    except (OSError, UnicodeDecodeError) as error:
        what = getattr(error, "strerror", None) or "not UTF-8"
        raise FormatError(
            f"cannot read the head rules ({what})", Source(name), hint="Give a file of text"
        ) from None


def unknown_note(table: HeadTable) -> list[str]:
    """Return one note about all categories that were met and have no rule."""
    cats = sorted(cat or "(no label)" for cat in table.unknown)
    if not cats:
        return []
    shown = ", ".join(cats[:8]) + (f" and {len(cats) - 8} more" if len(cats) > 8 else "")
    what = f"the head table {table.name!r} has no rule for {shown}"
    return [f"{what}: their first child that is not punctuation is the head"]
