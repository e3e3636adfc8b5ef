"""Drawing of graphs: outlines in PENMAN notation with the differences marked."""

from arbitree import draw, kinds, read
from arbitree.drawing.fragment import Fragment, Node
from arbitree.drawing.picture import Picture, draw_values
from arbitree.kinds.graphs.choices import graph_sheet
from arbitree.study.study import Item
from tests.support.penman_graphs import WORKED, graph

PICTURES = kinds.kinds()["graphs"].pictures
STUDY = [f"examples/graphs/{name}.amr" for name in ("ann", "bob", "cho")]


def test_a_terminal_shows_each_graph_once_with_marks():
    assert str(draw(read(*STUDY), "boat-7")).split("\n") == [
        "ann and cho",
        "(~c / cheap",
        "    :domain (f / fish)",
        "    :ARG1-of (c2 / cause-01",
        "        :ARG0 (r / rain-01)))",
        "",
        "bob",
        "(~c2 / cause-01",
        "    :ARG0 (r / rain-01)",
        "    :ARG1 (c / cheap",
        "        :domain (f / fish)))",
        "",
        "+ part that only some have   ~ different value",
        "",
    ]


def test_differences_are_described():
    assert draw(read(*STUDY), "boat-2").differences == [
        "role of sail-01 → captain: :ARG0 (ann); (none) (bob and cho).",
        "concept of captain: (none) (ann and bob); captain (cho).",
        "role of sail-01 → captain: (none) (ann and bob); :ARG0 (cho).",
    ]


def test_text_of_a_file_is_escaped():
    hostile = graph('(a / <script> :name "<b>&" :r<i (b / x&y))')
    picture = Picture("s1", draw_values(PICTURES, {"<ann>": hostile, "bob": WORKED["A"]}))
    for markup in (picture.markup, picture.page, picture.svg):
        assert "<script>" not in markup
        assert "&lt;script&gt;" in markup
        assert "<ann>" not in markup


def test_a_page_shows_graphs_beside_one_another_and_a_file_below():
    picture = draw(read(*STUDY), "boat-4")
    assert picture.page.count("<svg") == 3
    assert picture.page.startswith('<div class="panels">')
    assert picture.svg.count("<svg") == 4
    assert "<div" not in picture.svg


def test_the_decided_graph_is_drawn_with_what_is_open():
    sheet = graph_sheet(
        Item("s1", "", "s1"), {"ann": graph("(a / x :r (b / y))"), "bob": graph("(a / z :r (b / y))")}
    )
    part = PICTURES.part(sheet.values, ("ann", "bob"), {}, sheet.so_far({}))
    assert part.text(80, False).split("\n\n")[2] == "✓ decided\n(a / ?\n    :r (b / y))"
    part = PICTURES.part(sheet.values, ("ann", "bob"), {}, sheet.so_far({"a concept": "z"}))
    assert part.text(80, False).split("\n\n")[2] == "✓ decided\n(a / z\n    :r (b / y))"
    assert 'aria-pressed="true"' in part.clickable(["a concept"]).shown


def test_an_annotator_without_a_graph_is_named():
    part = PICTURES.part({"ann": WORKED["B"]}, ("ann", "bob"), {"bob": "not annotated"}, None)
    assert "not annotated: bob" in part.text(80, False)
    assert "not annotated: bob" in part.markup


def test_a_graph_in_words():
    assert PICTURES.spoken(WORKED["E"]) == [
        "help-01",
        "-: polarity of help-01",
        "Nurse: ARG0 of help-01",
        "Nurse: ARG1 of help-01",
    ]


def test_lines_that_another_fragment_lacks_are_framed():
    one = Fragment("", "(a :r b)", (Node("a", -1), Node("b", 0, edge="r")))
    two = Fragment("", "(a :s b)", (Node("a", -1), Node("b", 0, edge="s")))
    drawn = PICTURES.fragment(one, [two], (), ())
    assert drawn.count('class="frame"') == 1
    assert ":r b" in drawn


def test_graphs_are_compared_whatever_the_words_of_the_files_are():
    """The keys in the picture are those of the sheet, also if one file has other words."""
    values = {
        "ann": graph("(a / x :r (b / y))", "it is"),
        "bob": graph("(a / x :s (b / y))", "it is"),
        "cho": graph("(c / x :t (d / y))", "it 's"),
    }
    sheet = graph_sheet(Item("s1", "", "s1"), values)
    (part,) = draw_values(PICTURES, values)
    pieces = [piece for outline in part.outlines for line in outline.lines for piece in line.pieces]
    assert {piece.key for piece in pieces if piece.key} == sheet.slots.keys()
