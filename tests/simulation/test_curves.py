"""Curves: the same digits whoever computes them, no noise at level 0, honest about what is missing."""

import pickle

import pytest

import arbitree as at
from arbitree.api.read import read
from arbitree.backends.serial import Serial
from arbitree.backends.threads import Threads
from arbitree.errors import ArbitreeError, StudyError, UnknownName, UnsupportedStudy
from arbitree.kinds.dependency.noise import NOISES
from arbitree.kinds.phrase.noise import NOISES as PHRASE_NOISES
from arbitree.simulation.noise import Habit, NoiseOptions
from tests.support.build import dep, labelled, phrase, study_of

EXPERIMENTS = PHRASE_NOISES | NOISES


def simulate(study, experiments=(), **options):
    return at.simulate(study, experiments, **options).simulation


@pytest.fixture(scope="module")
def trees():
    return read("examples/dependency/ann.conllu")


@pytest.fixture(scope="module")
def brackets():
    return read("examples/phrase/ann.mrg")


def values(found):
    return [(point.experiment, point.level, point.result.details["values"]) for point in found.points]


def test_threads_and_backends_change_no_digit(trees):
    asked = {"levels": [0.3, 1.0], "runs": 3, "seed": 5}
    first, *others = (simulate(trees, run=run, **asked) for run in (Serial(), Threads(1), Threads(4)))
    assert all(values(other) == values(first) for other in others)


def test_perturbations_can_be_sent_to_other_processes():
    options = NoiseOptions(habits=(Habit("S", "NP"),))
    for noises, tree in ((NOISES, dep([0], ["S"])), (PHRASE_NOISES, phrase("(S (N a))"))):
        for noise in noises.values():
            made = noise.make([tree], options)
            assert pickle.loads(pickle.dumps(made)) == made


def test_a_level_has_the_same_runs_in_every_grid_and_among_any_experiments(trees):
    alone = simulate(trees, ["heads"], levels=[0.5], runs=2)
    among = simulate(trees, ["both", "heads"], levels=[0.0, 0.5, 1.0], runs=3)
    (mine,) = alone.curve("heads", "las")
    same = among.curve("heads", "las")[1]
    assert same.result.details["values"][:2] == mine.result.details["values"]


def test_another_seed_gives_other_noise(trees):
    one, other = (simulate(trees, ["heads"], levels=[0.5], runs=2, seed=seed) for seed in (0, 1))
    assert values(one) != values(other)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_level_zero_is_full_agreement(name, trees, brackets):
    study = trees if name in NOISES else brackets
    habits = ["obl=nmod"] if name == "habit" else []
    found = simulate(study, [name], levels=[0], runs=1, habits=habits)
    assert [point.result.value for point in found.points] == [1.0] * 4


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_noise_is_noticed(name, trees, brackets):
    study = trees if name in NOISES else brackets
    habits = ["obl=nmod"] if name == "habit" else []
    found = simulate(study, [name], levels=[1], runs=2, habits=habits, measures=["alpha_plain"])
    assert found.points[0].result.value < 1


def test_the_mean_and_the_spread_are_those_of_the_runs(trees):
    (point,) = simulate(trees, ["both"], levels=[0.5], runs=4, measures=["las"]).points
    runs = point.result.details["values"]
    mean = sum(runs) / 4
    assert point.result.value == pytest.approx(mean)
    assert point.result.details["sd"] == pytest.approx((sum((v - mean) ** 2 for v in runs) / 4) ** 0.5)
    assert (point.result.details["low"], point.result.details["high"]) == (min(runs), max(runs))


def test_sentences_with_other_numbers_of_tokens_are_counted(trees):
    found = simulate(trees, ["nodes_insert"], levels=[1], runs=2, measures=["las", "alpha_plain"])
    las, alpha = (point.result for point in found.points)
    assert (las.value, las.status) == (None, "no_pairable")
    assert las.details["ignored"] == {"token_mismatch": 16.0}
    assert las.details["undefined_runs"] == 2
    assert alpha.value is not None
    assert alpha.items_used == 16


def test_a_sample_is_drawn_once_and_keeps_the_order(trees):
    few = simulate(trees, ["labels"], levels=[0], runs=1, sentences=5).corpus
    assert len(few.items) == 5
    assert list(few.items) == [item for item in trees.items if item in few.items]
    with pytest.raises(StudyError, match="cannot sample 17 of 16 sentences"):
        simulate(trees, sentences=17)


def test_cycles_and_empty_trees_are_left_out_and_said():
    study = study_of(
        {"a": {"x": dep([2, 1])}, "b": {"x": dep([])}, "c": {"x": dep([2, 0])}, "d": {"x": dep([0])}}
    )
    found = simulate(study, ["heads"], levels=[1], runs=1)
    assert len(found.corpus.items) == 2
    assert "2 of 4 sentences excluded" in found.notes[0]
    with pytest.raises(StudyError, match="no sentence"):
        simulate(study.select(items=["a", "b"]))


def test_one_measure_with_two_sets_of_options_gives_two_curves(trees):
    asked = ["alpha_plain", "alpha_plain:labelled=no"]
    found = simulate(trees, ["labels"], levels=[1], runs=1, measures=asked)
    with_labels, without = (found.curve("labels", each)[0].result for each in asked)
    assert with_labels.value < without.value == 1.0
    assert with_labels.signature != without.signature


def test_signatures_tell_the_experiment(trees):
    (point,) = simulate(
        trees, ["heads"], levels=[0.5], runs=2, measures=["las"], heads="new", root=True, seed=7
    ).points
    parts = point.result.signature.split("|")
    assert parts[0].startswith("las:")
    start = parts.index("experiment:heads")
    assert parts[start + 1 : start + 4] == ["level:0.5", "runs:2", "heads:new+root"]
    assert "seed:7" in parts


def test_what_cannot_be_is_refused(trees, brackets):
    pair = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
    with pytest.raises(StudyError, match="one annotator, but found 2"):
        simulate(pair)
    with pytest.raises(UnsupportedStudy, match=r"phrase cannot be run on dependency trees. Use one of: both"):
        simulate(trees, ["phrase"])
    with pytest.raises(UnsupportedStudy, match="las cannot measure"):
        simulate(brackets, measures=["las"])
    with pytest.raises(UnknownName, match="Did you mean 'labels'"):
        simulate(trees, ["label"])
    with pytest.raises(UnsupportedStudy, match="Add experiments='habit'"):
        simulate(trees, ["both"], habits=["obl=nmod"])
    with pytest.raises(ArbitreeError, match="experiment habit needs at least one"):
        simulate(trees, ["habit"])
    with pytest.raises(UnsupportedStudy, match="simulate needs trees"):
        simulate(labelled([["a"], ["b"]]))
    for wrong in ({"levels": [2]}, {"levels": []}, {"runs": 0}):
        with pytest.raises(ArbitreeError):
            simulate(trees, **wrong)
