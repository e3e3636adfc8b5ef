"""Drawings of trees as SVG and as text, compared with the search for differences between the trees."""

import random
import warnings

import arbitree as at
from arbitree.kinds.dependency.picture.overlay import overlay_of
from arbitree.kinds.dependency.picture.svg import arcs_svg
from arbitree.kinds.dependency.picture.text import arcs_text
from benchmarks.costs import call, data
from benchmarks.rows import Row

RELATIONS = ("nsubj", "obj", "obl", "det", "mod")


def made(count, seed=0):
    """Return trees of three annotators who differ in a head. They are random, so most arcs cross."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        size = rng.randint(5, 35)
        order = rng.sample(range(1, size + 1), size)
        heads = [0] * size
        for place, token in enumerate(order):
            heads[token - 1] = rng.choice([0, *order[:place]])
        words = tuple(f"word{number}" for number in range(size))
        relations = tuple(rng.choice(RELATIONS) for _ in heads)
        trees = {}
        for coder in ("ann", "bob", "cho"):
            own = list(heads)
            own[rng.randrange(size)] = 0
            trees[coder] = at.DepTree(words, tuple(own), relations)
        found.append((trees, ("ann", "bob", "cho")))
    return found


def real(folder, count):
    """Return the trees of the first sentences."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = at.read(*sorted(folder.glob("*.conllu")))
    return [({cell.coder: cell.value for cell in cells}, study.coders) for _, cells in study][:count]


def measure(quick):
    """Yield a row for each medium."""
    folder, count = (None, 200) if quick else (data("pcedt-sized"), 1000)
    items = real(folder, count) if folder else made(count)
    overlays = [overlay_of(*each) for each in items]
    base = call(lambda: [overlay_of(*each) for each in items])
    for medium, draw in (("SVG", arcs_svg), ("text", arcs_text)):
        job = call(lambda draw=draw: [draw(each) for each in overlays])
        yield Row(f"{count:,} drawings as {medium}", job, {"search for differences": base})
