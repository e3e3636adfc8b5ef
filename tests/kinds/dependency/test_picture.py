"""Overlays of dependency trees: what is agreed, where things go, and the pictures of it."""

import random
import re
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.drawing.badges import OTHER_WORDS
from arbitree.drawing.lettering import columns
from arbitree.kinds.dependency.picture.layout import ABOVE, lay_out
from arbitree.kinds.dependency.picture.overlay import fold, overlay_of
from arbitree.kinds.dependency.picture.svg import _metrics as pixels
from arbitree.kinds.dependency.picture.svg import arcs_svg
from arbitree.kinds.dependency.picture.text import _metrics as letters
from arbitree.kinds.dependency.picture.text import arcs_text
from arbitree.kinds.dependency.value import DepTree
from tests.support.build import dep, random_dep
from tests.support.pictures import HOSTILE, PAIR, SVG, WORDS, parsed, with_class, words_of

SHAPES = settings(max_examples=60)


@st.composite
def trees(draw, max_size=25, max_coders=5):
    """Trees of one sentence by several coders, who differ in a few heads and relations; cycles included."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    size = draw(st.integers(1, max_size))
    first = random_dep(rng, size)
    words = tuple(rng.choice(WORDS) for _ in range(size))
    found = {}
    for number in range(draw(st.integers(1, max_coders))):
        heads, relations = list(first.heads), list(first.relations)
        for _ in range(rng.randint(0, 3)):
            heads[rng.randrange(size)] = rng.randint(0, size)
            relations[rng.randrange(size)] = rng.choice(("mod", "<b>", "a long relation:of\x07"))
        found[f"coder{number}"] = DepTree(words, tuple(heads), tuple(relations))
    return found


@given(trees())
def test_every_claim_of_every_coder_is_in_one_arc(found):
    overlay = overlay_of(found)
    claims = [
        (overlay.coders[coder], arc.token, arc.head, reading.label)
        for arc in overlay.arcs
        for reading in arc.readings
        for coder in reading.coders
    ]
    expected = {
        (coder, token, head, relation)
        for coder, tree in found.items()
        for token, (head, relation) in enumerate(zip(tree.heads, tree.relations, strict=True), start=1)
    }
    assert len(claims) == len(expected)
    assert set(claims) == expected
    assert len({(arc.token, arc.head) for arc in overlay.arcs}) == len(overlay.arcs)


@given(trees())
def test_a_token_is_contested_if_and_only_if_coders_differ_there(found):
    overlay = overlay_of(found)
    for token in range(1, len(overlay.tokens) + 1):
        heads = {tree.heads[token - 1] for tree in found.values()}
        labels = {tree.relations[token - 1] for tree in found.values()}
        expected = "head" if len(heads) > 1 else "label" if len(labels) > 1 else None
        assert overlay.contested.get(token) == expected


@SHAPES
@given(trees(), st.sampled_from([pixels, letters]), st.sampled_from([60, 300, 2000]))
def test_layout_holds_all_words_and_arcs_and_nothing_overlaps(found, metrics, widest):
    overlay = overlay_of(found)
    measured = metrics(widest)
    layout = lay_out(overlay, measured)
    words = [word for row in layout.rows for word in row.words]
    assert [word.token for word in words] == list(range(1, len(overlay.tokens) + 1))
    drawn = [(line.arc, len(line.tips)) for row in layout.rows for line in row.lines]
    for arc in overlay.arcs:
        pieces = [tips for each, tips in drawn if each == arc]
        assert pieces in ([2], [1, 1]) if arc.head else pieces == [1]
    for row in layout.rows:
        for before, after in zip(row.words, row.words[1:], strict=False):
            assert before.start + before.width <= after.start
        for word in row.words:
            assert measured.word(word.text) <= word.width
        tips = [(line.side, x) for line in row.lines for x, _ in line.tips]
        assert len(set(tips)) == len(tips)  # every end has a place of its own
        for one, other in combinations(row.lines, 2):
            levels = [set(range(each.level, each.level + len(each.arc.readings))) for each in (one, other)]
            if one.side == other.side and levels[0] & levels[1]:
                (first, last), (start, end) = (_extent(overlay, line, measured) for line in (one, other))
                assert last <= start or end <= first


def _extent(overlay, line, metrics):
    half = max(metrics.reading(overlay, each, line.badged, line.mark) for each in line.arc.readings) / 2
    return min(line.left, line.label - half), max(line.right, line.label + half)


@SHAPES
@given(trees())
def test_svg_is_well_formed_and_holds_every_token_inside_its_frame(found):
    picture = arcs_svg(overlay_of(found))
    root = parsed(picture)
    assert not re.search(r"\b(nan|inf)\b", re.sub(r">[^<]*<", "><", picture), re.IGNORECASE)
    tokens = [each for each in root.iter(f"{SVG}g") if each.get("class") == "token"]
    assert [each.get("data-token") for each in tokens] == [str(k + 1) for k in range(len(tokens))]
    assert len(tokens) == len(next(iter(found.values())))
    width, height = float(root.get("width")), float(root.get("height"))
    for each in root.iter(f"{SVG}text", f"{SVG}rect"):
        assert 0 <= float(each.get("x")) <= width
        assert 0 <= float(each.get("y")) <= height
    assert not root.xpath("//@style | //@*[starts-with(name(), 'on')]")
    assert not list(root.iter(f"{SVG}script"))


@SHAPES
@given(trees())
def test_text_fits_a_terminal_and_holds_every_word(found):
    overlay = overlay_of(found)
    text = arcs_text(overlay)
    assert all(columns(line) <= 100 for line in text.splitlines())
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e]", text)
    plain = text.replace("\u200e", "")
    assert all(overlay.word(token) in plain for token in range(1, len(overlay.tokens) + 1))


@given(trees(max_coders=1))
def test_one_coder_has_arcs_above_the_words_only(found):
    overlay = overlay_of(found)
    lines = [line for row in lay_out(overlay, pixels(960)).rows for line in row.lines]
    assert {line.side for line in lines} == {ABOVE}
    assert not with_class(arcs_svg(overlay), "own")


def test_agreed_arcs_are_drawn_once_and_contested_ones_with_badges():
    picture = arcs_svg(overlay_of(PAIR))
    labels = [each.text for each in with_class(picture, "edge")]
    assert sorted(labels) == sorted(["nsubj", "root", "obj", "case", "obl", "nmod"])
    assert {each.text for each in with_class(picture, "edge") if "own" in each.get("class")} == {
        "obl",
        "nmod",
    }
    (contested,) = [each for each in parsed(picture).iter(f"{SVG}g") if each.get("tabindex")]
    assert contested.find(f"{SVG}title").text == "Malo: obl of saw (ann); nmod of boats (bob)."
    assert len(with_class(picture, "under")) == 1


def test_coders_have_a_colour_and_a_dash_pattern_each():
    picture = arcs_svg(overlay_of(PAIR))
    lines = {each.get("class") for each in with_class(picture, "arc") if each.getparent().get("tabindex")}
    assert lines == {"arc own hue-0 dash-0", "arc own hue-1 dash-1"}


def test_same_head_with_another_label_is_one_arc_with_two_labels():
    other = DepTree(PAIR["ann"].tokens, PAIR["ann"].heads, ("nsubj", "root", "obl", "case", "obl"))
    picture = arcs_svg(overlay_of({"ann": PAIR["ann"], "bob": other}))
    (group,) = [each for each in parsed(picture).iter(f"{SVG}g") if each.get("tabindex")]
    assert len([each for each in group if (each.get("class") or "").startswith("arc")]) == 1
    assert [each.text for each in group.iter(f"{SVG}text") if "edge" in each.get("class")] == ["obj", "obl"]
    assert not with_class(picture, "under")  # the head is not contested


def test_an_arc_of_several_coders_has_stripes_of_their_colours():
    picture = arcs_svg(overlay_of({**PAIR, "cho": PAIR["bob"]}))
    striped = [each for each in with_class(picture, "arc") if each.get("stroke-dasharray")]
    assert [each.get("class") for each in striped] == ["arc own hue-1", "arc own hue-2"]
    assert len({each.get("d") for each in striped}) == 1
    assert len({each.get("stroke-dashoffset") for each in striped}) == 2


def test_a_projective_tree_has_no_crossing_lines():
    """By hand: the second word governs the first and the fourth, the fourth the third."""
    text = arcs_text(overlay_of({"ann": dep((2, 0, 4, 2))}))
    assert "┼" not in text


def test_arcs_of_a_non_projective_tree_cross():
    text = arcs_text(overlay_of({"ann": dep((3, 4, 0, 3))}))
    assert "┼" in text


def test_right_to_left_scripts_follow_the_order_of_reading():
    tree = dep((2, 0, 2), ("nsubj", "root", "punct"), ("החתול", "ישן", "!"))
    places = [float(each.get("x")) for each in words_of(arcs_svg(overlay_of({"ann": tree})))]
    assert places == sorted(places, reverse=True)
    text = arcs_text(overlay_of({"ann": tree})).replace("\u200e", "")
    row = next(line for line in text.splitlines() if "ישן" in line)
    assert row.index("!") < row.index("ישן") < row.index("החתול")


def test_wide_and_combining_characters_are_measured():
    places = []
    for word in ("abcdefgh", "水水水水", "a\u0301b\u0301c\u0301d\u0301e\u0301f\u0301g\u0301h\u0301"):
        picture = arcs_svg(overlay_of({"ann": dep((2, 0), tokens=(word, "end"))}))
        places.append([each.get("x") for each in words_of(picture)])
    assert places[0] == places[1] == places[2]


def test_long_sentences_go_on_in_rows_with_marked_stubs():
    size = 40
    heads = [0] + [1] * (size - 1)
    overlay = overlay_of({"ann": dep(heads)})
    assert len(lay_out(overlay, pixels(960)).rows) > 1
    picture = arcs_svg(overlay)
    labels = {each.text for each in with_class(picture, "edge")}
    assert {"x → 40 w39", "x ← 1 w0"} <= labels
    assert "words 1 to" in arcs_text(overlay)


@pytest.mark.parametrize("word", HOSTILE)
def test_hostile_words_labels_and_coders_are_text(word):
    found = {
        f"ann{word}": dep((0, 1), (word or "x", "y"), (word, "b")),
        f"bob{word}": dep((2, 0), (word or "x", "z"), (word, "b")),
    }
    picture = arcs_svg(overlay_of(found))
    assert {each.tag.removeprefix(SVG) for each in parsed(picture).iter()} <= {
        "svg", "g", "text", "path", "rect", "title",
    }  # fmt: skip


def test_alternative_says_what_differs():
    assert overlay_of(PAIR).alternative == (
        "Dependency arcs of ann and bob over 5 words: 1 contested. "
        "Malo: obl of saw (ann); nmod of boats (bob)."
    )
    assert overlay_of({"ann": PAIR["ann"], "bob": PAIR["ann"]}).alternative.endswith("all agreed.")
    assert "not annotated: cho" in arcs_text(overlay_of(PAIR, ("ann", "bob", "cho")))


def test_colours_stay_with_the_coder_when_another_is_missing():
    picture = arcs_svg(overlay_of(PAIR, ("zoe", "ann", "bob")))
    lines = {each.get("class") for each in with_class(picture, "arc") if each.getparent().get("tabindex")}
    assert lines == {"arc own hue-1 dash-1", "arc own hue-2 dash-2"}


def test_a_tree_without_words_is_drawn():
    assert parsed(arcs_svg(overlay_of({"ann": DepTree((), (), ())}))).get("aria-label")
    assert arcs_text(overlay_of({"ann": DepTree((), (), ())})) == ""


@given(trees(), st.integers(0, 2**32))
@SHAPES
def test_what_is_decided_is_drawn_with_a_check_mark_and_never_in_colour_alone(found, seed):
    rng = random.Random(seed)
    first = next(iter(found.values()))
    size = len(first.tokens)
    decided = {
        token: (rng.choice([None, rng.randint(0, size)]), rng.choice([None, "mod", "<own>"]))
        for token in rng.sample(range(1, size + 1), rng.randint(1, size))
    }
    overlay = overlay_of(found, decided=decided)
    ticked = {arc.token for arc in overlay.arcs for reading in arc.readings if reading.tick}
    assert (
        ticked == {token for token, pair in decided.items() if pair != (None, None)} == set(overlay.decided)
    )
    for token, (head, label) in overlay.decided.items():
        arcs = overlay.arcs_of(token)
        assert head is None or [arc.head for arc in arcs if arc.decided] == [head]
        assert all(arc.passed == (head is not None and arc.head != head) for arc in arcs)
        shown = {reading.label for arc in arcs for reading in arc.readings if reading.tick}
        assert label is None or shown == {label}
        assert "decided" in overlay.sentence(token)
    picture = arcs_svg(overlay)
    assert bool(with_class(picture, "badge")) or not ticked
    marks = [each.findtext(f"{SVG}text") for each in with_class(picture, "badge")]
    assert sum(mark.startswith("✓") for mark in marks if mark) >= len(ticked)
    assert ("✓" in arcs_text(overlay)) == bool(ticked)


@given(trees())
def test_pictures_without_decisions_stay_as_they_are(found):
    for nothing in (None, {}, {1: (None, None)}):
        overlay = overlay_of(found, decided=nothing)
        assert arcs_svg(overlay) == arcs_svg(overlay_of(found))
        assert arcs_text(overlay) == arcs_text(overlay_of(found))
        assert overlay.alternative == overlay_of(found).alternative


@pytest.mark.parametrize(
    ("decided", "said"),
    [
        ({5: (3, "nmod")}, "decided nmod of boats."),
        ({5: (0, "parataxis")}, "decided parataxis of the root."),
        ({5: (1, None)}, "decided head Gulls."),
        ({5: (0, None)}, "decided head root."),
        ({5: (None, "tmod")}, "decided label tmod."),
    ],
)
def test_the_text_alternative_says_what_is_decided(decided, said):
    overlay = overlay_of(PAIR, decided=decided)
    assert "1 contested, 1 decided." in overlay.alternative
    assert overlay.alternative.endswith(f"Malo: obl of saw (ann); nmod of boats (bob); {said}")


def test_a_word_that_all_agree_on_can_be_decided_otherwise():
    overlay = overlay_of(PAIR, decided={1: (3, "nmod")})
    own, other = sorted(overlay.arcs_of(1), key=lambda arc: arc.passed)
    assert (own.head, own.readings[0].label, own.coders) == (3, "nmod", ())
    assert (other.head, other.passed) == (2, True)
    assert "1 contested, 1 decided" in overlay.alternative  # the coders agree on the word itself


def test_a_head_of_the_adjudicators_own_keeps_the_label_that_all_give():
    label = overlay_of(PAIR, decided={1: (3, None)}).arcs_of(1)[1].readings[0]
    assert (label.label, label.tick) == ("nsubj", "✓")
    open_label = overlay_of(PAIR, decided={5: (1, None)}).arcs_of(5)[2].readings[0]
    assert (open_label.label, open_label.tick) == ("?", "✓ head")


@given(trees(max_size=40), st.integers(0, 2**32))
@SHAPES
def test_folds_hide_no_contested_word_and_no_head_of_one(found, seed):
    rng = random.Random(seed)
    needed = rng.sample(range(1, len(next(iter(found.values()))) + 1), 1)
    overlay = overlay_of(found)
    folded = fold(overlay, needed)
    hidden = {token for first, last in folded.folds.items() for token in range(first, last + 1)}
    assert hidden.isdisjoint(needed)
    assert folded.contested == overlay.contested
    for token in (*overlay.contested, *needed):
        assert token not in hidden
        assert folded.arcs_of(token) == overlay.arcs_of(token)
        assert hidden.isdisjoint(arc.head for arc in overlay.arcs_of(token))
    assert {arc.token for arc in folded.arcs} == {arc.token for arc in overlay.arcs} - hidden
    assert folded.alternative == overlay.alternative


def test_a_long_sentence_is_folded_and_a_short_one_is_not():
    size = 60
    heads, words = (0, *range(1, size)), [f"word{number}" for number in range(1, size + 1)]
    ann, bob = (dep(heads, (label, *["dep"] * (size - 1)), words) for label in ("root", "top"))
    picture = arcs_svg(overlay_of({"ann": ann, "bob": bob}), keys=("1 label",), folded=True)
    assert [each.text for each in words_of(picture)] == ["word1", "word2", "word3"]
    (mark,) = with_class(picture, "fold")
    assert mark.findtext(f"{SVG}text") == "… 57 words …"
    assert mark.findtext(f"{SVG}title").startswith("word4 word5")
    assert arcs_svg(overlay_of(PAIR), keys=("5 head",), folded=True) == ""


def test_a_picture_of_one_tree_without_a_name_tells_nobody():
    hidden = arcs_svg(overlay_of({"": PAIR["ann"]}))
    assert not with_class(hidden, "badge")
    assert "ann" not in hidden


def test_nothing_is_folded_where_annotators_have_different_words():
    """Adjudicators choose a whole tree then, so they need to see all of it."""
    words = tuple("abcdefghij")
    ann, bob = (DepTree(words, (0, *range(1, 10)), (label, *"x" * 9)) for label in ("root", "top"))
    assert fold(overlay_of({"ann": ann, "bob": bob})).folds
    coders = ("ann", "bob", "cho")
    assert not fold(overlay_of({"ann": ann, "bob": bob}, coders, {"cho": OTHER_WORDS})).folds
    assert not fold(overlay_of({"ann": ann}, coders, dict.fromkeys(("bob", "cho"), OTHER_WORDS))).folds
