"""Reading a study from files or a table: ``at.read`` and ``at.from_table``."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from arbitree import kinds, plugins
from arbitree.api.arguments import Files, inputs_from, warn_caller
from arbitree.backends.base import Say, mute
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.reading.assembly import read_inputs
from arbitree.reading.inputs import Reading
from arbitree.reading.studies import naming, read_studies
from arbitree.reading.views import VIEW
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
    view: str | None = None,
    zone: str | None = None,
    layer: str | None = None,
    state: str = "finished",
    item_column: str | None = None,
    coder_column: str | None = None,
    label_column: str | None = None,
    gold_column: str | None = None,
    drop_column: str | list[str] | None = None,
    missing: str = "auto",
    numbers: str = "auto",
    texts: str | Path | None = None,
    max_size: str = "auto",
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
        strict: Fail on cycles, tokenisation differences, files that may be incomplete, and, if sentences have
            no ids, files with different numbers of sentences.
        column: Labels to take from the trees: ``deprel``, ``upos``, a feature, ``enhanced``, ``phrase``,
            ``pos``.
        view: View of the annotations, with options if any: a layer of the files, such as ``t`` or ``a`` in
            PML (``t:label=t_lemma``), or another form, such as ``readings`` of [incr tsdb()] profiles.
        zone: Zone of Treex files, such as ``cs`` or ``cs_src``; the selectors of a language are annotators.
        layer: Layer of INCEpTION or WebAnno to compare, such as ``Dependency`` or ``POS.PosValue``.
        state: Documents of an INCEpTION project to read: ``finished``, or ``all`` that annotators opened.
        item_column: Column of a table that contains the items (default: found by its name).
        coder_column: Column of a table that contains the annotators.
        label_column: Column of a table that contains the labels.
        gold_column: Column of a table that contains the gold standard; ``off`` for none.
        drop_column: One or more columns of a table to ignore.
        missing: Cells of a table that count as missing, besides empty ones: texts separated by commas,
            ``auto`` for NA, NaN, NULL, #N/A and similar markers, or ``off``.
        numbers: Compare labels that are numbers by value (``equal``), as text (``off``), or ``auto``: by
            value unless they look like codes, such as 01.
        texts: Table with the text of each item, and a column of ids, for pages and reports.
        max_size: Largest size of decompressed files and of pipes, such as ``4G``; ``off`` for no limit, or
            ``auto``: 2G, and 64M for files that decompress to more than 100 times their size.
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
    reading = Reading(
        inputs,
        dirs=dirs,
        format=format,
        encoding=encoding,
        match=match,
        strict=strict,
        column=column,
        view=view,
        zone=zone,
        layer=layer,
        state=state,
        item_column=item_column,
        coder_column=coder_column,
        label_column=label_column,
        gold_column=gold_column,
        drop_column=_listed(drop_column),
        missing=missing,
        numbers=numbers,
        texts=None if texts is None else str(texts),
        max_size=max_size,
    )
    return _warned(study_of(reading))


def _listed(names: str | list[str] | None) -> list[str] | None:
    return [names] if isinstance(names, str) else names


def _warned(study: Study[Any]) -> Study[Any]:
    """Issue the warnings about a study."""
    for note in study.notes:
        warn_caller(note)
    return study


def study_of(reading: Reading, say: Say = mute) -> Study[Any]:
    """Read the study that *reading* describes, in its view, or the labels in a column of its trees."""
    study = _viewed(read_inputs(reading, say), reading.view)
    if reading.column is None:
        return study
    aside = study.names[len(study.coders) :]
    everyone = functools.reduce(Study.taking, aside, study)
    labels = kinds.of(study).column(everyone, reading.column)
    return replace(labels, inputs=study.inputs).set_aside(aside, study.standard)


def studies_of(reading: Reading, say: Say = mute) -> dict[str, Study[Any]]:
    """Read one study for each input of *reading*, in its view."""
    found: dict[str, Study[Any]] = {}
    for name, study in read_studies(reading, say).items():
        with naming(name):
            found[name] = _viewed(study, reading.view)
    return found


def _viewed(study: Study[Any], view: str | None) -> Study[Any]:
    """Return a view of *study*, unless its files were read in this view already."""
    if view is None or any(each.startswith(VIEW) for each in study.settings):
        return study
    kind = kinds.of(study)
    name, options = plugins.with_options(view)
    if kind.views:
        plugins.check_name(name, kind.views, "view")
    else:
        raise UnsupportedStudy(f"there are no other views of {kind.noun}", hint="Omit --view")
    if options:
        raise UnknownName(f"the view {name} has no options", hint=f"Write --view {name}")
    found = kind.views[name].of(study)
    if not found.cells:
        raise UnsupportedStudy(f"the view {name} is empty for these files", hint="Omit --view")
    return replace(found, settings=(*found.settings, f"{VIEW}{name}"))


def from_table(
    rows: Any,
    *,
    coders: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
    item_column: str | None = None,
    coder_column: str | None = None,
    label_column: str | None = None,
    gold_column: str | None = None,
    drop_column: str | list[str] | None = None,
    missing: str = "auto",
    numbers: str = "auto",
) -> Study[Any]:
    """Build a study of labels from lists, a numpy array or a pandas data frame.

    Lists and arrays contain one row per item and one column per annotator. A data frame is read like a file
    that contains the same table: with one row per label if it has such columns, otherwise with one column per
    annotator. None, NaN, pandas.NA and "" are missing labels.

    Args:
        rows: The table.
        coders: Names of the columns (default: those of a data frame, else coder1, coder2 ...).
        items: Names of the rows (default: the index of a data frame, else 1, 2 ...).
        item_column: Column of a data frame that contains the items (default: found by its name).
        coder_column: Column of a data frame that contains the annotators.
        label_column: Column of a data frame that contains the labels.
        gold_column: Column of a data frame that contains the gold standard; ``off`` for none.
        drop_column: One or more columns of a data frame to ignore.
        missing: Other texts that count as missing, as in ``read``.
        numbers: How to compare labels that are numbers, as in ``read``.
    Example:
        >>> from arbitree.api.agree import agree
        >>> study = from_table([["NN", "NN"], ["VB", "NN"], ["VB", None]], coders=["ann", "bob"])
        >>> agree(study, ["agreement"], resamples=0)["agreement"].value
        0.5
    """
    reading = Reading(
        item_column=item_column,
        coder_column=coder_column,
        label_column=label_column,
        gold_column=gold_column,
        drop_column=_listed(drop_column),
        missing=missing,
        numbers=numbers,
    )
    from arbitree.formats.label_tables.frames import table_study  # slow to import, and no file needs it

    return _warned(table_study(rows, coders=coders, items=items, reading=reading))
