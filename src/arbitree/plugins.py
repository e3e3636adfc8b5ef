"""Plug-ins: a module that ends in ``PLUGINS = {"name": object, ...}``.

Formats, backends and what fits several kinds of annotation lie in the folder of their group, measures and
distances that fit one kind in the folder of that kind. Other packages add theirs through entry points of
the group ``arbitree.GROUP`` that name such a module; they count like our own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from arbitree.errors import UnknownName

GROUPS = ("formats", "measures", "distances", "backends")


@cache
def plugins(group: str, kind: str | None = None) -> dict[str, Any]:
    """Return every plug-in of *group* by its name.

    Args:
        group: one of GROUPS.
        kind: the folder of a kind; leaves out, and does not import, what lies in the folders of other kinds.
    Example:
        >>> "alpha_plain" in plugins("measures"), "las" in plugins("measures", "phrase")
        (True, False)
    """
    found: dict[str, Any] = {}
    for name in _modules(group, kind):
        found |= _plugins_in(name)
    for entry in entry_points(group):
        found |= entry.load().PLUGINS
    return found


def entry_points(group: str) -> list[Any]:
    """Return the entry points of other packages for *group*, sorted by name."""
    from importlib import metadata  # slow to import, and often not needed

    return sorted(metadata.entry_points(group=f"arbitree.{group}"), key=lambda each: each.name)


def get(group: str, name: str, kind: str | None = None) -> Any:
    """Return the plug-in of *group* called *name*; a module of that name is tried before all others.

    Raises:
        UnknownName: with the nearest known name.
    """
    check_name(group, GROUPS, "kinds of plug-ins")
    own = f"arbitree.{group}.{name}"
    if name.isidentifier() and find_spec(own) and name in _plugins_in(own):
        return _plugins_in(own)[name]
    known = plugins(group, kind)
    if name not in known:
        known = plugins(group)
    check_name(name, known, group)
    return known[name]


@cache
def kind_folders() -> tuple[str, ...]:
    """Return the names of the folders in ``arbitree.kinds``."""
    return tuple(
        sorted(each.name for each in iter_modules(import_module("arbitree.kinds").__path__) if each.ispkg)
    )


def _modules(group: str, kind: str | None) -> Iterator[str]:
    """Yield the modules that may hold plug-ins of *group*."""
    check_name(group, GROUPS, "kinds of plug-ins")
    yield from _inside(f"arbitree.{group}")
    for folder in kind_folders() if kind is None else [kind] if kind in kind_folders() else []:
        yield from _inside(f"arbitree.kinds.{folder}.{group}")


def _inside(name: str) -> Iterator[str]:
    """Yield the modules of the package *name*, or *name* if it is a module."""
    spec = find_spec(name)
    if spec is None:
        return
    if spec.submodule_search_locations is None:
        yield name
    else:
        yield from sorted(f"{name}.{each.name}" for each in iter_modules(spec.submodule_search_locations))


def _plugins_in(name: str) -> dict[str, Any]:
    found: dict[str, Any] = getattr(import_module(name), "PLUGINS", {})
    return found


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
