"""Figures of a study: confidence intervals, pairs of annotators, corpora, distances."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arbitree.distances.ted import DELTAS, Ted
from arbitree.errors import UnsupportedStudy
from arbitree.files import make_directory
from arbitree.measures.distance_spread import Distances, distances
from arbitree.reporting.figure_style import COLOURS, QUIET, drawn_figure, legend, look, plain, save
from arbitree.reporting.phrasing import names_of
from arbitree.study.result import Group, Result
from arbitree.study.study import Study
from arbitree.wording import decimal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from arbitree.reporting.sections.several import ResultTables

Corpora = Sequence[tuple[str, Mapping[str, Result]]]  # names, and results by the names of measures

ROW = 0.28  # inches for a line of a forest plot
BINS = 40
LONGEST = 60  # rows of a forest plot
COUPLED = 4  # measures of which all pairs are drawn
WIDE, HIGH = 260, 230  # of a scatter plot, about, in points
LETTER, LINE = 4.2, 8  # width and height of small letters, about, in points
Box = tuple[float, float, float, float]  # left, bottom, right, top
LOWEST = -1.0  # end of the axis of a forest plot


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


def forest_figure(rows: Sequence[tuple[str, Result | Group]]) -> Figure:
    """Return a figure of values and their intervals, one per line."""
    return drawn_figure(partial(forest, rows=rows), height=_height(len(rows)))


def draw_several(found: ResultTables, folder: str) -> list[Path]:
    """Draw the values of several studies or columns, and pairs of measures; return the paths."""
    target = make_directory(folder)
    rows = [
        (f"{part.label}: {name}" if len(found.measures) > 1 else part.label, part.results[name])
        for name in found.measures
        for part in found.parts
        if name in part.results
    ]
    paths = save(target / "measures", partial(forest, rows=rows), height=_height(len(rows)))
    if "study" not in found.axes or len(found.measures) < 2:
        return paths
    corpora = [(part.label, part.results) for part in found.parts]
    first, *others = found.measures
    couples = (
        list(combinations(found.measures, 2)) if len(found.measures) <= COUPLED else [(first, others[0])]
    )
    for x, y in couples:
        paint = partial(scatter, corpora=corpora, across=x, others=[y])
        paths += save(target / f"scatter-{_file_name(x)}-{_file_name(y)}", paint, width=4.5, height=4.0)
    if len(others) > 1:
        paint = partial(scatter, corpora=corpora, across=first, others=others)
        paths += save(target / "scatter", paint, height=4.0)
    return paths


def forest(axes: Axes, rows: Sequence[tuple[str, Result | Group]], title: str = "") -> None:
    """Draw values and their intervals, one per line, on an axis from 0 to 1 that is extended down to -1.

    An interval that leaves the axis has an arrow at the cut end, like a value outside the axis.
    """
    lines: list[tuple[int, float, float, float]] = []  # row, value, and both ends of the interval
    for place, (_, found) in enumerate(rows):
        if found.value is None:
            axes.text(0.02, place, found.status, va="center", fontsize=8, color="0.4")
        elif found.interval:
            lines.append((place, found.value, found.interval.low, found.interval.high))
        else:
            lines.append((place, found.value, found.value, found.value))
    low = max(LOWEST, min([0.0, *(start for _, _, start, _ in lines)]))
    for place, value, start, end in lines:
        shown = [min(max(each, low), 1.0) for each in (start, end)]
        axes.plot(shown, [place] * 2, color=COLOURS[0], linewidth=1.2)
        for edge, cut, marker in ((low, start < low, "<"), (1.0, end > 1, ">")):
            if cut:
                axes.plot([edge], [place], color=COLOURS[0], marker=marker, markersize=5, clip_on=False)
        if low <= value <= 1:
            axes.plot([value], [place], color=COLOURS[0], marker="o", markersize=4.5)
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


def scatter(axes: Axes, corpora: Corpora, across: str, others: Sequence[str]) -> None:
    """Draw one measure against others, with one point per corpus and lines for the confidence intervals.

    Args:
        axes: to draw on.
        corpora: names of corpora, and the results on each by name.
        across: the measure on the horizontal axis.
        others: the measures on the vertical axis.
    Reference:
        Skjærholt (2014), figure 6.
    """
    for place, measure in enumerate(others):
        points = _points(corpora, across, measure)
        style = look(place) | {"linestyle": ""}
        for each in points:
            thin = {"color": style["color"], "linewidth": 0.9, "alpha": 0.45, "zorder": 1}
            axes.plot(each.across, [each.y] * len(each.across), **thin)
            axes.plot([each.x] * len(each.upward), each.upward, **thin)
        axes.plot([each.x for each in points], [each.y for each in points], label=plain(measure), **style)
        if len(others) == 1:
            _name_points(axes, points)
    if len(others) > 1:
        _name_lines(axes, [point for measure in others for point in _points(corpora, across, measure)])
        legend(axes, outside=True)
    intervals = (result.interval for _, results in corpora for result in results.values())
    confidence = next((each.confidence for each in intervals if each), None)
    remark = f", {100 * confidence:g}% CI" if confidence else ""
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel(f"{across}{remark}")
    axes.set_ylabel(f"{others[0] if len(others) == 1 else 'other measures'}{remark}")


class Point(NamedTuple):
    """Two measures of one corpus, with their intervals."""

    name: str
    x: float
    y: float
    across: list[float]  # the ends of the interval of x; empty without one
    upward: list[float]


def _points(corpora: Corpora, x: str, y: str) -> list[Point]:
    """Return the corpora on which both measures are defined."""
    found = []
    for name, results in corpora:
        ours, theirs = (results.get(measure) for measure in (x, y))
        if ours and theirs and ours.value is not None and theirs.value is not None:
            found.append(Point(name, ours.value, theirs.value, _ends(ours), _ends(theirs)))
    return found


def _ends(result: Result) -> list[float]:
    return [result.interval.low, result.interval.high] if result.interval else []


def _name_lines(axes: Axes, points: Sequence[Point]) -> None:
    """Write the names of corpora above the plot, each with a vertical line through its points."""
    left, right = axes.get_xlim()
    gap, last = LINE * (right - left) / WIDE, -np.inf
    for name, x in sorted({(each.name, each.x) for each in points}, key=lambda each: each[1]):
        axes.axvline(x, color="0.9", linewidth=0.8, zorder=0)
        above = axes.get_xaxis_transform()
        last = max(x, last + gap)
        axes.text(last, 1.01, plain(name), transform=above, rotation=60, fontsize=7, va="bottom")


def _name_points(axes: Axes, points: Sequence[Point]) -> None:
    """Write the names of corpora next to their points, where they cover no other name or point."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    scale = WIDE / (right - left), HIGH / (top - bottom)
    places = [(scale[0] * (each.x - left), scale[1] * (each.y - bottom)) for each in points]
    marks = [(x - 3, y - 3, x + 3, y + 3) for x, y in places]
    taken: list[Box] = []
    for number, (each, (x, y)) in enumerate(zip(points, places, strict=True)):
        length = LETTER * len(each.name)
        boxes = {
            (side, level): (start, y + level, start + length, y + level + LINE)
            for level in (4, -12, 14, -22)
            for side, start in (("left", x + 4), ("right", x - 4 - length))
        }
        others = [*taken, *marks[:number], *marks[number + 1 :]]
        free = [key for key, box in boxes.items() if not any(_overlap(box, other) for other in others)]
        side, level = free[0] if free else next(iter(boxes))
        taken.append(boxes[side, level])
        shift, style = (4 if side == "left" else -4, level), {"ha": side, "fontsize": 7, "color": "0.25"}
        text = axes.annotate(plain(each.name), (each.x, each.y), shift, textcoords="offset points")
        text.set(**style)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


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


def _file_name(measure: str) -> str:
    """Return the name of a measure for the name of a file.

    Example:
        >>> _file_name("alpha_norm:size=leaves")
        'alpha_norm-size-leaves'
    """
    return re.sub(r"[^\w.-]+", "-", measure)
