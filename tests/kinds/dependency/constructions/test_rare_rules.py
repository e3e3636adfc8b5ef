"""Scores of dependency rules against a treebank; the values were worked out by hand."""

from dataclasses import replace

import pytest
from hypothesis import given

from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.dependency.constructions.rare_rules import rule_scores, rules_of
from arbitree.kinds.dependency.value import DepTree
from tests.build import phrase, study_of
from tests.constructions.deptrees import corpora, corpus, tree

# Three sentences: root -> START nsubj:N hd:V obj:N END twice, root -> START nsubj:N hd:V END once.
TREEBANK = corpus(
    tree("dogs 2 nsubj, chase 0 root, cats 2 obj", "N V N"),
    tree("cats 2 nsubj, eat 0 root, fish 2 obj", "N V N"),
    tree("fish 2 nsubj, swim 0 root", "N V"),
)


def scores(found):
    """Word, bigram and whole score in the order of the ranking."""
    return [(row.form, row.bigram, row.whole) for row in found.rows]


def test_scores_are_sums_of_the_two_bigrams():
    """nsubj: START nsubj 3 + nsubj hd 3; second nsubj: hd nsubj 0 + nsubj END 0; root: START 3 + END 3."""
    parsed = corpus(tree("mice 2 nsubj, flee 0 root, owls 2 nsubj", "N V N"))
    found = rule_scores(parsed, TREEBANK)
    assert scores(found) == [("owls", 0, 0), ("mice", 6, 0), ("flee", 6, 3)]
    assert found.training == 6  # three heads, and the root of each sentence
    assert not found.held_out


def test_bigrams_count_only_under_the_same_relation_of_the_head():
    parsed = corpus(tree("say 0 root, mice 3 nsubj, flee 1 ccomp", "V N V"))
    assert ("mice", 0, 0) in scores(rule_scores(parsed, TREEBANK))


def test_whole_rules_are_counted():
    """nsubj hd obj has: START nsubj 3 + nsubj hd 3; hd obj 2 + obj END 2; the rule itself 2."""
    parsed = corpus(tree("owls 2 nsubj, catch 0 root, mice 2 obj", "N V N"))
    assert scores(rule_scores(parsed, TREEBANK, by="whole")) == [
        ("mice", 4, 2),
        ("owls", 6, 2),
        ("catch", 6, 3),
    ]


def test_a_corpus_that_is_its_own_treebank_does_not_count_a_rule_for_itself():
    """obj: hd obj 2 - 1, obj END 2 - 1; nsubj before obj: START nsubj 3 - 1, nsubj hd 3 - 1."""
    found = rule_scores(TREEBANK)
    assert found.held_out
    assert sorted(scores(found)) == sorted(
        [
            ("dogs", 4, 1), ("chase", 4, 2), ("cats", 2, 1),
            ("cats", 4, 1), ("eat", 4, 2), ("fish", 2, 1),
            ("fish", 4, 0), ("swim", 4, 2),
        ]
    )  # fmt: skip
    assert found.rows[0].bigram == 2


def test_the_reference_is_the_treebank():
    gold = tree("dogs 2 nsubj, bark 0 root", "N V")
    parsed = tree("dogs 0 root, bark 1 acl", "N V")
    study = replace(study_of({"s": {"gold": gold, "parser": parsed}}), reference="gold")
    found = rule_scores(study)
    assert {row.coder for row in found.rows} == {"parser"}
    assert scores(found) == [("dogs", 0, 0), ("bark", 0, 0)]


def test_elements_tell_relation_and_tag_and_the_head_its_place():
    rules = dict(rules_of(tree("old 2 amod, dogs 3 nsubj, bark 0 root", "A N V")))
    assert rules == {
        ("ROOT", ("START", "root:V", "END")): [2],
        ("nsubj", ("START", "amod:A", "hd:N", "END")): [0, None],
        ("root", ("START", "nsubj:N", "hd:V", "END")): [1, None],
    }


def test_repeated_bigrams_are_not_counted_for_themselves():
    """Twice mod mod in a rule of three, alone in its corpus: nothing else is known of it."""
    found = rule_scores(corpus(tree("a 4 mod, b 4 mod, c 4 mod, d 0 root", "N N N N")))
    assert [(row.form, row.bigram) for row in found.rows] == [("d", 0), ("a", 0), ("b", 0), ("c", 0)]


def test_odd_trees_and_options():
    empty = DepTree((), (), ())
    found = rule_scores(corpus(empty, tree("a 2 x, b 1 y, c 3 z", "N N N")))
    assert [each.reason for each in found.ignored] == ["empty_tree"]
    assert len(found.rows) == 3
    with pytest.raises(UnknownName):
        rule_scores(TREEBANK, by="rule")
    with pytest.raises(UnsupportedStudy):
        rule_scores(study_of({"s": {"a": phrase("(S (NP a))")}}))


def test_the_table_has_a_row_for_every_dependent():
    table = rule_scores(TREEBANK).table()
    assert len(table.rows) == 8
    assert table.records()[0]["rule"] == "root -> START nsubj:N hd:V obj:N END"


@given(corpora())
def test_every_token_is_scored_once_and_no_score_is_negative(trees):
    found = rule_scores(corpus(*trees))
    assert sorted((row.item, row.token) for row in found.rows) == sorted(
        (f"s{k}", token) for k, each in enumerate(trees) for token in range(len(each))
    )
    assert all(row.bigram >= 0 and row.whole >= 0 for row in found.rows)


@given(corpora())
def test_the_same_trees_as_treebank_know_every_rule(trees):
    """Counted with itself, every rule is there at least once, and every bigram as often as the rule."""
    found = rule_scores(corpus(*trees), corpus(*trees))
    assert all(row.whole >= 1 and row.bigram >= 2 * row.whole for row in found.rows)
