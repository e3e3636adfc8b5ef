"""Laws and switches of Y-option kappa."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate
from arbitree.errors import UnknownName
from arbitree.kinds.treebanking.measures.neighbourhoods import neighbourhoods
from arbitree.kinds.treebanking.value import (
    AMBIGUOUS,
    LOST,
    REJECTED,
    TWIG,
    UNANNOTATED,
    UNPARSED,
    Option,
)
from arbitree.kinds.treebanking.value import Reading as Parse
from tests.support.build import study_of
from tests.support.profiles import decisions

LABELS = "abcd"
MODES = ["neighbourhood", "discriminant"]


@st.composite
def lists(draw, states=(1, 2, 3, 4)):
    """A list of options, every discriminant once."""
    keys = draw(st.lists(st.tuples(st.sampled_from(LABELS), st.integers(0, 3)), unique=True, max_size=10))
    return [(draw(st.sampled_from(states)), f"{label} ARG{n} x") for label, n in keys]


def of(left, right, mode="neighbourhood", **more):
    study = study_of({"s": {"a": decisions(*left, **more), "b": decisions(*right, **more)}})
    return evaluate(study, f"y_option_kappa:mode={mode}", resamples=0).value


@pytest.mark.parametrize("mode", MODES)
@given(left=lists(), right=lists(), rng=st.randoms(use_true_random=False))
def test_order_of_rows_and_coders_does_not_matter(mode, left, right, rng):
    expected = of(left, right, mode)
    shuffled = rng.sample(left, len(left)), rng.sample(right, len(right))
    assert of(*shuffled, mode) == of(*shuffled[::-1], mode) == expected


@pytest.mark.parametrize("mode", MODES)
@given(rows=lists().filter(bool))
def test_identical_lists_agree_and_turned_ones_disagree(mode, rows):
    turned = [({1: 2, 2: 1, 3: 4, 4: 3}[state], key) for state, key in rows]
    assert of(rows, rows, mode) == 1
    assert of(rows, turned, mode) == -1


@given(left=lists(), right=lists())
def test_every_label_with_a_manual_row_is_one_option(left, right):
    a, b = decisions(*left).options, decisions(*right).options
    manual = {each.label for each in (*a, *b) if each.manual}
    expected = manual or {each.label for each in (*a, *b)}
    for below_only in (False, True):
        found = [each.label for each in neighbourhoods(a, b, below_only=below_only)]
        assert sorted(found) == sorted(expected)


@given(left=lists(), right=lists())
def test_without_a_yes_by_hand_the_letter_of_the_figure_makes_no_difference(left, right):
    """Only the neighbourhood of a manual yes begins at the hit."""
    left, right = ([(4 if state == 1 else state, key) for state, key in rows] for rows in (left, right))
    a, b = decisions(*left).options, decisions(*right).options
    found = [
        {(each.label, each.common, each.same, each.matched) for each in neighbourhoods(a, b, below_only=how)}
        for how in (False, True)
    ]
    assert found[0] == found[1]


def test_trees_picked_directly_are_compared_label_by_label():
    left, right = [(3, "a ARG1 x"), (4, "b ARG1 x")], [(3, "a ARG1 x"), (3, "b ARG1 x")]
    assert of(left, right) == 0


def chains(*keys):
    return replace(
        decisions(), forest=True, options=tuple(Option(1, TWIG, key, n, n + 1) for n, key in enumerate(keys))
    )


@pytest.mark.parametrize("mode", MODES)
def test_other_chain_on_one_span_is_a_difference(mode):
    study = study_of({"s": {"a": chains("n_pl@dog", "v_3s@bark"), "b": chains("n_pl@dog", "n_pl@bark")}})
    assert evaluate(study, f"y_option_kappa:mode={mode}", resamples=0).value == 0


def a_study():
    """Ten sentences in all subsets, and five that cannot be used."""
    same, other = [(1, "a ARG1 x"), (4, "a ARG1 y")], [(2, "a ARG1 x"), (1, "a ARG1 y")]
    no = {"status": REJECTED, "chosen": ()}
    pairs = [
        (decisions(*same), decisions(*same)),
        (decisions(*same), decisions(*other, chosen=(1,))),
        (decisions(*same, (1, "b ARG1 x")), decisions(*same)),
        (decisions(*same), decisions(*same, **no)),
        (decisions(*same, (1, "b ARG1 x"), **no), decisions(*same, **no)),
        (decisions((1, "b ARG1 x"), **no), decisions(*same, **no)),
        (decisions(**no), decisions((2, "c ARG1 x"), **no)),
        (decisions(readings=1), decisions(readings=1)),
        (decisions(**no), decisions(**no)),
        (decisions(readings=1), decisions(readings=1, **no)),
        (decisions(status=LOST), decisions(*same)),
        (decisions(*same), decisions(status=UNANNOTATED)),
        (decisions(status=UNPARSED, readings=0), decisions(status=UNPARSED, readings=0)),
        (decisions(*same, status=AMBIGUOUS, chosen=(0, 1)), decisions(*same)),
    ]
    rows = {f"d/{n}": {"a": first, "b": second} for n, (first, second) in enumerate(pairs)}
    return study_of(rows | {"d/alone": {"a": decisions(*same)}}, ("a", "b"))


def test_subsets_and_what_is_left_out():
    result = evaluate(a_study(), "y_option_kappa", resamples=0)
    subsets = {row["item"]: row["subset"] for row in result.per_item.records()}
    assert [subsets[f"d/{n}"] for n in range(10)] == ["both"] * 3 + ["rejected"] * 4 + ["none"] * 3
    assert result.items_used == 10
    assert result.details["ignored"] == {
        "lost": 1, "unannotated": 1, "unparsed": 1, "ambiguous": 1, "single_annotation": 1,
    }  # fmt: skip
    # 1 + 1 + 2 options where both accepted; one label differs, one stands alone.
    assert result.details["p_d"] == pytest.approx(2 / 4)
    assert result.details["sentences_both_accepted"] == 3
    assert result.details["accepted_by_first_only"] == 2
    assert result.details["rejected_by_both"] == 4


def test_three_corpus_values_by_hand():
    details = evaluate(a_study(), "y_option_kappa", resamples=0).details
    both = [1, -1, 0]
    estimated = [1, 2 * 1.5 / 2 - 1, 2 * (0 + 2 * 0.5) / 2 - 1, 0]  # the last: one option, alone
    bare = [1, 0, -1, -1]
    assert details["with_estimation"] == pytest.approx(sum([*both, *estimated, 0, 0, 0]) / 10)
    assert details["without_estimation"] == pytest.approx(sum([*both, *bare]) / 7)
    assert details["both_accepted_only"] == pytest.approx(0)
    # Options 1, 1, 2 | 1, 2, 2, 1 | three of average size 10/7.
    agreed = 1 + 0 + 1 + 1 + 1.5 + 1 + 0.5 + 3 * (10 / 7) / 2
    assert details["micro"] == pytest.approx(2 * agreed / (10 + 3 * 10 / 7) - 1)
    assert details["estimated_share"] == pytest.approx((4 + 30 / 7) / (10 + 30 / 7))


@pytest.mark.parametrize(
    ("options", "used"),
    [
        ("noop=exclude", 7),
        ("noop=decision", 10),
        ("unique=disagree", 10),
        ("unique=exclude", 8),
        ("mode=discriminant", 10),
        ("mode=discriminant,unique=exclude,noop=exclude", 5),
        ("mode=exact", 2),
        ("several=fleiss", 5),
        ("estimate_rounding=floor", 10),
        ("average=micro", 10),
    ],
)
def test_items_used_are_those_that_the_value_rests_on(options, used):
    """Taking away an item that is not used changes nothing; one that is used counts in the weights."""
    study = a_study()
    result = evaluate(study, f"y_option_kappa:{options}", resamples=20)
    assert result.items_used == used == len(result.per_item.rows)
    ids = {row[0] for row in result.per_item.rows}
    alone = evaluate(study.select(items=ids), f"y_option_kappa:{options}", resamples=0)
    assert alone.value == pytest.approx(result.value)
    assert alone.items_used == used
    if not options.startswith(("average", "several")):
        assert result.value == pytest.approx(np.mean([row["value"] for row in result.per_item.records()]))
    assert {each.item for each in result.ignored} == {item.id for item in study.items} - ids


def test_noop_by_decision_compares_what_was_decided():
    rows = {
        row["item"]: row["value"]
        for row in evaluate(a_study(), "y_option_kappa:noop=decision").per_item.records()
    }
    assert [rows["d/7"], rows["d/8"], rows["d/9"]] == [1, 1, -1]


def test_without_a_sentence_accepted_by_both_nothing_is_estimated():
    study = a_study().select(items=["d/3", "d/5", "d/8"])
    result = evaluate(study, "y_option_kappa", resamples=0)
    assert (result.items_used, result.value) == (1, 1)
    assert result.details["ignored"] == {"no_estimate": 2}
    assert any("p_d" in note for note in result.notes)
    assert evaluate(study, "y_option_kappa:p_d=0.25", resamples=0).items_used == 3


def test_unlike_numbers_of_readings_are_noted():
    study = study_of({"s": {"a": decisions((1, "a ARG1 x")), "b": decisions((1, "a ARG1 x"), readings=7)}})
    assert any(
        "differ in the number of parses" in note
        for note in evaluate(study, "y_option_kappa", resamples=0).notes
    )


def test_grammars_that_differ_are_noted():
    rows = [(1, "a ARG1 x")]
    study = study_of({"s": {"a": decisions(*rows, grammar="G (1)"), "b": decisions(*rows, grammar="G (2)")}})
    (note,) = evaluate(study, "y_option_kappa", resamples=0).notes
    assert note == "the grammars differ (a G (1) and b G (2)), so discriminants may not be comparable"


def test_a_neighbourhood_of_one_annotator_counts_once():
    left = [(1, "a ARG1 x"), (1, "a ARG2 x"), (1, "b ARG1 x")]
    study = study_of({"s": {"a": decisions(*left), "b": decisions((1, "b ARG1 x"))}})
    assert evaluate(study, "y_option_kappa", resamples=0).value == 0


def test_neighbourhoods_that_share_no_discriminant_are_the_same_and_counted():
    study = study_of({"s": {"a": decisions((1, "a ARG1 x")), "b": decisions((1, "a ARG2 x"))}})
    found = evaluate(study, "y_option_kappa", resamples=0)
    assert (found.value, found.details["vacuous"]) == (1, 1)


@pytest.mark.parametrize("option", ["mode=x", "noop=x", "p_d=2", "p_d=x", "several=x", "stranded=one"])
def test_unknown_choices_are_refused(option):
    with pytest.raises(UnknownName):
        evaluate(a_study(), f"y_option_kappa:{option}")


class Shelf:
    """Parses that are kept in memory."""

    def __init__(self, *derivations, chosen=0):
        self.parses = [Parse(n, text, "") for n, text in enumerate(derivations)]
        self.number = chosen

    def count(self):
        return len(self.parses)

    def chosen(self):
        return [self.parses[self.number]]

    def every(self):
        return self.parses

    def notes(self):
        return []


HIGH = '(root (1 subj 0 0 3 (2 n 0 0 1 ("a")) (3 head-adj 0 1 3 (4 v 0 1 2 ("b")) (5 p 0 2 3 ("c")))))'
LOW = '(root (1 subj 0 0 3 (6 adj-n 0 0 2 (2 n 0 0 1 ("a")) (4 v2 0 1 2 ("b"))) (5 p 0 2 3 ("c"))))'
FLAT = '(root (7 flat 0 0 3 (2 n 0 0 1 ("a")) (4 v 0 1 2 ("b")) (5 p 0 2 3 ("c"))))'


def chosen(number, *derivations):
    return decisions(readings=len(derivations), chosen=(number,), stored=Shelf(*derivations, chosen=number))


def test_two_readings_that_differ_disagree_in_full():
    study = study_of({"s": {"a": chosen(0, HIGH, LOW), "b": chosen(1, HIGH, LOW)}})
    result = evaluate(study, "y_option_kappa", resamples=0)
    row = result.per_item.records()[0]
    assert (result.value, row["mode"], row["options"]) == (-1, "recomputed", 4)


def test_three_readings_leave_room_for_agreement():
    """HIGH, LOW, FLAT: subj, head-adj, adj-n, flat, v and v2 differ; HIGH and FLAT agree on adj-n, v, v2."""
    study = study_of({"s": {"a": chosen(0, HIGH, LOW, FLAT), "b": chosen(2, HIGH, LOW, FLAT)}})
    result = evaluate(study, "y_option_kappa", resamples=0)
    assert result.value == pytest.approx(2 * 3 / 6 - 1)


def test_derivations_that_cannot_be_read_are_not_compared():
    broken = study_of({"s": {"a": chosen(0, "(", "("), "b": chosen(1, "(", "(")}})
    result = evaluate(broken, "y_option_kappa:mode=exact", resamples=0)
    assert result.details["ignored"] == {"not_exact": 1}


def test_forests_that_differ_are_not_compared_exactly():
    study = study_of({"s": {"a": chosen(0, HIGH, LOW), "b": chosen(1, HIGH, FLAT)}})
    result = evaluate(study, "y_option_kappa:mode=exact", resamples=0)
    assert (result.value, result.details["ignored"]) == (None, {"not_exact": 1})


def test_auto_is_exact_only_if_every_accepted_sentence_is():
    rows = {"s": {"a": chosen(0, HIGH, LOW), "b": chosen(1, HIGH, LOW)}}
    rows["t"] = {"a": decisions((1, "a ARG1 x")), "b": decisions((1, "a ARG1 x"))}
    modes = {row["mode"] for row in evaluate(study_of(rows), "y_option_kappa").per_item.records()}
    assert modes == {"neighbourhood"}


@given(seed=st.integers(0, 10**6))
def test_fleiss_is_the_mean_of_pairs_when_all_values_are_known(seed):
    rng = random.Random(seed)
    rows = {}
    for number in range(4):
        keys = [f"k{k} ARG1 x" for k in range(rng.randint(1, 6))]
        rows[f"d/{number}"] = {c: decisions(*((rng.choice((1, 2)), key) for key in keys)) for c in "abc"}
    study = study_of(rows)
    fleiss = evaluate(study, "y_option_kappa:several=fleiss", resamples=0)
    pairs = evaluate(study, "y_option_kappa:mode=discriminant", resamples=0)
    assert fleiss.value == pytest.approx(pairs.value)
    assert pairs.value == pytest.approx(np.mean(list(pairs.details["pairs"].values())))
    assert pairs.details["lowest_pair"] == min(pairs.details["pairs"].values())
    by = evaluate(study, "y_option_kappa:mode=discriminant", resamples=0, by=["pair", "coder"]).groups
    assert {group.name: group.value for group in by["pair"]} == pytest.approx(pairs.details["pairs"])


def test_alpha_with_gaps_matches_a_calculation_by_hand():
    """Four discriminants: yy, yn, nn of two coders, yyn of three. D_o = 4/9, D_e = 40/72."""
    rows = {
        "s": {
            "a": decisions((1, "p A x"), (1, "q A x"), (2, "r A x"), (1, "t A x"), (1, "alone A x")),
            "b": decisions((1, "p A x"), (2, "q A x"), (2, "r A x"), (1, "t A x")),
            "c": decisions((2, "t A x")),
        }
    }
    found = evaluate(study_of(rows), "y_option_kappa:several=alpha", resamples=0)
    assert found.value == pytest.approx(1 - (4 / 9) / (40 / 72))


def test_one_undecided_discriminant_does_not_make_a_profile_exact():
    """The second sentence was rejected at once by one annotator: what was not decided there is not stored."""
    rows = [(1, "a ARG1 b"), (4, "a ARG1 c")]
    stray = decisions((5, "x ARG1 y"), status=REJECTED, chosen=(), complete=True)
    bare = decisions((1, "x ARG1 z"), status=REJECTED, chosen=(), complete=True)
    both = {"x": decisions(*rows, complete=True), "y": decisions(*rows, complete=True)}
    found = evaluate(study_of({"1": both, "2": {"x": stray, "y": bare}}), "y_option_kappa", resamples=0)
    assert found.details["mode"] == "neighbourhood"
    assert "stored for some sentences only; first without: '2'" in found.details["mode_reason"]
    whole = evaluate(study_of({"1": both, "2": {"x": stray, "y": stray}}), "y_option_kappa", resamples=0)
    assert (whole.details["mode"], whole.details["mode_reason"]) == (
        "exact",
        "all discriminants of sentences that both accepted are known: 1 stored",
    )
