"""Generated corpora of dependency trees, and trees in the form of other packages."""

import random
from itertools import pairwise
from pathlib import Path

import zss
from apted.helpers import Tree as AptedTree

from arbitree.study.flat_tree import Vocabulary, flatten
from benchmarks.costs import call, data

RELATIONS = ("nsubj", "obj", "obl", "det", "case", "amod", "advmod", "nmod", "conj", "cc", "punct", "root")


def made_corpus(folder, sentences, coders=3, mean=17.5, seed=1):
    """Write files of *coders* who differ on a few tokens, and return their paths."""
    rng = random.Random(seed)
    texts = {f"c{coder}": [] for coder in range(coders)}
    for number in range(sentences):
        size = max(1, round(rng.gauss(mean, mean / 2)))
        order = rng.sample(range(1, size + 1), size)
        heads = {
            token: rng.choice(order[max(0, place - 8) : place] or [0]) for place, token in enumerate(order)
        }
        relations = {token: rng.choice(RELATIONS) for token in order}
        for rows in texts.values():
            rows.append(f"# sent_id = s{number}")
            for token in range(1, size + 1):
                relation = rng.choice(RELATIONS) if rng.random() < 0.03 else relations[token]
                rows.append(f"{token}\tw\t_\tX\t_\t_\t{heads[token]}\t{relation}\t_\t_")
            rows.append("")
    folder = Path(folder, f"{sentences}x{coders}x{mean}")
    folder.mkdir(exist_ok=True)
    for name, rows in texts.items():
        (folder / f"{name}.conllu").write_text("\n".join([*rows, ""]))
    return [str(folder / f"{name}.conllu") for name in texts]


def large_corpus(folder, sentences):
    """Return the name and the paths of the corpus in ARBITREE_DATA, or of a generated one."""
    if found := data("pcedt-sized"):
        return "pcedt-sized", sorted(map(str, found.glob("a*.conllu")))
    return f"{sentences:,} sentences x 3", made_corpus(folder, sentences)


def made_tree(rng, vocabulary):
    """Return a projective dependency tree under an artificial root, 18 nodes on average."""
    length = 1 + min(80, int(rng.gammavariate(2.2, 7.6)))
    children = [[] for _ in range(length + 1)]
    spans = [(0, 1, length + 1)]  # the tokens of a span form a subtree of a node
    while spans:
        parent, start, end = spans.pop()
        head = rng.randrange(start, end)
        children[parent].append(head)
        for here, side_end in ((start, head), (head + 1, end)):
            cuts = [here]
            while cuts[-1] < side_end:
                cuts.append(min(side_end, cuts[-1] + 1 + int(rng.expovariate(0.4))))
            spans.extend((head, *cut) for cut in pairwise(cuts))
    ordered = [sorted(below) for below in children]
    labels = ["", *(f"relation{int(rng.paretovariate(1)) % 40}" for _ in range(length))]
    return flatten(ordered, labels, 0, vocabulary, size=length + 1, leaves=length)


def zss_tree(tree):
    """Return a flat tree in the form of zss."""
    return _linked(tree, [zss.Node(str(label)) for label in tree.labels], zss.Node.addkid)


def apted_tree(tree):
    """Return a flat tree in the form of apted."""
    nodes = [AptedTree(str(label)) for label in tree.labels]
    return _linked(tree, nodes, lambda parent, node: parent.children.append(node))


def edist_tree(tree):
    """Return the labels and the children of every node in preorder, the form of edist."""
    children = [[] for _ in tree.labels]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append(node)
    order, stack = [], [len(tree) - 1]
    while stack:
        order.append(stack.pop())
        stack.extend(reversed(children[order[-1]]))
    place = {node: number for number, node in enumerate(order)}
    return [str(tree.labels[node]) for node in order], [[place[c] for c in children[node]] for node in order]


def _linked(tree, nodes, link):
    for node, parent in zip(nodes, tree.parents, strict=True):
        if parent >= 0:
            link(nodes[parent], node)
    return nodes[-1]


def zss_distance(first, second):
    """Return the distance by zss; without the function, costs depend on whether editdistance is installed."""
    return zss.simple_distance(first, second, label_dist=lambda a, b: int(a != b))


def zss_job(study, sample, pairs, seed=0):
    """Return the job of zss on *pairs* pairs of trees, extrapolated from a random sample."""
    rng = random.Random(seed)
    vocabulary = Vocabulary()
    values = [cell.value for cell in study.cells.values()]
    drawn = [[zss_tree(rng.choice(values).flatten(vocabulary)) for _ in range(2)] for _ in range(sample)]
    return call(lambda: [zss_distance(*pair) for pair in drawn], times=pairs / sample)
