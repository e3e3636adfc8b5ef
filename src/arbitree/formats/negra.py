"""Read and write the NEGRA export format (versions 3, 4) with discontinuous phrases and secondary edges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.conll_rows import comment_value, document_id, sentence_id
from arbitree.formats.format import Format
from arbitree.formats.node_graphs import ABSENT, EDGE, Graph, bottom_up, comments_to_write, secondary_edges
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.content import Content, Entry

ROOT = "VROOT"
VIRTUAL_ROOTS = frozenset({ROOT, "ROOT", "TOP", ""})
FIRST_PHRASE = 500
COLUMNS = {"3": ("tag", "morph", EDGE), "4": ("lemma", "tag", "morph", EDGE)}  # between word and parent
KEPT = ("lemma", "morph", EDGE, "comment")  # besides the tag, which is the label

_BLANKS = re.compile(r"[ \t]+")
_BREAKING = re.compile(r"[ \t\r\n]")
_PHRASE = re.compile(r"#([0-9]{3,9})")
_MARK = re.compile(r"#(FORMAT|BOT|EOT|BOS|EOS)(?![^ \t])")
_NUMBER = re.compile(r"[0-9]{1,9}")
_SENTENCE_ID = re.compile(r"s?([0-9]{1,9})")  # in TIGER-XML, sentence 7 of an export is s7
_PLAIN_HEADER = "0 0 0"  # editor, date, origin: none known


@dataclass(frozen=True, slots=True)
class Negra(Format[PhraseTree]):
    """Read versions 3 and 4; write version 4.

    Nodes with parent 0 become children of a phrase VROOT. The writer omits this top node if its label is
    VROOT, ROOT, TOP or empty. Lines before and in a sentence that begin with ``%%`` are its comments, and so
    is the rest of its ``#BOS`` line after the id. The tables between ``#BOT`` and ``#EOT`` are skipped, and
    so are comments before a table or before ``#FORMAT``.
    Node numbers exceed 999 if a sentence has more than 500 phrases.
    """

    about: ClassVar[str] = "NEGRA export, versions 3 and 4, discontinuous phrases (.export)"
    value_type: ClassVar[type[Any]] = PhraseTree
    suffixes: ClassVar[tuple[str, ...]] = (".export", ".negra")

    def sniff(self, content: Content) -> float:
        """Return 1 if a line marks a version, a table or a sentence, otherwise 0."""
        lines = content.head.split("\n")
        return 1.0 if any(_MARK.match(line.rstrip("\r")) for line in lines) else 0.0

    def read(self, content: Content) -> Iterator[Entry[PhraseTree]]:
        """Yield the sentences of *content*; the word after ``#BOS`` is the id if there is no sent_id."""
        document = None
        for block in _blocks(content):
            comments = block.comments
            document = document_id(comments) or document
            if block.header not in ("", _PLAIN_HEADER):
                comments = [*comments, f"# bos = {block.header}"]
            source = Source(content.path, block.line)
            name = sentence_id(comments) or block.name
            yield Entry(_tree(block, comments, content.path), source, name, document)

    def write(self, entries: Iterable[Entry[PhraseTree]]) -> Iterator[str]:
        """Yield the text of *entries*; another id than a number becomes a comment.

        Columns that the format does not support are omitted. Words and labels that are empty, contain
        whitespace or are marks of the format raise FormatError.
        """
        yield "#FORMAT 4\n"
        document = None
        for position, entry in enumerate(entries, start=1):
            numbered = _SENTENCE_ID.fullmatch(entry.id or str(position))
            number = numbered[1] if numbered else str(position)
            header = _PLAIN_HEADER
            for comment in comments_to_write(entry, document, known=number == entry.id):
                if kept := comment_value(comment, "bos"):
                    header = kept
                else:
                    yield f"%%{comment[1:]}\n"
            document = entry.document or document
            yield "".join((f"#BOS {number} {header}\n", *_rows(entry), f"#EOS {number}\n"))


@dataclass(slots=True)
class _Block:
    """One sentence: its id, the rest of its ``#BOS`` line, and its rows with their line numbers."""

    line: int
    name: str
    header: str
    comments: list[str]
    version: str | None
    rows: list[tuple[int, str]] = field(default_factory=list)


def _blocks(content: Content) -> Iterator[_Block]:
    lines = iter(enumerate(content.lines, start=1))
    version = None
    comments: list[str] = []
    for number, line in lines:
        source = Source(content.path, number)
        mark, rest = _mark(line)
        if mark == "BOS":
            block = _begin(rest, source, comments, version)
            _fill(block, lines, content.path)
            yield block
        elif mark == "FORMAT":
            version = _version(rest, source)
        elif mark == "BOT":
            if all(_mark(inside)[0] != "EOT" for _, inside in lines):
                raise FormatError("the table that begins here has no #EOT line", source, hint="Add the line")
        elif line.startswith("%%"):
            comments.append(f"#{line[2:]}")
        elif line.strip():
            hint = "Begin each sentence with a line such as #BOS 1"
            raise FormatError(f"{shorten(line)} is outside a sentence", source, hint=hint)
        if mark:
            comments = []


def _mark(line: str) -> tuple[str, str]:
    """Return the mark at the beginning of a line, or an empty string, and the rest of the line."""
    match = _MARK.match(line)
    return (match[1], line[match.end() :].strip()) if match else ("", line)


def _begin(rest: str, source: Source, comments: list[str], version: str | None) -> _Block:
    name, *header = _BLANKS.split(rest, maxsplit=1)
    if not name:
        raise FormatError("the sentence has no id", source, hint="Write a line such as #BOS 1")
    return _Block(source.line, name, "".join(header).strip(), comments, version)


def _fill(block: _Block, lines: Iterator[tuple[int, str]], path: str) -> None:
    """Move rows from *lines* to *block*, up to its ``#EOS`` line."""
    for number, line in lines:
        mark, rest = _mark(line)
        if line.startswith("%%") and "\t" not in line:  # otherwise it is the row of a word
            block.comments.append(f"#{line[2:]}")
        elif not mark:
            block.rows.append((number, line))
        elif mark == "EOS" and rest.partition("%%")[0].strip() in (block.name, ""):
            return
        elif mark == "EOS":
            what = f"#EOS {shorten(rest)} does not match #BOS {block.name}"
            raise FormatError(what, Source(path, number), hint=f"Write #EOS {block.name}")
        else:
            break
    source = Source(path, block.line)
    raise FormatError(
        "the sentence that begins here has no #EOS line", source, hint=f"Add the line #EOS {block.name}"
    )


def _version(text: str, source: Source) -> str:
    text = text.partition("%%")[0].strip()
    if text not in COLUMNS:
        hint = "Arbitree reads versions 3 and 4"
        raise FormatError(f"unknown version {shorten(text)} of the NEGRA export format", source, hint=hint)
    return text


def _tree(block: _Block, comments: list[str], path: str) -> PhraseTree:
    graph = Graph(path)
    if not block.rows:
        return graph.tree(comments)
    version = block.version or _likely_version(block.rows[0][1])
    names = COLUMNS[version]
    rows = [(number, _split(line, version, Source(path, number))) for number, line in block.rows]
    rows.sort(key=lambda row: _phrase(row[1][0]) is not None)  # stable: words stay in their order
    for line, (word, *values) in rows:
        phrase = _phrase(word)
        if not phrase:
            graph.words.append(word)
        named = dict(zip(names, values, strict=False), comment=values[-1] or ABSENT)
        node = graph.add(phrase or f"word {len(graph.words)}", named.pop("tag"), line)
        for column, value in named.items():
            graph.keep(column, node, value)
    graph.root = graph.add("0", ROOT, block.line)
    for node, (line, columns) in enumerate(rows):
        parent, *pairs = columns[len(names) + 1 : -1]
        graph.link(node, _find(graph, parent, line), line)
        for label, other in zip(pairs[::2], pairs[1::2], strict=True):
            graph.secondary.setdefault(node, []).append((label, _find(graph, other, line)))
    return graph.tree(comments)


def _split(line: str, version: str, source: Source) -> list[str]:
    """Return the columns of a row up to the last secondary edge, and then its comment."""
    fixed = len(COLUMNS[version]) + 2
    columns = _BLANKS.split(line.rstrip(" \t"), maxsplit=fixed)
    edges, _, comment = columns.pop().partition("%%") if len(columns) > fixed else ("", "", "")
    columns += filter(None, _BLANKS.split(edges))
    if len(columns) < fixed or (len(columns) - fixed) % 2 or not columns[0]:
        hint = "Separate columns by tabs, write -- for an empty column, and use 2 columns per secondary edge"
        what = f"expected {fixed} columns in version {version}, found {len(columns)}"
        if version == "3" and len(columns) == fixed + 1:
            hint = "If the second column contains lemmas, write #FORMAT 4 at the beginning of the file"
        if version == "4" and len(columns) == fixed - 1:
            hint = "If there is no column of lemmas, write #FORMAT 3 at the beginning of the file"
        raise FormatError(what, source, hint=hint)
    return [*columns, comment.strip()]


def _likely_version(line: str) -> str:
    """Infer the version of the file from its first row: secondary edges take two columns each."""
    columns = _BLANKS.split(line.rstrip(" \t"))
    ends = (place for place, column in enumerate(columns) if place > 4 and column.startswith("%%"))
    return "4" if next(ends, len(columns)) % 2 == 0 else "3"


def _phrase(word: str) -> str | None:
    """Return the number of a phrase without leading zeros, or None for a word such as #1."""
    match = _PHRASE.fullmatch(word) if word.startswith("#") else None
    return str(int(match[1])) if match and int(match[1]) >= FIRST_PHRASE else None


def _find(graph: Graph, text: str, line: int) -> int:
    if not _NUMBER.fullmatch(text):
        hint = "Write the number of a phrase, or 0"
        raise FormatError(f"parent {shorten(text)} is not a number", Source(graph.path, line), hint=hint)
    return graph.find(str(int(text)), line)


def _rows(entry: Entry[PhraseTree]) -> Iterator[str]:
    tree = entry.value
    phrases = bottom_up(tree)
    if phrases and tree.labels[phrases[-1]] in VIRTUAL_ROOTS:
        phrases.pop()
    numbers = {node: str(number) for number, node in enumerate(phrases, start=FIRST_PHRASE)}
    blank = (ABSENT,) * len(tree.labels)
    lemmas, morphs, edges, remarks = (tree.columns.get(name, blank) for name in KEPT)
    for node in (*range(len(tree.words)), *phrases):
        word = f"#{numbers[node]}" if node in numbers else tree.words[node]
        if node not in numbers and (_phrase(word) or _MARK.match(word)):
            hint = "Choose the format tigerxml or brackets"
            raise FormatError(f"the word {shorten(word)} is a mark of the format", entry.source, hint=hint)
        columns = [word, lemmas[node] or ABSENT, tree.labels[node], morphs[node] or ABSENT]
        columns += [edges[node] or ABSENT, numbers.get(tree.parents[node], "0")]
        for label, other in secondary_edges(tree, node):
            if other < len(tree.words):
                what = f"NEGRA cannot represent a secondary edge to a word ({shorten(tree.words[other])})"
                raise FormatError(what, entry.source, hint="Choose the format tigerxml")
            columns += [label, numbers.get(other, "0")]
        _check(columns, remarks[node], entry.source)
        if remarks[node] != ABSENT:
            columns.append(f"%% {remarks[node]}")
        yield "\t".join(columns) + "\n"


def _check(columns: list[str], remark: str, source: Source) -> None:
    hint = "Change it, or choose the format tigerxml"
    for column in columns:
        if not column or _BREAKING.search(column):
            raise FormatError(f"column {shorten(column)} is empty or contains a space", source, hint=hint)
    if "\n" in remark or any("%%" in label for label in columns[6:]):
        raise FormatError(
            f"the row of {shorten(columns[0])} contains a comment mark (%%) or a line break",
            source,
            hint=hint,
        )


PLUGINS = {"negra": Negra()}
