"""Dependency trees for the tests of inconsistencies: written in a line, or random with all defects."""

import random

from hypothesis import strategies as st

from arbitree.kinds.dependency.value import DepTree
from tests.support.build import study_of

RELATIONS = ("subj", "obj", "obj:x", "mod")
TAGS = ("N", "V")


def tree(text, tags=None):
    """A tree from ``word head relation``, separated by commas: ``the 2 det, cat 0 root``.

    >>> tree("the 2 det, cat 0 root").heads
    (2, 0)
    """
    rows = [part.split() for part in text.split(",")]
    words, heads, relations = zip(*rows, strict=True)
    columns = {"upos": tuple(tags.split())} if tags else {}
    return DepTree(words, tuple(int(head) for head in heads), relations, columns)


def coders(*trees, names="abcdef"):
    """A study of one sentence, a coder for each tree."""
    return study_of({"s": dict(zip(names, trees, strict=False))})


def corpus(*trees):
    """A study of one coder, an item for each tree."""
    return study_of({f"s{k}": {"a": each} for k, each in enumerate(trees)})


def places(findings):
    """Words, differing words and class of every nucleus."""
    return sorted(
        (nucleus.words, tuple(nucleus.tokens[k] for k in nucleus.differing), each.class_)
        for each in findings.types
        for nucleus in each.nuclei
    )


def random_tree(rng, size, words="xyz"):
    """Any heads at all: cycles, several roots, none, tokens that are their own head."""
    heads = tuple(rng.randint(0, size) for _ in range(size))
    relations = tuple(rng.choice(RELATIONS) for _ in range(size))
    columns = {"upos": tuple(rng.choice(TAGS) for _ in range(size))}
    return DepTree(tuple(rng.choice(words) for _ in range(size)), heads, relations, columns)


def edited(rng, given):
    """The tree with some heads, relations and tags changed."""
    heads, relations = list(given.heads), list(given.relations)
    tags = list(given.columns["upos"])
    for token in range(len(given)):
        if rng.random() < 0.3:
            heads[token] = rng.randint(0, len(given))
        if rng.random() < 0.2:
            relations[token] = rng.choice(RELATIONS)
        if rng.random() < 0.1:
            tags[token] = rng.choice(TAGS)
    return DepTree(given.tokens, tuple(heads), tuple(relations), {"upos": tuple(tags)})


@st.composite
def versions(draw, max_coders=4, max_size=8):
    """Two or more annotations of one sentence."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    first = random_tree(rng, draw(st.integers(1, max_size)))
    return [first, *(edited(rng, first) for _ in range(draw(st.integers(1, max_coders - 1))))]


@st.composite
def corpora(draw, max_trees=5, max_size=7):
    """Several sentences over few words, so that strings repeat."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    return [random_tree(rng, rng.randint(1, max_size)) for _ in range(draw(st.integers(1, max_trees)))]


def neighbours(words, first, second):
    """The words before and after a pair; None at the edge of the sentence."""
    padded = [None, *words, None]
    return padded[first], padded[second + 2]
