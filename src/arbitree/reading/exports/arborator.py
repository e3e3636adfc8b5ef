"""Find the files of each annotator in the dump of an Arborator project."""

from __future__ import annotations

import re
from typing import ClassVar

from arbitree.reading.annotators import BY_NAME, GOLD
from arbitree.reading.exports.container import Container
from arbitree.reading.exports.export import Opened, Tool, content_of, documents_line
from arbitree.reading.inputs import Reading

# Trees that are not those of one annotator; "last" contains copies of the latest trees.
VALIDATED = "validated"
ROLES = {VALIDATED: GOLD, "base_tree": BY_NAME, "last": BY_NAME}
_FOLDERS = re.compile(r"(?P<user>[^/]+)/(?P<sample>[^/]+)\.conllu?")
_FLAT = re.compile(r"(?P<sample>[^/]+)\.(?P<user>[^/.]+)\.conllu?")  # of older versions


class Arborator(Tool):
    """A dump contains ``USER/SAMPLE.conllu``; in older versions, ``SAMPLE.USER.conllu``."""

    name: ClassVar[str] = "Arborator"
    key: ClassVar[str] = "arborator"
    about: ClassVar[str] = (
        "dump.PROJECT.zip of Arborator, with all annotators. In the project, select the samples, click "
        "Export, and choose all users"
    )
    example: ClassVar[str] = "dump.PROJECT.zip"
    roles: ClassVar[dict[str, str]] = ROLES

    def recognises(self, names: list[str]) -> bool:
        """Return whether all files have one of the two layouts."""
        return bool(names) and any(all(map(layout.fullmatch, names)) for layout in (_FOLDERS, _FLAT))

    def open(self, container: Container, reading: Reading) -> Opened:
        """Return the files of all annotators; samples are documents."""
        layout = _FOLDERS if _FOLDERS.fullmatch(container.names[0]) else _FLAT
        found = Opened()
        for name in container.names:
            parts = layout.fullmatch(name)
            if parts is not None:
                each = self.input(parts["user"], container.shown(name), parts["sample"], container.path)
                found.files.append((each, content_of(container, name, reading)))
        found.line = documents_line(self, found.files, "sample")
        return found
