"""Phrase trees side by side: which brackets are marked, where things go, and the pictures of it."""

import random
import re
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from arbitree.api.draw import draw
from arbitree.drawing.lettering import columns
from arbitree.kinds.phrase.picture.layout import lay_out
from arbitree.kinds.phrase.picture.overlay import alternative, fold, side_by_side
from arbitree.kinds.phrase.picture.svg import _metrics as pixels
from arbitree.kinds.phrase.picture.svg import phrases_svg
from arbitree.kinds.phrase.picture.text import _metrics as letters
from arbitree.kinds.phrase.picture.text import phrases_text
from arbitree.kinds.phrase.value import PhraseTree
from tests.support.phrase_trees import HIGH, LOW, tree
from tests.support.pictures import SVG, WORDS, parsed, with_class, words_of

SHAPES = settings(max_examples=60)


def random_phrase(rng, words):
    """A random tree, with broken phrases: any few nodes are joined until one is left."""
    joined, tops = [], list(range(len(words)))
    while len(tops) > 1 or not joined:
        chosen = rng.sample(tops, rng.randint(1, min(3, len(tops))))
        if len(chosen) == 1 and rng.random() < 0.7 and len(tops) > 1:
            continue
        tops = [top for top in tops if top not in chosen] + [len(words) + len(joined)]
        joined.append(chosen)
    size = len(words) + len(joined)
    place = {k: k if k < len(words) else len(words) + size - 1 - k for k in range(size)}
    parents = [-1] * size
    for number, chosen in enumerate(joined):
        for child in chosen:
            parents[place[child]] = place[len(words) + number]
    return PhraseTree(
        words, tuple(rng.choice(("NP", "VP", "a-long-label", "<b>")) for _ in parents), tuple(parents)
    )


@st.composite
def trees(draw, max_size=16, max_coders=4):
    """Trees of one sentence by several coders, some of them alike."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    words = tuple(rng.choice(WORDS[:-1]) for _ in range(draw(st.integers(1, max_size))))
    kinds = [random_phrase(rng, words) for _ in range(2)]
    return {f"coder{k}": rng.choice(kinds) for k in range(draw(st.integers(1, max_coders)))}


def marks(found):
    return {
        (name, node.label, found_tokens)
        for each in found
        for name in each.coders
        for node, found_tokens in zip(each.nodes, each.tokens, strict=True)
        if node.mark
    }


@given(trees())
def test_marked_are_the_brackets_that_not_all_have(found):
    shown = side_by_side(found)
    assert sorted(name for each in shown for name in each.coders) == sorted(found)
    everywhere = frozenset.intersection(*(each.brackets() for each in found.values()))
    for each in shown:
        for node, tokens in zip(each.nodes, each.tokens, strict=True):
            runs = tuple(_runs(tokens))
            if (node.label, runs) not in everywhere:
                assert node.mark
    if len(shown) == 1:
        assert not marks(shown)


def _runs(tokens):
    start = tokens[0]
    for before, token in zip(tokens, [*tokens[1:], None], strict=True):
        if token != before + 1:
            yield start, before + 1
            start = token


def test_a_bracket_that_one_has_is_told_from_another_label():
    both = side_by_side({"ann": tree(LOW), "bob": tree(HIGH)})
    assert marks(both) == {("ann", "NP", (2, 3, 4))}
    other = side_by_side({"ann": tree(HIGH), "bob": tree(HIGH.replace("(PP ", "(PP-LOC "))})
    assert [node.mark for each in other for node in each.nodes if node.mark] == ["relabelled", "relabelled"]
    assert [node.others for each in other for node in each.nodes if node.mark] == ["bob: PP-LOC", "ann: PP"]


def test_one_more_unary_phrase_is_marked_once():
    both = side_by_side({"ann": tree("(S (NP (NP (NN a))) (VB b))"), "bob": tree("(S (NP (NN a)) (VB b))")})
    assert [node.mark for node in both[0].nodes if node.mark] == ["own"]
    assert not [node.mark for node in both[1].nodes if node.mark]


def test_equal_trees_are_drawn_once():
    assert [
        each.coders for each in side_by_side({"ann": tree(LOW), "bob": tree(HIGH), "cho": tree(LOW)})
    ] == [
        ("ann", "cho"),
        ("bob",),
    ]


@SHAPES
@given(trees(), st.sampled_from([pixels, letters]), st.booleans())
def test_words_keep_their_order_and_labels_do_not_overlap(found, metrics, folded):
    shown = side_by_side(found)
    measured = metrics()
    layout = lay_out(fold(shown) if folded and len(shown) > 1 else shown, measured)
    starts = [layout.columns[slot].start for slot in sorted(layout.columns)]
    assert starts == sorted(starts)
    for panel in layout.panels:
        own = panel.tree
        for place, node in enumerate(own.nodes):
            if node.parent >= 0:
                assert panel.rows[place] < panel.rows[node.parent]
        for one, other in combinations(range(len(own.nodes)), 2):
            if panel.rows[one] == panel.rows[other]:
                halves = sum(measured.label(own.nodes[k]) for k in (one, other)) / 2
                assert abs(panel.middles[one] - panel.middles[other]) >= halves - 1e-6


@SHAPES
@given(trees())
def test_svg_is_well_formed_and_holds_every_word_of_every_tree(found):
    shown = side_by_side(found)
    picture = phrases_svg(shown, folded=False)
    assert not re.search(r"\b(nan|inf)\b", re.sub(r">[^<]*<", "><", picture), re.IGNORECASE)
    assert len(words_of(picture)) == len(shown) * len(next(iter(found.values())).words)
    root = parsed(picture)
    labels = len(with_class(picture, "label"))
    assert labels == sum(len(each.nodes) for each in shown)
    assert len(with_class(picture, "branch")) >= sum(len(each.nodes) - 1 for each in shown)
    width, height = float(root.get("width")), float(root.get("height"))
    for each in words_of(picture):
        assert 0 <= float(each.get("x")) <= width
        assert 0 <= float(each.get("y")) <= height
    assert not root.xpath("//@style | //@*[starts-with(name(), 'on')]")


@SHAPES
@given(trees())
def test_text_fits_a_terminal(found):
    text = phrases_text(side_by_side(found))
    assert all(columns(line) <= 100 for line in text.splitlines())
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e]", text)


def test_trees_are_aligned_by_words():
    picture = phrases_svg(side_by_side({"ann": tree(LOW), "bob": tree(HIGH)}), widest=0)
    places = [each.get("x") for each in words_of(picture)]
    assert places[:5] == places[5:]
    beside = [
        float(each.get("x"))
        for each in words_of(phrases_svg(side_by_side({"ann": tree(LOW), "bob": tree(HIGH)})))
    ]
    assert {round(b - a, 1) for a, b in zip(beside[:5], beside[5:], strict=True)} == {
        round(beside[5] - beside[0], 1)
    }


def test_differing_tags_and_traces_keep_the_alignment():
    trace = "(S (NP (-NONE- *)) (VP (VB go) (NP (-NONE- *T*))))"
    picture = phrases_svg(side_by_side({"ann": tree(trace), "bob": tree("(S (VP (VB go)))")}), widest=0)
    places = {each.text: [] for each in words_of(picture)}
    for each in words_of(picture):
        places[each.text].append(each.get("x"))
    assert len(set(places["go"])) == 1
    assert set(places) == {"*", "go", "*T*"}


def test_broken_phrases_keep_the_order_of_words_and_cross():
    broken = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    shown = side_by_side({"ann": broken})
    assert [each.text for each in sorted(words_of(phrases_svg(shown)), key=lambda e: float(e.get("x")))] == [
        "wake", "me", "up",
    ]  # fmt: skip
    assert "┼" in phrases_text(shown)


def test_long_sentences_fold_what_all_share():
    many = " ".join(f"(NN wave{number})" for number in range(20))
    ours = f"(S (NP (NP {many}) (X (UH oh) (UH no))) (VP (VB go)))"
    theirs = f"(S (NP {many}) (X (UH oh) (UH no)) (VP (VB go)))"
    shown = side_by_side({"ann": tree(ours), "bob": tree(theirs)})
    picture = phrases_svg(shown)
    assert len(with_class(picture, "triangle")) == 2
    assert "wave0 … wave19" in [each.text for each in words_of(picture)]
    assert not with_class(phrases_svg(shown, folded=False), "triangle")
    text = phrases_text(shown)
    assert "wave0 … wave19" in text
    assert "wave7" not in text


@given(trees())
@SHAPES
def test_triangles_hide_no_bracket_that_not_all_have(found):
    shown = side_by_side(found)
    if len(shown) > 1:
        assert marks(fold(shown)) == marks(shown)


def test_a_tree_too_wide_for_the_terminal_is_an_outline():
    wide = tree(f"(S {' '.join(f'(NN word{number})' for number in range(40))})")
    text = phrases_text(side_by_side({"ann": wide}))
    assert "├─ NN word7" in text


def test_right_to_left_scripts_follow_the_order_of_reading():
    places = [
        float(e.get("x"))
        for e in words_of(phrases_svg(side_by_side({"ann": tree("(S (NN החתול) (VB ישן))")})))
    ]
    assert places == sorted(places, reverse=True)


def test_alternative_says_what_differs():
    both = side_by_side({"ann": tree(LOW), "bob": tree(HIGH)})
    assert (
        alternative(both)
        == "Phrase-structure trees of ann and bob over 5 words: 1 contested. ann: NP over boats off Malo."
    )
    picture = phrases_svg(both)
    assert parsed(picture).get("aria-label") == alternative(both)


def test_deep_and_unlabelled_trees_are_drawn():
    deep = tree("(A " * 400 + "(B b)" + ")" * 400)
    shown = side_by_side({"ann": deep})
    assert etree.fromstring(phrases_svg(shown)) is not None
    assert phrases_text(shown)
    bare = side_by_side({"ann": tree("(S sea (NP calm))")})
    assert [each.text for each in words_of(phrases_svg(bare))] == ["sea", "calm"]
    assert parsed(phrases_svg(bare)).tag == f"{SVG}svg"


def test_a_decided_tree_stands_beside_the_others_with_a_check_mark():
    pair = {"ann": tree(LOW), "bob": tree(HIGH)}
    plain, picture = draw(pair), draw(pair, decided=tree(HIGH))
    assert len(picture.parts[0].trees) == 3
    assert picture.parts[0].trees[:2] == plain.parts[0].trees
    assert picture.markup.count('class="panel decided"') == 1
    assert "✓ decided" in picture.markup
    assert "✓ decided" in picture.text
    assert picture.differences == plain.differences
    assert picture.alternative.startswith(plain.alternative)
    assert " Decided: " in picture.alternative


def test_a_decided_tree_like_all_others_is_said_to_be():
    picture = draw({"ann": tree(LOW), "bob": tree(LOW)}, decided=tree(LOW))
    assert picture.alternative.endswith("all agreed. Decided: as all annotators agree.")


def test_nothing_is_drawn_as_decided_where_words_differ():
    pair = {"ann": tree(LOW), "bob": tree(HIGH.replace("Malo", "Sark"))}
    assert draw(pair, decided=tree(LOW)).markup == draw(pair).markup


def test_a_picture_of_one_tree_without_a_name_tells_nobody():
    hidden = draw({"": tree(LOW)}).markup
    assert 'class="who"' not in hidden
    assert "✓" not in hidden
