"""Read the tables of an [incr tsdb()] profile: a directory with a schema and one text file per table."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from arbitree.errors import FormatError, Source, shorten
from arbitree.files import note_input, write_whole
from arbitree.kinds.treebanking.value import Reading
from arbitree.numbers import whole_number
from arbitree.reading.content import decoded
from arbitree.reading.guard import guarded, reason_of
from arbitree.reading.inputs import SCHEMA
from arbitree.reading.limits import PIECE, USUAL_LIMIT, Limit, expanded

ESCAPES = {"s": "@", "n": "\n", "\\": "\\"}
NULL = -1  # stands for a missing number
_PLACE = "([0-9]{1,9})"
_TOKEN = re.compile(
    rf"\([0-9]+, {_PLACE}, {_PLACE}, <{_PLACE}:{_PLACE}>"
)  # (3, 2, 3, <11:17>, 1, "became"...
_ESCAPE = re.compile(r"\\(.|$)", re.DOTALL)


@dataclass(slots=True)
class Skips:
    """Number of skipped rows of one table by reason, with the first line of each."""

    path: str
    counts: dict[str, list[int]] = field(default_factory=dict)  # by reason: count, first line

    def add(self, why: str, line: int) -> None:
        """Count a skipped row."""
        self.counts.setdefault(why, [0, line])[0] += 1

    def notes(self) -> list[str]:
        """Return one line for each reason.

        Example:
            >>> skips = Skips("gold/decision")
            >>> skips.add("7 fields instead of 9", 12)
            >>> skips.notes()
            ['gold/decision:12: skipped 1 row: 7 fields instead of 9']
        """
        found = []
        for why, (count, line) in self.counts.items():
            rows = "skipped 1 row" if count == 1 else f"skipped {count:,} rows, beginning with this one"
            found.append(f"{Source(self.path, line)}: {rows}: {why}")
        return found


class Profile:
    """A profile on disk.

    Args:
        folder: Path of the directory.
        encoding: Text encoding of its tables.
        limit: Largest size of its compressed tables.
    """

    def __init__(self, folder: str, encoding: str = "utf-8", limit: Limit = USUAL_LIMIT) -> None:
        self.folder = folder
        self.encoding = encoding
        self.limit = limit
        self.schema = _schema(folder)
        for each in (SCHEMA, *self.schema):
            note_input(Path(folder, each))
            note_input(Path(folder, f"{each}.gz"))

    def path(self, table: str) -> Path | None:
        """Return the file of *table*; a gzip-compressed file only if the plain file is missing or older."""
        from delphin import tsdb

        try:
            found = Path(tsdb.get_path(self.folder, table))
            return found if found.is_file() else None  # a pipe may never end
        except (tsdb.TSDBError, OSError, ValueError):  # the schema may contain names that no file can have
            return None

    def has(self, table: str) -> bool:
        """Return whether *table* exists and is not empty."""
        found = self.path(table)
        return found is not None and found.stat().st_size > 0

    def need(self, table: str, columns: Sequence[str]) -> None:
        """Raise FormatError unless *table* has a file and, in the schema, these *columns*."""
        if self.path(table) is None:
            hint = "Copy all files of the profile; if the table has no rows, create an empty file"
            raise FormatError(f"the profile has no table {table!r}", Source(self.folder), hint=hint)
        self.places(table, columns)

    def places(self, table: str, columns: Sequence[str]) -> list[int]:
        """Return the positions of *columns* in the rows of *table*; raise FormatError unless it has them."""
        fields = self.schema.get(table, [])
        for column in columns:
            if column not in fields:
                what = f"the schema has no field {column!r} in table {table!r}"
                hint = "Pass an [incr tsdb()] profile"
                raise FormatError(what, Source(str(Path(self.folder, SCHEMA))), hint=hint)
        return [fields.index(column) for column in columns]

    def rows(
        self, table: str, numbers: Sequence[str], texts: Sequence[str], skips: Skips
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the line number, the fields *numbers* as integers and the fields *texts* per valid row."""
        wanted, others = self.places(table, numbers), self.places(table, texts)
        width = len(self.schema.get(table, []))
        for place, line in self.lines(table):
            columns = line.split("@")
            if len(columns) != width:
                skips.add(f"{len(columns)} fields instead of {width}", place)
                continue
            try:
                found: list[Any] = [_number(columns[k]) if columns[k] else NULL for k in wanted]
                found += [unescape(columns[k]) if "\\" in columns[k] else columns[k] for k in others]
            except ValueError as error:
                skips.add(str(error), place)
                continue
            yield (place, *found)

    def lines(self, table: str) -> Iterator[tuple[int, str]]:
        """Yield the non-empty lines of *table*, with their numbers."""
        path = self.path(table)
        if path is None:
            return
        try:
            with self._opened(path) as stream:
                for place, line in enumerate(stream, start=1):
                    text = decoded(line.rstrip(b"\r\n"), self.encoding, str(path), place)
                    if place == 1:
                        text = text.removeprefix("\ufeff")
                    if text:
                        yield place, text
        except OSError as error:
            hint = "Copy the file again, and check its permissions"
            raise FormatError(f"cannot read this table ({error})", Source(str(path)), hint=hint) from None

    @contextmanager
    def _opened(self, path: Path) -> Iterator[BinaryIO]:
        """Open a table, decompressed up to the limit."""
        with path.open("rb") as stream:
            if path.suffix != ".gz":
                yield stream
                return
            with expanded(stream, path.stat().st_size, str(path), self.limit) as data:
                yield data

    def cut_notes(self) -> Iterator[str]:
        """Yield a warning about every table that ends in the middle of a line, whether it is used or not."""
        for table in self.schema:
            path = self.path(table)
            if path is None:
                continue
            try:
                last = self._last_byte(path)
            except (OSError, FormatError) as error:
                why = error.what if isinstance(error, FormatError) else error
                yield f"{path}: the table cannot be read to its end ({why})"
            else:
                if last not in (b"", b"\n"):
                    yield f"{path}: the last line does not end with a line break, so the table may be cut off"

    def _last_byte(self, path: Path) -> bytes:
        """Return the last byte of a table; empty if it has none, or only a byte order mark."""
        last, size = b"", len(BOM_UTF8) + 1
        with self._opened(path) as stream:
            if path.suffix != ".gz":
                stream.seek(max(stream.seek(0, 2) - size, 0))
            while block := stream.read(PIECE):
                last = (last + block)[-size:]
        return last[-1:] if last != BOM_UTF8 else b""


def _number(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise ValueError(f"not a number: {shorten(text)}")
    return number


def unescape(text: str) -> str:
    r"""Return *text* with its escapes resolved; raise ValueError for an unknown escape.

    Example:
        >>> unescape(r"n_sg_ilr\sn_-_c_le"), unescape(r"a\\s")
        ('n_sg_ilr@n_-_c_le', 'a\\s')
    """
    try:
        return _ESCAPE.sub(lambda found: ESCAPES[found[1]], text)
    except KeyError as error:
        raise ValueError(f"unknown escape \\{error.args[0]}") from None


def fields_of(folder: str) -> Mapping[str, Sequence[Any]]:
    """Return the fields of every table as PyDelphin describes them; it refuses a byte order mark itself."""
    from delphin import tsdb

    path = Path(folder, SCHEMA)
    data = path.read_bytes() if path.is_file() else b""
    found: Mapping[str, Sequence[Any]]
    if not data.startswith(BOM_UTF8):
        found = tsdb.read_schema(folder)
        return found
    with TemporaryDirectory() as place:
        copy = Path(place, SCHEMA)
        write_whole(copy, data.removeprefix(BOM_UTF8))
        found = tsdb.read_schema(copy)
    return found


def _schema(folder: str) -> dict[str, list[str]]:
    """Return the names of the fields of every table, in order."""
    source = Source(str(Path(folder, SCHEMA)))
    hint = "Copy the file 'relations' from the profile again"
    try:
        found = fields_of(folder)
    except UnicodeDecodeError:
        raise FormatError("the schema is not UTF-8", source, hint=hint) from None
    except Exception as error:  # PyDelphin's exceptions are of many types
        raise FormatError(f"cannot read the schema ({reason_of(error)})", source, hint=hint) from error
    if not found:
        raise FormatError("the schema contains no tables", source, hint=hint)
    return {table: [each.name for each in fields] for table, fields in found.items()}


class Results:
    """The table ``result`` of a profile, which contains its parses."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.wanted: set[tuple[int, int]] = set()
        self.notes: list[str] = []  # warnings about unreadable rows

    @cached_property
    def counts(self) -> Counter[int]:
        """The number of stored parses of each sentence."""
        found: Counter[int] = Counter()
        if self._there:
            with guarded(self.profile.folder):
                (place,) = self.profile.places("result", ["parse-id"])
                for _, line in self.profile.lines("result"):
                    parse = line.split("@", place + 1)[place : place + 1]
                    number = whole_number("".join(parse))
                    found[NULL if number is None else number] += 1
        return found

    @cached_property
    def preferred(self) -> dict[int, list[Reading]]:
        """The preferred parses; the others are skipped while the table is read."""
        with guarded(self.profile.folder):
            return self._read(self.wanted)

    @cached_property
    def every(self) -> dict[int, list[Reading]]:
        """All stored parses."""
        with guarded(self.profile.folder):
            return self._read(None)

    @cached_property
    def tokens(self) -> dict[int, str]:
        """The tokens that the parser had for each sentence, as they are written in the table ``parse``."""
        fields = self.profile.schema["parse"]
        column = next((name for name in ("p-tokens", "p-input") if name in fields), None)
        if column is None:
            return {}
        with guarded(self.profile.folder):
            rows = self.profile.rows("parse", ["parse-id"], [column], Skips(""))
            return {parse: text for _, parse, text in rows}

    @property
    def _there(self) -> bool:
        return "result" in self.profile.schema and self.profile.has("result")

    def _read(self, wanted: set[tuple[int, int]] | None) -> dict[int, list[Reading]]:
        found: dict[int, list[Reading]] = {}
        if not self._there:
            return found
        texts = [name for name in ("derivation", "mrs") if name in self.profile.schema["result"]]
        skips = Skips(str(self.profile.path("result")))
        for _, parse, number, *rest in self.profile.rows("result", ["parse-id", "result-id"], texts, skips):
            if wanted is None or (parse, number) in wanted:
                texts_by_name = dict(zip(texts, rest, strict=True))
                reading = Reading(number, texts_by_name.get("derivation", ""), texts_by_name.get("mrs", ""))
                found.setdefault(parse, []).append(reading)
        self.notes[:] = skips.notes()
        return found


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored parses of one sentence."""

    results: Results
    parse: int
    ids: tuple[int, ...]

    def __post_init__(self) -> None:
        self.results.wanted.update((self.parse, number) for number in self.ids)

    def count(self) -> int:
        """Return the number of stored parses."""
        return self.results.counts[self.parse]

    def chosen(self) -> list[Reading]:
        """Return the preferred parses."""
        return self.results.preferred.get(self.parse, [])

    def every(self) -> list[Reading]:
        """Return all stored parses."""
        return self.results.every.get(self.parse, [])

    def tokens(self) -> list[tuple[int, int, int, int]]:
        """Return the tokens that the parser had: start and end as in derivations, and in characters."""
        found = _TOKEN.findall(self.results.tokens.get(self.parse, ""))
        return [(int(start), int(end), int(first), int(last)) for start, end, first, last in found]

    def notes(self) -> list[str]:
        """Return the warnings about the table, once it has been read."""
        return self.results.notes
