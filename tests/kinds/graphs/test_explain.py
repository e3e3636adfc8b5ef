"""Inconsistencies between graphs: classes, questions and fragments."""

import pytest

import arbitree as at
from arbitree import kinds
from arbitree.adjudication.bulk import by_coder
from arbitree.adjudication.events import State
from arbitree.adjudication.whole import sheet_of
from arbitree.errors import UnsupportedStudy
from tests.support.build import study_of
from tests.support.penman_graphs import graph

STUDY = [f"examples/graphs/{name}.amr" for name in ("ann", "bob", "cho")]


def types_of(*texts):
    """Return class, question and fragments of every type between annotators with these graphs."""
    rows = {"s1": {name: graph(text) for name, text in zip(("ann", "bob", "cho"), texts, strict=False)}}
    found = at.explain(study_of(rows, tuple(rows["s1"])))
    label = {each.code: each.label.rpartition(" (")[0] for each in found.questions}
    return {
        (each.class_, label[each.question], tuple(fragment.brackets for fragment in each.fragments))
        for each in found.types
    }


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (g / gull))"),
            ("concept", "bird or gull", ("bird", "gull")),
        ),
        (
            ("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG1 (b / bird))"),
            ("role", ":ARG0 or :ARG1", ("(sing-01 :ARG0 bird)", "(sing-01 :ARG1 bird)")),
        ),
        (
            ("(b / bird :quant 2)", "(b / bird :quant 3)"),
            ("value", "value of :quant", ("(bird :quant 2)", "(bird :quant 3)")),
        ),
        (
            ("(b / bird :quant 2)", "(b / bird)"),
            ("attribute", "with or without :quant", ("(bird :quant 2)", "bird")),
        ),
        (
            ("(b / bird :mod (o / old))", "(b / bird)"),
            ("node", "with or without a node at :mod", ("(bird :mod old)", "bird")),
        ),
        (
            ("(w / want-01 :ARG0 (b / bird) :ARG1 (s / sing-01 :ARG0 b))",
             "(w / want-01 :ARG0 (b / bird) :ARG1 (s / sing-01))"),
            ("reentrancy", "with or without a second edge :ARG0", ("(sing-01 :ARG0 bird)", "sing-01 + bird")),
        ),
        (
            ("(w / want-01 :ARG0 (b / bird) :ARG1 (s / sing-01 :ARG0 b))",
             "(w / want-01 :ARG0 (b / bird) :ARG1 (s / sing-01 :ARG0 (c / bird)))"),
            (
                "identity",
                "one node or two for bird",
                ("(sing-01 :ARG0 bird)", "(sing-01 :ARG0 bird) + bird"),
            ),
        ),
        (
            ("(s / see-01 :ARG1 (b / bird) :time (n / now))",
             "(s / see-01 :ARG1 (b / bird :time (n / now)))"),
            ("attachment", "attachment of :time", ("(see-01 :time now) + bird", "see-01 + (bird :time now)")),
        ),
        (
            ("(s / sing-01 :ARG0 (b / bird))", "(b / bird :ARG0-of (s / sing-01))"),
            ("top", "which node is the top", (":top bird", ":top sing-01")),
        ),
    ],
)  # fmt: skip
def test_ways_to_differ(texts, expected):
    assert types_of(*texts) == {expected}


def test_the_example_has_every_planted_disagreement():
    """The table in examples/README.md."""
    found = at.explain(at.read(*STUDY))
    by_class = {row["class"]: row["nuclei"] for row in found.summary.records()}
    assert by_class == {
        "concept": 4, "role": 3, "attribute": 2, "node": 2, "identity": 1, "reentrancy": 2,
        "attachment": 1, "top": 1,
    }  # fmt: skip
    assert found.items == 8
    assert found.items_differing == 7


def test_differences_of_pairs_are_counted_by_kind():
    """Counted by hand in the files of ann and bob."""
    rows = at.explain(at.read(*STUDY[:2])).tables["differences"].records()
    assert rows == [
        {"first": "ann", "second": "bob", "label": 4, "value": 0, "role": 0, "top": 1, "node": 2,
         "attribute": 2, "edge": 5}
    ]  # fmt: skip


def test_one_file_cannot_be_compared_with_itself():
    with pytest.raises(UnsupportedStudy, match="between annotators, but the study has only one"):
        at.explain(at.read(STUDY[0]))
    with pytest.raises(UnsupportedStudy, match=r"mode 'corpus' does not fit .* Use mode coders or parser"):
        at.explain(at.read(*STUDY[:2]), mode="corpus")


def test_gold_comes_first_where_a_parser_is_compared():
    found = at.explain(at.read(*STUDY[:2]), gold="bob")
    shown = {each.fragments[0].brackets for each in found.types if each.class_ == "top"}
    assert shown == {":top cause-01"}


def test_what_belongs_together_is_decided_together_in_serve():
    """One decision for all occurrences of a type finds the places of each of them."""
    study = at.read(*STUDY)
    items = {item.id: item for item in study.items}
    for each in at.explain(study).types:
        (nucleus,) = each.nuclei
        sheet = sheet_of(study, items[nucleus.item], kinds.of(study))
        first, *rest = (nucleus.coders_of(side) for side in range(len(each.fragments)))
        found = by_coder(
            sheet, State(), nucleus.places[0].positions, first, [coder for own in rest for coder in own]
        )
        assert found == {key: value for key, value in sheet.of_coder(first[0]).items() if key in found}
        assert tuple(found) in sheet.joined
