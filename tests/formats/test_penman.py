"""AMR in PENMAN notation: metadata, roles, departures from other readers, broken graphs, round trips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.errors import FormatError
from arbitree.reading.content import Content

pytest.importorskip("penman")
from arbitree.formats.penman import PLUGINS, metadata
from arbitree.formats.penman_notation import Line, arranged, parse_graph, penman_text
from arbitree.kinds.graphs.canonical import canonical
from arbitree.kinds.graphs.value import Edge, Graph, Node, inverted, turned

PENMAN = PLUGINS["penman"]


def graph(text):
    return parse_graph([Line(number, line) for number, line in enumerate(text.split("\n"), start=1)], "g.amr")


def read(text):
    return list(PENMAN.read(Content("g.amr", text.encode())))


def triples(text):
    """The triples of a text by variable, the top left out."""
    found = graph(text)
    names = [node.variable for node in found.nodes]
    known = found.triples
    relations = {(names[a], role, names[b]) for a, role, b in known.relations}
    return relations | {(names[a], role, value) for a, role, value in known.attributes if role != "top"}


# Sizes of the examples A to G of the specification of exact Smatch, counted there by hand.
EXAMPLES = {
    "(h / help-01 :ARG0 (n / nurse) :ARG1 (p / patient :mod (o / old)))": 8,
    "(h / help-01 :ARG0 (p / patient) :ARG1 (n / nurse))": 6,
    "(p / patient :ARG1-of (h / help-01 :ARG0 (n / nurse)))": 6,
    "(h / help-01 :polarity - :ARG0 (n / Nurse) :ARG1 n)": 6,
    "(s / sing-01 :ARG0 (b / bird :quant 2))": 5,
    "(s / sing-01 :ARG0 (b / bird :quant 3) :time (n / now))": 7,
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_size_of_a_graph_is_the_number_of_its_triples(text):
    assert graph(text).triples.size == EXAMPLES[text]


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("ARG0-of", ("b", "arg0", "a")),
        ("mod", ("b", "domain", "a")),
        ("domain-of", ("b", "domain", "a")),
        ("domain", ("a", "domain", "b")),
        ("consist-of", ("a", "consist-of", "b")),
        ("prep-out-of", ("a", "prep-out-of", "b")),
        ("prep-on-behalf-of", ("a", "prep-on-behalf-of", "b")),
        ("consist-of-of", ("b", "consist-of", "a")),
        ("mod-of", ("a", "domain", "b")),
        ("part-of", ("b", "part", "a")),
        ("ARG0-OF", ("a", "arg0-of", "b")),
        ("MOD", ("a", "mod", "b")),
    ],
)
def test_inverse_roles_are_turned_once_and_as_they_are_written(role, expected):
    assert triples(f"(a / x :{role} (b / y))") == {expected}


def test_a_value_is_a_node_if_a_variable_has_its_name_also_later_and_a_constant_in_quotes():
    assert triples('(a / x :ARG0 b :ARG1 (b / y :ARG2 "a" :ARG3 b))') == {
        ("a", "arg0", "b"),
        ("a", "arg1", "b"),
        ("b", "arg2", "a"),
        ("b", "arg3", "b"),
    }
    assert [edge.constant for edge in graph('(a / x :op1 "a" :op2 a)').edges] == [True, False]


def test_labels_and_constants_are_compared_in_lower_case_without_quotes_and_kept_as_written():
    found = graph('(c / City :name (n / "Name" :op1 "New York") :Quant Ten :li foo_)')
    assert found.triples.labels == ("city", "name")
    assert triples('(c / City :op1 "New York" :Quant Ten :li foo_)') == {
        ("c", "op1", "new york"),
        ("c", "quant", "ten"),
        ("c", "li", "foo_"),
    }
    assert [node.label for node in found.nodes] == ["City", '"Name"']


def test_equal_triples_count_once_and_are_counted():
    found = graph('(a / x :q 1 :q "1" :ARG0 (b / y) :ARG0 b)').triples
    assert (found.size, found.repeated) == (5, 2)


def test_an_inverse_role_before_a_constant_stays_as_it_is_written():
    assert triples("(a / x :ARG0-of yes :mod 10)") == {("a", "arg0-of", "yes"), ("a", "mod", "10")}


def test_alignments_are_anchors_and_not_compared():
    found = graph('(s / sleep-01~e.2,3 :ARG0~e.1 (d / dog~4) :op1 "~e.1" :polarity -~e.5)')
    assert found.triples.labels == ("sleep-01", "dog")
    assert [node.anchor for node in found.nodes] == [((2, 2), (3, 3)), ((4, 4),)]
    assert [edge.anchor for edge in found.edges] == [((1, 1),), (), ((5, 5),)]
    assert ("s", "op1", "~e.1") in triples('(s / sleep-01 :op1 "~e.1")')


def test_a_node_without_a_concept_has_no_instance_triple():
    assert graph("(b)").triples.size == 1
    assert graph("(b :ARG0 (c))").triples.size == 2


def test_metadata_comments_and_empty_lines():
    text = """# a remark about the file

# ::id s 1 ::date 2012-05-14 ::annotator ANON-01 ::preferred
# ::snt Go ::now !
# another remark
(g / go-02
# :ARG0 (y / you)
    :mode
    imperative)


# ::id s2
# sent_id = x
# ::tok Rain .
# ::snt Rain.

(r / rain-01)
# ::id s3
# ::snt Nobody annotated it.
"""
    first, second = read(text)
    assert (first.id, first.coder, first.source.line) == ("s 1", "ANON-01", 6)
    assert first.value.tokens == ("Go", "::now", "!")
    assert triples("(g / go-02 :mode imperative)") == {("g", "mode", "imperative")}
    assert first.value.triples.size == 3
    assert "# another remark" in first.value.comments
    assert "# :ARG0 (y / you)" in first.value.comments
    assert (second.id, second.coder, second.source.line) == ("s2", None, 17)
    assert second.value.tokens == ("Rain", ".")


def test_an_id_or_a_sentence_without_a_graph_is_a_missing_annotation():
    entries = read("# ::id a\n\n# ::id b\n(b / x)\n\n# ::snt Rain\n\n# ::snt Snow\n(s / snow)\n\n# ::id c\n")
    assert [(entry.id, len(entry.value)) for entry in entries] == [
        ("a", 0),
        ("b", 1),
        (None, 0),
        (None, 1),
        ("c", 0),
    ]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("(a / x\n  :ARG0 (b / y)", 1, "the bracket that opens here is never closed"),
        ("(a / x\n  :ARG0 (b / y)\n\n  :ARG1 (c / z))", 1, "the bracket that opens here is never closed"),
        ("(a / x)\n(b / y)", 2, "unexpected '(b / y)' after the end of the graph"),
        ("(a / x))", 1, "unexpected '(a / x))' after the end of the graph"),
        ("rain (a / x)", 1, "expected a graph in brackets, found 'rain (a / x)'"),
        ("(a / x\n  :ARG0 (a / y))", 2, "variable 'a' is defined twice"),
        ("(a / x\n  :ARG0 b2)", 2, "variable 'b2' is used but not defined"),
        ("(s1a / x\n  :ARG0\n  s1b)", 3, "variable 's1b' is used but not defined"),
        ("()", 1, "the graph has an empty pair of brackets"),
        ("(a / x\n  :ARG0 ())", 2, "the graph has an empty pair of brackets"),
        ("(a / x\n  :ARG0\n  :ARG1 (b / y))", 2, "role ':ARG0' has no value"),
        ("(a / x\n  :ARG0)", 2, "role ':ARG0' has no value"),
        ("(a / \n  :ARG0 (b / y))", 1, "node 'a' has a slash but no concept"),
        ("(a / x\n  :ARG0 (b / y z))", 2, "expected a role such as :ARG0, found 'z))'"),
        ("(a / x\n  :op1 “New York”)", 2, "expected a role such as :ARG0, found 'York”)'"),
        ('(a / x\n  :op1 "New York)', 2, "the bracket that opens here is never closed"),
        ("(a / x\n  :time 12:30)", 2, "role ':30' has no value"),
        ("(a / x :r " * 300, 1, "the graph has more than 200 levels of brackets"),
    ],
)
def test_a_broken_graph_is_an_error_with_its_line(text, line, what):
    with pytest.raises(FormatError) as error:
        read(f"# ::id s1\n{text}\n")
    if what.startswith("the bracket") and "New" in text:
        line = 1
    assert str(error.value).startswith(f"g.amr:{line + 1}: {what}")
    assert error.value.hint


def test_a_written_graph_is_read_as_the_same_value():
    text = """# ::id s1 ::annotator ann
# ::snt The dog that Ida fed slept.
(s / sleep-01~e.5
    :ARG0 f
    :ARG1 (d / dog
        :ARG1-of (f / feed-01
            :ARG0 (p / "Person" :name (n / name :op1 "Ida" :op2~e.3 "K)"))
            :ARG2 d))
    :polarity -)
"""
    first = read(text)
    again = read("".join(PENMAN.write(first)))
    assert [(each.value, each.id, each.coder) for each in again] == [
        (each.value, each.id, each.coder) for each in first
    ]


def test_another_id_replaces_that_in_the_comments():
    (entry,) = read("# ::id s1 ::annotator ann\n(a / x)\n")
    from dataclasses import replace

    assert "".join(PENMAN.write([replace(entry, id="d/s1")])) == "# ::id d/s1 ::annotator ann\n(a / x)\n"


def test_a_graph_in_pieces_or_without_a_top_is_not_written():
    (entry,) = read("(a / x)\n")
    from dataclasses import replace

    nodes = (Node("a", "x"), Node("b", "y"))
    for value, what in (
        (Graph(nodes, (), ("a",)), "1 of 2 nodes, such as b, are not connected to the top"),
        (Graph(nodes, (Edge("a", "ARG0", "b"),)), "the graph has no top"),
    ):
        with pytest.raises(FormatError, match=what):
            "".join(PENMAN.write([replace(entry, value=value)]))


@given(st.data())
def test_every_connected_graph_is_written_and_read_again(data):
    """Whatever the direction of its relations; only the names and the order of nodes may change."""
    count = data.draw(st.integers(1, 6))
    names = [f"x{k}" for k in range(count)]
    roles = st.sampled_from(["ARG0", "ARG1-of", "mod", "domain", "consist-of", "part"])
    edges = [
        Edge(*data.draw(st.permutations([names[place], data.draw(st.sampled_from(names[:place]))])), "")
        for place in range(1, count)
    ]
    edges = [Edge(edge.source, data.draw(roles), edge.role) for edge in edges]
    edges += [
        Edge(data.draw(st.sampled_from(names)), data.draw(roles), data.draw(st.sampled_from(names)))
        for _ in range(data.draw(st.integers(0, 3)))
    ]
    edges += [Edge(names[-1], "quant", "2", constant=True)]
    labels = [data.draw(st.sampled_from(["cat", "Dog", ""])) for _ in names]
    value = Graph(tuple(map(Node, names, labels)), tuple(edges), (data.draw(st.sampled_from(names)),))
    again = graph(penman_text(arranged(value)))
    assert canonical(again.triples) == canonical(value.triples)
    assert graph(penman_text(again)) == again


@given(
    st.sampled_from(["ARG0", "mod", "domain", "consist-of", "part-of", "consist-of-of", "MOD", "prep-out-of"])
)
def test_an_inverted_role_relates_the_same_nodes(role):
    plain, inverse = turned(role)
    assert turned(inverted(role)) == (plain, not inverse)


def test_words_after_a_sentence_key_belong_to_the_sentence():
    assert metadata("#::id a ::snt b ::id") == {"id": "", "snt": "b"}
    assert metadata("# ::snt ::id x") == {"snt": "::id x"}
    assert metadata("# Ann wrote ::id x") == {}
