"""Models of heads and edges, and the consensus tree."""

import random

import numpy as np
import pytest
from hypothesis import given, settings

from arbitree.annotator_models.fitting import climb
from arbitree.annotator_models.know_or_guess import KnowOrGuess
from arbitree.annotator_models.votes import Sample
from arbitree.api.coders import find_coders
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.dependency.votes import token_votes
from arbitree.measures.computing import Computing
from tests.support.build import LABELS, dep, dep_studies, random_dep, study_of


def consensus(study, model="edges"):
    found = find_coders(study, model, computing=Computing(resamples=0))
    return {item.item: item.consensus for item in found.items}


def perturbed(tree, rate, rng):
    """The tree with some tokens moved or renamed; what would be a cycle stays as it was."""
    heads, relations = list(tree.heads), list(tree.relations)
    for token in range(len(heads)):
        if rng.random() < rate:
            before, heads[token] = (
                heads[token],
                rng.choice([h for h in range(len(heads) + 1) if h != token + 1]),
            )
            if dep(heads).unreached():
                heads[token] = before
        if rng.random() < rate:
            relations[token] = rng.choice(LABELS)
    return dep(heads, relations)


def test_three_coders_by_majority():
    gold, other = dep((2, 0, 2), "abc"), dep((2, 0, 1), "abd")
    assert consensus(study_of({"s": {"ann": gold, "bob": other, "cho": gold}}))["s"] == gold


@pytest.mark.parametrize("model", ["edges", "heads"])
def test_two_coders_who_differ_have_no_consensus(model):
    first, second = dep((3, 3, 0), "abr"), dep((0, 1, 1), "rab")
    found = consensus(
        study_of({"s": {"ann": first, "bob": second}, "t": {"ann": first, "bob": first}}), model
    )
    assert found == {"s": None, "t": first}


@pytest.mark.parametrize("model", ["edges", "heads"])
def test_trees_that_tie_are_listed_in_an_order_of_their_own(model):
    """Ann and bob are equally good on the other sentences, so nothing tells which head is right."""
    first, second = dep((2, 0, 2)), dep((2, 0, 1))
    rows = {f"s{k}": dict.fromkeys(("ann", "bob", "cho"), first) for k in range(4)}
    for one, two in ((first, second), (second, first)):
        study = study_of(rows | {"t": {"ann": one, "bob": two}})
        last = find_coders(study, model, computing=Computing(resamples=0)).items[-1]
        assert last.consensus == second
        assert last.ties == (second, first)


def test_comments_and_words_do_not_depend_on_who_comes_first():
    def tree(word, comment):
        return DepTree((word,), (0,), ("r",), comments=("# sent_id = s", comment))

    trees = {"ann": tree("Colour", "# by ann"), "bob": tree("color", "# by bob"), "cho": tree("color", "# x")}
    for coders in (("ann", "bob", "cho"), ("cho", "bob", "ann")):
        found = consensus(study_of({"s": {coder: trees[coder] for coder in coders}}))["s"]
        assert found == DepTree(("color",), (0,), ("r",), comments=("# sent_id = s",))


def test_heads_that_make_a_cycle_are_decoded_to_a_tree():
    """Token 1 has head 2 by majority and token 2 head 1: one of them must give way."""
    trees = {"ann": dep((2, 0, 1)), "bob": dep((0, 1, 1)), "cho": dep((2, 3, 0)), "dan": dep((3, 1, 0))}
    found = consensus(study_of({"s": trees}))["s"]
    assert not found.unreached()
    assert found.heads.count(0) == 1


def test_trees_that_are_all_cycles_still_give_a_tree():
    found = consensus(study_of({"s": {"ann": dep((2, 1)), "bob": dep((2, 1))}}))["s"]
    assert not found.unreached()


def test_several_roots_are_kept_where_coders_have_them():
    tree = dep((0, 0, 2))
    assert consensus(study_of({"s": {"ann": tree, "bob": tree}}))["s"].heads == (0, 0, 2)


def test_relations_of_the_head_model_are_those_of_trusted_coders():
    same = {coder: dep((2, 0), "ab") for coder in ("ann", "bob", "cho")}
    rows = {f"s{k}": dict(same) for k in range(5)}
    rows["last"] = {"ann": dep((2, 0), "xb"), "bob": dep((2, 0), "xb"), "cho": dep((2, 0), "yb")}
    assert consensus(study_of(rows), "heads")["last"].relations == ("x", "b")


def test_what_is_not_modelled_goes_by_majority_and_enhanced_edges_go():
    def tree(tag):
        return DepTree(("a",), (0,), ("r",), {"upos": (tag,), "deps": ("0:r",)}, ("# sent_id = s",))

    found = find_coders(
        study_of({"s": {"ann": tree("X"), "bob": tree("N"), "cho": tree("N")}}),
        computing=Computing(resamples=0),
    )
    best = found.items[0].consensus
    assert best.columns == {"upos": ("N",), "deps": ("_",)}
    assert best.comments == ("# sent_id = s",)
    assert any("enhanced" in note for note in found.results[0].notes)


@settings(max_examples=40)
@given(study=dep_studies())
def test_the_consensus_is_a_tree_over_the_tokens_and_intervals_hold_the_value(study):
    found = find_coders(study, computing=Computing(resamples=20))
    for item in found.items:
        if item.consensus is not None:
            assert not item.consensus.unreached()
            assert item.entropy >= 0
    for each in found.coders:
        if each.competence is not None:
            assert 0 <= each.competence <= 1


@settings(max_examples=25)
@given(study=dep_studies())
def test_likelihood_is_its_formula(study):
    """P(h | T) = c [h = T] + (1 - c) / n, T uniform over the heads that were given."""
    numbers = {coder: number for number, coder in enumerate(study.coders)}
    sentences = [[(numbers[cell.coder], cell.value) for cell in cells] for _, cells in study if cells]
    found = token_votes(sentences, len(study.coders), labelled=False)
    weights = np.bincount(found.pattern, minlength=found.votes.patterns)[:, None].astype(float)
    best = climb(KnowOrGuess(found.guess), Sample(found.votes, weights), iterations=5, restarts=1, seed=0)
    assert np.all(np.diff(best.history) >= -1e-8)
    know = best.parameters.know[:, 0]
    expected = 0.0
    for trees in sentences:
        size = len(trees[0][1])
        for token in range(size):
            votes = [(know[coder], tree.heads[token]) for coder, tree in trees]
            truths = {head for _, head in votes}
            chances = [np.prod([c * (h == t) + (1 - c) / size for c, h in votes]) for t in truths]
            expected += np.log(np.mean(chances))
    assert best.log_likelihood == pytest.approx(expected, abs=1e-8)


def test_careful_coders_are_told_from_careless_ones():
    rng = random.Random(4)
    rates = {"ann": 0.02, "bob": 0.1, "cho": 0.3}
    rows, gold = {}, {}
    for number in range(60):
        tree = random_dep(rng, rng.randint(4, 9))
        gold[f"s{number}"] = tree
        rows[f"s{number}"] = {coder: perturbed(tree, rate, rng) for coder, rate in rates.items()}
    for model in ("edges", "heads"):
        found = find_coders(study_of(rows), model, computing=Computing(resamples=100))
        first, second, third = (each.competence for each in found.coders)
        assert first > second > third
        assert all(each.interval.low <= each.competence <= each.interval.high for each in found.coders)
        right = sum(
            head == other
            for item in found.items
            for head, other in zip(gold[item.item].heads, item.consensus.heads, strict=True)
        )
        assert right / sum(map(len, gold.values())) > found.coders[1].agreement - 0.05


def test_sentences_with_other_numbers_of_tokens_are_left_out_and_said():
    rows = {"s": {"ann": dep((0,)), "bob": dep((0, 1))}, "t": {"ann": dep((0,)), "bob": dep((0,))}}
    found = find_coders(study_of(rows), computing=Computing(resamples=0))
    assert [each.reason for each in found.results[0].ignored] == ["token_mismatch"]
    assert [item.consensus is None for item in found.items] == [True, False]
    assert [item.id for item in found.consensus.items] == ["t"]


def test_a_sentence_that_one_coder_has_does_not_make_the_coder_better():
    rows = {"s": {"ann": dep((2, 0)), "bob": dep((0, 1))}}
    more = {f"t{k}": {"ann": dep((0, 1, 2, 3))} for k in range(5)}
    for model in ("edges", "heads"):
        few, many = (
            find_coders(study_of(each), model, computing=Computing(resamples=0))
            for each in (rows, rows | more)
        )
        assert [each.competence for each in many.coders] == [each.competence for each in few.coders]
        assert many.items[3].consensus == dep((0, 1, 2, 3))


@pytest.mark.parametrize("model", ["edges", "heads"])
def test_a_study_without_usable_sentences_has_words_for_it(model):
    mismatch = study_of({"s": {"ann": dep((0,)), "bob": dep((0, 1))}})
    empty = study_of({"s": {"ann": dep(()), "bob": dep(())}})
    for study in (mismatch, empty):
        found = find_coders(study, model, computing=Computing(resamples=10))
        assert {each.status for each in found.coders} == {"no_annotations"}
        assert found.results[0].value is None
        assert len(found.results[0].ignored) == 1


def test_sentences_of_one_token_leave_no_choice_of_heads():
    study = study_of({"s": {"ann": dep((0,)), "bob": dep((0,))}})
    assert {each.status for each in find_coders(study, "heads", computing=Computing(resamples=0)).coders} == {
        "no_variation"
    }
