"""Pictures: time of a thousand overlays as SVG and as text, beside that of laying the trees over one another.

    python benchmarks/pictures.py                         # made trees of three coders
    ARBITREE_DATA=corpora python benchmarks/pictures.py   # pcedt-sized too

All times are CPU time on one core, the least of three rounds.
"""

import os
import random
import time
import warnings
from pathlib import Path

import arbitree as at
from arbitree.kinds.dependency.picture.overlay import overlay_of
from arbitree.kinds.dependency.picture.svg import arcs_svg
from arbitree.kinds.dependency.picture.text import arcs_text

COUNT = 1000
RELATIONS = ("nsubj", "obj", "obl", "det", "mod")


def made(seed=0):
    """Return trees of three coders who differ in a head; random trees, so that most arcs cross."""
    rng = random.Random(seed)
    found = []
    for _ in range(COUNT):
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


def real(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = at.read(*sorted(folder.glob("*.conllu")))
    return [({cell.coder: cell.value for cell in cells}, study.coders) for _, cells in study][:COUNT]


def least(work, rounds=3):
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def report(name, items):
    overlays = [overlay_of(*each) for each in items]
    base = least(lambda: [overlay_of(*each) for each in items])
    print(f"{name}: {len(items):,} sentences, {sum(len(each.tokens) for each in overlays):,} tokens")
    print(f"  overlays   {base:6.2f} s")
    for kind, draw in (("SVG", arcs_svg), ("text", arcs_text)):
        taken = least(lambda draw=draw: [draw(each) for each in overlays])
        size = sum(len(draw(each)) for each in overlays) / len(overlays) / 1000
        print(f"  {kind:9}  {taken:6.2f} s   {taken / base:5.1f} x   {size:.1f} kB each")


def main():
    report("made", made())
    data = os.environ.get("ARBITREE_DATA")
    if data and (Path(data) / "pcedt-sized").is_dir():
        report("pcedt-sized", real(Path(data) / "pcedt-sized"))


if __name__ == "__main__":
    main()
