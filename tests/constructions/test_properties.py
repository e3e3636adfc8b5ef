"""Laws of the method, on random trees and on real ones."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.api.explain import find_inconsistencies
from arbitree.kinds.phrase.constructions.derivation import derive
from arbitree.kinds.phrase.constructions.head_tables import head_table
from arbitree.kinds.phrase.constructions.normalisation import Normaliser
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.assembly import read_study
from tests.support.build import study_of
from tests.support.constructions.build import (
    derivation,
    elementary_trees,
    found,
    random_trees,
    rebuild,
    reports,
    spans,
    tree,
    versions,
)

EXTERNAL = ("off", "label", "full")


def normal(value, **settings):
    return Normaliser(PhraseOptions(**settings)).normal(value)


@given(random_trees(traces=True), st.sampled_from(("english", "leftmost", "rightmost", "historical")))
def test_every_tree_is_rebuilt_from_its_derivation(text, heads):
    for empties in ("remove", "keep"):
        for unary in ("collapse", "keep"):
            value = normal(tree(text), empties=empties, unary=unary)
            assert rebuild(derive(value, head_table(heads))) == value.brackets()


@given(random_trees())
def test_one_elementary_tree_a_token_and_every_address_exists(text):
    made = derivation(text)
    assert len(made.chains) == len(tree(text).tokens) == len(elementary_trees(made))
    for governor, address in zip(made.governors, made.addresses, strict=True):
        assert (governor < 0) == (address < 0)
        assert governor < 0 or address < len(made.chains[governor].labels)
    assert made.governors.count(-1) == 1


@given(random_trees(), st.sampled_from(EXTERNAL))
def test_a_tree_is_consistent_with_itself(text, external):
    findings = found(text, text, external=external)
    assert not findings.types
    assert findings.counts["consistent"] == findings.counts["compared"] > 0


@settings(max_examples=300)
@given(versions(), st.sampled_from(EXTERNAL), st.sampled_from(("slot", "always", "never")))
def test_every_difference_is_reported_and_nothing_else(texts, external, unrooted):
    ours, theirs = (normal(tree(text)).brackets() for text in texts)
    findings = found(*texts, external=external, unrooted=unrooted)
    assert bool(findings.types) == (ours != theirs)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("(NP-SBJ (DT a) (NP-TMP (NN b)))", "(NP-SBJ-TMP (DT a) (NP-TMP (NN b)))"),
        ("(S-TMP (S-TMP (VP (VB go))) (RB now))", "(S-TMP (S (VP (VB go))) (RB now))"),
        ("(S (S-TMP (VP (VB go))) (RB now))", "(S-TMP (S (VP (VB go))) (RB now))"),
    ],
)
def test_tags_of_a_phrase_and_of_its_copy_do_not_hide_each_other(ours, theirs):
    """All copies together have the same tags in both trees."""
    for external in ("off", "label"):
        assert {each.class_ for each in found(ours, theirs, external=external).types} == {"function"}


@given(versions(traces=True), st.sampled_from(EXTERNAL))
def test_differences_of_traces_are_reported_when_traces_are_kept(texts, external):
    ours, theirs = (normal(tree(text), empties="keep").brackets() for text in texts)
    assert bool(found(*texts, external=external, empties="keep").types) == (ours != theirs)
    assert not found(texts[0], texts[0], external=external, empties="keep").types


@given(random_trees(traces=True))
def test_a_trace_that_moves_is_found(text):
    """The first trace, alone or in its phrase, goes to the other side of the word next to it."""
    import re

    moved = re.sub(r"(\(NP-SBJ \(-NONE- \*\)\)|\(-NONE- \*T\*-1\)) (\(\S+ w\d+\))", r"\2 \1", text, count=1)
    ours, theirs = (normal(tree(each), empties="keep").brackets() for each in (text, moved))
    assert bool(found(text, moved, empties="keep").types) == (ours != theirs)
    assert not found(text, moved).types


@given(versions(), st.sampled_from(EXTERNAL))
def test_the_order_of_the_coders_changes_nothing(texts, external):
    forwards, backwards = found(*texts, external=external), found(*reversed(texts), external=external)
    assert reports(forwards) == reports(backwards)
    assert {each.code for each in forwards.types} == {each.code for each in backwards.types}
    assert forwards.counts == backwards.counts


@given(versions(count=3))
def test_the_minority_of_three_coders_does_not_depend_on_their_order(texts):
    a, b, c = texts
    one = found(a, b, c).tables["pairs"].records()
    two = found(c, a, b, coders="cab").tables["pairs"].records()
    assert {frozenset((row["first"], row["second"])): row["nuclei"] for row in one} == {
        frozenset((row["first"], row["second"])): row["nuclei"] for row in two
    }


@given(versions())
def test_all_reports_are_the_minimal_ones_and_those_that_they_explain(texts):
    minimal, everything = (found(*texts, report=report) for report in ("minimal", "all"))
    assert set(spans(minimal)) <= set(spans(everything))
    residual = [nucleus.span for each in everything.types for nucleus in each.nuclei if nucleus.residual]
    assert sorted(residual) == spans(minimal)


@given(versions())
def test_an_adjunct_at_the_edge_of_both_trees_leaves_inner_reports_as_they_are(texts):
    wrapped = [f"(NP {text} (PP (IN near) (NP (NN home))))" for text in texts]
    bare = [f"(NP {text} (NN end))" for text in texts]
    size = len(tree(texts[0]).tokens)
    inner = [{row for row in reports(found(*pair)) if row[0][1] <= size} for pair in (wrapped, bare)]
    assert inner[0] == inner[1]


def test_the_larger_subject_of_the_specification_is_consistent_inside():
    """Worked by hand: the tags of a larger phrase say nothing of the words inside it."""
    findings = found(
        "(S (NP-SBJ (DT a) (NN b)) (VP (VBD c)))", "(S (NP-TMP (DT a) (NN b) (PP (IN c))))", external="off"
    )
    assert reports(findings) == [((0, 3), "structural", "internal", (1, 2), (1, 2))]
    assert findings.counts["exempt"] == 1


def edited(rng, value):
    """Return *value* with one change: a label, a node more or less, a part of speech."""
    words, labels, parents = value.words, list(value.labels), list(value.parents)
    size = len(words)
    kind = rng.choice(("relabel", "insert", "pos", "unary", "delete"))
    phrases = range(size, len(labels))
    node = rng.choice(phrases)
    if kind == "relabel":
        labels[node] = "QQ"
    elif kind == "pos":
        labels[rng.randrange(size)] = "QQ"
    elif kind == "delete":
        inner = [each for each in phrases if parents[each] >= 0]
        if not inner:
            return value
        gone = rng.choice(inner)
        parents = [parents[gone] if each == gone else each for each in parents]
        parents = [each - (each > gone) for place, each in enumerate(parents) if place != gone]
        del labels[gone]
    else:
        below = value.children()[node]
        start = rng.randrange(len(below))
        chosen = below[start : start + (1 if kind == "unary" else 2)]
        # Parents come before their children: the new phrase takes the place after its parent.
        new = node + 1
        moved = [each + (each >= new) for each in parents]
        for child in chosen:
            moved[child] = new
        moved.insert(new, node)
        labels.insert(new, "QQ")
        parents = moved
    return PhraseTree(words, tuple(labels), tuple(parents))


@pytest.fixture(scope="module")
def gum(data):
    study = read_study([str(data / "gum-two-versions" / "late")], dirs=True)
    return [cell.value for cell in study.cells.values()]


def test_real_trees_are_rebuilt(gum):
    normaliser, table = Normaliser(PhraseOptions()), head_table("english")
    wrong = 0
    for value in gum[:2600]:
        made = normaliser.normal(value)
        wrong += rebuild(derive(made, table)) != made.brackets()
    assert wrong == 0


def test_one_edit_of_a_real_tree_is_always_found(gum):
    rng = random.Random(6)
    rows = {str(n): {"a": value, "b": edited(rng, value)} for n, value in enumerate(gum[:900])}
    expected = {
        name for name, row in rows.items() if normal(row["a"]).brackets() != normal(row["b"]).brackets()
    }
    for external in ("off", "label"):
        findings = find_inconsistencies(study_of(rows), external=external)
        assert {nucleus.item for each in findings.types for nucleus in each.nuclei} == expected
    assert len(expected) > 800
