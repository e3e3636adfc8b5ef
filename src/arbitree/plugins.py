"""Find plug-ins: modules that define ``PLUGINS = {"name": object, ...}``.

Formats, backends, and measures and distances for several kinds of annotation are in the package of their
group. Measures and distances for one kind are in the package of that kind. Other packages register such a
module through an entry point of the group ``arbitree.GROUP``; their plug-ins work like the built-in ones.
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
GROUP = "kind of plug-in"
FEW = 9  # names that an error lists where a command can list them


@cache
def plugins(group: str, kind: str | None = None) -> dict[str, Any]:
    """Return every plug-in of *group* by its name.

    Args:
        group: one of GROUPS.
        kind: name of the package of a kind; modules of other kinds are neither imported nor included.
    Example:
        >>> "alpha_plain" in plugins("measures"), "las" in plugins("measures", "phrase")
        (True, False)
    """
    check_name(group, GROUPS, GROUP)
    found = plugins_in(f"arbitree.{group}")
    for folder in kind_folders() if kind is None else [kind] if kind in kind_folders() else []:
        found |= plugins_in(f"arbitree.kinds.{folder}.{group}")
    for entry in entry_points(group):
        found |= entry.load().PLUGINS
    return found


def entry_points(group: str) -> list[Any]:
    """Return the entry points of other packages for *group*, sorted by name."""
    from importlib import metadata  # slow to import, and often not needed

    return sorted(metadata.entry_points(group=f"arbitree.{group}"), key=lambda each: each.name)


def get(group: str, name: str, kind: str | None = None) -> Any:
    """Return the plug-in of *group* called *name*; look in the module of that name first.

    Raises:
        UnknownName: if there is no such plug-in; the hint suggests the most similar name.
    """
    check_name(group, GROUPS, GROUP)
    own = f"arbitree.{group}.{name}"
    if name.isidentifier() and find_spec(own) and name in _plugins_of(own):
        return _plugins_of(own)[name]
    known = plugins(group, kind)
    if name not in known:
        known = plugins(group)
    check_name(name, known, group.removesuffix("s"))
    return known[name]


@cache
def kind_folders() -> tuple[str, ...]:
    """Return the names of the packages in ``arbitree.kinds``."""
    return tuple(
        sorted(each.name for each in iter_modules(import_module("arbitree.kinds").__path__) if each.ispkg)
    )


def plugins_in(package: str) -> dict[str, Any]:
    """Return the plug-ins of all modules in *package*; none if there is no such package."""
    found: dict[str, Any] = {}
    for name in _inside(package):
        found |= _plugins_of(name)
    return found


def _inside(name: str) -> Iterator[str]:
    """Yield the names of the modules in the package *name*, or *name* itself if it is a module."""
    spec = find_spec(name)
    if spec is None:
        return
    if spec.submodule_search_locations is None:
        yield name
    else:
        yield from sorted(f"{name}.{each.name}" for each in iter_modules(spec.submodule_search_locations))


def _plugins_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = getattr(import_module(name), "PLUGINS", {})
    return found


def check_name(name: str, known: Any, what: str) -> None:
    """Raise UnknownName, with a suggestion, unless *name* is one of *known*.

    Args:
        name: The name to check.
        known: The valid names.
        what: What the name stands for, as a singular noun.

    Example:
        >>> check_name("pia", ["pi", "s"], "measure")
        Traceback (most recent call last):
        ...
        arbitree.errors.UnknownName: unknown measure 'pia'. Did you mean 'pi'? Expected one of: pi, s.
    """
    if name in known:
        return
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), n=1)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    if len(known) > FEW and f"{what}s" in GROUPS:
        hint += f"Run 'arbitree list {what}s' to see the available {what}s"
    else:
        hint += f"Expected one of: {', '.join(sorted(known)) or 'none'}"
    raise UnknownName(f"unknown {what} {name!r}", hint=hint)
