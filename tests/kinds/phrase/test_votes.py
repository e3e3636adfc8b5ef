"""Consensus of phrase trees."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import plugins
from arbitree.annotator_models.model import Choice
from arbitree.api.coders import find_coders
from arbitree.errors import Source
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.phrase.votes import brackets_of, majority_brackets
from arbitree.measures.computing import Computing
from arbitree.reading.content import Content, Entry
from tests.support.build import study_of

FORMAT = plugins.get("formats", "brackets")


def tree(text):
    return next(iter(FORMAT.read(Content("test", text.encode())))).value


def written(value):
    return "".join(FORMAT.write([Entry(value, Source("test"))])).strip()


def consensus(*texts):
    trees = {f"c{number}": tree(text) for number, text in enumerate(texts)}
    return written(find_coders(study_of({"s": trees}), computing=Computing(resamples=0)).items[0].consensus)


def test_brackets_of_more_than_half_are_kept():
    first = "(S (NP (D a) (N b)) (VP (V c) (N d)))"
    second = "(S (NP (D a) (N b)) (V c) (N d))"
    third = "(S (D a) (N b) (VP (V c) (N d)))"
    assert consensus(first, second, third) == first


def test_half_is_no_majority():
    texts = ["(S (NP (D a) (N b)) (V c))", "(S (D a) (NP (N b) (V c)))"]
    assert consensus(*texts, *texts) == "(S (D a) (N b) (V c))"


def test_a_span_without_a_majority_label_takes_the_most_frequent_one():
    """Five coders, all with a phrase over a b: two QP, two NP, one XP. NP comes first."""
    spans = ["QP", "NP", "QP", "NP", "XP"]
    assert consensus(*(f"(S ({label} (D a) (N b)) (V c))" for label in spans)) == "(S (NP (D a) (N b)) (V c))"


def test_roots_of_all_labels_leave_the_first_label():
    texts = ["(S (N a) (V b))", "(FRAG (N a) (V b))", "(X (N a) (V b))"]
    assert consensus(*texts) == consensus(*texts[::-1]) == "(FRAG (N a) (V b))"


def test_trees_that_tie_are_listed():
    texts = ["(S (N a) (V b))", "(FRAG (N a) (V b))", "(X (N a) (V b))"]
    study = study_of({"s": {f"c{number}": tree(text) for number, text in enumerate(texts)}})
    found = find_coders(study, computing=Computing(resamples=0)).items[0]
    assert [written(each) for each in found.ties] == [texts[1], texts[0], texts[2]]


def test_two_trees_that_differ_have_no_consensus():
    trees = {"ann": tree("(S (N a) (V b))"), "bob": tree("(FRAG (N a) (V b))")}
    assert find_coders(study_of({"s": trees}), computing=Computing(resamples=0)).items[0].consensus is None


def test_tags_go_by_majority_and_ties_to_the_first_tag():
    texts = ["(S (C a) (X b))", "(S (B a) (Y b))", "(S (A a) (Y b))"]
    assert consensus(*texts) == "(S (A a) (Y b))"


def test_a_unary_chain_keeps_the_order_of_those_who_have_both():
    """S over VP in one of the two trees that have both, VP over S in none."""
    trees = ("(R (S (VP (V a))))", "(R (VP (V a)))", "(R (S (V a)))")
    assert consensus(*trees) == "(R (S (VP (V a))))"
    trees = ("(R (S (VP (V a))))", "(R (VP (S (V a))))", "(R (VP (S (V a))))")
    assert consensus(*trees) == "(R (VP (S (V a))))"


def test_a_repeated_label_counts_as_often_as_it_stands():
    assert consensus("(S (NP (NP (N a))))", "(S (NP (NP (N a))))", "(S (NP (N a)))") == "(S (NP (NP (N a))))"
    assert consensus("(S (NP (NP (N a))))", "(S (NP (N a)))", "(S (NP (N a)))") == "(S (NP (N a)))"


def test_traces_are_left_out_and_said():
    study = study_of({"s": {c: tree("(S (NP (-NONE- *)) (VP (V a)))") for c in ("ann", "bob")}})
    found = find_coders(study, computing=Computing(resamples=0))
    assert written(found.items[0].consensus) == "(S (VP (V a)))"
    assert any("traces" in note for note in found.results[0].notes)


def test_discontinuous_phrases_make_a_tree():
    parted = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    whole = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 4, 3, -1, 3))
    study = study_of({"s": {"ann": parted, "bob": whole, "cho": parted}})
    assert find_coders(study, computing=Computing(resamples=0)).items[0].consensus == parted


def test_columns_of_a_node_are_those_of_coders_who_have_it():
    def edge(name):
        return PhraseTree(("a", "b"), ("X", "Y", "S"), (2, 2, -1), {"edge": (name, "HD", "--")})

    study = study_of({"s": {"ann": edge("OA"), "bob": edge("SB"), "cho": edge("SB")}})
    assert find_coders(study, computing=Computing(resamples=0)).items[0].consensus.columns == {
        "edge": ("SB", "HD", "--")
    }


def test_scores_by_hand():
    """Consensus S, NP, VP. The second lacks VP: 2 * 2 / (2 + 3); the third has VP for NP: 2 * 2 / (3 + 3)."""
    texts = {
        "ann": "(S (NP (D a) (N b)) (VP (V c) (N d)))",
        "bob": "(S (NP (D a) (N b)) (V c) (N d))",
        "cho": "(S (XP (D a) (N b)) (VP (V c) (N d)))",
    }
    study = study_of({"s": {coder: tree(text) for coder, text in texts.items()}})
    found = find_coders(study, computing=Computing(resamples=0))
    assert [each.competence for each in found.coders] == pytest.approx([1, 4 / 5, 4 / 6])
    assert [each.agreement for each in found.coders] == pytest.approx([1, 1, 2 / 3])
    confused = {(row.coder, row.truth, row.answer) for row in found.confusion if row.truth != row.answer}
    assert confused == {("bob", "VP", None), ("cho", "NP", "XP")}


@st.composite
def bracketings(draw, words, labels="AB"):
    """A random tree over so many words, with unary chains."""

    def grow(first, last, depth):
        label = draw(st.sampled_from(labels))
        if last - first == 1 and (depth > 4 or draw(st.booleans())):
            return f"({label} (T w{first}))"
        cuts = (
            draw(st.lists(st.integers(first + 1, last - 1), unique=True, max_size=3))
            if last - first > 1
            else []
        )
        if depth > 4:
            cuts = list(range(first + 1, last))
        ends = [first, *sorted(cuts), last]
        inner = [
            f"(T w{start})" if end - start == 1 and draw(st.booleans()) else grow(start, end, depth + 1)
            for start, end in itertools.pairwise(ends)
        ]
        return f"({label} {' '.join(inner)})"

    return grow(0, words, 0)


@settings(max_examples=80)
@given(data=st.data(), words=st.integers(1, 5), coders=st.integers(3, 5))
def test_the_consensus_is_well_formed_and_has_all_majority_brackets(data, words, coders):
    trees = [tree(data.draw(bracketings(words))) for _ in range(coders)]
    study = study_of({"s": {f"c{number}": each for number, each in enumerate(trees)}})
    found = find_coders(study, computing=Computing(resamples=0)).items[0].consensus
    assert tree(written(found)) == found
    assert found.tokens == trees[0].tokens
    wanted = majority_brackets([brackets_of(each) for each in trees], Choice())
    assert set(brackets_of(found)) == set(wanted)


@given(text=bracketings(4))
def test_identical_coders_agree_with_their_consensus(text):
    study = study_of({"s": {coder: tree(text) for coder in ("ann", "bob", "cho")}})
    found = find_coders(study, computing=Computing(resamples=0))
    assert written(found.items[0].consensus) == written(tree(text))
    assert [each.competence for each in found.coders] == [1, 1, 1]
    assert found.items[0].entropy == 0


def test_trees_without_a_phrase_have_no_scores():
    noun, verb = PhraseTree(("w",), ("N",), (-1,)), PhraseTree(("w",), ("V",), (-1,))
    trees = {"ann": verb, "bob": noun, "cho": noun}
    found = find_coders(study_of({"s": trees}), computing=Computing(resamples=10))
    assert [(each.competence, each.status) for each in found.coders] == [(None, "no_variation")] * 3
    assert found.items[0].consensus == noun
