"""Read UIMA CAS XMI, which INCEpTION and WebAnno export together with a type system."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias

from arbitree.errors import FormatError, Source
from arbitree.files import note_input
from arbitree.formats.uima.building import DEPENDENT, GOVERNOR, NEXT, PRIMITIVE, Structure, cas_of
from arbitree.formats.uima.cas import Cas
from arbitree.formats.uima.layered import CasFormat
from arbitree.reading.content import Content
from arbitree.reading.exports.export import TYPES
from arbitree.reading.xml_text import SAFE, well_formed

Element: TypeAlias = Any  # of lxml, which has no types
Ranges = Mapping[str, Mapping[str, str]]  # by type and feature: the type of its values

XMI = "http://www.omg.org/XMI"
ID = f"{{{XMI}}}id"
TOP = "uima.cas.TOP"
REFERENCES = ("sofa", GOVERNOR, DEPENDENT, NEXT)  # features that are references in every type system
_ROOT = re.compile(r"<(?:[\w.-]+:)?XMI[\s>]")
_VERSION = re.compile(rb"(<\?xml[^>]{0,100}version\s*=\s*[\"'])1\.1")
_CONTROL = re.compile(rb"&#(?:x0*(?:[1-8bcefBCEF]|1[0-9a-fA-F])|0*(?:[1-8]|1[124-9]|2\d|3[01]));")


class TypeSystem(NamedTuple):
    """The types of the features of all types, and their supertypes."""

    ranges: Ranges
    supertypes: Mapping[str, str]


class CasXmi(CasFormat):
    """The annotations of one document as XML elements; offsets are in UTF-16 units.

    The type system (TypeSystem.xml next to the file) tells values from references. Without it, features are
    known by their names. XML 1.1 is read as XML 1.0. Entities are refused, and nothing is fetched.
    """

    about: ClassVar[str] = "UIMA CAS XMI, as exported by INCEpTION and WebAnno (.xmi)"
    suffixes: ClassVar[tuple[str, ...]] = (".xmi",)
    needs: ClassVar[tuple[str, ...]] = ("lxml",)

    def sniff(self, content: Content) -> float:
        """Return 1 if there is an element XMI with its namespace."""
        head = content.head.lstrip()
        return float(head.startswith("<") and XMI in head and bool(_ROOT.search(head)))

    def parse(self, content: Content) -> Cas:
        """Return the document."""
        root = _root(content.data, content.path)
        types = content.types or _beside(content.path)
        system = _type_system(types) if types else TypeSystem({}, {})
        if not types:
            content.remarks.append("there is no type system, so features are known by their names")
        return cas_of(_structures(root, system.ranges), content.path, system.supertypes)


def _beside(path: str) -> bytes:
    """Return the type system in the directory of a file, or nothing."""
    place = Path(path).with_name(TYPES)
    try:
        if not Path(path).is_file() or not place.is_file():
            return b""
        note_input(str(place))
        return place.read_bytes()
    except OSError:
        return b""


def _root(data: bytes, path: str) -> Element:
    """Return the root element.

    Raises:
        FormatError: If the XML is not well formed or declares entities.
    """
    from lxml import etree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        line = data.count(b"\n", 0, max(data.find(b"<!DOCTYPE"), data.find(b"<!ENTITY"), 0)) + 1
        what = "the XML declares a document type, which can define entities"
        raise FormatError(what, Source(path, line), hint="Remove the declaration <!DOCTYPE ...>")
    if _VERSION.match(data.lstrip()):
        data = _CONTROL.sub(b"&#xfffd;", _VERSION.sub(rb"\g<1>1.0", data.lstrip(), count=1))
    try:
        with well_formed(path, hint="Export the document again"):
            return etree.fromstring(data, etree.XMLParser(**SAFE, huge_tree=True))
    except ValueError as error:
        raise FormatError(f"cannot read the XML ({error})", Source(path, 1), hint="Export again") from None


@lru_cache(maxsize=4)  # the files of an export share one
def _type_system(types: bytes) -> TypeSystem:
    """Return the supertypes, and the types of the features of all types, including those they inherit."""
    root = _root(types, TYPES)
    own: dict[str, dict[str, str]] = {}
    parents: dict[str, str] = {}
    for each in root.iter("{*}typeDescription"):
        name = each.findtext("{*}name", "").strip()
        parents[name] = each.findtext("{*}supertypeName", TOP).strip()
        own[name] = {
            feature.findtext("{*}name", "").strip(): feature.findtext("{*}rangeTypeName", "").strip()
            for feature in each.iterfind("{*}features/{*}featureDescription")
        }
    found: dict[str, dict[str, str]] = {}
    for name in own:
        line, seen = name, set()
        found[name] = {}
        while line in own and line not in seen:
            found[name] = own[line] | found[name]
            seen.add(line)
            line = parents[line]
    return TypeSystem(found, parents)


def _structures(root: Element, ranges: Ranges) -> Iterator[Structure]:
    names: dict[str, str] = {}
    for element in root:
        tag = element.tag
        if not isinstance(tag, str):
            continue
        if tag not in names:
            names[tag] = _type(tag)
        name = names[tag]
        known = ranges.get(name)
        values: dict[str, str] = {}
        references: dict[str, str] = {}
        for key, value in element.attrib.items():
            if key in REFERENCES:
                references[key] = value
            elif key in ("begin", "end") or known is None or known.get(key) in PRIMITIVE:
                values[key] = value
        values.pop(ID, None)
        yield Structure(element.get(ID, ""), name, values, references, element.sourceline or 1, known is None)


def _type(tag: str) -> str:
    """Return the name of a type from that of an element.

    Example:
        >>> _type("{http:///webanno/custom.ecore}Span")
        'webanno.custom.Span'
    """
    space, _, name = tag.removeprefix("{").rpartition("}")
    package = space.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}" if package and package != "uima.noNamespace" else name


PLUGINS = {"cas_xmi": CasXmi()}
