"""The papers by name."""

from __future__ import annotations

from arbitree.plugins import known_name
from arbitree.reproduction.parts import Paper

NAMES = ("skjaerholt2014", "plank2015", "kulick2013", "castro2011", "melamed_resnik2000")
OTHERS = ("defaults", "tests")  # only if asked for


def paper_named(name: str) -> Paper:
    """Return the paper called *name*; raise UnknownName, with a suggestion, if there is none.

    Example:
        >>> paper_named("plank2015").title
        'Plank et al. (2015)'
    """
    from importlib import import_module

    known = known_name(name, (*NAMES, *OTHERS), "paper")
    found: Paper = import_module(f"arbitree.reproduction.{known}").PAPER
    return found
