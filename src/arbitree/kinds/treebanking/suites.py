"""A root with one directory for each annotator and one profile for each suite: which belong together."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arbitree.errors import Source, StudyError, UnknownName
from arbitree.paths import possible_path
from arbitree.reading.inputs import Input, distinct, is_profile, named_path

# What a name such as news-12-V3 tells without a pattern.
USUAL = re.compile(r"^(?P<corpus>.*?)[-_. ]*(?P<suite>\d+)(?:[-_. ]*[vV](?P<version>\d+))?$")


@dataclass(frozen=True, slots=True)
class SuiteName:
    """What the name of a suite says; "" for what it does not."""

    corpus: str
    suite: str
    version: str


def name_of(document: str, pattern: str | None = None) -> SuiteName:
    """Return the parts of the name of a suite, from the named groups of *pattern* or the usual form.

    Example:
        >>> name_of("news-12-V3")
        SuiteName(corpus='news', suite='12', version='3')
        >>> name_of("x7of9", r"x(?P<suite>[0-9]+)of").suite
        '7'
    """
    last = Path(document).name
    found = (re.search(pattern, last) if pattern else None) or USUAL.search(last)
    groups = found.groupdict() if found else {}
    corpus = groups.get("corpus") or ("" if groups.get("suite") else last)
    return SuiteName(corpus, groups.get("suite") or "", groups.get("version") or "")


def suites_of(
    root: str, annotators: Sequence[str], *, pattern: str | None = None, exclude: str | None = None
) -> tuple[list[Input], list[str]]:
    """Return the profiles under *root*, and warnings about suites that some annotators lack.

    Args:
        root: a directory with one directory for each annotator.
        annotators: ``NAME=DIR`` or ``DIR``, relative to *root*; none: every directory that holds profiles.
        pattern: what the name of a suite must match; its groups ``corpus``, ``suite`` and ``version`` name
            its parts.
        exclude: what the name of no directory on the way to a suite may match.
    """
    wanted, unwanted = (_compiled(each, name) for each, name in ((pattern, "pattern"), (exclude, "exclude")))
    folder = Path(possible_path(root))
    if not folder.is_dir():
        hint = "Set --root to the directory that contains the annotators' directories"
        raise StudyError("directory not found", Source(root), hint=hint)
    found: list[Input] = []
    for name, place in _annotators(folder, annotators):
        suites = [each for each in _profiles(place, unwanted) if wanted is None or wanted.search(each.name)]
        if not suites:
            hint = "Check --pattern and --exclude" if pattern or exclude else "Set --annotator NAME=DIR"
            raise StudyError(f"no suite of {name} found", Source(str(place)), hint=hint)
        found += [Input(name, str(each), _shared_name(each, place, name)) for each in suites]
    return distinct(found), _lonely(found)


def _compiled(pattern: str | None, name: str) -> re.Pattern[str] | None:
    try:
        return None if pattern is None else re.compile(pattern)
    except re.error as error:
        what = f"--{name} {pattern!r} is not a valid regular expression: {error}"
        raise UnknownName(what) from None


def _annotators(root: Path, named: Sequence[str]) -> list[tuple[str, Path]]:
    if not named:
        folders = sorted(each for each in root.iterdir() if each.is_dir() and not each.name.startswith("."))
        return [(each.name, each) for each in folders if any(_profiles(each, None))]
    found = []
    for each in named:
        name, path = named_path(each)
        place = root / path
        if not place.is_dir():
            known = ", ".join(sorted(child.name for child in root.iterdir() if child.is_dir()))
            hint = f"Directories here: {known or 'none'}"
            raise StudyError("directory of the annotator not found", Source(str(place)), hint=hint)
        found.append((name or place.name, place))
    return found


def _profiles(folder: Path, unwanted: re.Pattern[str] | None) -> list[Path]:
    found = []
    for place, folders, _ in os.walk(folder):
        path = Path(place)
        if is_profile(path):
            folders.clear()
            found.append(path)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and not (unwanted is not None and unwanted.search(name))
        )
    return found


def _shared_name(path: Path, folder: Path, coder: str) -> str:
    """Return the name of a suite without what tells the annotator."""
    if path == folder:
        return "suite"
    names = {coder, folder.name}
    parts = re.split(r"([-_.])", path.name)
    kept = [part for part in parts if part not in names]
    name = re.sub(r"([-_.])[-_.]+", r"\1", "".join(kept)).strip("-_.") or path.name
    return str(path.relative_to(folder).with_name(name))


def _lonely(found: list[Input]) -> list[str]:
    """Note suites that some annotators do not have."""
    coders = list(dict.fromkeys(each.coder for each in found))
    having: dict[str, list[str]] = {}
    for each in found:
        having.setdefault(each.document, []).append(each.coder)
    notes = []
    for coder in coders:
        absent = [suite for suite, names in having.items() if coder not in names]
        if absent:
            shown = ", ".join(absent[:5]) + (" …" if len(absent) > 5 else "")
            suites = "suite" if len(absent) == 1 else "suites"
            notes.append(f"{coder} has no profile for {len(absent)} {suites}, excluded here: {shown}")
    return notes
