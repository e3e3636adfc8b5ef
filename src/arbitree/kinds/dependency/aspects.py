"""The parts of a dependency tree that measures compare, for the fingerprints of data."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arbitree.kinds.dependency.measures.arc_pairs import coarse_tags
from arbitree.kinds.dependency.value import DepTree

SEPARATOR = "\x1f"  # occurs in no word, tag or relation


def _arcs(tree: DepTree) -> str:
    return SEPARATOR.join(("".join(map(chr, tree.heads)), *tree.relations))  # a letter for each head


def _words(tree: DepTree) -> str:
    return SEPARATOR.join(tree.tokens)


def _tags(tree: DepTree) -> str:
    return SEPARATOR.join(coarse_tags(tree))


def _ranges(tree: DepTree) -> str:
    """Return the words and form of every multiword token."""
    lines = (line.split("\t")[:2] for _, line in tree.extra)
    return SEPARATOR.join(f"{name} {form}" for name, form in lines if "-" in name)


def _enhanced(tree: DepTree) -> str:
    """Return enhanced dependencies, including those of empty nodes."""
    lines = (line.split("\t") for _, line in tree.extra)
    empty = [f"{columns[0]} {columns[8]}" for columns in lines if "." in columns[0]]
    return SEPARATOR.join([*tree.columns.get("deps", ()), *empty])


ASPECTS: Mapping[str, Callable[[DepTree], str]] = {
    "tree": _arcs,
    "words": _words,
    "tags": _tags,
    "ranges": _ranges,
    "enhanced": _enhanced,
}
