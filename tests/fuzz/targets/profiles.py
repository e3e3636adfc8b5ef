"""Profiles of [incr tsdb()]: the tables of a directory."""

import shutil
from functools import partial
from pathlib import Path

from arbitree.reading.assembly import read_inputs
from arbitree.reading.inputs import Reading
from tests.fuzz.parts import joined, split
from tests.fuzz.target import EXAMPLES, Run, Target


def _profile(format: str | None, folder: Path) -> Run:
    """Read a profile, whose tables are the parts of an input."""
    place = folder / "profile"

    def run(data: bytes) -> None:
        _, parts = split(data)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for name, content in parts.items():
            if name in TABLES:
                (place / name).write_bytes(content)
        read_inputs(Reading((str(place),), format=format))

    return run


TABLES = (
    "relations",
    "item",
    "parse",
    "result",
    "tree",
    "decision",
    "preference",
    "tree.gz",
    "edge",
    "update",
)


def _profiles() -> list[bytes]:
    found = []
    for coder in ("ann", "bob"):
        tables = {path.name: path.read_bytes() for path in sorted((EXAMPLES / "profiles" / coder).iterdir())}
        short = {name: b"".join(text.splitlines(keepends=True)[:3]) for name, text in tables.items()}
        found += [joined(tables), joined(short | {"relations": tables["relations"]})]
    return found


TARGETS = (
    Target("profiles", partial(_profile, None), _profiles, share=2),
    Target("derivations", partial(_profile, "derivations"), _profiles),
)
