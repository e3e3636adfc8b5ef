"""Skjærholt (2014): the tables and figures of the paper, compared with our values on the released data."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import arbitree as at
from arbitree.measures.distance_spread import distances
from arbitree.reading.assembly import read_study
from arbitree.reporting.charts import scatter
from arbitree.reporting.sections.simulate import curves
from arbitree.reproduction.cells import Cell, beside, number, rows, same
from arbitree.reproduction.parts import Paper, Part, svg_of
from arbitree.simulation.noise import DRAWS

FOLDER = "syn-agreement"
FILES = {
    "NDT 1": ["ndt/odin-danish.conll", "ndt/thor-danish.conll"],
    "NDT 2": ["ndt/odin-swedish.conll", "ndt/thor-swedish.conll"],
    "NDT 3": ["ndt/odin-norwegian.conll", "ndt/thor-norwegian.conll"],
    "CDT da": ["cdt/da-lotte.conll", "cdt/da-morten.conll"],
    "CDT en": ["cdt/en-lotte.conll", "cdt/en-morten.conll"],
    "CDT es": ["cdt/es/henrik", "cdt/es/jonas", "cdt/es/lotte", "cdt/es/soren"],
    "CDT it": ["cdt/it/iorn", "cdt/it/lisa", "cdt/it/morten"],
}
# corpus: sentences, tokens, annotators
TABLE_1 = {
    "NDT 1": (130, 1674, 2),
    "NDT 2": (110, 1594, 2),
    "NDT 3": (150, 1997, 2),
    "CDT da": (162, 2394, 2),
    "CDT en": (264, 5528, 2),
    "CDT es": (55, 924, 4),
    "CDT it": (136, 3057, 3),
    "PCEDT": (3531, 61737, 11),
    "SSD": (96, 1581, 3),
}
# corpus: three alphas, LAS, sentences ignored for it
TABLE_2 = {
    "NDT 1": (98.4, 93.0, 98.8, 94.0, 0),
    "NDT 2": (98.9, 95.0, 99.1, 94.4, 0),
    "NDT 3": (97.9, 91.2, 98.7, 95.3, 0),
    "CDT da": (95.7, 84.7, 96.2, 90.4, 0),
    "CDT en": (92.4, 70.7, 95.0, 88.4, 0),
    "CDT es": (86.6, 48.8, 85.8, 78.9, 2),
    "CDT it": (84.5, 55.7, 89.2, 81.3, 15),
    "PCEDT": (95.9, 89.9, 96.5, 68.0, 1178),
}
PHRASES = (99.1, 98.6, 99.3, 87.9, 0)  # SSD, the one corpus of phrase structure
JACCARD = " (Jaccard)"  # its measure in place of LAS
PER_TEXT = {"CDT es": (2.8, 2, 4)}  # annotators of a text: mean, least, most
MEASURES = ("alpha_plain", "alpha_diff", "alpha_norm", "las")
POINTS = [
    ("both", 0.1, "alpha_diff", 15.8),
    ("both", 1.0, "las", 0.9),
    ("both", 1.0, "alpha_plain", -6.8),
    ("both", 1.0, "alpha_diff", -246.0),
    ("both", 1.0, "alpha_norm", 14.5),
    ("labels", 1.0, "las", 4.1),
    ("heads", 1.0, "las", 23.9),
]
REATTACHED = 23.9  # LAS with new heads for all
FIGURES = {"both": "figure3.svg", "labels": "figure4.svg", "heads": "figure5.svg"}
LEVELS = [step / 10 for step in range(1, 11)]
SENTENCES = 100
# Clauses as in figure 2: a verb with its subject; with a modifier of four words too; with an object too.
CLAUSES = {
    "subject": ((2, 0), ("SUBJ", "PRED")),
    "subject and four-word modifier": ((2, 0, 2, 5, 6, 3), ("SUBJ", "PRED", "ADV", "DET", "ATR", "PUTFYLL")),
    "subject and object": ((2, 0, 2), ("SUBJ", "PRED", "OBJ")),
}


def corpora_in(data: Path) -> list[str]:
    """Return the corpora whose files are all there."""
    return [name for name, paths in FILES.items() if all((data / FOLDER / each).exists() for each in paths)]


def read(data: Path, name: str) -> Any:
    """Return the study of a corpus."""
    paths = [data / FOLDER / path for path in FILES[name]]
    return read_study([str(path) for path in paths], dirs=paths[0].is_dir())


def read_phrases(data: Path) -> Any:
    """Return the study of SSD, whose trees have no words, if it is there."""
    paths = sorted((data / FOLDER).glob("ssd/ssd.*"))
    return read_study(list(map(str, paths)), dirs=True, format="delexicalised") if len(paths) > 1 else None


def clauses() -> str:
    """Distances of three small trees."""
    made = {
        name: at.DepTree(tuple("abcdef"[: len(heads)]), heads, relations)
        for name, (heads, relations) in CLAUSES.items()
    }
    body = []
    for one, other in combinations(made, 2):
        found = [at.Ted(delta)(made[one], made[other]) for delta in ("plain", "diff", "norm")]
        body.append([one, other, f"{found[0]:g}", f"{found[1]:g}", number(found[2], 3)])
    return rows(["", "", "plain", "diff", "norm"], body)


def orders() -> str:
    """Order of the corpora by each column of the printed table."""
    body = []
    for place, name in enumerate(("alpha_plain", "alpha_diff", "alpha_norm", "LAS")):
        body.append([name, ", ".join(sorted(TABLE_2, key=lambda each: -TABLE_2[each][place]))])
    return rows(["measure", "corpora, highest first"], body)


def correlations(results: dict[str, Any]) -> str:
    """How LAS goes with each alpha over the corpora."""
    printed = {name: values[:4] for name, values in TABLE_2.items()}
    sets = {
        "as printed, all 8 corpora": list(printed.values()),
        "as printed, without PCEDT": [values for name, values in printed.items() if name != "PCEDT"],
        f"as printed, the {len(results)} corpora compared here": [printed[name] for name in results],
        f"ours, the same {len(results)} corpora": [
            [each.value for each in found] for found in results.values()
        ],
    }
    body = []
    for name, values in sets.items():
        table = np.corrcoef(np.array(values).T)
        body.append([name, *(number(table[3][k], 3) for k in range(3))])
    return rows(["correlation with LAS", "alpha_plain", "alpha_diff", "alpha_norm"], body)


def table_1(studies: dict[str, Any]) -> str:
    """Sizes."""
    body = []
    for name, (sentences, tokens, coders) in TABLE_1.items():
        study = studies.get(name)
        if study is None:
            body.append([name, f"{sentences}", f"{tokens}", f"{coders}", "not compared"])
            continue
        words = sum(len(cells[0].value) for _, cells in study)
        remark = _per_text(study, *PER_TEXT[name]) if name in PER_TEXT else ""
        found = (len(study.items), words, len(study.coders))
        shown = [same(a, b) for a, b in zip((sentences, tokens, coders), found, strict=True)]
        body.append([name, *shown, remark])
    return rows(["", "sentences", "tokens", "annotators", ""], body)


def _per_text(study: Any, mean: float, least: int, most: int) -> str:
    coders: dict[str, set[str]] = {}
    for item, cells in study:
        coders.setdefault(item.document, set()).update(cell.coder for cell in cells)
    counts = [len(each) for each in coders.values()]
    shown = beside(mean, float(np.mean(counts)), 1), same(least, min(counts)), same(most, max(counts))
    return f"{shown[0]} per text, {shown[1]} to {shown[2]}"


def table_2(results: dict[str, Any], phrases: Any = None) -> str:
    """Agreement; *phrases* are the results of SSD."""
    body = [_agreement(name, printed, results.get(name)) for name, printed in TABLE_2.items()]
    found = None if phrases is None else [phrases[each] for each in (*MEASURES[:3], "jaccard")]
    last = _agreement("SSD", PHRASES, found)
    last[4] = last[4].followed_by(JACCARD) if isinstance(last[4], Cell) else f"{last[4]}{JACCARD}"
    return rows(["", "alpha_plain", "alpha_diff", "alpha_norm", "LAS", "excluded from LAS"], [*body, last])


def _agreement(name: str, printed: tuple[float, float, float, float, int], found: Any) -> list[str]:
    """Return the row of a corpus; without our results, the printed values."""
    if found is None:
        return [name, *(f"{value:.1f}" for value in printed[:4]), str(printed[4])]
    cells = [beside(a, 100 * b.value, 1) for a, b in zip(printed[:4], found, strict=True)]
    return [name, *cells, same(printed[4], len(found[3].ignored))]


def exact(results: dict[str, Any]) -> str:
    """Six digits of ours."""
    body = [[name, *(f"{each.value:.6f}" for each in found)] for name, found in results.items()]
    return rows(["", *MEASURES], body)


def readings_of_las(study: Any) -> str:
    """Three ways to average LAS over more than two coders."""
    items = []
    for _, cells in study:
        trees = [cell.value for cell in cells]
        if len({len(tree) for tree in trees}) == 1 and len(trees) > 1:
            right = [_right(one, other) for one, other in combinations(trees, 2)]
            items.append((len(trees[0]), right))
    shares = np.array([np.mean(right) / length for length, right in items])
    lengths = np.array([length for length, _ in items])
    pooled = sum(sum(right) for _, right in items) / sum(length * len(right) for length, right in items)
    found = {
        "mean over the pairs of a sentence, weighted by its length (equation 3)": shares
        @ lengths
        / lengths.sum(),
        "all pairs of all sentences together": pooled,
        "mean over sentences": shares.mean(),
    }
    body = [[name, beside(TABLE_2["CDT es"][3], 100 * value, 1)] for name, value in found.items()]
    return rows(["LAS of CDT es", "printed (ours)"], body)


def _right(one: Any, other: Any) -> int:
    ours, theirs = (zip(tree.heads, tree.relations, strict=True) for tree in (one, other))
    return sum(a == b for a, b in zip(ours, theirs, strict=True))


def drawn_heads(studies: dict[str, Any]) -> str:
    """LAS at level 1 of heads under every reading of the procedure."""
    body = []
    for root in (False, True):
        for draw in DRAWS:
            found = [
                at.simulate(each, ["heads"], levels=[1.0], measures=["las"], sentences=SENTENCES,
                            heads=draw, root=root)["heads", 1.0, "las"]
                for each in studies.values()
            ]  # fmt: skip
            body.append(
                [f"`--heads {draw}{' --root' if root else ''}`", f"{REATTACHED}", *map(_spread, found)]
            )
    return rows(["LAS with new heads for all tokens", "printed", *studies], body)


def unbiased(studies: dict[str, Any]) -> str:
    """LAS with trees drawn uniformly, beside sentences over tokens, which is expected of UAS."""
    body = []
    for name, study in studies.items():
        table = at.simulate(study, ["unbiased"], levels=[1.0], measures=["las"], sentences=SENTENCES)
        tokens = sum(len(cell.value) for cell in table.simulation.corpus.cells.values())
        found = table["unbiased", 1.0, "las"]
        body.append([name, _spread(found), f"{100 * SENTENCES / tokens:.1f}"])
    return rows(["", "LAS with uniform trees", "sentences / tokens, %"], body)


def points(studies: dict[str, Any]) -> str:
    """The values that the paper prints, with the default reading."""
    tables = [at.simulate(each, levels=[0.1, 1.0], sentences=SENTENCES) for each in studies.values()]
    body = []
    for experiment, level, measure, printed in POINTS:
        found = [_spread(table[experiment, level, measure]) for table in tables]
        body.append([f"`{experiment}`, level {level:g}: {measure}", f"{printed:g}", *found])
    return rows(["", "printed", *studies], body)


def _spread(result: Any) -> str:
    return f"{100 * result.value:.1f} ± {100 * result.details['sd']:.1f}"


def near(studies: dict[str, Any]) -> str:
    """Pairs of sentences that diff takes for all but alike."""
    body = []
    for name, study in studies.items():
        between = distances(study).between
        body.append([name, *(f"{100 * (column <= 2).mean():.1f}" for column in (between[1], between[0]))])
    return rows(["", "distance up to 2 under diff, % of pairs (printed: over 30)", "under plain, %"], body)


def from_print() -> dict[str, str]:
    """Return what needs no data."""
    return {"figure 2": clauses(), "orders": orders()}


def corpora(data: Path) -> dict[str, str]:
    """Return section 4."""
    studies = {name: read(data, name) for name in corpora_in(data)}
    table = at.agree_studies(studies, ("las", *MEASURES[:3]), preset="skjaerholt2014")
    ssd, phrases = read_phrases(data), None
    if ssd is not None:
        phrases = at.agree(ssd, ("jaccard", *MEASURES[:3]), preset="skjaerholt2014", resamples=0)
    results = {name: [table[name][each] for each in MEASURES] for name in studies}
    named = [(part.label, part.results) for part in table.parts]
    paint = partial(scatter, corpora=named, across="las", others=MEASURES[:3])
    return {
        "table 1": table_1(studies if ssd is None else {**studies, "SSD": ssd}),
        "table 2": table_2(results, phrases),
        "exact": exact(results),
        "las": readings_of_las(studies["CDT es"]),
        "correlations": correlations(results),
        "command": f"```text\n{table}```",
        "figure6.svg": svg_of(paint, height=4.0),
    }


def noise(data: Path) -> dict[str, str]:
    """Return section 3."""
    studies = {name: read_study([str(data / FOLDER / FILES[name][0])]) for name in ("NDT 1", "NDT 2")}
    found = at.simulate(studies["NDT 1"], levels=LEVELS, sentences=SENTENCES).simulation
    figures = {
        file: svg_of(partial(curves, found=found, name=name), height=3.4) for name, file in FIGURES.items()
    }
    return {
        "heads": drawn_heads(studies),
        "points": points(studies),
        "unbiased": unbiased(studies),
        "near": near(studies),
        **figures,
    }


PAPER = Paper(
    "skjaerholt2014",
    "Skjærholt (2014)",
    (Part(from_print), Part(corpora, needs=(FOLDER,)), Part(noise, needs=(FOLDER,))),
    "skjaerholt2014",
    unavailable={"PCEDT": "its files are not part of the data released with the paper"},
)
