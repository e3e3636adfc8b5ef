"""Graphs from PENMAN notation, the worked examples, and random graphs."""

from hypothesis import strategies as st

from arbitree.formats.penman_notation import Line, parse_graph
from arbitree.kinds.graphs.value import Edge, Graph, Node, grouped


def graph(text, words=""):
    """Return the graph that *text* contains."""
    return parse_graph([Line(1, text)], "test.amr", tokens=tuple(words.split()))


# The examples A to G of the definition of differences.
WORKED = {
    name: graph(text)
    for name, text in {
        "A": "(h / help-01 :ARG0 (n / nurse) :ARG1 (p / patient :mod (o / old)))",
        "B": "(h / help-01 :ARG0 (n / nurse) :ARG1 (p / patient))",
        "C": "(h / help-01 :ARG0 (p / patient) :ARG1 (n / nurse))",
        "D": "(p / patient :ARG1-of (h / help-01 :ARG0 (n / nurse)))",
        "E": "(h / help-01 :polarity - :ARG0 (n / Nurse) :ARG1 n)",
        "F": "(s / sing-01 :ARG0 (b / bird :quant 2))",
        "G": "(s / sing-01 :ARG0 (b / bird :quant 3) :time (n / now))",
    }.items()
}


@st.composite
def graphs(draw, most=5, labels="abc"):
    """Return a connected graph with one top, whose nodes have labels."""
    count = draw(st.integers(1, most))
    names = [f"v{number}" for number in range(count)]
    nodes = tuple(Node(name, draw(st.sampled_from(labels))) for name in names)
    edges = {(names[draw(st.integers(0, place - 1))], draw(st.sampled_from("rs")), names[place])
             for place in range(1, count)}  # fmt: skip
    more = st.tuples(st.sampled_from(names), st.sampled_from(["r", "s", "r-of"]), st.sampled_from(names))
    edges |= draw(st.sets(more, max_size=2))
    values = st.tuples(st.sampled_from(names), st.sampled_from("pq"), st.sampled_from(["1", "2"]))
    attributes = draw(st.sets(values, max_size=2))
    every = [Edge(*edge) for edge in sorted(edges)]
    every += [Edge(*edge, constant=True) for edge in sorted(attributes)]
    return Graph(nodes, grouped(nodes, every), (names[0],))


def matching(first, second, pairs):
    """Return the number of triples that match under an alignment, by its definition."""
    one, two = first.triples, second.triples
    same = sum(bool(one.labels[a]) and one.labels[a] == two.labels[b] for a, b in pairs.items())
    attributes = {(pairs.get(a), role, value) for a, role, value in one.attributes} & set(two.attributes)
    relations = {(pairs.get(a), role, pairs.get(b)) for a, role, b in one.relations} & set(two.relations)
    return same + len(attributes) + len(relations)
