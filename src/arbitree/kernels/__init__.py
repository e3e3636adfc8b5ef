"""Tree edit distance: the C++ kernel, and the Python fallback for systems without it.

Both have the same interface and return the same numbers; read ``plain.py`` to understand the algorithm. The
environment variable ``ARBITREE_KERNEL`` (``compiled`` or ``plain``) selects one of them.

The C++ kernel computes panels of sums, whose columns extend from the first row to the last group, for all
pairs at once, with the widest vectors that the processor supports; ``lanes()`` returns their name. The
environment variable ``ARBITREE_LANES`` selects others: ``avx512`` (which needs VBMI), ``avx2``, ``scalar``
(no vectors), or ``off`` (each pair separately, only with Zhang and Shasha's algorithm). They differ only in
speed. Long and deep trees are compared pair by pair, along the paths that need the fewest steps.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arbitree.errors import ArbitreeError
from arbitree.study.flat_tree import IntArray, Tree

if TYPE_CHECKING:
    from arbitree.kernels.plain import Corpus, Interrupted, interrupt, lanes, resume, share, stored_sums

__all__ = [
    "COMPILED",
    "LARGEST",
    "NAME",
    "Corpus",
    "Interrupted",
    "arrays",
    "interrupt",
    "lanes",
    "missing_kernel_note",
    "pack",
    "resume",
    "share",
    "stored_sums",
]

LARGEST = 32767  # nodes of trees whose distances can be stored

_MODULES = {"compiled": "arbitree.kernels._compiled", "plain": "arbitree.kernels.plain"}


def _choose(wanted: str) -> str:
    """Return the name of the kernel to use; *wanted* is empty if the user did not select one."""
    if wanted not in ("", *_MODULES):
        raise ArbitreeError(f"unknown kernel {wanted!r}", hint="Set ARBITREE_KERNEL to compiled or plain")
    if wanted == "plain":
        return wanted
    try:
        import_module(_MODULES["compiled"])
    except ImportError as error:
        if wanted:
            hint = "Install a C++20 compiler and reinstall Arbitree, or unset ARBITREE_KERNEL"
            raise ArbitreeError(f"the C++ kernel is not available ({error})", hint=hint) from None
        return "plain"
    return "compiled"


NAME = _choose(os.environ.get("ARBITREE_KERNEL", ""))
COMPILED = NAME == "compiled"

if not TYPE_CHECKING:
    _kernel = import_module(_MODULES[NAME])
    Corpus = _kernel.Corpus
    Interrupted = _kernel.Interrupted
    interrupt = _kernel.interrupt
    resume = _kernel.resume
    share = _kernel.share
    lanes = _kernel.lanes
    stored_sums = _kernel.stored_sums
    try:
        lanes()
    except ValueError as error:
        raise ArbitreeError(str(error)) from None


def pack(trees: Sequence[Tree]) -> Corpus:
    """Return *trees* in the form that the kernel needs, numbered from 0.

    Example:
        >>> from arbitree.study.flat_tree import Vocabulary, flatten
        >>> words = Vocabulary()
        >>> clause = flatten([[1, 2], [], []], ["S", "NP", "VP"], 0, words, size=3, leaves=2)
        >>> phrase = flatten([[1], []], ["S", "VP"], 0, words, size=2, leaves=1)
        >>> pack([clause, phrase]).table(0, 1)[-1].tolist()
        [2.0, 1.0]
    """
    return Corpus(*arrays(trees))


def arrays(trees: Sequence[Tree]) -> tuple[NDArray[np.int64], IntArray, IntArray]:
    """Return the arrays for a kernel: the offset of each tree, all labels, all leftmost leaves."""
    if any(tree.vocabulary is not trees[0].vocabulary for tree in trees):
        raise ValueError("the trees have several vocabularies, so their label numbers mean different things")
    empty = np.empty(0, dtype=np.int32)
    return (
        np.cumsum([0, *map(len, trees)], dtype=np.int64),
        np.concatenate([empty, *(tree.labels for tree in trees)]),
        np.concatenate([empty, *(tree.leftmost for tree in trees)]),
    )


def missing_kernel_note() -> str | None:
    """Return a warning if the C++ kernel is not available and the user did not select the fallback."""
    if COMPILED or os.environ.get("ARBITREE_KERNEL"):
        return None
    return (
        "the C++ kernel is not available, so comparing all pairs of trees is thousands of times slower. "
        "Install a C++20 compiler and reinstall Arbitree."
    )
