"""``arbitree serve`` in a process of its own, as a user starts it."""

import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT, SIGUSR1, SIGUSR2
from urllib.parse import urlsplit

EXAMPLES = Path(__file__).parents[3] / "examples"
DEPENDENCY = sorted((EXAMPLES / "dependency").glob("*.conllu"))
PHRASE = sorted((EXAMPLES / "phrase").glob("*.mrg"))
LABELS = [EXAMPLES / "labels" / "stance.tsv"]


class Server:
    """A server that runs; *link* lets its owner in, once. A *traced* one knows which lines allocate."""

    def __init__(self, *inputs, project, port=0, options=(), traced=False):
        self._growth = Path(f"{project}.growth") if traced else None
        program = ["tests.support.web.traced", str(self._growth)] if traced else ["arbitree"]
        command = [sys.executable, "-m", *program, "serve", *map(str, inputs), "--no-browser"]
        command += ["--port", str(port), "--project", str(project), "--owner", "Olga", *options]
        self.project = Path(project)
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (a pipe that nobody reads would block it)
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._errors, text=True)
        self.link = self._process.stdout.readline().strip()
        if not self.link:
            raise AssertionError(f"the server did not start: {self._said()}")

    @property
    def address(self):
        """Where it listens: the beginning of all its addresses."""
        parts = urlsplit(self.link)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def port(self):
        """The port that it listens on."""
        return urlsplit(self.link).port

    @property
    def pid(self):
        """The number of its process."""
        return self._process.pid

    def mark(self):
        """Remember what a traced server has allocated by now."""
        if self._growth:
            self._process.send_signal(SIGUSR1)

    def growth(self):
        """Return which lines of a traced server have allocated more since the mark."""
        self._process.send_signal(SIGUSR2)
        while not self._growth.exists():
            time.sleep(0.1)
        time.sleep(1)
        return self._growth.read_text(encoding="utf-8")

    def kill(self):
        """End it as a power cut would."""
        self._process.kill()
        self._said()

    def interrupt(self):
        """End it with Ctrl-C, and return the exit code and what it said on standard error."""
        return self.end(SIGINT)

    def end(self, *signals):
        """Send it signals, and return the exit code and what it said on standard error."""
        for each in signals:
            self._process.send_signal(each)
        said = self._said()
        return self._process.returncode, said

    def stop(self):
        """End it as its user would, and return what it said on standard error."""
        self._process.terminate()
        return self._said()

    def _said(self):
        """Wait for its end, and return what it said on standard error."""
        self._process.wait(30)
        self._process.stdout.close()
        if self._errors.closed:
            return ""
        with self._errors:
            self._errors.seek(0)
            return self._errors.read()


@contextmanager
def serving(*inputs, project, **options):
    """Serve a study for as long as the block lasts."""
    server = Server(*inputs, project=project, **options)
    try:
        yield server
    finally:
        server.stop()
