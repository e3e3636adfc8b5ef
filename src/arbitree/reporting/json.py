"""Documents as JSON."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Any

from arbitree.wording import encoded

if TYPE_CHECKING:
    from arbitree.reporting.document import Document


def render(document: Document, *, cite: bool = False) -> str:
    """Return the data of *document*, with its references if *cite* is true."""
    found = document.to_dict() | ({"citations": document.citations} if cite else {})
    return _with_long(found, document.long) if document.long else written(found)


def files(document: Document, path: str) -> dict[str, bytes]:
    """Return the file *path*."""
    return {path: encoded(render(document))}


def written(found: dict[str, Any]) -> str:
    """Return *found* as JSON with one value per line."""
    return dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _with_long(found: dict[str, Any], key: str) -> str:
    """Return *found* as JSON with the list under *key* last, one entry per line."""
    entries = found.pop(key)
    head = written(found).removesuffix("\n}\n")
    lines = [dumps(each, ensure_ascii=False, allow_nan=False) for each in entries]
    body = "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"
    return f'{head},\n  "{key}": {body}\n}}\n'


PLUGINS = {".json": files}
