"""LAS with token weights that were fitted to human preferences or written by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from arbitree.errors import FormatError, Source, shorten
from arbitree.kinds.dependency.measures.arc_pairs import Arcs
from arbitree.kinds.dependency.measures.attachment import (
    ATTACHMENT_SCORES,
    ArcMetric,
    same_arcs,
    same_heads,
    same_labels,
)
from arbitree.kinds.dependency.measures.tree_shape import depths
from arbitree.measures.measure import FloatArray, Tally
from arbitree.reading.content import load
from arbitree.reading.guard import guarded_reader
from arbitree.reading.json_text import decode_json
from arbitree.reading.side_files import signed_name
from arbitree.study.study import Study

MEASURE = "weighted_las"
CREDITS = {"labelled": same_arcs, "head": same_heads, "label": same_labels}  # what a token can get right
KINDS = ("base", "relation", "tag", "depth")
DEEPEST = 6  # tokens at this depth or below are one class

Entry = tuple[str, str, str, float]  # credit, kind, name, weight


@dataclass(frozen=True, slots=True)
class Weights:
    """Token weights: for each credit, a sum over gold relation, part of speech and depth.

    Formula:
        w_c(d) = max(0, base_c + relation_c(d) + tag_c(d) + depth_c(d)), c one of: head and relation right,
        head right, relation right
    Example:
        >>> print(LAS)
        las
        >>> Weights((("head", "base", "", 1.0),)).to_dict()["head"]["base"]
        1.0
    """

    entries: tuple[Entry, ...]
    note: str = field(default="{}", compare=False)  # JSON, how they were made
    name: str = field(default="weights", compare=False)  # of their file

    def __str__(self) -> str:
        if self.entries == LAS.entries:
            return "las"
        return signed_name(self.name, sorted(self.entries))

    def of(self, arcs: Arcs, credit: str) -> FloatArray:
        """Return the weight of every gold token under one *credit*."""
        table: dict[str, dict[str, float]] = {kind: {} for kind in KINDS}
        for which, kind, name, weight in self.entries:
            if which == credit:
                table[kind][name] = weight
        total = np.full(len(arcs.gold), table["base"].get("", 0.0))
        for kind, (names, numbers) in classes(arcs).items():
            total += np.array([table[kind].get(name, 0.0) for name in names])[numbers]
        found: FloatArray = np.where(arcs.gold.scored, np.maximum(total, 0.0), 0.0)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the content of a weights file."""
        found: dict[str, Any] = {"measure": MEASURE}
        for credit in CREDITS:
            part: dict[str, Any] = {"base": 0.0, "relation": {}, "tag": {}, "depth": {}}
            for which, kind, name, weight in self.entries:
                if which == credit and kind == "base":
                    part["base"] = weight
                elif which == credit:
                    part[kind][name] = weight
            found[credit] = part
        return found | {"made": json.loads(self.note)}


LAS = Weights((("labelled", "base", "", 1.0),))


def classes(arcs: Arcs) -> dict[str, tuple[tuple[str, ...], Any]]:
    """Return the class names of each kind, and the class of every gold token."""
    depth = np.clip(depths(arcs), 0, DEEPEST)
    return {
        "relation": (arcs.labelled, arcs.gold.labels),
        "tag": (arcs.tagged, arcs.gold.tags),
        "depth": (tuple(map(str, range(DEEPEST + 1))), depth),
    }


@guarded_reader
def read_weights(path: str) -> Weights:
    """Read the weights that ``arbitree prefer --save-weights`` wrote.

    Raises:
        FormatError: if the file is not a weights file.
    """
    hint = "Create it with prefer --fit --save-weights"
    found = decode_json(load(path).text, Source(path), hint=hint)
    if not isinstance(found, dict) or found.get("measure") != MEASURE:
        raise FormatError(f"not a weights file for {MEASURE}", Source(path), hint=hint)
    entries: list[Entry] = []
    for credit in CREDITS:
        part = found.get(credit, {})
        if not isinstance(part, Mapping):
            raise FormatError(
                f"{credit} is not a JSON object", Source(path), hint='Write {"base": 1, "relation": {...}}'
            )
        entries += _entries(credit, part, path)
    return Weights(tuple(entries), json.dumps(found.get("made", {})), path)


def _entries(credit: str, part: Mapping[str, Any], path: str) -> list[Entry]:
    found: list[Entry] = []
    for kind, value in part.items():
        if kind not in KINDS:
            raise FormatError(
                f"unknown key {shorten(kind)} in {credit}", Source(path), hint=f"Use {', '.join(KINDS)}"
            )
        rows = {"": value} if kind == "base" else value
        if not isinstance(rows, Mapping):
            raise FormatError(
                f"{kind} of {credit} is not a JSON object",
                Source(path),
                hint="Write an object of names and numbers",
            )
        for name, weight in rows.items():
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight):
                what = f"the weight of {credit}, {kind} {shorten(str(name))} is not a number"
                raise FormatError(what, Source(path), hint="Write a number such as 0.5")
            found.append((credit, kind, str(name), float(weight)))
    return found


@dataclass(frozen=True, slots=True)
class WeightedAttachment(ArcMetric):
    """The share of the total weight that the other tree earns; without weights it equals LAS.

    Formula:
        Σ_d Σ_c w_c(d) ok_c(d) / Σ_d Σ_c w_c(d)
    Args:
        weights: a file that ``arbitree prefer --fit --save-weights FILE`` wrote.
    """

    family: ClassVar[str] = ATTACHMENT_SCORES
    about: ClassVar[str] = "LAS with token weights from a file (created by prefer --fit)"

    weights: Weights = field(default=LAS, metadata={"parse": read_weights})

    def offered(self, study: Study[Any]) -> bool:
        """Whether weights are set; without them the metric would repeat LAS."""
        return self.weights != LAS

    def count_in(self, arcs: Arcs) -> Tally:
        """Return the earned weight over the total weight."""
        earned = np.zeros(len(arcs.gold))
        whole = np.zeros(len(arcs.gold))
        for credit, right in CREDITS.items():
            worth = self.weights.of(arcs, credit)
            earned += np.where(right(arcs), worth, 0.0)
            whole += worth
        return Tally(arcs.per_item(earned), arcs.per_item(whole))


PLUGINS = {MEASURE: WeightedAttachment()}
