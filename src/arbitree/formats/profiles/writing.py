"""Write [incr tsdb()] profiles whose sentences come from other profiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arbitree.errors import FormatError, Source
from arbitree.files import make_directory, write_whole
from arbitree.formats.profiles.tables import Profile, fields_of
from arbitree.numbers import whole_number

KEY = "parse-id"  # of the tables about a parsed sentence
HINT = "Choose another path with --export"
Row = Mapping[str, str]  # by field


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A parsed sentence: rows to copy from a profile, and rows that are new."""

    parse: int  # its id in the new profile
    source: Profile
    source_parse: int  # its id there
    copied: Sequence[str]  # tables whose rows are copied
    rows: Mapping[str, Sequence[Row]] = field(default_factory=dict)  # by table


def check_empty(folder: str | Path) -> None:
    """Raise FormatError if a profile cannot be written to *folder*, because it contains files."""
    path = Path(folder)
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        what = "expected a new or empty directory for the profile"
        raise FormatError(what, Source(str(folder)), hint=HINT)


def write_profile(folder: str | Path, base: Profile, sentences: Sequence[WrittenSentence]) -> None:
    """Write a profile with the schema and the items of *base*.

    Tables about parses contain the rows of *sentences* only; all other tables are copied from *base*.
    """
    fields = fields_of(base.folder)
    target = make_directory(folder, hint=HINT)
    _copy(Path(base.folder, "relations"), target)
    for table, names in base.schema.items():
        path = base.path(table)
        if KEY in names:
            lines = "".join(_lines(table, [(each.name, each.default) for each in fields[table]], sentences))
            write_whole(target / table, _encoded(lines, base.encoding, target / table), hint=HINT)
        elif path is not None:
            _copy(path, target)
        else:
            write_whole(target / table, b"", hint=HINT)


def _copy(path: Path, target: Path) -> None:
    try:
        content = path.read_bytes()
    except OSError as error:
        what = f"cannot copy the table ({error.strerror})"
        raise FormatError(what, Source(str(path)), hint="Check its permissions") from None
    write_whole(target / path.name, content, hint=HINT)


def _encoded(text: str, encoding: str, path: Path) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        what = f"{text[error.start]!r} cannot be written in {encoding}, the encoding of the profile"
        raise FormatError(
            what, Source(str(path)), hint="Remove it from the comments in the workbook"
        ) from None


def _lines(
    table: str, fields: Sequence[tuple[str, str]], sentences: Iterable[WrittenSentence]
) -> Iterator[str]:
    from delphin import tsdb

    known: dict[str, dict[int, list[Row]]] = {}
    for each in sentences:
        rows: list[Row] = []
        if table in each.copied:
            if each.source.folder not in known:
                known[each.source.folder] = _by_parse(each.source, table)
            rows += known[each.source.folder].get(each.source_parse, [])
        new = [{name: tsdb.escape(text) for name, text in row.items()} for row in each.rows.get(table, ())]
        for row in (*rows, *new):
            found = {**row, KEY: str(each.parse)}
            yield "@".join(found.get(name, default) for name, default in fields) + "\n"


def _by_parse(profile: Profile, table: str) -> dict[int, list[Row]]:
    """Return the rows of *table* as they are written, by the id of their parse; broken rows are left out."""
    names = profile.schema.get(table, [])
    found: dict[int, list[Row]] = {}
    for _, line in profile.lines(table) if KEY in names else ():
        columns = line.split("@")
        parse = columns[names.index(KEY)] if len(columns) == len(names) else ""
        number = whole_number(parse)
        if number is not None:
            found.setdefault(number, []).append(dict(zip(names, columns, strict=True)))
    return found
