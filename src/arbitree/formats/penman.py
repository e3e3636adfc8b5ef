"""Read and write AMR in PENMAN notation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source
from arbitree.formats.conll_rows import comment_value, document_id, sentence_id
from arbitree.formats.format import Format
from arbitree.formats.penman_notation import Line, arranged, parse_graph, penman_text, unreached
from arbitree.formats.umr import is_umr
from arbitree.kinds.graphs.value import Graph
from arbitree.reading.content import Content, Entry

_COMMENT_LINE = re.compile(r"^[ \t]*#.*", re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*+"?')  # also one without an end
# A variable, a slash and a concept: spaces around the slash, or a role after the concept. A category such as
# S/NP has neither.
_NODE = re.compile(r"\(\s*[^\s()/:]+(?:\s+/\s+[^\s()]+\s*(?:\)|:[^\s()])|\s*/\s*[^\s()]+\s+:[^\s()])")
_ID = re.compile(r"(?<=\s)::id\b.*?(?=\s+::\S|$)")
_KEY = re.compile(r"(?:^|(?<=\s))::(\S+)[ \t]*")


def is_penman(head: str) -> bool:
    """Return whether most brackets of a text begin with a variable and a concept.

    Example:
        >>> is_penman("(w / want-01 :ARG0 (b / boy))"), is_penman("(S (NP (NN rain)) (VP (VBD fell)))")
        (True, False)
    """
    text = _STRING.sub('""', _COMMENT_LINE.sub("", head)).strip()
    if not text.startswith("("):
        return False
    return 2 * len(_NODE.findall(text)) > text.count("(") - 1 and bool(_NODE.match(text))


def metadata(comment: str) -> dict[str, str]:
    """Return the keys and values in a comment such as ``# ::id X ::annotator Y``.

    The words after a first ``::snt`` or ``::tok`` belong to the sentence, whatever they look like.

    Example:
        >>> metadata("# ::id s1 ::annotator Ann ::preferred"), metadata("# ::snt Write a::b ::c !")
        ({'id': 's1', 'annotator': 'Ann', 'preferred': ''}, {'snt': 'Write a::b ::c !'})
    """
    text = comment.strip().lstrip("#").strip()
    keys = list(_KEY.finditer(text)) if text.startswith("::") else []
    if not keys:
        return {}
    if keys[0][1] in ("snt", "tok"):
        keys = keys[:1]
    ends = [found.start() for found in keys[1:]] + [len(text)]
    return {found[1]: text[found.end() : end].strip() for found, end in zip(keys, ends, strict=True)}


@dataclass(slots=True)
class _Block:
    """The comments before and in a graph, and its lines."""

    comments: list[Line] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    @property
    def keys(self) -> dict[str, str]:
        """The metadata of the graph."""
        found: dict[str, str] = {}
        for comment in self.comments:
            found |= metadata(comment.text)
        return found

    @property
    def id(self) -> str | None:
        """The id of the sentence, if the file contains it."""
        return self.keys.get("id") or sentence_id(line.text for line in self.comments) or None

    @property
    def names(self) -> set[str]:
        """Which names of the sentence the comments contain."""
        return {name for line in self.comments for name in _names(line.text)}


def _blocks(content: Content) -> Iterator[_Block]:
    """Yield the graphs of *content*; an id or sentence without a graph is a block without lines."""
    block = _Block()
    for number, text in enumerate(content.lines, start=1):
        line = Line(number, text)
        if not text.strip():
            if block.lines:
                yield block
                block = _Block()
        elif not text.lstrip().startswith("#"):
            block.lines.append(line)
        elif block.lines:
            block.inside.append(text.strip())
        else:
            if block.names & _names(text):
                yield block
                block = _Block()
            block.comments.append(line)
    if block.lines or block.names:
        yield block


def _names(comment: str) -> set[str]:
    """Return which names of a sentence a comment contains: the second of a kind begins another sentence."""
    found = {"id", "snt", "tok"} & set(metadata(comment))
    return found | ({"sent_id"} if comment_value(comment, "sent_id") else set())


class Penman(Format[Graph]):
    """AMR in PENMAN notation: comments with metadata, a graph, an empty line."""

    about: ClassVar[str] = "AMR graphs in PENMAN notation (.amr)"
    value_type: ClassVar[type[Any]] = Graph
    suffixes: ClassVar[tuple[str, ...]] = (".amr", ".penman")
    holds_gaps: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("penman",)

    def sniff(self, content: Content) -> float:
        """Return 1 if most brackets begin with a variable and a concept, otherwise 0."""
        return 1.0 if is_penman(content.head) and not is_umr(content.head) else 0.0

    def ending(self, content: Content) -> str:
        """Return a line feed if the last line is a comment, which may contain an id."""
        return "\n" if content.text.rpartition("\n")[2].startswith("#") else ""

    def read(self, content: Content) -> Iterator[Entry[Graph]]:
        """Yield the graphs of *content*; ``::annotator`` names the annotator of a graph."""
        document = None
        for block in _blocks(content):
            keys = block.keys
            comments = [line.text.strip() for line in block.comments]
            document = document_id(comments) or document
            tokens = tuple((keys.get("tok") or keys.get("snt") or "").split())
            value = parse_graph(block.lines, content.path, tokens=tokens) if block.lines else Graph()
            value = replace(value, comments=(*comments, *filter(_kept, block.inside)))
            source = Source(content.path, (block.lines or block.comments)[0].number)
            yield Entry(value, source, block.id, document, keys.get("annotator") or None)

    def write(self, entries: Iterable[Entry[Graph]]) -> Iterator[str]:
        """Yield the text of *entries*, each followed by an empty line."""
        document = None
        for place, entry in enumerate(entries):
            lines = list(_header(entry, document))
            document = entry.document or document
            if len(entry.value):
                lines.append(_connected(entry))
            yield ("\n" if place else "") + "".join(f"{line}\n" for line in lines)


def _kept(comment: str) -> bool:
    """Return whether a comment in a graph can be written before it without becoming metadata."""
    return not metadata(comment) and comment_value(comment, "sent_id") is None


def _header(entry: Entry[Graph], document: str | None) -> Iterator[str]:
    """Yield the comments of *entry*, with its id, its words and its document if they lack them."""
    found = _Block([Line(0, each) for each in entry.value.comments])
    comments = [each for each in entry.value.comments if comment_value(each, "newdoc id") is None]
    if entry.document and entry.document != document:
        yield f"# newdoc id = {' '.join(entry.document.split())}"
    if entry.id and found.id != entry.id:
        own = " ".join(entry.id.split())
        comments = [each for each in comments if comment_value(each, "sent_id") is None]
        if "id" not in found.keys:
            yield f"# ::id {own}"
        comments = [_ID.sub(lambda _: f"::id {own}", each) for each in comments]
    if entry.value.tokens and not {"tok", "snt"} & set(found.keys):
        yield f"# ::snt {' '.join(entry.value.tokens)}"
    yield from comments


def _connected(entry: Entry[Graph]) -> str:
    """Return the text of a graph; raise FormatError if it is in several pieces."""
    graph = arranged(entry.value)
    if len(graph.tops) != 1:
        count = "no top" if not graph.tops else f"{len(graph.tops)} tops"
        hint = "Choose one node as the top"
        raise FormatError(
            f"the graph has {count}, so PENMAN notation cannot hold it", entry.source, hint=hint
        )
    if lost := unreached(graph):
        what = (
            f"the graph is in several pieces: {len(lost)} of {len(graph)} nodes, such as {lost[0]}, are not "
        )
        hint = "Add a relation between the pieces"
        raise FormatError(f"{what}connected to the top", entry.source, hint=hint)
    return penman_text(graph)


PLUGINS = {"penman": Penman()}
