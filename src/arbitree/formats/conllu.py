"""Read and write CoNLL-U, with comments, multiword tokens, empty nodes and enhanced dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.conll_rows import (
    Block,
    ConllFormat,
    blocks,
    columns_of,
    comment_value,
    document_id,
    ids,
    naming_comments,
    tree_of,
    written,
)
from arbitree.kinds.dependency.value import DepTree
from arbitree.reading.content import Content, Entry
from arbitree.reading.exports.arborator import ROLES, VALIDATED

COLUMNS = ("lemma", "upos", "xpos", "feats", "deps", "misc")
OTHERS = {"upos": "cpostag", "xpos": "postag"}  # the names of these columns in CoNLL-X
UPOS = re.compile("ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X|_")
_EXTRA_MARK = re.compile(r"[^\t]*[-.]")  # in the first column
_TIME = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?")
_EXTRA_ID = re.compile(r"\d+[-.]\d+\t")
_OWN_COMMENT = re.compile(r"# *(sent_id|text|newdoc|newpar|global\.columns)\b")


@dataclass(frozen=True, slots=True)
class Conllu(ConllFormat):
    """Read and write CoNLL-U; a file that is read and written does not change."""

    about: ClassVar[str] = "CoNLL-U, as in Universal Dependencies (.conllu)"
    suffixes: ClassVar[tuple[str, ...]] = (".conllu",)
    roles: ClassVar[Mapping[str, str]] = ROLES

    def sniff(self, content: Content) -> float:
        """Return 1 if there are comments, ranges or empty nodes, and a high value if column 4 is UPOS."""
        if content.head.startswith("#FORMAT="):  # WebAnno TSV, whose ids look like ranges of words
            return 0.0
        lines = content.head.split("\n")[:-1] or [content.head]
        rest = [line for line in lines if line.strip() and not line.startswith("#")]
        own = any(map(_OWN_COMMENT.match, lines))
        if own or (any(map(_EXTRA_ID.match, rest)) and rest[0][0].isdigit()):  # other tables have a header
            return 1.0 if not rest or rest[0].count("\t") > 3 else 0.0
        rows = [line.split("\t") for line in rest]
        if not rows or any(len(row) != 10 for row in rows[:20]):
            return 0.0
        return 0.8 if all(UPOS.fullmatch(row[3]) for row in rows if len(row) > 3) else 0.4

    def read(self, content: Content) -> Iterator[Entry[DepTree]]:
        """Yield the sentences of *content*."""
        document = None
        for block in blocks(content):
            document = document_id(block.comments) or document
            tree, source = _tree(block, content.path), block.source(content.path)
            yield Entry(tree, source, block.id, document, *_annotator(block.comments))

    def write(self, entries: Iterable[Entry[DepTree]]) -> Iterator[str]:
        """Yield the text of *entries*; ids become ``# sent_id``, and documents ``# newdoc id``.

        The two part-of-speech columns of CoNLL-X are written as those of CoNLL-U, whatever the tag set.
        """
        document = None
        for entry in entries:
            names = tuple(OTHERS[name] if _lacks(entry.value, name) else name for name in COLUMNS)
            yield written(entry.value, naming_comments(entry, entry.value.comments, document), names)
            document = entry.document or document


def _annotator(comments: Iterable[str]) -> tuple[str | None, float | None]:
    """Return the annotator in a comment ``# user_id = name``, and the time in ``# timestamp = number``.

    A tree with ``# validated_by = name`` and no user is a validated one.
    """
    name = time = validator = None
    for comment in comments:
        if "user_id" in comment:
            name = comment_value(comment, "user_id") or name
        elif "timestamp" in comment:
            time = _seconds(comment_value(comment, "timestamp") or "")
        elif "validated_by" in comment:
            validator = comment_value(comment, "validated_by")
    return name or (VALIDATED if validator else None), time


def _seconds(text: str) -> float | None:
    """Return a time stamp as a number; None if it is not one."""
    return float(text) if _TIME.fullmatch(text) else None


def _lacks(tree: DepTree, name: str) -> bool:
    return name in OTHERS and name not in tree.columns


def _tree(block: Block, path: str) -> DepTree:
    def uneven(row: int, count: int) -> FormatError:
        hint = "Separate columns by one tab and write _ for an empty one"
        what = f"expected 10 tab-separated columns, found {count}"
        return FormatError(what, block.source(path, row), hint=hint)

    if block.columns is not None:
        return block.columns.tree(COLUMNS, block.comments)
    columns = columns_of(block.rows, uneven)
    if columns[0] == ids(len(block.rows)):
        return tree_of(columns, partial(block.source, path), COLUMNS, comments=block.comments)
    rows: list[str] = []
    places: list[int] = []  # positions of the token rows in the block
    extra: list[tuple[int, str]] = []
    for place, row in enumerate(block.rows):
        if not _EXTRA_MARK.match(row):
            rows.append(row)
            places.append(place)
        elif _EXTRA_ID.match(row):
            extra.append((len(rows), row))
        else:
            hint = "Write ranges as 3-4 and empty nodes as 3.1"
            what = f"token id {shorten(row.partition(chr(9))[0])} is not a number"
            raise FormatError(what, block.source(path, place), hint=hint)

    def source(row: int) -> Source:
        return block.source(path, places[row])

    return tree_of(columns_of(rows, uneven), source, COLUMNS, comments=block.comments, extra=extra)


PLUGINS = {"conllu": Conllu()}
