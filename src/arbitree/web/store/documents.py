"""JSON documents in rows of the database."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from arbitree.web.store.faults import DamagedRow

HASH = "hash"


def document_of(text: str) -> dict[str, Any]:
    """Return the document in a row; raise DamagedRow if it is not one."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError) as fault:
        raise DamagedRow(str(fault)) from fault
    if not isinstance(found, dict):
        raise DamagedRow("expected a JSON object")
    return found


def hashed_text(document: dict[str, Any]) -> str:
    """Return a document as text that contains its own hash.

    Example:
        >>> hashed_document(hashed_text({"items": 3}))
        {'items': 3}
    """
    return json.dumps(document | {HASH: _hash(document)})


def hashed_document(text: str) -> dict[str, Any]:
    """Return a document without its hash; raise DamagedRow if the hash is that of another document."""
    found = document_of(text)
    if found.pop(HASH, None) not in (None, _hash(found)):  # documents of older versions have no hash
        raise DamagedRow("the document has changed")
    return found


def _hash(document: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(document).encode()).hexdigest()
