"""Figures of a study of preferences, as SVG for pages and PDF for papers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arbitree.files import make_directory
from arbitree.kinds.preference.findings import PreferenceFindings
from arbitree.kinds.preference.statistics.correlation import associate
from arbitree.reporting.figure_style import COLOURS, MARKERS, legend, save
from arbitree.study.result import Group, Result
from arbitree.wording import decimal

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(findings: PreferenceFindings, folder: str) -> list[Path]:
    """Draw all figures into the directory *folder*, and return their paths."""
    target = make_directory(folder)
    painters: dict[str, tuple[Callable[[PreferenceFindings, Any], None], float]] = {
        "correlation": (_correlation, 0.32 * len(findings.metrics) + 1.2),
        "agreement": (_agreement, 0.32 * len(findings.metrics) + 1.2),
        "between": (_between, 0.45 * len(findings.metrics) + 1.2),
        "difference": (_difference, 3.0),
    }
    return [
        path
        for name, (paint, height) in painters.items()
        for path in save(target / name, partial(paint, findings), height=max(height, 2.0))
    ]


def _correlation(findings: PreferenceFindings, axes: Axes) -> None:
    """Draw ρ with its interval for every metric and data set, and the ceiling."""
    parts = findings.correlations
    for place, part in enumerate(parts):
        shift = 0.6 * (place - (len(parts) - 1) / 2) / max(len(parts), 2)
        colour, label = COLOURS[place % 7], part.name
        for k, result in enumerate(findings.results):
            found: Result | Group = result.groups["set"][place] if place < len(findings.sets) else result
            if found.value is None:
                continue
            if found.interval:
                axes.plot(
                    [found.interval.low, found.interval.high], [k + shift] * 2, color=colour, linewidth=1
                )
            marker = MARKERS[place % 7]
            axes.plot(
                [found.value],
                [k + shift],
                linestyle="",
                color=colour,
                marker=marker,
                markersize=4.5,
                label=label,
            )
            label = ""
    ceilings = [associate(x, parts[-1].y).ceiling for x in parts[-1].x]
    for k, ceiling in enumerate(ceilings):
        if ceiling is not None:
            label = "ceiling" if k == 0 else ""
            axes.plot([ceiling] * 2, [k - 0.35, k + 0.35], color="0.6", linewidth=1.5, label=label)
    _names(axes, findings.metrics)
    axes.set_xlabel("Spearman's ρ with human preferences")
    axes.axvline(0, color="0.8", linewidth=0.8, zorder=0)
    legend(axes, outside=True)


def _agreement(findings: PreferenceFindings, axes: Axes) -> None:
    """Draw the agreement of every metric with the judges, and of the judges with each other."""
    for place, each in enumerate(findings.sets):
        colour, marker = COLOURS[place % 7], MARKERS[place % 7]
        shown = [(value, k) for k, value in enumerate(each.with_coders) if value is not None]
        axes.plot(
            [value for value, _ in shown],
            [k for _, k in shown],
            linestyle="",
            marker=marker,
            color=colour,
            label=each.name,
        )
        if each.agreement.raw is not None:
            axes.axvline(each.agreement.raw, color=colour, linestyle="--", linewidth=1)
    _names(axes, findings.metrics)
    axes.set_xlabel("share of judgments that a metric agrees with; dashed: agreement between judges")
    legend(axes, outside=True)


def _between(findings: PreferenceFindings, axes: Axes) -> None:
    """Draw the correlations between metrics as a heat map with numbers."""
    size = len(findings.metrics)
    values = np.array([[np.nan if v is None else v for v in row] for row in findings.between])
    axes.imshow(values, vmin=0, vmax=1, cmap="Blues")
    for i in range(size):
        for j in range(size):
            if not np.isnan(values[i, j]):
                colour = "white" if values[i, j] > 0.6 else "black"
                text = decimal(values[i, j], 2)
                axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=7)
    axes.set_xticks(range(size), findings.metrics, rotation=45, ha="right")
    axes.set_yticks(range(size), findings.metrics)
    axes.set_title("Spearman's ρ between the metrics' differences", fontsize=9)


def _difference(findings: PreferenceFindings, axes: Axes) -> None:
    """Draw how often judges prefer the first system, by the size of the metric difference."""
    place = findings.baseline
    part = findings.pooled
    x, y = part.raw[place], part.y
    edges = np.unique(np.quantile(x, np.linspace(0, 1, 9)))
    bins = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, max(len(edges) - 2, 0))
    for number in np.unique(bins):
        inside = bins == number
        n, share = int(inside.sum()), float(y[inside].mean())
        error = 1.96 * np.sqrt(max(share * (1 - share), 0.25 / n) / n)
        axes.errorbar(
            [float(x[inside].mean())], [share], yerr=[[min(error, share)], [min(error, 1 - share)]],
            color=COLOURS[0], marker="o", markersize=4.5, linewidth=1,
        )  # fmt: skip
    axes.axhline(0.5, color="0.8", linewidth=0.8, zorder=0)
    axes.axvline(0, color="0.8", linewidth=0.8, zorder=0)
    axes.set_ylim(-0.03, 1.03)
    first, second = findings.sets[0].measured.contest.systems
    axes.set_xlabel(f"{findings.metrics[place]} of {first} minus that of {second}")
    axes.set_ylabel(f"share of verdicts for {first}")


def _names(axes: Axes, names: tuple[str, ...]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
