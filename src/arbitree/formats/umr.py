"""Read the sentence graphs of UMR (Uniform Meaning Representation) files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source, UnsupportedStudy, shorten
from arbitree.formats.conll_rows import comment_value
from arbitree.formats.format import Format
from arbitree.formats.penman_notation import Line, parse_graph
from arbitree.kinds.graphs.value import Anchor, Graph
from arbitree.reading.content import Content, Entry

_UMR = re.compile(r"^#\s*(?:sentence level graph|document level annotation)\b", re.MULTILINE | re.IGNORECASE)
_RULE = re.compile(r"\s*#{10,}\s*")
_HEADING = re.compile(
    r"\s*#\s*(sentence level graph|alignment|document level annotation)\s*:?\s*", re.IGNORECASE
)
_NUMBER = re.compile(r"\s*#\s*::\s*(snt\d+)\b.*")  # "# :: snt1", and the sentence in some files
_WORDS = re.compile(r"\s*(?:Words|tx)\s*:\s(.*)")
_ALIGNED = re.compile(r"\s*([^\s:]+)\s*:\s*(-?\d+\s*-\s*-?\d+(?:\s*,\s*-?\d+\s*-\s*-?\d+)*)\s*")
_SPAN = re.compile(r"(-?\d+)\s*-\s*(-?\d+)")
MOST = 10_000  # words of a sentence
_GRAPH, _ALIGNMENT, _DOCUMENT = "sentence level graph", "alignment", "document level annotation"


def is_umr(head: str) -> bool:
    """Return whether a text has the headings of UMR."""
    return _UMR.search(head) is not None


@dataclass(slots=True)
class _Sentence:
    """The parts of one sentence."""

    line: int = 0
    id: str | None = None
    number: str | None = None
    words: tuple[str, ...] = ()
    comments: list[str] = field(default_factory=list)
    parts: dict[str, list[Line]] = field(default_factory=dict)  # lines by heading


def _sentences(content: Content) -> Iterator[_Sentence]:
    """Yield the sentences of *content*, which a line of ``#`` or another id ends."""
    sentence = _Sentence()
    part = ""
    for number, text in enumerate(content.lines, start=1):
        name, place = comment_value(text, "sent_id"), _NUMBER.fullmatch(text)
        repeated = (name and sentence.id) or (place and sentence.number)
        if _RULE.fullmatch(text) or repeated or ((name or place) and sentence.parts):
            if sentence.line:
                yield sentence
            sentence, part = _Sentence(), ""
        if _RULE.fullmatch(text) or not text.strip():
            continue
        sentence.line = sentence.line or number
        heading = _HEADING.fullmatch(text)
        if heading:
            part = heading[1].lower()
            sentence.parts.setdefault(part, [])
        elif name or place:
            sentence.id, sentence.number = name or sentence.id, place[1] if place else sentence.number
        elif part and not text.lstrip().startswith("#"):
            sentence.parts[part].append(Line(number, text))
        elif not part and (words := _WORDS.fullmatch(text)):
            sentence.words = tuple(words[1].split())
        elif text.lstrip().startswith("#"):
            sentence.comments.append(text.strip())
    if sentence.line:
        yield sentence


def _anchors(lines: list[Line], path: str) -> dict[str, Anchor]:
    """Return the words of each variable, one by one; 0-0 stands for none."""
    found: dict[str, Anchor] = {}
    for line in lines:
        parsed = _ALIGNED.fullmatch(line.text)
        if parsed is None:
            what = f"{shorten(line.text.strip())} is not an alignment"
            hint = "Write a variable and the numbers of its words, such as s1p: 3-4, 7-7"
            raise FormatError(what, Source(path, line.number), hint=hint)
        spans = [(int(first), int(last)) for first, last in _SPAN.findall(parsed[2])]
        found[parsed[1]] = tuple(
            (word, word) for first, last in spans if first > 0 for word in range(first, min(last, MOST) + 1)
        )
    return found


class Umr(Format[Graph]):
    """UMR: sentence graphs; the document level is kept as text and not compared."""

    about: ClassVar[str] = "UMR sentence graphs (.umr)"
    value_type: ClassVar[type[Any]] = Graph
    suffixes: ClassVar[tuple[str, ...]] = (".umr",)
    writes: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("penman",)

    def sniff(self, content: Content) -> float:
        """Return 1 if there are the headings of UMR, otherwise 0."""
        return 1.0 if is_umr(content.head) else 0.0

    def ending(self, content: Content) -> str:
        """Return a line feed, because the last line may be an alignment."""
        return "\n"

    def read(self, content: Content) -> Iterator[Entry[Graph]]:
        """Yield the sentence graphs of *content*."""
        for sentence in _sentences(content):
            lines = sentence.parts.get(_GRAPH)
            if lines is None and not (sentence.id or sentence.number or sentence.words):
                continue  # comments between two lines of #
            value = parse_graph(lines, content.path, tokens=sentence.words) if lines else Graph()
            anchors = _anchors(sentence.parts.get(_ALIGNMENT, []), content.path)
            nodes = tuple(
                node._replace(anchor=anchors.get(node.variable, node.anchor)) for node in value.nodes
            )
            unread = tuple(line.text for line in sentence.parts.get(_DOCUMENT, []))
            value = replace(value, nodes=nodes, comments=tuple(sentence.comments), unread=unread)
            source = Source(content.path, lines[0].number if lines else sentence.line)
            yield Entry(value, source, sentence.id or sentence.number)

    def write(self, entries: Iterable[Entry[Graph]]) -> Iterator[str]:
        """Raise UnsupportedStudy, because the document level may refer to what has changed."""
        raise UnsupportedStudy("cannot write UMR, only read it", hint="Convert to penman instead")


PLUGINS = {"umr": Umr()}
