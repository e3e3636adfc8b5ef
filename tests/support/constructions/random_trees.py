"""Random phrase trees and their rivals, and the sites of a tree, found without the code under test."""

from itertools import pairwise

from arbitree.kinds.phrase.constructions.normalisation import Normaliser, written
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.value import PhraseTree

CATS = ("S", "NP", "VP", "PP", "ADJP", "X")
TAGS = ("", "", "", "-SBJ", "-TMP")
POS = ("NN", "DT", "IN", "VBD", "JJ", ",", "CC")
EMPTIES = ("*T*-1", "*", "0")


class Node:
    """A phrase, or a word at a place; the place of a trace is half a step after that of a word."""

    def __init__(self, label, children=(), place=None):
        self.label, self.children, self.place = label, list(children), place

    def copy(self):
        return Node(self.label, [child.copy() for child in self.children], self.place)

    def phrases(self):
        """All phrases at or under the node."""
        if self.place is None:
            yield self
        for child in self.children:
            yield from child.phrases()

    def leaves(self):
        """All words and traces under the node."""
        if self.place is not None:
            yield self
        for child in self.children:
            yield from child.leaves()


def random_node(rng, lo, hi, depth=0):
    """Return a random tree over the words from *lo* to before *hi*."""
    label = rng.choice(CATS) + rng.choice(TAGS)
    if depth and hi - lo == 1 and rng.random() < 0.6:
        return Node(rng.choice(POS), place=lo)
    if depth < 6 and rng.random() < 0.15:
        return Node(label, [random_node(rng, lo, hi, depth + 1)])
    if depth >= 6 or hi - lo == 1:
        return Node(label, [Node(rng.choice(POS), place=word) for word in range(lo, hi)])
    cuts = sorted({lo, hi, *(rng.randint(lo + 1, hi) for _ in range(rng.randint(0, 2)))})
    return Node(label, [random_node(rng, a, b, depth + 1) for a, b in pairwise(cuts)])


def edit(rng, root):
    """Make one random change to a tree."""
    kind = rng.choice(("relabel", "retag", "pos", "in", "out", "unary", "move"))
    node = rng.choice(list(root.phrases()))
    cat, _, tag = node.label.partition("-")
    if kind == "relabel":
        node.label = rng.choice(CATS) + ("-" + tag if tag else "")
    elif kind == "retag":
        node.label = cat + rng.choice(TAGS)
    elif kind == "pos":
        leaf = rng.choice(list(root.leaves()))
        leaf.label = leaf.label if leaf.label in EMPTIES else rng.choice(POS)
    elif kind in ("in", "unary"):
        start = rng.randrange(len(node.children))
        size = 1 if kind == "unary" else rng.randint(1, len(node.children) - start)
        chosen = node.children[start : start + size]
        node.children[start : start + size] = [Node(rng.choice(CATS) + rng.choice(TAGS), chosen)]
    else:
        places = [
            (above, k)
            for above in root.phrases()
            for k, each in enumerate(above.children)
            if each.place is None
        ]
        if kind == "out" and places:
            above, k = rng.choice(places)
            above.children[k : k + 1] = above.children[k].children
        elif kind == "move":
            places = [(above, k) for above, k in places if k and above.children[k - 1].place is None]
            if places:
                above, k = rng.choice(places)
                above.children[k - 1].children.append(above.children.pop(k))


def add_traces(rng, root):
    """Put traces, alone or in a phrase, anywhere into a tree."""
    for node in list(root.phrases()):
        while rng.random() < 0.2:
            k = rng.randrange(len(node.children) + 1)
            before = max((leaf.place for child in node.children[:k] for leaf in child.leaves()), default=None)
            if before is None:
                before = min(leaf.place for child in node.children for leaf in child.leaves()) - 1
            trace = Node(rng.choice(EMPTIES), place=int(before // 1) + rng.uniform(0.1, 0.9))
            node.children.insert(k, Node(rng.choice(CATS), [trace]) if rng.random() < 0.5 else trace)


def permute(rng, root, size):
    """Exchange words of a tree, so that phrases have gaps."""
    order = list(range(size))
    for _ in range(rng.randint(1, 2)):
        a, b = rng.randrange(size), rng.randrange(size)
        order[a], order[b] = order[b], order[a]
    for leaf in root.leaves():
        leaf.place = order[leaf.place]


def phrase_tree(root):
    """Return the annotation."""
    leaves = sorted(root.leaves(), key=lambda leaf: leaf.place)
    number = {id(leaf): place for place, leaf in enumerate(leaves)}
    phrases = list(root.phrases())
    number |= {id(node): len(leaves) + place for place, node in enumerate(phrases)}
    parents = [-1] * (len(leaves) + len(phrases))
    for node in phrases:
        for child in node.children:
            parents[number[id(child)]] = number[id(node)]
    empty = [leaf.label in EMPTIES for leaf in leaves]
    words = [leaf.label if trace else f"w{leaf.place}" for leaf, trace in zip(leaves, empty, strict=True)]
    tags = ["-NONE-" if trace else leaf.label for leaf, trace in zip(leaves, empty, strict=True)]
    return PhraseTree(tuple(words), (*tags, *(node.label for node in phrases)), tuple(parents))


def random_versions(rng, count=2, *, gaps=False, traces=False):
    """Return random annotations of the same words: independent ones, or edits of one."""
    size = rng.randint(1, 9)
    first = random_node(rng, 0, size)
    found = [first]
    for _ in range(count - 1):
        if rng.random() < 0.4:
            found.append(random_node(rng, 0, size))
            continue
        found.append(first.copy())
        for _ in range(rng.randint(0, 4)):
            edit(rng, found[-1])
    if gaps:
        permute(rng, rng.choice(found), size)
    if traces:
        add_traces(rng, first)
        for other in found[1:]:
            add_traces(rng, other)
    return [phrase_tree(root) for root in found]


def sites_of(value, **settings):
    """Return the sites of a normalised tree: the tag of each word, the labels of each set of words."""
    normal = Normaliser(PhraseOptions(**settings)).normal(value)
    size = len(normal.forms)
    number = {}
    for terminal in range(size):
        if terminal not in normal.traces:
            number[terminal] = len(number)
    found = {("word", (word,)): written(normal.labels[terminal]) for terminal, word in number.items()}
    order = []
    stack = [normal.root]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(normal.children[node - size] if node >= size else ()))
    words = {}
    for node in reversed(order):
        below = normal.children[node - size] if node >= size else ()
        words[node] = (
            {number[node]} if node in number else set().union(*(words[child] for child in below), ())
        )
    for node in order:
        if node >= size and words[node]:
            key = ("phrase", tuple(sorted(words[node])))
            found[key] = (*found.get(key, ()), written(normal.labels[node]))
    return found


def settled(sites):
    """Return sites without those that have no value."""
    return {site: value for site, value in sites.items() if value}


def crossing(sites):
    """Return whether two phrases overlap while neither contains the other."""
    sets = [set(words) for kind, words in sites if kind == "phrase"]
    return any(a & b and not a <= b and not b <= a for a in sets for b in sets)
