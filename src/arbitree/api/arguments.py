"""Conversion of arguments: a single name to a list, a data frame to a study, keywords to named files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any

from arbitree import plugins
from arbitree.study.study import Study

Names = str | Sequence[str]
Measures = str | tuple[str, Any] | Sequence[str | tuple[str, Any]]  # names, or pairs of a name and an object
Files = Mapping[str, str | Path]


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
    from arbitree.formats.label_frames import table_study

    return table_study(given)


def inputs_from(
    function: str,
    paths: Iterable[str | Path],
    by_name: Files,
    by_keyword: Mapping[str, Any],
    options: Iterable[str],
) -> tuple[str, ...]:
    """Return ``FILE`` for *paths* and ``NAME=FILE`` for files given by name or by keyword.

    Raises:
        TypeError: If a keyword argument is not a path, or looks like a misspelt name of *options*.

    Example:
        >>> inputs_from("read", ["a.mrg"], {}, {"bob": "b.mrg"}, ["format"])
        ('a.mrg', 'bob=b.mrg')
        >>> inputs_from("read", [], {}, {"fromat": "conllu"}, ["format"])
        Traceback (most recent call last):
        ...
        TypeError: read() got an unexpected keyword argument 'fromat'. Did you mean 'format'?
    """
    for name, path in by_keyword.items():
        near = get_close_matches(name, options, 1, 0.75)
        if not isinstance(path, str | PathLike) or (near and path != "-" and not Path(path).exists()):
            advice = f" Did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}.{advice}")
    named = {**by_name, **by_keyword}
    return (*map(str, paths), *(f"{name}={path}" for name, path in named.items()))
