"""Read regular tables of short cells column by column, with numpy; other tables are left to the usual reader.

A regular table has a header, the same number of cells in every row, and no quotation marks or empty lines.
Each distinct cell becomes text once, and a column consists of numbers of distinct cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arbitree.reading.content import Content
from arbitree.reading.tables import SEP_LINE, is_json, separator
from arbitree.study.coded import Cells, Coded, constant

LEAST = 1 << 16  # bytes; smaller tables are read fast enough
MOST = 1 << 31  # bytes; positions in larger tables need more memory
FEW = 1000  # distinct cells of a column that are decoded at once
DELETE = 127  # the last character of ASCII
LONGEST = 64  # bytes of a cell
BOM = b"\xef\xbb\xbf"
LINE_FEED = 10
SHORT = 16  # bits of cells of up to two characters, which need no hash
MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)  # of the first bytes
ODD = 0x9E3779B97F4A7C15  # its multiples are spread evenly

Words = NDArray[np.uint64]
Places = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class CodedTable:
    """The columns of a regular table with a header in its first line."""

    header: list[str]
    sign: str
    columns: list[Coded]

    def head(self, count: int) -> list[list[Any]]:
        """Return the first rows."""
        return [list(row) for row in zip(*(column[:count] for column in self.columns), strict=True)]


class CodedPlaces(Mapping[str, tuple[str | None, str | None]]):
    """The document and the cluster of each item of a regular table, in the order of the items."""

    def __init__(self, items: Sequence[str], documents: Coded | None, clusters: Coded | None) -> None:
        self.ids, self.documents, self.clusters = items, documents, clusters

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __getitem__(self, item: str) -> tuple[str | None, str | None]:
        return self._known[item]

    @cached_property
    def _known(self) -> dict[str, tuple[str | None, str | None]]:
        columns = [each or constant(None, len(self.ids)) for each in (self.documents, self.clusters)]
        return dict(zip(self.ids, zip(*columns, strict=True), strict=True))


def coded_table(content: Content, wanted: Callable[[list[str]], Container[int] | None]) -> CodedTable | None:
    """Return the columns of *content*, or None if it is not a regular table.

    Args:
        content: A table.
        wanted: Returns the columns that may have empty cells, from the header; None if the table is not
            wanted.
    """
    data = content.data.removeprefix(BOM)
    sign = separator(content.head)
    other = sign is None or is_json(content.head) or content.encoding.lower() not in ("utf-8", "utf8")
    if other or sign is None or not LEAST <= len(data) < MOST or b'"' in data or b"\0" in data:
        return None
    if b"\r" in data:
        if not data.count(b"\r") == data.count(b"\r\n") == data.count(b"\n"):
            return None
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    first, _, _ = data.partition(b"\n")
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    header = first.decode().split(sign)
    optional = None if SEP_LINE.fullmatch(first.decode()) else wanted(header)
    ends = None if optional is None else _ends(data, ord(sign), len(header))
    if optional is None or ends is None or len(ends) < 2:
        return None
    columns = []
    for place in range(len(header)):
        before = ends[1:, place - 1] if place else ends[:-1, -1]
        column = _coded(data, before + 1, np.ascontiguousarray(ends[1:, place]), place in optional)
        if column is None:
            return None
        columns.append(column)
    return CodedTable(header, sign, columns)


def _ends(data: bytes, sign: int, width: int) -> Places | None:
    """Return the ends of the cells: (rows, width); None if a row has another number of cells."""
    signs = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero((signs == sign) | (signs == LINE_FEED)).astype(np.int32)
    if len(ends) % width:
        return None
    table = ends.reshape(-1, width)
    lines = signs[table] == LINE_FEED
    regular = lines[:, -1].all() and not lines[:, :-1].any()
    return table if regular else None


def _coded(data: bytes, starts: Places, ends: Places, optional: bool) -> Coded | None:
    """Return a column; None if a cell is long or has spaces around it, or is empty and not *optional*."""
    lengths = ends - starts
    if lengths.min() < (not optional) or lengths.max() > LONGEST:
        return None
    first, codes = numbered(_words(data, starts, lengths))
    starts, ends = starts[first], ends[first]
    filled = ends > starts
    edges = np.frombuffer(data, dtype=np.uint8)[np.concatenate([starts[filled], ends[filled] - 1])]
    cells = Cells(data, starts, ends)
    spaced = bool((edges <= ord(" ")).any())
    if not spaced and edges.max(initial=0) > DELETE:  # it may be a space that is not ASCII
        spaced = any(cell != cell.strip() for cell in cells)
    return None if spaced else Coded(cells if len(cells) > FEW else list(cells), codes, data.isascii())


def _words(data: bytes, starts: Places, lengths: Places) -> list[Words]:
    """Return the bytes of cells as numbers of eight bytes each, with zeros after the end of a cell."""
    padded = np.frombuffer(data + bytes(16 - len(data) % 8), dtype="<u8")
    found = []
    for begin in range(0, max(1, int(lengths.max())), 8):
        start = np.minimum(starts + begin, len(data))
        place, shift = start >> 3, ((start & 7) << 3).astype(np.uint64)
        low = padded[place] >> shift
        high = (padded[place + 1] << np.uint64(1)) << (np.uint64(63) - shift)
        rest = np.minimum(np.maximum(lengths - begin, 0), 8)
        found.append((low | high) & MASKS[rest])
    return found


def numbered(words: Sequence[Words]) -> tuple[Places, Places]:
    """Return the first row of each distinct row, and for every row the number of its distinct row.

    Each round enters rows in a table by a hash of their words. Rows that are equal to the first row in their
    place are done; the others go to the next round, with another hash.

    Args:
        words: The columns of numbers that must be equal.
    Example:
        >>> [part.tolist() for part in numbered([np.array([7, 9, 7, 8], dtype=np.uint64)])]
        [[0, 1, 3], [0, 1, 0, 2]]
    """
    size = len(words[0])
    bits = max(SHORT, int(size).bit_length() + 1)
    firsts = np.empty(size, dtype=np.int32)
    rows = np.arange(size, dtype=np.int32)
    if len(words) == 1 and words[0].max(initial=0) < 1 << bits:  # the numbers are places in the table
        firsts, rows = _first_rows(words[0].astype(np.int64), rows, bits), rows[:0]
    factor = ODD
    while len(rows):
        mixed = np.zeros(len(rows), dtype=np.uint64)
        for word in words:
            mixed = (mixed ^ word[rows]) * np.uint64(factor)
            mixed ^= mixed >> np.uint64(29)
        places = ((mixed * np.uint64(ODD)) >> np.uint64(64 - bits)).astype(np.int64)
        found = _first_rows(places, rows, bits)
        same = np.ones(len(rows), dtype=np.bool_)
        for word in words:
            same &= word[found] == word[rows]
        firsts[rows[same]] = found[same]
        rows = rows[~same]
        factor = (factor * ODD + 2) % (1 << 64) | 1
    own = firsts == np.arange(size, dtype=np.int32)
    return np.flatnonzero(own).astype(np.int32), (np.cumsum(own, dtype=np.int32) - np.int32(1))[firsts]


def _first_rows(places: NDArray[np.int64], rows: Places, bits: int) -> Places:
    """Return for each row the first one with the same place in a table."""
    table = np.empty(1 << bits, dtype=np.int32)
    table[places[::-1]] = rows[::-1]  # the first row of each place is written last
    return table[places]


def distinct_of(column: Sequence[Any]) -> Iterable[Any]:
    """Return the distinct cells of a column, in the order of their first rows."""
    return column.distinct if isinstance(column, Coded) else dict.fromkeys(column)


def other_than_ascii(column: Sequence[Any]) -> Iterable[Any]:
    """Return the distinct cells of a column; none if all of them are known to be ASCII."""
    return () if isinstance(column, Coded) and column.ascii else distinct_of(column)


def first_places(column: Sequence[str]) -> Iterable[int]:
    """Return the rows of a column that may be the first ones of their cells, in order."""
    if not isinstance(column, Coded):
        return range(len(column))
    return map(int, numbered([column.codes.astype(np.uint64)])[0])


def counts_of(column: Sequence[Any]) -> dict[str, int]:
    """Return how often each text occurs in a column."""
    if isinstance(column, Coded):
        counts = np.bincount(column.codes, minlength=len(column.distinct)).tolist()
        return dict(zip(column.distinct, counts, strict=True))
    return Counter(cell for cell in column if isinstance(cell, str))


def numbers_of(column: Sequence[Any], number: Callable[[Any], int]) -> NDArray[np.int32]:
    """Return the *number* of each cell of a column."""
    if isinstance(column, Coded):
        found: NDArray[np.int32] = np.array(list(map(number, column.distinct)), dtype=np.int32)[column.codes]
        return found
    return np.array([number(cell) for cell in column], dtype=np.int32)


def renumbered(column: Coded) -> Coded:
    """Return a column with numbers for the texts that occur in it only, in the order of their first rows."""
    first, codes = numbered([column.codes.astype(np.uint64)])
    kept = column.codes[first].tolist()
    return Coded([column.distinct[code] for code in kept], codes, column.ascii)
