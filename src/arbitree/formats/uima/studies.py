"""Tell which layers of a document are trees or labels, and take these from a layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from arbitree.errors import Source
from arbitree.formats.uima.cas import CHAIN, RELATION, Cas, Mark, MarkLayer, Place
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.value import Label
from arbitree.reading.content import Content, Entry
from arbitree.reading.layers import Layer

# The feature that users mean by the name of a layer that every project has.
MAIN = {
    "POS": "PosValue",
    "Dependency": "DependencyType",
    "Lemma": "value",
    "Stem": "value",
    "MorphologicalFeatures": "value",
    "NamedEntity": "value",
    "Chunk": "chunkValue",
}
FLAVOR, BASIC = "flavor", "basic"  # of dependencies: enhanced ones are not a tree
ABSENT = "_"
COLUMNS = {"lemma": ("Lemma", "value"), "upos": ("POS", "coarseValue"), "xpos": ("POS", "PosValue")}
UNATTACHED = "tokens without a head are attached to the root with the relation _"
AROUND = 60  # characters of the text before and after a labelled token


def layers_in(cas: Cas, path: str) -> list[Layer]:
    """Return the features of all layers in the file *path* that have values, and layers without values."""
    found: list[Layer] = []
    tokens = set(cas.tokens)
    for layer in cas.layers.values():
        unit = {RELATION: "relation", CHAIN: "link"}.get(layer.shape, "label")
        obstacle, shown = _obstacle(layer, cas, tokens)
        place = None if shown is None else Source(path, shown.line)
        counts = Counter(feature for mark in layer.marks for feature in mark.values)
        if layer.shape == RELATION:
            counts.pop(FLAVOR, None)
        main = MAIN.get(layer.name.rpartition(".")[2])
        if obstacle and layer.shape not in (RELATION, CHAIN):
            unit = "span"
        if not counts or layer.shape == CHAIN:
            empty = "" if layer.shape == RELATION else "no feature has a value"
            why = obstacle or empty
            found.append(Layer(layer.name, "", unit, len(layer.marks), why, main=True, place=place))
        for feature, count in sorted(counts.items()) if layer.shape != CHAIN else ():
            found.append(Layer(layer.name, feature, unit, count, obstacle, main=feature == main, place=place))
    return found


def _obstacle(layer: MarkLayer, cas: Cas, tokens: set[Place]) -> tuple[str, Mark | None]:
    """Return why a layer is neither a tree nor one value per token, and the first annotation that shows it.

    Without an obstacle, it is the first annotation of the layer.
    """
    first = next(iter(layer.marks), None)
    if layer.shape == CHAIN:
        return "a chain", first
    if layer.shape == RELATION:
        for mark in layer.marks:
            if mark.place not in tokens or mark.governor not in tokens:
                return "relations between spans, not tokens", mark
        return "", first
    for mark in layer.marks:
        if mark.place not in tokens and not cas.in_one_token(mark.place):
            return "spans of several tokens", mark
    seen: set[Place] = set()
    for mark in layer.marks:
        if mark.place in seen:
            return "several annotations of one token", mark
        seen.add(mark.place)
    return "", first


def entries_in(cas: Cas, layer: Layer, content: Content) -> Iterator[Entry[DepTree | Label]]:
    """Yield the trees or labels of a layer; a document without the layer has trees without relations."""
    if layer.unit == "relation":
        yield from _trees(cas, layer, content)
        return
    marks = cas.layers[layer.name].marks if layer.name in cas.layers else []
    for mark in sorted(marks, key=lambda each: each.place):
        value = mark.values.get(layer.feature)
        if value is not None:
            number = cas.sentence_of(mark.place)
            place = f"{mark.begin}-{mark.end}"
            source = Source(content.path, mark.line)
            text = _context(cas, mark)
            yield Entry(Label(value), source, place, cluster=str(number), text=text)


def _context(cas: Cas, mark: Mark) -> str:
    """Return the text around a label, with brackets around the labelled token."""
    before = cas.text[max(0, mark.begin - AROUND) : mark.begin]
    after = cas.text[mark.end : mark.end + AROUND]
    return " ".join(f"{before}[{cas.text[mark.begin : mark.end]}]{after}".split())


def _trees(cas: Cas, layer: Layer, content: Content) -> Iterator[Entry[DepTree | Label]]:
    """Yield a tree for each sentence, except those in which a token has two heads or one elsewhere."""
    marks = cas.layers[layer.name].marks if layer.name in cas.layers else []
    arcs: dict[Place, list[Mark]] = {}
    for mark in marks:
        if mark.values.get(FLAVOR, BASIC) == BASIC:
            arcs.setdefault(mark.place, []).append(mark)
    columns = {name: _column(cas, *where) for name, where in COLUMNS.items()}
    position = 0
    for number, sentence in enumerate(cas.sentences, start=1):
        tokens = []
        while position < len(cas.tokens) and cas.tokens[position][0] < sentence.end:
            tokens.append(cas.tokens[position])
            position += 1
        source = Source(content.path, sentence.line)
        if not tokens:
            continue
        tree = _tree(cas, tokens, arcs, layer.feature)
        if isinstance(tree, str):
            content.notes.append(f"{source}: the sentence is not a tree, so it is missing: {tree}")
            continue
        heads, relations = tree
        if any(token not in arcs for token in tokens) and UNATTACHED not in content.remarks:
            content.remarks.append(UNATTACHED)
        forms = tuple(cas.text[begin:end] for begin, end in tokens)
        rest = {
            name: tuple(known.get(token, ABSENT) for token in tokens)
            for name, known in columns.items()
            if known
        }
        name = sentence.id or str(number)
        yield Entry(DepTree(forms, heads, relations, rest, (f"# sent_id = {name}",)), source, name)


def _tree(
    cas: Cas, tokens: list[Place], arcs: dict[Place, list[Mark]], feature: str
) -> tuple[tuple[int, ...], tuple[str, ...]] | str:
    """Return heads and relations, or why the sentence is not a tree; a token without a head is a root."""
    numbers = {token: number for number, token in enumerate(tokens, start=1)}
    heads, relations = [], []
    for token in tokens:
        own = arcs.get(token, [])
        form = cas.text[token[0] : token[1]]
        if len(own) > 1:
            return f"{form!r} has {len(own)} heads (line {own[1].line})"
        governor = own[0].governor if own else token
        if governor not in numbers:
            return f"the head of {form!r} is in another sentence (line {own[0].line})"
        heads.append(0 if governor == token else numbers[governor])
        relations.append(own[0].values.get(feature, ABSENT) if own else ABSENT)
    return tuple(heads), tuple(relations)


def _column(cas: Cas, layer: str, feature: str) -> dict[Place, str]:
    """Return the values of a feature by token."""
    found = [own for own in cas.layers.values() if own.name.rpartition(".")[2] == layer]
    return {mark.place: mark.values[feature] for own in found for mark in own.marks if feature in mark.values}
