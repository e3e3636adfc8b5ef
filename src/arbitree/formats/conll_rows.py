"""Read and write blocks of rows with ten columns, for CoNLL-U and CoNLL-X."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, NamedTuple

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.format import Format
from arbitree.kernels import COMPILED
from arbitree.kinds.dependency.value import DepTree, with_cycles
from arbitree.reading.content import Content, Entry


class ConllFormat(Format[DepTree]):
    """Base class of the CoNLL formats."""

    value_type: ClassVar[type[Any]] = DepTree
    holds_gaps: ClassVar[bool] = True

    def ending(self, content: Content) -> str:
        """Return two line feeds, because an empty line follows each sentence."""
        return "\n\n"

    def defects(self, values: Sequence[DepTree]) -> list[tuple[int, str]]:
        """Return the index of every tree with a cycle, with a description of the cycle."""
        return [(place, defect) for place in with_cycles(values) for defect in values[place].defects()]


@dataclass(slots=True)
class Block:
    """The lines of one sentence: comments, rows, and the line number of the first row.

    If the rows are numbered from 1 and have ten columns and numbers as heads, the columns may be known, and
    there are no rows.
    """

    comments: list[str] = field(default_factory=list)
    rows: Sequence[str] = ()
    columns: Columns | None = None
    first: int = 0  # the line number of the first row; rows follow one another
    last: int = 0  # the line number of the last comment before the rows
    id: str | None = None  # of the sentence, from the first comment that contains one

    def source(self, path: str, row: int = 0) -> Source:
        """Return the source of a row, counted from 0; for an empty sentence, that of its last comment."""
        return Source(path, self.first + row if self.first else self.last)


class Columns(NamedTuple):
    """The columns of a sentence whose rows have the usual form, without the ids."""

    tokens: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    others: tuple[tuple[str, ...], ...]  # from the third column on

    def tree(self, names: tuple[str, ...], comments: Iterable[str]) -> DepTree:
        """Return the tree; *names* are those of the other columns."""
        columns = dict(zip(names, self.others, strict=True))
        return DepTree(self.tokens, self.heads, self.relations, columns=columns, comments=tuple(comments))


RawColumns = tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]
# Some lines as the compiled module returns them: the comments; the rows, or () if the columns are there; the
# fields of Columns, or None if the rows are there; the line number after the comments.
Part = tuple[list[str], Sequence[str], RawColumns | None, int]


def _no_parts(text: str) -> list[Part] | None:
    return None


# Returns the parts of a text, with the columns of all sentences of the usual form; None if only Python can
# tell which lines are blank. Without the compiled module, Python does all of it.
split_blocks = _no_parts
if COMPILED:
    with suppress(ImportError):
        from arbitree.formats._conll_blocks import blocks as split_blocks


def blocks(content: Content) -> Iterator[Block]:
    """Yield the sentences of *content*; a block of comments alone belongs to the next sentence."""
    block = Block()
    for comments, rows, columns, first in _parts(content):
        if comments:
            block.comments += comments
            block.last = first - 1
            block.id = block.id or sentence_id(comments)
        if rows or columns:
            block.rows, block.first = rows, first
            block.columns = None if columns is None else Columns._make(columns)
        if block.first or block.id:  # a sentence without tokens has an id
            yield block
            block = Block()


def _parts(content: Content) -> Iterable[Part]:
    """Return the lines between blank lines."""
    found = split_blocks("\n".join(content.lines) if "\r" in content.text else content.text)
    return _lines_between_blanks(content.lines) if found is None else found


def _lines_between_blanks(lines: Sequence[str]) -> Iterator[Part]:
    begin = 0
    # Rows begin with a digit, so only a few lines need a check for whitespace.
    ends = [n for n, line in enumerate(lines) if not "!" <= line < "\x7f" and not line.strip()]
    for end in (*ends, len(lines)):
        start = begin
        while start < end and lines[start].startswith("#"):
            start += 1
        if begin < end:
            yield list(lines[begin:start]), lines[start:end], None, start + 1
        begin = end + 1


def columns_of(rows: Sequence[str], what: Callable[[int, int], FormatError]) -> list[tuple[str, ...]]:
    """Return the ten columns of *rows*, whose cells are separated by tabs.

    Args:
        rows: The lines of one sentence.
        what: Function from the index of a row and its number of cells to the error, if they are not ten.
    """
    # One split for the sentence is faster than one for each row. A mark between rows shows if any is uneven.
    cells = "\t\n\t".join(rows).split("\t") if rows else []
    if rows and (len(cells) != 11 * len(rows) - 1 or cells[10::11].count("\n") != len(rows) - 1):
        counts = [row.count("\t") + 1 for row in rows]
        wrong = next(place for place, count in enumerate(counts) if count != 10)
        raise what(wrong, counts[wrong])
    return [tuple(cells[place::11]) for place in range(10)]


def comment_value(comment: str, key: str) -> str | None:
    """Return the value of a comment ``# key = value``, or None if it is another comment.

    Example:
        >>> comment_value("# sent_id = weather-7", "sent_id")
        'weather-7'
    """
    name, equals, value = comment[1:].partition("=")
    return value.strip() if equals and name.strip() == key else None


def sentence_id(comments: Iterable[str]) -> str | None:
    """Return the id in a comment ``# sent_id = id``, or None if there is no such comment.

    Example:
        >>> sentence_id(["# a remark", "# sent_id = weather-7"])
        'weather-7'
    """
    return _value(comments, "sent_id")


def document_id(comments: Iterable[str]) -> str | None:
    """Return the id in a comment ``# newdoc id = id``, with which a document begins, or None."""
    return _value(comments, "newdoc id")


def naming_comments(
    entry: Entry[Any], comments: Sequence[str], document: str | None, *, known: bool = False
) -> tuple[str, ...]:
    """Return the comments on a sentence, with its id and, where a document begins, the name of the document.

    Args:
        entry: The sentence.
        comments: Its comments; names that differ from those of *entry* are replaced.
        document: The document of the sentence before.
        known: Whether the format itself contains the id.
    """
    found = tuple(comments)
    own = sentence_id(found)
    if entry.id and own != entry.id and (own or not known):
        found = tuple(each for each in found if comment_value(each, "sent_id") is None)
        found = found if known else (f"# sent_id = {_one_line(entry.id)}", *found)
    if entry.document and entry.document != document and document_id(found) != entry.document:
        found = tuple(each for each in found if comment_value(each, "newdoc id") is None)
        found = (f"# newdoc id = {_one_line(entry.document)}", *found)
    return found


def _one_line(name: str) -> str:
    return name.replace("\r", " ").replace("\n", " ")


def remarks(comments: Iterable[str]) -> tuple[str, ...]:
    """Return the comments that do not name the sentence or its document.

    Example:
        >>> remarks(["# sent_id = s7", "# a remark"])
        ('# a remark',)
    """
    return tuple(each for each in comments if sentence_id([each]) is None and document_id([each]) is None)


def _value(comments: Iterable[str], key: str) -> str | None:
    for comment in comments:
        found = comment_value(comment, key) if key in comment else None
        if found:
            return found
    return None


def head_of(text: str, source: Source) -> int:
    """Return the head in column 7 as an integer."""
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    hint = "Write the id of the head token in column 7, or 0 for the root"
    if text == "_":
        hint = "Annotate the token, or remove the sentence"
    raise FormatError(f"head {shorten(text)} is not a number", source, hint=hint)


def tree_of(
    columns: Sequence[tuple[str, ...]],
    source: Callable[[int], Source],
    names: tuple[str, ...],
    *,
    comments: Iterable[str] = (),
    extra: Iterable[tuple[int, str]] = (),
) -> DepTree:
    """Return the tree with these *columns*, after checking that ids run from 1 and heads exist.

    Args:
        columns: Ten columns, as returned by ``columns_of``.
        source: Function from the index of a row to its place in the file.
        names: Names of the columns other than id, form, head and relation, in order.
        comments: Comments, stored unchanged.
        extra: Lines that are not tokens, each with the number of tokens before it.
    """
    count = len(columns[0])
    # Valid sentences are checked as a whole; the others token by token, to find the error.
    try:
        heads = tuple(map(_HEADS.__getitem__, columns[6]))
        sound = max(heads, default=count + 1) <= count and columns[0] == ids(count)
    except KeyError:
        sound = False
    if not sound:
        heads = _checked_heads(columns[0], columns[6], source)
    rest = (*columns[2:6], *columns[8:])
    return DepTree(
        tokens=columns[1],
        heads=heads,
        relations=columns[7],
        columns=dict(zip(names, rest, strict=True)),
        comments=tuple(comments),
        extra=tuple(extra),
    )


_HEADS = {str(head): head for head in range(1000)}  # as they are usually written


@cache
def ids(count: int) -> tuple[str, ...]:
    """Return the ids of *count* tokens."""
    return tuple(map(str, range(1, count + 1)))


def _checked_heads(
    numbers: Sequence[str], texts: Sequence[str], source: Callable[[int], Source]
) -> tuple[int, ...]:
    """Return the heads; raise FormatError at the first invalid id or head."""
    heads = []
    for place, (number, text) in enumerate(zip(numbers, texts, strict=True)):
        if number != str(place + 1):
            hint = "Number tokens 1, 2, 3 ..., and end each sentence with an empty line"
            what = f"expected token id {place + 1}, found {shorten(number)}"
            raise FormatError(what, source(place), hint=hint)
        heads.append(head_of(text, source(place)))
    for place, head in enumerate(heads):
        if head > len(heads):
            hint = "Write the id of a token in the same sentence, or 0 for the root"
            what = f"head {head} is out of range: the sentence has {len(heads)} tokens"
            raise FormatError(what, source(place), hint=hint)
    return tuple(heads)


def rows_of(tree: DepTree, names: tuple[str, ...]) -> list[str]:
    """Return the ten-column rows of *tree*; missing columns are ``_``."""
    blank = ("_",) * len(tree)
    rest = [tree.columns.get(name, blank) for name in names]
    ids = map(str, range(1, len(tree) + 1))
    heads = map(str, tree.heads)
    columns = (ids, tree.tokens, *rest[:4], heads, tree.relations, *rest[4:])
    return ["\t".join(row) for row in zip(*columns, strict=True)]


def written(tree: DepTree, comments: Iterable[str], names: tuple[str, ...]) -> str:
    """Return a sentence: its comments, its rows with the extra lines in place, and an empty line."""
    lines = rows_of(tree, names)
    for before, line in reversed(tree.extra):
        lines.insert(before, line)
    return "\n".join((*comments, *lines, "", ""))
