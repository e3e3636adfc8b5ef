"""Read Prague files: the layers t, a, m and w of PML, and Treex documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source, UnsupportedStudy, shorten
from arbitree.formats.format import Format
from arbitree.formats.prague.elements import NAMESPACE, Element, child, members, root_of, text_in
from arbitree.formats.prague.layers import TREEX, Layer, layer_in, sentence_name
from arbitree.formats.prague.trees import (
    BOTH,
    FUNCTOR,
    NO,
    T_LEMMA,
    YES,
    Node,
    deep_tree,
    lexical_reference,
    nodes_of,
    references_in,
    sentence_of,
    surface_tree,
    words_of,
)
from arbitree.kinds.dependency.value import DepTree
from arbitree.plugins import with_options
from arbitree.reading.content import Content, Entry
from arbitree.reading.views import Views, resolved
from arbitree.wording import listed

T, A = "t", "a"
_MEMBER = {"member": (NO, YES)}
_DOCUMENT = re.compile(r"(.+)-p\d+s\w+")  # names of sentences in the Prague Dependency Treebank
_TREES = {T: re.compile(rb"<(?:[\w.-]+:)?t_tree[\s>/]"), A: re.compile(rb"<(?:[\w.-]+:)?a_tree[\s>/]")}


@dataclass(frozen=True, slots=True)
class Pml(Format[DepTree]):
    """Read trees of PML and Treex files as dependency trees whose tokens are the nodes.

    The reader opens the files of the layers below, which a file refers to. Entities are refused, and nothing
    is fetched from the network.
    """

    about: ClassVar[str] = (
        "Prague Markup Language and Treex, from TrEd or treex Write::Treex: t- and a-layers (.t, .a, .treex)"
    )
    value_type: ClassVar[type[Any]] = DepTree
    suffixes: ClassVar[tuple[str, ...]] = (".t", ".a", ".m", ".w", ".treex", ".pml")
    writes: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("lxml",)
    views: ClassVar[Views] = {T: {"label": (FUNCTOR, T_LEMMA, BOTH), **_MEMBER}, A: _MEMBER}
    zoned: ClassVar[bool] = True

    def sniff(self, content: Content) -> float:
        """Return 1 if the first element is a layer of PML, or belongs to the namespace of PML."""
        found = root_of(content.head)
        return float(found is not None and (layer_in(content) is not None or NAMESPACE in found[1]))

    def views_in(self, content: Content) -> tuple[str, ...]:
        """Return the trees that *content* contains: those of its layer, or of its zones."""
        layer = layer_in(content)
        if layer == TREEX:
            return tuple(view for view, tree in _TREES.items() if tree.search(content.data))
        return tuple(view for view in self.views if view == layer)

    def read(self, content: Content) -> Iterator[Entry[DepTree]]:
        """Yield the trees of *content* in the view that it names; selectors of Treex files are annotators."""
        chosen = content.reading.view
        view, options = with_options(resolved(chosen or next(iter(self.views_in(content)), T), self.views))
        layer = Layer.of(content)
        if layer.letter == TREEX:
            yield from _in_zones(layer, view, options)
        elif content.reading.zone is not None:
            hint = "Omit --zone, which is for Treex files"
            raise FormatError("the file has no zones", Source(content.path, 1), hint=hint)
        else:
            yield from _in_layer(layer, view, options)

    def write(self, entries: Iterable[Entry[DepTree]]) -> Iterator[str]:
        """Raise UnsupportedStudy, because Arbitree only reads this format."""
        hint = "Convert to CoNLL-U, which keeps the ids of nodes in the column MISC"
        raise UnsupportedStudy("cannot write PML, only read it", hint=hint)


def _entry(
    tree: DepTree, source: Source, name: str, *, coder: str | None = None, text: str = ""
) -> Entry[DepTree]:
    found = _DOCUMENT.fullmatch(name)
    return Entry(tree, source, name or None, found[1] if found else None, coder, text=text)


def _in_layer(layer: Layer, view: str, options: Mapping[str, str]) -> Iterator[Entry[DepTree]]:
    """Yield the trees of a t-layer or a-layer, or of the a-layer that a t-layer refers to."""
    if layer.letter not in (T, A) or (view, layer.letter) == (T, A):
        what = f"the {layer.letter}-layer contains no {'trees' if layer.letter not in (T, A) else 't-trees'}"
        hint = "Pass the file of the t-layer (.t), or of the a-layer (.a) with --view a"
        raise FormatError(what, layer.source(layer.root), hint=hint)
    if view == A:
        surface = layer if layer.letter == A else layer.below
        for root in surface.trees():
            nodes = nodes_of(root, surface.path, A)
            words = words_of(surface, nodes)
            tree = surface_tree(nodes, words, options, sentence_of(words))
            yield _entry(tree, surface.source(root), sentence_name(root.get("id", "")))
        return
    sentences, forms = _surface(layer.below, layer.below.trees())
    for root in layer.trees():
        nodes = nodes_of(root, layer.path, T)
        text = ""
        for reference in members(child(root, "atree.rf")):
            if layer.target(reference) not in sentences:
                raise layer.nowhere(reference, layer.below.path)
            text = sentences[layer.target(reference)]
        tree = deep_tree(nodes, options, _checked(layer, nodes, forms), text)
        yield _entry(tree, layer.source(root), sentence_name(root.get("id", "")), text=text)


def _surface(layer: Layer, roots: Iterable[Element]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the sentences of a-trees by the id of their root, and the words by the id of their node."""
    sentences: dict[str, str] = {}
    forms: dict[str, str] = {}
    for root in roots:
        nodes = nodes_of(root, layer.path, A)
        words = words_of(layer, nodes)
        sentences[root.get("id", "")] = sentence_of(words)
        forms |= {node.element.get("id", ""): word.form for node, word in zip(nodes, words, strict=True)}
    return sentences, forms


def _checked(layer: Layer, nodes: Sequence[Node], forms: Mapping[str, str]) -> Mapping[Element, str]:
    """Return the word of each node; raise FormatError if a node refers to an id that does not exist."""
    for node in nodes:
        for reference in references_in(node.element):
            if layer.target(reference) not in forms:
                raise layer.nowhere(reference, layer.path if layer.letter == TREEX else layer.below.path)
    found = {node.element: lexical_reference(node.element) for node in nodes}
    return {each: "" if link is None else forms[layer.target(link)] for each, link in found.items()}


def _in_zones(layer: Layer, view: str, options: Mapping[str, str]) -> Iterator[Entry[DepTree]]:
    """Yield the trees of the zones to read, bundle by bundle."""
    zones = [
        (bundle.get("id", ""), zone, tree)
        for bundle in members(child(layer.root, "bundles"))
        for zone in bundle.iterfind("{*}zones/{*}zone")
        if (tree := zone.find(f"{{*}}trees/{{*}}{view}_tree")) is not None
    ]
    chosen = _zones(layer, {_zone(zone): zone for _, zone, _ in reversed(zones)}, view)
    sentences, forms = _surface(layer, layer.root.iter("{*}a_tree"))
    for name, zone, root in zones:
        if _zone(zone) not in chosen:
            continue
        language, selector = _zone(zone)
        nodes = nodes_of(root, layer.path, view)
        surface = zone.find("{*}trees/{*}a_tree")
        text = text_in(zone, "sentence") or ("" if surface is None else sentences[surface.get("id", "")])
        if view == T:
            links = _checked(layer, nodes, forms) if forms else {}  # a file may contain t-trees alone
            tree = deep_tree(nodes, options, links, text)
        else:
            tree = surface_tree(nodes, words_of(layer, nodes), options, text)
        named = {"coder": selector or language, "text": text if view == T else ""}
        yield _entry(tree, layer.source(root), name, **named)


def _zone(element: Element) -> tuple[str, str]:
    return element.get("language", ""), element.get("selector", "")


def _zones(layer: Layer, found: Mapping[tuple[str, str], Element], view: str) -> set[tuple[str, str]]:
    """Return the languages and selectors to read: those that the user names, or all of the only language."""
    if not found:
        hint = "Choose another view with --view, or pass another file"
        raise FormatError(f"the file contains no {view}-trees", layer.source(layer.root), hint=hint)
    names = {"_".join(filter(None, zone)): zone for zone in found}
    wanted = layer.content.reading.zone
    languages = {zone[0] for zone in found}
    if wanted is None and len(languages) == 1:
        return set(found)
    if wanted is None:
        what = f"the file contains zones in several languages: {listed(sorted(names))}"
        hint = f"Choose one, such as --zone {min(languages)}"
        raise FormatError(what, layer.source(next(iter(found.values()))), hint=hint)
    chosen: set[tuple[str, str]] = set()
    for each in wanted.split(","):
        meant = {zone for zone in found if each in (zone[0], "_".join(zone))}
        if not meant:
            what = f"the file has no zone {shorten(each)} with {view}-trees; it has {listed(sorted(names))}"
            raise FormatError(what, layer.source(layer.root), hint="Choose another zone with --zone")
        chosen |= meant
    return chosen


PLUGINS = {"pml": Pml()}
