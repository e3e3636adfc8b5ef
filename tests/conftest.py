"""Fixtures, and the lines that state how many tests were skipped because data or programs are missing."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from arbitree.reading import guard
from tests.support.system import count_missing

NO_DATA = "needs the corpora that ARBITREE_DATA points at"

# Exceptions that no reader foresees are failures here; commands that tests start inherit the variable.
guard.ON = False
os.environ["ARBITREE_GUARD"] = "off"

# The readline library sets it for the processes that pytest starts; text in pipes would follow it.
os.environ.pop("COLUMNS", None)

# Tests send these signals to commands, which would inherit that nohup and background jobs ignore them.
for each, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(each) is signal.SIG_IGN:
        signal.signal(each, handler)

settings.register_profile(
    "arbitree", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("arbitree")


class Corpora(type(Path())):
    """The folder of real corpora: a test that asks for a folder in it that is not there is skipped.

    ``arbitree papers tests`` downloads only those that are public.
    """

    def __truediv__(self, name):
        first = Path(name).parts[0]
        if not Path(self, first).exists():
            pytest.skip(f"{NO_DATA}: {first} is missing")
        return Path(self, name)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real corpora, which are not part of the repository."""
    found = os.environ.get("ARBITREE_DATA")
    if not found or not Path(found).is_dir():
        pytest.skip(NO_DATA)
    return Corpora(found)


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(terminalreporter):
    yield
    reasons = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    skipped = sum(NO_DATA in reason for reason in reasons)
    terminalreporter.write_line(f"{skipped} tests skipped for want of data (set ARBITREE_DATA)")
    why = "SYSTEM=no" if os.environ.get("SYSTEM") == "no" else "make test installs it, as root and with apt"
    for package, count in sorted(count_missing(reasons).items()):
        terminalreporter.write_line(f"{count} tests skipped because {package} is not installed ({why})")
