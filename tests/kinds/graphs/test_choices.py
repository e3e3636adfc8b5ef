"""Adjudication of graphs: the places, the consequences of a choice, and the gold graph."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import kinds
from arbitree.adjudication.places import NOTHING
from arbitree.errors import UnknownName
from arbitree.formats.penman_notation import Line, parse_graph, penman_text, unreached
from arbitree.kinds.graphs import matching
from arbitree.kinds.graphs.alignment import solve
from arbitree.kinds.graphs.choices import graph_sheet
from arbitree.kinds.graphs.value import Graph, Node, Semantics, turned
from arbitree.study.study import Item
from tests.support.penman_graphs import WORKED, graph, graphs

KIND = kinds.kinds()["graphs"]
ITEM = Item("s1", "text", "s1")


def sheet(**values):
    return graph_sheet(
        ITEM, {name: graph(each) if isinstance(each, str) else each for name, each in values.items()}
    )


TELESCOPE = sheet(
    ann="(s / see-01 :ARG0 (p / person) :ARG1 (s2 / seal) :instrument (t / telescope :poss p))",
    bob="(s / see-01 :ARG0 (p / person) :ARG1 (s2 / seal :accompanier (t / telescope)))",
)
OLD = sheet(
    ann="(h / help-01 :ARG0 (n / nurse) :ARG1 (p / patient :mod (o / old :degree (v / very))))",
    bob="(h / help-01 :ARG0 (n / nurse) :ARG1 (p / patient))",
)


def test_a_node_is_decided_together_with_what_belongs_to_it():
    assert OLD.groups == (("o concept", "p>o role", "v concept", "o>v role"),)
    assert OLD.given_together(OLD.groups[0]) == {
        ("old", ":mod", "very", ":degree"): ("ann",),
        (NOTHING,) * 4: ("bob",),
    }


def test_an_edge_that_is_moved_is_decided_with_the_edge_that_it_replaces():
    assert TELESCOPE.groups == (("s>t role", "s2>t role"),)
    assert {place.key for place in TELESCOPE.places} == {"s>t role", "s2>t role", "t>p role"}


def test_removing_a_node_removes_its_edges_and_what_hangs_on_them_stays_open():
    found = OLD.judge({}, {"o concept": NOTHING})
    assert found.changes == {"o concept": NOTHING, "p>o role": NOTHING, "o>v role": NOTHING}
    assert found.entails == ("Decided as well: role of patient → old: (none); role of old → very: (none).",)


def test_choosing_an_edge_chooses_its_only_possible_end():
    assert OLD.judge({}, {"p>o role": ":mod"}).changes == {"p>o role": ":mod", "o concept": "old"}


def test_an_edge_to_a_removed_node_is_refused_with_a_way_out():
    found = OLD.judge({"o concept": NOTHING}, {"p>o role": ":mod"})
    assert found.problem == "old (o) is removed, but there is an edge :mod from patient (p) to old (o)."
    assert [(offer.words, offer.changes) for offer in found.offers] == [
        ("Add old as well.", {"p>o role": ":mod", "o concept": "old"})
    ]
    back = OLD.judge({"p>o role": ":mod", "o concept": "old"}, {"o concept": NOTHING})
    assert back.problem
    assert back.offers[0].changes["p>o role"] == NOTHING
    assert not OLD.judge({}, back.offers[0].changes).problem


def test_values_of_a_removed_node_are_marked():
    assert OLD.blocked({"o concept": NOTHING}) == {
        ("p>o role", ":mod"): "old (o) is removed",
        ("o>v role", ":degree"): "old (o) is removed",
    }


def test_the_top_cannot_be_removed():
    found = sheet(ann="(a / x :r (b / y))", bob="(a / z :r (b / y))").judge({}, {"a concept": NOTHING})
    assert (found.problem, found.offers) == ("x (a) is the top, so it cannot be removed.", ())


def test_all_values_of_an_annotator_give_the_graph_of_this_annotator():
    for found in (TELESCOPE, OLD):
        for coder, value in found.values.items():
            wish = found.judge({}, found.of_coder(coder))
            assert not wish.problem
            assert found.gold(wish.changes) is value


def test_gold_can_mix_annotators():
    chosen = {"s>t role": NOTHING, "s2>t role": ":accompanier", "t>p role": ":poss"}
    assert penman_text(TELESCOPE.gold(chosen)).split("\n") == [
        "(s / see-01",
        "    :ARG0 (p / person)",
        "    :ARG1 (s2 / seal",
        "        :accompanier (t / telescope",
        "            :poss p)))",
    ]


def test_a_graph_in_pieces_is_named_and_is_not_gold():
    chosen = {"s>t role": NOTHING, "s2>t role": NOTHING, "t>p role": NOTHING}
    assert TELESCOPE.trouble(chosen) == (
        "The graph is in 2 pieces: telescope (t) is not connected to the top, see-01 (s). "
        "Choose a role for an edge to telescope (t), or (none) as its concept."
    )
    assert TELESCOPE.gold(chosen) is None
    assert TELESCOPE.trouble({"s>t role": NOTHING}) == ""
    fixed = chosen | {"s2>t role": ":part"}
    assert TELESCOPE.trouble(fixed) == ""
    assert TELESCOPE.gold(fixed) is not None


def test_an_edge_that_nobody_has_can_be_added():
    found = sheet(ann="(a / x :r (b / y) :r (c / z))", bob="(a / x :s (b / y) :r (c / z))")
    for unknown in ("a>d role", "b>a role"):  # no such node; the edge is a>b
        with pytest.raises(UnknownName):
            found.judge({}, {unknown: ":t"})
    more = found.judge({}, {"b:quant attribute": "2", "c>b role": "t"}).changes
    assert more == {"b:quant attribute": ":quant 2", "c>b role": ":t"}
    gold = found.gold({"a>b role": ":r"} | more)
    assert " ".join(penman_text(gold).split()) == "(a / x :r (b / y :quant 2) :r (c / z :t b))"


@pytest.mark.parametrize(
    ("key", "typed", "kept"),
    [
        ("a>b role", "ARG1", ":ARG1"),
        ("a>b role", ":ARG1-of", ":ARG1-of"),
        ("b concept", "go-02", "go-02"),
        ("b concept", "(no concept)", "(no concept)"),
        ("b:name attribute", "New York", ':name "New York"'),
        ("b:name attribute", ':name "Oslo"', ':name "Oslo"'),
        ("b:name attribute", "a", ':name "a"'),  # a variable
        ("top", "b", "b / y"),
    ],
)
def test_typed_values_are_stored_in_one_form(key, typed, kept):
    found = sheet(ann="(a / x :r (b / y))", bob="(a / x :s (b / y))")
    assert found.judge({}, {key: typed}).changes[key] == kept


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        ("a>b role", "two words"),
        ("a>b role", ":"),
        ("b concept", "a(b"),
        ("b concept", ""),
        ("b:name attribute", 'say "hi"'),
        ("top", "nobody"),
        ("top", NOTHING),
        ("b", "x"),
    ],
)
def test_values_that_penman_cannot_hold_are_refused(key, typed):
    found = sheet(ann="(a / x :r (b / y))", bob="(a / x :s (b / y))")
    with pytest.raises(UnknownName):
        found.judge({}, {key: typed})


def assert_decided(gold, decisions):
    """Check that a graph with the variables of the places has what was decided."""
    labels = {node.variable: node.label for node in gold.nodes}
    for key, value in decisions.items():
        name, _, what = key.partition(" ")
        if what == "concept":
            assert labels.get(name, NOTHING) == value
        elif what == "role" and value != NOTHING:
            one, two = name.partition("/")[0].split(">")
            role, inverse = turned(value.removeprefix(":"))
            assert ((two, role, one) if inverse else (one, role, two)) in set(gold.relations)
        elif what == "attribute" and value != NOTHING:
            assert (name.partition(":")[0], *value.removeprefix(":").split()) in set(gold.attributes)
        elif key == "top":
            assert gold.tops == (value.partition(" ")[0],)


@settings(max_examples=40)
@given(graphs(4), graphs(4), graphs(4), st.randoms(use_true_random=False))
def test_gold_is_connected_has_one_top_and_is_read_back(one, two, three, random):
    """Decisions in any order, among the values of annotators, end with a graph or with a reason."""
    found = graph_sheet(ITEM, {"ann": one, "bob": two, "cho": three})
    decisions = {}
    places = list(found.places)
    random.shuffle(places)
    for place in places:
        if place.key not in decisions:
            verdict = found.judge(decisions, {place.key: random.choice(place.values)})
            if not verdict.problem:
                decisions |= verdict.changes
    gold = found.gold(decisions)
    undecided = any(place.key not in decisions for place in places)
    assert (gold is None) == (undecided or bool(found.trouble(decisions)))
    if gold is not None:
        if gold not in found.values.values():
            assert_decided(gold, decisions)
        assert len(gold.tops) == 1
        assert unreached(gold) == [] or gold in found.values.values()
        if not unreached(gold):
            back = parse_graph([Line(1, penman_text(gold))], "gold.amr")
            assert KIND.content(back) == KIND.content(gold)


def test_gold_of_semantic_graphs_is_a_semantic_graph():
    spans = {"rain": (3, 9), "snow": (3, 9), "now": (10, 13)}
    ann, bob = (
        Semantics(
            names=((spans[word], f"_{word}_v_1", ""), (spans["now"], "_now_a_1", "")),
            args=((spans["now"], "ARG1", spans[word]),),
            constants=((spans["now"], "CARG", f"{word}s"),),
            top=((spans[word], "top", ""),),
        )
        for word in ("rain", "snow")
    )
    found = graph_sheet(ITEM, {"ann": ann, "bob": bob})
    mixed = {place.key: place.values[number % 2] for number, place in enumerate(found.places)}
    gold = found.gold(mixed)
    assert isinstance(gold, Semantics)
    assert gold.args == ann.args
    assert (gold.names[0][1], gold.constants[0][2]) in {("_rain_v_1", "snows"), ("_snow_v_1", "rains")}


def test_empty_graphs_and_single_graphs_have_no_places():
    assert KIND.places.sheet(ITEM, {"ann": Graph(), "bob": Graph()}) is None
    assert KIND.places.sheet(ITEM, {"ann": WORKED["A"], "bob": Graph()}) is None
    assert KIND.places.sheet(ITEM, {"ann": Graph((Node("a", "x"),), (), ("a",))}) is None


def test_an_alignment_that_is_not_proved_is_noted(monkeypatch):
    """The solver of smatch stops after some seconds; then the bound exceeds the gain."""
    stopped = lambda problem: replace(solve(problem), bound=10**9)  # noqa: E731
    monkeypatch.setattr(matching, "solve", stopped)
    found = sheet(ann="(a / w :r (b / v) :r (c / v))", bob="(a / w :s (b / v) :s (c / v) :s (d / v))")
    assert "stopped" in found.remarks[0]
    assert OLD.remarks == ()
