"""Define what an export of an annotation tool is, and find the tool of a zip file or directory."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from arbitree.errors import FormatError, Source
from arbitree.reading.content import Content
from arbitree.reading.exports.container import Container, Folder, opened
from arbitree.reading.guard import guarded
from arbitree.reading.inputs import Input, Reading
from arbitree.reading.limits import Limit
from arbitree.wording import count_of

TYPES = "TypeSystem.xml"  # the type system of UIMA CAS XMI
SHOWN = 3  # directories or files that an error shows


@dataclass(slots=True)
class Opened:
    """The files of an export, each with its annotator and document, and what to tell about it."""

    files: list[tuple[Input, Content]] = field(default_factory=list)
    line: str = ""  # the tool, and what was found
    notes: list[str] = field(default_factory=list)  # warnings, such as documents that are not finished


class Tool(ABC):
    """A tool whose exports contain the files of several annotators."""

    name: ClassVar[str]  # as users know it
    key: ClassVar[str]  # in the list of formats
    about: ClassVar[str]  # what an export contains, and what to click to get one
    example: ClassVar[str]  # the usual name of an export
    roles: ClassVar[dict[str, str]]  # by name: GOLD or BY_NAME of ``reading.annotators``

    @abstractmethod
    def recognises(self, names: list[str]) -> bool:
        """Return whether files with these *names* are an export of this tool."""

    @abstractmethod
    def open(self, container: Container, reading: Reading) -> Opened:
        """Return the files of all annotators.

        Raises:
            FormatError: If the export contains no annotations that can be read.
        """

    def input(self, coder: str, path: str, document: str, export: str) -> Input:
        """Return the description of one file: its annotator with a role, its document, and its export."""
        return Input(coder, path, document, role=self.roles.get(coder, ""), export=export)


def content_of(container: Container, name: str, reading: Reading, types: bytes = b"") -> Content:
    """Return the content of one file of an export.

    Raises:
        FormatError: If the file is empty.
    """
    data = container.read(name)
    path = container.shown(name)
    if not data.strip():
        raise FormatError("the file is empty", Source(path, 1), hint="Export the project again")
    return Content(path, data, reading.encoding, reading=reading, types=types)


def open_export(each: Input, reading: Reading, tools: Iterable[Tool]) -> Opened:
    """Return the files of the export at the path of an input.

    Raises:
        FormatError: If no tool writes such files.
    """
    with guarded(each.path):
        container = opened(each.path, Limit.of(reading.max_size))
        if single := _document(container):
            types = container.read(TYPES) if TYPES in container.names else b""
            file = replace(each, path=container.shown(single))
            return Opened([(file, content_of(container, single, reading, types))])
        for part in _levels(container):
            for tool in tools:
                if tool.recognises(part.names):
                    found = tool.open(part, reading)
                    found.files.sort(key=lambda file: (file[0].coder, file[0].document))
                    return found
    raise not_an_export(container)


def _document(container: Container) -> str | None:
    """Return the only file of a zip file besides a type system, if it is a document exported as XMI."""
    names = [name for name in container.names if name != TYPES]
    only = names[0] if len(names) == 1 and not isinstance(container, Folder) else ""
    return only if only.lower().endswith(".xmi") else None


def _levels(container: Container) -> list[Container]:
    """Return *container* and, if all its files are in one directory, the files in this directory."""
    tops = {name.partition("/")[0] for name in container.names if "/" in name}
    loose = [name for name in container.names if "/" not in name]
    if len(tops) != 1 or loose:
        return [container]
    return [container, container.inside(f"{tops.pop()}/")]


def not_an_export(container: Container) -> FormatError:
    """Return the error for a zip file or directory that no tool writes."""
    shown = f" (it contains {container.names[0]!r})" if container.names else " (it is empty)"
    what = f"this {container.noun} is not an export of Arborator or INCEpTION{shown}"
    hint = "Unpack it, and pass one file per annotator"
    if isinstance(container, Folder):
        what = f"expected a file, got a directory that is not an export of Arborator or INCEpTION{shown}"
        folders = sorted({name.partition("/")[0] for name in container.names if "/" in name})
        names = folders or container.names
        typed = shlex.join(str(Path(container.path, each)) for each in names[:SHOWN])
        typed += " ..." if len(names) > SHOWN else ""
        hint = f"For one directory per annotator, add --dirs, and pass {typed}"
        if not folders:
            hint = f"Pass the files in it: {typed}; if they belong to one annotator, add --dirs"
        if not names:
            hint = "Pass one file per annotator"
    return FormatError(what, Source(container.path), hint=hint)


def documents_line(tool: Tool, files: list[tuple[Input, Content]], what: str = "document") -> str:
    """Return the first line about an export.

    Example:
        >>> documents_line(type("Arborator", (Tool,), {"name": "Arborator"}), [], "sample")
        'Export of Arborator: 0 samples'
    """
    return f"Export of {tool.name}: {count_of(len({each.document for each, _ in files}), what)}"
