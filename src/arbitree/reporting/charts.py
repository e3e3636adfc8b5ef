"""Figures of a study: confidence intervals, pairs of annotators, corpora, distances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arbitree.distances.ted import DELTAS, Ted
from arbitree.errors import UnsupportedStudy
from arbitree.files import make_directory
from arbitree.measures.distance_spread import Distances, distances
from arbitree.reporting.figure_style import COLOURS, QUIET, legend, look, plain, save
from arbitree.reporting.phrasing import names_of
from arbitree.study.result import Group, Result
from arbitree.study.study import Study
from arbitree.wording import decimal

if TYPE_CHECKING:
    from matplotlib.axes import Axes


ROW = 0.28  # inches for a line of a forest plot
BINS = 40
LONGEST = 60  # rows of a forest plot


def draw_agreement(study: Study[Any], results: Sequence[Result], folder: str) -> list[Path]:
    """Draw all figures that apply to *results* and the trees of *study*; return their paths."""
    target = make_directory(folder)
    rows = list(zip(names_of(results), results, strict=True))
    paths = save(target / "measures", partial(forest, rows=rows), height=_height(len(rows)))
    for kind, groups in results[0].groups.items():
        named = [(group.name, group) for group in groups[:LONGEST]]
        title = results[0].measure
        paint = partial(forest, rows=named, title=title)
        paths += save(target / f"by-{kind}", paint, height=_height(len(named)))
    if "pair" in results[0].groups and len(study.coders) > 2:
        side = 1.6 + 0.5 * len(study.coders)
        paths += save(target / "pairs", partial(pairs, result=results[0], coders=study.coders), height=side)
    if issubclass(study.value_type, Ted.kinds):
        found = distances(study)
        panels = [partial(spread, found=found, delta=delta) for delta in DELTAS]
        paths += save(target / "distances", panels)
    return paths


def forest(axes: Axes, rows: Sequence[tuple[str, Result | Group]], title: str = "") -> None:
    """Draw values and their intervals, one per line, on an axis from 0 to 1 that is extended if needed."""
    low = 0.0
    for place, (_, found) in enumerate(rows):
        if found.value is None:
            axes.text(0.02, place, found.status, va="center", fontsize=8, color="0.4")
            continue
        low = min(low, found.value)
        if found.interval:
            bounds = [found.interval.low, found.interval.high]
            axes.plot(bounds, [place] * 2, color=COLOURS[0], linewidth=1.2)
            low = min(low, found.interval.low)
        axes.plot([found.value], [place], color=COLOURS[0], marker="o", markersize=4.5)
    axes.set_yticks(range(len(rows)), [plain(name) for name, _ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(min(low * 1.05, -0.02), 1.02)
    for mark in (0, 1):
        axes.axvline(mark, color=QUIET, linewidth=0.8, zorder=0)
    confidence = next((found.interval.confidence for _, found in rows if found.interval), None)
    named = f"{title or 'value'}, {100 * confidence:g}% CI" if confidence else title or "value"
    axes.set_xlabel(named)


def pairs(axes: Axes, result: Result, coders: Sequence[str]) -> None:
    """Draw the agreement of every pair of annotators as a heat map with numbers."""
    if "pair" not in result.groups:
        raise UnsupportedStudy(f"{result.measure} was not computed by pair", hint="Add --by pair")
    found = {group.name: group.value for group in result.groups["pair"]}
    size = len(coders)
    values = np.full((size, size), np.nan)
    for i, j in combinations(range(size), 2):
        value = found.get(f"{coders[i]} - {coders[j]}")
        values[i, j] = values[j, i] = np.nan if value is None else value
    known = values[~np.isnan(values)]
    low = min(float(known.min()), 1.0) if len(known) else 0.0
    axes.imshow(values, cmap="Blues", vmin=low - 0.25 * (1 - low) - 1e-9, vmax=1)
    for i in range(size):
        for j in range(size):
            if not np.isnan(values[i, j]):
                dark = values[i, j] > (1 + low) / 2
                colour = "white" if dark else "black"
                axes.text(j, i, decimal(values[i, j]), ha="center", va="center", color=colour, fontsize=8)
            elif i != j:
                axes.text(j, i, "–", ha="center", va="center", color="0.4", fontsize=8)
    names = [plain(coder) for coder in coders]
    axes.set_xticks(range(size), names, rotation=45, ha="right")
    axes.set_yticks(range(size), names)
    axes.tick_params(length=0)
    axes.set_title(f"{result.measure} by pair of annotators", fontsize=9)


def scatter(axes: Axes, corpora: Sequence[tuple[str, Sequence[Result]]], across: str = "las") -> None:
    """Draw one measure against all others, with one point per corpus.

    Args:
        axes: to draw on.
        corpora: names of corpora, and the results on each.
        across: the measure on the horizontal axis.
    Reference:
        Skjærholt (2014), figure 6.
    """
    by_measure = [(name, {result.measure: result.value for result in results}) for name, results in corpora]
    others = [each for each in by_measure[0][1] if each != across]
    for place, measure in enumerate(others):
        points = [(found.get(across), found.get(measure)) for _, found in by_measure]
        known = [(x, y) for x, y in points if x is not None and y is not None]
        style = look(place) | {"linestyle": ""}
        axes.plot([x for x, _ in known], [y for _, y in known], label=plain(measure), **style)
    for name, found in by_measure:
        x = found.get(across)
        if x is not None:
            axes.axvline(x, color="0.9", linewidth=0.8, zorder=0)
            above = axes.get_xaxis_transform()
            axes.text(x, 1.01, plain(name), transform=above, rotation=60, fontsize=7, va="bottom")
    axes.set_xlabel(across)
    axes.set_ylabel("other measures")
    legend(axes, outside=True)


def spread(axes: Axes, found: Distances, delta: str) -> None:
    """Draw the distribution of tree distances under one delta, between and within sentences."""
    place = DELTAS.index(delta)
    between, within = found.between[place], found.within[place]
    highest = max((float(each.max()) for each in (between, within) if len(each)), default=1.0) or 1.0
    step = 1 / BINS if delta == "norm" else max(1, round(highest / BINS))
    shift = 0.0 if delta == "norm" else 0.5  # whole distances stand in the middle of their bar
    edges = np.arange(0, highest + 2 * step, step) - shift
    for k, (label, values) in enumerate((("different sentences", between), ("same sentence", within))):
        if len(values):
            weights = np.full(len(values), 1 / len(values))
            axes.hist(
                values, bins=edges.tolist(), weights=weights, color=COLOURS[k], label=label,
                histtype="stepfilled" if k == 0 else "step", alpha=0.5 if k == 0 else 1.0, linewidth=1.2,
            )  # fmt: skip
    axes.set_ylim(0, 1.3 * axes.get_ylim()[1])  # room for the legend
    axes.set_xlabel(f"distance ({delta})")
    axes.set_ylabel("share of pairs")
    legend(axes)


def _height(rows: int) -> float:
    return max(1.2, 0.8 + ROW * rows)
