"""``arbitree serve`` in a process that has its modules already: it starts in a fraction of the time."""

import faulthandler
import os
import signal
import sys
import time
import traceback
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlsplit

MODULES = [
    "arbitree.cli",
    "arbitree.cli.serve",
    "arbitree.web.app",
    "psycopg",
    "uvicorn",
    "tests.support.web.forked",
]
END = "(end of the trace)"
PATIENCE = 15  # seconds to wait for a trace


class Forked:
    """Servers of one project, one after the other; each is a process of its own that can be killed."""

    def __init__(self, words, errors, first=None):
        self._errors = str(errors)  # the file to which they write what goes wrong
        self._first = first  # a function that each of them calls first
        self._words = ["serve", *words, "--port", "0", "--no-browser", "--quiet"]
        self._context = get_context("forkserver")
        self._context.set_forkserver_preload(MODULES)
        self._process = None
        self.port = None  # of the last one

    def start(self):
        """Start a server and return its port."""
        reading, writing = self._context.Pipe(duplex=False)
        self._process = self._context.Process(
            target=_serve, args=(self._words, writing, self._errors, self._first), daemon=True
        )
        self._process.start()
        writing.close()
        with os.fdopen(os.dup(reading.fileno())) as output:
            link = output.readline()
        reading.close()
        if not link:
            raise AssertionError(
                f"the server did not start: {Path(self._errors).read_text(encoding='utf-8')[-500:]}"
            )
        self.port = urlsplit(link).port
        return self.port

    def stacks(self):
        """Return what the threads of the server do."""
        if self._process is None:
            return ""
        text = ""
        for request in (signal.SIGUSR1, signal.SIGUSR2):
            if END in text:
                break
            os.kill(self._process.pid, request)
            deadline = time.monotonic() + PATIENCE
            while END not in text and time.monotonic() < deadline:
                time.sleep(0.1)
                text = Path(f"{self._errors}.stacks").read_text(encoding="utf-8")
        return text

    def kill(self):
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None
        Path(f"{self._errors}.stacks").unlink(missing_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.kill()


def _serve(words, output, errors, first):
    """Be the program, with *output* as its standard output."""
    if first:
        first()
    os.dup2(output.fileno(), 1)
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    stacks = os.open(f"{errors}.stacks", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    # The trace of faulthandler may end the server in the middle of a line, because other threads go on
    # meanwhile. One in Python does not come if a thread never lets the others run.
    signal.signal(signal.SIGUSR1, lambda *_: os.write(stacks, _trace().encode()))
    faulthandler.register(signal.SIGUSR2, stacks)
    sys.argv = ["arbitree", *words]
    sys.stdout = os.fdopen(1, "w", closefd=False)
    from arbitree.cli import main

    main()


def _trace():
    """Return what all threads of this process do."""
    stacks = ["".join(traceback.format_stack(frame)) for frame in sys._current_frames().values()]
    return "\n".join([*stacks, END])
