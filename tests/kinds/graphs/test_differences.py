"""Differences between two graphs by kind."""

import pytest
from hypothesis import given, settings

import arbitree as at
from arbitree.kinds.graphs.differences import KINDS, counts, differences
from arbitree.kinds.graphs.merging import aligned
from tests.support.penman_graphs import WORKED, graphs, matching


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("AB", {("node", "first"): 1, ("edge", "first"): 1}),
        ("BC", {("role", "both"): 2}),
        ("BD", {("top", "both"): 1}),
        ("CD", {("top", "both"): 1, ("role", "both"): 2}),
        (
            "BE",
            {("node", "first"): 1, ("edge", "first"): 1, ("edge", "second"): 1, ("attribute", "second"): 1},
        ),
        (
            "AF",
            {("label", "both"): 2, ("node", "first"): 2, ("edge", "first"): 2, ("attribute", "second"): 1},
        ),
        ("FG", {("value", "both"): 1, ("node", "second"): 1, ("edge", "second"): 1}),
    ],
)
def test_worked_examples(pair, expected):
    """The differences of the specification of graphs, section 8."""
    assert counts(differences(*(WORKED[name] for name in pair))) == expected


@settings(max_examples=60)
@given(graphs(), graphs())
def test_differences_are_the_triples_that_do_not_match(first, second):
    found = differences(first, second)
    match = matching(first, second, aligned(first, second))
    times = [2 if each.kind in KINDS[:4] else 1 for each in found]
    assert sum(times) == first.triples.size + second.triples.size - 2 * match
    assert sum(each.triples for each in found) == sum(times)


@given(graphs())
def test_a_graph_does_not_differ_from_itself(one):
    assert differences(one, one) == []


def test_differences_of_parallel_umr(data):
    """The specification of graphs, section 6: 21 sentences of Czech UMR, 788 + 763 - 2 * 707 triples."""
    folders = [str(data / "tools" / "umr" / "pdtc" / coder) for coder in ("ML", "HH")]
    study = at.read(*folders, dirs=True)
    found = [
        each
        for _, cells in study
        if len(cells) == 2
        for each in differences(*(cell.value for cell in sorted(cells, key=lambda cell: cell.coder != "ML")))
    ]
    assert counts(found) == {
        ("label", "both"): 9, ("value", "both"): 8, ("role", "both"): 5, ("node", "first"): 11,
        ("attribute", "first"): 21, ("attribute", "second"): 25, ("edge", "first"): 27, ("edge", "second"): 9,
    }  # fmt: skip
    assert sum(each.triples for each in found) == 137
