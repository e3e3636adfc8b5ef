"""Gwet's AC2: agreement that may be partial, steady where one label dominates.

Reference:
    Gwet (2014). Handbook of Inter-Rater Reliability, chapters 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from arbitree.data.labels import Label
from arbitree.distances.labels import Scale
from arbitree.measures.base import FloatArray
from arbitree.measures.chance import ChanceCorrected, observed_agreement
from arbitree.measures.coderpairs import Weighting
from arbitree.measures.coefficients import AC1, shares
from arbitree.measures.ratings import Counts


@dataclass(frozen=True, slots=True)
class AC2(ChanceCorrected):
    """AC1 with weights: A_e = Σ_kl a_kl / (q (q - 1)) Σ p_k (1 - p_k), a_kl = 1 - w_kl."""

    kinds: ClassVar[tuple[type, ...]] = (Label,)
    references: ClassVar[tuple[str, ...]] = ("gwet2014",)
    about: ClassVar[str] = "Gwet's AC2: AC1 with partial agreement (weights=linear|quadratic|FILE)"
    singles: ClassVar[bool] = True

    weighting: Weighting = field(default_factory=Weighting)
    by_default: bool = field(default=False, metadata={"fixed": True})

    @property
    def one_label(self) -> AC1:
        """The measure for one label against all others."""
        return AC1()

    def scale(self, stats: Counts) -> Scale:
        """Return the disagreement of categories."""
        made: Scale = stats.kept(("scale", self.weighting), lambda: self.weighting.scale(stats.values, "ac2"))
        return made

    def parts(self, stats: Counts, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the observed and the expected agreement for every row of *weights*."""
        scale = self.scale(stats)
        observed = observed_agreement(stats, scale, self.weighting, weights)
        count = len(stats.values)
        if count < 2:
            return observed, np.ones(len(weights))
        p = shares(stats, weights)
        ones = np.ones(count)
        agreement = 1 - float(scale.pairs(ones, ones)) / count**2
        return observed, agreement * count / (count - 1) * (p * (1 - p)).sum(axis=1)


PLUGINS = {"ac2": AC2()}
