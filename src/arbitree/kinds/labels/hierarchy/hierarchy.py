"""Hierarchies of tags, in which a tag can have several parents.

Reference:
    Melamed & Resnik (2000), section 3.3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Protocol

from arbitree.errors import FormatError, Source
from arbitree.reading.side_files import signed_name

Links = Mapping[tuple[str, str], Source | None]  # (parent, child), and its source

NEAR = 3  # letters that a similar tag must share with an unknown tag if there are many tags
MANY = 5000
LONG = 20  # number of tags of a cycle in a message


class Inventory(Protocol):
    """Source of a hierarchy; a small one is in memory, a large one is read as needed. Must be hashable."""

    @property
    def name(self) -> str:
        """The name in messages; ``str`` returns the name in signatures."""
        ...

    def over(self, tags: Collection[str], *, whole: bool = False) -> Hierarchy:
        """Return a hierarchy with the known *tags* and all tags below them.

        Args:
            tags: The tags of annotations; some may be unknown.
            whole: Whether to include all other tags as well.
        """
        ...

    def nearest(self, tag: str) -> str | None:
        """Return the known tag that is most similar to *tag*, or None."""
        ...


@dataclass(frozen=True)
class Hierarchy:
    """Nodes and their children without cycles: a tree, a forest, or a graph with several parents per node.

    Example:
        >>> links = {("A", "A.1"): None, ("A", "A.2"): None, ("B", "A.2"): None}
        >>> pets = Hierarchy.of_links(links, name="example")
        >>> pets.leaves, pets.roots
        (('A.1', 'A.2'), ('A', 'B'))
        >>> [pets.nodes[child] for child in pets.children[pets.places["A"]]]
        ['A.1', 'A.2']
    """

    nodes: tuple[str, ...]  # one tag per node, parents before children
    children: tuple[tuple[int, ...], ...]
    places: Mapping[str, int] = field(compare=False, repr=False)  # tag -> node; synonyms have one node
    name: str = "hierarchy"

    @classmethod
    def of_links(
        cls,
        links: Links,
        tags: Iterable[str] = (),
        *,
        synonyms: Mapping[str, str] | None = None,
        name: str = "hierarchy",
    ) -> Hierarchy:
        """Return the hierarchy with these *links*.

        Args:
            links: Pairs of parent and child.
            tags: Additional tags, with or without links.
            synonyms: Other names of tags.
            name: Name of the hierarchy in reports.
        Raises:
            FormatError: if the links contain a cycle; the message shows the cycle.
        """
        order = dict.fromkeys([*tags, *(tag for link in links for tag in link)])
        below: dict[str, list[str]] = {tag: [] for tag in order}
        for parent, child in links:
            below[parent].append(child)
        nodes = _sorted(below, links, name)
        places = {tag: place for place, tag in enumerate(nodes)}
        children = tuple(tuple(places[child] for child in below[tag]) for tag in nodes)
        more = {other: places[tag] for other, tag in (synonyms or {}).items() if tag in places}
        return cls(nodes, children, more | places, name)

    @classmethod
    def flat(cls, tags: Iterable[str], name: str = "flat") -> Hierarchy:
        """Return the hierarchy in which every tag is a leaf."""
        return cls.of_links({}, tags, name=name)

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """The parents of every node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for node, children in enumerate(self.children):
            for child in children:
                found[child].append(node)
        return tuple(map(tuple, found))

    @property
    def leaves(self) -> tuple[str, ...]:
        """The tags without children."""
        return tuple(tag for tag, below in zip(self.nodes, self.children, strict=True) if not below)

    @property
    def roots(self) -> tuple[str, ...]:
        """The tags without parents."""
        return tuple(tag for tag, above in zip(self.nodes, self.parents, strict=True) if not above)

    def below(self, node: int) -> list[int]:
        """Return *node* and all nodes under it, parents before children."""
        found, waiting = {node}, [node]
        while waiting:
            fresh = [child for child in self.children[waiting.pop()] if child not in found]
            found.update(fresh)
            waiting += fresh
        return sorted(found)  # nodes are numbered in topological order

    def over(self, tags: Collection[str], *, whole: bool = False) -> Hierarchy:
        """Return the hierarchy itself, which is complete."""
        return self

    def nearest(self, tag: str) -> str | None:
        """Return the known tag that looks most like *tag*, if one does."""
        return nearest(tag, self.places)

    def __str__(self) -> str:
        pairs = zip(self.nodes, self.children, strict=True)
        links = [(tag, self.nodes[child]) for tag, below in pairs for child in below]
        synonyms = [(tag, self.nodes[place]) for tag, place in self.places.items()]
        return signed_name(self.name, [*sorted(links), *sorted(synonyms)])


def nearest(tag: str, known: Collection[str]) -> str | None:
    """Return the name in *known* that is most similar to *tag*, or None.

    Example:
        >>> nearest("bank.1a", ["bank.1", "tree.1"])
        'bank.1'
    """
    if len(known) > MANY:
        start = tag[:NEAR].lower()
        known = [each for each in known if each[:NEAR].lower() == start]
    folded = {each.lower(): each for each in known}
    close = get_close_matches(tag.lower(), list(folded), n=1)
    return folded[close[0]] if close else None


def _sorted(below: Mapping[str, list[str]], links: Links, name: str) -> tuple[str, ...]:
    """Return the tags with parents before children; raise FormatError if there is a cycle."""
    above = dict.fromkeys(below, 0)
    for _, child in links:
        above[child] += 1
    ready = [tag for tag, count in above.items() if count == 0]
    for tag in ready:  # grows while it is read
        for child in below[tag]:
            above[child] -= 1
            if above[child] == 0:
                ready.append(child)
    if len(ready) < len(below):
        raise _cycle(set(ready), links, name)
    return tuple(ready)


def _cycle(done: Collection[str], links: Links, name: str) -> FormatError:
    """Return the error for a cycle among the tags that are not *done*."""
    above = {child: parent for parent, child in links if parent not in done and child not in done}
    path = {
        next(iter(above)): None
    }  # every remaining tag has a remaining parent: go up until a tag occurs again
    while (tag := above[next(reversed(path))]) not in path:
        path[tag] = None
    walked = [*path, tag]
    cycle = walked[walked.index(tag) :][::-1]
    source = links[cycle[0], cycle[1]] or Source(name)
    shown = cycle if len(cycle) <= LONG else [*cycle[: LONG - 1], f"({len(cycle) - LONG} more)", cycle[-1]]
    what = f"the hierarchy has a cycle: {' > '.join(shown)}"
    return FormatError(what, source, hint="Remove one of these links")
