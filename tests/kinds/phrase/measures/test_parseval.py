"""Brackets beside slow counts, PYEVALB and worked examples."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.errors import FormatError, UnknownName
from arbitree.kinds.phrase.measures.evalb_parameters import DEFAULT, read_parameters
from arbitree.kinds.phrase.value import PhraseTree
from tests.support.bracket_pairs import GOLD, TEST, against_gold, pair, trees
from tests.support.build import phrase, study_of

nltk = pytest.importorskip("nltk")

EXAMPLES = Path(__file__).parents[4] / "examples/phrase"


def slow_brackets(tree, deleted, equal):
    """Labels and spans of an nltk tree as evalb has them, worked out from the leaves."""
    kept = [p for p in tree.treepositions("leaves") if tree[p[:-1]].label() not in deleted]
    found = Counter()
    for position in tree.treepositions():
        node = tree[position]
        if not isinstance(node, nltk.Tree) or not isinstance(node[0], nltk.Tree):
            continue
        label = node.label()
        if not label.startswith("-"):
            label = label.split("-")[0].split("=")[0]
        label = equal.get(label, label)
        inside = [k for k, leaf in enumerate(kept) if leaf[: len(position)] == position]
        if inside and label not in deleted:
            found[label, inside[0], inside[-1] + 1] += 1
    return found


def slow_f1(golds, tests, deleted=DEFAULT.deleted, equal={"PRT": "ADVP"}):  # noqa: B006  never changed
    shared = total = 0
    for gold, test in zip(golds, tests, strict=True):
        ours, theirs = (slow_brackets(nltk.Tree.fromstring(t), deleted, equal) for t in (gold, test))
        shared += 2 * (ours & theirs).total()
        total += ours.total() + theirs.total()
    return shared / total


@pytest.mark.parametrize(
    ("options", "expected"),
    [("", 6 / 8), (":preterminals=yes", 15 / 17)],
)
def test_worked_example(options, expected):
    """Printed: with preterminals 15/17, without 6/8; the full stop is no punctuation of evalb here."""
    assert evaluate(pair(), f"parseval{options}", resamples=0).value == pytest.approx(expected)


def test_topmost_node_is_deleted_unless_kept():
    study = pair(f"(TOP {GOLD})", f"(TOP {TEST})")
    assert evaluate(study, "parseval", resamples=0).value == pytest.approx(6 / 8)
    assert evaluate(study, "brants", resamples=0).value == pytest.approx(7 / 9)


def test_repeated_brackets_count_twice():
    study = pair("(NP (NP (N rain)))", "(NP (N rain))")
    result = evaluate(study, "parseval", resamples=0)
    assert (result.value, result.details["precision"], result.details["recall"]) == (2 / 3, 1, 1 / 2)
    assert evaluate(study, "jaccard", resamples=0).value == 1


def test_functions_equivalents_traces_and_punctuation():
    gold = "(TOP (S (NP-SBJ-1 (N She)) (VP (V gave) (PRT (R up)) (NP (-NONE- *))) (, ,) (. .)))"
    test = "(TOP (S (NP (N She)) (, ,) (VP (V gave) (ADVP (R up)))) (. .))"
    assert evaluate(pair(gold, test), "parseval", resamples=0).value == pytest.approx(1)
    assert evaluate(pair(gold, test), "exact", resamples=0).value == 0


def noisy(tree, rng):
    """An nltk tree with relabelled, dropped and doubled phrases."""
    children = []
    for child in tree:
        if not isinstance(child, nltk.Tree):
            children.append(child)
            continue
        changed = noisy(child, rng)
        if isinstance(child[0], nltk.Tree) and rng.random() < 0.2:
            children.extend(changed)
        else:
            children.append(changed)
    label = tree.label()
    if isinstance(tree[0], nltk.Tree):
        if rng.random() < 0.15:
            label = rng.choice(["NP", "VP", "PRT", "ADVP", "S-X"])
        if rng.random() < 0.1:
            return nltk.Tree(label, [nltk.Tree(rng.choice(["NP", label]), children)])
    return nltk.Tree(label, children)


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_perturbed_examples_have_the_slow_f1(seed):
    rng = random.Random(seed)
    lines = (EXAMPLES / "ann.mrg").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    golds = [" ".join(str(t).split()) for t in nltk.Tree.fromstring(f"(ALL {text})")]
    tests = [" ".join(str(noisy(nltk.Tree.fromstring(t), rng)).split()) for t in golds]
    study = against_gold(trees("\n".join(golds)), trees("\n".join(tests)))
    assert evaluate(study, "parseval", resamples=0).value == pytest.approx(slow_f1(golds, tests))
    assert evaluate(study, "brants", resamples=0).value <= 1


def test_real_files(data):
    """A corpus parsed and corrected: the first documents."""
    golds, tests = [], []
    for path in sorted((data / "gum-parser-vs-gold/gold").iterdir())[:4]:
        other = data / "gum-parser-vs-gold/parser" / path.name
        read = [nltk.Tree.fromstring(f"(ALL {p.read_text(encoding='utf-8')})") for p in (path, other)]
        for gold, test in zip(*read, strict=True):
            if len(gold.leaves()) == len(test.leaves()):
                golds.append(" ".join(str(gold).split()))
                tests.append(" ".join(str(test).split()))
    found = evaluate(against_gold(trees("\n".join(golds)), trees("\n".join(tests))), "parseval", resamples=0)
    lost = {int(row[0]) for row in found.per_item.rows if row[3] is None}
    kept = [k for k in range(len(golds)) if k not in lost]
    assert found.value == pytest.approx(slow_f1([golds[k] for k in kept], [tests[k] for k in kept]))


def test_pyevalb_counts_the_same_brackets():
    """It deletes nothing and counts a bracket once, as brants does where none is repeated."""
    scorer = pytest.importorskip("PYEVALB.scorer")
    parser = pytest.importorskip("PYEVALB.parser")
    ours, theirs = (parser.create_from_bracket_string(text) for text in (GOLD, TEST))
    expected = scorer.Scorer().score_trees(ours, theirs)
    result = evaluate(pair(), "brants", resamples=0)
    assert result.details["numerator"] == expected.matched_brackets
    assert (result.details["precision"], result.details["recall"]) == (expected.prec, expected.recall)
    crossing = evaluate(pair(), "crossing", resamples=0)
    assert crossing.value == expected.cross_brackets


def test_discontinuous_brackets():
    """((0, 1), (2, 3)) against the same span without its gap."""
    from arbitree.kinds.phrase.value import PhraseTree

    gap = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    flat = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 4, 4, -1, 3))
    study = against_gold([gap], [flat])
    assert evaluate(study, "brants", resamples=0).value == 0.5
    assert evaluate(study, "parseval:discontinuous=yes", resamples=0).value == 0
    assert evaluate(against_gold([gap], [gap]), "parseval:discontinuous=yes", resamples=0).value == 1
    assert (
        evaluate(against_gold([flat], [flat]), "parseval:discontinuous=yes", resamples=0).status
        == "no_brackets"
    )


def test_sentences_up_to_the_cut_off(tmp_path):
    path = tmp_path / "short.prm"
    path.write_bytes(b"## a comment\r\nDELETE_LABEL TOP\r\nCUTOFF_LEN 1\r\nEQ_LABEL NP NX\r\nLABELED 1\r\n")
    study = against_gold(trees("(NP (N a))\n(NP (N a) (N b))"), trees("(NX (N a))\n(VP (N a) (N b))"))
    result = evaluate(study, f"parseval:prm={path}", resamples=0)
    assert (result.value, result.details["up_to_1"]) == (0.5, 1)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("DELETE_LABLE TOP", "unknown key 'DELETE_LABLE'"),
        ("CUTOFF_LEN forty", "does not accept"),
        ("DELETE_LABEL", "does not accept"),
        ("EQ_LABEL NP", "does not accept"),
    ],
)
def test_parameter_files_with_errors_are_refused(tmp_path, line, message):
    path = tmp_path / "bad.prm"
    path.write_text(f"DEBUG 0\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=message) as error:
        read_parameters(str(path))
    assert str(error.value).startswith(f"{path}:2: ")


def test_equivalences_that_share_a_label_are_one_class(tmp_path):
    path = tmp_path / "classes.prm"
    path.write_text("EQ_LABEL A B\nEQ_LABEL C D\nEQ_LABEL B C\n", encoding="utf-8")
    parameters = read_parameters(str(path))
    assert len({parameters.same(label) for label in "ABCD"}) == 1


def test_words_that_are_lost_on_one_side_leave_no_value():
    study = pair("(S (N yes) (. .))", "(S (N yes) (N .))")
    result = evaluate(study, "parseval", resamples=0)
    assert (result.value, result.details["undefined_items"]) == (None, 1)


def test_edit_distance_of_phrases():
    study = against_gold([phrase("(S (NP D N) V)")], [phrase("(S (NX D N) (VP V))")])
    values = {r.measure: r.value for r in evaluate_all(study, ["edit_distance", "exact"], resamples=0)}
    assert values == {"edit_distance": 2, "exact": 0}


@pytest.mark.parametrize("name", ["parseval", "brants"])
def test_only_discontinuous_brackets_can_count(name):
    """By hand: the phrase of words 1 and 3 is the only one with a gap; the other tree has none."""
    split = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    whole = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 4, 4, -1, 3))
    result = evaluate(against_gold([split, whole], [split, split]), f"{name}:discontinuous=yes", resamples=0)
    assert result.value == pytest.approx(2 / 3)
    assert result.details["options"]["discontinuous"] is True
    assert "discontinuous=yes" in result.signature


def test_the_name_of_a_parameter_file_does_not_matter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain").write_text("DELETE_LABEL TOP\n", encoding="utf-8")
    study = pair("(S (NP-SBJ (N rain)) (VP (V fell)))", "(S (NP (N rain)) (VP (V fell)))")
    assert evaluate(study, "parseval:prm=plain", resamples=0).value == 1


def unparsed(**missing):
    """Two sentences of two brackets each, annotated alike; an annotator may lack one of them."""
    rows = {
        "1": {"ann": "(S (NP (N rain)) (V fell))", "bob": "(S (NP (N rain)) (V fell))"},
        "2": {"ann": "(S (NP (N snow)) (V fell))", "bob": "(S (NP (N snow)) (V fell))"},
    }
    for item, lost in missing.items():
        for coder in lost:
            del rows[item.removeprefix("s")][coder]
    return study_of({k: {c: trees(t)[0] for c, t in row.items()} for k, row in rows.items()}, ("ann", "bob"))


@pytest.mark.parametrize("name", ["parseval", "brants"])
@pytest.mark.parametrize("lost", ["ann", "bob"])
def test_sentences_without_a_counterpart_can_count_as_zero(name, lost):
    """By hand: 2 of 4 brackets are in common, as if the missing tree had two others."""
    study = unparsed(s2=[lost])
    left = evaluate(study, name, resamples=0)
    counted = evaluate(study, f"{name}:missing=zero", resamples=0)
    assert (left.value, left.items_used, len(left.ignored)) == (1, 1, 1)
    assert (counted.value, counted.items_used, len(counted.ignored)) == (0.5, 2, 0)
    assert [row[3] for row in counted.per_item.rows] == [1, 0]
    parts = [counted.details[part] for part in ("precision", "recall", "complete", "up_to_40")]
    assert parts == [0.5, 0.5, 0.5, 0.5]


def test_sentences_that_nobody_parsed_never_count():
    found = evaluate(unparsed(s2=["ann", "bob"]), "parseval:missing=zero", resamples=0)
    assert (found.value, found.items_used, found.ignored[0].item) == (1, 1, "2")


def test_only_a_missing_parse_counts_as_zero_not_a_missing_gold_tree():
    study = replace(unparsed(s1=["ann"], s2=["bob"]), reference="ann")
    found = evaluate(study, "parseval:missing=zero", resamples=0)
    assert (found.value, found.items_used, found.ignored[0].item) == (0, 1, "1")


def test_pairs_of_three_annotators_count_as_zero_where_one_of_them_lacks_the_tree():
    """By hand: of the pairs of the second sentence, one agrees and two lack a tree."""
    tree = trees("(S (NP (N rain)) (V fell))")[0]
    rows = {"1": {"ann": tree, "bob": tree, "cho": tree}, "2": {"ann": tree, "bob": tree}}
    found = evaluate(study_of(rows, ("ann", "bob", "cho")), "parseval:missing=zero", resamples=0)
    assert [row[3] for row in found.per_item.rows] == pytest.approx([1, 1 / 3])


def test_without_missing_trees_zero_changes_nothing():
    whole, counted = evaluate_all(unparsed(), ["parseval", "parseval:missing=zero"], resamples=0)
    assert whole.value == counted.value == 1


def test_unknown_value_of_missing_is_refused():
    with pytest.raises(UnknownName, match="unknown missing value 'one'"):
        evaluate(pair(), "parseval:missing=one", resamples=0)


def test_crossing_brackets_need_both_trees():
    with pytest.raises(UnknownName, match="unknown crossing option 'missing'"):
        evaluate(pair(), "crossing:missing=zero", resamples=0)


def test_collins_deletes_top_alone():
    """By hand: with ROOT counted, 7 of 9 brackets; evalb deletes TOP only."""
    study = pair(f"(ROOT {GOLD})", f"(ROOT {TEST})")
    values = [evaluate(study, name, resamples=0).value for name in ("parseval", "parseval:prm=COLLINS")]
    assert values == pytest.approx([6 / 8, 7 / 9])


def test_many_equal_labels_are_one_class(tmp_path):
    """Renaming the whole class at every line would take minutes."""
    path = tmp_path / "many.prm"
    path.write_text(
        "".join(f"EQ_LABEL a{number + 1} a{number}\n" for number in range(50_000)), encoding="utf-8"
    )
    parameters = read_parameters(str(path))
    assert {parameters.same(f"a{number}") for number in range(50_001)} == {"a1"}
