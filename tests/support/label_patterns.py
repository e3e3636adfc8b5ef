"""A study of few patterns of labels, and all measures that fit it."""

import numpy as np

import arbitree as at
from arbitree.kinds.labels.kind import KIND
from arbitree.kinds.labels.value import Label
from arbitree.measures.options import known_measures
from arbitree.study.study import Item, Study
from tests.support.measured_studies import READY

PATTERNS = [(1, 1, 1), (2, 2, 2), (1, 2, 1), (3, 3, 0), (2, 3, 3), (1, 0, 0), (3, 1, 2)]  # 0: no label
NAMES = [name for name, measure in known_measures(KIND).items() if measure.fits_any([Label])]
MEASURES = [
    *(READY.get(name, name) for name in NAMES),
    f"{READY['hierarchical_kappa']},expected=cohen",
    "weighted_kappa:weights=quadratic",
    "multi_pi:pool=ratings",
]


def study_of_patterns(items=280, per_cluster=1, order=(0, 1, 2)):
    """Items whose labels are one of a few patterns, in clusters of two patterns at most."""
    random = np.random.default_rng(5)
    chosen = random.choice(len(PATTERNS), size=items // per_cluster, p=[0.3, 0.2, 0.15, 0.1, 0.1, 0.1, 0.05])
    listed, cells = [], {}
    for number in range(items):
        cluster, place = divmod(number, per_cluster)
        item = Item(f"i{number}", f"d{cluster % 2}", f"c{cluster}")
        listed.append(item)
        pattern = PATTERNS[(chosen[cluster] + 2 * place) % len(PATTERNS)]
        for coder, label in zip("xyz", pattern, strict=True):
            if label:
                cells[item.id, coder] = at.Annotation(item, coder, Label(str(label)))
    return Study(tuple(listed), tuple("xyz"[place] for place in order), cells)
