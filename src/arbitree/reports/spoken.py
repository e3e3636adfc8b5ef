"""A tree in words, for who cannot see its picture."""

from __future__ import annotations

from collections import Counter

from arbitree.data.dependency import DepTree
from arbitree.data.phrase import PhraseTree


def spoken(tree: DepTree | PhraseTree) -> list[str]:
    """Return a line for every arc, from the first to the last word, or for every phrase, from the top.

    A word that stands twice in the sentence has its number after it.

    Example:
        >>> spoken(DepTree(("birds", "sing"), (2, 0), ("nsubj", "root")))
        ['birds: nsubj of sing', 'sing: root, under no word']
        >>> spoken(PhraseTree(("we", "sing"), ("P", "V", "S", "VP"), (2, 3, -1, 2)))
        ['S: we sing', 'P: we', 'VP: sing', 'V: sing']
    """
    return _arcs(tree) if isinstance(tree, DepTree) else _phrases(tree)


def _arcs(tree: DepTree) -> list[str]:
    counted = Counter(tree.tokens)
    words = [
        f"{word} ({number})" if counted[word] > 1 else word
        for number, word in enumerate(tree.tokens, start=1)
    ]
    return [
        f"{word}: {relation} of {words[head - 1]}" if head else f"{word}: {relation}, under no word"
        for word, head, relation in zip(words, tree.heads, tree.relations, strict=True)
    ]


def _phrases(tree: PhraseTree) -> list[str]:
    children, yields, tokens = tree.children(), tree.yields(), tree.tokens
    found = []
    stack = [tree.parents.index(-1)]
    while stack:
        node = stack.pop()
        words = " … ".join(" ".join(tokens[start:end]) for start, end in yields[node])
        if tree.labels[node]:
            found.append(f"{tree.labels[node]}: {words}".removesuffix(": "))
        stack += reversed(children[node])
    return found
