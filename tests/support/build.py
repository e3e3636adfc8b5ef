"""Small trees and studies for tests."""

import random

from hypothesis import strategies as st

from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.study.study import Annotation, Item, Study

LABELS = ("nsubj", "obj", "obl", "det", "mod")


def dep(heads, relations=None, tokens=None):
    """A dependency tree from its heads; relations are letters or given."""
    relations = tuple(relations) if relations else ("x",) * len(heads)
    return DepTree(tuple(tokens or (f"w{k}" for k in range(len(heads)))), tuple(heads), relations)


def study_of(rows, coders=None):
    """A study from {item id: {coder: value}}; a document may stand before a slash of the id."""
    coders = coders or tuple(dict.fromkeys(coder for row in rows.values() for coder in row))
    items = tuple(Item(name, name.partition("/")[0] if "/" in name else "doc", name) for name in rows)
    cells = {
        (item.id, coder): Annotation(item, coder, value)
        for item in items
        for coder, value in rows[item.id].items()
    }
    return Study(items, tuple(coders), cells)


def random_dep(rng: random.Random, size: int, labels=LABELS) -> DepTree:
    """A random tree: tokens in random order, each attached to one before it or to the root."""
    order = list(range(1, size + 1))
    rng.shuffle(order)
    heads = [0] * size
    for place, token in enumerate(order):
        heads[token - 1] = rng.choice([0, *order[:place]])
    return dep(heads, [rng.choice(labels) for _ in heads])


@st.composite
def dep_trees(draw, max_size=12, labels=LABELS):
    """Random dependency trees, shrinking to small ones."""
    size = draw(st.integers(1, max_size))
    rng = random.Random(draw(st.integers(0, 2**32)))
    return random_dep(rng, size, labels)


@st.composite
def dep_studies(draw, max_items=6, max_coders=4, max_size=6):
    """Studies of dependency trees with gaps; the coders of an item see the same number of tokens."""
    coders = [f"c{k}" for k in range(draw(st.integers(2, max_coders)))]
    rng = random.Random(draw(st.integers(0, 2**32)))
    rows = {}
    for number in range(draw(st.integers(1, max_items))):
        size = rng.randint(1, max_size)
        rows[f"d{number % 2}/{number}"] = {
            coder: random_dep(rng, size, LABELS[:2]) for coder in coders if rng.random() < 0.8
        }
    rows["d0/0"] = {coder: random_dep(rng, 2, LABELS[:2]) for coder in coders[: rng.randint(1, 2)]}
    return study_of(rows, coders)


def phrase(text) -> PhraseTree:
    """A delexicalised phrase tree from brackets."""
    from arbitree import plugins
    from arbitree.reading.content import Content

    return next(iter(plugins.get("formats", "delexicalised").read(Content("test", text.encode())))).value


def labelled(rows, coders=None):
    """A study of labels from rows of texts or numbers, one a coder; None is a missing label."""
    from arbitree.kinds.labels.value import Label

    coders = coders or [f"c{number}" for number in range(len(rows[0]))]
    return study_of(
        {
            str(number): {
                coder: value if hasattr(value, "tags") else Label(str(value))
                for coder, value in zip(coders, row, strict=True)
                if value is not None
            }
            for number, row in enumerate(rows)
        },
        tuple(coders),
    )


@st.composite
def label_rows(draw, max_items=25, max_coders=5, labels=4, gaps=True):
    """Rows of small numbers; with gaps, some are None, but not all."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    coders, kinds = rng.randint(2, max_coders), rng.randint(2, labels)
    share = rng.choice([0, 0, 0.2, 0.5]) if gaps else 0
    truth = [rng.randrange(kinds) for _ in range(rng.randint(2, max_items))]

    def said(value):
        return value if rng.random() < 0.6 else rng.randrange(kinds)

    rows = [[None if rng.random() < share else said(value) for _ in range(coders)] for value in truth]
    if not any(label is not None for row in rows for label in row):
        rows[0][0] = truth[0]
    return rows
