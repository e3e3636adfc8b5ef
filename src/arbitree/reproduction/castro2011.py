"""De Castro (2011): the worked examples of the thesis, with other words.

The corpus of the thesis is not public. Its counts are compared with those of a profile of the English
Resource Grammar in two releases.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import arbitree as at
from arbitree.kinds.graphs.kind import KIND as GRAPHS
from arbitree.kinds.phrase.measures.leaf_ancestor import LeafAncestor, lineages
from arbitree.kinds.treebanking.comparison import Totals, totals_of
from arbitree.kinds.treebanking.measures.y_counts import BOTH, R1, Counted, arrays
from arbitree.kinds.treebanking.measures.y_option import YOptionKappa
from arbitree.kinds.treebanking.value import ACCEPTED, DEPENDENCY, REJECTED, Option
from arbitree.reading.assembly import read_study
from arbitree.reproduction.cells import beside, number, rows, same
from arbitree.reproduction.parts import Paper, Part, study_of, trees
from arbitree.study.result import Result
from arbitree.study.study import Item

PROFILES = ("tsdb/erg/2024", "tsdb/erg/2025")
TABLE_3_1 = ((25, 15), (10, 50))
TABLE_3_2 = {  # expected agreement, coefficient
    "s": (0.5, 0.5),
    "pi": (0.531, 0.467),
    "kappa": (0.53, 0.468),
}
GOLD = (
    "(S (S (NP (ART The) (N cook)) (VP (VP (V saw) (NP (ART the) (N goose))) (PP (P with) (NP (ART the)"
    " (N glasses))))) (PNT .))"
)
TEST = (
    "(S (S (NP (ART The) (N cook)) (VP (V saw) (NP (ART the) (N' (N goose) (PP (P with) (NP (ART the)"
    " (N glasses))))))) (PNT .))"
)
FIGURE_3_4 = (1.000, 1.000, 0.923, 0.933, 0.719, 0.875, 0.889, 0.889, 1.000)
TABLE_5_1 = [(12, 8), (7, 6), (9, 0), (10, 7), (17, 12)]  # options, equal
DIVERGENCE = (0.33, 0.14, 1.00, 0.30, 0.29)
P_D = 0.40
TABLE_5_2 = [(14, 10, 8, 4), (8, 2, 1, 6), (6, 4, 3, 2), (12, 8, 3, 4), (9, 5, 4, 4)]
AGREEMENT = [(0.71, 0.57), (0.50, 0.13), (0.67, 0.50), (0.42, 0.25), (0.67, 0.44)]
AVERAGE = (0.59, 0.38)
# Figures 5.14 to 5.18 with other words: state and discriminant.
LEFT = (
    (4, "clear ARG1 tie_1"), (2, "clear ARG1 tie_2"), (4, "clear ASPECT -"), (4, "clear MOOD indicative"),
    (1, "of ARG1 clear"), (4, "of ARG1 clear_2"), (2, "in ARG1 tie_1"), (4, "in ARG1 tie_2"),
    (4, "very ARG1 clear"), (2, "very ARG1 clear_2"), (4, "much ARG1 clear"), (1, "much ARG1 clear_2"),
)  # fmt: skip
RIGHT = (
    (4, "clear ARG1 tie_1"), (4, "clear ARG1 tie_2"), (2, "clear ASPECT -"), (4, "clear MOOD indicative"),
    (1, "of ARG1 clear"), (4, "of ARG1 clear_2"), (1, "in ARG1 tie_1"), (4, "in ARG1 tie_2"),
    (4, "very ARG1 clear"), (4, "very ARG1 clear_2"), (4, "much ARG1 clear"), (2, "much ARG2 clear_2"),
)  # fmt: skip
FIGURES = {
    "5.14": (LEFT, RIGHT),
    "5.14, last row corrected": (LEFT, (*RIGHT[:-1], (2, "much ARG1 clear_2"))),
    "5.15": (LEFT[:4], RIGHT[:4]),
    "5.16": (LEFT[4:6], RIGHT[4:6]),
    "5.17": (
        ((1, "of ARG1 clear"), (4, "of ARG2 clear"), (2, "in ARG1 tie_1")),
        ((2, "of ARG2 clear"), (1, "in ARG1 tie_1")),
    ),
    "5.18": (((1, "of ARG1 clear"), (1, "in ARG1 tie_1")), ((1, "in ARG1 tie_1"),)),
}
STOPPED = (
    (1, "count ARG2 least"), (4, "product PART1 sum"), (1, "about ARG1 exactly"),
    (4, "about ARG1 sum"), (4, "about ARG1 product"), (4, "sell ARG2 lamp"),
)  # fmt: skip
SUITES = (874, 3335, 775, 279, 10218)
SHEET = {
    "parsed": 15481, "countable": 12319, "accepted by both": 3297, "accepted by the first only": 1361,
    "accepted by the second only": 977, "rejected by both": 6684, "accepted by at least one": 5635,
    "rejected by at least one": 9022,
}  # fmt: skip


def table_3_2() -> str:
    """Coefficients of two coders and two categories."""
    cells = [(a, b) for a, row in enumerate(TABLE_3_1) for b, count in enumerate(row) for _ in range(count)]
    study = study_of(
        {str(k): {"b": at.Label(str(b)), "a": at.Label(str(a))} for k, (b, a) in enumerate(cells)}
    )
    body: list[list[str]] = []
    for name in ("s", "pi", "kappa", "alpha_nominal"):
        result = at.evaluate(study, name, resamples=0)
        if name in TABLE_3_2:
            printed = TABLE_3_2[name]
            digits = 2 if name == "kappa" else 3
            chance = result.details["expected_agreement"]
            body.append([name, beside(printed[0], chance, digits), beside(printed[1], result.value)])
        else:
            body.append([name, "", f"({number(result.value or 0, 3)})"])
    return rows(["", "expected agreement", "coefficient"], body)


def parseval() -> str:
    """Brackets that both trees have."""
    gold, test = next(trees(GOLD)), next(trees(TEST))
    study = study_of({"s": {"gold": gold, "test": test}})
    found = at.evaluate(study, "parseval:preterminals=yes", resamples=0)
    plain = at.evaluate(study, "parseval", resamples=0)
    body = [
        ["with parts of speech, as in the thesis", beside(0.88, found.value, 2), f"{found.value:.4f}, 15/17"],
        ["without parts of speech (usual)", f"({number(plain.value or 0, 2)})", f"{plain.value:.4f}, 6/8"],
    ]
    return rows(["F-score of figures 3.1 and 3.2", "printed (ours)", ""], body)


def leaves() -> str:
    """Leaf-ancestor, word by word."""
    metric = LeafAncestor()
    ours, theirs = (lineages(next(trees(text)), pos=True) for text in (GOLD, TEST))
    words = next(trees(GOLD)).words
    body = []
    found = []
    for word, first, second, printed in zip(words, ours, theirs, FIGURE_3_4, strict=True):
        found.append(metric.similarity(first, second))
        paths = [" ".join(mark for _, mark in path) for path in (first, second)]
        body.append([word, beside(printed, found[-1]), *(f"`{path}`" for path in paths)])
    mean = float(np.mean(found))
    body.append(["mean, in the text", beside(0.914, mean), "", ""])
    body.append(["mean, in the caption", beside(0.941, mean), "", ""])
    return rows(["leaf", "printed (ours)", "figure 3.1 (gold)", "figure 3.2"], body)


def edm() -> str:
    """Elementary dependencies: fifteen triples a side, of which one differs."""
    semantics = GRAPHS.values[0]
    shared = tuple(((k, k + 1), "ARG1", (k + 1, k + 2)) for k in range(14))
    sides = {
        coder: semantics(names=(((20, 25), name, ""),), args=shared)
        for coder, name in (("gold", "_only_q"), ("test", "_only_a"))
    }
    found = at.evaluate(study_of({"s": sides}), "edm", resamples=0)
    return rows(["EDM of figure 3.7", "printed (ours)"], [["F-score", beside(0.938, found.value)]])


def counted(number_: int, subset: str, total: int, common: int, equal: int, unique: int) -> Counted:
    """Return a row of Table 5.1 or 5.2 as the measure counts it."""
    item = Item(str(number_), "paper", str(number_))
    return Counted(
        item=item, subset=subset, mode="neighbourhood", statuses=(ACCEPTED, ACCEPTED), readings=9,
        total=total, common=common, equal=equal, unique=unique, vacuous=0, exact_match=False,
        table=(0, 0, 0, 0), fixed=equal, open=unique, weight=total,
    )  # fmt: skip


def agreement(row: Counted, **settings: Any) -> float:
    """Return A_o of one sentence."""
    pair = arrays(("a", "b"), [row], {row.item.cluster: 0})
    return (float(YOptionKappa(**settings).of_pair(pair, np.ones((1, 1)))[0]) + 1) / 2


def table_5_1() -> str:
    """Divergence of sentences that both accepted."""
    counts = [counted(k, BOTH, total, total, equal, 0) for k, (total, equal) in enumerate(TABLE_5_1)]
    body = []
    for row, printed in zip(counts, DIVERGENCE, strict=True):
        share = 1 - agreement(row)
        body.append([f"{row.total}", f"{row.equal}", beside(printed, share, 2), number(1 - 2 * share, 4)])
    pair = arrays(("a", "b"), counts, {row.item.cluster: k for k, row in enumerate(counts)})
    whole = float(YOptionKappa().divergence(pair, np.ones((1, len(counts))))[0])
    kappa = [float(YOptionKappa(average=how).of_pair(pair, np.ones((1, 5)))[0]) for how in ("macro", "micro")]
    body.append(
        ["55", "33", beside(P_D, whole, 2), f"{number(kappa[0], 4)}; of all options {number(kappa[1], 4)}"]
    )
    return rows(["options", "equal", "divergence", "Y-option kappa (not printed)"], body)


def table_5_2() -> str:
    """Agreement with estimates."""
    body, sums = [], []
    for k, (each, printed) in enumerate(zip(TABLE_5_2, AGREEMENT, strict=True)):
        row = counted(k, R1, *each)
        found = [agreement(row, p_d=P_D, estimate_rounding=how) for how in ("floor", "none")]
        alone = row.equal / row.total
        sums.append((found[0], alone, found[1]))
        body.append(
            [
                *map(str, each),
                beside(printed[0], found[0], 2),
                beside(printed[1], alone, 2),
                number(found[1], 4),
            ]
        )
    mean = np.mean(sums, axis=0)
    ends = [beside(AVERAGE[0], mean[0], 2), beside(AVERAGE[1], mean[1], 2), number(mean[2], 4)]
    body.append(["mean", "", "", "", *ends])
    header = ["options", "common", "equal", "unique", "with estimates", "without", "without rounding"]
    return rows(header, body)


def decided(given: tuple[tuple[int, str], ...], status: str = ACCEPTED) -> at.Decisions:
    """Return the decisions of one annotator."""
    options = tuple(Option(state, DEPENDENCY, key, 0, 0) for state, key in given)
    chosen = (0,) if status == ACCEPTED else ()
    return at.Decisions("birds sing", status, options=options, readings=4, chosen=chosen)


def neighbourhoods() -> str:
    """Figures 5.14 to 5.19."""
    body = []
    for name, (left, right) in FIGURES.items():
        study = study_of({"s": {"a": decided(left), "b": decided(right)}})
        result = at.evaluate(study, "y_option_kappa", resamples=0)
        row = _only_item(result)
        counts = [str(row[key]) for key in ("options", "common", "equal")]
        body.append([name, *counts, number(row["agreement"], 3), number(result.value or 0, 3)])
    stopped = {"a": decided(STOPPED, REJECTED), "b": decided((), REJECTED)}
    result = at.evaluate(study_of({"s": stopped}), f"y_option_kappa:p_d={P_D}", resamples=0)
    row = _only_item(result)
    counts = [str(row[key]) for key in ("options", "common", "equal")]
    name = "5.19, one annotator rejects at once"
    body.append([name, *counts, number(row["agreement"], 3), number(result.value or 0, 3)])
    return rows(["figure", "options", "common", "equal", "A_o", "K_Y"], body)


def _only_item(result: Result) -> dict[str, Any]:
    assert result.per_item is not None
    return result.per_item.records()[0]


def sheets() -> str:
    """Sums of figures 6.3 and 6.4."""
    both, first, second, neither = (
        SHEET[name]
        for name in (
            "accepted by both",
            "accepted by the first only",
            "accepted by the second only",
            "rejected by both",
        )
    )
    sums = {
        "parsed": ("sum of the five corpora", sum(SUITES)),
        "countable": ("accepted by both or one, or rejected by both", both + first + second + neither),
        "accepted by at least one": ("", both + first + second),
        "rejected by at least one": ("", neither + first + second),
    }
    body = [[name, how, same(SHEET[name], value)] for name, (how, value) in sums.items()]
    share = 100 * both / (both + first + second)
    body += [
        ["lost", "parsed but not countable", f"({SHEET['parsed'] - SHEET['countable']})"],
        ["sentences compared by F-score, %", "accepted by both / by at least one", beside(56.80, share, 2)],
    ]
    return rows(["", "from", "printed (ours)"], body)


def _sheet(totals: Totals) -> dict[str, int]:
    return {
        "parsed": totals.parsed,
        "countable": totals.countable,
        "accepted by both": totals.accepted_by_both,
        "accepted by the first only": totals.accepted_by_first_only,
        "accepted by the second only": totals.accepted_by_second_only,
        "rejected by both": totals.rejected_by_both,
        "accepted by at least one": totals.accepted_by_one,
        "rejected by at least one": totals.rejected_by_one,
    }


def profile(data: Path) -> dict[str, str]:
    """Return the data sheet of a profile in two releases."""
    paths = [str(data / folder / "fracas") for folder in PROFILES]
    study = read_study([f"release{k}={path}" for k, path in enumerate(paths, start=1)])
    result = at.evaluate(study, "y_option_kappa:mode=neighbourhood", resamples=0)  # that of the thesis
    found = _sheet(totals_of(study, (study.coders[0], study.coders[1])))
    body = [[name, f"{SHEET[name]:,}", f"{value:,}"] for name, value in found.items()]
    body += [
        ["Y-option kappa", "0.864", f"{result.value:.3f}"],
        ["mean number of options", "12", f"{result.details['mean_options']:.0f}"],
    ]
    return {"profile": rows(["", "printed, LXDeepGramBank", "ours, ERG fracas in two releases"], body)}


def from_print() -> dict[str, str]:
    """Return what needs no data."""
    return {
        "table 3.2": table_3_2(),
        "parseval": parseval(),
        "leaves": leaves(),
        "edm": edm(),
        "table 5.1": table_5_1(),
        "table 5.2": table_5_2(),
        "neighbourhoods": neighbourhoods(),
        "sheets": sheets(),
    }


PAPER = Paper(
    "castro2011",
    "de Castro (2011)",
    (Part(from_print), Part(profile, needs=PROFILES)),
    "castro2011",
    unavailable={
        "LXDeepGramBank": "the corpus of the thesis is not public; a profile of another grammar replaces it"
    },
)
