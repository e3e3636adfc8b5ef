"""Contests from files: GOLD A B and judgments, or one directory for each set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from arbitree import registry
from arbitree.analyses.preferences.contest import Contest
from arbitree.data.dependency import DepTree
from arbitree.data.phrase import PhraseTree
from arbitree.data.preference import Preference
from arbitree.data.study import Study
from arbitree.errors import Source, StudyError
from arbitree.formats.assembly import read_study
from arbitree.formats.base import load
from arbitree.formats.detection import detect
from arbitree.formats.inputs import stem
from arbitree.formats.judgments import read_judgments
from arbitree.formats.verdicts import Words, given_words, preferences

Say = Callable[[str], None]

GOLD = "gold"
TABLES = (".csv", ".tsv", ".jsonl")


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read, as the options of the command line say."""

    words: str | None = None  # blue=A,red=B
    stray: str = "exclude"
    format: str | None = None
    encoding: str = "utf-8"
    match: str = "auto"
    strict: bool = False
    say: Say = lambda line: None


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one set."""

    name: str
    trees: tuple[str, str, str]  # gold and the two systems, as FILE or NAME=FILE
    judgments: str
    verdicts: str | None = None


def read_contest(files: Files, how: Reading) -> Contest:
    """Read the trees and the judgments of one set; what is odd goes into the notes of its studies."""
    trees = read_study(
        files.trees,
        format=how.format,
        encoding=how.encoding,
        match=how.match,
        strict=how.strict,
        say=how.say,
    )
    if len(trees.coders) != 3:
        what = f"gold and two systems are needed, not {' and '.join(trees.coders)}"
        raise StudyError(what, Source(files.trees[0]), hint="Tell the files apart with NAME=FILE")
    trees = replace(trees, reference=trees.coders[0])
    first, second = trees.coders[1:]
    words = Words((first, second), given_words(how.words, (first, second)), how.stray)
    judged = _preferences(files.judgments, trees, words, how)
    given = None if files.verdicts is None else _preferences(files.verdicts, trees, words, how)
    if given is not None and len(given.coders) != 1:
        what = f"one column of verdicts is needed, not {len(given.coders)}"
        raise StudyError(what, Source(files.verdicts or ""), hint="Give the judgments with --judgments")
    return Contest(files.name, trees, judged, given)


def files_in(argument: str, *, judgments: str | None, verdicts: str | None) -> Files:
    """Return the files of the set in a directory: gold, two more files of trees, and judgments.

    Args:
        argument: ``DIR`` or ``NAME=DIR``.
        judgments: the name of their file; by default the one table in the directory.
        verdicts: the name of the file of aggregated verdicts, if there is one.
    """
    name, equals, path = argument.partition("=")
    folder = Path(path if equals and not Path(argument).exists() else argument)
    if not folder.is_dir():
        what = "this is a file" if folder.exists() else "there is no such directory"
        raise StudyError(what, Source(str(folder)), hint="With --dirs, name one directory for each set")
    found = sorted(each for each in folder.iterdir() if each.is_file() and not each.name.startswith("."))
    table = _table(found, folder, judgments)
    kept = [each for each in found if each != table and each.name != verdicts]
    contents = [load(str(each)) for each in kept if each.stat().st_size]
    trees = [
        content.path
        for content, known in zip(contents, detect(contents), strict=True)
        if known and registry.get("formats", known).kind in (DepTree, PhraseTree)
    ]
    gold = [each for each in trees if stem(each) == GOLD or stem(each).startswith((f"{GOLD}-", f"{GOLD}_"))]
    systems = [each for each in trees if each not in gold]
    if len(gold) != 1 or len(systems) != 2:
        listed = ", ".join(Path(each).name for each in trees) or "none"
        what = f"a file called gold and two more files of trees are needed; trees are in: {listed}"
        raise StudyError(what, Source(str(folder)), hint="Move other files away, or name GOLD A B instead")
    label = name if equals and folder != Path(argument) else folder.resolve().name
    chosen = None if verdicts is None else str(folder / verdicts)
    return Files(label, (gold[0], systems[0], systems[1]), str(table), chosen)


def _table(found: list[Path], folder: Path, name: str | None) -> Path:
    if name is not None:
        return folder / name
    tables = [each for each in found if each.name.removesuffix(".gz").endswith(TABLES)]
    if len(tables) == 1:
        return tables[0]
    what = f"{len(tables)} tables where the judgments should be one ({', '.join(TABLES)})"
    raise StudyError(what, Source(str(folder)), hint="Name the file with --judgments")


def _preferences(path: str, trees: Study[object], words: Words, how: Reading) -> Study[Preference]:
    table = read_judgments(path, items=len(trees.items), encoding=how.encoding)
    return preferences(table, trees.items, words)
