"""UCP and LCP: the share of verbs whose dependents are all correct."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from arbitree.kinds.dependency.measures.arc_pairs import Arcs, Bools, Ints
from arbitree.kinds.dependency.measures.attachment import ArcMetric, same_heads, same_labels
from arbitree.kinds.dependency.measures.word_classes import VERBS, TagSet
from arbitree.measures.measure import Tally
from arbitree.plugins import check_name

ANY = TagSet(("*",))
CHILDLESS = ("count", "skip")


@dataclass(frozen=True, slots=True)
class Predications(ArcMetric):
    """The share of verbs with the same dependents in both trees, without punctuation.

    Formula:
        UCP = |{v: c_G(v) = c_P(v)}| / |V_verb|; LCP also compares the relations of the dependents.
        A verb without dependents in both trees is correct.
    Args:
        verbs: gold parts of speech of verbs; ``V*`` matches the universal tag VERB, but not AUX.
        core: relations of the dependents that count; by default all.
        childless: ``count`` verbs without a gold dependent, or ``skip`` them, which gives the values that
            the paper prints.
        lcp_literal: compute LCP by its printed formula: the relation of the verb itself instead of those of
            its dependents.
    Reference:
        Plank et al. (2015), section 2.
    """

    family: ClassVar[str] = "complete predications"
    undefined: ClassVar[str] = "no_verbs"

    verbs: TagSet = field(default=VERBS, metadata={"parse": TagSet.read})
    core: TagSet = field(default=ANY, metadata={"parse": TagSet.read})
    childless: str = "count"
    labelled: bool = field(default=False, metadata={"fixed": True})

    def __post_init__(self) -> None:
        ArcMetric.__post_init__(self)
        check_name(self.childless, CHILDLESS, "childless value")

    @property
    def about(self) -> str:
        """What it is, in a line."""
        return "share of verbs with the same dependents" + (" and relations" if self.labelled else "")

    def count_in(self, arcs: Arcs) -> Tally:
        """Return correct verbs over all verbs."""
        verbs = self.verbs.among(arcs.tagged)[arcs.gold.tags]
        if self.childless == "skip":
            gold = arcs.gold
            verbs = verbs & (
                _children(gold.heads, ~gold.marks & self.core.among(arcs.labelled)[gold.labels]) > 0
            )
        return Tally(arcs.per_item(self._right(arcs) & verbs), arcs.per_item(verbs))

    def _right(self, arcs: Arcs) -> Bools:
        core = self.core.among(arcs.labelled)
        gold, other = arcs.gold, arcs.other
        ours = ~gold.marks & core[gold.labels]
        shared = ours & same_heads(arcs) & core[arcs.labels]  # absent words have other heads
        if self.labelled and not self._literal():
            shared = shared & same_labels(arcs)
        expected = _children(gold.heads, ours)
        found = _children(other.heads, ~other.marks & core[other.labels])
        met = gold.partner >= 0
        theirs = np.full(len(gold), -1, dtype=np.intp)
        theirs[met] = found[gold.partner[met]]
        right: Bools = (expected == _children(gold.heads, shared)) & (expected == theirs)
        return right & same_labels(arcs) if self._literal() else right

    def _literal(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class LabelledPredications(Predications):
    """The share of verbs with the same dependents and relations in both trees, without punctuation.

    Formula:
        LCP = |{v: c_G(v) = c_P(v)}| / |V_verb|, with c(v) the dependents of v and their relations.
        A verb without dependents in both trees is correct.
    """

    labelled: bool = field(default=True, metadata={"fixed": True})
    lcp_literal: bool = False

    def _literal(self) -> bool:
        return self.lcp_literal


def _children(heads: Ints, which: Bools) -> Ints:
    """Return the number of tokens in *which* that are attached to each token."""
    found: Ints = np.bincount(heads[which & (heads >= 0)], minlength=len(heads))
    return found


PLUGINS = {"ucp": Predications(), "lcp": LabelledPredications()}
