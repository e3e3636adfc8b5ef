"""Nodes that one coder has and another has not, as in tectogrammatical annotation."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from arbitree.analyses.simulation.drawing import pick
from arbitree.data.dependency import DepTree

FORM = "#new"
UNKNOWN = "_"


@dataclass(frozen=True, slots=True)
class Nodes:
    """Deletes tokens and inserts new ones, so that the number of tokens changes.

    What hangs on a deleted token goes to its head. A new token is a leaf under a token of the tree, next
    after it, with a relation of the corpus. The last token of a tree is not deleted.

    Args:
        labels: the relations of the corpus.
        insert: probability that a token gets a new one, as a multiple of the level.
        delete: probability that a token goes, as a multiple of the level.
    Example:
        >>> tree = DepTree(("birds", "sing", "softly"), (2, 0, 2), ("nsubj", "root", "advmod"))
        >>> Nodes(("obj",), insert=1.0, delete=0.0)(tree, 1.0, Random(0)).heads
        (3, 1, 0, 3, 3, 5)
        >>> len(Nodes(("obj",), insert=0.0, delete=1.0)(tree, 1.0, Random(0)))
        1
    """

    labels: tuple[str, ...]
    insert: float
    delete: float

    def __call__(self, tree: DepTree, level: float, rng: Random) -> DepTree:
        """Return *tree* with noise of this level."""
        gone: set[int] = set()
        rows: list[tuple[int, int, str]] = []  # old number or 0, old head, relation
        for token in range(1, len(tree) + 1):
            if rng.random() < self.delete * level:
                gone.add(token)
            else:
                rows.append((token, tree.heads[token - 1], tree.relations[token - 1]))
            if rng.random() < self.insert * level:
                rows.append((0, token, pick(self.labels, rng)))
        if not rows:
            kept = pick(range(1, len(tree) + 1), rng)
            gone.remove(kept)
            rows = [(kept, tree.heads[kept - 1], tree.relations[kept - 1])]
        return _rebuilt(tree, rows, gone)


def _rebuilt(tree: DepTree, rows: list[tuple[int, int, str]], gone: set[int]) -> DepTree:
    """Return the tree of *rows*, whose heads are numbers of the old tree."""
    number = {0: 0} | {old: new for new, (old, _, _) in enumerate(rows, 1) if old}
    heads = []
    for _, old_head, _ in rows:
        head = old_head
        while head in gone:
            head = tree.heads[head - 1]
        heads.append(number[head])
    return DepTree(
        tokens=tuple(tree.tokens[old - 1] if old else FORM for old, _, _ in rows),
        heads=tuple(heads),
        relations=tuple(relation for _, _, relation in rows),
        columns={
            name: tuple(column[old - 1] if old else UNKNOWN for old, _, _ in rows)
            for name, column in tree.columns.items()
        },
        comments=tree.comments,
    )
