"""Plug-ins: a file in the folder of its kind that ends in ``PLUGINS = {"name": object, ...}``.

Other packages add theirs through entry points of the group ``arbitree.KIND`` that name such a module.
Files are imported when a name of their kind is asked for, never before.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
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
    check_name(kind, KINDS, "kinds of plug-ins")
    package = import_module(f"arbitree.{kind}")
    found: dict[str, Any] = {}
    for module in sorted(iter_modules(package.__path__), key=lambda each: each.name):
        if not module.name.startswith("_"):
            found |= getattr(import_module(f"{package.__name__}.{module.name}"), "PLUGINS", {})
    for entry in entry_points(group=f"arbitree.{kind}"):
        found |= entry.load().PLUGINS
    return found


def get(kind: str, name: str) -> Any:
    """Return the plug-in of *kind* called *name*.

    Raises:
        UnknownName: with the nearest known name.
    """
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
    close = get_close_matches(name, list(known), n=1)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    raise UnknownName(f"no {name!r} among {among}", hint=f"{hint}Known: {', '.join(sorted(known))}")
