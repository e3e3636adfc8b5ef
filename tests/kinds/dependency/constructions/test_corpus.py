"""Pairs of words whose relation varies inside a corpus."""

import random
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.api.explain import find_inconsistencies as explain
from arbitree.constructions.repeats import CorpusWords, repeated
from arbitree.kinds.dependency.value import DepTree
from tests.support.build import study_of
from tests.support.constructions.deptrees import corpora, corpus, neighbours, tree

FIRST = tree("the 2 det, colour 0 root, purple 2 appos")
SECOND = tree("the 3 det, colour 3 compound, purple 0 root")


def labels(findings):
    """Every pair of words with its labels and their counts: L and R say where the head stands."""
    found = {}
    for each in findings.types:
        for nucleus in each.nuclei:
            counts = found.setdefault(nucleus.tokens, {})
            for fragment, count in zip(each.fragments, nucleus.counts, strict=True):
                left, right = fragment.nodes
                label = f"R-{left.edge}" if left.edge else f"L-{right.edge}" if right.edge else "NIL"
                counts[label] = counts.get(label, 0) + count
    return found


def naive(trees, *, nil_internal=True, nonfringe=False, dep_context=False, left_out=()):
    """The definition, word by word: all pairs of all sentences, compared with each other."""
    edges = _edges(trees)
    used = {key for key, found in edges.items() if any(label[2:] not in left_out for label in found)}
    between = {trees[n].tokens[a : b + 1] for n, a, b in used}
    known = {(words[0], words[-1]) for words in between}
    occurrences = defaultdict(list)
    for number, each in enumerate(trees):
        for first, second in combinations(range(len(each)), 2):
            pair = (each.tokens[first], each.tokens[second])
            found = edges.get((number, first, second), [])
            inside = each.tokens[first : second + 1] in between if nil_internal else pair in known
            if not found and inside and not _taken(trees, edges, number, first, second):
                found = ["NIL"]
            occurrences[pair] += [
                (label, number, first, second) for label in found if label[2:] not in left_out
            ]
    result = {}
    for pair, places in occurrences.items():
        kept = Counter()
        for place in places:
            group = [other for other in places if _together(trees, place, other, nonfringe, dep_context)]
            kept[place[0]] += len({label for label, *_ in group}) > 1
        if +kept:
            result[pair] = dict(+kept)
    return result


def _edges(trees):
    """The labels of every pair of tokens that has one; on a cycle of two tokens it has two."""
    edges = defaultdict(list)
    for number, each in enumerate(trees):
        for token, (head, relation) in enumerate(zip(each.heads, each.relations, strict=True)):
            if head and head - 1 != token:
                label = f"{'R' if head - 1 > token else 'L'}-{relation}"
                edges[(number, *sorted((token, head - 1)))].append(label)
    return edges


def _taken(trees, edges, number, first, second):
    """Whether one of the tokens has an edge to another token with the word of its partner."""
    words = trees[number].tokens
    own = [(a, b) for n, a, b in edges if n == number and (a == first or b == second)]
    return any((words[a], words[b]) == (words[first], words[second]) for a, b in own)


def _together(trees, one, other, nonfringe, dep_context):
    around = [neighbours(trees[n].tokens, a, b) for _, n, a, b in (one, other)]
    if nonfringe and (around[0] != around[1] or None in around[0]):
        return False
    return not dep_context or bool(_context(trees, one) & _context(trees, other))


def _context(trees, place):
    label, number, first, second = place
    heads = {"L": [first], "R": [second]}.get(label[0], [first, second])
    return {trees[number].relations[head] for head in heads}


def test_labels_of_the_published_example():
    """R: the head is the right word. Both versions of the sentence stand in one corpus."""
    assert labels(explain(corpus(FIRST, SECOND))) == {
        ("the", "colour"): {"R-det": 1, "NIL": 1},
        ("the", "purple"): {"NIL": 1, "R-det": 1},
        ("colour", "purple"): {"L-appos": 1, "R-compound": 1},
    }


def test_one_coder_makes_a_corpus_and_classes_say_what_varies():
    found = explain(corpus(FIRST, SECOND))
    assert found.mode == "corpus"
    assert {nucleus.tokens: each.class_ for each in found.types for nucleus in each.nuclei} == {
        ("the", "colour"): "attachment",
        ("the", "purple"): "attachment",
        ("colour", "purple"): "direction",
    }
    assert (found.counts["compared"], found.counts["consistent"], found.counts["inconsistent"]) == (3, 0, 3)


def test_words_without_an_edge_need_the_same_words_between_them():
    near = tree("big 2 amod, cat 0 root")
    far = tree("big 0 root, or 1 cc, small 1 conj, cat 1 x")
    apart = tree("big 0 root, and 1 cc, red 1 conj, cat 3 x")
    assert labels(explain(corpus(near, apart))) == {}
    assert labels(explain(corpus(near, apart), nil_internal=False)) == {
        ("big", "cat"): {"R-amod": 1, "NIL": 1}
    }
    assert labels(explain(corpus(near, far))) == {("big", "cat"): {"R-amod": 1, "L-x": 1}}


def test_a_token_with_an_edge_to_such_a_word_has_none_without():
    """Both cats could pair with the one "the" of the first sentence; only the one with an edge counts."""
    first = tree("the 2 det, cat 3 x, cat 0 root")
    second = tree("the 3 det, cat 3 x, cat 0 root")
    assert labels(explain(corpus(first, first))) == {}
    assert labels(explain(corpus(first, second))) == {}


def test_neighbours_must_be_the_same_on_request():
    inner = [tree("so 2 x, the 3 det, cat 0 root, sat 3 y"), tree("so 2 x, the 3 nmod, cat 0 root, sat 3 y")]
    fringe = [tree("the 2 det, cat 0 root, sat 2 y"), tree("the 2 nmod, cat 0 root, ran 2 y")]
    assert ("the", "cat") in labels(explain(corpus(*inner), nonfringe=True))
    assert labels(explain(corpus(*fringe), nonfringe=True)) == {}
    assert ("the", "cat") in labels(explain(corpus(*fringe)))


def test_the_relation_of_the_head_must_be_the_same_on_request():
    subject = tree("the 2 det, cat 3 subj, sat 0 root")
    other = tree("the 2 nmod, cat 3 obj, ate 0 root")
    same = tree("the 2 nmod, cat 3 subj, ate 0 root")
    assert labels(explain(corpus(subject, other), dep_context=True)) == {}
    assert ("the", "cat") in labels(explain(corpus(subject, same), dep_context=True))


def test_punctuation_is_left_out_unless_kept():
    trees = [tree("sit 0 root, . 1 punct"), tree("sit 0 root, . 1 dep")]
    assert labels(explain(corpus(*trees))) == {}
    assert labels(explain(corpus(*trees), punctuation="keep")) == {("sit", "."): {"L-punct": 1, "L-dep": 1}}


def test_lemmas_and_lower_case_match_more_words():
    one, two = tree("the 2 det, cats 0 root"), tree("The 2 nmod, cat 0 root")
    one = replace(one, columns={"lemma": ("the", "cat")})
    two = replace(two, columns={"lemma": ("_", "cat")})
    assert not explain(corpus(one, two)).types
    assert not explain(corpus(one, two), match="lemma").types
    found = explain(corpus(one, two), match="lemma", case="lower")
    assert [nucleus.words for each in found.types for nucleus in each.nuclei] == ["the cats"]


def test_a_part_of_speech_that_decides_is_a_facet():
    noun = tree("to 2 case, run 0 root", "ADP NOUN")
    verb = tree("to 2 mark, run 0 root", "PART VERB")
    (only,) = explain(corpus(noun, verb)).types
    assert "part of speech decides" in only.facets
    mixed = tree("to 2 mark, run 0 root", "ADP NOUN")
    (only,) = explain(corpus(noun, mixed)).types
    assert "part of speech decides" not in only.facets


def test_examples_are_few_and_counts_are_all():
    trees = [tree("a 2 x, b 0 r")] * 20 + [tree("a 2 y, b 0 r")]
    (nucleus,) = explain(corpus(*trees), examples=2).types[0].nuclei
    assert sorted(nucleus.counts) == [1, 20]
    assert len(nucleus.places) == 3


def test_empty_sentences_and_tokens_under_themselves_do_no_harm():
    loop = DepTree(("a", "b"), (1, 1), ("x", "y"))
    found = explain(corpus(loop, DepTree((), (), ()), tree("a 0 r, b 1 z")))
    assert [each.reason for each in found.ignored] == ["empty_tree"]
    assert labels(found) == {("a", "b"): {"L-y": 1, "L-z": 1}}
    assert found.counts["cyclic_trees"] == 1
    nothing = explain(corpus(DepTree((), (), ())))
    assert (nothing.types, nothing.tokens) == ((), 0)


@settings(max_examples=300)
@given(corpora(), st.booleans(), st.booleans(), st.booleans())
def test_pairs_are_those_of_the_definition(trees, nil_internal, nonfringe, dep_context):
    options = {"nil_internal": nil_internal, "nonfringe": nonfringe, "dep_context": dep_context}
    assert labels(explain(corpus(*trees), **options)) == naive(trees, **options)


@given(corpora())
def test_a_corpus_doubled_has_the_same_types(trees):
    once, twice = explain(corpus(*trees)), explain(corpus(*trees, *trees))
    assert [each.code for each in once.types] == [each.code for each in twice.types]


@given(corpora(), st.randoms(use_true_random=False))
def test_the_order_of_sentences_changes_nothing(trees, rng):
    ours = labels(explain(corpus(*trees)))
    shuffled = random.Random(rng.random()).sample(trees, len(trees))
    assert labels(explain(corpus(*shuffled))) == ours


@given(st.lists(st.text("ab", max_size=6), max_size=5))
def test_repeated_strings_are_all_that_occur_twice(sentences):
    text = CorpusWords.of([list(each) for each in sentences])
    expected = defaultdict(list)
    for number, each in enumerate(sentences):
        for first in range(len(each)):
            for end in range(first + 1, len(each) + 1):
                expected[each[first:end]].append((number, first))
    found = defaultdict(list)
    for length, starts, strings in repeated(text):
        by_string = defaultdict(list)
        for start, string in zip(starts.tolist(), strings.tolist(), strict=True):
            by_string[string].append(text.place(start))
        for places in by_string.values():
            number, first = places[0]
            found[sentences[number][first : first + length]] += places
    assert found == {string: places for string, places in expected.items() if len(places) > 1}


def test_evidence_is_rarity_context_and_the_words_between():
    """By hand: one of three is rare; "so" before, "!" after and "the" between are the same."""
    first = tree("so 2 x, saw 0 root, the 4 det, cat 2 obj, ! 2 y")
    second = tree("so 2 x, saw 0 root, the 4 det, cat 2 obl, ! 2 y")
    third = tree("we 2 z, saw 0 root, the 4 det, cat 2 obj")
    found = explain(corpus(first, third, second))
    ((nucleus,),) = [each.nuclei for each in found.types]
    assert nucleus.words == "saw [...] cat"
    assert nucleus.evidence == pytest.approx(-log2(1.5 / 4) + 1 + 1 + 1)
    assert [place.item for place in nucleus.places[:2]] == ["s2", "s0"]
    (change,) = nucleus.changes
    assert (change.kind, change.positions, sorted(change.labels)) == ("relation", (3,), ["obj", "obl"])


def test_the_strongest_evidence_comes_first():
    weak = [tree("a 2 x, b 0 r"), tree("a 2 y, b 0 r")]
    strong = [tree("c 2 x, d 0 r")] * 9 + [tree("c 2 y, d 0 r")]
    found = explain(corpus(*weak, *strong))
    assert [nucleus.words for each in found.types for nucleus in each.nuclei] == ["c d", "a b"]
    assert found.types[0].nuclei[0].evidence == pytest.approx(-log2(1.5 / 11))


def test_masked_words_are_in_no_pair_and_their_number_is_said():
    trees = [tree("__ 2 x, d 0 r, e 2 s"), tree("__ 2 y, d 0 r, e 2 t")]
    found = explain(corpus(*trees))
    assert list(labels(found)) == [("d", "e")]
    assert found.counts["excluded_words"] == 2
    assert any(note.startswith("2 words that match _+ are in no nucleus") for note in found.notes)
    assert list(labels(explain(corpus(*trees), exclude="none"))) == [("__", "d"), ("d", "e")]
    assert found.settings["exclude"] == "_+"


@settings(max_examples=200)
@given(corpora())
def test_evidence_is_the_largest_of_all_pairs_of_places(trees):
    for each in explain(corpus(*trees), examples=1000).types:
        for nucleus in each.nuclei:
            if len({(place.item, place.positions) for place in nucleus.places}) < len(nucleus.places):
                continue  # two words that are each other's head have two labels in one place
            values = [
                by_hand(trees, nucleus, *sorted(pair, key=lambda place: nucleus.counts[place.fragment]))
                for pair in combinations(nucleus.places, 2)
                if edge(each, pair[0]) != edge(each, pair[1])
            ]
            assert nucleus.evidence == pytest.approx(max(values))


def edge(each, place):
    return [(node.parent, node.edge) for node in each.fragments[place.fragment].nodes]


def by_hand(trees, nucleus, rare, other):
    """The evidence of two places, word by word."""
    rarity = -log2((nucleus.counts[rare.fragment] + 0.5) / (sum(nucleus.counts) + len(nucleus.counts) / 2))
    words = [trees[int(place.item[1:])].tokens for place in (rare, other)]
    (a, b), (c, d) = rare.positions, other.positions
    before = [words[0][:a][::-1], words[1][:c][::-1]]
    after = [words[0][b + 1 :], words[1][d + 1 :]]
    between = Counter(words[0][a + 1 : b]) & Counter(words[1][c + 1 : d])
    return rarity + _same(*before) + _same(*after) + between.total()


def _same(ours, theirs):
    count = 0
    for x, y in zip(ours[:2], theirs[:2], strict=False):
        if x != y:
            break
        count += 1
    return count


def test_several_coders_can_be_one_corpus():
    study = study_of({"s": {"a": FIRST, "b": SECOND}})
    assert len(labels(explain(study, mode="corpus"))) == 3


@pytest.mark.parametrize("language", ["da", "en"])
def test_a_real_corpus_has_the_pairs_of_the_definition(data, language):
    from arbitree.reading.assembly import read_study

    study = read_study([str(data / "syn-agreement" / "cdt" / f"{language}-lotte.conll")])
    trees = [cells[0].value for _, cells in study][:60]
    found = explain(study.select(items=[item.id for item in study.items[:60]]))
    assert labels(found) == naive(trees, left_out=("pnct",))
