"""One corpus against itself."""

import pytest

from arbitree.api.explain import find_inconsistencies
from arbitree.kinds.phrase.constructions.corpus import SpanIndex
from tests.build import study_of
from tests.constructions.build import tree, trees

LADDERS = """
(S (NP-SBJ (PRP He)) (VP (VBD bought) (NP (DT a) (ADJP (JJ long) (JJ green)) (NN ladder))))
(S (NP-SBJ (PRP She)) (VP (VBD sold) (NP (DT a) (JJ long) (JJ green) (NN ladder))))
(S (NP-SBJ (DT A) (JJ long) (JJ green) (NN rope)) (VP (VBD fell)))
"""


def corpus(text, **options):
    values = trees(text)
    return find_inconsistencies(
        study_of({f"s{n}": {"only": value} for n, value in enumerate(values)}), **options
    )


def test_the_same_words_with_and_without_a_phrase_are_one_nucleus():
    findings = corpus(LADDERS)
    (only,) = findings.types
    (nucleus,) = only.nuclei
    assert nucleus.words == "long green"
    assert sorted(nucleus.counts) == [1, 2]
    assert only.occurrences == 3
    places = {(place.item, place.span) for place in nucleus.places}
    assert places == {("s0", (3, 5)), ("s1", (3, 5)), ("s2", (1, 3))}
    assert findings.mode == "corpus"


def test_a_larger_string_is_explained_by_the_smaller_one_in_it():
    everything = corpus(LADDERS, report="all")
    words = {nucleus.words: nucleus.residual for each in everything.types for nucleus in each.nuclei}
    assert words == {"long green": (0, 1), "a long green ladder": ()}
    assert everything.counts["explained"] == 1


def test_a_word_with_two_tags_is_found_and_counted():
    findings = corpus("(NP (JJ light) (NN rain))\n(NP (NN light) (NN rain))\n(NP (JJ light) (NN rain))")
    assert [(each.class_, each.nuclei[0].counts) for each in findings.types] == [("pos", (2, 1))]
    assert findings.types[0].nuclei[0].outliers(0.5) == (1,)


def test_covers_of_different_labels_are_not_compared_unless_the_external_check_is_on():
    text = "(S (NP (NN work)) (VP (VBD ended)))\n(S (NP (NNS days)) (VP (NN work)))"
    assert not corpus(text).types
    (only,) = corpus(text, external="label").types
    assert (only.kind, only.label) == ("external", "NP against VP")


def test_equal_sentences_are_compared_up_to_the_top():
    (only,) = corpus("(FRAG (NP (NN rain)))\n(S (NP (NN rain)))\n(FRAG (NP (NN rain)))").types
    assert only.nuclei[0].words == "rain"


def test_case_can_be_ignored():
    text = "(NP (DT The) (NN sea))\n(NP (DT the) (NNP sea))"
    assert not [n for each in corpus(text).types for n in each.nuclei if n.words.lower() == "the sea"]
    words = [n.words for each in corpus(text, case="lower", min_len=2).types for n in each.nuclei]
    assert words == ["The sea"]


def test_lengths_bound_the_nuclei():
    assert not corpus(LADDERS, min_len=5).types
    assert not corpus(LADDERS, max_len=1).types


def test_annotations_of_several_coders_can_be_pooled():
    row = {"a": tree("(NP (NN rain))"), "b": tree("(NP (NNP rain))")}
    findings = find_inconsistencies(study_of({"s": row, "t": row}), mode="corpus")
    assert [each.nuclei[0].counts for each in findings.types] == [(2, 2)]


def repeated_by_force(sentences, phrases):
    """Strings that are a phrase somewhere and occur twice, by looking at all of them."""
    found = {}
    for number, words in enumerate(sentences):
        for lo in range(len(words)):
            for hi in range(lo + 1, len(words) + 1):
                found.setdefault(tuple(words[lo:hi]), []).append((number, lo))
    wanted = {tuple(sentences[number][lo:hi]) for number, lo, hi in phrases}
    return {text: sorted(places) for text, places in found.items() if len(places) > 1 and text in wanted}


@pytest.mark.parametrize("seed", range(5))
def test_the_index_finds_what_looking_at_all_strings_finds(seed):
    import random

    rng = random.Random(seed)
    sentences = [[rng.choice("abc") for _ in range(rng.randint(1, 9))] for _ in range(12)]
    index = SpanIndex()
    phrases = []
    for number, words in enumerate(sentences):
        start = len(index.words)
        index.words += [ord(word) for word in words]
        index.left += range(len(words), 0, -1)
        index.owner += [number] * len(words)
        index.starts.append(start)
        for _ in range(3):
            lo = rng.randrange(len(words))
            hi = rng.randint(lo + 1, len(words))
            phrases.append((number, lo, hi))
            index.phrases.setdefault(hi - lo, []).append(start + lo)
    found = {}
    for length, strings in index.repeated(None):
        for positions in strings.values():
            places = [(index.owner[p], p - index.starts[index.owner[p]]) for p in positions]
            number, lo = places[0]
            found[tuple(sentences[number][lo : lo + length])] = sorted(places)
    assert found == repeated_by_force(sentences, phrases)
