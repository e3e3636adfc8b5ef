"""A plug-in of pytest that runs files in another order, and the tests of each file too.

python -m pytest -p tests.support.shuffled tests/measures    # prints the seed
ARBITREE_SEED=7 python -m pytest -p tests.support.shuffled tests/measures
"""

import os
import random

SEED = int(os.environ.setdefault("ARBITREE_SEED", str(random.randrange(10_000))))  # workers inherit it


def pytest_report_header():
    return f"shuffled: ARBITREE_SEED={SEED}"


def pytest_collection_modifyitems(items):
    """Keep the tests of a file together, because they share servers and studies."""
    chance = random.Random(SEED)
    keys = {}
    for each in items:
        keys.setdefault(each.path, chance.random())
    items.sort(key=lambda each: (keys[each.path], chance.random()))
