"""Write estimation.svg and print its numbers: the error of estimated Y-option kappa in simulated projects.

python -m docs.pictures.estimation
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import fmean

from tests.support.simulated_profiles import Plan, simulate, write

from arbitree.api.evaluate import evaluate
from arbitree.kinds.treebanking.suites import suites_of
from arbitree.reading.assembly import assemble

TARGET = Path(__file__).with_name("estimation.svg")
BAD = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)  # shares of sentences without a good parse
HARDER = (0.0, 0.1, 0.2)
SEEDS = (1, 2, 3)
WIDTH, HEIGHT, LEFT, TOP = 720, 380, 70, 30
LOW, HIGH = -1.2, 0.4
COLOURS = {0.0: "#0072B2", 0.1: "#D55E00", 0.2: "#009E73"}


def main() -> None:
    """Simulate, print, draw."""
    curves = {}
    print("harder  rejected by one  truth   with   without  both only")
    for harder in HARDER:
        points = []
        for bad in BAD:
            rows = [measured(bad, harder, seed) for seed in SEEDS]
            share, truth, *errors = (fmean(column) for column in zip(*rows, strict=True))
            points.append((share, *errors))
            print(
                f"{harder:6.2f}  {share:15.3f}  {truth:.3f} " + " ".join(f"{each:+8.3f}" for each in errors)
            )
        curves[harder] = points
    TARGET.write_text(drawn(curves), encoding="utf-8")


def measured(bad: float, harder: float, seed: int) -> tuple[float, ...]:
    """Return the share of rejected sentences, the truth, and the errors of three values."""
    plan = Plan(suites=1, sentences=1500, rejected=bad, harder=harder, slips=0.05, seed=seed)
    project = simulate(plan)
    with tempfile.TemporaryDirectory() as folder:
        write(project, Path(folder))
        inputs, _ = suites_of(folder, ())
        details = evaluate(assemble(inputs), "y_option_kappa", resamples=0).details
    names = ("with_estimation", "without_estimation", "both_accepted_only")
    return (project.rejected, project.truth, *(details[name] - project.truth for name in names))


def drawn(curves: dict[float, list[tuple[float, ...]]]) -> str:
    """Return the picture."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="13" role="img" aria-label="error of estimation by share of rejected sentences">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for tick in (-1.2, -1.0, -0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4):
        weight = 1.2 if tick == 0 else 0.4
        parts.append(
            f'<path d="M{x(0):.1f} {y(tick):.1f}H{x(1):.1f}" stroke="#555" stroke-width="{weight}"/>'
        )
        parts.append(f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:+.1f}</text>')
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        parts.append(f'<text x="{x(tick):.1f}" y="{y(LOW) + 20:.1f}" text-anchor="middle">{tick:.1f}</text>')
    label = "share of sentences rejected by at least one annotator"
    parts.append(f'<text x="{x(0.5):.1f}" y="{HEIGHT - 12}" text-anchor="middle">{label}</text>')
    parts.append(f'<text x="{LEFT}" y="{TOP - 10}">value less truth</text>')
    for place, (harder, points) in enumerate(curves.items()):
        for column, dash in ((1, ""), (2, ' stroke-dasharray="6 4"')):
            line = " ".join(f"{x(point[0]):.1f},{y(point[column]):.1f}" for point in points)
            parts.append(
                f'<polyline points="{line}" fill="none" stroke="{COLOURS[harder]}" stroke-width="2"{dash}/>'
            )
            last = points[-1]
            parts.append(f'<text x="{x(last[0]) + 5:.1f}" y="{y(last[column]) + 4:.1f}">{harder:g}</text>')
        end = TOP + 14 + 18 * place
        parts.append(f'<path d="M{x(1) + 8:.0f} {end - 4}h22" stroke="{COLOURS[harder]}" stroke-width="2"/>')
        parts.append(f'<text x="{x(1) + 36:.0f}" y="{end}">harder by {harder:g}</text>')
    for place, (name, dash) in enumerate((("with estimation", ""), ("without", ' stroke-dasharray="6 4"'))):
        end = TOP + 90 + 18 * place
        parts.append(f'<path d="M{x(1) + 8:.0f} {end - 4}h22" stroke="#333" stroke-width="2"{dash}/>')
        parts.append(f'<text x="{x(1) + 36:.0f}" y="{end}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def x(share: float) -> float:
    """Return the place of a share on the axis."""
    return LEFT + share * (WIDTH - LEFT - 170)


def y(error: float) -> float:
    """Return the place of an error on the axis."""
    return TOP + (HIGH - error) / (HIGH - LOW) * (HEIGHT - TOP - 60)


if __name__ == "__main__":
    main()
