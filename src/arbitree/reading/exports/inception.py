"""Find the files of each annotator in the export of an INCEpTION or WebAnno project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source
from arbitree.plugins import known_name
from arbitree.reading.annotators import BY_NAME, GOLD
from arbitree.reading.content import decoded
from arbitree.reading.exports.container import Container
from arbitree.reading.exports.export import TYPES, Opened, Tool, content_of, documents_line
from arbitree.reading.inputs import Reading
from arbitree.reading.json_text import decode_json
from arbitree.wording import count_of

CURATOR, INITIAL = "CURATION_USER", "INITIAL_CAS"
FINISHED, STARTED = "FINISHED", "IN_PROGRESS"
ALL_STATES = "all"
STATES = ("finished", ALL_STATES)  # values of --state
AGAIN = "Export again with UIMA CAS JSON or WebAnno TSV"
NAMED = 5  # documents that a warning names
_PLACE = re.compile(r"(?P<part>annotation|curation)/(?P<document>[^/]+)/(?P<file>[^/]+)")
_SERIAL = re.compile(r"(?:annotation|curation)_ser/")
_PROJECT = re.compile(r"exportedproject[^/]*\.json")
_EXTENSION = re.compile(r"\.(?:tsv|xmi|json|conllu?|txt|xml|ser|bin)$", re.IGNORECASE)
_TEXT = re.compile(r"\.(?:txt|ser|bin|html?|pdf)$", re.IGNORECASE)  # formats without annotations, or of Java


@dataclass(frozen=True, slots=True)
class _File:
    """One file of one annotator."""

    container: Container
    name: str
    coder: str
    document: str
    types: bytes = b""  # the type system

    @property
    def path(self) -> str:
        """The file, for messages."""
        return self.container.shown(self.name)


class Inception(Tool):
    """A project contains ``annotation/DOCUMENT/USER.EXT``, ``curation/``, and its description as JSON."""

    name: ClassVar[str] = "INCEpTION"
    key: ClassVar[str] = "inception"
    about: ClassVar[str] = (
        "project of INCEpTION or WebAnno (.zip), with all annotators. In the project, click Settings, then "
        "Export, choose the secondary format UIMA CAS JSON or WebAnno TSV v3.3, and export the backup archive"
    )
    example: ClassVar[str] = "PROJECT.zip"
    roles: ClassVar[dict[str, str]] = {CURATOR: GOLD, INITIAL: BY_NAME}

    def recognises(self, names: list[str]) -> bool:
        """Return whether there are annotations in the places of a project, or its description."""
        return any(
            _PLACE.fullmatch(name) or _SERIAL.match(name) or _PROJECT.fullmatch(name) for name in names
        )

    def open(self, container: Container, reading: Reading) -> Opened:
        """Return the files of all annotators who finished, of the curation, and of the initial documents."""
        wanted = known_name(reading.state, STATES, "state")
        states, curation = _states(container)
        found = Opened()
        unfinished: list[tuple[str, str]] = []
        unread: list[_File] = []
        for each in _files(container):
            state = states.get((each.document, each.coder), FINISHED)
            if state == STARTED and wanted != ALL_STATES:
                unfinished.append((each.coder, each.document))
            elif state in (FINISHED, STARTED):
                if _TEXT.search(each.name):
                    unread.append(each)
                else:
                    file = self.input(each.coder, each.path, each.document, container.path)
                    content = content_of(each.container, each.name, reading, each.types)
                    found.files.append((file, content))
        if not any(not each.role for each, _ in found.files):
            raise _nothing(container, unread, unfinished)
        found.line = documents_line(self, found.files)
        found.notes += _unfinished(unfinished)
        if unread:
            others = _listed([each.path for each in unread])
            found.notes.append(f"files without layers are missing: {others}")
        curated = {each.document for each, _ in found.files if each.coder == CURATOR}
        if changing := sorted(curated & curation):
            why = f"the curation is not finished: {_listed(changing)}"
            found.notes.append(f"the gold standard may change, because {why}")
        if not states:
            found.notes.append(f"{container.path}: no list of finished documents, so all of them count")
        return found


def _files(container: Container) -> Iterator[_File]:
    """Yield the files of all annotators; a zip file for one annotator contains a type system as well."""
    types: dict[bytes, bytes] = {}
    for name in container.names:
        place = _PLACE.fullmatch(name)
        if place is None or place["file"] == TYPES:
            continue
        inner: list[tuple[Container, str]] = [(container, name)]
        own = b""
        if name.lower().endswith(".zip"):
            archive = container.nested(name)
            inner = [(archive, each) for each in archive.names if each != TYPES]
            own = archive.read(TYPES) if TYPES in archive.names else b""
        elif f"{name.rpartition('/')[0]}/{TYPES}" in container.names:
            own = container.read(f"{name.rpartition('/')[0]}/{TYPES}")
        own = types.setdefault(own, own)  # one copy of equal ones
        for where, each in inner:
            coder = _EXTENSION.sub("", each.rpartition("/")[2])
            coder = CURATOR if place["part"] == "curation" else coder
            yield _File(where, each, coder, place["document"], own)


def _states(container: Container) -> tuple[dict[tuple[str, str], str], set[str]]:
    """Return the state of each document by annotator, and the documents whose curation is not finished."""
    name = next((each for each in container.names if _PROJECT.fullmatch(each)), None)
    if name is None:
        return {}, set()
    path = container.shown(name)
    text = decoded(container.read(name), "utf-8", path)
    project = decode_json(text, Source(path), hint="Export the project again")
    states = {
        (str(each.get("name")), str(each.get("user"))): str(each.get("state"))
        for each in _objects(project, "annotation_documents")
    }
    curation = {
        str(each.get("name"))
        for each in _objects(project, "source_documents")
        if each.get("state") != "CURATION_FINISHED"
    }
    return states, curation


def _objects(project: Any, key: str) -> list[dict[str, Any]]:
    """Return the objects in a list of the project; empty if there is no such list."""
    found = project.get(key) if isinstance(project, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _unfinished(found: list[tuple[str, str]]) -> list[str]:
    """Return a warning about annotators with documents that are not finished."""
    if not found:
        return []
    coders: dict[str, list[str]] = {}
    for coder, document in found:
        coders.setdefault(coder, []).append(document)
    whom = "; ".join(f"{coder} ({_listed(documents)})" for coder, documents in coders.items())
    return [f"documents that are not finished are missing: {whom}. Set --state all to read them"]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _nothing(container: Container, unread: list[_File], unfinished: list[tuple[str, str]]) -> FormatError:
    """Return the error for a project without annotations that can be read."""
    if unread:
        first = unread[0]
        what = f"the annotations of {first.coder} were exported without layers"
        return FormatError(what, Source(first.path), hint=AGAIN)
    if unfinished:
        what = f"no annotator finished a document; not finished: {count_of(len(unfinished), 'document')}"
        return FormatError(what, Source(container.path), hint="Set --state all to read them")
    what = "the project contains annotations only as .ser files, which only INCEpTION can read"
    if not any(map(_SERIAL.match, container.names)):
        what = "the project contains no annotations"
    return FormatError(what, Source(container.path), hint=AGAIN)
