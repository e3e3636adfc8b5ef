"""Melamed and Resnik (2000): the tables of the paper, which need no data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import arbitree as at
from arbitree.api.evaluate import evaluate_all
from arbitree.kinds.labels.hierarchy.downward import Downward
from arbitree.kinds.labels.hierarchy.files import Flat
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy
from arbitree.kinds.labels.measures.hierarchical_kappa import HierarchicalKappa
from arbitree.kinds.labels.measures.hierarchical_score import HierarchicalScore
from arbitree.kinds.labels.measures.tag_sets import HierarchyOptions
from arbitree.reproduction.cells import Cell, beside, number, rows
from arbitree.reproduction.parts import Paper, Part, study_of

# What section 4 says of the inventory of figure 1.
BELOW = {"A": ("A.1", "A.2"), "A.1": ("A.1a", "A.1b"), "B": ("B.1", "B.2", "B.3")}
TABLE_1 = {  # probabilities of four senses; the second is right
    1: (0.47, 0.42, 0.06, 0.05),
    2: (0.85, 0.05, 0.05, 0.05),
    3: (0.28, 0.24, 0.24, 0.24),
    4: (1.00, 0.00, 0.00, 0.00),
}
SCORES = {1: 0.42, 4: 0.0}  # those that the text gives
TABLE_2 = [  # manual annotation, output, score
    ("B", "A", 0),
    ("A", "A", 1),
    ("A", "A.1", 1),
    ("A", "A.1b", 1),
    ("A.1", "A", 0.5),
    ("A.1 and A.2", "A", 1),
    ("A.1a", "A", 0.25),
    ("A.1a and B.2", "B", 1 / 3),
    ("A.1a and B.2", "A.1", 0.5),
    ("A.1a and B.2", "A.1 and B.2", 0.75),
    ("A.1a and B.2", "A.1 and B", 0.4),
]
DOWN = [("A", "A.1", 0.5), ("A.1", "A.1a", 0.5), ("A", "A.1a", 0.25), ("B", "B.2", 1 / 3)]
FIVE = [("A.1a", "A.1a"), ("A.1", "A.1b"), ("B.2", "B.2"), ("B", "B.1"), ("A", "A")]
ALIKE = [("A", "A"), ("B", "B")]


def inventory() -> Hierarchy:
    """Return the hierarchy of the example."""
    return Hierarchy.of_links({(above, each): None for above, below in BELOW.items() for each in below})


def tags(text: str) -> at.Tags:
    """Return the tags of a cell of Table II."""
    return at.Tags.of(text.split(" and "))


def value(pairs: list[tuple[Any, Any]], measure: Any) -> Any:
    """Return the result of a measure on pairs of annotations."""
    study = study_of({str(k): {"gold": a, "system": b} for k, (a, b) in enumerate(pairs)})
    return evaluate_all(study, [("measure", measure)], resamples=0)[0]


def fraction(found: float) -> str:
    """Return a number as the fraction that it is."""
    return str(Fraction(found).limit_denominator(1000))


def table_1() -> str:
    """Scores of probabilities over flat tags."""
    body = []
    for system, shares in TABLE_1.items():
        output = at.Tags(tuple(zip(("1", "2", "3", "4"), shares, strict=True)))
        found = value([(tags("2"), output)], HierarchicalScore(HierarchyOptions(Flat()), gold="gold")).value
        shown = beside(SCORES[system], found, 2) if system in SCORES else f"({number(found, 2)})"
        body.append([str(system), *(number(share, 2) for share in shares), shown])
    return rows(["system", "sense 1", "sense 2 (correct)", "sense 3", "sense 4", "score"], body)


def down() -> str:
    """Downward probabilities."""
    shares = Downward(inventory().over([]))
    body = []
    for above, below, printed in DOWN:
        leaves = shares.down(below)
        found = sum(share for leaf, share in shares.down(above).items() if leaf in leaves)
        body.append([f"Pr({below} given {above})", _as_fraction(printed, found)])
    return rows(["", "printed (ours)"], body)


def _as_fraction(printed: float, found: float) -> str:
    text = fraction(found)
    if abs(printed - found) < 1e-9:
        return Cell(f"**{text}**", printed, found, equal=True)
    return Cell(f"{number(printed, 1)} ({text})", printed, found, equal=False)


def table_2() -> str:
    """Scores of tags in a hierarchy."""
    body = []
    for gold, output, printed in TABLE_2:
        measure = HierarchicalScore(HierarchyOptions(inventory()), gold="gold")
        found = value([(tags(gold), tags(output))], measure).value
        body.append([gold, output, _as_fraction(printed, found)])
    return rows(["manual annotation", "output", "score"], body)


def twice() -> str:
    """A tag and one below it, both right."""
    found = value(
        [(tags("A and A.1"), tags("A"))], HierarchicalScore(HierarchyOptions(inventory()), gold="gold")
    ).value
    return f"Manual annotation A and A.1, output A: {found:g}. Equation 2 taken literally: {1 + 0.5:g}."


def kappa() -> str:
    """Kappa over leaves."""
    body = []
    for name, pairs in (("five items", FIVE), ("A, B against A, B", ALIKE)):
        for expected in ("pooled", "cohen"):
            given = [(tags(a), tags(b)) for a, b in pairs]
            found = value(given, HierarchicalKappa(HierarchyOptions(inventory()), expected=expected))
            agreed, chance = (found.details[f"{kind}_agreement"] for kind in ("observed", "expected"))
            fractions = [fraction(each) for each in (agreed, chance, found.value)]
            body.append([name, f"`{expected}`", *fractions, f"{found.value:.6f}"])
    return rows(["", "`expected=`", "Pr(A)", "Pr(E)", "K", ""], body)


def pieces() -> dict[str, str]:
    """Return all tables by name."""
    return {
        "table 1": table_1(),
        "down": down(),
        "table 2": table_2(),
        "twice": twice(),
        "kappa": kappa(),
    }


PAPER = Paper("melamed_resnik2000", "Melamed and Resnik (2000)", (Part(pieces),), "melamed-resnik2000")
