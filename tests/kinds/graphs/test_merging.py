"""Alignment of graphs, which is unique, and the places that follow from it."""

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.kinds.graphs.merging import aligned, merge, merged
from arbitree.kinds.graphs.value import Edge, Graph, Node, grouped
from tests.support.penman_graphs import WORKED, graph, graphs, matching


def injections(first, second):
    """Yield all alignments."""
    small, large = sorted((len(first), len(second)))
    for chosen in permutations(range(large), small):
        pairs = dict(enumerate(chosen)) if len(first) == small else {a: b for b, a in enumerate(chosen)}
        for kept in product((True, False), repeat=small):
            yield {a: b for (a, b), keep in zip(sorted(pairs.items()), kept, strict=True) if keep}


def rank(first, second, pairs):
    """Return the order of preference: matches, anchors, labels, few pairs, then early partners."""
    one, two = first.triples.labels, second.triples.labels
    anchors = sum(bool(first.nodes[a].anchor) and first.nodes[a].anchor == second.nodes[b].anchor
                  for a, b in pairs.items())  # fmt: skip
    labels = sum(one[a] == two[b] for a, b in pairs.items())
    last = len(second)
    early = [-pairs.get(node, last) for node in range(len(first))]
    return matching(first, second, pairs), anchors, labels, -len(pairs), early


@settings(max_examples=60)
@given(graphs(4, "ab"), graphs(4, "ab"))
def test_the_alignment_is_the_preferred_one_of_all(first, second):
    best = max(injections(first, second), key=lambda pairs: rank(first, second, pairs))
    assert aligned(first, second) == best


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("AB", "h-h n-n p-p"),
        ("BC", "h-h n-n p-p"),
        ("BD", "h-h n-n p-p"),
        ("CD", "h-h p-p n-n"),
        ("BE", "h-h n-n"),
        ("AF", "h-s n-b"),
        ("FG", "s-s b-b"),
    ],
)
def test_worked_examples_have_the_best_alignment(pair, expected):
    """The alignments of the specification of graphs, section 8, calculated by brute force there."""
    first, second = (WORKED[name] for name in pair)
    found = aligned(first, second)
    assert (
        " ".join(f"{first.nodes[a].variable}-{second.nodes[b].variable}" for a, b in found.items())
        == expected
    )


def test_equal_anchors_decide_where_as_many_triples_match():
    nodes = [(Node("a", "go-01", ((1, 1),)), Node("b", "go-01", ((4, 4),)))]
    nodes.append((Node("b", "go-01", ((4, 4),)), Node("a", "go-01", ((1, 1),))))
    first, second = (Graph(own) for own in nodes)
    assert aligned(first, second) == {0: 1, 1: 0}


@settings(max_examples=40)
@given(graphs(), graphs(), st.randoms(use_true_random=False))
def test_the_order_of_edges_and_the_names_of_variables_do_not_matter(first, second, random):
    names = {node.variable: f"x{number}" for number, node in enumerate(second.nodes)}
    edges = [each._replace(source=names[each.source], target=names.get(each.target, each.target))
             for each in second.edges]  # fmt: skip
    random.shuffle(edges)
    nodes = tuple(node._replace(variable=names[node.variable]) for node in second.nodes)
    other = Graph(nodes, grouped(nodes, edges), (names[second.tops[0]],))
    assert aligned(first, other) == aligned(first, second)


@settings(max_examples=30)
@given(st.lists(graphs(4), min_size=3, max_size=3))
def test_places_do_not_depend_on_the_order_of_annotators(three):
    expected = None
    for order in permutations(range(3)):
        found, rows = merged([three[place] for place in order])
        by_annotator = dict(zip(order, rows, strict=True))
        said = {
            slot.key: [found.texts(slot)[by_annotator[place]] for place in range(3)] for slot in found.slots
        }
        expected = expected or said
        assert said == expected


def test_a_third_annotator_is_aligned_with_both_others():
    one = graph("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")
    two = graph("(w / want-01 :ARG0 (b / boy))")
    three = graph("(x / want-01 :ARG0 (y / child) :ARG1 (z / go-02))")
    found = merge([two, one, three])
    said = {slot.key: slot.values for slot in found.slots if not slot.agreed}
    assert said == {
        "b concept": ("boy", "boy", "child"),
        "g concept": (None, "go-02", "go-02"),
        "w>g role": (None, "arg1", "arg1"),
        "g>b role": (None, "arg0", None),
    }


def test_an_edge_is_one_place_from_whichever_end_it_is_written():
    found = merge([graph("(s / sailor :mod (o / old))"), graph("(s / sailor :age (o / old))")])
    assert [(slot.key, slot.shown) for slot in found.slots if not slot.agreed] == [
        ("s>o role", ("mod", "age"))
    ]
    same = merge([graph("(b / boy :ARG0-of (g / go-02))"), graph("(b / boy :arg0-of (g / GO-02))")])
    assert all(slot.agreed for slot in same.slots)


def test_spelling_is_that_of_one_annotator():
    found = merge([graph("(n / Nurse :quant 2)"), graph("(n / nurse :quant 3)")])
    (concept, attribute) = (slot for slot in found.slots if slot.key in ("n concept", "n:quant attribute"))
    assert found.texts(concept) == ("Nurse", "Nurse")
    assert found.texts(attribute) == (":quant 2", ":quant 3")


def test_two_edges_between_two_nodes_are_two_places():
    one = Graph((Node("a", "x"), Node("b", "y")), (Edge("a", "r", "b"), Edge("a", "s", "b")), ("a",))
    two = Graph((Node("a", "x"), Node("b", "y")), (Edge("a", "r", "b"), Edge("a", "t", "b")), ("a",))
    keys = {slot.key: slot.values for slot in merge([one, two]).slots if slot.what == "role"}
    assert keys == {"a>b role": ("r", "r"), "a>b/2 role": ("s", "t")}
