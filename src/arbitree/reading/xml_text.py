"""Parse XML from outside: nothing is fetched, entities are not resolved, and broken XML is a FormatError."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from arbitree.errors import FormatError, Source

# Options of every parser of lxml.
SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "remove_comments": True}
DEEPEST = 256  # nested elements that libxml2 allows
_PLACE = re.compile(r", line \d+, column \d+.*", re.DOTALL)


@contextmanager
def well_formed(path: str, *, hint: str) -> Iterator[None]:
    """Turn errors of a parser of lxml into FormatError.

    Args:
        path: The file.
        hint: How to correct the file.
    """
    from lxml import etree

    try:
        yield
    except etree.XMLSyntaxError as error:
        what = _PLACE.sub("", error.msg or "the XML is not well formed")
        if "depth" in what.lower():
            what, hint = "the elements are nested too deeply", f"Remove levels: {DEEPEST} are allowed"
        raise FormatError(what, Source(path, error.lineno or 1), hint=hint) from None
