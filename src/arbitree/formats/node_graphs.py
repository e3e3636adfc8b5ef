"""Build phrase-structure trees from nodes that refer to each other by name, for NEGRA and TIGER-XML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.conll_rows import naming_comments
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.content import Entry

ABSENT = "--"  # a missing value in both formats
EDGE = "edge"
SECONDARY = "secedges"

Secondary = tuple[str, int]  # the label of a secondary edge, and its target node


@dataclass(slots=True)
class Graph:
    """The nodes of one sentence in the order of the file: the terminals, then the phrases.

    Example:
        >>> graph = Graph("a.export")
        >>> graph.words = ["birds", "sing"]
        >>> nodes = [graph.add(name, label, 1) for name, label in (("1", "N"), ("2", "V"), ("0", "S"))]
        >>> graph.root = graph.find("0", 1)
        >>> for word in range(2):
        ...     graph.link(word, graph.root, 1)
        >>> graph.tree() == PhraseTree(("birds", "sing"), ("N", "V", "S"), (2, 2, -1))
        True
    """

    path: str
    words: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # names of the nodes in the file
    labels: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # -1: none
    columns: dict[str, dict[int, str]] = field(default_factory=dict)
    secondary: dict[int, list[Secondary]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)  # number of each node by its name
    root: int = -1

    def add(self, name: str, label: str, line: int) -> int:
        """Add a node without a parent, and return its number."""
        number = len(self.names)
        if self.numbers.setdefault(name, number) != number:
            first = Source(self.path, self.lines[self.numbers[name]])
            hint = f"Rename one of them; the first is at {first}"
            raise FormatError(f"2 nodes have the name {shorten(name)}", Source(self.path, line), hint=hint)
        self.names.append(name)
        self.labels.append(label)
        self.lines.append(line)
        self.parents.append(-1)
        return number

    def keep(self, column: str, node: int, value: str) -> None:
        """Store *value* unless it is the mark of a missing value."""
        if value != ABSENT:
            self.columns.setdefault(column, {})[node] = value

    def find(self, name: str, line: int) -> int:
        """Return the number of the node called *name*."""
        if name not in self.numbers:
            hint = "Use the name of a node in the same sentence"
            raise FormatError(f"node {shorten(name)} not found", Source(self.path, line), hint=hint)
        return self.numbers[name]

    def link(self, child: int, parent: int, line: int) -> None:
        """Make *parent* the parent of *child*."""
        if self.parents[child] >= 0:
            hint = f"Remove one edge; the first comes from {shorten(self.names[self.parents[child]])}"
            what = f"node {shorten(self.names[child])} has 2 parents"
            raise FormatError(what, Source(self.path, line), hint=hint)
        self.parents[child] = parent

    def tree(self, comments: Iterable[str] = ()) -> PhraseTree:
        """Return the tree of the nodes, phrases in preorder from the root.

        Raises:
            FormatError: for a phrase without children, a cycle, or a node that the root does not reach.
        """
        if not self.names:
            return PhraseTree((), (), (), comments=tuple(comments))
        order = self._order()
        place = dict(zip(order, range(len(order)), strict=True))
        place[-1] = -1
        columns = dict(self.columns)
        columns[SECONDARY] = {
            node: " ".join(f"{label}:{place[other]}" for label, other in edges)
            for node, edges in self.secondary.items()
        }
        return PhraseTree(
            words=tuple(self.words),
            labels=tuple(self.labels[node] for node in order),
            parents=tuple(place[self.parents[node]] for node in order),
            columns={
                name: tuple(values.get(node, ABSENT) for node in order)
                for name, values in sorted(columns.items())
                if values
            },
            comments=tuple(comments),
        )

    def _order(self) -> list[int]:
        """Return the terminals and then the phrases in preorder, children by their first terminal."""
        if self.parents[self.root] >= 0:
            self._refuse(
                self.root, "is the root but has a parent", "Remove the edge to it, or choose another root"
            )
        childless = set(range(len(self.words), len(self.names))).difference(self.parents)
        for node, parent in enumerate(self.parents):
            if node == self.root:
                continue
            if parent < 0:
                self._refuse(node, "is not connected to the root", "Add an edge to it")
            if node in childless:
                self._refuse(node, "has no children", "Remove the node, or add an edge to a child")
        order = list(range(len(self.words)))
        children = self._children()
        stack = [self.root]
        reached = 0
        while stack:
            node = stack.pop()
            reached += 1
            if node >= len(self.words):
                order.append(node)
                stack.extend(reversed(children[node]))
        if reached < len(self.names):
            self._refuse(
                self._on_cycle(set(order)), "is on a cycle of parents", "Remove one edge of the cycle"
            )
        for node in childless:
            self._refuse(node, "is a sentence without words", "Add words, or remove the sentence")
        return order

    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.names]
        started = [False] * len(self.names)
        for terminal in range(len(self.words)):
            node = terminal
            while node >= 0 and not started[node]:  # all phrases that begin with this terminal
                started[node] = True
                if self.parents[node] >= 0:
                    children[self.parents[node]].append(node)
                node = self.parents[node]
        return children

    def _on_cycle(self, reached: set[int]) -> int:
        node = next(node for node in range(len(self.words), len(self.names)) if node not in reached)
        seen: set[int] = set()
        while node not in seen:
            seen.add(node)
            node = self.parents[node]
        return node

    def _refuse(self, node: int, what: str, hint: str) -> NoReturn:
        source = Source(self.path, self.lines[node])
        raise FormatError(f"node {shorten(self.names[node])} {what}", source, hint=hint)


def secondary_edges(tree: PhraseTree, node: int) -> list[Secondary]:
    """Return the secondary edges of *node*, stored in its column as ``label:node label:node``.

    Example:
        >>> tree = PhraseTree(("go",), ("VB", "VP"), (1, -1), {"secedges": ("SB:1 OA:1", "--")})
        >>> secondary_edges(tree, 0), secondary_edges(tree, 1)
        ([('SB', 1), ('OA', 1)], [])
    """
    values = tree.columns.get(SECONDARY)
    if values is None or values[node] == ABSENT:
        return []
    parts = (edge.rpartition(":") for edge in values[node].split(" "))
    return [(label, int(number)) for label, _, number in parts]


def bottom_up(tree: PhraseTree) -> list[int]:
    """Return the phrases of *tree* from left to right, children before their parents."""
    children = tree.children()
    order = []
    stack = [tree.parents.index(-1)] if tree.labels else []
    while stack:  # the root, then its children from the right: the reverse of postorder
        node = stack.pop()
        if node >= len(tree.words):
            order.append(node)
            stack.extend(children[node])
    return order[::-1]


def comments_to_write(
    entry: Entry[PhraseTree], document: str | None, *, known: bool = False
) -> tuple[str, ...]:
    """Return the comments of *entry* with its document, and its id unless the format contains it."""
    comments = naming_comments(entry, entry.value.comments, document, known=known)
    for comment in comments:
        if not comment.startswith("#") or "\n" in comment:
            hint = "Write comments as single lines that begin with #"
            raise FormatError(f"cannot write the comment {shorten(comment)}", entry.source, hint=hint)
    return comments
