"""UAS, LAS and LA: the share of tokens with the same head, head and relation, or relation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from arbitree.data.dependency import DepTree
from arbitree.data.result import Ignored
from arbitree.data.study import Annotation
from arbitree.measures.pairwise import PairwiseMean, length_obstacle


@dataclass(frozen=True, slots=True)
class Attachments:
    """Compares heads and relations token by token.

    Example:
        >>> ann = DepTree(("birds", "sing", "softly"), (2, 0, 2), ("nsubj", "root", "advmod"))
        >>> bob = DepTree(("birds", "sing", "softly"), (2, 0, 1), ("obj", "root", "advmod"))
        >>> [round(share, 2) for share in Attachments()(ann, bob)]
        [0.33, 0.67, 0.67]
    """

    about: ClassVar[Mapping[str, str]] = {
        "las": "share of tokens with the same head and relation",
        "uas": "share of tokens with the same head",
        "la": "share of tokens with the same relation",
    }

    def __call__(self, first: DepTree, second: DepTree) -> tuple[float, ...]:
        """Return the three shares."""
        heads = [a == b for a, b in zip(first.heads, second.heads, strict=True)]
        relations = [a == b for a, b in zip(first.relations, second.relations, strict=True)]
        both = sum(a and b for a, b in zip(heads, relations, strict=True))
        return both / len(heads), sum(heads) / len(heads), sum(relations) / len(heads)

    def obstacle(self, cells: list[Annotation[DepTree]]) -> Ignored | None:
        """Return an obstacle if the numbers of tokens differ."""
        return length_obstacle(cells)


PLUGINS = {name: PairwiseMean(Attachments(), name, (DepTree,)) for name in Attachments.about}
