"""Read UIMA CAS JSON, which INCEpTION exports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source
from arbitree.formats.uima.building import Structure, cas_of
from arbitree.formats.uima.cas import Cas
from arbitree.formats.uima.layered import CasFormat
from arbitree.reading.content import Content
from arbitree.reading.json_text import decode_json
from arbitree.reading.tables import is_json

STRUCTURES, TYPES = "%FEATURE_STRUCTURES", "%TYPES"
_KEYS = re.compile(r'"%(?:TYPES|FEATURE_STRUCTURES)"\s*:')
_ID = re.compile(r'"%ID"\s*:\s*(\d{1,18})')
_AGAIN = "Export the document again, as UIMA CAS JSON"


class CasJson(CasFormat):
    """The annotations of one document as a list of feature structures; offsets are in UTF-16 units."""

    about: ClassVar[str] = "UIMA CAS JSON, as exported by INCEpTION (.json)"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    def sniff(self, content: Content) -> float:
        """Return 1 if the object has the keys of the format."""
        return float(is_json(content.head) and bool(_KEYS.search(content.head)))

    def parse(self, content: Content) -> Cas:
        """Return the document."""
        found = decode_json(content.text, Source(content.path), hint=_AGAIN)
        listed = found.get(STRUCTURES) if isinstance(found, dict) else None
        if isinstance(listed, dict):  # by id
            listed = [{"%ID": key, **each} for key, each in listed.items() if isinstance(each, dict)]
        if not isinstance(listed, list):
            what = f"the file has no list {STRUCTURES}"
            raise FormatError(what, Source(content.path, 1), hint=_AGAIN)
        return cas_of(_structures(listed, _lines(content.text)), content.path, _supertypes(found.get(TYPES)))


def _supertypes(types: Any) -> dict[str, str]:
    """Return the supertypes in the type system of the file."""
    described = types.items() if isinstance(types, dict) else ()
    return {
        name: above
        for name, each in described
        if isinstance(each, dict) and isinstance(above := each.get("%SUPER_TYPE"), str)
    }


def _lines(text: str) -> dict[str, int]:
    """Return the line of the id of each feature structure."""
    found: dict[str, int] = {}
    line, place = 1, 0
    for each in _ID.finditer(text):
        line += text.count("\n", place, each.start())
        place = each.start()
        found[each[1]] = line
    return found


def _structures(listed: list[Any], lines: dict[str, int]) -> Iterator[Structure]:
    """Yield the feature structures; ``@name`` is a reference, and lists are not values."""
    for each in listed:
        if not isinstance(each, dict):
            continue
        name = str(each.get("%ID", ""))
        values = {
            key: _text(value)
            for key, value in each.items()
            if key[:1] not in ("%", "@", "^") and isinstance(value, str | int | float)
        }
        references = {
            key[1:]: str(value)
            for key, value in each.items()
            if key.startswith("@") and isinstance(value, str | int)
        }
        yield Structure(name, str(each.get("%TYPE", "")), values, references, lines.get(name, 1))


def _text(value: str | float) -> str:
    """Return a value as XMI would contain it."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


PLUGINS = {"cas_json": CasJson()}
