"""One corpus against itself."""

import random
from itertools import combinations, product
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.api.explain import find_inconsistencies
from arbitree.constructions.explain import parsed_options
from arbitree.constructions.repeats import CorpusWords, repeated_phrases
from arbitree.errors import UnknownName
from arbitree.kinds.phrase.value import PhraseTree
from tests.support.build import study_of
from tests.support.constructions.build import tree, trees

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
    (change,) = nucleus.changes
    assert (change.kind, change.positions) == ("phrase", (3, 4))
    assert change.labels == tuple("ADJP" if f.brackets == "(ADJP JJ JJ)" else None for f in only.fragments)
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
    assert not corpus(text, min_len=1).types
    (only,) = corpus(text, external="label", min_len=1).types
    assert (only.kind, only.label) == ("external", "NP against VP")


def test_equal_sentences_are_compared_up_to_the_top():
    (only,) = corpus("(FRAG (NP (NN rain)))\n(S (NP (NN rain)))\n(FRAG (NP (NN rain)))", min_len=1).types
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
    findings = find_inconsistencies(study_of({"s": row, "t": row}), mode="corpus", min_len=1)
    assert [each.nuclei[0].counts for each in findings.types] == [(2, 2)]


def words_of(findings):
    return [nucleus.words for each in findings.types for nucleus in each.nuclei]


class TestDefaults:
    """Function tags and single words depend on the sentence, so in a corpus they are not compared."""

    TEXT = (
        "(S (NP-SBJ (DT the) (NN sea)) (VP (VBD rose)))\n(VP (VBD saw) (NP-TMP (DT the) (NN sea)))\n"
        "(NP (NN light))\n(NP (JJ light) (NN wind))\n(FRAG (NP (NN light)))"
    )

    def test_tags_and_single_words_are_not_compared(self):
        findings = corpus(self.TEXT)
        assert not findings.types
        used = findings.settings
        assert (used["function_tags"], used["min_len"], used["exclude"]) == ("strip", 2, "_+")
        assert "function_tags=strip" in findings.signature
        assert any("without function tags and single words" in note for note in findings.notes)

    def test_on_request_they_are(self):
        findings = corpus(self.TEXT, function_tags="keep", min_len=1)
        assert set(words_of(findings)) == {"the sea", "light"}
        assert not any("single words" in note for note in findings.notes)

    def test_annotators_are_compared_with_tags_and_single_words(self):
        row = {"a": tree("(NP-SBJ (NN light))"), "b": tree("(NP (JJ light))")}
        findings = find_inconsistencies(study_of({"s": row}))
        assert (findings.settings["function_tags"], findings.settings["min_len"]) == ("keep", 1)
        assert findings.types

    def test_masked_words_are_in_no_nucleus_and_their_number_is_said(self):
        text = "(NP (DT the) (ADJP (JJ __) (JJ ___)) (NN sea))\n(NP (DT the) (JJ __) (JJ ___) (NN sea))"
        findings = corpus(text)
        assert not findings.types
        assert findings.counts["excluded_words"] == 4
        assert any(note.startswith("4 words that match _+ are in no nucleus") for note in findings.notes)
        assert words_of(corpus(text, exclude="none")) == ["__ ___"]
        assert words_of(corpus(LADDERS, exclude="gre+n|x")) == []

    def test_expressions_can_be_repeated_and_must_be_valid(self):
        known = {"exclude": "_+"}
        assert parsed_options(["exclude=a+", "exclude=b"], known) == {"exclude": "a+|b"}
        with pytest.raises(UnknownName, match=r"setting exclude is '\(', which is not a regular expression"):
            corpus(LADDERS, exclude="(")


class TestEvidence:
    """E = s + min(l, 2) + min(r, 2) + (L - 1), worked by hand from the definition."""

    def test_rarity_context_and_length_add_up(self):
        """One of three is rare; "a" before and "ladder" after are the same in the first two; two words."""
        ((nucleus,),) = [each.nuclei for each in corpus(LADDERS).types]
        assert nucleus.evidence == pytest.approx(-log2(1.5 / 4) + 1 + 1 + 1)
        assert [(place.item, place.span) for place in nucleus.places[:2]] == [("s0", (3, 5)), ("s1", (3, 5))]
        assert [nucleus.counts[place.fragment] for place in nucleus.places[:2]] == [1, 2]

    def test_at_most_two_words_on_a_side_count_and_none_beyond_the_sentence(self):
        same = "(S (NP (PRP we)) (VP (VBD saw) (RB now) {}) (. .))"
        phrase, flat = (
            "(NP (DT a) (ADJP (JJ big) (JJ red)) (NN cup))",
            "(NP (DT a) (JJ big) (JJ red) (NN cup))",
        )
        ((nucleus,),) = [each.nuclei for each in corpus(f"{same.format(phrase)}\n{same.format(flat)}").types]
        assert (nucleus.words, nucleus.evidence) == ("big red", 1 + 2 + 2 + 1)

    def test_strongest_evidence_comes_first(self):
        once = "(NP (DT a) (ADJP (JJ big) (JJ red)) (NN cup))\n(NP (DT the) (JJ big) (JJ red) (NN mug))\n"
        rare = (
            "(NP (DT a) (JJ cold) (JJ wet) (NN day))\n" * 9 + "(NP (DT a) (ADJP (JJ cold) (JJ wet)) (NN day))"
        )
        assert words_of(corpus(once + rare)) == ["cold wet", "big red"]
        other = "(NP (DT a) (NX (NN sea) (NN gull)))\n(NP (DT a) (NN sea) (NN gull))\n"
        found = corpus(once + other)
        strengths = [each.nuclei[0].evidence for each in found.types]
        assert strengths == sorted(strengths, reverse=True)
        assert words_of(found) == ["a sea gull", "big red"]


def test_traces_inside_the_string_are_compared_on_request():
    """One has a trace between the words; traces outside the string do not count."""
    text = (
        "(S (NP (PRP we)) (VP (VBD left) (NP (-NONE- *)) (PRT (RP early))))\n"
        "(S (-NONE- 0) (NP (PRP they)) (VP (VBD left) (PRT (RP early))))"
    )
    assert not corpus(text).types
    ((nucleus,),) = [each.nuclei for each in corpus(text, empties="keep").types]
    assert nucleus.words == "left early"
    assert [(each.kind, each.positions, set(each.labels)) for each in nucleus.changes] == [
        ("empty", (1, 2), {"(NP *)", None})
    ]
    same = text.splitlines()[1]
    assert not corpus(f"{same}\n{same.replace('(-NONE- 0) ', '')}", empties="keep", max_len=2).types


def test_phrases_with_gaps_inside_the_string_are_compared(tmp_path):
    """The verb and its particle are a phrase around the object in one sentence only."""
    one = PhraseTree(("ring", "her", "up"), ("VB", "PRP", "RP", "S", "VP"), (4, 3, 4, -1, 3))
    other = PhraseTree(("ring", "her", "up"), ("VB", "PRP", "RP", "S"), (3, 3, 3, -1))
    rows = {"s": {"only": one}, "t": {"only": other}}
    assert words_of(find_inconsistencies(study_of(rows))) == ["ring her up"]


class TestStringsInsideStrings:
    """One difference is told once, by the shortest string that shows it."""

    PHRASE = "(NP (DT the) (ADJP (JJ big) (JJ red)) (NN cup))"
    FLAT = "(NP (DT the) (JJ big) (JJ red) (NN cup))"

    def test_a_larger_phrase_around_the_same_words_is_no_difference(self):
        """In one sentence "saw the big red cup" is a phrase, in the other a word follows."""
        found = corpus(f"(S (VP (VBD saw) {self.PHRASE}))\n(S (VP (VBD saw) {self.FLAT} (RB now)))")
        assert words_of(found) == ["big red"]

    def test_a_phrase_that_starts_before_the_string_is_no_difference(self):
        """Both have a noun phrase to the left of "of"; one begins with an article outside the string."""
        one = "(NP (NP (JJ {}) (NN cup)) (PP (IN of) (NP (NN tea))))"
        other = "(NP (NP (DT the) (JJ {}) (NN cup)) (PP (IN of) (NP (NN tea))))"
        assert not corpus(f"{one.format('red')}\n{other.format('red')}").types

    def test_another_difference_of_the_same_words_is_told_by_the_longer_string(self):
        """Two phrases on one spine: the second has its own place, and its own words."""
        text = f"(VP (VBD saw) {self.PHRASE} (NP (NN today)))\n(VP (VBD saw) {self.FLAT} (ADVP (NN today)))"
        assert set(words_of(corpus(text))) == {"big red", "saw the big red cup today"}


LETTERS = "abc"


@st.composite
def corpora(draw):
    """Sentences over few words, so that strings repeat, with phrases anywhere."""
    rng = random.Random(draw(st.integers(0, 2**32)))

    def phrase(words):
        if len(words) == 1 and rng.random() < 0.8:
            return f"({rng.choice(('X', 'Y'))} {words[0]})"
        cuts = sorted(rng.sample(range(1, len(words)), min(len(words) - 1, rng.randint(0, 2))))
        parts = [words[lo:hi] for lo, hi in zip([0, *cuts], [*cuts, len(words)], strict=True)]
        if len(parts) == 1:
            inner = " ".join(f"(X {word})" for word in words)
        else:
            inner = " ".join(phrase(part) for part in parts)
        return f"({rng.choice(('A', 'B'))} {inner})"

    sentences = []
    for _ in range(draw(st.integers(2, 5))):
        sentences.append(phrase([rng.choice(LETTERS) for _ in range(rng.randint(1, 6))]))
    return "\n".join(sentences)


def sites(value, lo, hi):
    """Labels by the words under them, of the nodes inside a string; counted from its first word."""
    words = [{node} if node < len(value.words) else set() for node in range(len(value.labels))]
    for node in range(len(value.words)):
        above = value.parents[node]
        while above >= 0:
            words[above].add(node)
            above = value.parents[above]
    found = {}
    for node, own in enumerate(words):
        if (own and own <= set(range(lo, hi)) and value.parents[node] >= 0) or len(own) == len(value.words):
            name = (node < len(value.words), tuple(sorted(word - lo for word in own)))
            if own <= set(range(lo, hi)):
                found.setdefault(name, []).append(value.labels[node])
    return found


@settings(max_examples=300)
@given(corpora())
def test_a_string_is_reported_iff_two_places_differ_in_something_that_no_shorter_one_shows(text):
    """By looking at all pairs. A phrase at the edge may extend beyond the string, and then it is the same."""
    values = {f"s{n}": value for n, value in enumerate(trees(text))}
    options = {"min_len": 1, "unary": "keep", "strip_root": False}
    everything = corpus(text, report="all", **options)
    reported = {
        (n.tokens, n.counts, each.code) for each in corpus(text, **options).types for n in each.nuclei
    }
    nuclei = sorted(
        ((n, each) for each in everything.types for n in each.nuclei), key=lambda x: len(x[0].tokens)
    )
    known = []
    for nucleus, each in nuclei:
        size = len(nucleus.tokens)
        inner = rest = False
        for one, other in combinations(nucleus.places, 2):
            if one.fragment == other.fragment:
                continue
            ours, theirs = (sites(values[place.item], *place.span) for place in (one, other))
            for site in {name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)}:
                told = any(shown(smaller, one, other, site[1]) for smaller in known)
                rest |= not told
                inner |= not told and site[1][0] > 0 and site[1][-1] < size - 1
        is_reported = (nucleus.tokens, nucleus.counts, each.code) in reported
        assert is_reported <= rest
        assert inner <= is_reported
        if is_reported:
            known.append(nucleus)


def shown(nucleus, one, other, words):
    """Whether the nucleus lies in both places, with different fragments, and holds the words."""
    size = len(nucleus.tokens)
    for offset in range(one.span[1] - one.span[0] - size + 1):
        if offset <= words[0] and words[-1] < offset + size < one.span[1] - one.span[0] + 1:
            here = [
                [
                    place.fragment
                    for place in nucleus.places
                    if (place.item, place.span[0]) == (outer.item, outer.span[0] + offset)
                ]
                for outer in (one, other)
            ]
            if any(a != b for a, b in product(*here)) and size < one.span[1] - one.span[0]:
                return True
    return False


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
    rng = random.Random(seed)
    sentences = [[rng.choice("abc") for _ in range(rng.randint(1, 9))] for _ in range(12)]
    text = CorpusWords.of(sentences)
    phrases, starts = [], {}
    for number, words in enumerate(sentences):
        for _ in range(3):
            lo = rng.randrange(len(words))
            hi = rng.randint(lo + 1, len(words))
            phrases.append((number, lo, hi))
            starts.setdefault(hi - lo, []).append(int(text.starts[number]) + lo)
    found = {}
    for length, positions in repeated_phrases(text, starts):
        places = [text.place(position) for position in positions]
        number, lo = places[0]
        found[tuple(sentences[number][lo : lo + length])] = sorted(places)
    assert found == repeated_by_force(sentences, phrases)
