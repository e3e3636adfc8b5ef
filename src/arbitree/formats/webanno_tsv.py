"""Read WebAnno TSV 3, which INCEpTION and WebAnno export."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.uima.cas import CHAIN, RELATION, SPAN, Cas, Mark, Place, Sentence, shifted
from arbitree.formats.uima.layered import CasFormat
from arbitree.reading.content import Content

_FORMAT = re.compile(r"#\s*FORMAT\s*=\s*WebAnno TSV\s*(\S*)")
_HEADER = re.compile(r"#T_(SP|RL|CH)=(.*)")
_ROW = re.compile(r"(\d{1,9})-(\d{1,9})(?:\.(\d{1,9}))?")
_OFFSETS = re.compile(r"(\d{1,9})-(\d{1,9})")
_PART = re.compile(r"(?:[^\\|]|\\.)*", re.DOTALL)  # up to a vertical bar that is not escaped
_NUMBERED = re.compile(r"((?:[^\\]|\\.)*?)\[(\d+)\]", re.DOTALL)  # a value, and the number of its annotation
_GOVERNOR = re.compile(r"(\d+-\d+(?:\.\d+)?)(?:\[(\d+)_(\d+)\])?")
_LINK = re.compile(r"->\d+-\d+$")  # the number of a chain, and of a link in it
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SIGNS = {"t": "\t", "n": "\n", "r": "\r"}
_SHAPES = {"SP": SPAN, "RL": RELATION, "CH": CHAIN}
NONE, VALUELESS = "_", "*"  # no annotation; an annotation without a value
_OTHER_TSV = "Export again with WebAnno TSV v3.3"


@dataclass(frozen=True, slots=True)
class _Header:
    """A layer that the head of the file declares, and its columns."""

    name: str
    shape: str
    features: tuple[str, ...]  # one per column; "" for a column without values
    base: str = ""  # of a relation: the layer that it connects


@dataclass(slots=True)
class _Row:
    """A token or a part of one, with the places in UTF-16 units."""

    key: str
    begin: int
    end: int
    form: str
    cells: list[str]
    line: int


@dataclass(slots=True)
class _Block:
    """The lines of one sentence."""

    texts: list[str] = field(default_factory=list)
    id: str | None = None
    rows: list[_Row] = field(default_factory=list)
    line: int = 0


class WebAnnoTsv(CasFormat):
    """A row per token, and columns for the features of each layer; offsets are in UTF-16 units.

    Rows of parts of tokens, values in several rows (``[1]``), several values in a cell and escapes are read.
    """

    about: ClassVar[str] = "WebAnno TSV 3.0 to 3.3, as exported by INCEpTION and WebAnno (.tsv)"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)

    def sniff(self, content: Content) -> float:
        """Return 1 if the first line names the format."""
        return float(bool(_FORMAT.match(content.head)))

    def ending(self, content: Content) -> str:
        """Return a line feed, because the last cell of a row has no other end."""
        return "\n"

    def parse(self, content: Content) -> Cas:
        """Return the document."""
        headers, blocks = _read(content)
        return _cas(headers, blocks, content.path)


def _read(content: Content) -> tuple[list[_Header], list[_Block]]:
    """Return the layers and the sentences of a file."""
    headers: list[_Header] = []
    blocks: list[_Block] = []
    block = _Block()
    version = _FORMAT.match(content.text)
    if version is None or not version[1].startswith("3"):
        found = f"version {version[1]!r}" if version else "no line #FORMAT"
        what = f"expected WebAnno TSV 3, found {found}"
        raise FormatError(what, Source(content.path, 1), hint=_OTHER_TSV)
    for number, line in enumerate(content.lines, start=1):
        source = Source(content.path, number)
        if not line.strip():
            if block.rows:
                blocks.append(block)
                block = _Block()
        elif line.startswith("#") and not block.rows:
            _comment(line, block, headers)
        else:
            block.line = block.line or number
            block.rows.append(_row(line, sum(len(each.features) for each in headers), source))
    return headers, [*blocks, *([block] if block.rows else ())]


def _comment(line: str, block: _Block, headers: list[_Header]) -> None:
    if line.startswith("#Text="):
        block.texts.append(line.removeprefix("#Text="))
    elif line.startswith("#Sentence.id="):
        block.id = line.removeprefix("#Sentence.id=").strip() or None
    elif header := _HEADER.fullmatch(line):
        headers.append(_header(_SHAPES[header[1]], header[2].split("|")))


def _header(shape: str, parts: list[str]) -> _Header:
    """Return a layer; the two columns of a link to other annotations have no values."""
    name, columns = parts[0], parts[1:] or [""]
    base = columns[-1].removeprefix("BT_") if shape == RELATION else ""
    links = {place for place, each in enumerate(columns) if each.startswith("ROLE_")}
    links |= {place + 1 for place in links}
    last = len(columns) - 1
    features = (
        "" if place in links or (shape == RELATION and place == last) else each
        for place, each in enumerate(columns)
    )
    return _Header(name, shape, tuple(features), base)


def _row(line: str, columns: int, source: Source) -> _Row:
    cells = line.split("\t")
    key = _ROW.fullmatch(cells[0])
    offsets = _OFFSETS.fullmatch(cells[1]) if len(cells) > 1 else None
    if key is None or offsets is None:
        what = f"expected SENTENCE-TOKEN and BEGIN-END, found {shorten(line)}"
        raise FormatError(what, source, hint="Export the document again")
    values = cells[3:]
    if values and not values[-1]:  # rows end with a tab, except in older versions
        values.pop()
    if len(cells) < 3 or len(values) != columns:
        what = f"expected {columns} columns of layers, found {len(values)}"
        raise FormatError(what, source, hint="The lines #T_SP, #T_RL and #T_CH declare the columns")
    begin, end = int(offsets[1]), int(offsets[2])
    if end < begin:
        raise FormatError(f"the token ends before it begins ({cells[1]})", source, hint=_OTHER_TSV)
    return _Row(cells[0], begin, end, cells[2], values, source.line)


def _cas(headers: list[_Header], blocks: list[_Block], path: str) -> Cas:
    """Return the document with offsets in code points."""
    starts = [(block, *_start(block, path)) for block in blocks]
    wide: list[int] = []  # places in code points of characters with two units
    offset = 0  # of the text before, in code points
    unit = 0  # the same in units
    pieces: list[str] = []
    for block, text, start in starts:
        if start < unit:
            what = "the sentence begins before the one before it ends"
            raise FormatError(what, Source(path, block.line), hint=_OTHER_TSV)
        pieces += ["\n" * (start - unit), text]
        offset += start - unit
        wide += [offset + place for place, sign in enumerate(text) if sign > "\uffff"]
        offset += len(text)
        unit = start + _units(text)
    point = shifted(wide)
    cas = Cas("".join(pieces))
    for block, text, start in starts:
        begin = point(start)
        cas.sentences.append(Sentence(begin, begin + len(text), block.line, block.id))
        cas.tokens += [(point(row.begin), point(row.end)) for row in block.rows if "." not in row.key]
    rows = [row for block in blocks for row in block.rows]
    _Marks(cas, point, {row.key: row for row in rows}, path).add(headers, rows)
    return cas


def _start(block: _Block, path: str) -> tuple[str, int]:
    """Return the text of a sentence, and where it begins; check the offsets of its tokens."""
    raw = "\n".join(block.texts)
    tokens = [row for row in block.rows if "." not in row.key]
    first = tokens[0] if tokens else block.rows[0]
    for text in (_unescaped(raw), raw):  # older versions do not escape
        data = text.encode("utf-16-le")
        start = first.begin - _units(text[: max(text.find(first.form), 0)])
        wrong = [row for row in tokens if _slice(data, row, start) != row.form]
        if not wrong:
            return text, start
    there = _slice(data, wrong[0], start)
    shown = "the text ends before" if there is None else f"the text contains {shorten(there)} there"
    what = f"token {shorten(wrong[0].form)} has the offsets {wrong[0].begin}-{wrong[0].end}, but {shown}"
    raise FormatError(what, Source(path, wrong[0].line), hint="Offsets count UTF-16 units; export again")


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _slice(data: bytes, row: _Row, start: int) -> str | None:
    """Return the part of a text that a row marks; None if it is not in the text."""
    begin, end = 2 * (row.begin - start), 2 * (row.end - start)
    if begin < 0 or end > len(data):
        return None
    form = data[begin:end].decode("utf-16-le", errors="replace")
    return row.form if form == _unescaped(row.form) else form


@dataclass(slots=True)
class _Marks:
    """Fills the layers of a document from the cells of all rows."""

    cas: Cas
    point: Callable[[int], int]
    rows: dict[str, _Row]
    path: str
    numbered: dict[tuple[str, str], list[tuple[_Row, dict[str, str]]]] = field(default_factory=dict)

    def add(self, headers: list[_Header], rows: list[_Row]) -> None:
        """Add the annotations of all layers; relations last, because they refer to others."""
        places: list[tuple[_Header, int]] = []
        column = 0
        for header in headers:
            places.append((header, column))
            column += len(header.features)
        for header, place in sorted(places, key=lambda each: each[0].shape == RELATION):
            layer = self.cas.layer(header.name, header.shape)
            for row in rows:
                cells = row.cells[place : place + len(header.features)]
                if any(cell != NONE for cell in cells):
                    layer.marks += self._of_row(header, row, cells)
            layer.marks += self._of_several_rows(header.name)
            if not layer.marks:
                del self.cas.layers[header.name]

    def _of_row(self, header: _Header, row: _Row, cells: list[str]) -> Iterator[Mark]:
        """Yield the annotations of one row, except those that several rows can share."""
        columns = [_parts(cell) for cell in cells]
        for place in range(max(map(len, columns))):
            number = None
            values: dict[str, str] = {}
            given = False
            for feature, parts in zip(header.features, columns, strict=True):
                raw = parts[place] if place < len(parts) else NONE
                value, own = _numbered(raw)
                number = own or number
                given = given or raw != NONE
                if feature and value not in (NONE, VALUELESS):
                    values[feature] = _unescaped(value)
            if not given:
                continue
            if header.shape == RELATION:
                yield from self._relation(header, row, columns[-1][place : place + 1], values)
            elif header.shape == CHAIN:
                link = _LINK.search(columns[0][place] if place < len(columns[0]) else "")
                self.numbered.setdefault((header.name, link[0] if link else row.key), []).append((row, {}))
            elif number is not None:
                self.numbered.setdefault((header.name, number), []).append((row, values))
            else:
                yield Mark(*self._place(row), values, row.line)

    def _of_several_rows(self, name: str) -> Iterator[Mark]:
        """Yield the annotations with a number, which may cover several rows."""
        for (layer, _), parts in self.numbered.items():
            if layer == name:
                yield Mark(*self._extent(parts), parts[0][1], parts[0][0].line)

    def _extent(self, parts: list[tuple[_Row, dict[str, str]]]) -> Place:
        places = [self._place(row) for row, _ in parts]
        return min(begin for begin, _ in places), max(end for _, end in places)

    def _relation(
        self, header: _Header, row: _Row, target: list[str], values: dict[str, str]
    ) -> Iterator[Mark]:
        """Yield a relation; its ends are tokens, or annotations with a number."""
        for raw in target:
            found = _GOVERNOR.fullmatch(raw)
            if found is None or found[1] not in self.rows:
                what = f"the relation refers to {shorten(raw)}, which is not in the file"
                raise FormatError(what, Source(self.path, row.line), hint="Export the document again")
            governor = self._end(header, self.rows[found[1]], found[2])
            dependent = self._end(header, row, found[3])
            yield Mark(*dependent, values, row.line, governor)

    def _end(self, header: _Header, row: _Row, number: str | None) -> Place:
        parts = self.numbered.get((header.base, number or ""))
        return self._extent(parts) if parts else self._place(row)

    def _place(self, row: _Row) -> Place:
        return self.point(row.begin), self.point(row.end)


def _parts(cell: str) -> list[str]:
    """Return the values in a cell, which are separated by vertical bars."""
    if "\\" not in cell:
        return cell.split("|")
    found, place = [], 0
    while place <= len(cell):
        part = _PART.match(cell, place)
        text = part[0] if part else ""
        found.append(text)
        place += len(text) + 1
    return found


def _numbered(part: str) -> tuple[str, str | None]:
    """Return a value and the number in brackets after it, if any."""
    found = _NUMBERED.fullmatch(part) if part.endswith("]") else None
    return (found[1], found[2]) if found and found[2] != "0" else (part, None)


def _unescaped(text: str) -> str:
    r"""Return *text* without escapes.

    Example:
        >>> _unescaped(r"a\|b\_c\\d")
        'a|b_c\\d'
    """
    return _ESCAPE.sub(lambda found: _SIGNS.get(found[1], found[1]), text) if "\\" in text else text


PLUGINS = {"webanno_tsv": WebAnnoTsv()}
