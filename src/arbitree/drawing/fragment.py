"""Fragments of trees: what findings are about, and what is drawn of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arbitree.wording import brief


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a fragment: a phrase, or the token at an offset into the words of the nucleus."""

    label: str  # category with its function tags, or part of speech
    parent: int  # place of the parent among the nodes; -1: none
    token: int | None = None  # None: a phrase
    edge: str = ""  # relation to the parent, in dependency trees
    partial: bool = False  # a phrase that also covers words outside the fragment
    gap: int | None = None  # of a trace: the number of tokens before it


@dataclass(frozen=True, slots=True)
class Fragment:
    """One annotation of the words of a nucleus, without the words: a small tree, or several side by side.

    Example:
        >>> nodes = (Node("NP", -1), Node("DT", 0, 0), Node("NN", 0, 1))
        >>> fragment = Fragment("NP[NN] <-A.L- DT", "(NP DT NN)", nodes)
        >>> fragment.children()
        [[1, 2], [], []]
    """

    text: str  # one line that says all: e-trees and arcs, or heads and relations
    brackets: str  # one line that people read at a glance
    nodes: tuple[Node, ...]

    __repr__ = brief

    def children(self) -> list[list[int]]:
        """Return the children of every node, by their first token."""
        first = self._first_tokens()
        below: list[list[int]] = [[] for _ in self.nodes]
        for place in sorted(range(len(self.nodes)), key=first.__getitem__):
            if self.nodes[place].parent >= 0:
                below[self.nodes[place].parent].append(place)
        return below

    def to_dict(self) -> dict[str, Any]:
        """Return the fragment for JSON."""
        return {
            "text": self.text,
            "brackets": self.brackets,
            "nodes": [
                {"label": node.label, "parent": node.parent, "token": node.token}
                | ({"edge": node.edge} if node.edge else {})
                | ({"partial": True} if node.partial else {})
                | ({"gap": node.gap} if node.gap is not None else {})
                for node in self.nodes
            ],
        }

    def _first_tokens(self) -> list[float]:
        """Return the first token at or under every phrase; a trace stands before the next token."""
        first = [float(len(self.nodes))] * len(self.nodes)
        for place, node in enumerate(self.nodes):
            if node.token is not None or node.gap is not None:
                own = float(node.token) if node.token is not None else (node.gap or 0) - 0.5
                first[place] = own
                above = node.parent
                while above >= 0 and self.nodes[above].token is None and first[above] > own:
                    first[above] = own
                    above = self.nodes[above].parent
        return first
