"""Draw docs/pictures/simulate.svg, graphs.svg, distances.svg and studies.svg from the examples.

    python docs/pictures/simulate.py

The same as ``arbitree simulate examples/dependency/ann.conllu -o DIR``, whose curves.svg is kept, and as
``arbitree agree examples/dependency/*.conllu --figures DIR``, whose distances.svg is. The curves of graphs
are those of examples/graphs/ann.amr. The last one is a scatter plot of ``arbitree agree --studies``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import arbitree as at
from arbitree.reporting.charts import draw_agreement, draw_several

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "dependency"
GRAPHS = ["alpha_graph", "alpha_graph:distance=wl", "smatch"]
CHANGES = ["graph", "graph_labels", "graph_drop"]
STUDIES = ["alpha_plain", "alpha_norm"]
PICTURES = {
    "curves.svg": "simulate.svg",
    "graphs/curves.svg": "graphs.svg",
    "distances.svg": "distances.svg",
    "scatter-alpha_plain-alpha_norm.svg": "studies.svg",
}


def main() -> None:
    """Write the pictures beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        at.simulate(at.read(FOLDER / "ann.conllu")).write(folder)
        graphs = at.read(FOLDER.parent / "graphs" / "ann.amr")
        at.simulate(graphs, CHANGES, measures=GRAPHS).write(Path(folder, "graphs"))
        study = at.read(*sorted(FOLDER.glob("*.conllu")))
        draw_agreement(study, at.agree(study, ["las"], resamples=0).results, folder)
        pair, phrase = FOLDER / "[ab]*", FOLDER.parent / "phrase"
        draw_several(at.agree_studies([FOLDER, f"pair={pair}", phrase], STUDIES), folder)
        for source, target in PICTURES.items():
            path = Path(__file__).with_name(target)
            path.write_text(_tidy((Path(folder) / source).read_text(encoding="utf-8")), encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


def _tidy(svg: str) -> str:
    """Return *svg* without blanks at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines())


if __name__ == "__main__":
    main()
