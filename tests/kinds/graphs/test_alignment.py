"""The best alignment of graphs: compared with all alignments of small graphs, and its laws."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.kinds.graphs import alignment
from arbitree.kinds.graphs.alignment import Alignment, Problem, best_alignment, problem_of, solve
from arbitree.kinds.graphs.program import programmed
from arbitree.kinds.graphs.value import Triples


@st.composite
def graphs(draw, most=7):
    count = draw(st.integers(1, most))
    node = st.integers(0, count - 1)
    labels = draw(st.sampled_from([("a",), ("a", "b"), ("a", "b", "c", "d"), ("",)]))
    roles = draw(st.sampled_from(["r", "rs", "rst"]))
    relations = draw(st.sets(st.tuples(node, st.sampled_from(roles), node), max_size=10))
    attributes = draw(st.sets(st.tuples(node, st.just("q"), st.sampled_from("12")), max_size=3))
    return Triples(
        tuple(draw(st.sampled_from(labels)) for _ in range(count)),
        tuple(sorted(attributes | {(draw(node), "top", "top")})),
        tuple(sorted(relations)),
    )


def equal_triples(first, second, partner):
    """How many triples are equal under an alignment, from the definition."""
    labels = sum(bool(label) and label == second.labels[partner[i]] for i, label in enumerate(first.labels))
    own = sum((partner[i], role, value) in second.attributes for i, role, value in first.attributes)
    return (
        labels
        + own
        + sum((partner[i], role, partner[k]) in second.relations for i, role, k in first.relations)
    )


def best_of_all(first, second):
    if len(first.labels) > len(second.labels):
        first, second = second, first
    return max(
        equal_triples(first, second, partner)
        for partner in permutations(range(len(second.labels)), len(first.labels))
    )


@settings(max_examples=60, deadline=None)
@given(graphs(), graphs())
def test_no_alignment_of_small_graphs_is_better(first, second):
    found = best_alignment(first, second)
    assert found.exact
    assert found.gain == best_of_all(first, second)
    assert len(set(found.pairs.values())) == len(found.pairs)


@settings(max_examples=25, deadline=None)
@given(graphs(5), graphs(5))
def test_the_integer_program_alone_finds_the_same(first, second):
    found = programmed(problem_of(first, second), Alignment({}, 0, 0), first.size, 10)
    assert found.exact
    assert found.gain == best_of_all(first, second)


@settings(max_examples=25, deadline=None)
@given(graphs(5), graphs(5))
def test_branch_and_bound_without_steps_leaves_it_to_the_program(first, second):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "STEPS", 0)
        assert best_alignment(first, second).gain == best_of_all(first, second)


@settings(max_examples=40, deadline=None)
@given(graphs(12), graphs(12))
def test_the_order_of_two_graphs_does_not_matter(first, second):
    assert best_alignment(first, second).gain == best_alignment(second, first).gain


@settings(max_examples=40, deadline=None)
@given(graphs(12), st.randoms(use_true_random=False))
def test_a_graph_with_other_names_and_another_order_matches_in_full(first, random):
    order = list(range(len(first.labels)))
    random.shuffle(order)
    labels = [first.labels[order.index(place)] for place in range(len(order))]
    second = Triples(
        tuple(labels),
        tuple((order[i], role, value) for i, role, value in first.attributes),
        tuple((order[i], role, order[k]) for i, role, k in first.relations),
    )
    assert best_alignment(first, second).gain == first.size == second.size


def test_a_time_limit_leaves_a_start_value_and_a_bound():
    """One label and two roles: nothing but the structure tells the nodes apart."""
    rows = [(a, "rs"[(a * b) % 2], (a * 7 + b * 5 + 3) % 30) for a in range(30) for b in range(3)]
    other = [(a, "rs"[(a + b) % 2], (a * 11 + b * 3 + 1) % 30) for a in range(30) for b in range(3)]
    first, second = (Triples(("x",) * 30, (), tuple(sorted(set(each)))) for each in (rows, other))
    found = best_alignment(first, second, seconds=0.01)
    assert not found.exact
    assert 30 < found.gain < found.bound <= min(first.size, second.size)
    assert equal_triples(first, second, found.pairs) == found.gain
    assert best_alignment(first, second, seconds=0.01).gain == found.gain


def test_pairs_may_cost_something():
    """Negative gains of their own: for weights that prefer alignments with few pairs."""
    problem = Problem({(0, 0): -1, (1, 1): -1, (2, 2): -2}, {(0, 0): {(1, 1): 3}, (1, 1): {(0, 0): 3}})
    assert solve(problem) == Alignment({0: 0, 1: 1}, 1, 1)
    assert replace(solve(Problem({(0, 0): -1})), pairs={}) == Alignment({}, 0, 0)
