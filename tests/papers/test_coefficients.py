"""Worked values of coefficients over labels, from textbooks and papers.

Expected values were computed by other programs (irrCAC, krippendorff, nltk, scikit-learn) or are printed in
the works that the tests name.
"""

import pytest

from arbitree.api.evaluate import evaluate
from tests.support.build import labelled


def value(study, measure):
    return evaluate(study, measure, resamples=0).value


# Table 3.1 of de Castro (2011): two coders, two categories.
TWO_BY_TWO = labelled([("y", "y")] * 25 + [("y", "n")] * 10 + [("n", "y")] * 15 + [("n", "n")] * 50)

# Krippendorff (2011): four coders, twelve units, five values, gaps.
GAPS = labelled(
    [
        [1, 1, None, 1],
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
        [None, 5, 5, 5],
        [None, None, 1, 1],
        [None, 3, None, None],
    ]
)

# Ten subjects, fourteen raters, five categories, as in the usual demonstration of Fleiss' statistic.
COUNTS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
FLEISS = labelled([[label for label, n in enumerate(row, start=1) for _ in range(n)] for row in COUNTS])

CONFUSION = ((46, 6, 0), (0, 32, 0), (0, 6, 10))
THREE = labelled(
    [(a, b) for a, row in enumerate(CONFUSION, 1) for b, count in enumerate(row, 1) for _ in range(count)]
)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("agreement", 0.75),
        ("s", 0.5),
        ("pi", 0.466667),
        ("multi_pi", 0.466667),
        ("kappa", 0.468085),
        ("multi_kappa", 0.468085),
        ("alpha_nominal", 0.469333),
        ("ac1", 0.529412),
    ],
)
def test_two_coders_and_two_categories(measure, expected):
    assert value(TWO_BY_TWO, measure) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("measure", "expected"), [("s", 0.5), ("pi", 0.53125), ("kappa", 0.53)])
def test_expected_agreement_of_table_3_2(measure, expected):
    """As printed by de Castro (2011); his equation 3.8 has ic(c - 1) where ic(ic - 1) is meant."""
    result = evaluate(TWO_BY_TWO, measure, resamples=0)
    assert result.details["expected_agreement"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("alpha_nominal", 0.743421),
        ("alpha_ordinal", 0.815388),
        ("alpha_interval", 0.849107),
        ("alpha_ratio", 0.797403),
        ("multi_pi", 0.76117),
        ("ac1", 0.77544),
        ("multi_kappa", 0.76207),
    ],
)
def test_four_coders_with_gaps(measure, expected):
    assert value(GAPS, measure) == pytest.approx(expected, abs=6e-6)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("multi_pi", 0.209931),
        ("alpha_nominal", 0.215574),
        ("alpha_ordinal", 0.540750),
        ("alpha_interval", 0.543740),
        ("alpha_ratio", 0.452625),
        ("s", 0.222527),
        ("multi_kappa", 0.217042),
        ("kappa", 0.234672),
    ],
)
def test_fourteen_coders(measure, expected):
    """The mean of pairwise kappas is not the ratio of means: 0.2347 and 0.2170."""
    assert value(FLEISS, measure) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("kappa", 0.801325),
        ("weighted_kappa", 0.835526),
        ("weighted_kappa:weights=linear", 0.835526),
        ("weighted_kappa:weights=quadratic", 0.877651),
        ("pi", 0.799532),
        ("alpha_nominal", 0.800535),
        ("alpha_ordinal", 0.889647),
        ("alpha_interval", 0.878263),
        ("alpha_ratio", 0.883113),
    ],
)
def test_three_ordered_categories(measure, expected):
    assert value(THREE, measure) == pytest.approx(expected, abs=1e-6)
