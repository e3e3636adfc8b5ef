"""The settings of a project, stored in its directory."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from arbitree.errors import FormatError, Source
from arbitree.files import write_whole
from arbitree.reading.guard import guarded
from arbitree.reading.inputs import Reading
from arbitree.web.store import Seal

DATABASE = "arbitree.sqlite"
SETTINGS = "project.json"
TEXTS = ("title", "database", "tagset", "glosses")  # settings that are texts


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """The inputs and options of a project, stored in its directory for the next start."""

    reading: Reading
    title: str | None = None
    one_root: bool = False
    preselect: bool = False
    tagset: str | None = None  # the file, absolute
    glosses: str | None = None
    database: str | None = None  # where decisions are, if not in the folder; no password
    seal: Seal | None = None  # of the history at the last start, stop or backup
    blind: bool = False  # adjudicators do not see names of annotators

    @classmethod
    def of_document(cls, document: dict[str, Any]) -> ProjectSettings:
        """Return the settings in *document*; raise KeyError or TypeError if it is not valid."""
        if not isinstance(document, dict):
            raise TypeError("expected an object in braces")
        own = {name: document[name] for name in OWN if name in document}
        if not all(isinstance(own.get(name), str | None) for name in TEXTS):
            raise TypeError(f"{', '.join(TEXTS)} are texts")
        if own.get("seal") is not None:
            own["seal"] = Seal.of_document(own["seal"])
        rest = {name: value for name, value in document.items() if name not in OWN}
        return cls(Reading.of_document(rest), **own)

    @classmethod
    def of_text(cls, text: str | bytes, path: str, *, hint: str = "") -> ProjectSettings:
        """Return the settings in the *text* of the file *path*; errors end in *hint*."""
        with guarded(path):
            try:
                return cls.of_document(json.loads(text))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise _unreadable(path, error, hint) from None

    @property
    def text(self) -> str:
        """The settings as they are stored."""
        own = {name: getattr(self, name) for name in OWN}
        seal = asdict(self.seal) if self.seal else None
        return json.dumps(asdict(self.reading) | own | {"seal": seal}, indent=2) + "\n"


OWN = tuple(each.name for each in fields(ProjectSettings) if each.name != "reading")


def read_settings(folder: Path) -> ProjectSettings | None:
    """Return the settings of the project in *folder*; None if it has none."""
    path = folder / SETTINGS
    if not path.exists():
        return None
    try:
        text = path.read_bytes()
    except OSError as error:
        raise _unreadable(str(path), error) from None
    return ProjectSettings.of_text(text, str(path))


def write_settings(folder: Path, settings: ProjectSettings) -> None:
    """Store the settings of the project in *folder*."""
    write_whole(folder / SETTINGS, settings.text, hint="Choose another directory with --project")


def store_seal(folder: Path, seal: Seal) -> None:
    """Store the seal of the history, and leave the other settings as they are now."""
    settings = read_settings(folder)
    if settings is None:
        what = f"the file no longer exists, so {seal.count} of the history may be lost"
        raise FormatError(what, Source(str(folder / SETTINGS)), hint="Restore the directory, or a backup")
    write_settings(folder, replace(settings, seal=seal))


def _unreadable(path: str, error: Exception, hint: str = "") -> FormatError:
    why = error.strerror if isinstance(error, OSError) else f"{error}"
    why = f"{error} is missing" if isinstance(error, KeyError) else why
    return FormatError(f"cannot read the project settings ({why})", Source(path), hint=hint or _AGAIN)


_AGAIN = "Pass the files of the annotators again: arbitree serve first.conllu second.conllu --project DIR"
