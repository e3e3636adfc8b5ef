"""Tables I and II of Melamed & Resnik (2000), and κ over leaves worked out by hand from equations 3 to 5.

The inventory of figure 1 is not in the text; the one here is what section 4 says of it. Table II prints 0.4
in its last row, which is 0.5 x 0.5 + 0.5 x 1/3 = 5/12 rounded once too often.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from arbitree.api.evaluate import evaluate_all
from arbitree.kinds.labels.hierarchy.downward import Downward
from arbitree.kinds.labels.hierarchy.estimation import estimate_shares
from arbitree.kinds.labels.hierarchy.files import Flat, read_hierarchy
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy
from arbitree.kinds.labels.measures.hierarchical_kappa import HierarchicalKappa
from arbitree.kinds.labels.measures.hierarchical_score import HierarchicalScore
from arbitree.kinds.labels.measures.tag_sets import HierarchyOptions
from arbitree.kinds.labels.value import Tags
from tests.support.build import study_of

FIGURE_1 = """\
A
  A.1
    A.1a
    A.1b
  A.2
B
  B.1
  B.2
  B.3
"""

TABLE_1 = {  # the probabilities that four systems give to four senses; the second sense is right
    1: (0.47, 0.42, 0.06, 0.05),
    2: (0.85, 0.05, 0.05, 0.05),
    3: (0.28, 0.24, 0.24, 0.24),
    4: (1.00, 0.00, 0.00, 0.00),
}

TABLE_2 = [  # manual annotation, output, score
    ("B", "A", Fraction(0)),
    ("A", "A", Fraction(1)),
    ("A", "A.1", Fraction(1)),
    ("A", "A.1b", Fraction(1)),
    ("A.1", "A", Fraction(1, 2)),
    ("A.1|A.2", "A", Fraction(1)),
    ("A.1a", "A", Fraction(1, 4)),
    ("A.1a|B.2", "B", Fraction(1, 3)),
    ("A.1a|B.2", "A.1", Fraction(1, 2)),
    ("A.1a|B.2", "A.1|B.2", Fraction(3, 4)),
    ("A.1a|B.2", "A.1|B", Fraction(5, 12)),
]


@pytest.fixture(scope="module")
def figure(tmp_path_factory):
    path = Path(tmp_path_factory.mktemp("hierarchy"), "figure.txt")
    path.write_text(FIGURE_1, encoding="utf-8")
    return read_hierarchy(str(path))


def tags(text):
    return Tags.of(text.split("|"))


def study(first, second):
    pairs = zip(first.split(), second.split(), strict=True)
    return study_of({str(k): {"x": tags(a), "y": tags(b)} for k, (a, b) in enumerate(pairs)})


def result(found, measure):
    return evaluate_all(found, [("measure", measure)], resamples=0)[0]


@pytest.mark.parametrize("system", TABLE_1)
def test_the_probability_of_the_right_sense_is_the_score_of_flat_tags(system):
    senses = ("money", "share", "benefit", "curiosity")
    output = Tags(tuple(sorted(zip(senses, TABLE_1[system], strict=True))))
    found = study_of({"1": {"gold": tags("share"), "system": output}})
    assert result(found, HierarchicalScore(HierarchyOptions(Flat()), gold="gold")).value == TABLE_1[system][1]


@pytest.mark.parametrize(("gold", "output", "score"), TABLE_2)
def test_table_2(figure, gold, output, score):
    measure = HierarchicalScore(HierarchyOptions(figure), gold="x")
    assert result(study(gold, output), measure).value == pytest.approx(float(score), abs=1e-15)


def test_gold_tags_below_one_another_are_not_counted_twice(figure):
    """Equation 2, read to the letter, would give 1.5."""
    measure = HierarchicalScore(HierarchyOptions(figure), gold="x")
    assert result(study("A|A.1", "A"), measure).value == pytest.approx(1, abs=1e-15)


def test_downward_probabilities_of_section_4(figure):
    down = Downward(figure.over([])).down
    assert down("A") == {"A.2": 0.5, "A.1a": 0.25, "A.1b": 0.25}
    assert down("A.1")["A.1a"] == 0.5
    assert down("B")["B.2"] == pytest.approx(1 / 3)
    assert down("A.1a") == {"A.1a": 1}


FIVE = ("A.1a A.1 B.2 B A", "A.1a A.1b B.2 B.1 A")


@pytest.mark.parametrize(
    ("expected", "chance", "kappa"),
    [("pooled", Fraction(16, 75), Fraction(257, 472)), ("cohen", Fraction(121, 600), Fraction(264, 479))],
)
def test_kappa_of_five_items(figure, expected, chance, kappa):
    found = result(study(*FIVE), HierarchicalKappa(HierarchyOptions(figure), expected=expected))
    assert found.value == pytest.approx(float(kappa), abs=1e-14)
    assert found.details["observed_agreement"] == pytest.approx(77 / 120, abs=1e-14)
    assert found.details["expected_agreement"] == pytest.approx(float(chance), abs=1e-14)


def test_identical_but_unspecific_coders_do_not_reach_1(figure):
    found = result(study("A B", "A B"), HierarchicalKappa(HierarchyOptions(figure)))
    assert found.value == pytest.approx(17 / 79, abs=1e-14)
    assert found.details["observed_agreement"] == pytest.approx(17 / 48, abs=1e-14)
    assert found.details["expected_agreement"] == pytest.approx(17 / 96, abs=1e-14)
    assert found.details["highest"] == pytest.approx(17 / 79, abs=1e-14)
    assert (
        result(study("A B", "A B"), HierarchicalKappa(HierarchyOptions(figure), normalised=True)).value == 1
    )


def test_three_coders_average_their_pairs_and_pool_their_leaves(figure):
    """Pr(A) = mean of 1, 1/2, 1/2 and of 0, 0, 1; Pr(l) = 5/12, 1/12, 1/3, 1/6 for A.1a, A.1b, B.1, B.2."""
    found = study_of(
        {
            "1": {"x": tags("A.1a"), "y": tags("A.1a"), "z": tags("A.1")},
            "2": {"x": tags("B.2"), "y": tags("B.1"), "z": tags("B.1")},
        }
    )
    chance = Fraction(5, 12) ** 2 + Fraction(1, 12) ** 2 + Fraction(1, 3) ** 2 + Fraction(1, 6) ** 2
    assert result(found, HierarchicalKappa(HierarchyOptions(figure))).value == pytest.approx(
        float((Fraction(1, 2) - chance) / (1 - chance)), abs=1e-14
    )


DIAMOND = {("R", "A"): None, ("R", "B"): None, ("A", "x"): None, ("A", "y"): None, ("B", "y"): None}


def test_a_leaf_with_two_parents_gets_what_comes_along_both_ways():
    down = Downward(Hierarchy.of_links(DIAMOND))
    assert down.down("R") == {"x": 0.25, "y": 0.75}
    assert Downward(down.hierarchy, "uniform_leaves").down("R") == {"x": 0.5, "y": 0.5}


def test_gold_is_a_set_of_leaves_whatever_ways_lead_to_them():
    found = study("A|B", "R")
    measure = HierarchicalScore(HierarchyOptions(Hierarchy.of_links(DIAMOND)), gold="x")
    assert result(found, measure).value == 1
    measure = HierarchicalScore(HierarchyOptions(Hierarchy.of_links(DIAMOND)), gold="y")
    assert result(found, measure).value == 1
    assert (
        result(
            study("B", "R"), HierarchicalScore(HierarchyOptions(Hierarchy.of_links(DIAMOND)), gold="x")
        ).value
        == 0.75
    )


def test_inner_tags_that_are_senses_have_a_leaf_of_their_own(figure):
    down = Downward(figure.over([]), senses="inner")
    third = pytest.approx(1 / 3)
    ninth = pytest.approx(1 / 9)
    assert down.down("A") == {"A.*": third, "A.2": third, "A.1.*": ninth, "A.1a": ninth, "A.1b": ninth}
    measure = HierarchicalScore(HierarchyOptions(figure, senses="inner"), gold="x")
    assert result(study("A.1", "A"), measure).value == pytest.approx(1 / 3)
    assert result(study("A", "A.1"), measure).value == 1


def test_estimated_downward_probabilities(figure):
    """n(A.1) = 3 + 1, n(A.2) = 1 under A; 7 tokens tagged A itself do not matter. λ = 1/2."""
    hierarchy = figure.over([])
    shares = estimate_shares(hierarchy, {"A.1a": 3, "A.1": 1, "A.2": 1, "A": 7}, 0.5)
    down = Downward(hierarchy, shares=shares)
    assert down.down("A.1") == pytest.approx({"A.1a": 3.5 / 4, "A.1b": 0.5 / 4})
    assert down.down("A") == pytest.approx({"A.1a": 4.5 / 6 * 7 / 8, "A.1b": 4.5 / 6 / 8, "A.2": 1.5 / 6})
    assert down.down("B") == pytest.approx(dict.fromkeys(["B.1", "B.2", "B.3"], 1 / 3))


def test_estimated_probabilities_in_a_measure(figure):
    """The study is the corpus: A.1a 2, A 1, A.1 1; λ = 1 makes Pr(A.1|A) 4/5, Pr(A.1a|A.1) 3/4."""
    found = result(
        study("A.1a A.1a", "A A.1"), HierarchicalScore(HierarchyOptions(figure, estimate=1.0), gold="x")
    )
    assert found.value == pytest.approx((4 / 5 * 3 / 4 + 3 / 4) / 2)


def test_estimates_with_two_parents_explain_the_tokens_wherever_they_came_through():
    """Without smoothing any way of y's tokens makes Pr(x) = 8/12 and Pr(y) = 4/12, which is the likeliest."""
    hierarchy = Hierarchy.of_links(DIAMOND)
    places = hierarchy.places
    shares = estimate_shares(hierarchy, {"x": 8, "y": 4}, 0)
    to_a, to_x = shares[places["R"], places["A"]], shares[places["A"], places["x"]]
    assert to_a * to_x == pytest.approx(2 / 3)
    assert to_a * (1 - to_x) + (1 - to_a) == pytest.approx(1 / 3)


def test_tokens_are_shared_by_two_parents_that_are_alike():
    """p and q have z in common and nothing else was seen: with λ = 1, (3 + 1)/(3 + 3) of each."""
    links = {("R", "p"), ("R", "q"), ("p", "z"), ("q", "z"), ("p", "a"), ("p", "b"), ("q", "c"), ("q", "d")}
    hierarchy = Hierarchy.of_links(dict.fromkeys(sorted(links)))
    shares = estimate_shares(hierarchy, {"z": 6}, 1)
    down = Downward(hierarchy, shares=shares)
    assert down.down("p") == pytest.approx({"a": 1 / 6, "b": 1 / 6, "z": 4 / 6})
    assert down.down("R")["z"] == pytest.approx(4 / 6)
