"""How a study is read: what the command line was given, kept so that it can be read again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from arbitree.data.projections import labels
from arbitree.data.study import Study
from arbitree.formats.assembly import read_study
from arbitree.formats.inputs import named_path


@dataclass(frozen=True, slots=True)
class Reading:
    """The inputs, and the options that say how they are read."""

    inputs: tuple[str, ...]
    dirs: bool = False
    format: str | None = None
    encoding: str = "utf-8"
    match: str = "auto"
    strict: bool = False
    column: str | None = None

    @classmethod
    def of_document(cls, document: dict[str, Any]) -> Reading:
        """Return what *document* says; raise KeyError or TypeError if it says nothing of the kind."""
        reading = cls(**document | {"inputs": tuple(document["inputs"])})
        texts = (*reading.inputs, reading.format or "", reading.encoding, reading.match, reading.column or "")
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("names of files and options are texts")
        return reading

    def study(self, say: Callable[[str], None] = lambda line: None) -> Study[Any]:
        """Read the study."""
        options = {key: value for key, value in asdict(self).items() if key not in ("inputs", "column")}
        study = read_study(self.inputs, say=say, **options)
        return study if self.column is None else labels(study, self.column)

    def absolute(self) -> Reading:
        """Return the same with paths that hold wherever the server is started."""
        return replace(self, inputs=tuple(map(_absolute, self.inputs)))


def _absolute(argument: str) -> str:
    name, path = named_path(argument)
    whole = str(Path(path).resolve())
    return whole if name is None else f"{name}={whole}"
