"""Output of ``arbitree simulate``: means at each noise level, a table of all values, and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.files import announce, inputs_kept, make_directory, write_whole
from arbitree.kinds.kind import Kind
from arbitree.reporting.csv import render
from arbitree.reporting.document import (
    DATA,
    TERMINAL,
    Document,
    Presentable,
    Section,
    Text,
    references_of,
)
from arbitree.reporting.figure_style import QUIET, drawn_figure, legend, look, plain, save
from arbitree.reporting.phrasing import REASONS, STATUS, summary
from arbitree.simulation.curves import Point, Simulation
from arbitree.study.result import Column, Form, Result, Table
from arbitree.wording import count_of, decimal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _level(value: float) -> str:
    return f"{value:g}"


def _mean(found: tuple[float | None, float]) -> str:
    mean, deviation = found
    return "—" if mean is None else f"{decimal(mean)} ± {decimal(deviation)}"


LEVEL = Form("level", _level)
MEAN = Form("mean", _mean, wraps=True)
FLOOR = -0.5  # lower values are outside the figure; a line of text in it reports the lowest
COLUMNS = ("experiment", "level", "measure", "mean", "sd", "median", "low", "high", "runs", "used", "status")


@dataclass(frozen=True, slots=True, repr=False)
class SimulationTable(Presentable):
    """Results of ``arbitree simulate``: print them, convert them, or ``write`` them as CSV and figures."""

    simulation: Simulation
    kind: Kind[Any]

    def __getitem__(self, place: tuple[str, float, str]) -> Result:
        experiment, level, measure = place
        points = self.simulation.curve(experiment, measure)
        return points[self.simulation.levels.index(level)].result

    @property
    def results(self) -> tuple[Result, ...]:
        """The results of all points."""
        return tuple(point.result for point in self.simulation.points)

    @property
    def document(self) -> Document:
        """The simulation as a document."""
        found = self.simulation
        sentences = count_of(len(found.corpus.items), "sentence")
        sections = (
            *(
                Section((_grid(found, name),), f"{name}: {about}")
                for name, about in found.experiments.items()
            ),
            Section(tuple(map(Text, (*found.notes, *_left_out(found))))),
            Section((_points(found),)),
        )
        return Document(
            "simulate",
            f"Simulated errors in {sentences}: means and standard deviations of "
            f"{count_of(found.runs, 'run')} per noise level.",
            sections,
            self.data,
            references_of(self.results),
            main="Simulation",
        )

    def data(self) -> dict[str, Any]:
        """Return the simulation for JSON."""
        found = self.simulation
        return {
            "study": summary(self.kind, found.corpus),
            "experiments": list(found.experiments),
            "levels": list(found.levels),
            "runs": found.runs,
            "seed": found.seed,
            "results": [_record(point) for point in found.points],
            "warnings": [*found.corpus.notes, *found.notes],
        }

    def plot(self) -> Figure:
        """Return a figure of the curves of each experiment; needs matplotlib."""
        names = self.simulation.experiments
        return drawn_figure([partial(curves, found=self.simulation, name=name) for name in names])

    def rows(self) -> list[tuple[Any, ...]]:
        """Return the rows of the table of values, one per level of each curve."""
        return list(_points(self.simulation).rows)

    def csv(self) -> str:
        """Return the table of values as CSV; an undefined value is an empty cell."""
        return render(_points(self.simulation))

    @inputs_kept()
    def write(self, folder: str) -> list[Path]:
        """Write the values as CSV and the curves as SVG and PDF to *folder*; return the paths."""
        target = make_directory(folder)
        table = target / "simulation.csv"
        announce(table, inputs=self.simulation.corpus.paths)
        write_whole(table, self.csv(), hint="Choose another path with --output")
        paints = {
            name: partial(curves, found=self.simulation, name=name) for name in self.simulation.experiments
        }
        paths = [table]
        for name, paint in paints.items():
            paths += save(target / name, paint, height=3.4)
        if len(paints) > 1:
            paths += save(target / "curves", list(paints.values()), height=3.0)
        return paths


def curves(axes: Axes, found: Simulation, name: str) -> None:
    """Draw the mean of every measure by noise level, with a band of one standard deviation."""
    lowest: list[str] = []
    for place, measure in enumerate(found.measures):
        points = [point for point in found.curve(name, measure) if point.result.value is not None]
        x = [point.level for point in points]
        y = [_value(point) for point in points]
        sd = [float(point.result.details["sd"]) for point in points]
        style = look(place)
        axes.plot(x, y, label=plain(measure), linewidth=1.2, **style)
        low = [a - b for a, b in zip(y, sd, strict=True)]
        high = [a + b for a, b in zip(y, sd, strict=True)]
        axes.fill_between(x, low, high, color=style["color"], alpha=0.15, linewidth=0)
        if y and min(y) < FLOOR:
            lowest.append(f"{measure} falls to {decimal(min(y), 2)}")
    bottom = max(FLOOR, min([0.0, *(_value(p) for p in found.points if p.result.value is not None)]))
    axes.set_ylim(bottom - 0.04, 1.04)
    axes.set_xlim(-0.03, 1.03)
    axes.axhline(0, color=QUIET, linewidth=0.8, zorder=0)
    if lowest:
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
        axes.text(
            0.02, 0.02, "\n".join(map(plain, lowest)), transform=axes.transAxes, fontsize=7, color="0.35",
            bbox=box,
        )  # fmt: skip
    axes.set_xlabel("noise level")
    axes.set_ylabel("agreement")
    axes.set_title(f"{name}: {found.experiments[name]}", fontsize=9)
    legend(axes)


def _grid(found: Simulation, name: str) -> Table:
    """Return a table with one row per level and one column per measure."""
    columns = [
        Column("level", "noise level", LEVEL),
        *(Column(measure, measure, MEAN) for measure in found.measures),
    ]
    curves = [found.curve(name, measure) for measure in found.measures]
    rows = [
        (points[0].level, *((point.result.value, point.result.details["sd"]) for point in points))
        for points in zip(*curves, strict=True)
    ]
    stars = {
        (row, place): "*"
        for place, points in enumerate(curves, start=1)
        for row, point in enumerate(points)
        if _starred(point.result)
    }
    return Table(columns, rows, media=TERMINAL, marks=stars)


def _starred(result: Result) -> bool:
    fine = result.status == "ok" and not result.details["mean_items_ignored"]
    return result.value is not None and not fine


def _points(found: Simulation) -> Table:
    """Return one row per level of each curve."""
    asked = len(found.measures)
    rows = [_row(point, found.measures[place % asked]) for place, point in enumerate(found.points)]
    return Table(COLUMNS, rows, name="Simulation", media=DATA)


def _left_out(found: Simulation) -> list[str]:
    """Return lines on excluded sentences and undefined runs, for every experiment and measure."""
    lines = []
    for name in found.experiments:
        for measure in found.measures:
            results = [point.result for point in found.curve(name, measure)]
            lost = [result for result in results if result.details["mean_items_ignored"]]
            if lost:
                most = max(lost, key=lambda result: result.details["mean_items_ignored"])
                why = ", ".join(REASONS.get(each, each) for each in most.details["ignored"])
                lines.append(
                    f"* {name}: {measure} excluded up to {most.details['mean_items_ignored']:.1f} "
                    f"of {len(found.corpus.items):,} sentences per run: {why}"
                )
            undefined = sum(result.details["undefined_runs"] for result in results)
            for status in dict.fromkeys(result.status for result in results if result.status != "ok"):
                why = STATUS.get(status, status).removeprefix("undefined, ")
                runs = f"undefined in {undefined:,} of {found.runs * len(results):,} runs"
                lines.append(f"{name}: {measure} is {runs if undefined else status}, {why}")
    return lines


def _value(point: Point) -> float:
    assert point.result.value is not None
    return point.result.value


def _record(point: Point) -> dict[str, Any]:
    found = point.result.to_dict()
    ignored = round(point.result.details["mean_items_ignored"])
    return {"experiment": point.experiment, "level": point.level} | found | {"items_ignored": ignored}


def _row(point: Point, measure: str) -> tuple[Any, ...]:
    result, told = point.result, point.result.details
    spread: Sequence[Any] = [told[key] for key in ("sd", "median", "low", "high", "runs")]
    used = told["mean_items_used"]
    return (point.experiment, point.level, measure, result.value, *spread, used, result.status)
