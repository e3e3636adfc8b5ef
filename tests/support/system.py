"""Programs and data of the system that some tests need; ``tests/system.sh`` installs their packages."""

import re
from collections import Counter

_MISSING = "needs the system package"


def missing(package):
    """Return the reason to skip a test that needs a package of the system."""
    return f"{_MISSING} {package}"


def count_missing(reasons):
    """Return how many of *reasons* to skip a test name each package.

    >>> count_missing([missing("chromium"), "no GPU", missing("chromium")])
    Counter({'chromium': 2})
    """
    found = (re.search(rf"{_MISSING} ([\w-]+)", each) for each in reasons)
    return Counter(each[1] for each in found if each)
