"""From several judgments of an item to one verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree.analyses.preferences.agreement import Codes
from arbitree.measures.base import FloatArray

MACE = {"mace": "vb", "mace-em": "em"}
METHODS = (*MACE, "majority")


@dataclass(frozen=True, slots=True)
class Verdicts:
    """For every item 1 where the first system is preferred, 0 where the second, NaN where there is none."""

    values: FloatArray
    method: str
    left_out: Mapping[str, int]  # why items have no verdict: how many
    competence: Mapping[str, float]  # of each coder, by MACE
    ties: int = 0  # items on which MACE could not tell and took the first

    def to_dict(self) -> Mapping[str, Any]:
        """Return what the JSON output holds."""
        return {
            "method": self.method,
            "items": int(np.sum(~np.isnan(self.values))),
            "first": int(np.nansum(self.values)),
            "left_out": dict(self.left_out),
            "ties": self.ties,
            "competence": dict(self.competence),
        }


def majority(codes: Codes) -> Verdicts:
    """Return what most judgments of an item say; a tie is no verdict.

    Example:
        >>> majority(np.array([[0, 0, 1], [0, 1, -1], [-1, -1, -1]])).left_out
        {'tie': 1, 'no_judgment': 1}
    """
    first, second = (codes == 0).sum(axis=1), (codes == 1).sum(axis=1)
    values = np.where(first > second, 1.0, np.where(second > first, 0.0, np.nan))
    judged = first + second > 0
    return Verdicts(values, "majority", _counted(tie=judged & np.isnan(values), no_judgment=~judged), {})


def mace_verdicts(codes: Codes, coders: tuple[str, ...], *, name: str = "mace", seed: int = 0) -> Verdicts:
    """Return the labels that MACE finds most probable; of equal ones the first, and they are counted.

    Args:
        codes: (items, coders).
        coders: their names.
        name: ``mace`` for variational inference, ``mace-em`` for plain expectation maximisation.
        seed: of the restarts.
    Reference:
        Hovy et al. (2013).
    """
    from arbitree.analyses.coders.mace import mace

    decided = np.where(codes > 1, -1, codes)
    judged = (decided >= 0).any(axis=1)
    values = np.full(len(codes), np.nan)
    voices = (decided >= 0).any(axis=0)
    if not judged.any():
        return Verdicts(values, name, _counted(no_judgment=~judged), {})
    fit = mace(decided[np.ix_(judged, voices)], 2, method=MACE[name], seed=seed)
    posterior = fit.posterior
    values[judged] = (posterior[:, 0] >= posterior[:, 1] - 1e-9).astype(float)
    ties = int(np.sum(np.abs(posterior[:, 0] - posterior[:, 1]) < 1e-9))
    heard = [coders[k] for k in np.flatnonzero(voices)]
    competence = {coder: float(c) for coder, c in zip(heard, fit.competence, strict=True)}
    return Verdicts(values, name, _counted(no_judgment=~judged), competence, ties)


def given_verdicts(codes: Codes, name: str) -> Verdicts:
    """Return verdicts that somebody else aggregated: one column of codes."""
    column = codes[:, 0]
    values = np.where(column == 0, 1.0, np.where(column == 1, 0.0, np.nan))
    return Verdicts(values, name, _counted(no_judgment=np.isnan(values)), {})


def _counted(**reasons: Any) -> dict[str, int]:
    return {reason: int(found.sum()) for reason, found in reasons.items() if found.any()}
