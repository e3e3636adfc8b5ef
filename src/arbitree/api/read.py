"""Reading a study from files or a table: ``at.read`` and ``at.from_table``."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from arbitree import kinds
from arbitree.api.arguments import Files, inputs_from
from arbitree.backends.base import Say, mute
from arbitree.errors import in_python
from arbitree.kinds.labels.value import matrix_study
from arbitree.reading.assembly import read_inputs
from arbitree.reading.inputs import Reading
from arbitree.study.study import Study

OPTIONS = ("coders", *(each.name for each in fields(Reading) if each.name != "inputs"))


def read(
    *paths: str | Path,
    coders: Files | None = None,
    dirs: bool = False,
    format: str | None = None,
    encoding: str = "utf-8",
    match: str = "auto",
    strict: bool = False,
    column: str | None = None,
    **named: str | Path,
) -> Study[Any]:
    """Read a study from the files of its annotators.

    Args:
        paths: One file per annotator, who is named after it; with *dirs*, directories.
        coders: More files, by the name of their annotator.
        dirs: Read one directory per annotator; files are matched by name.
        format: Format of the inputs (default: detected).
        encoding: Encoding of text files.
        match: Match sentences across annotators by ``id``, ``position``, ``text`` or ``auto``: by id if every
            sentence has one, otherwise by position, or by text if the order differs.
        strict: Fail on cycles, tokenisation differences, and files with different numbers of sentences.
        column: Labels to take from the trees: ``deprel``, ``upos``, a feature, ``enhanced``, ``phrase``,
            ``pos``.
        named: More files, by the name of their annotator: ``read(ann="first.conllu", bob="second.conllu")``.
    Returns:
        The study. Problems found while reading are issued as Python warnings and stored in ``study.notes``.
    Raises:
        TypeError: If a keyword argument is neither an option nor an annotator with a file.
    Example:
        >>> study = read(ann="examples/dependency/ann.conllu", bob="examples/dependency/bob.conllu")
        >>> study.coders
        ('ann', 'bob')
        >>> read(coders={"odd name": "examples/dependency/ann.conllu"}).coders
        ('odd name',)
    """
    inputs = inputs_from("read", paths, coders or {}, named, OPTIONS)
    study = study_of(Reading(inputs, dirs, format, encoding, match, strict, column))
    for note in study.notes:
        warnings.warn(in_python(note), stacklevel=2)
    return study


def study_of(reading: Reading, say: Say = mute) -> Study[Any]:
    """Read the study that *reading* describes, or the labels in a column of its trees."""
    study = read_inputs(reading, say)
    return study if reading.column is None else kinds.of(study).column(study, reading.column)


def from_table(
    rows: Any, *, coders: Sequence[str] | None = None, items: Sequence[str] | None = None
) -> Study[Any]:
    """Build a study of labels from a table with one row per item and one column per annotator.

    Args:
        rows: Lists, a numpy array or a pandas data frame; None, NaN and "" are missing labels.
        coders: Names of the columns (default: those of a data frame, else coder1, coder2 ...).
        items: Names of the rows (default: the index of a data frame, else 1, 2 ...).
    Example:
        >>> from arbitree.api.agree import agree
        >>> study = from_table([["NN", "NN"], ["VB", "NN"], ["VB", None]], coders=["ann", "bob"])
        >>> agree(study, ["agreement"], resamples=0)["agreement"].value
        0.5
    """
    return matrix_study(rows, coders=coders, items=items)
