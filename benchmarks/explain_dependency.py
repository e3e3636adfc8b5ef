"""What inconsistencies of dependency trees cost: word pairs in a corpus, nuclei of two coders.

    python benchmarks/explain_dependency.py                    # 50,000, 200,000 and 800,000 tokens
    python benchmarks/explain_dependency.py --tokens 1000 4000

Sentences are made: words are drawn by Zipf's law, with new ones all the time; most heads are near; a relation
depends on the two words. The last line has the exponent b of seconds = a * tokens ** b, from the first and
the last size; 1 is linear.
"""

import argparse
import math
import random
import resource
import time

from arbitree.api.explain import find_inconsistencies as explain
from arbitree.kinds.dependency.value import DepTree
from arbitree.study.study import Annotation, Item, Study

RELATIONS = ("nsubj", "obj", "obl", "det", "case", "amod", "advmod", "nmod", "conj", "cc")
TAGS = ("NOUN", "VERB", "ADJ", "ADP", "DET")


def made_tree(rng, size):
    """Return a tree of *size* words."""
    words = [int(rng.paretovariate(0.9)) for _ in range(size)]
    heads = [0]
    for token in range(2, size + 1):
        heads.append(max(1, token - min(token - 1, int(rng.paretovariate(1.2)))))
    relations = [RELATIONS[hash((words[k], words[heads[k] - 1])) % 10] for k in range(size)]
    columns = {"upos": tuple(TAGS[word % 5] for word in words)}
    return DepTree(tuple(f"w{word}" for word in words), tuple(heads), tuple(relations), columns)


def differing(rng, tree):
    """Return the tree with three words in a hundred attached or named otherwise."""
    heads, relations = list(tree.heads), list(tree.relations)
    for token in range(len(tree)):
        if rng.random() < 0.03:
            heads[token] = rng.randint(0, len(tree))
            relations[token] = rng.choice(RELATIONS)
    return DepTree(tree.tokens, tuple(heads), tuple(relations), tree.columns)


def made_study(tokens, seed=1):
    """Return a study of two coders with about so many tokens."""
    rng = random.Random(seed)
    items, cells, count = [], {}, 0
    while count < tokens:
        size = max(1, round(rng.gauss(18, 8)))
        count += size
        item = Item(f"s{len(items)}", "made", f"s{len(items)}")
        items.append(item)
        first = made_tree(rng, size)
        cells[item.id, "ann"] = Annotation(item, "ann", first)
        cells[item.id, "bob"] = Annotation(item, "bob", differing(rng, first))
    return Study(tuple(items), ("ann", "bob"), cells)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tokens", type=int, nargs="+", default=[50_000, 200_000, 800_000])
    sizes = parser.parse_args().tokens
    jobs = {
        "corpus": lambda study: explain(study.select(coders=["ann"])),
        "coders": explain,
    }
    print("".join(f"{name:>12}" for name in ("tokens", *(f"{name} s" for name in jobs), "peak MB")))
    seconds = {name: [] for name in jobs}
    for tokens in sizes:
        study = made_study(tokens)
        for name, job in jobs.items():
            begin = time.process_time()
            job(study)
            seconds[name].append(time.process_time() - begin)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{tokens:12,}" + "".join(f"{seconds[name][-1]:12.2f}" for name in jobs) + f"{peak:12,}",
            flush=True,
        )
    if len(sizes) > 1:
        growth = math.log(sizes[-1] / sizes[0])
        exponents = (math.log(found[-1] / found[0]) / growth for found in seconds.values())
        print(f"{'exponent':>12}" + "".join(f"{exponent:12.2f}" for exponent in exponents))


if __name__ == "__main__":
    main()
