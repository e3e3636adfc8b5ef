"""Fixtures and the line that says how many tests were skipped for want of data."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

NO_DATA = "needs the corpora that ARBITREE_DATA points at"

settings.register_profile(
    "arbitree", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("arbitree")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real corpora, which are not part of the repository."""
    found = os.environ.get("ARBITREE_DATA")
    if not found or not Path(found).is_dir():
        pytest.skip(NO_DATA)
    return Path(found)


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(terminalreporter):
    yield
    skipped = sum(NO_DATA in str(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    terminalreporter.write_line(f"{skipped} tests skipped for want of data (set ARBITREE_DATA)")
