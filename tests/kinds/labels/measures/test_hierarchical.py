"""κ over leaves and the score of taggers, against plain programs, and the laws that they keep."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.errors import FormatError, StudyError, UnknownName, UnsupportedStudy
from arbitree.kinds.labels.hierarchy.downward import Downward
from arbitree.kinds.labels.hierarchy.files import Flat
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy
from arbitree.kinds.labels.kind import KIND
from arbitree.kinds.labels.measures.hierarchical_kappa import HierarchicalKappa
from arbitree.kinds.labels.measures.hierarchical_score import HierarchicalScore
from arbitree.kinds.labels.measures.tag_sets import CountTable, HierarchyOptions
from arbitree.kinds.labels.value import Label, Tags
from arbitree.measures.options import measure_named
from arbitree.study.study import Item
from tests.support.build import study_of
from tests.support.hierarchies import hierarchies


@st.composite
def tag_studies(draw, single=False):
    """A hierarchy and a study of its tags, with gaps; sets and distributions unless *single*."""
    hierarchy = draw(hierarchies(8))
    rng = draw(st.randoms(use_true_random=False))
    coders = [f"c{k}" for k in range(rng.randint(2, 4))]

    def value():
        tags = rng.sample(hierarchy.nodes, 1 if single else min(rng.randint(1, 3), len(hierarchy.nodes)))
        weights = [rng.randint(1, 5) for _ in tags] if rng.random() < 0.5 else [1] * len(tags)
        return Tags(tuple(sorted((t, w / sum(weights)) for t, w in zip(tags, weights, strict=True))))

    rows = {
        f"d{k % 2}/{k}": {coder: value() for coder in coders if rng.random() < 0.8}
        for k in range(rng.randint(1, 6))
    }
    rows["d0/full"] = {coder: value() for coder in coders}
    return hierarchy, study_of(rows, coders)


def spread(down, value):
    found = {}
    for tag, weight in value.weights:
        for leaf, mass in down.down(tag).items():
            found[leaf] = found.get(leaf, 0) + weight * mass
    return found


def dot(first, second):
    return sum(mass * second.get(leaf, 0) for leaf, mass in first.items())


def mean_of(found):
    found = list(found)
    leaves = {leaf for each in found for leaf in each}
    return {leaf: sum(each.get(leaf, 0) for each in found) / len(found) for leaf in leaves}


def plain_kappa(study, down, expected):
    """Equations 3 to 5, item by item."""
    items = [[spread(down, cell.value) for cell in cells] for _, cells in study if cells]
    agreed = [np.mean([dot(a, b) for a, b in combinations(found, 2)]) for found in items if len(found) > 1]
    if expected == "pooled":
        pool = mean_of([mean_of(found) for found in items])
        chance = dot(pool, pool)
    else:
        own = [
            [spread(down, cell.value) for cell in study.cells.values() if cell.coder == coder]
            for coder in study.coders
        ]
        chance = np.mean([dot(mean_of(a), mean_of(b)) for a, b in combinations(filter(None, own), 2)])
    return None if chance > 1 - 1e-12 else (np.mean(agreed) - chance) / (1 - chance)


def value_of(study, measure, **more):
    return evaluate_all(study, [("measure", measure)], resamples=0, **more)[0].value


@given(tag_studies(), st.sampled_from(["pooled", "cohen"]), st.sampled_from(["leaves", "inner"]))
def test_kappa_is_that_of_the_plain_program(found, expected, senses):
    hierarchy, study = found
    measure = HierarchicalKappa(HierarchyOptions(hierarchy, senses=senses), expected=expected)
    plain = plain_kappa(study, Downward(hierarchy, senses=senses), expected)
    assert value_of(study, measure) == (plain if plain is None else pytest.approx(plain, abs=1e-9))


@given(tag_studies(), st.sampled_from(["pooled", "cohen"]))
def test_the_order_of_coders_and_items_does_not_matter(found, expected):
    hierarchy, study = found
    measure = HierarchicalKappa(HierarchyOptions(hierarchy), expected=expected)
    turned = replace(study, items=study.items[::-1], coders=study.coders[::-1])
    first, second = value_of(study, measure), value_of(turned, measure)
    assert first == second or first == pytest.approx(second)


@given(tag_studies())
def test_weights_are_copies_of_clusters(found):
    """A resample is a study in which items stand more than once."""
    hierarchy, study = found
    measure = HierarchicalKappa(HierarchyOptions(hierarchy))
    stats = measure.statistics.prepare(study, None)
    rows = np.zeros((1, len(study.clusters)))
    copies = {}
    for number, (item, cells) in enumerate(study):
        rows[0, number] = number % 3
        copies |= {f"{item.id}#{k}": {c.coder: c.value for c in cells} for k in range(number % 3)}
    weighted = measure.score(stats, rows)[0]
    expected = value_of(study_of(copies, study.coders), measure) if any(copies.values()) else None
    if expected is None:
        assert np.isnan(weighted)
    else:
        assert weighted == pytest.approx(expected, abs=1e-9)


@given(tag_studies(), st.sampled_from(["pooled", "cohen"]))
def test_normalised_kappa_is_higher_and_at_most_1(found, expected):
    hierarchy, study = found
    bare = value_of(study, HierarchicalKappa(HierarchyOptions(hierarchy), expected=expected))
    normalised = value_of(
        study, HierarchicalKappa(HierarchyOptions(hierarchy), expected=expected, normalised=True)
    )
    if expected == "pooled" and None not in (bare, normalised):
        assert abs(normalised) >= abs(bare) - 1e-9
        assert normalised <= 1 + 1e-9


def plain_score(study, down, gold):
    pairs = []
    for _, cells in study:
        own = {cell.coder: cell.value for cell in cells}
        if gold:
            pairs += [(own[gold], own.get(c)) for c in study.coders if c != gold and gold in own]
        else:
            pairs += [(own[a], own[b]) for a, b in permutations(own, 2)]
    scores = []
    for right, answer in pairs:
        leaves = {leaf for tag in right.tags for leaf in down.down(tag)}
        masses = spread(down, answer) if answer else {}
        scores.append(sum(mass for leaf, mass in masses.items() if leaf in leaves))
    return np.mean(scores) if scores else None


@given(tag_studies(), st.sampled_from(["", "c0"]), st.sampled_from(["walk", "uniform_leaves"]))
def test_the_score_is_that_of_the_plain_program(found, gold, way):
    hierarchy, study = found
    measure = HierarchicalScore(HierarchyOptions(hierarchy, downward=way), gold=gold)
    plain = plain_score(study, Downward(hierarchy, way), gold)
    assert value_of(study, measure) == (plain if plain is None else pytest.approx(plain))


TOOLS = Hierarchy.of_links(
    dict.fromkeys([("tool", "saw"), ("tool", "hammer"), ("toy", "ball"), ("toy", "kite")]), name="tools.txt"
)


def labels(rows):
    return study_of(
        {name: {c: Label(t) for c, t in zip("xyz", row.split(), strict=False)} for name, row in rows.items()}
    )


@given(tag_studies(single=True), st.sampled_from([("pooled", "multi_pi"), ("cohen", "multi_kappa")]))
def test_flat_tags_give_the_coefficients_of_labels(found, names):
    _, study = found
    expected, name = names
    theirs = evaluate(study, name, resamples=30)
    ours = evaluate_all(
        study, [("kappa", HierarchicalKappa(HierarchyOptions(Flat()), expected=expected))], resamples=30
    )[0]
    assert (ours.status, ours.items_used) == (theirs.status, theirs.items_used)
    assert ours.value == theirs.value or ours.value == pytest.approx(theirs.value, abs=1e-12)
    assert (ours.interval is None) == (theirs.interval is None)
    if ours.interval:
        assert ours.interval.low == pytest.approx(theirs.interval.low, abs=1e-12)
        assert ours.interval.high == pytest.approx(theirs.interval.high, abs=1e-12)


def test_flat_leaves_give_the_pi_of_scott():
    """Two coders, four items: A_o = 3/4, pooled shares 3/8, 3/8 and 1/4, so π = (3/4 - 11/32) / (21/32)."""
    study = labels({"1": "a a", "2": "b b", "3": "c c", "4": "a b"})
    assert value_of(study, HierarchicalKappa(HierarchyOptions(Flat()))) == pytest.approx(
        (3 / 4 - 11 / 32) / (21 / 32)
    )


def test_missing_outputs_score_0_and_coverage_says_so():
    rows = {
        "1": {"gold": Label("saw"), "it": Label("tool")},
        "2": {"gold": Label("kite")},
        "3": {"it": Label("saw")},
    }
    result = evaluate_all(
        study_of(rows), [("score", HierarchicalScore(HierarchyOptions(TOOLS), gold="gold"))], resamples=0
    )[0]
    assert result.value == 0.25
    assert (result.details["coverage"], result.details["attempted"]) == (0.5, 0.5)
    assert [each.item for each in result.ignored] == ["3"]
    assert tuple(result.per_item.rows) == (("1", 0.5, 1, 0.5), ("2", 0.0, 1, 0.0))


def test_the_reference_of_the_study_is_gold():
    study = replace(labels({"1": "tool saw", "2": "ball toy"}), reference="x")
    assert value_of(study, HierarchicalScore(HierarchyOptions(TOOLS))) == 0.75
    assert value_of(study, HierarchicalScore(HierarchyOptions(TOOLS), gold="y")) == 0.75
    assert value_of(labels({"1": "tool saw"}), HierarchicalScore(HierarchyOptions(TOOLS))) == 0.75


def test_empty_sets_are_missing_for_kappa_and_0_for_the_score():
    rows = {"1": {"x": Tags.of(["saw"]), "y": Tags(())}, "2": {"x": Tags.of(["saw"]), "y": Tags.of(["kite"])}}
    kappa, score = evaluate_all(
        study_of(rows),
        [
            ("k", HierarchicalKappa(HierarchyOptions(TOOLS))),
            ("s", HierarchicalScore(HierarchyOptions(TOOLS), gold="x")),
        ],
        resamples=0,
    )
    assert (kappa.items_used, len(kappa.ignored), kappa.details["coverage"]) == (1, 1, 0.75)
    assert (score.items_used, score.value, score.details["coverage"]) == (2, 0, 0.5)


def test_items_of_one_sentence_are_resampled_together():
    study = labels({"1": "saw saw", "2": "ball kite", "3": "kite kite", "4": "hammer saw"})
    joined = tuple(Item(item.id, item.document, f"s{int(item.id) // 3}") for item in study.items)
    clustered = replace(study, items=joined)
    measure = [("kappa", HierarchicalKappa(HierarchyOptions(TOOLS)))]
    bare, together = (evaluate_all(each, measure, resamples=200)[0] for each in (study, clustered))
    assert together.value == bare.value
    assert together.interval != bare.interval


@pytest.mark.parametrize(
    ("rows", "value", "status"),
    [
        ({"1": "saw saw", "2": "saw saw"}, None, "no_variation"),
        ({"1": "saw saw"}, None, "no_variation"),
        ({"1": "saw kite"}, -1, "single_item"),
        ({"1": "saw kite", "2": "kite saw"}, -1, "ok"),
        ({"1": "saw", "2": "kite"}, None, "no_pairable"),
    ],
)
def test_degenerate_studies(rows, value, status):
    study = replace(labels(rows), coders=("x", "y"))
    for expected in ("pooled", "cohen"):
        measure = HierarchicalKappa(HierarchyOptions(TOOLS), expected=expected)
        result = evaluate_all(study, [("kappa", measure)], resamples=20)[0]
        if expected == "pooled" or value != -1 or status == "ok":
            assert (result.value, result.status) == (value, status)


def test_two_coders_who_differ_on_one_item_have_a_cohen_of_0():
    study = labels({"1": "saw kite"})
    assert value_of(study, HierarchicalKappa(HierarchyOptions(TOOLS), expected="cohen")) == 0


def test_breakdowns_and_signature():
    study = labels(
        {"a/1": "saw saw kite", "a/2": "ball kite toy", "b/3": "kite kite kite", "b/4": "tool saw saw"}
    )
    chosen = [
        ("kappa", HierarchicalKappa(HierarchyOptions(TOOLS))),
        ("score", HierarchicalScore(HierarchyOptions(TOOLS), gold="x")),
    ]
    for result in evaluate_all(study, chosen, resamples=50, by=["document", "pair", "coder", "label"]):
        assert result.interval.low <= result.value <= result.interval.high
        assert "hierarchy=tools.txt#" in result.signature
        assert "senses=leaves|" in result.signature
        assert [group.name for group in result.groups["pair"]] == ["x - y", "x - z", "y - z"]
        assert len(result.per_item.rows) == 4
    assert result.groups["pair"][2].value is None  # x is gold


def test_unknown_tags_are_named_with_the_nearest_known():
    study = labels({"1": "saw sew", "2": "hamer kite"})
    with pytest.raises(StudyError, match=r"'sew' that y gave to '1' is not in tools.txt|'hamer'") as caught:
        value_of(study, HierarchicalKappa(HierarchyOptions(TOOLS)))
    assert "(nor 1 more tags of the study)" in caught.value.what
    assert caught.value.hint in ("Did you mean 'saw'?", "Did you mean 'hammer'?")


@pytest.mark.parametrize("name", ["hierarchical_kappa", "hierarchical_score"])
def test_a_measure_without_a_hierarchy_says_how_to_give_one(name):
    with pytest.raises(
        UnsupportedStudy, match=f"{name} needs a hierarchy of tags. Set {name}:hierarchy=FILE"
    ):
        evaluate(labels({"1": "saw saw"}), name)


def test_options_are_read_from_text(tmp_path):
    tags, counts = tmp_path / "tags.txt", tmp_path / "counts.tsv"
    tags.write_text("tool\n  saw\n  hammer\n", encoding="utf-8")
    counts.write_text("saw\t3\nspoon\t2\n", encoding="utf-8")
    text = f"hierarchical_score:hierarchy={tags},counts={counts},senses=inner,gold=x"
    _, measure = measure_named(text, KIND)
    assert (measure.tagset.estimate, measure.tagset.senses, measure.gold) == (1, "inner", "x")
    result = evaluate(labels({"1": "saw tool"}), text, resamples=0)
    assert result.value == pytest.approx((3 + 1) / (3 + 3))
    assert result.notes == (f"1 tag of {counts} is ignored: not in the part of {tags} that was read",)
    assert measure_named("hierarchical_kappa:hierarchy=flat,estimate=no", KIND)[1].tagset.estimate is None


@pytest.mark.parametrize(
    "option",
    ["estimate=some", "estimate=-1", "downward=down", "senses=outer", "expected=pool", "normalised=maybe"],
)
def test_odd_options_are_refused(option):
    with pytest.raises(UnknownName):
        measure_named(f"hierarchical_kappa:hierarchy=flat,{option}", KIND)


def test_estimates_need_the_walk():
    with pytest.raises(UnknownName, match="downward=walk"):
        value_of(
            labels({"1": "saw saw"}),
            HierarchicalKappa(HierarchyOptions(TOOLS, downward="uniform_leaves", estimate=1.0)),
        )


def test_counts_of_other_tags_are_refused():
    table = CountTable((("spoon", 2.0),), "counts.tsv")
    with pytest.raises(StudyError, match=r"no tag of counts.tsv is in tools.txt"):
        value_of(labels({"1": "saw saw"}), HierarchicalKappa(HierarchyOptions(TOOLS, counts=table)))


def test_an_unknown_gold_coder_is_named_with_the_nearest():
    study = study_of({"1": {"ann": Label("saw"), "bob": Label("saw")}})
    with pytest.raises(UnknownName, match="Did you mean 'ann'"):
        evaluate(study, "hierarchical_score:hierarchy=flat,gold=anne")


def test_a_cycle_is_an_error_of_the_option(tmp_path):
    path = tmp_path / "tags.tsv"
    path.write_text("a\tb\nb\ta\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"tags.tsv:\d: the hierarchy has a cycle: "):
        measure_named(f"hierarchical_kappa:hierarchy={path}", KIND)


def test_intervals_do_not_extend_below_the_lowest_possible_value():
    rows = {str(k): {"ann": Label("x"), "bob": Label("y" if k == 9 else "x")} for k in range(10)}
    study = study_of(rows)
    measure = HierarchicalKappa(HierarchyOptions(Flat()))
    (found,) = evaluate_all(study, [("kappa", measure)])
    assert found.interval.low == pytest.approx(-1)
    assert found.interval.low <= found.value <= found.interval.high
