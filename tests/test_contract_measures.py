"""Laws that every measure keeps, whatever it measures."""

import random
from dataclasses import replace

import pytest

from arbitree import kinds, plugins
from arbitree.api.evaluate import evaluate
from arbitree.errors import UnknownName
from arbitree.kinds.labels.value import Label, Tags
from arbitree.measures.measure import Measure, Statistics
from arbitree.measures.options import measure_named, options
from arbitree.reporting.citations import bibliography
from arbitree.reporting.phrasing import headline
from tests.support.build import study_of
from tests.support.measured_studies import CASES, MAKERS, MEASURES, METRICS, READY, a_study


def evaluated(study, name, **options):
    return evaluate(study, READY.get(name, name), **options)


def test_every_measure_is_among_the_cases():
    every = {name for kind in kinds.kinds() for name in plugins.plugins("measures", kind)}
    assert {name for name, _ in MEASURES} == every


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_the_order_of_coders_and_items_does_not_matter(name, kind):
    study = a_study(kind)
    turned = replace(study, items=study.items[::-1], coders=study.coders[::-1])
    assert evaluated(turned, name, resamples=0).value == pytest.approx(
        evaluated(study, name, resamples=0).value
    )


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_identical_coders_reach_the_stated_maximum(name, kind):
    """The maximum of the scale, or ``details.highest``, which depends on the annotations."""
    result = evaluated(a_study(kind, same=True), name, resamples=50)
    assert result.value == pytest.approx(result.best, rel=1e-12)
    assert result.best == result.details.get("highest", 0 if result.better == "lower" else 1)
    assert "no " in headline(kinds.of_type(kind), a_study(kind, same=True), [result]).rpartition(";")[2]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_other_coders_do_not_exceed_the_stated_maximum(name, kind):
    last = "label" if kind in (Label, Tags) else "length"
    result = evaluated(a_study(kind), name, resamples=0, by=["document", "pair", last])
    groups = [group for found in result.groups.values() for group in found if group.value is not None]
    for each in (result, *groups):
        best = each.details.get("highest", result.best)
        assert each.value >= best if result.better == "lower" else each.value <= best + 1e-12


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_intervals_of_identical_coders_end_at_the_maximum_of_the_scale(name, kind):
    result = evaluated(a_study(kind, same=True), name, resamples=50)
    ends = (result.interval.low, result.interval.high)
    if "highest" in result.details:  # other items may have another maximum
        assert ends[0] < result.value < ends[1]
        return
    far, near = ends[::-1] if result.better == "lower" else ends
    assert near == result.value
    assert far != result.value  # a difference may not have been seen
    assert any("shows no difference in" in note for note in result.notes)


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_results_are_whole(name, kind):
    study = a_study(kind)
    last = "label" if kind in (Label, Tags) else "length"
    result = evaluated(study, name, resamples=50, by=["document", "pair", "coder", last])
    assert result.items_used + len({each.item for each in result.ignored}) == len(study.items)
    assert result.signature.startswith((f"{name}|", f"{name}:"))
    assert result.references
    assert all(key in bibliography() for key in result.references)
    assert result.interval.low <= result.value <= result.interval.high
    assert set(result.to_dict()["by"]) == {"document", "pair", "coder", last}
    assert len(result.per_item.rows) == result.items_used


@pytest.mark.parametrize("name", plugins.plugins("measures"))
def test_every_measure_keeps_the_contract(name):
    measure = plugins.plugins("measures")[name]
    assert isinstance(measure, Measure)
    assert isinstance(measure.statistics, Statistics)
    assert hash(measure.statistics) == hash(replace(measure).statistics)
    assert measure.about
    assert measure.shows in ("agreement", "disagreement")
    assert measure.better in ("higher", "lower")
    assert measure.family == replace(measure).family
    assert measure.scores_systems or not measure.ranks_systems


FILES = ("costs", "schemes", "distance", "hierarchy", "counts", "prm")  # options that want a file first
OPTIONS = [
    (kind, name, key)
    for kind in kinds.kinds()
    for name, measure in plugins.plugins("measures", kind).items()
    for key in options(measure)
    if key not in FILES and (name, key) != ("weighted_las", "weights")
]


@pytest.mark.parametrize(("kind", "name", "key"), OPTIONS)
def test_an_option_that_is_set_is_the_one_that_is_reported(kind, name, key):
    """The signature consists of the options, so it differs where an option differs, and nowhere else."""
    before = options(plugins.get("measures", name, kind))
    after = options(measure_named(f"{name}:{key}={another(kind, name, key)}", kinds.kinds()[kind])[1])
    assert {each for each in before if str(before[each]) != str(after[each])} == {key}


def another(kind, name, key):
    """Return a value that the option accepts and that is not its default."""
    default = options(plugins.get("measures", name, kind))[key]
    if isinstance(default, bool):
        return "no" if default else "yes"
    if key == "weights":  # anything else is a file
        return "quadratic"
    for value in ("0.25", "7", "other"):
        try:
            measure_named(f"{name}:{key}={value}", kinds.kinds()[kind])
        except UnknownName as error:
            choices = str(error).partition("Expected one of: ")[2].rstrip(".").split(", ")
            if found := [choice for choice in choices if choice not in ("", default)]:
                return found[0]
        else:
            return value
    raise AssertionError(f"no value found for {name}:{key}")


@pytest.mark.parametrize(("name", "kind"), METRICS)
def test_counts_of_items_add_up_to_the_value_of_a_metric(name, kind):
    result = evaluated(a_study(kind), name, resamples=0)
    rows = result.per_item.records()
    total = sum(row["numerator"] for row in rows) / sum(row["denominator"] for row in rows)
    assert total == pytest.approx(result.value)


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_the_default_interval_contains_its_value(name, kind):
    """Also of every group, of few items, and where nearly all or nearly none agree."""
    rng = random.Random(8)
    for items, differing in ((2, 1), (3, 2), (6, 0), (7, 1), (7, 7), (15, 4)):
        rows = {}
        for number in range(items):
            size = rng.randint(2, 6)
            first = MAKERS[kind](rng, size)
            other = MAKERS[kind](rng, size) if number < differing else first
            rows[f"d{number % 2}/{number}"] = {"x": first, "y": other}
        result = evaluated(study_of(rows), name, by=["document"])
        for found in (result, *result.groups["document"]):
            if found.interval:
                assert found.interval.low - 1e-12 <= found.value <= found.interval.high + 1e-12
                assert found.interval.low < found.interval.high
