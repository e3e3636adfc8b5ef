"""Variation n-grams: strings of words with several labels."""

import random
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import plugins
from arbitree.api.explain import find_inconsistencies
from arbitree.errors import UnsupportedStudy
from arbitree.reading.content import Content
from tests.support.build import study_of
from tests.support.constructions.deptrees import tree


def corpus(*texts):
    """A study of one coder from trees in brackets."""
    read = plugins.get("formats", "brackets").read
    trees = [next(iter(read(Content("test", text.encode())))).value for text in texts]
    return study_of({f"s{k}": {"a": each} for k, each in enumerate(trees)})


def variation_ngrams(study, **options):
    """The findings of the baseline."""
    return find_inconsistencies(study, baseline="ngrams", **options)


def counts(findings):
    """Every nucleus with the number of its labels."""
    return {
        nucleus.words: dict(zip((each.text for each in type_.fragments), nucleus.counts, strict=True))
        for type_ in findings.types
        for nucleus in type_.nuclei
    }


UNIT = "(S (NP (DT the) (ADJP (RB very) (JJ old)) (NN dog)) (VP (VBD sat)))"
FLAT = "(S (NP (DT the) (RB very) (JJ old) (NN dog)) (VP (VBD ran)))"


def test_a_string_that_is_a_phrase_in_one_place_only():
    found = variation_ngrams(corpus(UNIT, FLAT))
    assert counts(found) == {"very old": {"ADJP": 1, "NIL": 1}}
    (row,) = found.tables["ngrams"].records()
    assert (row["nucleus"], row["ngram"], row["left"], row["right"]) == ("very old", "the very old dog", 1, 1)
    assert row["labels"] == "ADJP 1, NIL 1"


def test_phrases_over_the_same_words_are_joined_highest_first():
    chain = "(S (NP (ADJP (RB very) (JJ old))) (VP (VBD sat)))"
    assert counts(variation_ngrams(corpus(UNIT, chain)))["very old"] == {"ADJP": 1, "NP/ADJP": 1}


def test_function_tags_indices_and_the_outer_bracket_are_no_part_of_a_label():
    ours = "(ROOT (S (NP-SBJ-1 (NN rain)) (VP (VBD fell))))"
    theirs = "(S (NP-TMP (NN rain)) (VP (VBD fell)))"
    assert not variation_ngrams(corpus(ours, theirs)).types


def test_traces_are_no_words_and_phrases_without_words_have_no_label():
    ours = "(S (NP (NN rain)) (VP (VBD fell) (NP (-NONE- *T*))))"
    theirs = "(S (NP (NN rain)) (VP (VBD fell)))"
    assert not variation_ngrams(corpus(ours, theirs)).types


def test_context_and_fringe_are_asked_for():
    """Between the same words on both sides in one pair of places, at the edge of a sentence in the other."""
    inner = (UNIT, FLAT)
    fringe = (
        "(S (ADJP (RB too) (JJ hot)) (VP (VBD sat)))",
        "(S (NP (RB too) (JJ hot) (NN soup)) (VP (VBD ran)))",
    )
    found = variation_ngrams(corpus(*inner, *fringe))
    assert set(counts(found)) == {"very old", "too hot"}
    for options in ({"nonfringe": True}, {"context": 2}):
        found = variation_ngrams(corpus(*inner, *fringe), **options)
        assert set(counts(found)) == {"very old"}
        assert found.counts["exempt"] == 1
    assert not variation_ngrams(corpus(*inner), context=3).types


def test_lengths_and_case_are_settings():
    upper = FLAT.replace("very", "Very")
    assert not variation_ngrams(corpus(UNIT, upper)).types
    assert variation_ngrams(corpus(UNIT, upper), case="lower").types
    assert not variation_ngrams(corpus(UNIT, FLAT), min_len=3).types
    assert not variation_ngrams(corpus(UNIT, FLAT), max_len=1).types


def test_empty_trees_are_listed():
    found = variation_ngrams(corpus(UNIT, "()", FLAT))
    assert [each.reason for each in found.ignored] == ["empty_tree"]
    assert counts(found) == {"very old": {"ADJP": 1, "NIL": 1}}


def test_dependency_trees_are_refused():
    with pytest.raises(UnsupportedStudy, match="phrase-structure trees"):
        variation_ngrams(study_of({"s": {"a": tree("a 0 r")}}))


@st.composite
def bracketed(draw, max_trees=4):
    """Trees over few words, as brackets."""
    rng = random.Random(draw(st.integers(0, 2**32)))

    def node(size):
        label = rng.choice("AB")
        if size == 1 and rng.random() < 0.6:
            return f"(t {rng.choice('xy')})"
        if size == 1 or rng.random() < 0.2:
            return f"({label} {node(size)})"
        cut = rng.randint(1, size - 1)
        return f"({label} {node(cut)} {node(size - cut)})"

    return [f"(S {node(rng.randint(1, 5))} (t z))" for _ in range(draw(st.integers(1, max_trees)))]


def naive(study):
    """All contexts of all strings: those that vary and have no longer one that does."""
    words, labels = [], []
    for _, (cell,) in study:
        value = cell.value
        chains = defaultdict(list)
        for node in range(len(value.words), len(value.labels)):  # parents before children
            ((first, end),) = value.yields()[node]
            if not chains[first, end] or chains[first, end][-1] != value.labels[node]:
                chains[first, end].append(value.labels[node])
        words.append(value.words)
        labels.append({span: "/".join(chain) for span, chain in chains.items()})
    places = defaultdict(list)
    for number, own in enumerate(words):
        for first in range(len(own)):
            for end in range(first + 1, len(own) + 1):
                places[own[first:end]].append((number, first, end))
    varying = defaultdict(set)
    for nucleus, found in places.items():
        by_context = defaultdict(set)
        for number, first, end in found:
            label = labels[number].get((first, end), "NIL")
            for left in range(first + 1):
                for right in range(len(words[number]) - end + 1):
                    context = words[number][first - left : end + right]
                    by_context[left, right, context].add(label)
        varying[nucleus] = {key for key, seen in by_context.items() if len(seen) > 1}
    return {
        (" ".join(nucleus), " ".join(context), left, right)
        for nucleus, contexts in varying.items()
        for left, right, context in contexts
        if not any(
            longer[left2 - left : len(longer) - (right2 - right)] == context and longer != context
            for left2, right2, longer in contexts
            if (left2, right2) in ((left + 1, right), (left, right + 1))
        )
    }


@settings(max_examples=200)
@given(bracketed())
def test_ngrams_are_those_of_the_definition(texts):
    study = corpus(*texts)
    rows = variation_ngrams(study).tables["ngrams"].records()
    assert {(row["nucleus"], row["ngram"], row["left"], row["right"]) for row in rows} == naive(study)
    assert len(rows) == len(naive(study))


@given(bracketed())
def test_a_corpus_doubled_varies_in_the_same_strings(texts):
    once, twice = variation_ngrams(corpus(*texts)), variation_ngrams(corpus(*texts, *texts))
    assert set(counts(once)) == set(counts(twice))


@given(bracketed(max_trees=1))
def test_one_sentence_twice_varies_only_in_what_it_repeats(texts):
    found = variation_ngrams(corpus(*texts, *texts))
    single = variation_ngrams(corpus(*texts))
    assert [each.code for each in found.types] == [each.code for each in single.types]
