"""What CoNLL-U and CoNLL-X share: blocks of rows with ten columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from arbitree.data.dependency import DepTree
from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.base import Content, Entry


@dataclass(slots=True)
class Block:
    """The lines of one sentence: comments, rows, and the line number of each row."""

    comments: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    last: int = 0  # the line number of the last comment before the rows

    @property
    def line(self) -> int:
        """The line number of the first token, or of the comment that announces an empty sentence."""
        return self.numbers[0] if self.numbers else self.last

    @property
    def complete(self) -> bool:
        """Whether this is a sentence: it has tokens, or a comment that gives it an id."""
        return bool(self.rows) or sentence_id(self.comments) is not None


def blocks(content: Content) -> Iterator[Block]:
    """Yield the sentences of *content*; a block of comments alone is kept with the sentence after it."""
    block = Block()
    for number, line in enumerate(content.lines, start=1):
        if line.startswith("#") and not block.rows:
            block.comments.append(line)
            block.last = number
        elif line.strip():
            block.rows.append(line)
            block.numbers.append(number)
        elif block.complete:
            yield block
            block = Block()
    if block.complete:
        yield block


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


def _value(comments: Iterable[str], key: str) -> str | None:
    return next(filter(None, (comment_value(comment, key) for comment in comments)), None)


def head_of(text: str, source: Source) -> int:
    """Return the head in column 7 as a number."""
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    hint = "Column 7 holds the number of the head token, 0 for the root"
    if text == "_":
        hint = "The token is not annotated: annotate it or take the sentence out"
    raise FormatError(f"head {shorten(text)} is not a number", source, hint=hint)


def tree_of(
    table: list[list[str]],
    sources: list[Source],
    names: tuple[str, ...],
    *,
    comments: Iterable[str] = (),
    extra: Iterable[tuple[int, str]] = (),
) -> DepTree:
    """Return the tree of the rows in *table*, after checking that ids run from 1 and heads exist.

    Args:
        table: ten columns a row.
        sources: the place of each row.
        names: what the columns besides id, form, head and relation are called, in order.
        comments: kept as they are.
        extra: lines that are not tokens, each with the number of tokens before it.
    """
    heads = []
    for expected, (row, source) in enumerate(zip(table, sources, strict=True), start=1):
        if row[0] != str(expected):
            hint = "Tokens are numbered 1, 2, 3 ... and sentences end with an empty line"
            raise FormatError(f"token id {shorten(row[0])} where {expected} was expected", source, hint=hint)
        heads.append(head_of(row[6], source))
    for head, source in zip(heads, sources, strict=True):
        if head > len(table):
            hint = "A head is a token of the same sentence or 0"
            raise FormatError(
                f"head {head} is out of range: the sentence has {len(table)} tokens", source, hint=hint
            )
    columns = tuple(zip(*table, strict=True)) if table else ((),) * 10
    rest = columns[2:6] + columns[8:]
    return DepTree(
        tokens=columns[1],
        heads=tuple(heads),
        relations=columns[7],
        columns=dict(zip(names, rest, strict=True)),
        comments=tuple(comments),
        extra=tuple(extra),
    )


def rows_of(tree: DepTree, names: tuple[str, ...]) -> list[str]:
    """Return the ten-column rows of *tree*; columns that it lacks are ``_``."""
    blank = ("_",) * len(tree)
    rest = [tree.columns.get(name, blank) for name in names]
    ids = map(str, range(1, len(tree) + 1))
    heads = map(str, tree.heads)
    columns = (ids, tree.tokens, *rest[:4], heads, tree.relations, *rest[4:])
    return ["\t".join(row) for row in zip(*columns, strict=True)]


def written(entries: Iterable[Entry[DepTree]], names: tuple[str, ...]) -> Iterator[str]:
    """Yield each sentence as comments, rows with the extra lines in their places, and an empty line."""
    for entry in entries:
        tree = entry.value
        lines = rows_of(tree, names)
        for before, line in reversed(tree.extra):
            lines.insert(before, line)
        yield "\n".join((*tree.comments, *lines, "", ""))
