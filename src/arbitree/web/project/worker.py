"""A process of its own for what takes long: ``python -m arbitree.web.project.worker``.

The first line of its input is a job: how the study is read, its fingerprint, and which parts are wanted.
Every finished part is a line of its output. It ends when it is done, or when its input ends because nobody
waits any more.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from threading import Thread
from typing import IO, Any

import arbitree
from arbitree.errors import ArbitreeError
from arbitree.reading.assembly import Reading
from arbitree.study.study import Study
from arbitree.web.project.editions import contents_of

READING = [each.name for each in fields(Reading)]  # what of a job says how files are read
POLITE = 10  # others come first
CHANGED = "the files have changed since the server was started; start it again"


def main() -> None:
    """Do the job that stands in the input."""
    # Whatever else prints goes elsewhere: the output holds documents alone.
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(POLITE)
    asked = sys.stdin.readline()
    if not asked:
        return
    Thread(target=_watch, args=(sys.stdin,), daemon=True).start()
    for line in done(json.loads(asked)):
        try:
            lines.write(json.dumps(line, allow_nan=False) + "\n")
            lines.flush()
        except BrokenPipeError:
            os._exit(0)  # nobody reads it


def done(job: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parts that *job* asks for, or why they are not there."""
    try:
        study = Reading.of_document({name: job[name] for name in READING if name in job}).study()
    except ArbitreeError as error:
        yield from _absent(job["parts"], str(error))
        return
    wanted = job.get("fingerprint")
    if wanted and contents_of(study).fingerprint != wanted:
        yield from _absent(job["parts"], CHANGED)
        return
    for part in job["parts"]:
        yield _part(part, study)


def _absent(parts: Sequence[str], why: str) -> Iterator[dict[str, Any]]:
    """Yield what may be there the next time."""
    yield from ({"part": part, "absent": why, "passing": True} for part in parts)


def _part(part: str, study: Study[Any]) -> dict[str, Any]:
    from arbitree.web.project.background_parts import made

    try:
        return {"part": part, "document": made(part, study) | {"version": arbitree.__version__}}
    except ArbitreeError as error:
        return {"part": part, "absent": str(error)}
    except Exception as error:
        traceback.print_exc()
        return next(_absent([part], f"this could not be computed ({type(error).__name__})"))


def _watch(stream: IO[str]) -> None:
    """End the process when whoever started it is gone; the kernels would not hear of it otherwise."""
    stream.read()
    os._exit(0)


if __name__ == "__main__":
    main()
