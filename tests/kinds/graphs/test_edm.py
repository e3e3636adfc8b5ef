"""EDM beside PyDelphin's own, and what becomes of missing analyses."""

import random
from dataclasses import replace

import pytest

from arbitree.api.evaluate import evaluate
from arbitree.kinds.graphs.value import Semantics
from tests.support.build import study_of

edm = pytest.importorskip("delphin.edm")
eds = pytest.importorskip("delphin.eds")
from arbitree.formats.mrs import triples_of  # noqa: E402  after the check that the package is there


def random_eds(rng):
    """An EDS with a few nodes in random places."""
    names = [f"x{k}" for k in range(rng.randint(1, 4))]
    nodes = []
    for name in names:
        start = rng.randrange(4)
        edges = {role: rng.choice(names) for role in ("ARG1", "ARG2") if rng.random() < 0.6}
        properties = {"NUM": rng.choice(["sg", "pl"])} if rng.random() < 0.6 else {}
        carg = rng.choice(["Ida", "Ole"]) if rng.random() < 0.3 else None
        predicate = rng.choice(["_bird_n_1", "_sing_v_1", "named"])
        node = eds.Node(
            name, predicate, type="x", edges=edges, properties=properties, carg=carg, lnk=_lnk(start)
        )
        nodes.append(node)
    return eds.EDS(top=rng.choice(names), nodes=nodes)


def _lnk(start):
    from delphin.lnk import Lnk

    return Lnk.charspan(start, start + 2)


def against_gold(pairs):
    rows = {
        str(k): {"gold": triples_of(g), **({"system": triples_of(s)} if s is not None else {})}
        for k, (g, s) in enumerate(pairs)
    }
    return replace(study_of(rows, ("gold", "system")), reference="gold")


@pytest.mark.parametrize("seed", range(20))
def test_values_are_those_of_pydelphin(seed):
    rng = random.Random(seed)
    pairs = [(random_eds(rng), random_eds(rng) if rng.random() < 0.8 else None) for _ in range(5)]
    pairs[0] = (pairs[0][0], pairs[0][0])
    study = against_gold(pairs)
    for missing in (False, True):
        expected = edm.compute(*zip(*pairs, strict=True), ignore_missing_test=missing)
        result = evaluate(study, f"edm:ignore_missing={'yes' if missing else 'no'}", resamples=0)
        found = (result.details["precision"], result.details["recall"], result.value)
        assert found == pytest.approx(tuple(expected))
    weights = {
        "name_weight": 2,
        "argument_weight": 1,
        "property_weight": 0,
        "constant_weight": 0,
        "top_weight": 0,
    }
    expected = edm.compute(*zip(*pairs, strict=True), **weights)
    result = evaluate(study, "edm:names=2,props=0,constants=0,top=0", resamples=0)
    assert result.value == pytest.approx(expected.fscore)


def test_missing_analyses_are_missed_or_left_out():
    whole = Semantics(names=(((0, 1), "a", ""),))
    rows = {"a": {"gold": whole, "system": whole}, "b": {"gold": whole}, "c": {"system": whole}}
    study = replace(study_of(rows, ("gold", "system")), reference="gold")
    result = evaluate(study, "edm", resamples=0)
    assert (result.value, result.items_used) == (pytest.approx(2 / 3), 2)
    assert [each.item for each in result.ignored] == ["c"]
    assert evaluate(study, "edm:ignore_missing=yes", resamples=0).value == 1


def test_coders_without_a_reference_are_compared_in_pairs():
    one, other = Semantics(names=(((0, 1), "a", ""),)), Semantics(names=(((0, 1), "b", ""),))
    study = study_of({"a": {"x": one, "y": one, "z": other}})
    assert evaluate(study, "edm", resamples=0).value == pytest.approx(1 / 3)
