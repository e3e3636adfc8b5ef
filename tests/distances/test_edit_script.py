"""Edit scripts: their cost is the distance, and among equals they keep the tokens together."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.distances.edit_script import edit_script
from arbitree.distances.ted import CostTable, Ted
from tests.support.build import dep, dep_trees, phrase, random_dep


def cost(script):
    return sum(count for operation, count in script.counts.items() if operation != "matched")


@given(dep_trees(), dep_trees())
@settings(max_examples=200)
def test_the_cost_of_the_script_is_the_distance(first, second):
    script = edit_script(first, second)
    assert cost(script) == script.plain == Ted()(first, second)
    assert script.diff == Ted("diff")(first, second)
    assert script.norm == Ted("norm")(first, second)


@given(st.integers(0, 2**32))
@settings(max_examples=100)
def test_every_node_is_named_once_and_order_is_kept(seed):
    rng = random.Random(seed)
    script = edit_script(random_dep(rng, rng.randint(1, 15)), random_dep(rng, rng.randint(1, 15)))
    for side, tree in (("first", script.first), ("second", script.second)):
        nodes = [getattr(step, side) for step in script.steps if getattr(step, side) >= 0]
        assert nodes == list(range(len(tree)))


def test_among_equal_scripts_tokens_are_matched_with_themselves():
    """Four leaves under one head; one of them has another label."""
    ann = dep([2, 0, 2, 2, 2], ["a", "r", "b", "c", "d"])
    bob = dep([2, 0, 2, 2, 2], ["a", "r", "x", "c", "b"])
    for step in edit_script(ann, bob).steps:
        assert step.first == step.second
    moved = dep([0, 1, 1, 1], ["r", "m", "m", "m"])
    attached = dep([0, 1, 1, 3], ["r", "m", "m", "m"])
    script = edit_script(moved, attached)
    assert script.plain == cost(script)
    kept = [step for step in script.steps if step.operation == "matched"]
    tokens = [(script.first.origins[s.first], script.second.origins[s.second]) for s in kept]
    assert all(a == b for a, b in tokens)


def test_words_are_matched_where_the_tokens_differ():
    ann = dep([0, 1, 1], ["r", "m", "m"], ["go", "not", "home"])
    bob = dep([0, 1], ["r", "m"], ["go", "home"])
    deleted = [step.first for step in edit_script(ann, bob).steps if step.operation == "deleted"]
    assert [ann.name(int(edit_script(ann, bob).first.origins[node])) for node in deleted] == ["not"]


def test_label_costs_and_unlabelled_scripts():
    first, second = phrase("(S NP VP)"), phrase("(S VP VP)")
    assert edit_script(first, second, costs=CostTable((("NP", "VP", 0.25),))).plain == 0.25
    assert edit_script(first, second, labelled=False).plain == 0


def test_large_trees_get_a_script_too():
    rng = random.Random(1)
    first, second = random_dep(rng, 1200), random_dep(rng, 1200)
    script = edit_script(first, second)
    assert cost(script) == script.plain == pytest.approx(Ted()(first, second))
