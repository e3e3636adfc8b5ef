"""Find plug-ins: modules that define ``PLUGINS = {"name": object, ...}``.

Formats, backends, and measures and distances for several kinds of annotation are in the package of their
group. Measures and distances for one kind are in the package of that kind. Other packages register such a
module through an entry point of the group ``arbitree.GROUP``; their plug-ins work like the built-in ones.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from arbitree.errors import ArbitreeError, UnknownName
from arbitree.wording import ALIKE, listed

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUPS = ("formats", "measures", "distances", "backends")
GROUP = "kind of plug-in"
REPEATED = {"measure": "measure", "breakdown": "by", "class": "class", "experiment": "experiment"}  # options
FEW = 9  # names that an error lists where a command can list them
_GROUP = re.compile(r"\[\s*arbitree\.")  # the heading of a group of entry points


@cache
def plugins(group: str, kind: str | None = None) -> dict[str, Any]:
    """Return every plug-in of *group* by its name.

    Args:
        group: one of GROUPS.
        kind: name of the package of a kind; modules of other kinds are neither imported nor included.
    Example:
        >>> "alpha_plain" in plugins("measures"), "las" in plugins("measures", "phrase")
        (True, False)

    Raises:
        ArbitreeError: if a plug-in of another package cannot be loaded, or has the name of one found before.
    """
    check_name(group, GROUPS, GROUP)
    found = plugins_in(f"arbitree.{group}")
    for folder in kind_folders() if kind is None else [kind] if kind in kind_folders() else []:
        found |= plugins_in(f"arbitree.kinds.{folder}.{group}")
    for entry in entry_points(group):
        added = _added_by(entry)
        if taken := sorted(name for name in added if found.get(name, added[name]) is not added[name]):
            raise _unusable(entry, f"the name {taken[0]!r} is already in use")
        found |= added
    return found


def load(entry: EntryPoint) -> Any:
    """Return the object that an entry point of another package names.

    Raises:
        ArbitreeError: if it cannot be loaded, for whatever reason; the message names the package.
    """
    try:
        return entry.load()
    except Exception as error:
        raise _unusable(entry, str(error) or type(error).__name__) from error


def _added_by(entry: EntryPoint) -> Mapping[str, Any]:
    """Return the plug-ins of the module that an entry point names."""
    found = getattr(load(entry), "PLUGINS", None)
    if not isinstance(found, Mapping):
        raise _unusable(entry, f"{entry.value} has no dictionary PLUGINS")
    return found


def _unusable(entry: EntryPoint, reason: str) -> ArbitreeError:
    package = entry.dist.name if entry.dist else entry.module
    what = f"the plug-in {entry.name!r} of the package {package} cannot be used ({reason})"
    return ArbitreeError(what, hint=f"Update or uninstall {package}")


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of other packages for *group*, sorted by name."""
    if not _announced(tuple(sys.path)):
        return []
    from importlib import metadata  # slow to import, and often not needed

    return sorted(metadata.entry_points(group=f"arbitree.{group}"), key=lambda each: each.name)


@cache
def _announced(path: tuple[str, ...]) -> bool:
    """Return whether a package on *path* may have plug-ins; only the files that would name them are read."""
    for place in map(Path, path):
        if place.is_file() or any(_GROUP.search(text) for text in _entry_point_files(place)):  # a zip file
            return True
    return False


def _entry_point_files(folder: Path) -> Iterator[str]:
    """Yield the text of all files in *folder* that list entry points of packages."""
    inside: list[Path] = []
    with suppress(OSError):  # a directory that is absent or that this user cannot read
        inside = list(folder.iterdir())
    for each in inside:
        if each.name.lower().endswith((".dist-info", "egg-info")):
            with suppress(OSError, UnicodeDecodeError):
                yield (each / "entry_points.txt").read_text(encoding="utf-8")


def get(group: str, name: str, kind: str | None = None) -> Any:
    """Return the plug-in of *group* called *name*; look in the module of that name first.

    Upper and lower case do not matter unless two names differ in nothing else.

    Raises:
        UnknownName: if there is no such plug-in; the hint suggests the most similar name.
    """
    return _named(group, name, kind)[1]


def spelling(group: str, name: str) -> str:
    """Return the name of the plug-in that ``get`` returns for *name*.

    Example:
        >>> spelling("formats", "CoNLLU")
        'conllu'
    """
    return _named(group, name)[0]


def _named(group: str, name: str, kind: str | None = None) -> tuple[str, Any]:
    """Return a plug-in and its name."""
    check_name(group, GROUPS, GROUP)
    if (own := in_own_module(group, name)) is not None:
        return name, own
    known = plugins(group, kind)
    if name not in known:
        known = plugins(group)
    spelt = known_name(name, known, group.removesuffix("s"))
    return spelt, known[spelt]


def in_own_module(group: str, name: str) -> Any:
    """Return the plug-in called *name* if a built-in module of the same name contains it, otherwise None.

    No other module is imported.

    Example:
        >>> in_own_module("formats", "conllu") is get("formats", "conllu"), in_own_module("formats", "mrg")
        (True, None)
    """
    module = f"arbitree.{group}.{name}"
    return _plugins_of(module).get(name) if name.isidentifier() and find_spec(module) else None


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


def known_name(name: str, known: Collection[str], what: str) -> str:
    """Return *name* as it is spelt in *known*; upper and lower case do not matter.

    Raises:
        UnknownName: if there is no such name; the hint suggests the most similar one.

    Example:
        >>> known_name("LAS", ["las", "uas"], "measure")
        'las'
    """
    if name in known:
        return name
    alike = [each for each in known if each.casefold() == name.casefold()]
    if len(alike) == 1:
        return alike[0]
    raise _unknown(name, known, what)


def with_options(text: str) -> tuple[str, dict[str, str]]:
    """Return the name and the options in ``name:key=value,key=value``.

    Raises:
        UnknownName: if an option has no value.

    Example:
        >>> with_options("alpha_norm:size=leaves, labelled=no")
        ('alpha_norm', {'size': 'leaves', 'labelled': 'no'})
    """
    name, _, rest = text.partition(":")
    found: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise UnknownName(f"option {part!r} of {name} has no value", hint=f"Write {name}:{part}=VALUE")
        found[key.strip()] = value.strip()
    return name, found


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
    if name not in known:
        raise _unknown(name, known, what)


def _unknown(name: str, known: Collection[str], what: str) -> UnknownName:
    """Return the error about a name that is not one of *known*, with the most similar names.

    Example:
        >>> print(_unknown("alpha", ["alpha_diff", "alpha_plain", "las"], "measure"))
        unknown measure 'alpha'. Did you mean alpha_diff or alpha_plain? Expected one of: alpha_diff, ...
        >>> _unknown("las,uas", ["las", "uas"], "measure").typed
        "unknown measure 'las,uas'. Repeat the option: --measure las --measure uas."
    """
    parts = name.replace(",", " ").split()
    if what in REPEATED and len(parts) > 1 and any(part in known for part in parts):
        again = " ".join(f"--{REPEATED[what]} {part}" for part in parts)
        return UnknownName(f"unknown {what} {name!r}", hint=f"Repeat the option: {again}")
    from difflib import get_close_matches

    spelt = {each.casefold(): each for each in known}
    typed = name.casefold()
    longer = sorted(own for each, own in spelt.items() if typed and each.startswith(f"{typed}_"))
    close = longer or [spelt[each] for each in get_close_matches(typed, list(spelt), n=1, cutoff=ALIKE)]
    if not close:  # a longer word for a name, such as oblique for obl
        within = [each for each in spelt if len(each) > 2 and typed.startswith(each)]
        close = [spelt[max(within, key=len)]] if within else []
    shown = listed(close, "or") if len(close) > 1 else repr("".join(close))
    hint = f"Did you mean {shown}? " if close else ""
    if len(known) > FEW and f"{what}s" in GROUPS:
        hint += f"Run 'arbitree list {what}s' to see the available {what}s"
    else:
        hint += f"Expected one of: {', '.join(sorted(known)) or 'none'}"
    return UnknownName(f"unknown {what} {name!r}", hint=hint)
