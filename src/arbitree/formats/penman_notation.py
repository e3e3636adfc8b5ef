"""PENMAN notation of graphs, as in AMR and UMR: parse and write one graph."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arbitree.errors import FormatError, Source, shorten
from arbitree.kinds.graphs.value import Anchor, Edge, Graph, Node, grouped, inverted

DEPTH = 200  # levels of brackets; annotated graphs have up to about 30
INDENT = 4  # spaces per level
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[()]')  # also a string without an end
_ALIGNED = re.compile(r"~(?:[a-z]\.?)?([0-9]+(?:,[0-9]+)*)$")
# What only a variable looks like: one or two letters and a number, one letter, or s1p2 as in UMR.
_VARIABLE = re.compile(r"[a-z]{1,2}[0-9]+|[a-z]|s[0-9]+[a-z]+[0-9]*")
_EXPECTED = re.compile(r"Expected: (.*)")
_NAMES = {
    "ROLE": "a role such as :ARG0",
    "RPAREN": ")",
    "LPAREN": "(",
    "SYMBOL": "a name",
    "STRING": "a string",
}

logging.getLogger("penman").addHandler(logging.NullHandler())  # its warnings are errors here


class Line(NamedTuple):
    """A line of a file, with its number."""

    number: int
    text: str


def parse_graph(lines: Sequence[Line], path: str, *, tokens: tuple[str, ...] = ()) -> Graph:
    """Return the graph that *lines* contain.

    Args:
        lines: The lines of one graph, without comments.
        path: The file, for errors.
        tokens: The annotated words.
    Raises:
        FormatError: if the lines are not exactly one graph in PENMAN notation.
    """
    from penman import DecodeError, iterparse

    _check_brackets(lines, path)
    try:
        tree = next(iterparse([line.text for line in lines]))
    except DecodeError as error:
        place = max((error.lineno or 1) - 1, 0)
        raise _unreadable(error, lines[place], path) from None
    return _Reader(lines, path).graph(tree.node, tokens)


def _check_brackets(lines: Sequence[Line], path: str) -> None:
    """Raise FormatError unless *lines* begin with a bracket and end where it is closed."""
    opened: list[int] = []  # numbers of lines
    closed = False
    for line in lines:
        place = 0
        for found in _BRACKET.finditer(line.text):
            between = line.text[place : found.start()]
            if closed or (not opened and (between.strip() or found[0] != "(")):
                raise _outside(line, path, closed=closed)
            place = found.end()
            if found[0] == "(":
                opened.append(line.number)
            elif found[0] == ")":
                opened.pop()
                closed = not opened
            if len(opened) > DEPTH:
                what = f"the graph has more than {DEPTH} levels of brackets"
                raise FormatError(what, Source(path, line.number), hint="Refer to nodes by their variables")
        if not opened and line.text[place:].strip():
            raise _outside(line, path, closed=closed)
    if opened:
        what = "the bracket that opens here is never closed"
        hint = "Add the missing ), and remove empty lines inside the graph"
        raise FormatError(what, Source(path, opened[-1]), hint=hint)


def _outside(line: Line, path: str, *, closed: bool) -> FormatError:
    if closed:
        what = f"unexpected {shorten(line.text.strip())} after the end of the graph"
        hint = "Remove a ) too many, or put an empty line between two graphs"
    else:
        what = f"expected a graph in brackets, found {shorten(line.text.strip())}"
        hint = "Begin comments with #, and each graph with ("
    return FormatError(what, Source(path, line.number), hint=hint)


def _unreadable(error: Any, line: Line, path: str) -> FormatError:
    """Return the error for what the parser reports about a line."""
    found = line.text[error.offset or 0 :].split()
    expected = _EXPECTED.fullmatch(error.message or "")
    wanted = " or ".join(_NAMES.get(each, each) for each in expected[1].split(", ")) if expected else "more"
    what = f"expected {wanted}, found {shorten(found[0]) if found else 'the end of the line'}"
    hint = "Write nodes as (variable / concept :role value), and strings with spaces in straight quotes"
    return FormatError(what, Source(path, line.number), hint=hint)


class _Reader:
    """Turns the nested tuples of the parser into a graph."""

    def __init__(self, lines: Sequence[Line], path: str) -> None:
        self.lines = lines
        self.path = path
        self.nodes: dict[str, Node] = {}
        self.branches: list[tuple[str, str, Any]] = []  # in the order of the text

    def graph(self, root: Any, tokens: tuple[str, ...]) -> Graph:
        """Return the graph below the node *root*."""
        self._collect(root)
        edges = [self._edge(*branch) for branch in self.branches]
        top = str(root[0])
        nodes = ordered(self.nodes, edges, top)
        return Graph(nodes, grouped(nodes, edges), (top,), tokens)

    def _collect(self, root: Any) -> None:
        stack: list[tuple[Any, Iterator[Any]]] = []
        self._open(root)
        stack.append((root[0], iter(root[1])))
        while stack:
            variable, rest = stack[-1]
            branch = next(rest, None)
            if branch is None:
                stack.pop()
                continue
            role, target = branch
            if role == "/":
                continue
            self.branches.append((variable, role, target))
            if isinstance(target, tuple):
                self._open(target)
                stack.append((target[0], iter(target[1])))

    def _open(self, node: Any) -> None:
        variable, branches = node
        if variable is None:
            raise self._error(r"\(\s*\)", "the graph has an empty pair of brackets", "Write a node in them")
        if variable in self.nodes:
            hint = "Use another variable, or refer to the first node without brackets"
            what = f"variable {shorten(variable)} is defined twice"
            raise self._error(rf"\(\s*{re.escape(variable)}(?=[\s/)]|$)", what, hint, last=True)
        labels = [target for role, target in branches if role == "/"]
        if None in labels:
            what = f"node {shorten(variable)} has a slash but no concept"
            raise self._error(
                rf"\(\s*{re.escape(variable)}\s*/", what, "Write a concept after the slash, or remove it"
            )
        label, anchor = _split(labels[0]) if labels else ("", ())
        self.nodes[variable] = Node(variable, label, anchor)

    def _edge(self, source: str, role: str, target: Any) -> Edge:
        name, anchor = _split(role.removeprefix(":"))
        if isinstance(target, tuple):
            return Edge(source, name, target[0], anchor=anchor)
        if target is None:
            hint = "Write a constant, a variable or a node in brackets after it"
            pattern = rf"{re.escape(role)}(?=\s*(?:[:)]|$))"
            raise self._error(pattern, f"role {shorten(role)} has no value", hint)
        value, more = _split(target)
        if value in self.nodes:
            return Edge(source, name, value, anchor=anchor + more)
        if _VARIABLE.fullmatch(value):
            what = f"variable {shorten(value)} is used but not defined"
            hint = f'Define it, as in ({value} / concept); write a constant with quotes: "{value}"'
            raise self._error(rf"(?<=\s){re.escape(value)}(?=[\s)~]|$)", what, hint)
        return Edge(source, name, value, constant=True, anchor=anchor + more)

    def _error(self, pattern: str, what: str, hint: str, *, last: bool = False) -> FormatError:
        """Return an error about the first or last line that contains *pattern*, outside strings."""
        number = self.lines[0].number
        text = "\n".join(re.sub(r'"(?:[^"\\]|\\.)*+"', _blank, line.text) for line in self.lines)
        found = list(re.finditer(pattern, text, re.MULTILINE))
        if found:
            number = self.lines[text.count("\n", 0, found[-1 if last else 0].start())].number
        return FormatError(what, Source(self.path, number), hint=hint)


def _blank(found: re.Match[str]) -> str:
    return '"' * len(found[0])


def _split(text: str) -> tuple[str, Anchor]:
    """Return a concept, role or value without its alignment, and the alignment.

    Example:
        >>> _split("sleep-01~e.2,3"), _split('"~e.1"')
        (('sleep-01', ((2, 2), (3, 3))), ('"~e.1"', ()))
    """
    found = _ALIGNED.search(text)
    if found is None or len(found[1]) > 100:
        return text, ()
    return text[: found.start()], tuple((int(each), int(each)) for each in found[1].split(","))


def ordered(nodes: dict[str, Node], edges: Sequence[Edge], top: str) -> tuple[Node, ...]:
    """Return *nodes* in the order of a text that introduces each at its first mention, others last."""
    below: dict[str, list[str]] = {}
    for edge in edges:
        if not edge.constant:
            below.setdefault(edge.source, []).append(edge.target)
    found: dict[str, Node] = {}
    stack = [top]
    while stack:
        variable = stack.pop()
        if variable not in found:
            found[variable] = nodes[variable]
            stack.extend(reversed(below.get(variable, ())))
    return (*found.values(), *(node for name, node in nodes.items() if name not in found))


def arranged(graph: Graph) -> Graph:
    """Return the same graph with roles inverted where this is needed to reach every node from the top.

    Nodes that are not connected to the top stay unreached.

    Example:
        >>> cat = Graph((Node("s", "sleep-01"), Node("c", "cat")), (Edge("s", "ARG0", "c"),), ("c",))
        >>> arranged(cat).edges[0][:3]
        ('c', 'ARG0-of', 's')
    """
    edges = list(graph.edges)
    nodes = {node.variable: node if graph.turned else node._replace(anchor=()) for node in graph.nodes}
    reached: set[str] = set()
    waiting = list(graph.tops[:1])
    while waiting:
        _reach(waiting, edges, reached)
        for place, edge in enumerate(edges):
            outside = not edge.constant and edge.source not in reached and edge.target in reached
            if outside and (role := inverted(edge.role)):
                edges[place] = edge._replace(source=edge.target, role=role, target=edge.source)
                waiting = [edge.source]
                break
    found = ordered(nodes, edges, graph.tops[0]) if graph.tops else tuple(nodes.values())
    return Graph(found, grouped(found, edges), graph.tops, graph.tokens, graph.comments)


def unreached(graph: Graph) -> list[str]:
    """Return the nodes that cannot be reached from the first top along the roles as they are written."""
    reached: set[str] = set()
    _reach(list(graph.tops[:1]), graph.edges, reached)
    return [node.variable for node in graph.nodes if node.variable not in reached]


def _reach(waiting: list[str], edges: Sequence[Edge], reached: set[str]) -> None:
    """Add to *reached* all nodes below those in *waiting*, which is empty then."""
    below: dict[str, list[str]] = {}
    for edge in edges:
        if not edge.constant:
            below.setdefault(edge.source, []).append(edge.target)
    while waiting:
        variable = waiting.pop()
        if variable not in reached:
            reached.add(variable)
            waiting.extend(below.get(variable, ()))


def graph_lines(graph: Graph) -> Iterator[tuple[int, str]]:
    """Yield the indentation and the text of every line of an arranged graph."""
    nodes = {node.variable: node for node in graph.nodes}
    below: dict[str, list[Edge]] = {node.variable: [] for node in graph.nodes}
    for edge in graph.edges:
        below[edge.source].append(edge)
    opened: set[str] = set()
    for top in graph.tops[:1]:
        stack: list[tuple[int, Iterator[Edge]]] = [(0, iter(below[top]))]
        opened.add(top)
        line = (0, _opening(nodes[top]))
        while stack:
            depth, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                line = (line[0], f"{line[1]})")
                continue
            yield line
            edge = following
            role = f":{edge.role}{_marks(edge.anchor)}"
            if edge.constant or edge.target in opened:
                line = (depth + 1, f"{role} {edge.target}")
            else:
                opened.add(edge.target)
                line = (depth + 1, f"{role} {_opening(nodes[edge.target])}")
                stack.append((depth + 1, iter(below[edge.target])))
        yield line


def _opening(node: Node) -> str:
    label = f" / {node.label}{_marks(node.anchor)}" if node.label else ""
    return f"({node.variable}{label}"


def _marks(anchor: Anchor) -> str:
    """Return an anchor as an alignment with words; character spans have none."""
    numbers = [first for first, last in anchor if first == last]
    return "~e." + ",".join(map(str, numbers)) if numbers else ""


def penman_text(graph: Graph) -> str:
    """Return a connected graph with one top in PENMAN notation, on one line per node or attribute.

    Example:
        >>> nodes = (Node("s", "sleep-01"), Node("c", "cat"))
        >>> print(penman_text(Graph(nodes, (Edge("s", "ARG0", "c"),), ("s",))))
        (s / sleep-01
            :ARG0 (c / cat))
    """
    return "\n".join(" " * (INDENT * depth) + text for depth, text in graph_lines(graph))
