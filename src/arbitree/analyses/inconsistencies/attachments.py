"""Dependency annotations as the comparison sees them: facts of tokens, in a sentence and in a nucleus."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from arbitree.data.dependency import DepTree

ROOT = -1  # the artificial root, as the head of a token
OUTSIDE = -2  # a head that the comparison does not see

# What columns hold the part of speech: CoNLL-U and CoNLL-X call them differently.
POS_COLUMNS = {
    "keep": (("upos", "cpostag"),),
    "fine": (("xpos", "postag"),),
    "both": (("upos", "cpostag"), ("xpos", "postag")),
    "strip": (),
}

Fact = tuple[str, int, str]  # part of speech, head, relation ("" if the head is outside)


@dataclass(frozen=True, slots=True)
class View:
    """What one coder says of a sentence, or of a run of its tokens; tokens are counted from 0.

    Example:
        >>> View.of("ann", DepTree(("birds", "sing"), (2, 0), ("nsubj", "root")), pos="strip").facts
        (('', 1, 'nsubj'), ('', -1, 'root'))
    """

    coder: str
    facts: tuple[Fact, ...]

    @classmethod
    def of(cls, coder: str, tree: DepTree, *, pos: str = "keep", run: Sequence[int] | None = None) -> View:
        """Return the view of *tree*, or of the tokens *run*; heads not among them are outside."""
        tags = tags_of(tree, pos)
        if run is None:
            heads = zip(tags, tree.heads, tree.relations, strict=True)
            return cls(coder, tuple((tag, head - 1, relation) for tag, head, relation in heads))
        place = {token: k for k, token in enumerate(run)}
        place[ROOT] = ROOT
        facts = []
        for token in run:
            head = place.get(tree.heads[token] - 1, OUTSIDE)
            facts.append((tags[token], head, "" if head == OUTSIDE else tree.relations[token]))
        return cls(coder, tuple(facts))

    def inside(self, members: Collection[int], *, outer: bool = False) -> dict[int, Fact]:
        """Return the facts of the tokens of a nucleus: heads that are no members are outside.

        Args:
            members: tokens, and ROOT where the artificial root takes part.
            outer: keep the relation to a head outside, which is no part of the nucleus.

        Example:
            >>> View("ann", (("A", 1, "x"), ("B", ROOT, "root"))).inside({1})
            {1: ('B', -2, '')}
        """
        found = {}
        for token in sorted(members):
            if token != ROOT:
                tag, head, relation = self.facts[token]
                within = head in members
                found[token] = (tag, head if within else OUTSIDE, relation if within or outer else "")
        return found


def tags_of(tree: DepTree, pos: str) -> list[str]:
    """Return the parts of speech of *tree*, "" where it has none; coarse and fine are joined by a slash."""
    columns = []
    for names in POS_COLUMNS[pos]:
        found = next((tree.columns[name] for name in names if name in tree.columns), ("_",) * len(tree))
        columns.append(["" if tag == "_" else tag for tag in found])
    if not columns:
        return [""] * len(tree)
    return ["/".join(filter(None, tags)) for tags in zip(*columns, strict=True)]


def differing(views: Sequence[View]) -> list[int]:
    """Return the tokens of which two of *views* say different things.

    Example:
        >>> ann = View("ann", (("", 1, "x"), ("", ROOT, "r")))
        >>> bob = View("bob", (("", 1, "y"), ("", ROOT, "r")))
        >>> differing([ann, bob])
        [0]
    """
    first = views[0].facts
    others = [view.facts for view in views[1:]]
    return [token for token, fact in enumerate(first) if any(other[token] != fact for other in others)]


def differing_inside(views: Sequence[View], members: Collection[int]) -> set[tuple[int, int, int]]:
    """Return the tokens of a nucleus on which two of *views* differ inside it, each with these two.

    Example:
        >>> ann = View("ann", (("A", 1, "x"), ("B", ROOT, "r")))
        >>> bob = View("bob", (("A", 1, "y"), ("C", ROOT, "r")))
        >>> sorted(differing_inside([ann, bob], {1}))
        [(0, 1, 1)]
    """
    inside = [view.inside(members) for view in views]
    return {
        (one, other, token)
        for one, other in combinations(range(len(views)), 2)
        if inside[one] != inside[other]
        for token, fact in inside[one].items()
        if inside[other][token] != fact
    }
