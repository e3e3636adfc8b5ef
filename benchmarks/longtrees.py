"""Pairs of long trees by shape, compared with apted and edist, and their growth with the number of nodes.

Jobs run in processes of their own, so that ARBITREE_BEFORE adds the earlier version to every row.
"""

import random

import numpy as np

from arbitree import kernels
from arbitree.study.flat_tree import Vocabulary, flatten
from benchmarks.costs import alone, call
from benchmarks.rows import Growth, Row, Unavailable
from benchmarks.ted import peer_works, whole_job

SIZES = (60, 100, 200, 400, 1000)
PEER_SIZES = (25, 50, 100)  # of apted, which takes minutes for larger trees


def measure(quick):
    """Yield pairs of each shape, their growth, and the choice between all pairs at once and pair by pair."""
    if not kernels.COMPILED:
        raise Unavailable("the C++ kernel is not available")
    for shape in SHAPES:
        size = 60 if quick else 100
        peers = {name: call(peer_work(name, shape, size)) for name in ("apted", "edist")}
        yield Row(f"one pair, {shape}, {size} nodes", ours(shape, size), peers)
        if not quick:
            jobs = {size: ours(shape, size) for size in SIZES}
            yield Growth(f"one pair, {shape}", "nodes", jobs)
            jobs = {size: call(peer_work("apted", shape, size)) for size in PEER_SIZES}
            yield Growth(f"one pair, {shape}", "nodes", jobs, "apted")
    for size, count in ((60, 40),) if quick else ((60, 100), (100, 100), (200, 60), (400, 30)):
        jobs = [alone(whole_work, size, count, kind) for kind in ("", "off")]
        yield Row(f"all pairs of {count} deep trees of {size} nodes", jobs[0], {"Zhang and Shasha": jobs[1]})


def ours(shape, size):
    """Return the job of one pair, which is repeated if it is short."""
    repeat = max(1, 10**7 // size**2)
    return alone(pair_work, shape, size, repeat, times=1 / repeat)


def pair_work(shape, size, repeat):
    """Return the work of the kernel on one pair of trees."""
    corpus = kernels.pack(long_pair(shape, size))
    first, second = (np.full(repeat, place, dtype=np.int32) for place in (0, 1))
    return lambda: corpus.distances(first, second)


def peer_work(name, shape, size):
    """Return the work of a peer on the same pair, after checking that it finds the same distance."""
    pair = long_pair(shape, size)
    works, found = peer_works([pair], [name])
    assert found == [pair_distance(pair)]
    return works[name]


def pair_distance(pair):
    """Return the distance of two trees in a list."""
    return kernels.pack(pair).distances(*np.array([[0], [1]], dtype=np.int32)).tolist()


def whole_work(size, count, kind):
    """Return the work on all pairs of deep trees."""
    vocabulary = Vocabulary()
    groups = [[long_tree("deep", size, seed, vocabulary)] for seed in range(count)]
    return lambda: whole_job(groups, kind)


def deep(rng, size):
    """Return the children of each node; the head of a token lies among the eight tokens before it."""
    return under([0, *(max(1, token - rng.randint(1, 8)) for token in range(2, size + 1))])


def bushy(rng, size):
    """Return the children of each node; the head of a token lies anywhere before it."""
    return under([0, *(rng.randint(1, token - 1) for token in range(2, size + 1))])


def chain(_, size):
    """Return the children of each node; each token has one child."""
    return under(range(size))


def zigzag(_, size):
    """Return the children of each node; half of the tokens form a path that turns left and right in turn."""
    children = [[1], *([] for _ in range(size))]
    for token in range(1, size + 1, 2):  # the path consists of odd tokens; each has a leaf at the other side
        below = [each for each in (token + 1, token + 2) if each <= size]
        children[token] = below if token % 4 == 1 else below[::-1]
    return children


def under(heads):
    """Return the children of each node, given the head of each token."""
    heads = list(heads)
    children = [[] for _ in range(len(heads) + 1)]
    for token, head in enumerate(heads, 1):
        children[head].append(token)
    return children


def binary(_, size):
    """Return the children of each node; the levels are full, with two children each."""
    return under(token // 2 for token in range(1, size + 1))


def left_comb(_, size):
    """Return the children of each node; half of the tokens form a path of first children."""
    children = [[1], *([] for _ in range(size))]
    for token in range(1, size + 1, 2):
        children[token] = [each for each in (token + 2, token + 1) if each <= size]
    return children


def right_comb(rng, size):
    """Return the children of each node; half of the tokens form a path of last children."""
    return [below[::-1] for below in left_comb(rng, size)]


SHAPES = {
    "binary": binary,
    "left comb": left_comb,
    "right comb": right_comb,
    "zigzag": zigzag,
    "bushy": bushy,
    "deep": deep,
    "chain": chain,
}


def long_tree(shape, size, seed, vocabulary):
    """Return a tree of one of the shapes, with a root above its *size* tokens."""
    rng = random.Random(seed)
    children = SHAPES[shape](rng, size)
    labels = ["", *(f"relation{int(rng.paretovariate(1)) % 40}" for _ in range(size))]
    return flatten(children, labels, 0, vocabulary, size=size + 1, leaves=size)


def long_pair(shape, size):
    """Return two trees of one shape."""
    vocabulary = Vocabulary()
    return [long_tree(shape, size, seed, vocabulary) for seed in (1, 2)]
