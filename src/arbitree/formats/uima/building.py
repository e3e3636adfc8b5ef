"""Build a document from feature structures, as XMI and CAS JSON contain them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.uima.cas import CHAIN, RELATION, SPAN, Cas, Mark, Place, Sentence, code_points

SOFA = "uima.cas.Sofa"
TOKEN, SENTENCE = "segmentation.type.Token", "segmentation.type.Sentence"
POS = "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS"
DEPENDENCY = "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency"
# Packages whose types are layers; elsewhere, a supertype may only be what unlike types have in common.
OF_LAYERS = (".dkpro.core.api.", "webanno.custom.")
# Types that describe the document or its structure, not the work of an annotator.
STRUCTURE = (
    "uima.tcas.DocumentAnnotation",
    ".metadata.type.DocumentMetaData",
    ".metadata.type.TagsetDescription",
    ".metadata.type.TagDescription",
    ".segmentation.type.",
    ".api.type.CASMetadata",
    ".api.type.FeatureDefinition",
    ".api.type.LayerDefinition",
    "org.dkpro.core.api.xml.type.",
)
LAYERS = ("segmentation.type.Lemma", "segmentation.type.Stem", "segmentation.type.SurfaceForm")
GOVERNOR, DEPENDENT, NEXT = "Governor", "Dependent", "next"
PRIMITIVE = frozenset(
    f"uima.cas.{name}"
    for name in ("String", "Boolean", "Byte", "Short", "Integer", "Long", "Float", "Double")
)
Point = Callable[[int], int]  # from UTF-16 units to code points
_AGAIN = "Export the document again"


@dataclass(frozen=True, slots=True)
class Structure:
    """A feature structure: its type, its features as text, and its references to others."""

    id: str
    type: str
    values: Mapping[str, str]
    references: Mapping[str, str]
    line: int
    doubtful: bool = False  # whether values may be references, because the type system is missing


def cas_of(structures: Iterable[Structure], path: str, supertypes: Mapping[str, str]) -> Cas:
    """Return the document that consists of *structures*.

    Args:
        structures: What the file contains.
        path: The file.
        supertypes: By type, as far as the type system is known.
    Raises:
        FormatError: If there is no text, or an annotation is not in the text.
    """
    structures = _in_layers(structures, supertypes)
    known = {each.id: each for each in structures}
    places: list[tuple[Structure, Place]] = []
    text = _text(structures, known, path)
    point = code_points(text)
    cas = Cas(text)
    for each in structures:
        place = _place(each, point, len(text), path)
        if place is None:
            continue
        if each.type.endswith(TOKEN):
            cas.tokens.append(place)
        elif each.type.endswith(SENTENCE):
            cas.sentences.append(Sentence(*place, each.line, each.values.get("id")))
        elif _is_annotation(each.type):
            places.append((each, place))
    cas.tokens = sorted(set(cas.tokens))
    cas.sentences.sort(key=lambda each: (each.begin, each.end))
    for each, place in places:
        _add(cas, each, place, known, point, path)
    return cas


def _in_layers(structures: Iterable[Structure], supertypes: Mapping[str, str]) -> list[Structure]:
    """Return *structures*, those of subtypes with the type of their layer."""
    found: dict[str, str] = {}
    kept: list[Structure] = []
    for each in structures:
        if each.type not in found:
            found[each.type] = layer_type(each.type, supertypes)
        layer = found[each.type]
        kept.append(each if layer == each.type else replace(each, type=layer))
    return kept


def layer_type(name: str, supertypes: Mapping[str, str]) -> str:
    """Return the type of the layer of a type: its first ancestor that is a layer, or else the type itself.

    Parts of speech and dependencies with types of their own are known by their package.

    Example:
        >>> layer_type("my.Root", {"my.Root": DEPENDENCY, DEPENDENCY: "uima.tcas.Annotation"}) == DEPENDENCY
        True
        >>> layer_type("my.Gene", {"my.Gene": "my.Annotation"})
        'my.Gene'
    """
    found, seen, ancestor = name, {name}, supertypes.get(name, "")
    while ancestor and ancestor not in seen:
        if any(package in ancestor for package in OF_LAYERS):
            found = ancestor
        seen.add(ancestor)
        ancestor = supertypes.get(ancestor, "")
    packages = {layer.rpartition(".")[0]: layer for layer in (POS, DEPENDENCY)}
    return packages.get(found.rpartition(".")[0], found)


def _text(structures: Sequence[Structure], known: Mapping[str, Structure], path: str) -> str:
    """Return the text that the tokens are in: that of their view, or the only one."""
    sofas = [each for each in structures if each.type == SOFA and "sofaString" in each.values]
    token = next((each for each in structures if each.type.endswith(TOKEN)), None)
    own = known.get(token.references.get("sofa", "")) if token is not None else None
    chosen = own if own in sofas else next(iter(sofas), None)
    if chosen is None:
        raise FormatError("the document contains no text", Source(path), hint=_AGAIN)
    return chosen.values["sofaString"]


def _place(each: Structure, point: Point, length: int, path: str) -> Place | None:
    """Return where an annotation begins and ends, in code points; None for other feature structures."""
    if "begin" not in each.values or "end" not in each.values:
        return None
    try:
        begin, end = point(int(each.values["begin"])), point(int(each.values["end"]))
    except ValueError:
        begin, end = 1, 0
    if not 0 <= begin <= end <= length:
        there = shorten(f"{each.values['begin']}-{each.values['end']}")
        what = f"the annotation has the offsets {there}, which are not in the text"
        raise FormatError(what, Source(path, each.line), hint=_AGAIN)
    return begin, end


@lru_cache(maxsize=1000)
def _is_annotation(name: str) -> bool:
    """Return whether a type is the work of annotators, not the structure of a document."""
    return name.endswith(LAYERS) or not any(part in name for part in STRUCTURE)


def _is_link(value: str, known: Mapping[str, Structure]) -> bool:
    """Return whether a feature of unknown type is a list of links, which do not annotate the text."""
    found = [known.get(each) for each in value.split()]
    return all(
        each is not None and "begin" not in each.values and not each.type.startswith("uima.")
        for each in found
    )


def _add(
    cas: Cas, each: Structure, place: Place, known: Mapping[str, Structure], point: Point, path: str
) -> None:
    """Add an annotation to its layer."""
    values = {
        key: value
        for key, value in each.values.items()
        if key not in ("begin", "end") and not (each.doubtful and _is_link(value, known))
    }
    if GOVERNOR in each.references and DEPENDENT in each.references:
        ends = [known.get(each.references[end]) for end in (DEPENDENT, GOVERNOR)]
        places = [_place(end, point, len(cas.text), path) for end in ends if end is not None]
        if len(places) < 2 or places[0] is None or places[1] is None:
            what = "the relation refers to an annotation that is not in the file"
            raise FormatError(what, Source(path, each.line), hint=_AGAIN)
        cas.layer(each.type, RELATION).marks.append(Mark(*places[0], values, each.line, places[1]))
        return
    shape = CHAIN if NEXT in each.references or each.type.endswith("Link") else SPAN
    values = {} if shape == CHAIN else values
    cas.layer(each.type, shape).marks.append(Mark(*cas.settled(place), values, each.line))
