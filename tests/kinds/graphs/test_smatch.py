"""Smatch, alpha and wl on worked examples and on data with published values.

The examples A to G and their numbers come from the specification of exact Smatch, where each match equals the
best of all alignments by brute force. Published values come from the READMEs of the data: Smatch 1.0.4 of
snowblink14 in six runs and an exact integer program agree on all of them.
"""

from itertools import combinations

import numpy as np
import pytest

from arbitree.api.evaluate import evaluate
from arbitree.api.read import read
from arbitree.errors import UnknownName
from arbitree.kinds.graphs.alignment import best_alignment
from arbitree.kinds.graphs.measures.alpha import GraphDistance
from arbitree.kinds.graphs.neighbourhoods import bag_distance, bag_of
from tests.support.build import study_of

pytest.importorskip("penman")
from tests.support.penman_graphs import WORKED, graph

TRIPLES = {name: each.triples for name, each in WORKED.items()}


@pytest.mark.parametrize(
    ("pair", "match", "score", "common", "wl"),
    [
        ("AB", 6, 0.8571, 9, 0.3571),
        ("BC", 4, 0.6667, 6, 0.5000),
        ("BD", 5, 0.8333, 7, 0.4167),
        ("CD", 3, 0.5000, 6, 0.5000),
        ("BE", 4, 0.6667, 5, 0.5455),
        ("AF", 2, 0.3077, 2, 0.8400),
        ("FG", 4, 0.6667, 4, 0.6364),
    ],
)
def test_worked_examples(pair, match, score, common, wl):
    first, second = (TRIPLES[name] for name in pair)
    bags = [bag_of(each) for each in (first, second)]
    assert best_alignment(first, second).gain == match
    found = evaluate(study_of({"s": {"x": WORKED[pair[0]], "y": WORKED[pair[1]]}}), "smatch", resamples=0)
    assert found.value == pytest.approx(score, abs=5e-5)
    assert (bags[0] & bags[1]).total() == common
    assert bag_distance(*bags) == pytest.approx(wl, abs=5e-5)
    assert [bag.total() for bag in bags] == [each.size + 2 * len(each.labels) for each in (first, second)]


def test_alpha_of_the_worked_examples():
    study = study_of({"1": {"x": WORKED["A"], "y": WORKED["B"]}, "2": {"x": WORKED["F"], "y": WORKED["G"]}})
    exact = evaluate(study, "alpha_graph", resamples=0)
    assert exact.details["observed"] == pytest.approx(0.238095, abs=5e-7)
    assert exact.details["expected"] == pytest.approx(0.538417, abs=5e-7)
    assert exact.value == pytest.approx(0.557787, abs=5e-7)
    assert evaluate(study, "alpha_graph:distance=wl", resamples=0).value == pytest.approx(0.314050, abs=5e-7)


def test_a_bag_without_rounds_is_never_farther_than_the_best_alignment():
    """Every match needs an equal element, so the distance is a bound."""
    for one, two in combinations(TRIPLES.values(), 2):
        exact = 1 - 2 * best_alignment(one, two).gain / (one.size + two.size)
        assert bag_distance(bag_of(one, 0), bag_of(two, 0)) <= exact + 1e-12


def test_subscores_count_the_triples_under_the_best_alignment():
    """By hand: E against itself without the negation; its only reentrancy is that of n."""
    first = WORKED["E"]
    second = graph("(h / help-01 :ARG0 (n / Nurse) :ARG1 n)")
    found = evaluate(study_of({"s": {"x": first, "y": second}}), "smatch", resamples=0).details
    assert (found["numerator"], found["first"], found["second"]) == (5, 6, 5)
    assert (found["precision"], found["recall"]) == (5 / 6, 1)
    scores = found["subscores"]
    assert scores["negation"] == {"f1": 0, "precision": 0, "recall": None}
    assert scores["reentrancies"] == scores["roles"] == {"f1": 1, "precision": 1, "recall": 1}
    assert scores["named_entities"]["f1"] is None


def test_roles_are_left_out_on_request():
    study = study_of({"s": {"x": WORKED["F"], "y": WORKED["G"]}})
    found = evaluate(study, "smatch:drop=quant+time", resamples=0)
    assert (found.details["numerator"], found.details["first"], found.details["second"]) == (4, 4, 5)
    assert "drop=quant+time" in found.signature


def test_an_unknown_distance_is_refused():
    with pytest.raises(UnknownName, match="distance is 'ted'"):
        GraphDistance("ted")


def test_an_unproved_alignment_gives_a_bound_and_a_note(monkeypatch):
    """The time limit is hit at once if branch and bound has no steps and the program no time."""
    from arbitree.kinds.graphs import alignment
    from arbitree.kinds.graphs.alignment import Alignment
    from arbitree.kinds.graphs.measures import alpha, smatch

    def unproved(first, second, seconds):
        found = alignment.best_alignment(first, second)
        return Alignment(found.pairs, found.gain - 1, found.gain)

    monkeypatch.setattr(smatch, "best_alignment", unproved)
    monkeypatch.setattr(alpha, "best_alignment", unproved)
    study = study_of({"1": {"x": WORKED["A"], "y": WORKED["B"]}, "2": {"x": WORKED["F"], "y": WORKED["G"]}})
    found = evaluate(study, "smatch", resamples=0)
    assert found.value == pytest.approx(2 * 8 / 26)
    assert found.details["value_at_bound"] == pytest.approx(2 * 10 / 26)
    assert found.details["unproved_items"] == 2
    assert any("may not be the best" in note for note in found.notes)
    ends = evaluate(study, "alpha_graph", resamples=0).details["value_range"]
    assert ends[0] < 0.557787 < ends[1]


# Published values


def pairs_of(study, measure="smatch"):
    found = evaluate(study, measure, resamples=0, by=["pair"])
    return {group.name: group.value for group in found.groups["pair"]}


def test_metamorphosed_publishes_twelve_pairs_and_their_mean(data):
    folder = data / "tools/amr/metamorphosed"
    study = read(*(str(folder / f"annot{number}.txt") for number in (1, 3, 4)))
    rows = {("1", "3"): [], ("1", "4"): [], ("3", "4"): []}
    coders = dict(zip("134", study.coders, strict=True))
    for pair, values in rows.items():
        part = study.select(coders=[coders[each] for each in pair])
        values += [row[3] for row in evaluate(part, "smatch", resamples=0).per_item.rows]
    published = [69.23, 71.43, 61.54, 66.67, 75.00, 72.73, 40.00, 22.22, 40.00, 62.50, 50.00, 75.00]
    found = [100 * rows[pair][sentence] for sentence in range(4) for pair in rows]
    assert found == pytest.approx(published, abs=0.005)
    assert np.mean(found) == pytest.approx(58.86, abs=0.005)


def test_smatch_publishes_its_test_input(data):
    folder = data / "tools/amr/smatch"
    found = evaluate(read(*(str(folder / f"test_input{k}.txt") for k in (1, 2))), "smatch", resamples=0)
    assert found.value == pytest.approx(0.8475, abs=5e-5)
    assert (found.details["precision"], found.details["recall"]) == pytest.approx((0.8333, 0.8621), abs=5e-5)
    assert [row[3] for row in found.per_item.rows] == pytest.approx([0.8421, 0.5714, 1], abs=5e-5)


def test_umr_of_four_texts(data):
    study = read(str(data / "tools/umr/pdtc/ML"), str(data / "tools/umr/pdtc/HH"), dirs=True)
    found = evaluate(study, "smatch", resamples=0, by=["document"])
    sums = [found.details[name] for name in ("numerator", "first", "second")]
    assert (found.items_used, sums) == (21, [707, 788, 763])
    assert found.value == pytest.approx(0.91167, abs=5e-6)
    texts = [group.value for group in found.groups["document"] if group.value is not None]
    assert texts == pytest.approx([0.96538, 0.87619, 0.90647, 0.88716], abs=5e-6)
    alpha = evaluate(study, "alpha_graph", resamples=0)
    parts = (alpha.details["observed"], alpha.details["expected"], alpha.value)
    assert parts == pytest.approx((0.092220, 0.637819, 0.855414), abs=5e-7)
    for measure, expected in (("distance=wl", 0.641942), ("distance=wl,rounds=1", 0.781182)):
        value = evaluate(study, f"alpha_graph:{measure}", resamples=0).value
        assert value == pytest.approx(expected, abs=5e-7)


def test_mrs_of_fracas_in_two_releases_of_a_grammar(data):
    """Counts of an independent program: graphs with and without properties, and EDM."""
    profiles = (str(data / f"tsdb/erg/{release}/fracas") for release in (2024, 2025))
    study = read(*profiles, view="meanings")
    for measure, counts in (
        ("smatch", [27679, 27694, 27689]),
        ("smatch:properties=no", [12571, 12584, 12579]),
    ):
        found = evaluate(study, measure, resamples=0)
        assert [found.details[name] for name in ("numerator", "first", "second")] == counts
    assert evaluate(study, "edm", resamples=0).value == pytest.approx(0.99955, abs=5e-6)


def test_umr_by_three_annotators(data):
    study = read(*(str(data / f"tools/umr/estonsko/{coder}.umr") for coder in ("DZ", "ML", "SZ")))
    counts = {"DZML": (209, 234, 239), "DZSZ": (179, 234, 251), "MLSZ": (181, 239, 251)}
    for one, two in combinations(study.coders, 2):
        found = evaluate(study.select(coders=[one, two]), "smatch", resamples=0).details
        assert tuple(found[name] for name in ("numerator", "first", "second")) == counts[one + two]
    alpha = evaluate(study, "alpha_graph", resamples=0)
    parts = (alpha.details["observed"], alpha.details["expected"], alpha.value)
    assert parts == pytest.approx((0.138140, 0.631251, 0.781165), abs=5e-7)
    wl = evaluate(study, "alpha_graph:distance=wl", resamples=0).value
    assert wl == pytest.approx(0.631268, abs=5e-7)


def test_alpha_of_three_annotators_of_four_sentences(data):
    folder = data / "tools/amr/metamorphosed"
    study = read(*(str(folder / f"annot{number}.txt") for number in (1, 3, 4)))
    assert evaluate(study, "alpha_graph", resamples=0).value == pytest.approx(0.444682, abs=5e-7)
    wl = evaluate(study, "alpha_graph:distance=wl", resamples=0)
    assert wl.value == pytest.approx(0.253189, abs=5e-7)
