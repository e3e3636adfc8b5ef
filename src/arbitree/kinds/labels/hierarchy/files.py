"""Read hierarchies of tags: indented text, JSON, tables of parents and children, or WordNet.

The format of a file is detected from its content.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source, shorten
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy, Inventory
from arbitree.kinds.labels.hierarchy.wn_package import PREFIX, WnLexicon
from arbitree.kinds.labels.hierarchy.wordnet_files import WordNet
from arbitree.paths import is_directory
from arbitree.reading.content import Content, load
from arbitree.reading.guard import guarded_reader
from arbitree.reading.json_text import decode_json

PARENT = ("parent", "hypernym", "broader")
CHILD = ("child", "hyponym", "narrower", "tag")


@guarded_reader
def read_hierarchy(path: str) -> Inventory:
    """Return the hierarchy in the file or directory at *path*, or with that name.

    Args:
        path: A file; a directory with a WordNet database; ``wn:LEXICON`` for a lexicon of the package wn; or
            ``flat`` for a hierarchy in which every tag is a leaf.
    Raises:
        FormatError: if it cannot be read or contains a cycle; the message shows the cycle.
    Example:
        >>> tags = read_hierarchy("examples/senses/weather.txt")
        >>> tags.over([]).roots
        ('event',)
    """
    if not path:
        raise FormatError("no hierarchy given", hint="Set it with hierarchy=FILE")
    if path == "flat":
        return Flat()
    lexicon = find_lexicon(path)
    if lexicon is not None:
        return lexicon
    content = load(path)
    found = _reader(content)(content)
    if not found.tags:
        raise FormatError("the hierarchy contains no tags", Source(path, 1), hint="Write one tag per line")
    return Hierarchy.of_links(found.links, found.tags, name=path)


def find_lexicon(path: str) -> WordNet | WnLexicon | None:
    """Return the WordNet database in a directory, or ``wn:LEXICON``; None for the path of a file."""
    if path.startswith(PREFIX):
        return WnLexicon.named(path.removeprefix(PREFIX))
    return _database(path) if is_directory(path) else None


@dataclass(frozen=True, slots=True)
class Flat:
    """No hierarchy: every tag of a study is a leaf."""

    name: ClassVar[str] = "flat"

    def over(self, tags: Any, *, whole: bool = False) -> Hierarchy:
        """Return a hierarchy in which all *tags* are leaves."""
        return Hierarchy.flat(sorted(tags))

    def nearest(self, tag: str) -> None:
        """Return None, because no tag is unknown."""

    def __str__(self) -> str:
        return self.name


@dataclass(slots=True)
class _Found:
    """The tags and links in a file, with the line of every link."""

    path: str
    links: dict[tuple[str, str], Source] = field(default_factory=dict)
    tags: dict[str, None] = field(default_factory=dict)

    def add(self, parent: str | None, child: str, line: int) -> None:
        """Add *child*, below *parent* if there is one; raise FormatError for a duplicate link."""
        source = Source(self.path, line)
        self.tags[child] = None
        if parent is None:
            return
        self.tags[parent] = None
        first = self.links.setdefault((parent, child), source)
        if first is not source:
            place = f", first in line {first.line}" if first.line else ""
            what = f"duplicate tag {shorten(child)} below {shorten(parent)}{place}"
            raise FormatError(what, source, hint="Remove one of them")


def _database(path: str) -> WordNet:
    for folder in (Path(path), Path(path, "dict")):
        if any(folder.glob("data.*")) and any(folder.glob("index.*")):
            return WordNet(str(folder))
    what = "the directory contains no WordNet database"
    raise FormatError(what, Source(path), hint="Pass a directory with files such as data.noun and index.noun")


def _reader(content: Content) -> Callable[[Content], _Found]:
    lines = [line for _, line in _lines(content)]
    first = lines[0] if lines else ""
    if first.lstrip()[:1] in ("{", "["):
        return _from_json
    if lines and all("\t" in line.strip() for line in lines):
        return _from_table
    names = {name.strip().strip('"').lower() for name in re.split("[,;\t]", first)}
    if content.path.removesuffix(".gz").endswith((".csv", ".tsv")) or (
        names & {*PARENT} and names & {*CHILD}
    ):
        return _from_table
    return _from_indents


def _lines(content: Content) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor comments, with their numbers."""
    for number, line in enumerate(content.lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _from_indents(content: Content) -> _Found:
    """Read one tag per line; the parent is the closest line above with less indentation."""
    found = _Found(content.path)
    above: list[tuple[int, str]] = []  # open tags with their indentation
    marks = ""
    for number, line in _lines(content):
        source = Source(content.path, number)
        tag = line.strip()
        blanks = line[: len(line) - len(line.lstrip())]
        marks = marks or blanks[:1]
        if blanks.strip(marks or " "):
            raise FormatError(
                "the indentation mixes tabs and spaces", source, hint="Use one of them in all lines"
            )
        indent = len(blanks)
        closed = [each for each, _ in above if each >= indent]
        above = [(each, name) for each, name in above if each < indent]
        if closed and indent not in closed:
            hint = "Use the indentation of one of the tags above it"
            raise FormatError(f"the indentation of {shorten(tag)} matches no line above", source, hint=hint)
        if not above and indent and not closed:
            raise FormatError("the first tag is indented", source, hint="Remove its indentation")
        found.add(above[-1][1] if above else None, tag, number)
        above.append((indent, tag))
    return found


def _from_table(content: Content) -> _Found:
    """Read rows of parent and child, or in the order of the header; a tag without a parent is a root."""
    found = _Found(content.path)
    lines = list(_lines(content))
    mark = next((each for each in "\t;," if all(each in line for _, line in lines)), ",")
    order, width = (0, 1), 2
    for row, (number, line) in enumerate(lines):
        source = Source(content.path, number)
        cells = [cell.strip() for cell in _cells(line, mark, source)]
        names = [cell.lower() for cell in cells]
        if row == 0 and {*names} & {*PARENT} and {*names} & {*CHILD}:
            order, width = (_first(names, PARENT), _first(names, CHILD)), len(cells)
            continue
        if len(cells) != width:
            hint = f"Write parent and child, separated by {'a tab' if mark == chr(9) else repr(mark)}"
            raise FormatError(f"expected {width} columns, found {len(cells)}", source, hint=hint)
        parent, child = (cells[k] for k in order)
        if not child:
            raise FormatError(
                "the child is empty", source, hint="Write parent and child; a root has no parent"
            )
        found.add(parent or None, child, number)
    return found


def _cells(line: str, mark: str, source: Source) -> list[str]:
    if mark == "\t":
        return line.split(mark)
    try:
        return next(csv.reader([line], delimiter=mark))
    except csv.Error as error:
        raise FormatError(f"cannot read the row ({error})", source, hint="Correct its quotes") from None


def _first(names: list[str], wanted: tuple[str, ...]) -> int:
    return next(place for place, name in enumerate(names) if name in wanted)


def _from_json(content: Content) -> _Found:
    """Read nested objects, objects of lists of children, or an object from children to their parents."""
    found = _Found(content.path)
    hint = "Correct the file, or use a table of parents and children instead"
    try:
        tree = decode_json(content.text, Source(content.path), hint=hint, hook=_unique)
    except _Repeated as error:
        what = f"duplicate key {shorten(str(error))} in one object"
        raise FormatError(what, Source(content.path), hint="Remove one of them") from None
    if isinstance(tree, dict) and any(isinstance(value, str) for value in tree.values()):
        _add_parents(tree, found)
    else:
        _add_children(tree, found)
    return found


class _Repeated(Exception):
    """An object contains a key twice."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Repeated(key)
        found[key] = value
    return found


def _add_children(tree: Any, found: _Found) -> None:
    waiting: list[tuple[str | None, Any]] = [(None, tree)]
    while waiting:
        parent, value = waiting.pop()
        entries = value.items() if isinstance(value, dict) else [(each, None) for each in value or ()]
        for tag, below in entries:
            if isinstance(tag, dict):
                waiting.append((parent, tag))
                continue
            if not isinstance(tag, str) or not (below is None or isinstance(below, dict | list)):
                raise _odd_json(tag if below is None else below, found.path)
            found.add(parent, tag, 0)
            waiting.append((tag, below))


def _add_parents(tree: dict[str, Any], found: _Found) -> None:
    for child, value in tree.items():
        parents = [value] if isinstance(value, str) else value or []
        if not isinstance(parents, list) or not all(isinstance(each, str) for each in parents):
            raise _odd_json(value, found.path)
        found.add(None, child, 0)
        for parent in parents:
            found.add(parent, child, 0)


def _odd_json(value: Any, path: str) -> FormatError:
    hint = "Write objects within objects, lists of children, or an object from children to parents"
    return FormatError(f"{shorten(json.dumps(value))} is not a tag", Source(path), hint=hint)
