"""Build a study of labels from lists, arrays and data frames."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import StudyError
from arbitree.formats.label_rows import gather
from arbitree.formats.label_spelling import (
    NUMBERS,
    composed,
    composed_note,
    missing_markers,
    missing_notes,
    number_notes,
    numbers_as_one,
    settings_of,
)
from arbitree.formats.labels import labelled
from arbitree.kinds.labels.value import Label, in_order
from arbitree.plugins import check_name
from arbitree.reading.columns import is_known
from arbitree.reading.inputs import DEFAULT_DOCUMENT, USUAL, Input, Reading
from arbitree.reading.tables import TextTable
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING, Grid
from arbitree.study.study import Item, Study

NAME = "data frame"  # in messages
MISSING_TYPES = ("NAType", "NaTType")  # of pandas.NA and pandas.NaT


def table_study(
    rows: Any,
    *,
    coders: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
    reading: Reading = USUAL,
) -> Study[Any]:
    """Return the study of labels in a table.

    Args:
        rows: Lists or an array with one row per item and one column per annotator, or a pandas data frame in
            either layout of tables of labels.
        coders: Names of the columns, which are annotators.
        items: Names of the rows, which are items.
        reading: Options for columns and labels.
    """
    frame = hasattr(rows, "columns") and hasattr(rows, "iloc")
    if frame and coders is None and items is None:
        return _frame_study(rows, reading)
    names = list(map(str, coders if coders is not None else rows.columns if frame else ()))
    ids = list(map(str, items if items is not None else rows.index if frame else ()))
    table = np.asarray(rows.astype(object).where(rows.notna(), None) if frame else rows)
    if table.ndim != 2:
        raise StudyError("expected a table with rows and columns", hint="Pass a list of rows of equal length")
    names = names or [f"coder{number}" for number in range(1, table.shape[1] + 1)]
    ids = ids or [str(number) for number in range(1, len(table) + 1)]
    for found, wanted, what in ((names, table.shape[1], "annotators"), (ids, len(table), "items")):
        if len(found) != wanted or len(set(found)) < wanted:
            raise StudyError(
                f"expected {wanted} different names of {what}, got {len(found)} names",
                hint="Correct the names",
            )
    listed = tuple(Item(name, DEFAULT_DOCUMENT, name) for name in ids)
    values, codes, notes = _coded(table, reading)
    grid = Grid(listed, tuple(names), codes, values, clusters=np.arange(len(listed)))
    return Study(listed, tuple(names), grid, notes=tuple(notes), settings=settings_of(reading))


def _frame_study(frame: Any, reading: Reading) -> Study[Any]:
    """Return the study in a data frame, read like a file with the index as its first column."""
    header = [str(frame.index.name or ""), *map(str, frame.columns)]
    plain = reading == Reading(missing=reading.missing, numbers=reading.numbers)  # no option names a column
    if plain and frame.to_numpy().dtype.kind in "iufb" and not any(map(is_known, header[1:])):
        return table_study(frame.to_numpy(), coders=frame.columns, items=frame.index, reading=reading)
    known = frame.notna().to_numpy().T.tolist()
    columns = [frame.index.tolist(), *(frame.iloc[:, place].tolist() for place in range(len(frame.columns)))]
    given = [[True] * len(frame), *known]
    cells = [list(map(_cell, column, there)) for column, there in zip(columns, given, strict=True)]
    rows = [list(row) for row in zip(*cells, strict=True)]
    table = TextTable(rows, list(range(1, len(rows) + 1)), header)
    records = labelled(table, reading, NAME, ids_at=0)
    return gather([(Input("coder1", NAME, DEFAULT_DOCUMENT), records)])


def _cell(cell: Any, known: bool) -> Any:
    """Return a cell as a value of a table: text, a number, a list, an object, or None."""
    if not known:
        return None
    if isinstance(cell, tuple | set | frozenset):
        return sorted(map(str, cell))
    return cell if isinstance(cell, str | int | float | list | dict) else str(cell)


def _coded(table: NDArray[Any], reading: Reading) -> tuple[tuple[Label, ...], IntArray, list[str]]:
    """Return the distinct labels of *table*, the index of the label in each cell, and warnings."""
    check_name(reading.numbers, NUMBERS, "value of --numbers")
    if table.dtype.kind in "iub":
        found, flat = np.unique(table, return_inverse=True)
        texts: list[str | None] = [str(value) for value in found.tolist()]
    else:
        numbers: dict[str | None, int] = {}
        cells = [numbers.setdefault(_written(cell), len(numbers)) for cell in table.ravel().tolist()]
        flat = np.array(cells, dtype=np.intp)
        texts = list(numbers)
    flat = flat.reshape(table.shape)
    found_in = np.bincount(flat.ravel(), minlength=len(texts)).tolist()
    counts = {text: count for text, count in zip(texts, found_in, strict=True) if text is not None}
    missing = {text: counts.pop(text) for text in missing_markers(reading.missing) & counts.keys()}
    forms = composed(counts)

    def users(text: str) -> list[str]:
        return [str(column) for column in np.flatnonzero((flat == texts.index(text)).any(axis=0))]

    equal = numbers_as_one(counts, reading.numbers, commas=False, users=users)
    changed = forms | equal
    spelling: dict[str | None, str] = {text: changed.get(text, text) for text in counts}
    values = in_order({Label(text) for text in spelling.values()})
    places = {value.text: place for place, value in enumerate(values)}
    order = [MISSING if text not in spelling else places[spelling[text]] for text in texts]
    codes: IntArray = np.array(order, dtype=np.int32)[flat]
    notes = [*missing_notes(missing, counts, reading.missing), *composed_note(forms, "label")]
    return values, codes, [*notes, *number_notes(equal, counts, reading.numbers)]


def _written(cell: Any) -> str | None:
    """Return a cell as text: whole numbers without a decimal point, None for a missing label."""
    if cell is None or type(cell).__name__ in MISSING_TYPES or (isinstance(cell, float) and math.isnan(cell)):
        return None
    text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()
    return text or None
