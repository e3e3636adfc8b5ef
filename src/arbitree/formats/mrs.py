"""Read and write meaning representations as text: SimpleMRS and native EDS, through PyDelphin."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar
from warnings import catch_warnings, simplefilter

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.conll_rows import comment_value, naming_comments
from arbitree.formats.format import Format
from arbitree.kinds.graphs.value import Edge, Graph, Node, Semantics, grouped
from arbitree.reading.content import Content, Entry

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}\n]')  # also a string without an end
_COMMENTS = re.compile(r"(?:\s*#[^\n]*\n)*\s*")
_MRS = re.compile(r"\[.*?\b(?:RELS|LTOP|TOP|INDEX):", re.DOTALL)
_OBJECT, _INSIDE = re.compile(r"<\w+ object \((.*?)\) at \w+>"), r"\1"  # in messages of PyDelphin
# PyDelphin compares all predications with the same label, and lists the predications in the scope of each,
# once for every path to them. Representations of the ERG and Jacy have up to 7, and up to 32 in all lists.
_SAME_LABEL = 500
_IN_SCOPES = 1_000_000
_EDS = re.compile(r"\{\s*(?:[a-z]+\d+\s*)?:")


class Representations(Format[Semantics]):
    """Base class for files with a sequence of representations, each on one or more lines.

    A line ``# sent_id = ID`` before a representation contains its id. An id without a representation is a
    sentence without an annotation.
    """

    name: ClassVar[str]
    opening: ClassVar[str]  # the bracket that a representation begins with
    beginning: ClassVar[re.Pattern[str]]
    value_type: ClassVar[type[Any]] = Semantics
    needs: ClassVar[tuple[str, ...]] = ("delphin",)

    def sniff(self, content: Content) -> float:
        """Return 1 if the text begins like a representation, otherwise 0."""
        start = _COMMENTS.match(content.head)
        rest = content.head[start.end() if start else 0 :]
        return 1.0 if self.beginning.match(rest) else 0.0

    def ending(self, content: Content) -> str:
        """Return a line feed if the last line is a comment, which may contain an id."""
        return "\n" if content.text.rpartition("\n")[2].startswith("#") else ""

    def read(self, content: Content) -> Iterator[Entry[Semantics]]:
        """Yield the representations of *content*."""
        document = None
        for piece in _pieces(content, self.opening):
            document = piece.document or document
            value = _semantics(piece, self.name, content.notes) if piece.text else Semantics()
            yield Entry(value, piece.source, piece.id, document)

    def write(self, entries: Iterable[Entry[Semantics]]) -> Iterator[str]:
        """Yield the text of *entries*; convert an MRS to an EDS if the format is EDS."""
        document = None
        for entry in entries:
            yield from (f"{comment}\n" for comment in naming_comments(entry, (), document))
            document = entry.document or document
            yield f"{self._text(entry)}\n"

    def _text(self, entry: Entry[Semantics]) -> str:
        known = entry.value.notation in (self.name, "")
        return entry.value.text if known else self._converted(entry.value, entry.source)

    @abstractmethod
    def _converted(self, value: Semantics, source: Source) -> str:
        """Return the text of a representation that was read in another notation."""


class SimpleMrs(Representations):
    """SimpleMRS."""

    name: ClassVar[str] = "simplemrs"
    about: ClassVar[str] = "minimal recursion semantics, SimpleMRS (.mrs)"
    suffixes: ClassVar[tuple[str, ...]] = (".mrs", ".simplemrs")
    opening: ClassVar[str] = "["
    beginning: ClassVar[re.Pattern[str]] = _MRS

    def _converted(self, value: Semantics, source: Source) -> str:
        hint = "Choose the format eds"
        raise FormatError("cannot convert an EDS to an MRS", source, hint=hint)


class Eds(Representations):
    """Native EDS."""

    name: ClassVar[str] = "eds"
    about: ClassVar[str] = "elementary dependency structures, native text (.eds)"
    suffixes: ClassVar[tuple[str, ...]] = (".eds",)
    opening: ClassVar[str] = "{"
    beginning: ClassVar[re.Pattern[str]] = _EDS

    def _converted(self, value: Semantics, source: Source) -> str:
        from delphin.codecs import eds

        with _delphin(source), catch_warnings():  # the reader reported them
            simplefilter("ignore")
            text: str = eds.encode(_as_eds(_parsed(value.text, value.notation)))
        return text


@dataclass(slots=True)
class _Piece:
    """A representation as text, with its source and its id, if any."""

    source: Source
    id: str | None = None
    text: str = ""
    document: str | None = None


def _pieces(content: Content, opening: str) -> Iterator[_Piece]:
    """Yield the representations in *content*; each ends with its closing bracket."""
    closing = {"[": "]", "{": "}"}[opening]
    text = "\n".join(content.lines)
    waiting: _Piece | None = None
    document: str | None = None  # that begins with the next representation
    place, line = 0, 1
    while place < len(text):
        if text[place].isspace():
            line += text[place] == "\n"
            place += 1
        elif text[place] == "#":
            end = text.find("\n", place)
            comment = text[place : end if end >= 0 else len(text)]
            name, begun = comment_value(comment, "sent_id"), comment_value(comment, "newdoc id")
            if (name or begun) and waiting:
                yield waiting
                waiting = None
            document = begun or document
            if name:
                waiting = _Piece(Source(content.path, line), name, document=document)
                document = None
            place += len(comment)
        elif text[place] == opening:
            end = _end(text, place, opening, closing, Source(content.path, line))
            source = Source(content.path, line)
            begun = waiting.document if waiting else document
            yield _Piece(source, waiting.id if waiting else None, text[place:end], begun)
            waiting, document = None, None
            line += text.count("\n", place, end)
            place = end
        else:
            hint = f"Begin each representation with {opening}"
            raise FormatError(
                f"unexpected {shorten(text[place : place + 20])}", Source(content.path, line), hint=hint
            )
    if waiting:
        yield waiting


def _end(text: str, begin: int, opening: str, closing: str, source: Source) -> int:
    depth = 0
    for found in _TOKEN.finditer(text, begin):
        depth += (found[0] == opening) - (found[0] == closing)
        if depth == 0 and found[0] == closing:
            return found.end()
    raise FormatError(
        "the representation that begins here has no end", source, hint=f"Add the missing {closing}"
    )


def _semantics(piece: _Piece, notation: str, notes: list[str]) -> Semantics:
    """Return the triples of a representation; append warnings of PyDelphin to *notes*."""
    with _delphin(piece.source), catch_warnings(record=True) as found:
        simplefilter("always")
        parsed = _parsed(piece.text, notation)
        if notation != "eds":
            _check_scopes(parsed, piece.source)
        value = triples_of(parsed, piece.text, notation)
    notes += [f"{piece.source}: {_OBJECT.sub(_INSIDE, str(each.message))}" for each in found]
    return value


@contextmanager
def _delphin(source: Source) -> Iterator[None]:
    """Turn the exceptions of PyDelphin, which are of many types, into a FormatError."""
    try:
        yield
    except (MemoryError, FormatError):
        raise
    except Exception as error:
        reason = str(error).strip().splitlines()
        what = f"cannot parse the representation ({reason[0] if reason else type(error).__name__})"
        raise FormatError(what, source, hint="Correct its brackets or predications") from error


def _parsed(text: str, notation: str) -> Any:
    """Return PyDelphin's object for *text*."""
    from delphin.codecs import eds, simplemrs

    return eds.decode(text) if notation == "eds" else simplemrs.decode(text)


def _check_scopes(mrs: Any, source: Source) -> None:
    """Raise FormatError if the conversion of *mrs* to EDS would take too long or too much memory.

    The time is quadratic in the number of predications with the same label. The list of the predications in
    a scope doubles if two arguments have the same scope, and grows faster if a scope contains itself.
    """
    _, scopes = mrs.scopes()
    label, largest = max(scopes.items(), key=lambda scope: len(scope[1]), default=("", ()))
    if len(largest) > _SAME_LABEL:
        what = f"{len(largest):,} predications have the label {label}, more than {_SAME_LABEL}"
        raise FormatError(what, source, hint="Remove repeated predications")
    arguments = mrs.scopal_arguments(scopes=scopes)
    lengths: dict[str, int] = {}  # of the lists, by predication
    total = 0

    def measure(predication: str) -> None:
        nonlocal total
        lengths[predication] = 0
        for inner in (each.id for *_, label in arguments[predication] for each in scopes.get(label, ())):
            lengths[predication] += 1  # before the list of the inner one, which may contain this one
            if inner not in lengths:
                measure(inner)
            total += 1 + lengths[inner]
            lengths[predication] += lengths[inner]
            if total > _IN_SCOPES:
                what = f"predications are in the scopes of others more than {_IN_SCOPES:,} times"
                raise FormatError(what, source, hint="Correct the labels and their arguments")

    for predication in arguments:
        if predication not in lengths:
            measure(predication)


def _as_eds(parsed: Any) -> Any:
    from delphin import eds
    from delphin.mrs import MRS

    return eds.from_mrs(parsed) if isinstance(parsed, MRS) else parsed


def triples_of(parsed: Any, text: str = "", notation: str = "") -> Semantics:
    """Return the triples of an MRS, EDS or DMRS of PyDelphin."""
    graph = _as_eds(parsed)
    spans = {node.id: (node.cfrom, node.cto) for node in graph.nodes}
    arguments = graph.arguments()
    return Semantics(
        names=tuple((spans[node.id], node.predicate, "") for node in graph.nodes),
        args=tuple(
            (spans[node.id], role, spans[target])
            for node in graph.nodes
            for role, target in arguments[node.id]
            if target in spans
        ),
        props=tuple(
            (spans[node.id], feature, value)
            for node in graph.nodes
            for feature, value in node.properties.items()
        ),
        constants=tuple((spans[node.id], "carg", node.carg) for node in graph.nodes if node.carg),
        top=((spans[graph.top], "top", ""),) if graph.top in spans else (),
        text=text,
        notation=notation,
        read=_graph_of(graph, arguments),
    )


def _graph_of(eds: Any, arguments: Any) -> Graph:
    """Return an EDS of PyDelphin as a graph; a predicate has no quotes and no ``_rel``."""
    nodes = tuple(Node(node.id, _predicate(node.predicate), ((node.cfrom, node.cto),)) for node in eds.nodes)
    known = {node.variable for node in nodes}
    edges = [
        Edge(node.id, role, target)
        for node in eds.nodes
        for role, target in arguments[node.id]
        if target in known
    ]
    for node in eds.nodes:
        edges += [Edge(node.id, "CARG", str(node.carg), constant=True)] if node.carg else []
        edges += [
            Edge(node.id, name, value, constant=True, feature=True) for name, value in node.properties.items()
        ]
    return Graph(nodes, grouped(nodes, edges), (eds.top,) if eds.top in known else (), turned=False)


def _predicate(name: str) -> str:
    return name.strip('"').removesuffix("_rel")


PLUGINS = {"simplemrs": SimpleMrs(), "eds": Eds()}
