"""What the formats of phrases share: comments, and graphs whose nodes name each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.conll_rows import sentence_id
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.content import Entry

ABSENT = "--"  # how both formats write that a node has no such value
EDGE = "edge"
SECONDARY = "secedges"

Secondary = tuple[str, int]  # the label of a secondary edge, and the node that it leads to


@dataclass(slots=True)
class Graph:
    """The nodes of one sentence as a file lists them: the terminals in order, then the phrases.

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
    names: list[str] = field(default_factory=list)  # what the file calls the nodes
    labels: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # -1: none
    columns: dict[str, dict[int, str]] = field(default_factory=dict)
    secondary: dict[int, list[Secondary]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)  # of the nodes, by their names
    root: int = -1

    def add(self, name: str, label: str, line: int) -> int:
        """Add a node that has no parent yet, and return its number."""
        number = len(self.names)
        if self.numbers.setdefault(name, number) != number:
            first = Source(self.path, self.lines[self.numbers[name]])
            hint = f"Give each its own; the first is at {first}"
            raise FormatError(f"two nodes are called {shorten(name)}", Source(self.path, line), hint=hint)
        self.names.append(name)
        self.labels.append(label)
        self.lines.append(line)
        self.parents.append(-1)
        return number

    def keep(self, column: str, node: int, value: str) -> None:
        """Keep *value*, unless it says that there is none."""
        if value != ABSENT:
            self.columns.setdefault(column, {})[node] = value

    def find(self, name: str, line: int) -> int:
        """Return the number of the node called *name*."""
        if name not in self.numbers:
            hint = "Edges lead to nodes of the same sentence"
            raise FormatError(f"there is no node {shorten(name)}", Source(self.path, line), hint=hint)
        return self.numbers[name]

    def link(self, child: int, parent: int, line: int) -> None:
        """Put *child* under *parent*."""
        if self.parents[child] >= 0:
            hint = f"Keep one edge; {shorten(self.names[self.parents[child]])} has it too"
            what = f"node {shorten(self.names[child])} has two parents"
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
            self._refuse(self.root, "is the root and has a parent", "Take out one or the other")
        childless = set(range(len(self.words), len(self.names))).difference(self.parents)
        for node, parent in enumerate(self.parents):
            if node == self.root:
                continue
            if parent < 0:
                self._refuse(node, "is not reached from the root", "Put it under another node")
            if node in childless:
                self._refuse(node, "has no children", "Take the node out, or put something under it")
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
            self._refuse(self._on_cycle(set(order)), "is above itself", "Break the cycle of parents")
        for node in childless:
            self._refuse(node, "is a sentence without words", "Put words under it, or take it out")
        return order

    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.names]
        started = [False] * len(self.names)
        for terminal in range(len(self.words)):
            node = terminal
            while node >= 0 and not started[node]:  # all that begins with this terminal
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
    """Return the secondary edges of *node*, which its column holds as ``label:node label:node``.

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


def comments_to_write(entry: Entry[PhraseTree], *, known: bool = False) -> tuple[str, ...]:
    """Return the comments of *entry*, one with its id first unless they or the format have it (*known*)."""
    comments = entry.value.comments
    if entry.id and not known and not sentence_id(comments):
        comments = (f"# sent_id = {entry.id}", *comments)
    for comment in comments:
        if not comment.startswith("#") or "\n" in comment:
            hint = "A comment is one line that begins with #"
            raise FormatError(f"cannot write the comment {shorten(comment)}", entry.source, hint=hint)
    return comments
