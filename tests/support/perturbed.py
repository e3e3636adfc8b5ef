"""Trees with errors of a random kind, as a parser makes them, and files of them."""

from dataclasses import replace

from arbitree import plugins
from arbitree.errors import Source
from arbitree.kinds.dependency.value import DepTree
from arbitree.reading.content import Content, Entry

RELATIONS = ("nsubj", "obj", "obl", "nmod", "amod", "case", "det", "nmod:poss", "punct", "aux")


def trees_in(path, name="conllu"):
    """The trees of a file."""
    content = Content(str(path), path.read_bytes())
    return [entry.value for entry in plugins.get("formats", name).read(content)]


def perturbed(tree, rng, rate=0.2):
    """The tree with some heads and relations changed; it stays a tree with the same root."""
    heads, relations = list(tree.heads), list(tree.relations)
    for token in range(1, len(tree) + 1):
        if heads[token - 1] and rng.random() < rate:
            under = below(heads, token)
            free = [k for k in range(1, len(tree) + 1) if k not in under]
            heads[token - 1] = rng.choice(free)
        if heads[token - 1] and rng.random() < rate:
            relations[token - 1] = rng.choice(RELATIONS)
    deps = tuple(f"{h}:{r}" for h, r in zip(heads, relations, strict=True))
    columns = {**tree.columns, "deps": deps}
    return replace(tree, heads=tuple(heads), relations=tuple(relations), columns=columns)


def below(heads, token):
    """The token and all that it dominates."""
    found = {token}
    while True:
        more = {k for k, head in enumerate(heads, start=1) if head in found} - found
        if not more:
            return found
        found |= more


def merged(tree, place):
    """The tree with a token (from 0) and the next made one word, or None where that gives no tree."""
    kept = [k for k in range(len(tree)) if k != place + 1]
    number = {k + 1: kept.index(k) + 1 for k in kept} | {place + 2: place + 1, 0: 0}
    head = tree.heads[place]
    if head == place + 2:
        head = tree.heads[place + 1]
    heads = [number[head if k == place else tree.heads[k]] for k in kept]
    if heads.count(0) != 1 or any(h == k + 1 for k, h in enumerate(heads)):
        return None
    tokens = [tree.tokens[k] + (tree.tokens[place + 1] if k == place else "") for k in kept]
    columns = {name: tuple(column[k] for k in kept) for name, column in tree.columns.items()}
    columns["deps"] = ("_",) * len(kept)
    found = DepTree(
        tuple(tokens), tuple(heads), tuple(tree.relations[k] for k in kept), columns, tree.comments
    )
    return None if found.unreached() else found


def ranged(tree, place):
    """The tree with a range over a token (from 0) and the next, which has the characters of both."""
    form = tree.tokens[place] + tree.tokens[place + 1]
    line = "\t".join([f"{place + 1}-{place + 2}", form, *("_",) * 8])
    return replace(tree, extra=((place, line),))


def write(path, trees):
    """Write a CoNLL-U file."""
    entries = [Entry(tree, Source("test"), None) for tree in trees]
    path.write_text("".join(plugins.get("formats", "conllu").write(entries)), encoding="utf-8")
    return path
