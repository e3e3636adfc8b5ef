"""Plug-ins: a file in the folder of its kind that ends in ``PLUGINS = {"name": object, ...}``.

Other packages add theirs through entry points of the group ``arbitree.KIND`` that name such a module.
A file is imported when a name is asked for that it has, or when all of its kind are, never before.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from arbitree.errors import UnknownName

KINDS = ("formats", "measures", "distances", "backends")


@cache
def plugins(kind: str) -> dict[str, Any]:
    """Return every plug-in of *kind* by its name.

    Example:
        >>> "alpha_plain" in plugins("measures")
        True
    """
    found: dict[str, Any] = {}
    for name in _files(kind):
        found |= _plugins_in(kind, name)
    from importlib import metadata  # slow to import, and often not needed

    for entry in metadata.entry_points(group=f"arbitree.{kind}"):
        found |= entry.load().PLUGINS
    return found


@cache
def mentioned(kind: str, word: str) -> dict[str, Any]:
    """Return the plug-ins of *kind* in files of ours whose text has *word*; the others are not imported.

    Example:
        >>> "conllu" in mentioned("formats", '".conllu"')
        True
    """
    found: dict[str, Any] = {}
    for name, text in _files(kind).items():
        if word in text:
            found |= _plugins_in(kind, name)
    return found


def _plugins_in(kind: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = import_module(f"arbitree.{kind}.{name}").PLUGINS
    return found


@cache
def _files(kind: str) -> dict[str, str]:
    """Return the files of *kind* that have plug-ins, and their text, which is read in no time."""
    check_name(kind, KINDS, "kinds of plug-ins")
    folders = [Path(folder) for folder in import_module(f"arbitree.{kind}").__path__]
    paths = sorted(
        (path for folder in folders for path in folder.glob("[!_]*.py")), key=lambda each: each.stem
    )
    texts = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    return {name: text for name, text in texts.items() if "\nPLUGINS" in text}


def get(kind: str, name: str) -> Any:
    """Return the plug-in of *kind* called *name*.

    Raises:
        UnknownName: with the nearest known name.
    """
    check_name(kind, KINDS, "kinds of plug-ins")
    for word in (f'"{name}":', f'"{name}"'):  # as a key, else anywhere: names may be put together
        known = mentioned(kind, word)
        if name in known:
            return known[name]
    known = plugins(kind)
    check_name(name, known, kind)
    return known[name]


def check_name(name: str, known: Any, among: str) -> None:
    """Raise UnknownName, with a suggestion, unless *name* is one of *known*.

    Example:
        >>> check_name("pia", ["pi", "s"], "measures")
        Traceback (most recent call last):
        ...
        arbitree.errors.UnknownName: no 'pia' among measures. Did you mean 'pi'? Known: pi, s.
    """
    if name in known:
        return
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), n=1)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    listed = ", ".join(sorted(known)) or "none"
    raise UnknownName(f"no {name!r} among {among}", hint=f"{hint}Known: {listed}")
