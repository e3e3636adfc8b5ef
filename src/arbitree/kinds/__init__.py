"""The kinds of annotation, one folder each. ``of`` returns the kind of a study."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from arbitree.plugins import entry_points, kind_folders, load

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind
    from arbitree.study.study import Study


@cache
def kinds() -> dict[str, Kind[Any]]:
    """Return every kind by its name, with those that other packages add by entry points."""
    found = [import_module(f"arbitree.kinds.{name}.kind").KIND for name in kind_folders()]
    found += [load(entry) for entry in entry_points("kinds")]
    return {each.name: each for each in found}


def of(study: Study[Any]) -> Kind[Any]:
    """Return the kind of the values of *study*.

    Example:
        >>> import arbitree as at
        >>> of(at.read("examples/phrase/ann.mrg")).name
        'phrase'
    """
    value_type: type = study.value_type
    return of_type(value_type)


@cache
def of_type(value_type: type) -> Kind[Any]:
    """Return the kind that has values of this type."""
    for kind in kinds().values():
        if value_type in kind.values:
            return kind
    raise TypeError(f"no kind of annotation has values of type {value_type.__name__}")
