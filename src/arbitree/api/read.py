"""The functions that people call from Python: the same road as the command line."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arbitree.kinds.dependency.views import labels
from arbitree.kinds.labels.value import matrix_study
from arbitree.reading.assembly import read_study
from arbitree.study.study import Study


def read(
    *paths: str | Path,
    dirs: bool = False,
    format: str | None = None,
    encoding: str = "utf-8",
    match: str = "auto",
    strict: bool = False,
    column: str | None = None,
    **coders: str | Path,
) -> Study[Any]:
    """Read a study from the files of its coders.

    Args:
        paths: a file for each coder, who is named after it; with *dirs*, directories.
        dirs: one directory for each coder; files are matched by name.
        format: by default it is detected.
        encoding: of text files.
        match: ``id``, ``position`` or ``auto``.
        strict: refuse cycles, differing tokens and uneven files.
        column: take labels from trees: ``deprel``, ``upos``, a feature, ``enhanced``, ``phrase``, ``pos``.
        coders: more files, by the name of their coder.
    Returns:
        The study. What is odd about it is given as warnings and kept in its ``notes``.
    Example:
        >>> study = read(ann="examples/dependency/ann.conllu", bob="examples/dependency/bob.conllu")
        >>> study.coders
        ('ann', 'bob')
    """
    arguments = [*map(str, paths), *(f"{name}={path}" for name, path in coders.items())]
    study = read_study(arguments, dirs=dirs, format=format, encoding=encoding, match=match, strict=strict)
    if column is not None:
        study = labels(study, column)
    for note in study.notes:
        warnings.warn(note, stacklevel=2)
    return study


def from_table(
    rows: Any, *, coders: Sequence[str] | None = None, items: Sequence[str] | None = None
) -> Study[Any]:
    """Return the study of labels in a table: a row for each item, a column for each coder.

    Args:
        rows: lists, a numpy array or a pandas data frame; None, NaN and "" are missing labels.
        coders: names of the columns (default: those of a data frame, else coder1, coder2 ...).
        items: names of the rows (default: the index of a data frame, else 1, 2 ...).
    Example:
        >>> from arbitree.api.agree import agree
        >>> study = from_table([["NN", "NN"], ["VB", "NN"], ["VB", None]], coders=["ann", "bob"])
        >>> agree(study, ["agreement"], resamples=0)["agreement"].value
        0.5
    """
    return matrix_study(rows, coders=coders, items=items)
