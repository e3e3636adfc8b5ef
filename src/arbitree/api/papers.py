"""Published tables and figures again: ``at.papers`` and ``arbitree papers``."""

from __future__ import annotations

import os
from pathlib import Path

from arbitree.backends.base import Bar, Say, mute, no_bar
from arbitree.errors import ArbitreeError, FormatError, Source
from arbitree.paths import cache_folder
from arbitree.reproduction.collection import Collection
from arbitree.reproduction.fetching import Unreachable
from arbitree.reproduction.output import Made, PaperFiles, PaperTables
from arbitree.reproduction.papers import NAMES, paper_named
from arbitree.reproduction.parts import Paper
from arbitree.reproduction.sources import files_of

DATA = "ARBITREE_DATA"  # environment variable: the directory of data that are there already


def papers(
    *names: str,
    data: str | Path | None = None,
    cache: str | Path | None = None,
    offline: bool = False,
    say: Say = mute,
    progress: Bar = no_bar,
) -> PaperTables:
    """Reproduce the tables and figures of papers, and compare the published values with ours.

    Files that are not in *data* are downloaded from public repositories at fixed commits.

    Args:
        names: Papers: ``skjaerholt2014``, ``plank2015``, ``kulick2013``, ``castro2011`` and
            ``melamed_resnik2000``; ``defaults`` for the page on defaults and presets; ``tests`` to download
            the corpora of the tests. By default, the five papers.
        data: Directory of files that are there already. By default, that of the environment variable
            ``ARBITREE_DATA``, if it is set.
        cache: Directory for downloads. By default, a directory of the user.
        offline: Do not download anything.
        say: Function that is called with licences, and with what to download by hand.
        progress: Function that opens a progress bar.
    Returns:
        Tables that you can print, convert with ``.to_dict()`` or ``.to_pandas()``, or write to a directory as
        pages and figures with ``.write(folder)``.
    Example:
        >>> found = papers("melamed_resnik2000", offline=True)
        >>> print(found.document.headline)
        Melamed and Resnik (2000): 16 of 17 published values equal ours.
    """
    chosen = _chosen(names)
    collection = _collection(chosen, data, cache)
    collection.cut_again()
    reason = "downloads are switched off" if offline else "the server does not have them"
    if not offline:
        try:
            collection.download(say, progress)
        except Unreachable as error:
            reason = error.what
    warnings = [each.note for each in collection.found.values() if each.note and each.place == "data"]
    lines = collection.by_hand()
    if lines:
        say(f"Files are missing ({reason}). To compare everything, put them there and run the command again:")
        for line in lines:
            say(f"  {line}")
        say("To see all names and licences, run 'arbitree papers --list'.")
    with collection.laid_out() as folder:
        made = tuple(_made(paper, folder, collection, progress) for paper in chosen)
    return PaperTables(made, tuple(collection.found.values()), tuple(warnings))


def paper_files(*names: str, data: str | Path | None = None, cache: str | Path | None = None) -> PaperFiles:
    """Return the public files that papers need, without downloading them.

    The arguments are those of ``papers``.

    Example:
        >>> paper_files("castro2011").to_dict()["files"][0]["repository"]
        'delph-in/erg'
    """
    return PaperFiles(tuple(_collection(_chosen(names), data, cache).found.values()))


def _chosen(names: tuple[str, ...]) -> list[Paper]:
    return [paper_named(name) for name in dict.fromkeys(names or NAMES)]


def _collection(chosen: list[Paper], data: str | Path | None, cache: str | Path | None) -> Collection:
    given = data or os.environ.get(DATA)
    if given and not Path(given).is_dir():
        hint = f"Check the path, or the environment variable {DATA}"
        raise FormatError("the directory of data does not exist", Source(str(given)), hint=hint)
    wanted = {name for paper in chosen for name in (paper.name, *paper.others)}
    folder = Path(cache) if cache else cache_folder() / "papers"
    collection = Collection(files_of(wanted), Path(given) if given else None, folder)
    try:
        collection.look()
    except (OSError, ValueError) as error:
        what = f"cannot read the data ({getattr(error, 'strerror', None) or error})"
        raise ArbitreeError(what, hint="Choose other directories with --data and --cache") from None
    return collection


def _made(paper: Paper, folder: Path | None, collection: Collection, progress: Bar) -> Made:
    pieces: dict[str, str] = {}
    lacking: list[str] = []
    with progress(f"reproducing {paper.title}") as tick:
        for count, part in enumerate(paper.parts):
            tick(count, len(paper.parts))
            absent = [
                need for need in part.needs if need in part.lacks(folder) or collection.incomplete(need)
            ]
            lacking += absent
            if not absent:
                pieces |= part.pieces(folder)
    return Made(paper, pieces, tuple(dict.fromkeys(lacking)))
