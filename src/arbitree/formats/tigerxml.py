"""Read and write TIGER-XML, with discontinuous phrases and secondary edges."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.conll_rows import document_id, sentence_id
from arbitree.formats.format import Format
from arbitree.formats.node_graphs import (
    ABSENT,
    EDGE,
    SECONDARY,
    Graph,
    bottom_up,
    comments_to_write,
    secondary_edges,
)
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.content import Content, Entry
from arbitree.reading.xml_text import SAFE, well_formed

OWN = frozenset({"id", "word", "pos"})  # attributes of terminals that are not columns
OWN_OF_PHRASES = frozenset({"id", "cat"})
REMARK = "comment"  # comments are processing instructions, which may contain --, unlike <!-- -->
FIRST_PHRASE = 500

Element: TypeAlias = Any  # of lxml, which has no types

_CORPUS = re.compile(r"<(?:[\w.-]+:)?(?:sub)?corpus[\s>]")
_TELLING = re.compile(r"<(?:[\w.-]+:)?(graph|terminals|feature)[\s>]")
_XML_ID = re.compile(r"[^\W\d][\w.-]*")


@dataclass(frozen=True, slots=True)
class TigerXml(Format[PhraseTree]):
    """Read and write a corpus in one file; the XML declaration names its encoding.

    Attributes other than word, pos and cat are columns; a missing attribute is ``--``. Namespaces are
    ignored. The head, query matches and XML comments are skipped. External entities are never fetched.
    """

    about: ClassVar[str] = "TIGER-XML, discontinuous phrases (.xml)"
    value_type: ClassVar[type[Any]] = PhraseTree
    suffixes: ClassVar[tuple[str, ...]] = (".xml", ".tig")
    needs: ClassVar[tuple[str, ...]] = ("lxml",)

    def sniff(self, content: Content) -> float:
        """Return 1 if there is a corpus with a graph, or with features in its head."""
        if not content.head.lstrip().startswith("<") or not _CORPUS.search(content.head):
            return 0.0
        return 1.0 if _TELLING.search(content.head) else 0.3

    def read(self, content: Content) -> Iterator[Entry[PhraseTree]]:
        """Yield the sentences of *content*; the id is that of ``s`` if there is no sent_id."""
        document = None
        for element in _sentences(content):
            source = Source(content.path, element.sourceline)
            notes = (each.text or "" for each in element.xpath(f"processing-instruction('{REMARK}')"))
            comments = [note for note in notes if note.startswith("#")]
            tree = _graph(element, source).tree(comments)
            document = document_id(comments) or document
            yield Entry(tree, source, sentence_id(comments) or element.get("id"), document)

    def write(self, entries: Iterable[Entry[PhraseTree]]) -> Iterator[str]:
        """Yield a corpus of *entries*; an id that is not an XML name becomes a comment."""
        kept = list(entries)  # the head names the features of all
        yield '<?xml version="1.0" encoding="UTF-8"?>\n<corpus id="corpus">\n'
        yield _text(_head(kept))
        yield "<body>\n"
        document = None
        for position, entry in enumerate(kept, start=1):
            try:
                yield _text(_element(entry, position, document))
                document = entry.document or document
            except ValueError as error:
                hint = "Remove control characters, and spaces in names of columns"
                raise FormatError(
                    f"cannot write this sentence as XML ({error})", entry.source, hint=hint
                ) from None
        yield "</body>\n</corpus>\n"


def _sentences(content: Content) -> Iterator[Element]:
    """Yield the elements ``s`` one at a time, and free the memory of those already read."""
    from lxml import etree

    parser = etree.iterparse(io.BytesIO(content.data), tag=("{*}s", "{*}subcorpus"), **SAFE)
    hint = "Correct the XML; its first line names the encoding: <?xml version='1.0' encoding='UTF-8'?>"
    with well_formed(content.path, hint=hint):
        for _, element in parser:
            _check(parser.error_log, element, content.path)
            if _name(element) == "s":
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
        _check(parser.error_log, parser.root, content.path)


def _check(faults: Iterable[Any], element: Element, path: str) -> None:
    """Raise FormatError for another XML format, for entities, and for references to other files."""
    root = element.getroottree().getroot()
    if _name(root) not in ("corpus", "subcorpus"):
        source = Source(path, root.sourceline)
        raise FormatError(f"expected <corpus>, found <{_name(root)}>", source, hint="Pass a TIGER-XML file")
    for fault in faults:
        if "ENTITY" in fault.type_name:
            hint = "Write the character itself, or its number: &#228;"
            raise FormatError(fault.message, Source(path, fault.line), hint=hint)
    if element.get("external"):
        hint = "Pass the files that it names instead"
        raise FormatError("the corpus continues in another file", Source(path, element.sourceline), hint=hint)


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _graph(sentence: Element, source: Source) -> Graph:
    element = sentence.find("{*}graph")
    if element is None:
        raise FormatError("the sentence has no graph", source, hint="Add a graph, or remove the sentence")
    graph = Graph(source.path)
    for terminal in element.iterfind("{*}terminals/{*}t"):
        graph.words.append(_need(terminal, "word", source.path))
        node = graph.add(_need(terminal, "id", source.path), terminal.get("pos", ""), terminal.sourceline)
        _keep(graph, node, terminal, OWN)
    for phrase in element.iterfind("{*}nonterminals/{*}nt"):
        label = _need(phrase, "cat", source.path)
        node = graph.add(_need(phrase, "id", source.path), label, phrase.sourceline)
        _keep(graph, node, phrase, OWN_OF_PHRASES)
    for edge in element.iterfind("{*}nonterminals/{*}nt/{*}edge"):
        child = graph.find(_need(edge, "idref", source.path), edge.sourceline)
        graph.link(child, graph.numbers[edge.getparent().get("id")], edge.sourceline)
        graph.keep(EDGE, child, edge.get("label", ABSENT))
    for edge in element.iterfind("*/*/{*}secedge"):
        _add_secondary(graph, edge)
    if graph.names:
        graph.root = graph.find(_need(element, "root", source.path), element.sourceline)
    return graph


def _need(element: Element, attribute: str, path: str) -> str:
    value = element.get(attribute)
    if value is None:
        source = Source(path, element.sourceline)
        raise FormatError(f"<{_name(element)}> has no attribute {attribute!r}", source, hint="Add it")
    return str(value)


def _keep(graph: Graph, node: int, element: Element, own: frozenset[str]) -> None:
    for name, value in element.attrib.items():
        if name in (EDGE, SECONDARY):
            source = Source(graph.path, element.sourceline)
            hint = "Rename the attribute; Arbitree stores edges under this name"
            raise FormatError(f"a node cannot have an attribute {name!r}", source, hint=hint)
        if name not in own:
            graph.keep(name, node, value)


def _add_secondary(graph: Graph, edge: Element) -> None:
    holder = graph.numbers.get(edge.getparent().get("id"))
    label = edge.get("label", ABSENT)
    if holder is None or " " in label:
        hint = "Put it inside <t> or <nt>, and remove spaces from its label"
        source = Source(graph.path, edge.sourceline)
        raise FormatError(f"cannot read the secondary edge {shorten(label)}", source, hint=hint)
    other = graph.find(_need(edge, "idref", graph.path), edge.sourceline)
    graph.secondary.setdefault(holder, []).append((label, other))


def _head(entries: Iterable[Entry[PhraseTree]]) -> Element:
    """Return the element that declares the features: T for terminals, NT for phrases, FREC for both."""
    from lxml import etree

    domains = {"word": {"T"}, "pos": {"T"}, "cat": {"NT"}}
    for entry in entries:
        size = len(entry.value.words)
        for name, values in entry.value.columns.items():
            for domain, part in (("T", values[:size]), ("NT", values[size:])):
                if name not in (EDGE, SECONDARY) and any(value != ABSENT for value in part):
                    domains.setdefault(name, set()).add(domain)
    head = etree.Element("head")
    annotation = etree.SubElement(head, "annotation")
    for name, found in domains.items():
        etree.SubElement(annotation, "feature", name=name, domain="FREC" if len(found) > 1 else min(found))
    etree.SubElement(annotation, "edgelabel")
    etree.SubElement(annotation, "secedgelabel")
    return head


def _element(entry: Entry[PhraseTree], position: int, document: str | None) -> Element:
    from lxml import etree

    given = f"s{entry.id}" if entry.id and entry.id.isdecimal() else entry.id
    name = given if given and _XML_ID.fullmatch(given) else f"s{position}"
    sentence = etree.Element("s", id=name)
    for comment in comments_to_write(entry, document, known=name == entry.id):
        sentence.append(etree.ProcessingInstruction(REMARK, comment))
    _add_graph(etree.SubElement(sentence, "graph"), entry.value, name)
    return sentence


def _add_graph(graph: Element, tree: PhraseTree, sentence: str) -> None:
    from lxml import etree

    size = len(tree.words)
    phrases = bottom_up(tree)
    ids = {node: f"{sentence}_{node + 1}" for node in range(size)}
    first = max(FIRST_PHRASE, size + 1)
    ids |= {node: f"{sentence}_{number}" for number, node in enumerate(phrases, start=first)}
    children = tree.children()
    edges = tree.columns.get(EDGE) or (ABSENT,) * len(tree.labels)
    above = {"t": etree.SubElement(graph, "terminals"), "nt": etree.SubElement(graph, "nonterminals")}
    for node in (*range(size), *phrases):
        label = tree.labels[node]
        own = {"word": tree.words[node], "pos": label} if node < size else {"cat": label}
        kind = "t" if node < size else "nt"
        element = etree.SubElement(above[kind], kind, {"id": ids[node], **own})
        for column, values in tree.columns.items():
            if column not in (EDGE, SECONDARY) and values[node] != ABSENT and column not in element.attrib:
                element.set(column, values[node])
        for child in children[node]:
            etree.SubElement(element, "edge", label=edges[child], idref=ids[child])
        for name, other in secondary_edges(tree, node):
            etree.SubElement(element, "secedge", label=name, idref=ids[other])
    if ids:
        graph.set("root", ids[tree.parents.index(-1)])
    if any(len(runs) > 1 for runs in tree.yields()):
        graph.set("discontinuous", "true")


def _text(element: Element) -> str:
    from lxml import etree

    return str(etree.tostring(element, encoding="unicode", pretty_print=True))


PLUGINS = {"tigerxml": TigerXml()}
