"""Dependency metrics beside slow counts, on worked examples, and their laws."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.dependency.measures import arc_pairs
from arbitree.kinds.dependency.value import DepTree
from tests.support.build import dep, dep_studies, random_dep, study_of
from tests.support.slow import metrics

TAGS = ("NOUN", "VERB", "DET", "PUNCT", "AUX", "ADJ")
RELATIONS = ("nsubj", "obj", "det", "punct", "nmod:poss", "nmod", "aux")
NAMES = ("uas", "las", "la", "clas", "content_las", "function_las", "root_las", "ned", "exact", "ucp", "lcp")
POLICIES = ("score-all", "skip-form", "remove-node")


def against_gold(rows):
    """A study of gold and one system."""
    return replace(study_of(rows, ("gold", "system")), reference="gold")


@st.composite
def pairs(draw):
    """Two trees over the same words, with parts of speech and some punctuation."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    size = draw(st.integers(1, 9))
    tags = tuple(rng.choice(TAGS) for _ in range(size))
    forms = tuple(rng.choice((",", "--", "%")) if tag == "PUNCT" else f"w{k}" for k, tag in enumerate(tags))
    return tuple(
        replace(random_dep(rng, size, RELATIONS), tokens=forms, columns={"upos": tags}) for _ in range(2)
    )


@given(
    st.lists(pairs(), min_size=1, max_size=4), st.sampled_from(POLICIES), st.sampled_from(["keep", "strip"])
)
def test_every_metric_is_what_slow_counts_say(sentences, policy, subtypes):
    study = against_gold({str(k): {"gold": g, "system": s} for k, (g, s) in enumerate(sentences)})
    options = f"punctuation={policy},subtypes={subtypes}"
    names = [f"{name}:{options}" for name in NAMES] + [f"lcp:lcp_literal=yes,{options}"]
    results = evaluate_all(study, names, resamples=0)
    slow = [metrics(g, s, policy, subtypes) for g, s in sentences]
    for name, result in zip((*NAMES, "literal"), results, strict=True):
        counts = [each[name] for each in slow]
        rows = [row[1:3] for row in result.per_item.rows]
        assert rows == [pytest.approx(count) for count in counts], name
        total = sum(below for _, below in counts)
        expected = pytest.approx(sum(above for above, _ in counts) / total) if total else None
        assert result.value == expected, name


@given(pairs())
def test_laws(pair):
    gold, system = pair
    study = against_gold({"a": {"gold": gold, "system": system}})
    value = {r.measure: r.value for r in evaluate_all(study, list(NAMES), resamples=0)}
    above, below = metrics(gold, system)["undirected"]
    assert value["las"] <= value["uas"] <= above / below <= value["ned"] <= 1
    assert value["las"] <= value["la"]
    if value["ucp"] is not None:
        assert value["lcp"] <= value["ucp"]
    same = against_gold({"a": {"gold": gold, "system": gold}})
    for result in evaluate_all(same, [*NAMES, "ted", "ted:unlabelled=yes"], resamples=0):
        assert result.value in (1, None), result.measure
    assert evaluate(same, "edit_distance", resamples=0).value == 0


def test_ned_accepts_grandparent_and_child():
    """The worked example of the definition: four tokens, heads 2 0 4 2 against 2 0 2 3."""
    study = against_gold({"a": {"gold": dep([2, 0, 4, 2]), "system": dep([2, 0, 2, 3])}})
    assert evaluate(study, "ned", resamples=0).value == 1
    assert evaluate(study, "uas", resamples=0).value == 0.5


def test_ned_takes_the_artificial_root_for_a_grandparent():
    study = against_gold({"a": {"gold": dep([2, 0]), "system": dep([0, 0])}})
    assert evaluate(study, "ned", resamples=0).value == 1


def test_weights_near_the_root():
    """Depth 1 weighs 1, depth 3 weighs 1/2; literally, they weigh 1 and 2."""
    gold, system = dep([0, 1, 2]), dep([0, 1, 1])
    study = against_gold({"a": {"gold": gold, "system": system}})
    middle = 0.6309297535714574  # 1 / log2(3)
    assert evaluate(study, "root_las", resamples=0).value == pytest.approx((1 + middle) / (1.5 + middle))
    literal = evaluate(study, "root_las:weighting=log", resamples=0).value
    assert literal == pytest.approx((1 + 1 / middle) / (3 + 1 / middle))


def test_verb_without_dependents_in_both_trees_is_right():
    tree = replace(dep([0]), columns={"upos": ("VERB",)})
    study = against_gold({"a": {"gold": tree, "system": tree}})
    assert evaluate(study, "ucp", resamples=0).value == 1


def test_no_verbs_is_undefined_and_counted():
    noun = replace(dep([0]), columns={"upos": ("NOUN",)})
    verb = replace(dep([0]), columns={"upos": ("VERB",)})
    rows = {"a": {"gold": noun, "system": noun}, "b": {"gold": verb, "system": verb}}
    result = evaluate(against_gold(rows), "ucp", resamples=0)
    assert (result.value, result.details["undefined_items"]) == (1, 1)
    none = evaluate(against_gold({"a": rows["a"]}), "ucp", resamples=0)
    assert (none.value, none.status) == (None, "no_verbs")


@pytest.mark.parametrize("policy", ["skip-form", "remove-node"])
def test_all_punctuation_is_undefined(policy):
    tree = DepTree((".", "!"), (0, 1), ("root", "punct"), {"upos": ("PUNCT", "PUNCT")})
    study = against_gold({"a": {"gold": tree, "system": tree}})
    for name in ("las", "ted", "clas"):
        assert evaluate(study, f"{name}:punctuation={policy}", resamples=10).value is None


def test_parts_of_speech_of_conll_x():
    tree = DepTree(("go",), (0,), ("root",), {"cpostag": ("VB",), "postag": ("VB",)})
    study = against_gold({"a": {"gold": tree, "system": tree}})
    assert evaluate(study, "ucp", resamples=0).value == 1
    assert evaluate(study, "ucp:verbs=MD", resamples=0).value is None
    assert evaluate(study, "content_las", resamples=0).value == 1


def test_cycles_and_several_roots_are_scored():
    """A cycle has no yields and no depth; arcs are compared all the same."""
    gold, cyclic, rooted = dep([2, 0, 2]), dep([2, 1, 2]), dep([0, 0, 0])
    study = against_gold({"a": {"gold": gold, "system": cyclic}, "b": {"gold": gold, "system": rooted}})
    value = {r.measure: r for r in evaluate_all(study, ["uas", "ted", "edit_distance"], resamples=0)}
    assert value["uas"].value == 3 / 6
    assert value["ted"].details["undefined_items"] == 1
    assert value["edit_distance"].value is not None


def test_without_a_reference_both_orders_are_averaged():
    first, second = dep([0, 1, 2]), dep([0, 1, 1])
    forth = evaluate(against_gold({"a": {"gold": first, "system": second}}), "ned", resamples=0).value
    back = evaluate(against_gold({"a": {"gold": second, "system": first}}), "ned", resamples=0).value
    both = evaluate(study_of({"a": {"x": first, "y": second}}), "ned", resamples=0).value
    assert both == pytest.approx((forth + back) / 2)
    assert (forth, back) == (1, pytest.approx(2 / 3))


def test_unknown_options_name_the_known_ones():
    with pytest.raises(UnknownName, match="skip-form"):
        evaluate(against_gold({"a": {"gold": dep([0]), "system": dep([0])}}), "las:punctuation=skip")


def test_breakdown_by_tokens_adds_up():
    gold = replace(dep([2, 0, 2, 3], "srop"), columns={"upos": ("NOUN", "VERB", "NOUN", "DET")})
    system = replace(dep([2, 0, 1, 3], "sroq"), columns=gold.columns)
    study = against_gold({"a": {"gold": gold, "system": system}})
    kinds = ["deprel", "upos", "distance", "depth"]
    result = evaluate(study, "las", resamples=0, by=kinds)
    for kind in kinds:
        groups = result.groups[kind]
        assert sum(group.details["tokens"] for group in groups) == 4
        total = sum(group.value * group.details["tokens"] for group in groups)
        assert total == pytest.approx(2)
    assert {g.name: g.value for g in result.groups["upos"]} == {"NOUN": 0.5, "VERB": 1, "DET": 0}
    assert [g.name for g in result.groups["distance"]] == ["root", "1"]
    assert [g.name for g in result.groups["depth"]] == ["1", "2", "3"]


def test_breakdown_by_tokens_needs_gold():
    with pytest.raises(UnsupportedStudy, match="gold"):
        evaluate(study_of({"a": {"x": dep([0]), "y": dep([0])}}), "las", by=["deprel"])


@given(dep_studies(), st.sampled_from(POLICIES))
def test_blocks_change_no_digit(study, policy):
    """Studies with many pairs are gone through block by block."""
    names = [f"{name}:punctuation={policy}" for name in ("las", "ned", "ted", "edit_distance")]
    whole = [result.per_item for result in evaluate_all(study, names, resamples=0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arc_pairs, "BLOCK", 3)
        assert [result.per_item for result in evaluate_all(study, names, resamples=0)] == whole
