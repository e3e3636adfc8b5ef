"""Conversion of arguments: a single name to a list, a data frame to a study, keywords to named files."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from arbitree import plugins
from arbitree.errors import in_python
from arbitree.study.study import Study

P = ParamSpec("P")
T = TypeVar("T")
Names = str | Sequence[str]
Measures = str | tuple[str, Any] | Sequence[str | tuple[str, Any]]  # names, or pairs of a name and an object
Files = Mapping[str, str | Path]


def refusing(function: Callable[P, T]) -> Callable[P, T]:
    """Return *function*, which names the nearest argument if a keyword argument is mistyped.

    A function that takes any keyword checks them itself.
    """
    known = signature(function).parameters
    if any(each.kind is Parameter.VAR_KEYWORD for each in known.values()):
        return function

    @wraps(function)
    def called(*args: P.args, **keywords: P.kwargs) -> T:
        check_keywords(function.__name__, keywords, known)
        return function(*args, **keywords)

    return called


def check_keywords(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise TypeError if a keyword that is *given* is not *known*, and name the nearest one.

    Example:
        >>> check_keywords("agree", ["resample"], ["resamples", "seed"])
        Traceback (most recent call last):
        ...
        TypeError: agree() got an unexpected keyword argument 'resample'. Did you mean 'resamples'?
    """
    known = list(known)
    for name in given:
        if name not in known:
            raise TypeError(_unexpected(function, name, get_close_matches(name, known, 1)))


def _unexpected(function: str, name: str, near: Sequence[str]) -> str:
    advice = f" Did you mean {near[0]!r}?" if near else ""
    return f"{function}() got an unexpected keyword argument {name!r}.{advice}"


def warn_caller(note: str) -> None:
    """Issue a warning at the line outside of this package that called one of its functions."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "arbitree":
        level, frame = level + 1, frame.f_back
    warnings.warn(in_python(note), stacklevel=level)


def listed(measures: Measures) -> list[Any]:
    """Return one name, one pair of a name and a measure, or several of them, as a list.

    Example:
        >>> listed("las"), listed(["las", "uas"])
        (['las'], ['las', 'uas'])
    """
    if isinstance(measures, str):
        return [measures]
    if isinstance(measures, tuple) and len(measures) == 2 and not isinstance(measures[1], str | tuple):
        return [measures]
    return list(measures)


def chosen_measures(measures: Measures) -> list[Any]:
    """Return *measures* as a list, with the names as they are spelt in plug-ins, upper and lower case aside.

    Example:
        >>> chosen_measures(["LAS:punctuation=skip-form", "nothing"])
        ['las:punctuation=skip-form', 'nothing']
    """
    return [_spelt(each) if isinstance(each, str) else each for each in listed(measures)]


def _spelt(text: str) -> str:
    """Return a measure, with its options, with the name in lower case if only that is known."""
    name, colon, rest = text.partition(":")
    low = name.lower()
    if name == low:
        return text
    known = plugins.plugins("measures")
    return f"{low}{colon}{rest}" if low in known and name not in known else text


def breakdowns(by: Names) -> list[str]:
    """Return the names of breakdowns as a list, with ``coder`` for its alias ``annotator``.

    Example:
        >>> breakdowns("annotator"), breakdowns(["document", "coder"])
        (['coder'], ['document', 'coder'])
    """
    return ["coder" if each == "annotator" else each for each in map(str.lower, listed(by))]


def study_from(given: Any) -> Study[Any]:
    """Return *given* if it is a study, or build a study from the labels in a pandas data frame.

    A data frame contains one row per item and one column per annotator, or one row per label.
    """
    if isinstance(given, Study):
        return given
    if not (hasattr(given, "columns") and hasattr(given, "index")):
        what = f"study must be a Study or a pandas data frame, not {type(given).__name__}"
        raise TypeError(f"{what}. Read files with arbitree.read, or lists with arbitree.from_table.")
    from arbitree.formats.label_tables.frames import table_study

    return table_study(given)


def inputs_from(
    function: str,
    paths: Iterable[object],
    by_name: Files,
    by_keyword: Mapping[str, Any],
    options: Iterable[str],
) -> tuple[str, ...]:
    """Return ``FILE`` for *paths* and ``NAME=FILE`` for files given by name or by keyword.

    Raises:
        TypeError: If an argument is not a path, or a keyword looks like a misspelt name of *options*.

    Example:
        >>> inputs_from("read", ["a.mrg"], {}, {"bob": "b.mrg"}, ["format"])
        ('a.mrg', 'bob=b.mrg')
        >>> inputs_from("read", [], {}, {"fromat": "conllu"}, ["format"])
        Traceback (most recent call last):
        ...
        TypeError: read() got an unexpected keyword argument 'fromat'. Did you mean 'format'?
    """
    given = [_path(function, each) for each in paths]
    for name, path in by_keyword.items():
        near = get_close_matches(name, options, 1, 0.75)
        if not isinstance(path, str | PathLike):
            raise TypeError(_unexpected(function, name, near))
        word = str(path).isidentifier()  # such as the name of a format
        if (near or word) and path != "-" and not Path(path).exists():
            raise TypeError(_unexpected(function, name, near or get_close_matches(name, options, 1)))
    named = {**by_name, **by_keyword}
    return (*given, *(f"{name}={path}" for name, path in named.items()))


def _path(function: str, given: object) -> str:
    """Return a path as text; raise TypeError for anything else, such as a list of paths."""
    if isinstance(given, str | PathLike):
        return str(given)
    advice = f". Pass each path as an argument of its own: {function}(*paths)"
    raise TypeError(
        f"{function}() takes paths, not a {type(given).__name__}"
        f"{advice if isinstance(given, list | tuple | set) else ''}"
    )
