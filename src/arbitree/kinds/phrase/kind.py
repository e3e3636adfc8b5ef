"""Phrase-structure trees as a kind of annotation."""

from __future__ import annotations

from typing import ClassVar

from arbitree.kinds.kind import Kind
from arbitree.kinds.phrase.value import PhraseTree


class PhraseKind(Kind[PhraseTree]):
    """Phrase-structure trees."""

    name: ClassVar[str] = "phrase"
    values: ClassVar[tuple[type, ...]] = (PhraseTree,)
    unit: ClassVar[str] = "sentence"
    writers: ClassVar[tuple[str, ...]] = ("brackets", "negra", "tigerxml")
    leading: ClassVar[tuple[str, ...]] = ("parseval",)
    order: ClassVar[tuple[str, ...]] = (
        "alpha_plain",
        "alpha_diff",
        "alpha_norm",
        "alpha_pqgram",
        "edit_distance",
        "exact",
        "jaccard",
        "leaf_ancestor",
        "parseval",
        "brants",
        "crossing",
    )


KIND = PhraseKind()
