"""Set section 3 of Skjærholt (2014) beside what Arbitree finds in the released data, and draw figures 3 to 6.

ARBITREE_DATA=... python docs/papers/make_skjaerholt2014.py        prints the tables of docs/simulate.md
ARBITREE_DATA=... python docs/papers/make_skjaerholt2014.py DIR    draws the figures too, as SVG and PDF
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import arbitree as at
from arbitree.analyses.distribution import distances
from arbitree.analyses.simulation.dependency import DRAWS
from arbitree.formats.assembly import read_study
from arbitree.reports.charts import scatter
from arbitree.reports.figures import folder_of, save

FILES = {"NDT 1": "ndt/odin-danish.conll", "NDT 2": "ndt/odin-swedish.conll"}
CORPORA = {
    "NDT 1": ["ndt/odin-danish.conll", "ndt/thor-danish.conll"],
    "NDT 2": ["ndt/odin-swedish.conll", "ndt/thor-swedish.conll"],
    "CDT da": ["cdt/da-lotte.conll", "cdt/da-morten.conll"],
    "CDT en": ["cdt/en-lotte.conll", "cdt/en-morten.conll"],
    "CDT es": ["cdt/es/henrik", "cdt/es/jonas", "cdt/es/lotte", "cdt/es/soren"],
}
PRINTED = [
    ("both", 0.1, "alpha_diff", 15.8),
    ("both", 1.0, "las", 0.9),
    ("both", 1.0, "alpha_plain", -6.8),
    ("both", 1.0, "alpha_diff", -246.0),
    ("both", 1.0, "alpha_norm", 14.5),
    ("labels", 1.0, "las", 4.1),
    ("heads", 1.0, "las", 23.9),
]
FIGURES = {"both": "figure3", "labels": "figure4", "heads": "figure5"}
LEVELS = [step / 10 for step in range(1, 11)]
SENTENCES = 100


def main() -> None:
    """Print, and draw if asked."""
    folder = os.environ.get("ARBITREE_DATA")
    if not folder:
        raise SystemExit("set ARBITREE_DATA to the folder with syn-agreement/")
    data = Path(folder) / "syn-agreement"
    studies = {name: read_study([str(data / path)]) for name, path in FILES.items()}
    readings(studies)
    points(studies)
    unbiased(studies)
    for name, study in studies.items():
        near = (distances(study).between[1] <= 2).mean()
        print(f"{name}: {near:.1%} of pairs of sentences at 0, 1 or 2 under diff; printed: over 30%")
    if len(sys.argv) > 1:
        draw(data, studies["NDT 1"], folder_of(sys.argv[1]))


def readings(studies: dict[str, Any]) -> None:
    """Print LAS at level 1 of heads under every reading of the procedure."""
    for root in (False, True):
        for draw_from in DRAWS:
            found = [
                at.simulate(each, ["heads"], levels=[1.0], measures=["las"], sentences=SENTENCES,
                            heads=draw_from, root=root)["heads", 1.0, "las"]
                for each in studies.values()
            ]  # fmt: skip
            row(f"--heads {draw_from}{' --root' if root else ''}", 23.9, found)
    print()


def points(studies: dict[str, Any]) -> None:
    """Print the values that the paper prints, with the default reading."""
    tables = [at.simulate(each, levels=[0.1, 1.0], sentences=SENTENCES) for each in studies.values()]
    for experiment, level, measure, printed in PRINTED:
        row(
            f"{experiment}, {level:g}: {measure}",
            printed,
            [table[experiment, level, measure] for table in tables],
        )
    print()


def unbiased(studies: dict[str, Any]) -> None:
    """Print LAS at level 1 of unbiased trees beside sentences over tokens, which is expected."""
    for name, study in studies.items():
        table = at.simulate(study, ["unbiased"], levels=[1.0], measures=["las"], sentences=SENTENCES)
        tokens = sum(len(cell.value) for cell in table.simulation.corpus.cells.values())
        print(
            f"{name}: unbiased {table['unbiased', 1.0, 'las'].value:.1%}, expected {SENTENCES / tokens:.1%}"
        )
    print()


def row(what: str, printed: float, results: list[Any]) -> None:
    """Print a value in per cent for each corpus, with the standard deviation over the runs."""
    shown = "".join(f"{100 * each.value:9.1f} ± {100 * each.details['sd']:4.1f}" for each in results)
    print(f"{what:26}{printed:9.1f}{shown}")


def draw(data: Path, study: Any, target: Path) -> None:
    """Draw figures 3 to 5 on the sentences of NDT 1, and figure 6."""
    at.simulate(study, levels=LEVELS, sentences=SENTENCES).write(str(target))
    for experiment, figure in FIGURES.items():
        for ending in (".svg", ".pdf"):
            (target / f"{experiment}{ending}").replace(target / f"{figure}{ending}")
    corpora = []
    for name, paths in CORPORA.items():
        pair = read_study([str(data / path) for path in paths], dirs=(data / paths[0]).is_dir())
        measures = ["alpha_plain", "alpha_diff", "alpha_norm", "las"]
        corpora.append((name, at.agree(pair, measures, resamples=0).results))
    save(target / "figure6", partial(scatter, corpora=corpora))
    print(f"wrote figures 3 to 6 into {target}")


if __name__ == "__main__":
    main()
