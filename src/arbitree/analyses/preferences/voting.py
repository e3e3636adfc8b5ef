"""Metrics as judges: how often they choose what people choose, and where people overrule LAS."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.analyses.preferences.agreement import Codes
from arbitree.measures.base import FloatArray

TIES = ("half", "exclude", "wrong")
MAJORITY = 0.75  # share of judgments from which people are taken to overrule a metric


def votes_right(x: FloatArray, y: FloatArray, ties: str = "half") -> FloatArray:
    """Return for every item 1 where the sign of *x* is that of the verdict, 0 where not.

    A metric that finds no difference gets 0.5 under ``half``, NaN under ``exclude``, 0 under ``wrong``.
    Items without a verdict (NaN) are NaN.

    Example:
        >>> votes_right(np.array([0.2, -0.1, 0.0]), np.array([1.0, 1.0, 0.0])).tolist()
        [1.0, 0.0, 0.5]
    """
    right = ((x > 0) == (y > 0.5)).astype(float)
    tied = {"half": 0.5, "exclude": np.nan, "wrong": 0.0}[ties]
    found: FloatArray = np.where(np.isnan(y), np.nan, np.where(x == 0, tied, right))
    return found


def agreement_with_verdicts(x: FloatArray, y: FloatArray, ties: str = "half") -> float | None:
    """Return the share of verdicts that the metric shares."""
    return _mean(votes_right(x, y, ties))


def agreement_with_coders(x: FloatArray, codes: Codes, ties: str = "half") -> float | None:
    """Return the mean over coders of the share of their own judgments that the metric shares.

    Example:
        >>> codes = np.array([[0, 0], [1, 0], [1, -1]])
        >>> agreement_with_coders(np.array([0.1, -0.2, 0.3]), codes)
        0.5833333333333333
    """
    shares = []
    for column in codes.T:
        y = np.where(column == 0, 1.0, np.where(column == 1, 0.0, np.nan))
        shares.append(_mean(votes_right(x, y, ties)))
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


@dataclass(frozen=True, slots=True)
class Case:
    """An item on which a clear majority of people contradict LAS."""

    place: int  # of the item
    side: int  # of the system that people prefer
    uas: float  # of that system less that of the other
    la: float
    root: bool  # the parses hang other words on the root

    @property
    def kind(self) -> str:
        """What the preferred parse does better: a proxy for a reading by hand."""
        if self.uas > 0:
            return "attachment"
        return "labelling" if self.la > 0 else "neither"


@dataclass(frozen=True, slots=True)
class Overruled:
    """All such items of a set."""

    cases: tuple[Case, ...]

    def count(self, kind: str) -> int:
        """Return how many are of one kind."""
        return sum(case.kind == kind for case in self.cases)

    @property
    def roots(self) -> int:
        """Those decided by attachment in which the parses differ in the root word."""
        return sum(case.root for case in self.cases if case.kind == "attachment")

    @property
    def shares(self) -> tuple[float | None, float | None]:
        """Of attachment and labelling among the items that are one of them."""
        attachment, labelling = self.count("attachment"), self.count("labelling")
        told = attachment + labelling
        return (attachment / told, labelling / told) if told else (None, None)


def overruled(codes: Codes, las: FloatArray, uas: FloatArray, la: FloatArray, roots: FloatArray) -> Overruled:
    """Return where people overrule LAS and what for; an item needs two judgments.

    Args:
        codes: (items, coders).
        las, uas, la: (items,) differences, first less second system.
        roots: (items,) whether the two parses differ in the words on the root.
    """
    votes = np.stack([(codes == 0).sum(axis=1), (codes == 1).sum(axis=1)])
    judged = votes.sum(axis=0)
    clear = (judged >= 2) & (votes.max(axis=0) >= MAJORITY * judged)
    sign = np.sign(votes[0] - votes[1])
    places = np.flatnonzero(clear & (np.sign(las) * sign < 0))
    return Overruled(
        tuple(
            Case(k, int(sign[k] < 0), float(uas[k] * sign[k]), float(la[k] * sign[k]), bool(roots[k]))
            for k in places.tolist()
        )
    )


def _mean(values: FloatArray) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None
