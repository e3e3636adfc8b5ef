"""Parse PML as XML without entities, and find the members of lists, texts and orders in it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from arbitree.errors import FormatError, Source, shorten
from arbitree.reading.content import Content
from arbitree.reading.xml_text import SAFE, well_formed

Element: TypeAlias = Any  # of lxml, which has no types

NAMESPACE = "http://ufal.mff.cuni.cz/pdt/pml/"
MEMBER, ALTERNATIVE = "LM", "AM"
# Members of lists: LM, and the elements of the Latvian Treebank, whose phrases are nodes of the tree.
MEMBERS = frozenset({MEMBER, "node", "pmcinfo", "xinfo", "coordinfo"})
OR = "/"  # between alternative values

# The first element after declarations and comments; groups that do not backtrack, as files may be broken.
_ROOT = re.compile(
    r"(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*+(?:\[.*?\])?\s*+>)*+<([^\s<>/?!]++)([^<>]*+)", re.DOTALL
)
_DECLARED = re.compile(rb"<!ENTITY")


def root_of(head: str) -> tuple[str, str] | None:
    """Return the name of the first element without its prefix, and its attributes; None if it is not XML.

    Example:
        >>> root_of('<?xml version="1.0"?><tdata xmlns="http://ufal.mff.cuni.cz/pdt/pml/">')
        ('tdata', ' xmlns="http://ufal.mff.cuni.cz/pdt/pml/"')
    """
    found = _ROOT.match(head) if head.lstrip().startswith("<") else None
    return (found[1].rpartition(":")[2], found[2]) if found else None


def parse(content: Content) -> Element:
    """Return the root element of *content*; raise FormatError for entities and broken XML."""
    from lxml import etree

    declared = _DECLARED.search(content.data)
    if declared:
        raise _entity(Source(content.path, 1 + content.data.count(b"\n", 0, declared.start())))
    with well_formed(content.path, hint="Copy or export the file again"):
        root = etree.fromstring(content.data, etree.XMLParser(**SAFE, remove_pis=True))
    unknown = next(root.iter(etree.Entity), None)
    if unknown is not None:
        raise _entity(Source(content.path, unknown.sourceline))
    return root


def _entity(source: Source) -> FormatError:
    hint = "Replace each entity by its text"
    return FormatError("the XML contains entities, which Arbitree does not read", source, hint=hint)


def name_of(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def child(element: Element, *names: str) -> Element | None:
    """Return the first element called one of *names*, tried in this order."""
    for name in names:
        found = next(element.iterchildren(f"{{*}}{name}"), None)  # faster than find
        if found is not None:
            return found
    return None


def members(element: Element | None) -> Iterator[Element]:
    """Yield the members of a list; a list with a single member can be the member itself.

    Example:
        >>> from lxml import etree
        >>> whole = etree.fromstring("<children><LM id='n1'/><LM id='n2'/></children>")
        >>> short = etree.fromstring("<children id='n1'><ord>1</ord></children>")
        >>> [[each.get("id") for each in members(children)] for children in (whole, short)]
        [['n1', 'n2'], ['n1']]
    """
    if element is None:
        return
    inside = list(element)
    if element.get("id") is None and all(name_of(each) in MEMBERS for each in inside):
        yield from inside
        if not inside and (element.text or "").strip():  # a list of texts
            yield element
    else:
        yield element


def text_in(element: Element, *names: str) -> str:
    """Return the text of the first of *names*, "" if there is none; alternatives are joined by a slash."""
    found = child(element, *names)
    if found is None:
        return ""
    inside = [each for each in found if name_of(each) == ALTERNATIVE]
    return OR.join(sorted(" ".join((each.text or "").split()) for each in inside or [found]))


def number_in(element: Element, path: str, *names: str) -> float:
    """Return the number in the first of *names*, which orders the nodes of a tree."""
    text = text_in(element, *names)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if math.isfinite(number):
        return number
    what = (
        f"{names[0]} {shorten(text)} is not a number" if text else f"<{name_of(element)}> has no <{names[0]}>"
    )
    hint = f"Arbitree orders the nodes of a tree by <{names[0]}>: add it to every node"
    raise FormatError(what, Source(path, element.sourceline), hint=hint)
