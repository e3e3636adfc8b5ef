"""Names that shells complete: values of options, and plug-ins by name."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import arbitree
from arbitree.errors import ArbitreeError
from arbitree.files import write_whole
from arbitree.paths import cache_folder

WORD = re.compile(r"[a-z][a-z0-9_-]*")  # a value in the description of an option; TEXT stands for anything
LISTS = {  # by option: the list of ``arbitree list`` that contains its values
    "--as": "presets",
    "--format": "formats",
    "--heads": "heads",
    "--measure": "measures",
    "--model": "models",
    "--to": "formats",
}

# zsh loads the script at the first Tab. That of typer then only defines the function, and offers nothing.
ZSH_CALL = "[[ $zsh_eval_context[-1] == loadautofunc ]] && %(complete_func)s"

Completer = Callable[[str], list[str]]


def completer(flags: Iterable[str], metavar: str | None) -> Completer | None:
    """Return the function that completes the values of an option or argument, if they are known.

    Args:
        flags: the names of the option.
        metavar: the description of its values in the help, such as ``auto|id|text``.
    """
    words = [each for each in (metavar or "").strip("[]").split("|") if WORD.fullmatch(each)]
    lists = [LISTS[flag] for flag in flags if flag in LISTS]
    if not (words or lists):
        return None

    def complete(incomplete: str) -> list[str]:
        known = words or names()[lists[0]]
        return [each for each in known if each.startswith(incomplete)]

    return complete


def asked() -> list[str]:
    """Return the command whose line a shell completes, if any."""
    if "_ARBITREE_COMPLETE" not in os.environ:
        return []
    given = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return given.split()[1:2]


def complete_at_first_tab() -> None:
    """Add the call of the function to the script for zsh."""
    with suppress(ImportError, AttributeError, KeyError):  # another version of typer
        from typer._completion_shared import _completion_scripts

        if ZSH_CALL not in _completion_scripts["zsh"]:
            _completion_scripts["zsh"] += f"{ZSH_CALL}\n"


def names() -> dict[str, list[str]]:
    """Return the names in all lists of ``arbitree list``.

    Collecting them takes about a second. They are kept in a file of the user until Arbitree or the packages
    installed beside it change.
    """
    package = Path(arbitree.__file__).parent
    key = [arbitree.__version__, str(package), package.parent.stat().st_mtime_ns]
    cache = cache_folder() / "names.json"
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads(cache.read_text(encoding="utf-8"))
        if kept["key"] == key:
            return {str(of): [str(name) for name in found] for of, found in kept["names"].items()}
    from arbitree.api.catalogue import CATEGORIES

    collected = {of: [each.name for each in found.entries()] for of, found in CATEGORIES.items()}
    with suppress(OSError, ArbitreeError):  # it is only slower without
        cache.parent.mkdir(parents=True, exist_ok=True)
        write_whole(str(cache), json.dumps({"key": key, "names": collected}))
    return collected
