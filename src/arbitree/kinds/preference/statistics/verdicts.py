"""Verdicts, the agreement of metrics with verdicts and judges, and items that contradict LAS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.kinds.preference.statistics.agreement import Codes
from arbitree.measures.measure import FloatArray

MACE = {"mace": "vb", "mace-em": "em"}
METHODS = (*MACE, "majority")


@dataclass(frozen=True, slots=True)
class Verdicts:
    """For every item, 1 if the first system is preferred, 0 if the second, NaN without a verdict."""

    values: FloatArray
    method: str
    left_out: Mapping[str, int]  # why items have no verdict: how many
    competence: Mapping[str, float]  # of each coder, by MACE
    ties: int = 0  # items on which MACE could not tell and took the first

    def to_dict(self) -> Mapping[str, Any]:
        """Return the values for JSON."""
        return {
            "method": self.method,
            "items": int(np.sum(~np.isnan(self.values))),
            "first": int(np.nansum(self.values)),
            "left_out": dict(self.left_out),
            "ties": self.ties,
            "competence": dict(self.competence),
        }


def majority(codes: Codes) -> Verdicts:
    """Return the majority of the judgments of each item; a tie is not a verdict.

    Example:
        >>> majority(np.array([[0, 0, 1], [0, 1, -1], [-1, -1, -1]])).left_out
        {'tie': 1, 'no_judgment': 1}
    """
    first, second = (codes == 0).sum(axis=1), (codes == 1).sum(axis=1)
    values = np.where(first > second, 1.0, np.where(second > first, 0.0, np.nan))
    judged = first + second > 0
    return Verdicts(values, "majority", _counted(tie=judged & np.isnan(values), no_judgment=~judged), {})


def mace_verdicts(codes: Codes, coders: tuple[str, ...], *, name: str = "mace", seed: int = 0) -> Verdicts:
    """Return the most probable labels under MACE; ties go to the first label and are counted.

    Args:
        codes: (items, coders).
        coders: the names of the judges.
        name: ``mace`` for variational inference, ``mace-em`` for plain expectation maximisation.
        seed: the random seed of the restarts.
    Reference:
        Hovy et al. (2013).
    """
    from arbitree.annotator_models.fitting import fit_labels
    from arbitree.annotator_models.mace import Mace

    decided = np.where(codes > 1, -1, codes)
    judged = (decided >= 0).any(axis=1)
    values = np.full(len(codes), np.nan)
    voices = (decided >= 0).any(axis=0)
    if not judged.any():
        return Verdicts(values, name, _counted(no_judgment=~judged), {})
    fit = fit_labels(Mace(2, MACE[name]), decided[np.ix_(judged, voices)], restarts=10, seed=seed)
    posterior = fit.posterior
    values[judged] = (posterior[:, 0] >= posterior[:, 1] - 1e-9).astype(float)
    ties = int(np.sum(np.abs(posterior[:, 0] - posterior[:, 1]) < 1e-9))
    heard = [coders[k] for k in np.flatnonzero(voices)]
    competence = {coder: float(c) for coder, c in zip(heard, fit.competence, strict=True)}
    return Verdicts(values, name, _counted(no_judgment=~judged), competence, ties)


def given_verdicts(codes: Codes, name: str) -> Verdicts:
    """Return verdicts that were aggregated elsewhere: one column of codes."""
    column = codes[:, 0]
    values = np.where(column == 0, 1.0, np.where(column == 1, 0.0, np.nan))
    return Verdicts(values, name, _counted(no_judgment=np.isnan(values)), {})


def _counted(**reasons: Any) -> dict[str, int]:
    return {reason: int(found.sum()) for reason, found in reasons.items() if found.any()}


TIES = ("half", "exclude", "wrong")
MAJORITY = 0.75  # share of judgments from which people are taken to overrule a metric


def votes_right(x: FloatArray, y: FloatArray, ties: str = "half") -> FloatArray:
    """Return for every item 1 if the sign of *x* matches the verdict, otherwise 0.

    A metric without a difference gets 0.5 under ``half``, NaN under ``exclude``, 0 under ``wrong``.
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
    """Return the share of verdicts that the metric agrees with."""
    return _mean(votes_right(x, y, ties))


def agreement_with_coders(x: FloatArray, codes: Codes, ties: str = "half") -> float | None:
    """Return the mean over judges of the share of their judgments that the metric agrees with.

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
    """An item on which a clear majority of judgments contradicts LAS."""

    place: int  # of the item
    side: int  # of the system that people prefer
    uas: float  # of that system less that of the other
    la: float
    root: bool  # the parses attach different words to the root

    @property
    def kind(self) -> str:
        """The advantage of the preferred parse, classified automatically."""
        if self.uas > 0:
            return "attachment"
        return "labelling" if self.la > 0 else "neither"


@dataclass(frozen=True, slots=True)
class Overruled:
    """All such items of a data set."""

    cases: tuple[Case, ...]

    def count(self, kind: str) -> int:
        """Return the number of items of one kind."""
        return sum(case.kind == kind for case in self.cases)

    @property
    def roots(self) -> int:
        """The number of attachment items whose parses differ in the root word."""
        return sum(case.root for case in self.cases if case.kind == "attachment")

    @property
    def shares(self) -> tuple[float | None, float | None]:
        """The shares of attachment and labelling among the items that are either."""
        attachment, labelling = self.count("attachment"), self.count("labelling")
        told = attachment + labelling
        return (attachment / told, labelling / told) if told else (None, None)


def overruled(codes: Codes, las: FloatArray, uas: FloatArray, la: FloatArray, roots: FloatArray) -> Overruled:
    """Return the items on which judges contradict LAS; an item needs two judgments.

    Args:
        codes: (items, coders).
        las, uas, la: (items,) differences, first minus second system.
        roots: (items,) whether the two parses differ in the words attached to the root.
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
