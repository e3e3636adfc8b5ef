"""Coefficients over labels: independent programs, laws, and the cases without a value."""

import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import jaccard_distance, masi_distance
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from arbitree.api.evaluate import evaluate
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.labels.value import Label, Tags
from tests.support.build import label_rows, labelled

MEASURES = [
    "agreement",
    "s",
    "pi",
    "kappa",
    "multi_pi",
    "multi_kappa",
    "ac1",
    "weighted_kappa",
    "ac2",
    "alpha_nominal",
    "alpha_ordinal",
    "alpha_interval",
    "alpha_ratio",
]


def value(rows, measure, **options):
    return evaluate(labelled(rows), measure, resamples=0, **options).value


def triples(rows):
    return [(c, i, v) for i, row in enumerate(rows) for c, v in enumerate(row) if v is not None]


def varied(rows, coders=False):
    """Whether other packages have a value here: they fail or return 1 where there is no variation."""
    paired = [row for row in rows if sum(v is not None for v in row) > 1]
    if coders and rows and any(len({row[c] for row in rows}) < 2 for c in range(len(rows[0]))):
        return False
    return len({v for row in paired for v in row if v is not None}) > 1


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@settings(max_examples=150)
@given(rows=label_rows())
def test_alpha_equals_the_krippendorff_package(level, rows):
    if varied(rows):
        data = [[np.nan if v is None else float(v) for v in column] for column in zip(*rows, strict=True)]
        expected = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
        assert value(rows, f"alpha_{level}") == pytest.approx(expected, abs=1e-9)


@settings(max_examples=150)
@given(rows=label_rows())
def test_alpha_equals_nltk(rows):
    if varied(rows):
        expected = AnnotationTask(data=triples(rows)).alpha()
        assert value(rows, "alpha_nominal") == pytest.approx(expected, abs=1e-9)


@settings(max_examples=150)
@given(rows=label_rows(gaps=False))
def test_coefficients_without_gaps_equal_nltk(rows):
    if not varied(rows, coders=True):
        return
    task = AnnotationTask(data=triples(rows))
    for measure, expected in (
        ("agreement", task.avg_Ao()),
        ("multi_pi", task.pi()),
        ("s", task.S()),
        ("multi_kappa", task.multi_kappa()),
        ("kappa", task.kappa()),
    ):
        assert value(rows, measure) == pytest.approx(expected, abs=1e-9), measure


@settings(max_examples=150)
@given(rows=label_rows(gaps=False))
def test_multi_pi_equals_statsmodels(rows):
    if varied(rows):
        table, _ = aggregate_raters(np.array(rows))
        assert value(rows, "multi_pi") == pytest.approx(fleiss_kappa(table), abs=1e-9)
        uniform = fleiss_kappa(table, method="randolph")
        assert value(rows, "s") == pytest.approx(uniform, abs=1e-9)


@pytest.mark.parametrize(
    ("measure", "weights"),
    [("kappa", None), ("weighted_kappa", "linear"), ("weighted_kappa:weights=quadratic", "quadratic")],
)
@settings(max_examples=150)
@given(rows=label_rows(max_coders=2))
def test_kappa_equals_scikit_learn(measure, weights, rows):
    both = [row for row in rows if None not in row]
    if not varied(both, coders=True):
        return
    first, second = zip(*both, strict=True)
    labels = sorted({v for row in rows for v in row if v is not None})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = cohen_kappa_score(first, second, weights=weights, labels=labels)
    assert value(rows, measure) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("measure", "distance"), [("alpha_masi", masi_distance), ("alpha_jaccard", jaccard_distance)]
)
@settings(max_examples=100)
@given(seed=st.integers(0, 2**32))
def test_alpha_over_sets_equals_nltk(measure, distance, seed):
    rng = np.random.default_rng(seed)
    sets = [
        [frozenset(rng.choice(list("abcd"), rng.integers(1, 4), replace=False).tolist()) for _ in range(3)]
        for _ in range(rng.integers(2, 8))
    ]
    if len({each for row in sets for each in row}) > 1:
        expected = AnnotationTask(data=triples(sets), distance=distance).alpha()
        rows = [[Tags.of(each) for each in row] for row in sets]
        assert value(rows, measure) == pytest.approx(expected, abs=1e-9)


def test_masi_and_jaccard_of_pairs_of_sets():
    """Worked by hand from the definitions."""
    from arbitree import plugins

    masi, jaccard = (plugins.get("distances", name) for name in ("masi", "jaccard"))
    first = Tags.of("123")
    for other, expected in (
        ("12", 5 / 9),
        ("1", 7 / 9),
        ("14", 11 / 12),
        ("124", 5 / 6),
        ("45", 1),
        ("123", 0),
    ):
        assert masi(first, Tags.of(other)) == pytest.approx(expected)
    assert jaccard(first, Tags.of("124")) == pytest.approx(0.5)
    for distance in (masi, jaccard):
        assert distance(Tags.of(""), Tags.of("")) == 0
        assert distance(Tags.of(""), Tags.of("a")) == 1


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=40)
@given(rows=label_rows(), seed=st.integers(0, 2**32))
def test_names_of_coders_and_the_order_of_items_do_not_matter(measure, rows, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(rows[0]))
    turned = [[rows[i][c] for c in order] for i in rng.permutation(len(rows))]
    ours, theirs = value(rows, measure), value(turned, measure)
    assert (ours is None) == (theirs is None)
    if ours is not None:
        assert theirs == pytest.approx(ours, abs=1e-9)


@pytest.mark.parametrize("measure", [m for m in MEASURES if m not in ("alpha_ratio",)])
@settings(max_examples=25)
@given(rows=label_rows())
def test_weights_count_items_as_often_as_copies_would(measure, rows):
    """A resample with multiplicities has the value of the study in which copies stand side by side.

    The alphas leave out pairs of copies, so they are compared where nothing is copied.
    """
    study = labelled(rows)
    from arbitree import plugins
    from arbitree.backends.serial import Serial

    plugin = plugins.get("measures", measure)
    stats = plugin.statistics.prepare(study, Serial())
    times = np.array([1.0 + (k % 3 == 0) for k in range(len(rows))])
    if measure.startswith("alpha"):
        times = np.array([float(k % 3 != 0) for k in range(len(rows))])
    copied = [row for row, count in zip(rows, times, strict=True) for _ in range(int(count))]
    found = plugin.score(stats, times[None])[0]
    kinds = {v for row in rows for v in row if v is not None}
    if kinds == {v for row in copied for v in row if v is not None}:
        expected = value(copied, measure)
        assert np.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-9)


class TestCasesWithoutAValue:
    """Section by section what is defined and what is not; the values are worked by hand."""

    def test_equal_labels_have_no_variation(self):
        for measure in set(MEASURES) - {"agreement"}:
            result = evaluate(labelled([("a", "a")] * 3 if "alpha_n" in measure else [(1, 1)] * 3), measure)
            assert (result.value, result.status) == (None, "no_variation"), measure
        assert value([("a", "a")] * 3, "agreement") == 1

    @pytest.mark.parametrize(
        ("measure", "expected"), [("alpha_nominal", 0), ("kappa", 0), ("pi", -1), ("multi_pi", -1)]
    )
    def test_one_item_on_which_two_coders_differ(self, measure, expected):
        result = evaluate(labelled([("a", "b")]), measure)
        assert result.value == pytest.approx(expected)
        assert result.status == "single_item"
        assert result.interval is None

    @pytest.mark.parametrize(
        ("measure", "expected"), [("alpha_nominal", -0.5), ("kappa", -1), ("pi", -1), ("multi_pi", -1)]
    )
    def test_two_items_swapped(self, measure, expected):
        assert value([("a", "b"), ("b", "a")], measure) == pytest.approx(expected)

    @pytest.mark.parametrize("measure", MEASURES)
    def test_one_label_an_item_is_not_pairable(self, measure):
        result = evaluate(labelled([(1, None), (None, 2), (3, None)]), measure)
        assert (result.value, result.status, result.items_used) == (None, "no_pairable", 0)
        assert [each.reason for each in result.ignored] == ["single_annotation"] * 3


def test_single_labels_count_for_the_shares_of_pi_alone():
    with_single = [("a", "a"), ("a", "b"), ("b", "b"), ("b", None)]
    without = with_single[:3]
    for measure in ("alpha_nominal", "kappa", "pi", "s", "agreement"):
        assert value(with_single, measure) == pytest.approx(value(without, measure))
    assert value(with_single, "multi_pi") != pytest.approx(value(without, "multi_pi"))


def test_a_label_that_dominates_is_named():
    result = evaluate(labelled([("x", "x")] * 30 + [("x", "y"), ("y", "x")]), "kappa", resamples=0)
    assert result.value < 0
    assert "97% of all labels are 'x'" in result.notes[0]


def test_declared_categories_count():
    rows = [("a", "a"), ("a", "b"), ("b", "b")]
    assert value(rows, "s:categories=a/b/c") == pytest.approx((2 / 3 - 1 / 3) / (2 / 3))
    with pytest.raises(UnknownName, match="unknown category 'b'"):
        value(rows, "s:categories=a/c")


SEVEN_POINTS = [(1, 1), (6, 6), (3, 2), (6, 6), (5, 5), (5, 5)]


@pytest.mark.parametrize("option", ["order", "categories"])
def test_ac2_counts_declared_categories_without_a_label(option):
    # By hand, linear weights: A_o = (5 + 5/6) / 6; p = (2, 1, 1, 0, 4, 4, 0) / 12, so Σ p (1 - p) = 106/144;
    # Σ_kl a_kl = 49 - (7 * 48 / 3) / 6 = 91/3; A_e = (91/3) / 42 * 106/144.
    observed, expected = (5 + 5 / 6) / 6, (91 / 3) / 42 * 106 / 144
    found = value(SEVEN_POINTS, f"ac2:{option}=1/2/3/4/5/6/7")
    assert found == pytest.approx((observed - expected) / (1 - expected))
    assert round(found, 4) == 0.9407


@pytest.mark.parametrize("measure", ["s", "ac1", "ac2", "weighted_kappa"])
def test_categories_are_declared_in_one_way(measure):
    rows = [(1, 1), (2, 4), (4, 4), (1, 2), (1, 1)]
    result = evaluate(labelled(rows), f"{measure}:categories=1/2/3/4", resamples=0)
    assert (result.details["categories"], result.details["declared"]) == (4, True)
    assert "categories=1/2/3/4" in result.signature
    assert result.value != pytest.approx(value(rows, measure))
    undeclared = evaluate(labelled(rows), measure, resamples=0).details
    assert (undeclared["categories"], undeclared["declared"]) == (3, False)
    with pytest.raises(UnknownName, match="category '4'"):
        value(rows, f"{measure}:categories=1/2/3")


def test_numbers_are_ranked_among_the_declared_categories():
    rows = [(1, 1), (2, 4), (4, 4), (1, 2), (1, 1)]
    declared = value(rows, "weighted_kappa:categories=4/3/2/1")
    table = cohen_kappa_score(*zip(*rows, strict=True), labels=[1, 2, 3, 4], weights="linear")
    assert declared == pytest.approx(table)
    assert declared == pytest.approx(value(rows, "weighted_kappa:order=1/2/3/4"))


def test_an_order_and_categories_name_the_same_labels():
    rows = [("low", "mid"), ("mid", "mid")]
    both = value(rows, "ac2:order=low/mid/high,categories=high/low/mid")
    assert both == pytest.approx(value(rows, "ac2:order=low/mid/high"))
    with pytest.raises(UnknownName, match="order and categories name different labels"):
        value(rows, "ac2:order=low/mid/high,categories=low/mid")


@pytest.mark.parametrize("measure", ["ac1", "ac2:order=a/b/c/d", "weighted_kappa:order=a/b/c/d"])
def test_other_names_for_declared_categories_change_nothing(measure):
    rows = [("a", "a"), ("b", "a"), ("d", "d"), ("b", "b")]
    new = dict(zip("abcd", ("z", "m", "k", "a"), strict=True))
    renamed = [tuple(new[label] for label in row) for row in rows]
    assert value(renamed, measure.replace("a/b/c/d", "z/m/k/a")) == pytest.approx(value(rows, measure))


def test_ordered_measures_want_an_order():
    rows = [("low", "mid"), ("mid", "mid"), ("high", "high"), ("low", "low")]
    with pytest.raises(UnsupportedStudy, match="needs ordered labels, but 'high' is not a number"):
        value(rows, "alpha_ordinal")
    numbered = [({"low": 1, "mid": 2, "high": 3}[a], {"low": 1, "mid": 2, "high": 3}[b]) for a, b in rows]
    assert value(rows, "alpha_ordinal:order=low/mid/high") == pytest.approx(value(numbered, "alpha_ordinal"))
    assert value(rows, "weighted_kappa:order=low/mid/high") == pytest.approx(
        value(numbered, "weighted_kappa")
    )
    with pytest.raises(UnknownName, match="unknown weighted_kappa category 'high'"):
        value(rows, "weighted_kappa:order=low/mid/hihg")
    with pytest.raises(UnsupportedStudy, match="alpha_interval needs numbers, but 'high' is not a number"):
        value(rows, "alpha_interval")
    with pytest.raises(UnsupportedStudy, match="alpha_ratio needs numbers of 0 or more"):
        value([(-1, 2), (2, 2)], "alpha_ratio")


def test_a_table_of_ones_own(tmp_path):
    path = tmp_path / "far.tsv"
    path.write_text("a\tb\t0.5\n", encoding="utf-8")
    rows = [("a", "b"), ("a", "a"), ("b", "c"), ("c", "c")]
    # D_o = (2 * .5 + 2 * 1) / 8; D_e over 8 labels: a a a b b c c c with d(a,b) = .5, others 1.
    expected = 1 - (3 / 8) / (2 * (3 * 2 * 0.5 + 3 * 3 + 2 * 3) / (8 * 7))
    assert value(rows, f"alpha_table:distance={path}") == pytest.approx(expected)
    assert value(rows, f"weighted_kappa:weights={path}") != pytest.approx(value(rows, "kappa"))
    with pytest.raises(UnsupportedStudy, match="alpha_table needs a table"):
        value(rows, "alpha_table")


def test_defaults_suit_the_labels():
    from arbitree.kinds.labels.kind import KIND
    from arbitree.measures.options import fitting

    assert set(fitting(labelled([("a", "b"), ("b", "b")]), KIND)) == {
        "alpha_nominal",
        "agreement",
        "kappa",
        "multi_pi",
        "ac1",
    }
    assert {"alpha_ordinal", "alpha_interval"} <= set(fitting(labelled([(1, 2), (3, 3)]), KIND))
    sets = labelled([(Tags.of("ab"), Tags.of("a")), (Tags.of("b"), Tags.of("b"))])
    assert {"alpha_masi", "alpha_jaccard"} <= set(fitting(sets, KIND))


def test_clusters_are_resampled_whole():
    """Ten copies of each item in a cluster: the interval is that of the items, not of ten times as many."""
    from dataclasses import replace

    from arbitree.study.study import Annotation, Item, Study

    rows = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b"), ("a", "a"), ("b", "a")] * 3
    single = labelled(rows)
    items = [Item(f"{k}.{copy}", "doc", str(k)) for k in range(len(rows)) for copy in range(10)]
    cells = {
        (item.id, coder): Annotation(item, coder, Label(label))
        for item in items
        for coder, label in zip(("c0", "c1"), rows[int(item.cluster)], strict=True)
    }
    copied = Study(tuple(items), ("c0", "c1"), cells)
    for measure in ("kappa", "agreement", "multi_pi"):
        ours, theirs = (evaluate(study, measure, seed=1).interval for study in (single, copied))
        assert (ours.low, ours.high) == (pytest.approx(theirs.low), pytest.approx(theirs.high))
    assert replace(copied).columns.max() == len(rows) - 1
