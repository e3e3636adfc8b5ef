"""LAS, UAS, LA and related metrics: shares of tokens with a correct arc."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np

from arbitree.kinds.dependency.measures.arc_pairs import ArcPairs, ArcPolicy, Arcs, ArcStatistics, Bools
from arbitree.kinds.dependency.measures.token_groups import GROUPS, group_tally, mistakes
from arbitree.kinds.dependency.measures.tree_shape import depths
from arbitree.kinds.dependency.measures.word_classes import (
    CONTENT,
    FUNCTIONAL,
    PUNCTUATION,
    TagSet,
    universal,
)
from arbitree.kinds.dependency.value import DepTree
from arbitree.measures.measure import FloatArray, GroupTally, Tally
from arbitree.measures.ratio import Ratio, joined, mean_of
from arbitree.plugins import check_name
from arbitree.study.result import Table

ATTACHMENT_SCORES = "attachment scores"  # a family of measures
ROOT_WEIGHTS = ("inverse-log", "log")


@dataclass(frozen=True, slots=True)
class ArcMetric(Ratio[ArcStatistics]):
    """Base class of dependency metrics, with the options for building arcs.

    Args:
        punctuation: ``score-all``: all tokens count; ``skip-form``: tokens whose form is punctuation do not
            count, as with eval07.pl -p; ``remove-node``: tokens whose gold part of speech is punctuation are
            removed from both trees, and their dependents attached to the nearest remaining ancestor.
        subtypes: ``keep``: relations are compared as they are; ``strip``: without the part after a colon, as
            in the UD evaluation.
        marks: parts of speech of punctuation, or ``form`` to use the characters of the form.
    """

    kinds: ClassVar[tuple[type, ...]] = (DepTree,)
    references: ClassVar[tuple[str, ...]] = ("plank2015",)
    symmetric: ClassVar[bool] = False

    punctuation: str = "score-all"
    subtypes: str = "keep"
    marks: TagSet = field(default=PUNCTUATION, metadata={"parse": TagSet.read})

    def __post_init__(self) -> None:
        self.statistics  # noqa: B018 - checks the options

    @property
    def statistics(self) -> ArcPairs:
        """The arcs, shared by all dependency metrics with the same options."""
        return ArcPairs(ArcPolicy(self.punctuation, self.subtypes, self.marks))

    def count(self, stats: ArcStatistics) -> Tally:
        """Return the counts, averaged over both orders if there is no reference."""
        # remove-node removes what is punctuation in the first tree.
        symmetric = self.symmetric and self.punctuation != "remove-node"
        tallies = []
        for ways in stats.blocks(symmetric=symmetric):
            mean = mean_of([self.count_in(arcs) for arcs in ways])
            tokens = ways[0].once("tokens", partial(ways[0].per_item, ways[0].gold.scored))
            tallies.append(Tally(mean.numerators, mean.denominators, {"tokens": tokens, **mean.parts}))
        return joined(tallies)

    def sees(self, stats: ArcStatistics) -> tuple[str, ...]:
        """Return what all trees show; multiword tokens only if different words are aligned."""
        return ("tree", "words", "tags", *(("ranges",) if stats.aligned else ()))

    @abstractmethod
    def count_in(self, arcs: Arcs) -> Tally:
        """Return the counts of every item for pairs in one order."""


@dataclass(frozen=True, slots=True)
class TokenShare(ArcMetric):
    """Base class of metrics that are the share of correct tokens, optionally weighted."""

    family: ClassVar[str] = ATTACHMENT_SCORES

    grouped_by: ClassVar[tuple[str, ...]] = tuple(GROUPS)

    @abstractmethod
    def right(self, arcs: Arcs) -> Bools:
        """Return which gold tokens are correct, whether or not they count."""

    def weight(self, arcs: Arcs) -> FloatArray | Bools:
        """Return the weight of every gold token."""
        return arcs.gold.scored

    def spare(self, arcs: Arcs) -> FloatArray | None:
        """Return the counted tokens of the other tree for F1 metrics; None for other metrics."""
        return None

    def groups(self, stats: ArcStatistics, by: str) -> GroupTally:
        """Return the counts of groups of gold tokens."""
        return group_tally(stats, by, self.right(stats.forward), self.weight(stats.forward))

    def errors(self, stats: ArcStatistics) -> Mapping[str, Table]:
        """Return confused relations and wrong attachments."""
        return mistakes(stats.forward)

    def count_in(self, arcs: Arcs) -> Tally:
        """Return correct tokens over counted tokens.

        If words differ, the denominator is the mean of both sides, which makes the ratio an F1.
        """
        weight = self.weight(arcs)
        right = arcs.per_item(np.where(self.right(arcs), weight, 0))
        ours = arcs.per_item(weight)
        theirs = self.spare(arcs)
        return Tally(right, ours if theirs is None else (ours + theirs) / 2)


@dataclass(frozen=True, slots=True)
class Attachment(TokenShare):
    """LAS, labelled attachment score: the share of tokens with the same head and relation.

    Formula:
        LAS = |{d: h_G(d) = h_P(d) and l_G(d) = l_P(d)}| / |V|
    Example:
        >>> import arbitree as at
        >>> study = at.read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
        >>> at.evaluate(study, "las", resamples=0).details["tokens"]
        195
    """

    references: ClassVar[tuple[str, ...]] = ("buchholz-marsi2006", "skjaerholt2014")
    ranks_systems: ClassVar[bool] = True
    by_default: ClassVar[bool] = True
    symmetric: ClassVar[bool] = True
    about: ClassVar[str] = (
        "share of tokens with the same head and relation, averaged over pairs of annotators"
    )

    def right(self, arcs: Arcs) -> Bools:
        """Compare heads and relations."""
        return same_arcs(arcs)

    def spare(self, arcs: Arcs) -> FloatArray | None:
        """Count the other tree's tokens if the words differ."""
        return None if arcs.whole.all() else arcs.per_item(arcs.other.scored, arcs.other)


@dataclass(frozen=True, slots=True)
class UnlabelledAttachment(Attachment):
    """UAS, unlabelled attachment score: the share of tokens with the same head.

    Formula:
        UAS = |{d: h_G(d) = h_P(d)}| / |V|
    """

    about: ClassVar[str] = "share of tokens with the same head, averaged over pairs of annotators"

    def right(self, arcs: Arcs) -> Bools:
        """Compare heads."""
        return same_heads(arcs)


@dataclass(frozen=True, slots=True)
class LabelAccuracy(Attachment):
    """LA, label accuracy: the share of tokens with the same relation, whatever their heads.

    Formula:
        LA = |{d: l_G(d) = l_P(d)}| / |V|
    """

    about: ClassVar[str] = "share of tokens with the same relation, averaged over pairs of annotators"

    def right(self, arcs: Arcs) -> Bools:
        """Compare relations."""
        return same_labels(arcs)


@dataclass(frozen=True, slots=True)
class ContentRelations(TokenShare):
    """CLAS, content-word LAS: LAS over arcs whose relation is that of a content word, as an F1.

    Args:
        functional: excluded relations, by their universal part.
    """

    references: ClassVar[tuple[str, ...]] = ("nivre-fang2017",)
    symmetric: ClassVar[bool] = True
    about: ClassVar[str] = (
        "F1 of arcs with the same head and relation, without function words and punctuation"
    )
    undefined: ClassVar[str] = "no_content"

    functional: TagSet = field(default=FUNCTIONAL, metadata={"parse": TagSet.read})

    def right(self, arcs: Arcs) -> Bools:
        """Compare heads and relations."""
        return same_arcs(arcs)

    def weight(self, arcs: Arcs) -> Bools:
        """Count gold tokens whose relation is that of a content word."""
        content: Bools = self._content(arcs)[arcs.gold.labels] & arcs.gold.scored
        return content

    def spare(self, arcs: Arcs) -> FloatArray:
        """Count the other tree's tokens by their own relations."""
        return arcs.per_item(self._content(arcs)[arcs.other.labels] & arcs.other.scored, arcs.other)

    def _content(self, arcs: Arcs) -> Bools:
        return ~self.functional.among([universal(label) for label in arcs.labelled])


@dataclass(frozen=True, slots=True)
class ContentAttachment(TokenShare):
    """LAS over tokens whose gold part of speech is that of a content word.

    Args:
        content: parts of speech of content words; all others except punctuation are function words.
    """

    undefined: ClassVar[str] = "no_such_tokens"
    about: ClassVar[str] = (
        "share of content words (by gold part of speech) with the correct head and relation"
    )

    content: TagSet = field(default=CONTENT, metadata={"parse": TagSet.read})

    def right(self, arcs: Arcs) -> Bools:
        """Compare heads and relations."""
        return same_arcs(arcs)

    def weight(self, arcs: Arcs) -> Bools:
        """Count content words."""
        chosen: Bools = self._content(arcs) & arcs.gold.scored
        return chosen

    def _content(self, arcs: Arcs) -> Bools:
        found: Bools = self.content.among(arcs.tagged)[arcs.gold.tags]
        return found


@dataclass(frozen=True, slots=True)
class FunctionAttachment(ContentAttachment):
    """LAS over tokens whose gold part of speech is neither that of a content word nor punctuation."""

    about: ClassVar[str] = (
        "share of function words (by gold part of speech) with the correct head and relation"
    )

    def weight(self, arcs: Arcs) -> Bools:
        """Count function words."""
        chosen: Bools = ~self._content(arcs) & ~arcs.gold.marks & arcs.gold.scored
        return chosen


@dataclass(frozen=True, slots=True)
class RootAttachment(TokenShare):
    """LAS with higher weights for tokens near the root.

    Formula:
        Σ_d w(d) ok(d) / Σ_d w(d), w(d) = 1 / log2(1 + depth), with the gold depth, 1 for a root word.
    Args:
        weighting: ``inverse-log``, or ``log`` for w(d) = log2(1 + depth), the literal reading of the paper.
    """

    about: ClassVar[str] = (
        "share of tokens with the correct head and relation; tokens near the root weigh more"
    )

    weighting: str = "inverse-log"

    def __post_init__(self) -> None:
        ArcMetric.__post_init__(self)
        check_name(self.weighting, ROOT_WEIGHTS, "weighting value")

    def right(self, arcs: Arcs) -> Bools:
        """Compare heads and relations."""
        return same_arcs(arcs)

    def weight(self, arcs: Arcs) -> FloatArray:
        """Weight tokens by depth; tokens that a cycle disconnects from the root do not count."""
        depth = depths(arcs)
        logs = np.log2(1.0 + depth)
        with np.errstate(divide="ignore"):
            weights = logs if self.weighting == "log" else 1 / logs
        found: FloatArray = np.where((depth > 0) & arcs.gold.scored, weights, 0.0)
        return found


@dataclass(frozen=True, slots=True)
class NeutralEdges(TokenShare):
    """NED, neutral edge direction: the share of heads that are a gold parent, child or grandparent.

    Reference:
        Schwartz et al. (2011).
    """

    references: ClassVar[tuple[str, ...]] = ("schwartz2011",)
    about: ClassVar[str] = "share of tokens whose head is their gold parent, child or grandparent"

    def right(self, arcs: Arcs) -> Bools:
        """Accept the gold parent, a gold child and the gold grandparent, including the artificial root."""
        told, gold = arcs.heads, arcs.gold.heads
        inside = np.flatnonzero(told >= 0)
        child = np.zeros(len(told), dtype=bool)
        child[inside] = gold[told[inside]] == inside
        under = np.flatnonzero(gold >= 0)
        grand = np.zeros(len(told), dtype=bool)
        grand[under] = told[under] == gold[gold[under]]
        return same_heads(arcs) | child | grand


def same_heads(arcs: Arcs) -> Bools:
    """Return which gold tokens have the same head in the other tree."""
    found: Bools = arcs.once("same_heads", lambda: arcs.heads == arcs.gold.heads)
    return found


def same_labels(arcs: Arcs) -> Bools:
    """Return which gold tokens have the same relation in the other tree."""
    found: Bools = arcs.once("same_labels", lambda: arcs.labels == arcs.gold.labels)
    return found


def same_arcs(arcs: Arcs) -> Bools:
    """Return which gold tokens have the same head and relation in the other tree."""
    found: Bools = arcs.once("same_arcs", lambda: same_heads(arcs) & same_labels(arcs))
    return found


PLUGINS = {
    "las": Attachment(),
    "uas": UnlabelledAttachment(),
    "la": LabelAccuracy(),
    "clas": ContentRelations(),
    "content_las": ContentAttachment(),
    "function_las": FunctionAttachment(),
    "root_las": RootAttachment(),
    "ned": NeutralEdges(),
}
