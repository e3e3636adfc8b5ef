"""Two versions of a text, sentence by sentence."""

import random
from collections import Counter
from string import ascii_lowercase

from hypothesis import given
from hypothesis import strategies as st

from arbitree.reading.alignment import Sentence, align
from arbitree.study.comparable import common_subsequence

WORDS = ("boat", "hill", "lamp", "rope", "wind", "salt", "fish", "moon", "glass", "door", "bread", "smoke")


def sentences(*texts):
    return [Sentence(tuple(text.split())) for text in texts]


def pairs(ours, theirs):
    return [(each.ours, each.theirs) for each in align(sentences(*ours), sentences(*theirs))]


def longest(first, second):
    """The length of a longest common subsequence, by the textbook recursion."""
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first, start=1):
        for j, b in enumerate(second, start=1):
            lengths[i][j] = lengths[i - 1][j - 1] + 1 if a == b else max(lengths[i - 1][j], lengths[i][j - 1])
    return lengths[-1][-1]


@given(st.text("abcd", max_size=12), st.text("abcd", max_size=12))
def test_a_common_subsequence_is_longest(first, second):
    found = common_subsequence(first, second)
    assert all(first[i] == second[j] for i, j in found)
    assert found == sorted(found)
    assert len({i for i, _ in found}) == len({j for _, j in found}) == len(found) == longest(first, second)


def test_repeated_sentences_match_in_order():
    text = ["Yes .", "A boat came .", "Yes .", "The door broke .", "Yes ."]
    assert pairs(text, text) == [(k, k) for k in range(5)]
    assert pairs(text, text[:2] + text[3:]) == [(0, 0), (1, 1), (3, 2), (4, 3)]


def test_a_repeated_sentence_belongs_to_its_neighbours_even_if_they_differ():
    ours = ["Yes .", "The wind broke our lamp .", "Yes ."]
    assert pairs(ours, ["The wind broke our old lamp .", "Yes ."]) == [(1, 0), (2, 1)]


def test_swapped_sentences_match():
    assert pairs(
        ["Rain fell .", "Snow fell .", "Hail fell ."], ["Rain fell .", "Hail fell .", "Snow fell ."]
    ) == [
        (0, 0),
        (1, 2),
        (2, 1),
    ]


def test_tokenisation_does_not_matter():
    found = align(sentences("I do n't know"), sentences("Well", "I don't know"))
    assert [tuple(each) for each in found] == [(0, 1, "text")]


def test_an_empty_sentence_stands_where_it_stood():
    assert pairs(
        ["A boat came .", "", "The door broke ."], ["A boat came .", "No .", "The door broke ."]
    ) == [
        (0, 0),
        (1, 1),
        (2, 2),
    ]


def test_different_sentences_have_no_partner():
    assert pairs(["A boat came .", "Nobody saw it"], ["A boat came .", "Bread is cheap !"]) == [(0, 0)]
    assert pairs([], ["A boat came ."]) == []


def named(*texts):
    return [Sentence(tuple(text.split()), name) for name, text in texts]


def test_ids_decide_which_of_two_equal_sentences_is_missing():
    ours = named(("a", "Yes ."), ("b", "Yes ."), ("c", "A boat came ."))
    theirs = named(("b", "Yes ."), ("c", "A boat came ."))
    assert [tuple(each) for each in align(ours, theirs)] == [(1, 0, "id"), (2, 1, "id")]


def test_ids_that_only_count_are_not_used():
    """One sentence is inserted in front, so that every id belongs to the next sentence."""
    text = ["Yes .", "Yes .", "A boat came .", "The door broke .", "Bread is cheap ."]
    ours = named(*((str(k), each) for k, each in enumerate(text)))
    theirs = named(*((str(k), each) for k, each in enumerate(["Who is there ?", *text])))
    assert [tuple(each) for each in align(ours, theirs)] == [(k, k + 1, "text") for k in range(5)]


@given(st.integers(0, 2**32))
def test_edited_copies_are_aligned_with_their_originals(seed):
    """Long sentences of few words in common: dropped, inserted, changed in one word; short ones repeat."""
    rng = random.Random(seed)

    def long():
        return " ".join("".join(rng.choices(ascii_lowercase, k=6)) for _ in range(8))

    ours = [
        rng.choice(("Yes .", "No .")) if rng.random() < 0.3 else long() for _ in range(rng.randint(1, 40))
    ]
    theirs, origin = [], []
    for place, text in enumerate(ours):
        if rng.random() < 0.1:
            theirs.append(long())
            origin.append(None)
        if rng.random() < 0.1:
            continue
        words = text.split()
        if len(words) > 2 and rng.random() < 0.2:
            words[rng.randrange(8)] = "changed"
        theirs.append(" ".join(words))
        origin.append(place)
    found = {j: i for i, j in pairs(ours, theirs)}
    assert all(found.get(j) == i for j, i in enumerate(origin) if i is not None and len(ours[i]) > 10)
    assert all(j not in found for j, i in enumerate(origin) if i is None)
    short = Counter(text for text in theirs if len(text) < 10)
    assert sum(len(theirs[j]) < 10 for j in found) == sum(short.values())


def test_long_texts_with_empty_sentences_are_aligned():
    ours = [*[f"{word}{number}" for number in range(60) for word in WORDS[:2]], "", ""]
    theirs = ["", *[f"{word}{number}" for number in range(100, 160) for word in WORDS[2:4]], ""]
    assert all(ours[i] == theirs[j] or "" in (ours[i], theirs[j]) for i, j in pairs(ours, theirs))


def test_long_texts_of_similar_sentences_are_aligned():
    """More sentences than are all compared: every one is changed, and some are missing."""
    rng = random.Random(4)
    ours = [" ".join(f"{rng.choice(WORDS)}{rng.randrange(1000)}" for _ in range(8)) for _ in range(400)]
    kept = [place for place in range(400) if place % 7]
    theirs = [f"{ours[place]} indeed" for place in kept]
    assert pairs(ours, theirs) == [(place, number) for number, place in enumerate(kept)]
