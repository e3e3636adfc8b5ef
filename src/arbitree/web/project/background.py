"""Results that take long: computed by a separate process, stored in the database, requested by pages.

The process runs this module: ``python -m arbitree.web.project.background``. The first line of its input is a
job: how to read the study, its fingerprint, and the parts to compute. Every finished part is a line of its
output. The process ends when it has finished, or when its input ends because the server has stopped.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from threading import Lock, Thread
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import arbitree
from arbitree.adjudication.suggestions import Reason
from arbitree.api.read import study_of
from arbitree.errors import ArbitreeError
from arbitree.files import portable
from arbitree.reading.inputs import Reading
from arbitree.web.memory import keep_compact, return_free_pages
from arbitree.web.project.editions import contents_of
from arbitree.wording import encodable

if TYPE_CHECKING:
    from arbitree.web.project.background_parts import Analysis
    from arbitree.web.store import Store

RUNNING, READY, ABSENT = "running", "ready", "absent"
GROUPS = (("agreement", "pairs"), ("suggestions", "coders"), ("types",))  # parts that share results
PARTS = tuple(part for group in GROUPS for part in group)  # in the order of the work
# -P: files in the working directory are not imported
COMMAND = (sys.executable, "-P", "-m", "arbitree.web.project.background")
PATIENCE = 5  # seconds to end in
READING = [each.name for each in fields(Reading)]  # keys of a job that tell how files are read
NICENESS = 10  # of the process: requests have priority
LAYOUT = 4  # of the documents; raised when they contain more
CHANGED = "the files have changed since the server started; restart the server"
STAMP = {"version": arbitree.__version__, "layout": LAYOUT}


class Finding(NamedTuple):
    """One part: its document if it is ready, otherwise the reason why it is absent."""

    state: str  # running, ready or absent
    document: Mapping[str, Any] = {}
    why: str = ""

    def shown(self) -> Finding:
        """Return the part as pages and JSON show it: without absolute paths of inputs.

        The process that computed it may have named them as they were given.
        """
        document = dict(self.document)
        if "notes" in document:
            document["notes"] = list(map(portable, document["notes"]))
        return Finding(self.state, document, portable(self.why))


NOT_STARTED = Finding(ABSENT, why="the server does not compute this part")


class Background:
    """The results for one version of the files, and the process that computes the missing ones."""

    def __init__(
        self, store: Store, edition: int, job: Mapping[str, Any], command: Sequence[str] = COMMAND
    ) -> None:
        self._store = store
        self._edition = edition
        self._job = dict(job)
        self._command = command
        self._found: dict[str, Finding] = {}
        self._lock = Lock()
        self._process: subprocess.Popen[str] | None = None
        self._reader: Thread | None = None
        self._stopping = False

    def start(self) -> None:
        """Start to compute the parts that are not stored yet; do nothing if all are."""
        from arbitree.web.store import StoreError

        with self._lock:
            if self._process is not None or self._stopping:
                return
            with suppress(StoreError):  # pages report it; the parts are computed again
                for part in PARTS:
                    self._recall(part)
            missing = [part for part in PARTS if part not in self._found]
            if not missing:
                return
            self._found |= dict.fromkeys(missing, Finding(RUNNING))
            self._process = self._launched(missing)
            self._reader = Thread(target=self._listen, args=(self._process,), daemon=True)
            self._reader.start()

    def stop(self) -> None:
        """Stop the process if it is running; unfinished parts are computed again at the next start."""
        with self._lock:
            self._stopping = True
            process, reader = self._process, self._reader
        if process is None or reader is None:
            return
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join(PATIENCE)

    def get(self, part: str) -> Finding:
        """Return the current state of a part."""
        if part not in self._found:
            self._recall(part)
        return self._found.get(part, NOT_STARTED)

    def suggestions(self, item: str) -> dict[str, str]:
        """Return the suggestions for the contested places of an item, by key."""
        found: dict[str, str] = self.get("suggestions").document.get("items", {}).get(item, {})
        return found

    def reasons(self, item: str) -> dict[str, Reason]:
        """Return why these values are suggested, by key; none for documents of earlier versions."""
        found = self.get("suggestions").document.get("reasons", {}).get(item, {})
        return {key: Reason(**each) for key, each in found.items()}

    def _recall(self, part: str) -> None:
        """Load a part from the database, unless another version of Arbitree computed it."""
        document = self._store.finding(self._edition, part)
        if document is not None and document.items() >= STAMP.items():
            why = document.get("absent", "")
            self._found[part] = Finding(ABSENT, why=why) if why else Finding(READY, document)

    def _launched(self, parts: Sequence[str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,  # an interrupt at the terminal is for the server, which then ends this
        )
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # it ended at once, which its output tells
            process.stdin.write(json.dumps({**self._job, "parts": list(parts)}) + "\n")
            process.stdin.flush()  # and stays open: its end is the sign that we are gone
        return process

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        assert process.stdin is not None
        with process.stdout as lines:
            for line in lines:
                if line.endswith("\n"):  # else it was ended in the middle of one
                    self._take(json.loads(line))
        code = process.wait()
        with suppress(BrokenPipeError):  # if it never read the job
            process.stdin.close()
        why = f"the computation stopped early (exit code {code}); restart the server to try again"
        for part, finding in list(self._found.items()):
            if finding.state == RUNNING:
                self._found[part] = Finding(ABSENT, why=why)

    def _take(self, line: Mapping[str, Any]) -> None:
        from arbitree.web.store import StoreError

        part, why = line["part"], line.get("absent", "")
        self._found[part] = Finding(ABSENT, why=why) if why else Finding(READY, line["document"])
        if line.get("passing"):
            return  # it may work the next time
        document = {"absent": why} | STAMP if why else line["document"]
        with suppress(StoreError):  # pages have it; the next start computes it again
            self._store.keep_finding(self._edition, part, document)


def finite(value: Any) -> Any:
    """Return *value* with null for numbers that JSON cannot represent.

    Example:
        >>> finite({"a": [float("nan"), 1.5]})
        {'a': [None, 1.5]}
    """
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_safe(value: Any) -> Any:
    """Return a value that can be written as JSON in UTF-8; file names may not be valid text.

    Example:
        >>> json_safe({"coder": "\\udcff", "value": float("inf")})
        {'coder': '\\\\udcff', 'value': None}
    """
    if isinstance(value, dict):
        return {encodable(str(key)): json_safe(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(each) for each in value]
    return encodable(value) if isinstance(value, str) else finite(value)


def main() -> None:
    """Run the job in the standard input."""
    # Whatever else prints goes elsewhere: the output holds documents alone.
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    keep_compact()
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
    """Yield the parts that *job* requests, or the reasons why they are absent."""
    try:
        study = study_of(Reading.of_document({name: job[name] for name in READING if name in job}))
    except ArbitreeError as error:
        yield from _absent(job["parts"], error.typed)
        return
    wanted = job.get("fingerprint")
    if wanted and contents_of(study).fingerprint != wanted:
        yield from _absent(job["parts"], CHANGED)
        return
    from arbitree.web.project.background_parts import Analysis

    for group in GROUPS:
        analysis = Analysis(study)
        yield from (_part(part, analysis) for part in group if part in job["parts"])
        del analysis  # what the next group allocates does not come on top of its results
        return_free_pages()


def _absent(parts: Sequence[str], why: str) -> Iterator[dict[str, Any]]:
    """Yield parts that are absent now but may be available at the next start."""
    yield from ({"part": part, "absent": why, "passing": True} for part in parts)


def _part(part: str, analysis: Analysis) -> dict[str, Any]:
    from arbitree.web.project.background_parts import compute

    try:
        return {"part": part, "document": compute(part, analysis) | STAMP}
    except ArbitreeError as error:
        return {"part": part, "absent": error.typed}
    except Exception as error:
        traceback.print_exc()
        return next(_absent([part], f"the computation failed ({type(error).__name__})"))


def _watch(stream: IO[str]) -> None:
    """End the process when the server has stopped, even during a computation."""
    stream.read()
    os._exit(0)


if __name__ == "__main__":
    main()
