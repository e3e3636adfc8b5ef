"""Decisions of treebankers on the parses of a grammar as a kind of annotation."""

from __future__ import annotations

from typing import ClassVar

from arbitree.kinds.kind import Kind
from arbitree.kinds.treebanking.value import Decisions


class TreebankingKind(Kind[Decisions]):
    """Decisions of treebankers on the parses of a grammar."""

    name: ClassVar[str] = "treebanking"
    values: ClassVar[tuple[type, ...]] = (Decisions,)
    unit: ClassVar[str] = "sentence"
    writers: ClassVar[tuple[str, ...]] = ()
    leading: ClassVar[tuple[str, ...]] = ()
    order: ClassVar[tuple[str, ...]] = ("y_option_kappa",)


KIND = TreebankingKind()
