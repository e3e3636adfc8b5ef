"""Enhanced dependencies as graphs: the view ``enhanced``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from arbitree.errors import Source, StudyError, UnsupportedStudy, shorten
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.graphs.value import Edge, Graph, Node, grouped
from arbitree.study.study import Annotation, Study

BLANK = "_"
_HEAD = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")  # a token, or an empty node


def enhanced(trees: Study[DepTree]) -> Study[Graph]:
    """Return the study of enhanced dependencies; sentences without any count as missing.

    Tokens and empty nodes are nodes without labels. The head of ``0:root`` is the top.

    Raises:
        UnsupportedStudy: if the files have no column of enhanced dependencies.
        StudyError: if an enhanced dependency is not HEAD:RELATION, or its head does not exist.
    """
    cells = {
        key: Annotation(cell.item, cell.coder, graph_of(cell.value, cell.source), cell.source)
        for key, cell in trees.cells.items()
        if any(each != BLANK for each in cell.value.columns.get("deps", ()))
    }
    if not cells:
        raise UnsupportedStudy(
            "these trees have no enhanced dependencies",
            hint="Pass CoNLL-U files with column 9, or omit --view",
        )
    return Study(trees.items, trees.coders, cells, trees.reference, trees.notes, trees.settings)


def graph_of(tree: DepTree, source: Source | None = None) -> Graph:
    """Return the enhanced dependencies of a tree.

    Example:
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"), {"deps": ("2:nsubj", "0:root")})
        >>> graph_of(tree).triples.relations, graph_of(tree).tops
        (((1, 'nsubj', 0),), ('t2',))
    """
    rows = [(str(token), deps) for token, deps in enumerate(tree.columns["deps"], start=1)]
    for after, line in reversed(tree.extra):
        columns = line.split("\t")
        if "." in columns[0]:
            rows.insert(after, (columns[0], columns[8]))
    nodes = tuple(Node(f"t{name}", anchor=_anchor(name)) for name, _ in rows)
    known = {name for name, _ in rows}
    edges: list[Edge] = []
    tops: list[str] = []
    for name, text in rows:
        for head, label in _arcs(name, text, source):
            if head == "0":
                tops.append(f"t{name}")
            elif head in known:
                edges.append(Edge(f"t{head}", label, f"t{name}"))
            else:
                _refuse(
                    f"the head of enhanced dependency {shorten(text)} of token {name} does not exist", source
                )
    return Graph(nodes, grouped(nodes, edges), tuple(tops), tree.tokens, tree.comments, turned=False)


def _anchor(name: str) -> tuple[tuple[int, int], ...]:
    return () if "." in name else ((int(name), int(name)),)


def _arcs(name: str, text: str, source: Source | None) -> Iterator[tuple[str, str]]:
    """Yield the heads and relations of a token."""
    for part in text.split("|") if text != BLANK else ():
        head, colon, label = part.partition(":")
        if not (_HEAD.fullmatch(head) and colon and label):
            _refuse(f"enhanced dependency {shorten(text)} of token {name} is not HEAD:RELATION", source)
        yield head, label


def _refuse(what: str, source: Source | None) -> NoReturn:
    raise StudyError(what, source, hint="Fix column 9, or omit --view")
