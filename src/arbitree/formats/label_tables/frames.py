"""Build a study of labels from lists, arrays and data frames."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import StudyError
from arbitree.formats.label_tables.layouts import labelled
from arbitree.formats.label_tables.rows import gather
from arbitree.formats.label_tables.spelling import NUMBERS, missing_markers, missing_notes, settings_of
from arbitree.kinds.labels.value import Label, in_order
from arbitree.plugins import check_name
from arbitree.reading.columns import is_known
from arbitree.reading.content import RowRecords
from arbitree.reading.inputs import DEFAULT_DOCUMENT, USUAL, Input, Reading
from arbitree.reading.tables import TextTable
from arbitree.study.flat_tree import IntArray
from arbitree.study.grid import MISSING, Grid
from arbitree.study.study import Item, Study
from arbitree.wording import count_of

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
    if frame:
        coders = rows.columns if coders is None else coders
        items = rows.index if items is None else items
        rows = rows.astype(object).where(rows.notna(), None).to_numpy()
    numbers = _numbers(rows)
    cells = _cells(rows) if numbers is None else []
    height, width = (len(cells), len(cells[0])) if numbers is None else numbers.shape
    names = _names(coders, "coder", width, "annotators")
    ids = _names(items, "", height, "items")
    if numbers is not None:
        return _number_study(numbers, names, ids, reading)
    records = RowRecords(NAME, names=names, places=dict.fromkeys(ids, (None, None)), reading=reading)
    for number, (item, row) in enumerate(zip(ids, cells, strict=True), start=1):
        for coder, cell in zip(names, row, strict=True):
            records.add(item, coder, cell, number)
    return gather([(Input("coder1", NAME, DEFAULT_DOCUMENT), records)])


def _numbers(rows: Any) -> NDArray[Any] | None:
    """Return a table that contains only numbers as an array, or None for any other table."""
    try:
        table = np.asarray(rows)
    except ValueError:  # rows of different lengths, or lists as cells
        return None
    return table if table.ndim == 2 and table.dtype.kind in "iufb" else None


def _cells(rows: Any) -> list[list[Any]]:
    """Return the cells of a table, as values of a table of labels."""
    found = rows.tolist() if isinstance(rows, np.ndarray) else list(rows)
    if not found or any(isinstance(row, str | dict) or not isinstance(row, Sequence) for row in found):
        hint = "Pass a list of rows, or a data frame"
        raise StudyError("expected a table with rows and columns", hint=hint)
    for number, row in enumerate(found, start=1):
        if len(row) != len(found[0]):
            what = f"row {number} has {count_of(len(row), 'cell')}, but row 1 has {len(found[0])}"
            raise StudyError(what, hint="Pass rows of equal length, with None for missing labels")
    return [[_cell(cell, not _is_missing(cell)) for cell in row] for row in found]


def _names(given: Iterable[Any] | None, start: str, wanted: int, what: str) -> list[str]:
    """Return the given names of *what*, or numbered ones."""
    if given is None:
        return [f"{start}{number}" for number in range(1, wanted + 1)]
    found = list(map(_name, given))
    if len(found) != wanted:
        raise StudyError(
            f"expected {wanted} names of {what}, got {len(found)}", hint="Pass one name for each"
        )
    twice = next((name for name, count in Counter(found).items() if count > 1), None)
    if twice is not None:
        raise StudyError(f"2 {what} have the name {twice!r}", hint="Use different names")
    return found


def _name(key: Any) -> str:
    """Return the name of a row or column; the levels of a MultiIndex are joined."""
    return "/".join(str(level) for level in key if level != "") if isinstance(key, tuple) else str(key)


def _frame_study(frame: Any, reading: Reading) -> Study[Any]:
    """Return the study in a data frame, read like a file with the index as its first column."""
    if frame.index.nlevels > 1 and all(name and is_known(str(name)) for name in frame.index.names):
        frame = frame.reset_index()  # such as document and item
    header = [str(frame.index.name or ""), *map(_name, frame.columns)]
    plain = reading == Reading(missing=reading.missing, numbers=reading.numbers)  # no option names a column
    if plain and frame.to_numpy().dtype.kind in "iufb" and not any(map(is_known, header[1:])):
        return table_study(frame.to_numpy(), coders=frame.columns, items=frame.index, reading=reading)
    known = frame.notna().to_numpy().T.tolist()
    index = frame.index.tolist()
    ids = list(map(_name, index)) if frame.index.nlevels > 1 else index
    columns = [ids, *(frame.iloc[:, place].tolist() for place in range(len(frame.columns)))]
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


def _is_missing(cell: Any) -> bool:
    return cell is None or type(cell).__name__ in MISSING_TYPES


def _number_study(
    table: NDArray[Any], names: Sequence[str], ids: Sequence[str], reading: Reading
) -> Study[Any]:
    """Return the study of numbers, without a Python object for each of them."""
    check_name(reading.numbers, NUMBERS, "value of --numbers")
    found, flat = np.unique(table, return_inverse=True)
    texts = [_written(value) for value in found.tolist()]
    sizes = np.bincount(flat.ravel(), minlength=len(texts)).tolist()
    counts = {text: size for text, size in zip(texts, sizes, strict=True) if text is not None}
    missing = {text: counts.pop(text) for text in missing_markers(reading.missing) & counts.keys()}
    values = in_order({Label(text) for text in counts})
    places: dict[str | None, int] = {value.text: place for place, value in enumerate(values)}
    order: IntArray = np.array([places.get(text, MISSING) for text in texts], dtype=np.int32)
    items = tuple(Item(name, DEFAULT_DOCUMENT, name) for name in ids)
    codes = order[flat.reshape(table.shape)]
    grid = Grid(items, tuple(names), codes, values, clusters=np.arange(len(items)))
    notes = tuple(missing_notes(missing, counts, reading.missing))
    return Study(items, tuple(names), grid, notes=notes, settings=settings_of(reading))


def _written(number: float) -> str | None:
    """Return a number as text, without a decimal point if it is whole; None for NaN."""
    if isinstance(number, float) and math.isnan(number):
        return None
    return str(int(number)) if isinstance(number, float) and number.is_integer() else str(number)
