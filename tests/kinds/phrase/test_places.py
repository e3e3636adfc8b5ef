"""Decisions on phrase structure: worked by hand on small sentences, laws on random ones."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree import plugins
from arbitree.adjudication.whole import sheet_of
from arbitree.errors import ArbitreeError, UnknownName
from arbitree.kinds.phrase.gold import empties
from arbitree.kinds.phrase.kind import KIND
from arbitree.kinds.phrase.spans import crossing
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.content import Content, Entry
from tests.support.build import study_of

NAMES = ("ann", "bob", "cho", "dan")
HIGH = "(S (NP (P we)) (VP (V saw) (NP (N men)) (PP (I with) (N scopes))))"
LOW = "(S (NP (P we)) (VP (V saw) (NP (N men) (PP (I with) (N scopes)))))"
LEFT = "(S (NP (P we) (V saw)) (N men) (I with) (N scopes))"


def read(text):
    (entry,) = plugins.get("formats", "brackets").read(Content("test", text.encode()))
    return entry.value


def written(tree):
    from arbitree.errors import Source

    return "".join(plugins.get("formats", "brackets").write([Entry(tree, Source("test"))])).strip()


def sheet(*trees):
    found = [read(tree) if isinstance(tree, str) else tree for tree in trees]
    study = study_of({"s1": dict(zip(NAMES, found, strict=False))})
    return sheet_of(study, study.items[0], KIND)


def keys(sheet):
    return [place.key for place in sheet.places]


class TestPlaces:
    def test_spans_with_other_labels_and_tags_are_contested(self):
        found = sheet(HIGH, LOW.replace("N scopes", "NNS scopes"))
        assert keys(found) == ["3-5 bracket", "3-3 bracket", "5 tag"]
        assert found.places[0].choices == (("(none)", ("ann",)), ("NP", ("bob",)))
        assert found.places[0].context == "we saw [men with scopes]"
        assert found.places[2].values == ("N", "NNS")

    def test_a_chain_of_phrases_is_one_value(self):
        found = sheet("(S (VP (V go) (R now)))", "(S (V go) (R now))")
        assert found.place("1-2 bracket").values == ("S+VP", "S")

    def test_spans_may_have_gaps(self):
        split = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
        flat = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S"), (3, 3, 3, -1))
        (place,) = sheet(split, flat).places
        assert (place.key, place.words, place.context) == (
            "1-1,3-3 bracket",
            "wake … up",
            "[wake] me [up]",
        )

    @pytest.mark.parametrize(
        "key",
        [
            "0-2 bracket",
            "2-9 bracket",
            "3-2 bracket",
            "1-2,3-4 bracket",
            "2 bracket",
            "bracket",
            "6 tag",
            "x tag",
        ],
    )
    def test_places_that_are_not_there_are_refused(self, key):
        with pytest.raises(UnknownName):
            sheet(HIGH, LOW).place(key)

    def test_any_span_can_be_looked_up(self):
        assert sheet(HIGH, LOW).place("2-3 bracket").choices == (("(none)", ("ann", "bob")),)

    def test_trees_without_words_are_taken_whole(self):
        bare = PhraseTree(("", ""), ("A", "B", "S"), (2, 2, -1))
        assert keys(sheet(bare, replace(bare, labels=("A", "C", "S")))) == ["whole"]
        assert not sheet(bare, bare).places


class TestJudging:
    def test_crossing_brackets_are_refused_with_a_way_out(self):
        verdict = sheet(HIGH, LOW).judge({"3-5 bracket": "NP"}, {"2-3 bracket": "VP"})
        assert verdict.problem == "VP over 'saw men' would cross NP over 'men with scopes'."
        (offer,) = verdict.offers
        assert offer.words == "Remove NP over 'men with scopes'."
        assert offer.changes == {"2-3 bracket": "VP", "3-5 bracket": "(none)"}

    def test_an_agreed_bracket_may_be_taken_away(self):
        verdict = sheet(HIGH, LOW).judge({}, {"1-2 bracket": "X"})
        assert verdict.offers[0].changes == {"1-2 bracket": "X", "2-5 bracket": "(none)"}

    def test_the_whole_sentence_keeps_a_label(self):
        verdict = sheet(HIGH, LOW).judge({}, {"1-5 bracket": "(none)"})
        assert verdict.problem == "The whole sentence must keep a label."
        assert verdict.offers[0].changes == {"1-5 bracket": "S"}

    def test_what_a_bracket_rules_out_is_said(self):
        found = sheet(HIGH, LOW, LEFT)
        verdict = found.judge({}, {"1-2 bracket": "NP"})
        assert verdict.entails == (
            "A bracket over 'saw men with scopes' is no longer possible: it would cross NP over 'we saw'.",
        )
        assert ("2-5 bracket", "VP") in found.blocked(verdict.changes)

    @pytest.mark.parametrize(
        "value", ["", "a b", "(NP", "NP)", "NP+", "+", "S++VP", "-NONE-", "x" * 101, "\x07", "A\nB"]
    )
    def test_labels_that_no_file_can_hold_are_refused(self, value):
        with pytest.raises(ArbitreeError):
            sheet(HIGH, LOW).judge({}, {"2-3 bracket": value})

    def test_a_coder_beside_other_decisions_can_be_taken_in_part(self):
        found = sheet(HIGH, LOW)
        verdict = found.judge({"2-5 bracket": "(none)", "2-3 bracket": "X"}, found.of_coder("bob"))
        assert verdict.problem
        assert {"3-3 bracket": "(none)"} in [offer.changes for offer in verdict.offers]


class TestOutcome:
    def test_a_coder_who_has_it_all_gives_the_tree(self):
        found = sheet(HIGH, LOW)
        assert found.gold({"3-5 bracket": "NP"}) is None
        assert found.gold(found.of_coder("bob")) is found.values["bob"]

    def test_a_bracket_of_ones_own_is_put_in(self):
        found = sheet(HIGH, HIGH.replace("(N men)", "(NNS men)"))
        gold = found.gold({"3 tag": "N", "2-3 bracket": "V2+V1"})
        assert written(gold) == "(S (NP (P we)) (VP (V2 (V1 (V saw) (NP (N men)))) (PP (I with) (N scopes))))"

    def test_one_word_may_stand_without_a_phrase(self):
        found = sheet("(N rain)", "(NP (N rain))")
        assert written(found.gold({"1-1 bracket": "(none)"})) == "(N rain)"
        assert written(found.gold({"1-1 bracket": "X"})) == "(X (N rain))"

    def test_unlabelled_tops_are_kept(self):
        found = sheet(f"( {HIGH})", f"( {LOW})")
        assert keys(found) == ["3-5 bracket", "3-3 bracket"]
        assert written(found.gold({"3-5 bracket": "X", "3-3 bracket": "(none)"})).startswith("( (S (NP")

    def test_traces_that_all_have_are_kept(self):
        one = "(S (NP (P who)) (VP (V go) (X (-NONE- *1*)) (PP (R up))) (-NONE- *2*))"
        two = "(S (NP (P who)) (VP (V go) (X (-NONE- *1*)) (R up)) (-NONE- *3*))"
        found = sheet(one, two)
        assert found.gold(found.of_coder("ann")) is found.values["ann"]
        assert found.left_out(found.of_coder("ann")) == 0
        decisions = {"3-3 bracket": "AP"}
        assert written(found.gold(decisions)) == ("(S (NP (P who)) (VP (V go) (X (-NONE- *1*)) (AP (R up))))")
        assert found.left_out(decisions) == 2
        assert found.remarks[0].startswith("Annotators differ on 2 traces.")

    def test_a_trace_does_not_cut_a_phrase_in_two(self):
        one = "(S (P who) (V goes) (-NONE- *) (R up))"
        two = "(S (NP (P who)) (V goes) (-NONE- *) (R up))"
        found = sheet(one, two)
        decisions = {"1-1 bracket": "(none)", "2-3 bracket": "VP"}
        assert written(found.gold(decisions)) == "(S (P who) (VP (V goes) (R up)))"
        assert found.left_out(decisions) == 1

    def test_columns_of_words_and_edges_that_stay_are_kept(self):
        columns = {
            "edge": ("HD", "MO", "--", "SB"),
            "lemma": ("rain", "hard", "--", "--"),
            "secedges": ("--", "X:2", "--", "--"),
        }
        one = PhraseTree(("rains", "hard"), ("N", "R", "S", "NP"), (3, 2, -1, 2), columns)
        two = PhraseTree(("rains", "hard"), ("N", "A", "S", "NP"), (3, 2, -1, 2))
        gold = sheet(one, two).gold({"2 tag": "X"})
        assert gold.columns == {"lemma": ("rain", "hard", "--", "--"), "edge": ("HD", "--", "--", "SB")}

    def test_so_far_marks_what_is_open(self):
        found = sheet(HIGH, LOW.replace("(S", "(T").replace("N men", "NNS men"))
        assert written(found.so_far({})) == ("(? (NP (P we)) (VP (V saw) (? men) (PP (I with) (N scopes))))")

    def test_brackets_that_came_to_cross_are_no_gold_and_can_be_mended(self):
        """An agreed bracket that was taken away and then left alone again may cross others."""
        found = sheet(HIGH, HIGH.replace("N men", "NNS men"))
        decisions = {"3 tag": "N", "1-2 bracket": "X"}
        assert found.trouble(decisions) == "VP over 'saw men with scopes' crosses X over 'we saw'."
        assert found.gold(decisions) is None
        assert "VP" not in found.so_far(decisions).labels
        assert not found.judge(decisions, {"3 tag": "NNS"}).problem
        assert not found.judge(decisions, {"1-2 bracket": "(none)"}).problem


def random_tree(rng, size, *, gaps, traces=False):
    """A tree that grows from the words: some tops become one, neighbours unless *gaps*."""
    words = [f"w{k}" for k in range(size)]
    labels = [rng.choice("abc") for _ in words]
    if traces:
        for _ in range(rng.randint(0, 2)):
            place = rng.randint(0, len(words))
            words.insert(place, rng.choice("*0"))
            labels.insert(place, "-NONE-")
    count = len(words)
    tops = list(range(count))
    made = []  # the nodes below each phrase, and its label; children before parents
    while len(tops) > 1 or not made:
        start = rng.randrange(len(tops))
        taken = tops[start : start + rng.randint(1, 3)]
        if gaps and rng.random() < 0.3:
            taken = rng.sample(tops, min(len(tops), 2))
        if len(made) > 2 * count:
            taken, start = tops, 0
        made.append((taken, rng.choice("XYZ")))
        tops = [top for top in tops if top not in taken]
        tops.insert(min(start, len(tops)), count + len(made) - 1)
    total = count + len(made)
    place = {node: node if node < count else count + total - 1 - node for node in range(total)}
    parents = [-1] * total
    for number, (below, _) in enumerate(made):
        for node in below:
            parents[place[node]] = place[count + number]
    tags = [*labels, *(label for _, label in reversed(made))]
    tree = PhraseTree(tuple(words), tuple(tags), tuple(parents))
    return tree if gaps else read(written(tree))


@st.composite
def sheets(draw, *, gaps=None, traces=False):
    rng = random.Random(draw(st.integers(0, 2**32)))
    size = draw(st.integers(1, 6))
    gaps = draw(st.booleans()) if gaps is None else gaps
    trees = [random_tree(rng, size, gaps=gaps, traces=traces) for _ in range(draw(st.integers(2, 3)))]
    return sheet(*trees), trees, rng


def wishes(sheet, rng):
    if sheet.places and rng.random() < 0.7:
        place = rng.choice(sheet.places)
        return {place.key: rng.choice(place.values)}
    first = rng.randint(1, len(sheet.tokens))
    last = rng.randint(first, len(sheet.tokens))
    return {f"{first}-{last} bracket": rng.choice(["NEW", "N+E", "(none)"])}


def nested(tree):
    """Whether all spans are nested or apart, by their sets of tokens."""
    sets = [sum(((1 << end) - (1 << start)) for start, end in runs) for runs in tree.yields()]
    return not any(crossing(one, two) for one in sets for two in sets)


@given(sheets())
def test_accepted_choices_always_make_a_tree(made):
    sheet, _, rng = made
    decisions = {}
    for _ in range(40):
        verdict = sheet.judge(decisions, wishes(sheet, rng))
        if not verdict.problem:
            decisions |= verdict.changes
        for offer in verdict.offers:
            again = sheet.judge(decisions, offer.changes)
            assert not again.problem
            assert again.changes == offer.changes
        if verdict.offers and rng.random() < 0.5:
            decisions |= rng.choice(verdict.offers).changes
        assert not sheet.trouble(decisions)
        assert nested(sheet.so_far(decisions))
        gold = sheet.gold(decisions)
        assert (gold is None) == any(place.key not in decisions for place in sheet.places)
        if gold is not None:
            assert gold.tokens == sheet.tokens
            for key, value in decisions.items():
                same = sheet_of_one(gold).place(key).values
                assert same == (value,)


def sheet_of_one(tree):
    return sheet(tree, tree)


@given(sheets())
def test_blocked_choices_are_those_that_are_refused(made):
    sheet, _, rng = made
    decisions = {}
    for _ in range(8):
        verdict = sheet.judge(decisions, wishes(sheet, rng))
        decisions |= {} if verdict.problem else verdict.changes
        refused = {
            (place.key, value)
            for place in sheet.places
            if place.key not in decisions
            for value in place.values
            if sheet.judge(decisions, {place.key: value}).problem
        }
        assert refused == set(sheet.blocked(decisions))


@given(sheets())
def test_all_of_one_coder_is_accepted(made):
    sheet, trees, _ = made
    for coder, tree in zip(NAMES, trees, strict=False):
        wish = sheet.of_coder(coder)
        assert not sheet.judge({}, wish).problem
        assert sheet.gold(wish).brackets() == tree.brackets()


@given(sheets(traces=True))
def test_identical_coders_leave_nothing_to_decide(made):
    tree = made[1][0]
    same = sheet(tree, replace(tree, comments=("# other",)))
    assert not same.places
    assert same.gold({}) is tree


@given(sheets(gaps=False, traces=True))
def test_what_is_built_can_be_written_and_read_back(made):
    sheet, _, rng = made
    decisions = {}
    for _ in range(4):
        verdict = sheet.judge(decisions, wishes(sheet, rng))
        decisions |= {} if verdict.problem else verdict.changes
    for place in sheet.places:
        if place.key not in decisions:
            values = (*place.values, "(none)") if place.what == "bracket" else place.values
            verdicts = [sheet.judge(decisions, {place.key: value}) for value in values]
            decisions |= next(verdict.changes for verdict in verdicts if not verdict.problem)
    gold = sheet.gold(decisions)
    assert read(written(gold)) == gold
    assert sheet.left_out(decisions) >= 0
    assert all(trace in empties(tree) for trace in empties(gold) for tree in made[1]) or gold in made[1]
