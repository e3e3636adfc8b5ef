"""Dependency trees as a kind of annotation."""

from __future__ import annotations

from typing import ClassVar

from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.kind import Kind


class DependencyKind(Kind[DepTree]):
    """Dependency trees."""

    name: ClassVar[str] = "dependency"
    values: ClassVar[tuple[type, ...]] = (DepTree,)
    unit: ClassVar[str] = "sentence"
    writers: ClassVar[tuple[str, ...]] = ("conllu", "conllx")
    leading: ClassVar[tuple[str, ...]] = ("las", "uas", "la")
    order: ClassVar[tuple[str, ...]] = (
        "alpha_plain",
        "alpha_diff",
        "alpha_norm",
        "alpha_pqgram",
        "las",
        "uas",
        "la",
        "clas",
        "content_las",
        "function_las",
        "root_las",
        "ned",
        "edit_distance",
        "exact",
        "elas",
        "kappa_labels",
        "ucp",
        "lcp",
        "ted",
        "weighted_las",
    )


KIND = DependencyKind()
