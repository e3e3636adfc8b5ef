"""Read several choices of one annotator, as Label Studio writes them."""

from __future__ import annotations

import json
import re
from typing import Any

_CHOICES = re.compile(r'\s*\{\s*"choices"\s*:')


def chosen(label: Any) -> Any:
    """Return the list in the several choices of Label Studio, an object in JSON-MIN or its text in CSV."""
    if isinstance(label, str) and _CHOICES.match(label):
        try:
            decoded = json.loads(label)
        except (ValueError, RecursionError):
            return label
        label = decoded if has_choices(decoded) else label
    return label["choices"] if has_choices(label) else label


def has_choices(label: Any) -> bool:
    """Return whether an object is the list of several choices."""
    return isinstance(label, dict) and list(label) == ["choices"] and isinstance(label["choices"], list)
