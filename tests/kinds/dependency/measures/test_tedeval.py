"""TedEval's closed form beside an edit distance that inserts and deletes nodes, and across schemes."""

import math
import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.kinds.dependency.kind import KIND
from arbitree.measures.options import measure_named
from tests.support.build import dep, dep_trees, random_dep, study_of
from tests.support.perturbed import below, write


def against_gold(gold, system):
    return replace(study_of({"a": {"gold": gold, "system": system}}), reference="gold")


def function_tree(tree, token, labelled):
    """Label and children of a token's node; terminals are numbers."""
    own = (token,)
    under = [k for k, head in enumerate(tree.heads, start=1) if head == token]
    name = tree.relations[token - 1] if labelled else ""
    if not under:
        return (name, own)
    parts = {k: function_tree(tree, k, labelled) for k in under}
    parts[token] = ("hd" if labelled else "", own)
    return (name, tuple(parts[k] for k in sorted(parts)))


def rooted(tree, labelled):
    return tuple(function_tree(tree, k, labelled) for k, head in enumerate(tree.heads, start=1) if head == 0)


def projective(tree):
    spans = [below(list(tree.heads), k) for k in range(1, len(tree) + 1)]
    return all(max(span) - min(span) + 1 == len(span) for span in spans)


@cache
def edits(first, second):
    """The least number of nodes inserted and deleted between two ordered forests; words stay."""
    if not first and not second:
        return 0
    found = math.inf
    if first and not isinstance(first[-1], int):
        found = min(found, 1 + edits(first[:-1] + first[-1][1], second))
    if second and not isinstance(second[-1], int):
        found = min(found, 1 + edits(first, second[:-1] + second[-1][1]))
    if first and second:
        a, b = first[-1], second[-1]
        if isinstance(a, int) and a == b:
            found = min(found, edits(first[:-1], second[:-1]))
        if not isinstance(a, int) and not isinstance(b, int) and a[0] == b[0]:
            found = min(found, edits(a[1], b[1]) + edits(first[:-1], second[:-1]))
    return found


def size(forest):
    return sum(1 + size(each[1]) for each in forest if not isinstance(each, int))


@pytest.mark.parametrize("labelled", [True, False])
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_closed_form_is_the_edit_distance(labelled, seed, length):
    rng = random.Random(seed)
    gold, system = (random_dep(rng, length, ("a", "b")) for _ in range(2))
    assume(projective(gold) and projective(system))
    ours, theirs = rooted(gold, labelled), rooted(system, labelled)
    nodes = size(ours) + size(theirs)
    result = evaluate(
        against_gold(gold, system), f"ted:unlabelled={'no' if labelled else 'yes'}", resamples=0
    )
    assert result.value == pytest.approx(1 - edits(ours, theirs) / nodes)


def test_skipped_punctuation_has_no_node_and_is_in_no_yield():
    """By hand: the words depend on each other alike, through the comma in one tree.

    All tokens: nodes {1} {2} {3} {1,2,3} and {1} {2} {1,2} {3} {1,2,3}, of which {1}, {3} and the whole are
    shared; {2} is punct here and hd there. Without the comma both trees have {1} {3} {1,3}. LAS keeps heads
    as they are, so the head of the first word is wrong.
    """
    words = ("birds", ",", "sing")
    gold = dep([3, 3, 0], ("nsubj", "punct", "root"), words)
    system = dep([2, 3, 0], ("nsubj", "punct", "root"), words)

    def value(name):
        return evaluate(against_gold(gold, system), name, resamples=0).value

    assert value("ted") == pytest.approx(6 / 9)
    assert value("ted:punctuation=skip-form") == 1
    assert value("las:punctuation=skip-form") == 1 / 2
    assert value("edit_distance:punctuation=skip-form") == 0
    assert value("edit_distance") == 2


@pytest.mark.parametrize("name", ["ted", "edit_distance"])
@given(st.integers(0, 2**32), st.integers(1, 8))
def test_metrics_over_nodes_skip_punctuation_by_removing_it(name, seed, length):
    rng = random.Random(seed)
    words = [rng.choice(("yes", "no", ",", "?!")) for _ in range(length)]
    trees = (random_dep(rng, length, ("a", "b")) for _ in range(2))
    study = against_gold(*(replace(tree, tokens=tuple(words)) for tree in trees))
    skipped, removed = (
        evaluate(study, f"{name}:punctuation={policy}", resamples=0).value
        for policy in ("skip-form", "remove-node,marks=form")
    )
    assert skipped == removed


@given(st.integers(0, 2**32))
def test_global_and_mean(seed):
    rng = random.Random(seed)
    pairs = [[random_dep(rng, rng.randint(1, 5), ("a", "b"))] * 2 for _ in range(3)]
    pairs[0] = [random_dep(rng, 4, ("a", "b")) for _ in range(2)]
    study = replace(
        study_of({str(k): {"gold": g, "system": s} for k, (g, s) in enumerate(pairs)}), reference="gold"
    )
    whole = evaluate(study, "ted", resamples=0)
    mean = evaluate(study, "ted:average=mean", resamples=0)
    values = [row[3] for row in whole.per_item.rows]
    assert mean.value == pytest.approx(sum(values) / 3)
    assert [row[1:] for row in mean.per_item.rows] == [
        (pytest.approx(v), 1, pytest.approx(v)) for v in values
    ]


@given(dep_trees(max_size=6), st.integers(0, 2**32))
def test_one_scheme_twice_is_no_other(tree, seed):
    """The generalisation of a gold tree with itself is the tree, so that nothing changes."""
    system = random_dep(random.Random(seed), len(tree))
    _, measure = measure_named("ted", KIND)
    from arbitree.kinds.dependency.measures.tedeval import Schemes

    same = replace(measure, schemes=Schemes(("again",), ({"a": tree},)))
    study = against_gold(tree, system)
    from arbitree.api.evaluate import evaluate_all

    plain, general = evaluate_all(study, [("ted", measure), ("ted", same)], resamples=0)
    assert general.value == pytest.approx(plain.value)


def test_what_schemes_do_not_share_costs_nothing(tmp_path):
    """By hand. Gold: 2 heads 1 and 3. Other scheme: 3 heads all. They share the leaf 1 and the whole.

    The two gold trees have the nodes {1} {2} {3} {1,2,3}; {2} is hd here and a leaf there, {3} the other way
    round, so that either label is accepted. A system as the other scheme has, scored against the first gold,
    makes no error then.
    """
    gold = dep([2, 0, 2], ("s", "root", "o"))
    other = dep([3, 3, 0], ("s", "v", "root"))
    path = write(tmp_path / "other.conllu", [other])
    study = against_gold(gold, other)
    assert evaluate(study, "ted", resamples=0).value < 1
    assert evaluate(study, f"ted:schemes={path}", resamples=0).value == 1


def test_schemes_need_gold_and_all_sentences(tmp_path):
    tree = dep([0])
    path = write(tmp_path / "other.conllu", [tree])
    with pytest.raises(UnsupportedStudy, match="gold standard"):
        evaluate(study_of({"a": {"x": tree, "y": tree}}), f"ted:schemes={path}", resamples=0)
    study = replace(study_of({k: {"gold": tree, "system": tree} for k in "ab"}), reference="gold")
    with pytest.raises(StudyError, match="no sentence for item 'b'"):
        evaluate(study, f"ted:schemes={path}", resamples=0)
