"""Parameter files of evalb, such as COLLINS.prm: labels and words that count, and equivalent labels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from arbitree.errors import FormatError, Source, shorten
from arbitree.numbers import whole_number
from arbitree.reading.content import load
from arbitree.reading.guard import guarded_reader
from arbitree.reading.side_files import signed_name

IGNORED = frozenset({"DEBUG", "MAX_ERROR", "EQ_WORD"})  # of no effect on brackets here
SWITCHES = {"LABELED": "labelled", "DISC_ONLY": "discontinuous"}
NUMBERS = {"CUTOFF_LEN": "cutoff"}
LISTS = {"DELETE_LABEL": "deleted", "DELETE_LABEL_FOR_LENGTH": "uncounted"}
KNOWN = sorted({*IGNORED, *SWITCHES, *NUMBERS, *LISTS, "EQ_LABEL"})


@dataclass(frozen=True, slots=True)
class EvalbParameters:
    """The content of a parameter file.

    Example:
        >>> DEFAULT.same("PRT-1"), DEFAULT.same("NP-SBJ"), DEFAULT.same("-NONE-")
        ('ADVP', 'NP', '-NONE-')
    """

    deleted: frozenset[str] = frozenset()  # labels whose brackets, or whose words, do not count
    uncounted: frozenset[str] = frozenset()  # labels whose words are not part of the length of a sentence
    equal: tuple[tuple[str, str], ...] = ()  # a label and the one it is taken for
    cutoff: int = 40  # the length up to which sentences are scored apart
    labelled: bool = True
    discontinuous: bool = False  # only brackets with a gap count
    cut: bool = True  # labels are compared without their functions
    name: str = "default"
    _taken_for: dict[str, str] = field(init=False, repr=False, compare=False)  # of equal

    def __post_init__(self) -> None:
        object.__setattr__(self, "_taken_for", dict(self.equal))

    def __str__(self) -> str:
        if self == SHIPPED.get(self.name):
            return self.name
        switches = (self.cutoff, self.labelled, self.discontinuous, self.cut)
        return signed_name(self.name, [sorted(self.deleted), sorted(self.uncounted), self.equal, switches])

    def same(self, label: str) -> str:
        """Return the form of *label* to compare: without its function, and as its equivalent."""
        bare = bare_label(label)
        return self._taken_for.get(bare, bare)


@cache
def bare_label(label: str) -> str:
    """Return *label* up to the first ``-`` or ``=`` that does not begin it.

    Example:
        >>> bare_label("NP-SBJ-1"), bare_label("NP=2"), bare_label("-LRB-")
        ('NP', 'NP', '-LRB-')
    """
    for place, character in enumerate(label):
        if place and character in "-=" and not label.startswith("-"):
            return label[:place]
    return label


# The content of COLLINS.prm, the parameter file that is in use for English.
COLLINS = EvalbParameters(
    deleted=frozenset({"TOP", "-NONE-", ",", ":", "``", "''", "."}),
    uncounted=frozenset({"-NONE-"}),
    equal=(("PRT", "ADVP"),),
    name="COLLINS",
)
# The same for treebanks with another name for the topmost node, or none.
DEFAULT = replace(COLLINS, deleted=COLLINS.deleted | {"ROOT", "S1", "VROOT", ""}, name="default")
SHIPPED = {each.name: each for each in (DEFAULT, COLLINS)}


@guarded_reader
def read_parameters(path: str) -> EvalbParameters:
    """Return the shipped parameters called *path*, or read the parameter file at *path*.

    Example:
        >>> sorted(read_parameters("default").deleted - read_parameters("COLLINS").deleted)
        ['', 'ROOT', 'S1', 'VROOT']

    Raises:
        FormatError: for a key that evalb does not know, or a value that does not fit it.
    """
    if path in SHIPPED:
        return SHIPPED[path]
    lists: dict[str, set[str]] = {name: set() for name in LISTS.values()}
    found: dict[str, int] = {}
    equal: list[list[str]] = []
    for number, line in enumerate(load(path).lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, *values = line.split()
        source = Source(path, number)
        count = whole_number(values[0]) if len(values) == 1 and key in {**SWITCHES, **NUMBERS} else None
        if key in LISTS and len(values) == 1:
            lists[LISTS[key]].add(values[0])
        elif key == "EQ_LABEL" and len(values) >= 2:
            equal.append(values)
        elif count is not None and count >= 0:
            found[{**SWITCHES, **NUMBERS}[key]] = count
        elif key not in IGNORED:
            raise _wrong(key, values, source)
    return EvalbParameters(
        deleted=frozenset(lists["deleted"]),
        uncounted=frozenset(lists["uncounted"]),
        equal=_representatives(equal),
        cutoff=found.get("cutoff", 40),
        labelled=bool(found.get("labelled", 1)),
        discontinuous=bool(found.get("discontinuous", 0)),
        name=path,
    )


def _wrong(key: str, values: list[str], source: Source) -> FormatError:
    if key in KNOWN:
        hint = "Write a key and its value, such as DELETE_LABEL TOP, EQ_LABEL ADVP PRT or CUTOFF_LEN 40"
        return FormatError(f"{key} does not accept {shorten(' '.join(values))}", source, hint=hint)
    return FormatError(f"unknown key {shorten(key)}", source, hint=f"Expected one of: {', '.join(KNOWN)}")


def _representatives(groups: list[list[str]]) -> tuple[tuple[str, str], ...]:
    """Return the first label of each class for every other label; classes that share a label are merged."""
    above: dict[str, str] = {}  # from each label towards one label of its class
    names: dict[str, str] = {}  # the first label of the class, by the label at the end

    def end(label: str) -> str:
        while above[label] != label:
            above[label] = label = above[above[label]]
        return label

    for group in groups:
        known = next((names[end(label)] for label in group if label in above), group[0])
        for label in group:
            above.setdefault(label, label)
        last = end(group[0])
        for label in group:
            above[end(label)] = last
        names[last] = known
    return tuple(sorted((label, known) for label in above if (known := names[end(label)]) != label))
