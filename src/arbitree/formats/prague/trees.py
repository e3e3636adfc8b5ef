"""Turn the trees of PML into dependency trees: the nodes in their order are the tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arbitree.errors import FormatError, Source
from arbitree.formats.prague.elements import OR, Element, child, members, name_of, number_in, text_in
from arbitree.formats.prague.layers import Layer, Word
from arbitree.kinds.dependency.value import DepTree

BLANK = "_"
FUNCTOR, T_LEMMA, BOTH = "functor", "t_lemma", "both"
YES, NO = "yes", "no"
ORDERS = {"t": ("deepord", "ord"), "a": ("ord",)}
# The relation of a node of the a-layer; those of the Latvian Treebank follow.
RELATIONS = ("afun", "role", "pmctype", "xtype", "coordtype")
MEMBER_MARK = "_M"
POSITIONAL = 15  # characters of a Prague tag, whose first one is the part of speech


@dataclass(frozen=True, slots=True)
class Node:
    """A node below the root, with the position of its parent: 0 for the root."""

    element: Element
    parent: int


def nodes_of(root: Element, path: str, view: str) -> list[Node]:
    """Return the nodes below *root* in the order of ``deepord`` or ``ord``, whatever their place in the file.

    Raises:
        FormatError: if a node has no order, or two nodes have the same.
    """
    names = ORDERS[view]
    found: list[tuple[float, Element, Element]] = []
    stack = [root]
    while stack:
        parent = stack.pop()
        for element in members(child(parent, "children")):
            found.append((number_in(element, path, *names), element, parent))
            stack.append(element)
    found.sort(key=lambda each: each[0])
    for before, after in pairwise(found):
        if before[0] == after[0]:
            what = f"two nodes of the tree have the {names[0]} {after[0]:g}"
            hint = f"Give each node another one; the other is in line {before[1].sourceline}"
            raise FormatError(what, Source(path, after[1].sourceline), hint=hint)
    places = {root: 0} | {element: place for place, (_, element, _) in enumerate(found, start=1)}
    return [Node(element, places[parent]) for _, element, parent in found]


def deep_tree(
    nodes: Sequence[Node], options: Mapping[str, str], forms: Mapping[Element, str], text: str
) -> DepTree:
    """Return the tree of a t-layer.

    Args:
        nodes: Its nodes.
        options: Those of the view: ``label`` and ``member``.
        forms: The words that nodes stand for; generated nodes have none.
        text: The sentence.
    """
    elements = [node.element for node in nodes]
    lemmas = tuple(text_in(each, T_LEMMA) or BLANK for each in elements)
    functors = [text_in(each, FUNCTOR) or BLANK for each in elements]
    labels = {
        FUNCTOR: functors,
        T_LEMMA: lemmas,
        BOTH: [f"{functor}:{lemma}" for functor, lemma in zip(functors, lemmas, strict=True)],
    }[options["label"]]
    tags = [_semantic_tag(each) for each in elements]
    misc = [
        _pairs(
            NodeId=each.get("id", ""),
            Form=forms.get(each, ""),
            Generated="Yes" if text_in(each, "is_generated") == "1" else "",
            Member="Yes" if is_member(each) else "",
        )
        for each in elements
    ]
    columns = {
        "lemma": lemmas,
        "cpostag": tuple(tag.partition(".")[0] for tag in tags),
        "postag": tuple(tags),
        "feats": tuple(map(_grammatemes, elements)),
        "misc": tuple(misc),
    }
    return _tree(nodes, lemmas, labels, options, columns, text)


def surface_tree(
    nodes: Sequence[Node], words: Sequence[Word], options: Mapping[str, str], text: str
) -> DepTree:
    """Return the tree of an a-layer, whose nodes stand for *words*."""
    misc = [
        _pairs(
            NodeId=node.element.get("id", ""),
            SpaceAfter="" if word.spaced else "No",
            Member="Yes" if is_member(node.element) else "",
        )
        for node, word in zip(nodes, words, strict=True)
    ]
    columns = {
        "lemma": tuple(word.lemma or BLANK for word in words),
        "cpostag": tuple(
            word.tag[:1] if len(word.tag) == POSITIONAL else word.tag or BLANK for word in words
        ),
        "postag": tuple(word.tag or BLANK for word in words),
        "misc": tuple(misc),
    }
    labels = [text_in(node.element, *RELATIONS) or BLANK for node in nodes]
    return _tree(nodes, tuple(word.form or BLANK for word in words), labels, options, columns, text)


def _tree(
    nodes: Sequence[Node],
    tokens: tuple[str, ...],
    labels: Sequence[str],
    options: Mapping[str, str],
    columns: Mapping[str, tuple[str, ...]],
    text: str,
) -> DepTree:
    marked = options["member"] == YES
    relations = tuple(
        f"{label}{MEMBER_MARK}" if marked and is_member(node.element) else label
        for label, node in zip(labels, nodes, strict=True)
    )
    heads = tuple(node.parent for node in nodes)
    return DepTree(tokens, heads, relations, columns, (f"# text = {text}",) if text else ())


def words_of(layer: Layer, nodes: Sequence[Node]) -> list[Word]:
    """Return the words of the nodes of an a-layer."""
    return [_word(layer, node.element) for node in nodes]


def _word(layer: Layer, element: Element) -> Word:
    """Return the word of a node, of which a file may contain the m-layer itself; phrases have no word."""
    reference = child(element, "m.rf", "m")
    if reference is None:
        spaced = text_in(element, "no_space_after") != "1"
        return Word(text_in(element, "form"), text_in(element, "lemma"), text_in(element, "tag"), spaced)
    if child(reference, "form") is not None:
        return layer.word(reference)
    words = layer.below.words
    if layer.target(reference) not in words:
        raise layer.nowhere(reference, layer.below.path)
    return words[layer.target(reference)]


def sentence_of(words: Sequence[Word]) -> str:
    """Return the text of a sentence.

    Example:
        >>> sentence_of([Word("Rain", spaced=True), Word("fell", spaced=False), Word(".")])
        'Rain fell.'
    """
    known = [word for word in words if word.form]
    return "".join(f"{word.form} " if word.spaced else word.form for word in known).strip()


def references_in(element: Element) -> Iterator[Element]:
    """Yield the references of a node of the t-layer to nodes of the a-layer, the main one first."""
    links = child(element, "a")
    for name in ("lex.rf", "aux.rf"):
        if links is not None:
            yield from members(child(links, name))


def lexical_reference(element: Element) -> Element | None:
    """Return the reference of a node of the t-layer to its main word; generated nodes can copy a word."""
    links = child(element, "a")
    return None if links is None else next(members(child(links, "lex.rf")), None)


def is_member(element: Element) -> bool:
    """Return whether a node is a member of a coordination or apposition."""
    return text_in(element, "is_member") == "1"


def _semantic_tag(element: Element) -> str:
    """Return the semantic part of speech of a node of the t-layer, or the type of a node that has none."""
    grammatemes = child(element, "gram")
    found = "" if grammatemes is None else text_in(grammatemes, "sempos")
    return found or text_in(element, "nodetype") or BLANK


def _grammatemes(element: Element) -> str:
    found = child(element, "gram")
    pairs = {} if found is None else {name_of(each): each.text or "" for each in found}
    return _pairs(**{name: pairs[name] for name in sorted(pairs)})


def _pairs(**values: str) -> str:
    """Return the cell of a column with several values; spaces and bars would end a value."""
    cleaned = {key: "_".join(value.split()).replace("|", OR) for key, value in values.items()}
    return "|".join(f"{key}={value}" for key, value in cleaned.items() if value) or BLANK
