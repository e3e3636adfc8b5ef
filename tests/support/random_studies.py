"""Random studies."""

import random

from tests.support.build import random_dep, study_of


def some_study(items=30, seed=1, coders="xy", missing=0.0):
    """Return a study of random trees; the first annotator's are often those of the others too."""
    rng = random.Random(seed)
    rows = {}
    for number in range(items):
        tree = random_dep(rng, rng.randint(2, 9))
        first, *others = coders
        given = {
            first: tree,
            **{coder: tree if rng.random() < 0.6 else random_dep(rng, len(tree)) for coder in others},
        }
        kept = {coder: each for coder, each in given.items() if not missing or rng.random() >= missing}
        rows[f"d{number % 3}/{number}"] = kept
    return study_of(rows)
