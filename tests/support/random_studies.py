"""Random studies."""

import random

from tests.support.build import random_dep, study_of


def some_study(items=30, seed=1):
    rng = random.Random(seed)
    rows = {}
    for number in range(items):
        tree = random_dep(rng, rng.randint(2, 9))
        other = tree if rng.random() < 0.6 else random_dep(rng, len(tree))
        rows[f"d{number % 3}/{number}"] = {"x": tree, "y": other}
    return study_of(rows)
