"""Findings that take long: computed by another process, kept in the store, asked for by pages."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, NamedTuple

import arbitree
from arbitree.web.store import Store, StoreError

RUNNING, READY, ABSENT = "running", "ready", "absent"
PARTS = ("suggestions", "coders", "agreement", "types", "pairs")  # in the order of the work
# -P: files beside the data are no modules
COMMAND = (sys.executable, "-P", "-m", "arbitree.web.project.worker")
PATIENCE = 5  # seconds to end in


class Finding(NamedTuple):
    """One part: its document if it is ready, else why it is not there."""

    state: str  # running, ready or absent
    document: Mapping[str, Any] = {}
    why: str = ""


NOT_STARTED = Finding(ABSENT, why="it is not computed here")


class Findings:
    """What was found out about one edition of a study, and the process that finds out more."""

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
        """Begin to compute what the store does not have yet; do nothing if it has all."""
        with self._lock:
            if self._process is not None or self._stopping:
                return
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
        """End the process, if it still runs; what it has not finished is begun anew the next time."""
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
        """Return a part as it is now."""
        if part not in self._found:
            self._recall(part)
        return self._found.get(part, NOT_STARTED)

    def suggestions(self, item: str) -> dict[str, str]:
        """Return what is suggested for the contested places of an item, by their keys."""
        found: dict[str, str] = self.get("suggestions").document.get("items", {}).get(item, {})
        return found

    def _recall(self, part: str) -> None:
        """Take a part from the store, unless another version of the program computed it."""
        document = self._store.finding(self._edition, part)
        if document is not None and document.get("version") == arbitree.__version__:
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
        why = f"the computation ended before it was done (code {code}); start again to try again"
        for part, finding in list(self._found.items()):
            if finding.state == RUNNING:
                self._found[part] = Finding(ABSENT, why=why)

    def _take(self, line: Mapping[str, Any]) -> None:
        part, why = line["part"], line.get("absent", "")
        self._found[part] = Finding(ABSENT, why=why) if why else Finding(READY, line["document"])
        if line.get("passing"):
            return  # it may work the next time
        document = {"absent": why, "version": arbitree.__version__} if why else line["document"]
        with suppress(StoreError):  # pages have it; the next start computes it again
            self._store.keep_finding(self._edition, part, document)
