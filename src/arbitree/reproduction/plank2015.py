"""Plank et al. (2015): the tables of the paper, for the languages whose data are there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import NormalDist

import numpy as np

from arbitree.api.prefer import is_tree
from arbitree.kinds.dependency.kind import KIND
from arbitree.kinds.dependency.measures.word_classes import is_punctuation
from arbitree.kinds.preference import compare
from arbitree.kinds.preference.contest import Measured, files_in, read_contest
from arbitree.kinds.preference.findings import PreferenceFindings, PreferOptions
from arbitree.kinds.preference.fitted_weights import fit_weights
from arbitree.kinds.preference.statistics.correlation import spearman
from arbitree.kinds.preference.statistics.verdicts import agreement_with_coders
from arbitree.measures.presets import preset_named
from arbitree.measures.resampling import Resampling
from arbitree.reproduction.cells import beside, bold_if, number, rows
from arbitree.reproduction.parts import Paper, Part
from arbitree.scoring.significance import holm

prefer = partial(compare.prefer, kind=KIND)

FILES = ("annotated.csv", "gold.conll", "parser1.conll", "parser2.conll", "prediction")
TOSSES = 2000
NAMES = ("LAS", "UAS", "LA", "NED", "TED", "LCP", "UCP")
# language: sentences, length, depth, annotators, raw agreement, kappa
TABLE_1 = {
    "da": (200, 22.7, 8.1, "2-3", 0.768, 0.53),
    "de": (200, 18.0, 4.4, "2", 0.670, 0.33),
    "en": (200, 23.4, 5.4, "4", 0.728, 0.45),
    "es": (184, 32.5, 6.7, "4", 0.601, 0.20),
    "hr": (200, 28.5, 7.8, "2", 0.800, 0.59),
}
TABLE_2 = {
    ("en", 0): (79.17, 82.31, 87.88, 84.34, 85.20, 41.27, 47.17),
    ("en", 1): (78.30, 82.91, 86.80, 84.72, 83.49, 36.05, 45.58),
    ("es", 0): (78.72, 82.85, 87.34, 82.90, 84.20, 34.00, 43.00),
    ("es", 1): (79.51, 84.97, 86.95, 85.00, 83.16, 31.83, 44.00),
    ("da", 0): (79.28, 83.40, 85.92, 83.39, 77.50, 47.69, 55.23),
    ("da", 1): (82.75, 87.00, 88.42, 87.01, 78.39, 52.31, 62.31),
    ("de", 0): (69.09, 75.70, 82.05, 75.54, 80.37, 19.72, 30.45),
    ("de", 1): (72.07, 80.29, 82.22, 80.13, 78.94, 19.38, 33.22),
    ("hr", 0): (63.21, 72.34, 76.66, 71.94, 71.64, 23.18, 31.03),
    ("hr", 1): (65.98, 76.20, 79.01, 75.89, 72.82, 24.71, 34.29),
}
AVERAGES = (
    (73.84, 79.32, 83.97, 76.62, 79.78, 33.17, 43.18),
    (75.72, 82.27, 84.68, 82.55, 79.36, 32.86, 44.08),
)
TABLE_3 = (
    (0.755, 0.622, 0.743, 0.556, 0.236, 0.286),
    (0.436, 0.869, 0.512, 0.211, 0.342),
    (0.436, 0.419, 0.206, 0.154),
    (0.499, 0.216, 0.339),
    (0.175, 0.219),
    (0.352,),
)
TABLE_4 = {
    "en": (0.547, 0.541, 0.387, 0.541, 0.372, 0.022, 0.249),
    "es": (0.478, 0.437, 0.250, 0.469, 0.404, 0.230, 0.195),
    "da": (0.297, 0.331, 0.232, 0.318, 0.323, 0.171, 0.223),
    "de": (0.466, 0.453, 0.310, 0.501, 0.331, 0.120, 0.190),
    "hr": (0.540, 0.397, 0.467, 0.446, 0.405, 0.120, 0.143),
    "all": (0.457, 0.425, 0.324, 0.448, 0.361, 0.126, 0.195),
}
STARS = {
    "en": "LA TED LCP UCP",
    "es": "LA LCP UCP",
    "da": "",
    "de": "LCP UCP",
    "hr": "TED LCP UCP",
    "all": "LA TED LCP UCP",
}
ROOT = {"en": 0.552, "da": 0.338}  # weighted by the distance from the root
TABLE_5 = {
    "da": (0.838, 0.848, 0.808, 0.828, 0.828, 0.745, 0.765),
    "de": (0.710, 0.690, 0.635, 0.710, 0.630, 0.575, 0.565),
    "en": (0.715, 0.705, 0.660, 0.700, 0.658, 0.525, 0.600),
    "es": (0.663, 0.644, 0.603, 0.652, 0.635, 0.581, 0.554),
    "hr": (0.755, 0.700, 0.735, 0.730, 0.705, 0.570, 0.580),
}
TABLE_6 = {
    "en": (0.522, 0.175),
    "de": (0.423, 0.263),
    "es": (0.403, 0.228),
    "da": (0.148, 0.173),
    "hr": (0.340, 0.306),
}
TABLE_7 = {"en": (86, 14, 35), "es": (67, 33, 27)}


def languages_in(folder: Path) -> list[str]:
    """Return the languages whose files are all there."""
    return [name for name in TABLE_1 if all((folder / name / each).is_file() for each in FILES)]


def read(folder: Path) -> PreferenceFindings:
    """Return the findings on the languages that are there, with the released verdicts."""
    files = [
        files_in(str(folder / name), is_tree, judgments="annotated.csv", verdicts="prediction")
        for name in languages_in(folder)
    ]
    settings = PreferOptions(aggregate="given", resampling=Resampling(0))
    preset = preset_named("plank2015", "prefer")
    contests = [read_contest(each, stray=preset.settings("prefer")["stray"]) for each in files]
    return prefer(contests, settings=settings, preset=preset)


def verdicts(findings: PreferenceFindings) -> str:
    """Released verdicts that our own MACE gives too."""
    contests = [each.measured.contest for each in findings.sets]
    body = []
    for name in ("mace", "mace-em"):
        own = prefer(contests, ["las"], settings=PreferOptions(aggregate=name, resampling=Resampling(0)))
        groups = own.results[0].groups["set"]
        for ours, theirs, group in zip(own.sets, findings.sets, groups, strict=True):
            same = int(np.sum(ours.verdicts.values == theirs.verdicts.values))
            alike = f"{same} of {len(theirs.verdicts.values)}"
            body.append([f"`{name}`", ours.name, alike, number(group.value or 0, 3)])
    return rows(["", "", "identical verdicts", "ρ of LAS with our verdicts"], body)


def table_1(findings: PreferenceFindings) -> str:
    """People."""
    body = []
    for each in findings.sets:
        sentences, length, depth, annotators, raw, kappa = TABLE_1[each.name]
        least, most = each.per_item
        judged = str(least) if least == most else f"{least}-{most}"
        body.append(
            [
                each.name,
                beside(sentences, len(each.measured.items), 0),
                beside(length, each.length, 1),
                beside(depth, each.depth, 1),
                bold_if(judged == annotators, judged, annotators, judged),
                beside(raw, each.agreement.raw),
                beside(kappa, each.agreement.kappa, 2),
                number(each.agreement.kappa or 0, 3),
            ]
        )
    header = ["", "sentences", "length", "depth", "annotators", "raw", "kappa", "kappa, 3 digits"]
    return rows(header, body)


def table_2(findings: PreferenceFindings) -> str:
    """Parsers."""
    body = []
    for each in findings.sets:
        for side, parser in enumerate(("Malt", "MST")):
            scores = [findings.score(k, each)[side] for k in range(7)]
            cells = [
                beside(printed, None if ours is None else 100 * ours, 2)
                for printed, ours in zip(TABLE_2[each.name, side], scores, strict=True)
            ]
            right, total = undirected(each.measured, side)
            share = 100 * right.sum() / total.sum()
            ned = TABLE_2[each.name, side][3]
            loose = bold_if(round(share, 2) == ned, f"{share:.2f}", ned, float(share))
            body.append([each.name, parser, *cells, loose])
    return rows(["", "", *NAMES, "undirected"], body)


def undirected(measured: Measured, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Return for every item the words whose head is a gold parent or child, and all; without punctuation."""
    right, total = np.zeros(len(measured.items)), np.zeros(len(measured.items))
    for item, (gold, parse) in enumerate(zip(measured.trees(0), measured.trees(side + 1), strict=True)):
        for word, (token, ours, theirs) in enumerate(
            zip(gold.tokens, gold.heads, parse.heads, strict=True), start=1
        ):
            if not is_punctuation(token):
                total[item] += 1
                right[item] += ours == theirs or (theirs > 0 and gold.heads[theirs - 1] == word)
    return right, total


def averages() -> str:
    """Averages of Table 2 from its own cells."""
    body = []
    for side, parser in enumerate(("Malt", "MST")):
        cells = np.array([TABLE_2[name, side] for name in TABLE_1])
        body.append(
            [
                parser,
                *(beside(a, float(m), 2) for a, m in zip(AVERAGES[side], cells.mean(axis=0), strict=True)),
            ]
        )
    return rows(["", *NAMES], body)


def table_3(findings: PreferenceFindings) -> str:
    """Metrics among each other."""
    body = []
    for i, printed in enumerate(TABLE_3):
        cells = [beside(value, findings.between[i][i + 1 + j]) for j, value in enumerate(printed)]
        body.append([NAMES[i], *[""] * i, *cells])
    return rows(["", *NAMES[1:]], body)


def tossed(raw: np.ndarray, count: int = TOSSES) -> np.ndarray:
    """Return signs of *raw*, ties broken by a coin, so many times."""
    coins = np.random.default_rng(0).choice([-1.0, 1.0], size=(count, len(raw)))
    return np.where(raw == 0, coins, np.sign(raw))


def span(values: np.ndarray) -> tuple[float, float]:
    """Return where 95 of 100 values lie."""
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def _with_span(printed: float, ours: float | None, drawn: Sequence[float]) -> str:
    low, high = span(np.array(drawn))
    inside = "" if low - 5e-4 <= printed <= high + 5e-4 else " !"
    if high - low < 1e-9:
        return beside(printed, ours)
    return beside(printed, ours).followed_by(f" {number(low, 3)} to {number(high, 3)}{inside}")


def _correlation(printed: float, x: np.ndarray, raw: np.ndarray, y: np.ndarray) -> str:
    """Return the correlation of *x* with people, and where it lies if a coin breaks the ties of *raw*."""
    return _with_span(printed, spearman(x, y), [spearman(each, y) or 0.0 for each in tossed(raw)])


def table_4(findings: PreferenceFindings) -> str:
    """Correlations with people."""
    parts = findings.correlations[: len(findings.sets)]
    body = []
    for k, name in enumerate(NAMES):
        cells = [_correlation(TABLE_4[part.name][k], part.x[k], part.raw[k], part.y) for part in parts]
        body.append([name, *cells])
    loose, root = [], []
    for each, part in zip(findings.sets, parts, strict=True):
        known = ~np.isnan(each.verdicts.values)
        (first, total), (second, _) = (undirected(each.measured, side) for side in (0, 1))
        raw = ((first - second) / np.maximum(total, 1))[known]
        loose.append(_correlation(TABLE_4[part.name][3], np.sign(raw), raw, part.y))
        ours = spearman(part.x[9], part.y)
        root.append(beside(ROOT[part.name], ours) if part.name in ROOT else f"({number(ours or 0, 3)})")
    body += [["NED as undirected", *loose], ["root-weighted", *root]]
    return rows(["", *(part.name for part in parts)], body)


def fisher_independent(first: float, second: float, n: int) -> float:
    """Return p of Fisher's z test as if the two correlations came from two independent samples of n."""
    z = (math.atanh(first) - math.atanh(second)) / math.sqrt(2 / (n - 3))
    return 2 * NormalDist().cdf(-abs(z))


def stars() -> str:
    """Which printed stars the independent test sets, from the printed numbers alone."""
    wrong = []
    for name, values in TABLE_4.items():
        n = sum(each[0] for each in TABLE_1.values()) if name == "all" else TABLE_1[name][0]
        for metric, value in zip(NAMES[1:], values[1:], strict=True):
            p = fisher_independent(values[0], value, n)
            if (p < 0.05) != (metric in STARS[name].split()):
                wrong.append(f"{name} {metric} (p = {p:.3f})")
    return f"{36 - len(wrong)} of 36 cells match the test. Exceptions: {', '.join(wrong)}."


def tests(findings: PreferenceFindings) -> str:
    """Metrics against LAS on all languages that are here, by a test for correlations that depend."""
    pooled = findings.pooled
    chosen = [(name, pooled.x[k], pooled.contrasts[k]) for k, name in enumerate(NAMES)]
    corrected = iter(holm([found.steiger.p or 0.0 for _, _, found in chosen if found is not None]))
    body = []
    for name, x, found in chosen:
        p = ["", ""] if found is None else [f"{found.steiger.p:.3f}", f"{next(corrected):.3f}"]
        body.append([name, number(spearman(x, pooled.y) or 0, 3), *p])
    return rows(["", "ρ, languages pooled", "p of difference from LAS (Steiger)", "corrected (Holm)"], body)


def table_5(findings: PreferenceFindings) -> str:
    """Agreement of metrics with annotators."""
    body = []
    for each in findings.sets:
        cells = []
        for k, printed in enumerate(TABLE_5[each.name]):
            raw = each.measured.differences[k]
            drawn = [agreement_with_coders(x, each.measured.codes) or 0.0 for x in tossed(raw, 500)]
            cells.append(_with_span(printed, each.with_coders[k], drawn))
        body.append([each.name, beside(TABLE_1[each.name][4], each.agreement.raw), *cells])
    return rows(["", "annotators", *NAMES], body)


def table_6(findings: PreferenceFindings) -> str:
    """Content and function words."""
    body = []
    for part in findings.correlations[: len(findings.sets)]:
        cells = [
            _correlation(printed, part.x[k], part.raw[k], part.y)
            for k, printed in zip((7, 8), TABLE_6[part.name], strict=True)
        ]
        n = len(part.y)
        body.append([part.name, *cells, number(fisher_independent(*TABLE_6[part.name], n), 3)])
    return rows(["", "content", "function", "p of the printed difference"], body)


def table_7(findings: PreferenceFindings) -> str:
    """Where people overrule LAS."""
    body = []
    for each in findings.sets:
        found = each.overruled
        if found is None:
            continue
        printed = TABLE_7.get(each.name)
        items = beside(printed[2], len(found.cases), 0) if printed else str(len(found.cases))
        read = f"{printed[0]}% / {printed[1]}%" if printed else "—"
        counts = [str(found.count(kind)) for kind in ("attachment", "labelling", "neither")]
        body.append([each.name, items, read, *counts])
    return rows(["", "items", "attachment / labelling, printed", "attachment", "labelling", "neither"], body)


def fit(findings: PreferenceFindings) -> str:
    """Fitted weights on held-out sentences."""
    resampled = prefer(
        [each.measured.contest for each in findings.sets], ["las"], settings=PreferOptions(aggregate="given")
    )
    fitted = fit_weights(resampled)
    body = []
    for each in fitted.held_out:
        cells = []
        for pair, interval in ((each.agreement, each.agreement_interval), (each.rho, each.rho_interval)):
            low, high = interval or (np.nan, np.nan)
            cells += [*(number(value or 0, 3) for value in pair), f"{number(low, 3)} to {number(high, 3)}"]
        body.append([each.name, *cells])
    header = [
        "",
        "agreement of LAS",
        "agreement of fitted",
        "95% CI of difference",
        "ρ of LAS",
        "ρ of fitted",
        "95% CI of ρ difference",
    ]
    return rows(header, body).followed_by(fitted.verdict)


def from_print() -> dict[str, str]:
    """Return what the paper's own numbers say."""
    return {"averages": averages(), "stars": stars()}


def from_data(data: Path) -> dict[str, str]:
    """Return all tables by name."""
    findings = read(data / "plank2015")
    return {
        "verdicts": verdicts(findings),
        "table 1": table_1(findings),
        "table 2": table_2(findings),
        "table 3": table_3(findings),
        "table 4": table_4(findings),
        "tests": tests(findings),
        "table 5": table_5(findings),
        "table 6": table_6(findings),
        "table 7": table_7(findings),
        "fit": fit(findings),
    }


PAPER = Paper(
    "plank2015", "Plank et al. (2015)", (Part(from_print), Part(from_data, needs=("plank2015",))), "plank2015"
)
