"""Data for a comparison of metrics with preferences: gold, two systems, judgments and metric values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from arbitree import plugins
from arbitree.backends.base import Say, mute
from arbitree.errors import Source, StudyError
from arbitree.kinds.kind import Kind
from arbitree.kinds.preference.judgment_words import Words, given_words, preferences
from arbitree.kinds.preference.judgments import read_judgments
from arbitree.kinds.preference.statistics.agreement import MISSING, NEITHER, Codes
from arbitree.kinds.preference.value import Preference
from arbitree.measures.evaluate import evaluate
from arbitree.measures.measure import FloatArray
from arbitree.measures.options import measure_named, options
from arbitree.measures.resampling import Resampling
from arbitree.reading.assembly import read_inputs
from arbitree.reading.content import load
from arbitree.reading.detection import detect
from arbitree.reading.inputs import USUAL, Reading, named_path, stem
from arbitree.study.comparable import annotated, tokens_match
from arbitree.study.result import Ignored, Result
from arbitree.study.study import Annotation, Item, Study
from arbitree.wording import brief

PUNCTUATION = "skip-form"  # what the published tables rest on
GIVEN = "given"  # verdicts from another source
SAME = 1e-12  # differences below this come from rounding


@dataclass(frozen=True)
class Contest:
    """One data set: trees of gold and of two systems, and human judgments.

    Args:
        name: the name of the language or corpus.
        trees: a study with three annotators; the first is gold, the others are the systems.
        judged: preferences between the two systems.
        given: verdicts that were aggregated elsewhere, with one annotator.
    """

    name: str
    trees: Study[Any]
    judged: Study[Preference]
    given: Study[Preference] | None = None

    __repr__ = brief

    def __post_init__(self) -> None:
        if len(self.trees.coders) != 3:
            what = f"{self.name}: expected gold and two systems, got {len(self.trees.coders)} annotators"
            raise StudyError(what, hint="Pass three files: GOLD A B")

    @property
    def systems(self) -> tuple[str, str]:
        """The names of the two systems."""
        return self.trees.coders[1], self.trees.coders[2]


@dataclass(frozen=True)
class Measured:
    """A contest in numbers, with one entry per item that gold and both systems have."""

    contest: Contest
    items: tuple[Item, ...]
    ignored: tuple[Ignored, ...]
    codes: Codes  # (items, coders)
    given: Codes | None  # (items, 1)
    names: tuple[str, ...]  # of the metrics, as asked for
    differences: FloatArray  # (metrics, items), first less second system; 0 where a value is missing
    undefined: tuple[int, ...]  # for every metric the items on which it has no value
    results: tuple[tuple[Result, Result], ...]  # for every metric the value of either system

    __repr__ = brief

    @property
    def coders(self) -> tuple[str, ...]:
        """The names of the judges."""
        return self.contest.judged.coders

    def trees(self, place: int) -> list[Any]:
        """Return the trees of gold (0) or of a system (1, 2) on the items."""
        coder = self.contest.trees.coders[place]
        return [self.contest.trees.cells[item.id, coder].value for item in self.items]


def measure(contest: Contest, measures: Sequence[str], kind: Kind[Any]) -> Measured:
    """Return the values of every metric for both systems on every item, and the judgments."""
    items, ignored = _comparable(contest, kind)
    if not items:
        what = f"{contest.name}: no sentence has a gold tree and two different parses of the same words"
        raise StudyError(what, hint="Pass three files with the same sentences")
    gold, *systems = contest.trees.coders
    ids = {item.id for item in items}
    pairs = [
        replace(contest.trees.select(items=ids, coders=(gold, system)), reference=gold, notes=())
        for system in systems
    ]
    results = [evaluate(pair, kind, list(measures), resampling=Resampling(0)) for pair in pairs]
    values = np.array([[_values(result, items) for result in found] for found in results])
    known = ~np.isnan(values).any(axis=0)
    apart = np.where(known, values[0] - values[1], 0.0)
    return Measured(
        contest=contest,
        items=items,
        ignored=ignored,
        codes=codes_of(contest.judged, items),
        given=None if contest.given is None else codes_of(contest.given, items),
        names=tuple(measures),
        differences=np.where(np.abs(apart) < SAME, 0.0, apart),
        undefined=tuple(int(count) for count in (~known).sum(axis=1)),
        results=tuple(zip(*results, strict=True)),
    )


def with_punctuation(measures: Sequence[str], kind: Kind[Any], policy: str = PUNCTUATION) -> list[str]:
    """Return *measures* with this punctuation policy, if they have the option and it is not set.

    Example:
        >>> from arbitree.kinds.phrase.kind import KIND
        >>> with_punctuation(["alpha_plain"], KIND)
        ['alpha_plain']
    """
    found = []
    for text in measures:
        _, each = measure_named(text, kind)
        free = "punctuation" in options(each) and "punctuation=" not in text
        mark = "," if ":" in text else ":"
        found.append(f"{text}{mark}punctuation={policy}" if free else text)
    return found


def as_seen(measured: Sequence[Measured], k: int) -> Study[Preference]:
    """Return the judgments with the differences that metric *k* finds, to fingerprint its correlation.

    Everything else about the trees is left out, and so are the names of systems and data sets. Verdicts from
    another source are the gold standard.
    """
    items: list[Item] = []
    cells: dict[tuple[str, str], Annotation[Preference]] = {}
    coders: dict[str, None] = {}
    for number, each in enumerate(measured):
        given = [] if each.given is None else [each.given]
        names = [*(f"{number} {coder}" for coder in each.coders), *(GIVEN for _ in given)]
        coders |= dict.fromkeys(names)
        for row, codes in enumerate(np.concatenate([each.codes, *given], axis=1)):
            item = Item(f"{number} {row}", "", "")
            items.append(item)
            options = (f"first {each.differences[k, row] + 0.0:.10g}", "second")
            for coder, code in zip(names, codes, strict=True):
                if code != MISSING:
                    value = Preference(options, None if code == NEITHER else options[code])
                    cells[item.id, coder] = Annotation(item, coder, value)
    return Study(tuple(items), tuple(coders), cells, GIVEN if GIVEN in coders else None)


def codes_of(judged: Study[Preference], items: Sequence[Item]) -> Codes:
    """Return the judgments as numbers: (items, coders)."""
    codes = np.full((len(items), len(judged.coders)), MISSING, dtype=np.intp)
    for row, item in enumerate(items):
        for column, coder in enumerate(judged.coders):
            cell = judged.cells.get((item.id, coder))
            if cell is not None:
                side = cell.value.side
                codes[row, column] = NEITHER if side is None else side
    return codes


def roots_differ(measured: Measured) -> FloatArray:
    """Return for every item whether the parses attach different words to the root."""
    roots = [
        [{k for k, head in enumerate(tree.heads) if head == 0} for tree in measured.trees(place)]
        for place in (1, 2)
    ]
    return np.array([a != b for a, b in zip(*roots, strict=True)], dtype=float)


def _comparable(contest: Contest, kind: Kind[Any]) -> tuple[tuple[Item, ...], tuple[Ignored, ...]]:
    """Return the items with three trees of equal length and two different parses, and the excluded items."""
    used, ignored = [], []
    for item, cells in contest.trees:
        full = annotated(cells)
        if len(full) < 3:
            ignored.append(Ignored(item.id, "missing_tree", f"{contest.name}: {len(full)} of 3 trees"))
        elif not tokens_match([cell.value for cell in full]):
            counts = ", ".join(f"{cell.coder} {len(cell.value)}" for cell in full)
            ignored.append(Ignored(item.id, "token_mismatch", f"{contest.name}: tokens: {counts}"))
        elif kind.alike(full[1].value, full[2].value):
            ignored.append(Ignored(item.id, "identical_parses", contest.name))
        else:
            used.append(item)
    return tuple(used), tuple(ignored)


def _values(result: Result, items: Sequence[Item]) -> list[float]:
    table: Mapping[str, Any] = {}
    if result.per_item is not None:
        table = {row["item"]: row["value"] for row in result.per_item.records()}
    sign = -1.0 if result.per_item_shows == "disagreement" else 1.0  # higher is better
    found = (table.get(item.id) for item in items)
    return [np.nan if value is None else sign * float(value) for value in found]


GOLD = "gold"
TABLES = (".csv", ".tsv", ".jsonl")


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one data set."""

    name: str
    trees: tuple[str, str, str]  # gold and the two systems, as FILE or NAME=FILE
    judgments: str
    verdicts: str | None = None


def read_contest(
    files: Files,
    reading: Reading = USUAL,
    *,
    words: str | None = None,
    stray: str = "exclude",
    say: Say = mute,
) -> Contest:
    """Read the trees and the judgments of one data set; problems are recorded in the notes of its studies.

    Args:
        files: the files of the data set.
        reading: the options for reading them.
        words: the meaning of words in the judgments, such as ``blue=A,red=B``.
        stray: the treatment of words that do not name a system.
        say: called with messages about reading the trees.
    """
    trees = read_inputs(reading.of(files.trees), say)
    if len(trees.coders) != 3:
        what = f"expected gold and two systems, got {' and '.join(trees.coders)}"
        raise StudyError(what, Source(files.trees[0]), hint="Give each file its own name with NAME=FILE")
    trees = replace(trees, reference=trees.coders[0])
    first, second = trees.coders[1:]
    meant = Words((first, second), given_words(words, (first, second)), stray)
    judged = _preferences(files.judgments, trees, meant, reading)
    given = None if files.verdicts is None else _preferences(files.verdicts, trees, meant, reading)
    if given is not None and len(given.coders) != 1:
        what = f"expected one column of verdicts, found {len(given.coders)}"
        raise StudyError(what, Source(files.verdicts or ""), hint="Pass single judgments with --judgments")
    return Contest(files.name, trees, judged, given)


def files_in(
    argument: str, is_tree: Callable[[type], bool], *, judgments: str | None, verdicts: str | None
) -> Files:
    """Return the files of the data set in a directory: gold, two more files of trees, and judgments.

    Args:
        argument: ``DIR`` or ``NAME=DIR``.
        is_tree: whether values of a type are trees.
        judgments: the name of the file of judgments; by default the only table in the directory.
        verdicts: the name of the file of aggregated verdicts, if any.
    """
    name, path = named_path(argument)
    folder = Path(path)
    if not folder.is_dir():
        what = "expected a directory, got a file" if folder.exists() else "directory not found"
        raise StudyError(what, Source(str(folder)), hint="With --dirs, pass one directory per data set")
    found = sorted(each for each in folder.iterdir() if each.is_file() and not each.name.startswith("."))
    table = _table(found, folder, judgments)
    kept = [each for each in found if each != table and each.name != verdicts]
    contents = [load(str(each), undecided=True) for each in kept if each.stat().st_size]
    trees = [
        content.path
        for content, known in zip(contents, detect(contents), strict=True)
        if known and is_tree(plugins.get("formats", known).value_type)
    ]
    gold = [each for each in trees if stem(each) == GOLD or stem(each).startswith((f"{GOLD}-", f"{GOLD}_"))]
    systems = [each for each in trees if each not in gold]
    if len(gold) != 1 or len(systems) != 2:
        listed = ", ".join(Path(each).name for each in trees) or "none"
        what = f"expected a file called gold and two more files with trees; found trees in: {listed}"
        raise StudyError(
            what, Source(str(folder)), hint="Move other files to another directory, or pass GOLD A B instead"
        )
    label = name or folder.resolve().name
    chosen = None if verdicts is None else str(folder / verdicts)
    return Files(label, (gold[0], systems[0], systems[1]), str(table), chosen)


def _table(found: list[Path], folder: Path, name: str | None) -> Path:
    if name is not None:
        return folder / name
    tables = [each for each in found if each.name.removesuffix(".gz").endswith(TABLES)]
    if len(tables) == 1:
        return tables[0]
    what = f"expected one table of judgments ({', '.join(TABLES)}), found {len(tables)}"
    raise StudyError(what, Source(str(folder)), hint="Set the file with --judgments")


def _preferences(path: str, trees: Study[object], words: Words, reading: Reading) -> Study[Preference]:
    table = read_judgments(path, items=len(trees.items), reading=reading)
    return preferences(table, trees.items, words)
