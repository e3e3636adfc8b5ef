"""A study of long sentences: three annotators of dependency trees of 40 to 80 tokens."""

import random

from arbitree.kinds.dependency.value import DepTree
from tests.support.perturbed import RELATIONS, perturbed, write

WORDS = (
    "rain", "storm", "harbour", "wind", "slowly", "covered", "the", "a", "of", "under", "before", "mountains",
    "reported", "that", "valley", "station", "warning", "heavy", "clouds", "moved", "and", "roads",
)  # fmt: skip


def long_study(folder, sentences=30, rate=0.06, seed=1):
    """Write one file per annotator into *folder*, and return their paths."""
    chance = random.Random(seed)
    trees = [random_tree(chance, chance.randint(40, 80), number) for number in range(1, sentences + 1)]
    return [
        write(folder / f"{name}.conllu", [perturbed(tree, chance, rate) for tree in trees])
        for name in ("ida", "kim", "lea")
    ]


def random_tree(chance, size, number):
    """Return a projective tree in which most words have a head nearby."""
    heads = [0] * size

    def attach(first, last, head):
        while first <= last:
            end = min(last, first + chance.randint(0, 7))
            top = chance.randint(first, end)
            heads[top - 1] = head
            attach(first, top - 1, top)
            attach(top + 1, end, top)
            first = end + 1

    root = chance.randint(1, size)
    attach(1, root - 1, root)
    attach(root + 1, size, root)
    relations = ["root" if not head else chance.choice(RELATIONS) for head in heads]
    words = [chance.choice(WORDS) for _ in heads]
    columns = {"upos": tuple(chance.choice(("NOUN", "VERB", "ADP", "DET")) for _ in heads)}
    return DepTree(tuple(words), tuple(heads), tuple(relations), columns, (f"# sent_id = long-{number}",))
