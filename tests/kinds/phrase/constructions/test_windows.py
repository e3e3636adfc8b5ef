"""Short cuts for large corpora give what the slow way gives: cutting and comparing every occurrence."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.constructions.repeats import CorpusWords
from arbitree.kinds.phrase.constructions.derivation import derive
from arbitree.kinds.phrase.constructions.fragments import Facts, sliced
from arbitree.kinds.phrase.constructions.head_tables import head_table
from arbitree.kinds.phrase.constructions.interiors import interior_of, interior_of_part
from arbitree.kinds.phrase.constructions.normalisation import Normaliser
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.sites import sites_of
from arbitree.kinds.phrase.constructions.windows import Windows
from tests.support.constructions.build import random_trees, tree


def prepared(texts):
    """Return the normalised trees, their derivations and the facts."""
    normaliser, table, facts = Normaliser(PhraseOptions()), head_table("english"), Facts()
    normals = [normaliser.normal(tree(text)) for text in texts]
    return normals, [sliced(derive(normal, table), facts) for normal in normals], facts


def without_governor(cut):
    return cut._replace(slot=cut.slot and cut.slot[1:])


@settings(max_examples=60, deadline=None)
@given(st.lists(random_trees(max_size=7), min_size=2, max_size=6))
def test_nuclei_of_one_class_have_equal_fragments(texts):
    normals, slices, facts = prepared(texts)
    text = CorpusWords.of([normal.words for normal in normals])
    windows = Windows(text, slices, [False] * len(slices), facts)
    for length in range(1, max(len(normal.words) for normal in normals) + 1):
        places = [
            (number, lo)
            for number, normal in enumerate(normals)
            for lo in range(len(normal.words) - length + 1)
        ]
        positions = text.starts[[number for number, _ in places]] + [lo for _, lo in places]
        known = {}
        for (number, lo), found in zip(places, windows.classes(positions, length).tolist(), strict=True):
            for whole in (False, length == len(normals[number].words)):
                cut = without_governor(slices[number].cut(lo, lo + length, whole=whole))
                assert known.setdefault((found, whole), cut) == cut


def test_equal_annotations_in_other_sentences_are_one_class():
    """The attachment of "old boats" differs only in the word that governs them."""
    texts = (
        "(S (NP (PRP We)) (VP (VBD saw) (NP (JJ old) (NNS boats))))",
        "(S (NP (PRP They)) (VP (VBD sold) (PRT (RP off)) (NP (JJ old) (NNS boats))))",
        "(S (NP (JJ old) (NNS boats)) (VP (VBD sank)))",
    )
    normals, slices, facts = prepared(texts)
    text = CorpusWords.of([normal.words for normal in normals])
    windows = Windows(text, slices, [False] * 3, facts)
    first, second, third = windows.classes(text.starts + np.array([2, 3, 0]), 2).tolist()
    assert first == second != third


def test_every_nucleus_of_an_odd_sentence_is_a_class_of_its_own():
    normals, slices, facts = prepared(["(NP (JJ old) (NNS boats))"] * 3)
    text = CorpusWords.of([normal.words for normal in normals])
    windows = Windows(text, slices, [False, True, True], facts)
    assert len(set(windows.classes(text.starts, 2).tolist())) == 3


@settings(max_examples=60, deadline=None)
@given(random_trees(max_size=9))
def test_the_annotation_inside_a_nucleus_is_that_of_the_sites(text):
    (normal,), (derived,), _ = prepared([text])
    sites = sites_of(normal)
    for lo in range(len(normal.words)):
        for hi in range(lo + 1, len(normal.words) + 1):
            assert interior_of_part(derived, lo, hi) == interior_of(sites, lo, hi)
