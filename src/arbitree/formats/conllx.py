"""Read and write CoNLL-X (2006 and 2007 shared tasks): ten columns, separated by tabs or spaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from arbitree.errors import FormatError
from arbitree.formats.conll_rows import (
    Block,
    ConllFormat,
    blocks,
    columns_of,
    naming_comments,
    sentence_id,
    tree_of,
    written,
)
from arbitree.kinds.dependency.value import DepTree
from arbitree.reading.content import Content, Entry

COLUMNS = ("lemma", "cpostag", "postag", "feats", "phead", "pdeprel")
FEWEST = 5  # columns of a row that may be a wrong row of this format


@dataclass(frozen=True, slots=True)
class Conllx(ConllFormat):
    """Read columns separated by tabs or spaces; write tabs."""

    about: ClassVar[str] = "CoNLL-X of the 2006 and 2007 shared tasks, tabs or spaces (.conll)"
    suffixes: ClassVar[tuple[str, ...]] = (".conll", ".conllx")
    holds_ids: ClassVar[bool] = False  # a comment with an id would look like CoNLL-U

    def sniff(self, content: Content) -> float:
        """Return a medium confidence if the first row begins with 1 and has ten columns."""
        for line in content.head.split("\n"):
            if line.strip() and not line.startswith("#"):
                columns = _split(line.removesuffix("\r"))
                if columns[0] != "1" or len(columns) < FEWEST:
                    return 0.0
                return 0.6 if len(columns) == 10 else 0.1
        return 0.0

    def read(self, content: Content) -> Iterator[Entry[DepTree]]:
        """Yield the sentences of *content*, which have no ids."""
        for block in blocks(content):
            yield Entry(_tree(block, content.path), block.source(content.path))

    def write(self, entries: Iterable[Entry[DepTree]]) -> Iterator[str]:
        """Yield the text of *entries* without ranges and empty nodes, which the format does not support."""
        document = None
        for entry in entries:
            tree = entry.value
            names = tuple(_either(tree, name) for name in COLUMNS)
            plain = DepTree(tree.tokens, tree.heads, tree.relations, tree.columns)
            comments = tree.comments
            if sentence_id(comments):  # the comments of CoNLL-U, which are kept
                comments = naming_comments(entry, comments, document)
            yield written(plain, comments, names)
            document = entry.document or document


def _either(tree: DepTree, name: str) -> str:
    """Return the name of a column, or that of CoNLL-U if *tree* has only the latter."""
    other = {"cpostag": "upos", "postag": "xpos"}.get(name, name)
    return name if name in tree.columns else other


def _split(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def _tree(block: Block, path: str) -> DepTree:
    if block.columns is not None:
        return block.columns.tree(COLUMNS, block.comments)
    rows = [row if "\t" in row else "\t".join(row.split()) for row in block.rows]

    def uneven(row: int, count: int) -> FormatError:
        hint = "Separate columns by tabs or spaces and write _ for an empty one"
        return FormatError(f"expected 10 columns, found {count}", block.source(path, row), hint=hint)

    return tree_of(columns_of(rows, uneven), partial(block.source, path), COLUMNS, comments=block.comments)


PLUGINS = {"conllx": Conllx()}
