"""The tools whose exports are read, and the files in an export among other inputs."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree.backends.base import Say
from arbitree.reading.content import Content, load
from arbitree.reading.exports.arborator import Arborator
from arbitree.reading.exports.container import is_container
from arbitree.reading.exports.export import Tool, open_export
from arbitree.reading.exports.inception import Inception
from arbitree.reading.inputs import Input, Reading

TOOLS: tuple[Tool, ...] = (Inception(), Arborator())


def loaded(
    inputs: Sequence[Input], reading: Reading, say: Say
) -> tuple[list[tuple[Input, Content]], list[str]]:
    """Return the content of all files, with those in exports instead of the exports, and warnings."""
    found: list[tuple[Input, Content]] = []
    notes: list[str] = []
    for each in inputs:
        if not each.found and is_container(each.path):
            export = open_export(each, reading, TOOLS)
            if export.line:
                say(export.line)
            found += export.files
            notes += export.notes
        else:
            content = load(each.path, encoding=reading.encoding, reading=reading, undecided=each.found)
            found.append((each, content))
    return found, notes
