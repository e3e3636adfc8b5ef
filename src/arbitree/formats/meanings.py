"""The meanings that treebankers chose: the MRS of the accepted parses of profiles."""

from __future__ import annotations

import re
from typing import Any

from arbitree import registry
from arbitree.data.decisions import Decisions, Reading
from arbitree.data.readings import projected
from arbitree.data.study import Study
from arbitree.formats.base import Content

READER = "simplemrs"  # the format of the field mrs
# Older grammars put properties on handles, which no reader of MRS takes.
_HANDLE_PROPERTIES = re.compile(r"(\bh[0-9]+)\s*\[\s*h\b[^\[\]]*\]")


def meanings(profiles: Study[Decisions]) -> Study[Any]:
    """Return the accepted parses of *profiles* as meaning representations; what cannot be read is noted."""
    reader = registry.get("formats", READER)

    def make(reading: Reading) -> Any:
        text = without_handle_properties(reading.mrs)
        (entry,) = reader.read(Content("mrs", text.encode("utf-8", "surrogatepass")))
        return entry.value

    return projected(profiles, make, "mrs")


def without_handle_properties(mrs: str) -> str:
    """Return *mrs* without property lists on handles.

    Example:
        >>> without_handle_properties("LBL: h3 [ h SCOPE: WIDEST ] ARG0: e2 [ e TENSE: past ]")
        'LBL: h3 ARG0: e2 [ e TENSE: past ]'
    """
    return _HANDLE_PROPERTIES.sub(r"\1", mrs)
