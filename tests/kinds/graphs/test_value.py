"""Graphs as values: what makes two of them the same, and meaning representations seen as graphs."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree import kinds
from arbitree.kinds.graphs.canonical import canonical
from arbitree.kinds.graphs.value import Edge, Graph, Node, Semantics, Triples

KIND = kinds.kinds()["graphs"]


def test_a_graph_has_every_variable_once_and_no_edge_without_a_node():
    with pytest.raises(ValueError, match="two nodes have the same variable"):
        Graph((Node("a"), Node("a")))
    with pytest.raises(ValueError, match="there is no node b"):
        Graph((Node("a"),), (Edge("a", "ARG0", "b"),))
    assert len(Graph((Node("a"),), (Edge("a", "ARG0", "b", constant=True),))) == 1


@given(st.data())
def test_names_and_order_do_not_matter_for_what_is_the_same(data):
    count = data.draw(st.integers(1, 6))
    nodes = st.integers(0, count - 1)
    labels = data.draw(st.lists(st.sampled_from(["a", "b", ""]), min_size=count, max_size=count))
    relations = data.draw(st.sets(st.tuples(nodes, st.sampled_from("rs"), nodes), max_size=8))
    attributes = data.draw(st.sets(st.tuples(nodes, st.sampled_from("q"), st.sampled_from("12")), max_size=2))
    order = data.draw(st.permutations(range(count)))
    first = Triples(tuple(labels), tuple(attributes), tuple(relations))
    back = [order.index(place) for place in range(count)]
    second = Triples(
        tuple(labels[place] for place in order),
        tuple((back[a], role, value) for a, role, value in attributes),
        tuple((back[a], role, back[b]) for a, role, b in relations),
    )
    assert canonical(first) == canonical(second)


def test_graphs_that_only_a_longer_path_tells_apart_differ():
    """Two triangles and a ring of six: each node has the same label and the same neighbours."""
    triangles = [(a, "r", b) for a, b in [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]]
    ring = [(a, "r", (a + 1) % 6) for a in range(6)]
    one, other = (Triples(("x",) * 6, (), tuple(each)) for each in (triangles, ring))
    assert canonical(one) != canonical(other)


def test_graphs_with_many_equal_leaves_are_compared_quickly():
    rng = random.Random(1)
    star = [(0, "r", place) for place in range(1, 40)]
    rng.shuffle(star)
    one, other = (Triples(("x",) * 40, (), tuple(each)) for each in (star, sorted(star)))
    assert canonical(one) == canonical(other)


def test_a_meaning_representation_without_variables_is_a_graph_by_spans():
    value = Semantics(
        names=(((0, 3), "_dog_n_1", ""), ((0, 3), "udef_q", ""), ((4, 9), "_bark_v_1", "")),
        args=(((4, 9), "ARG1", (0, 3)), ((0, 3), "BV", (0, 3))),
        props=(((4, 9), "TENSE", "past"),),
        constants=(((0, 3), "carg", "Rex"),),
        top=(((4, 9), "top", ""),),
    )
    found = value.graph
    assert found.triples.labels == ("_dog_n_1", "udef_q", "_bark_v_1")
    assert found.triples.relations == ((0, "bv", 0), (2, "arg1", 0))
    assert found.triples.attributes == ((0, "carg", "rex"), (2, "tense", "past"), (2, "top", "top"))
    assert found.triples_without(features=False).size == found.triples.size - 1
    assert found.triples_without(["carg"]).size == found.triples.size - 1


def test_the_graph_of_a_meaning_representation_keeps_predications_of_one_span_apart():
    pytest.importorskip("delphin")
    from arbitree.formats.mrs import PLUGINS
    from arbitree.reading.content import Content

    text = "{e2: e2:_bark_v_1<4:9>{e SF prop}[ARG1 x3] x3:_Dog_n_rel<0:3>{x NUM sg}[] _1:udef_q<0:3>[BV x3]}"
    (entry,) = PLUGINS["eds"].read(Content("a.eds", text.encode()))
    found = entry.value.graph
    assert found.triples.labels == ("_bark_v_1", "_dog_n", "udef_q")
    assert found.triples.relations == ((0, "arg1", 1), (2, "bv", 1))
    assert [node.anchor for node in found.nodes] == [((4, 9),), ((0, 3),), ((0, 3),)]
    assert "read" not in repr(entry.value)
    assert entry.value == Semantics(**{name: getattr(entry.value, name) for name in FIELDS})


FIELDS = ("names", "args", "props", "constants", "top", "text", "notation")


def test_the_kind_describes_graphs():
    value = Graph((Node("a", "x"), Node("b", "y")), (Edge("b", "ARG0", "a"),), ("a",), ("Rain", "fell"))
    renamed = Graph((Node("c", "X"), Node("d", "y")), (Edge("c", "ARG0-of", "d"),), ("c",), ("Rain", "fell"))
    assert KIND.describe(value) == "(a / x :ARG0-of (b / y))"
    assert KIND.content(value) == KIND.content(renamed)
    assert KIND.aspects["graph"](value) == KIND.aspects["graph"](renamed)
    assert KIND.commented(value, ("# x",)).comments == ("# x",)
    assert not KIND.done(KIND.empty())
