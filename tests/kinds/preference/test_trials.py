"""Blind trials: what every judge sees, and what becomes of the answers."""

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from arbitree import kinds
from arbitree.cli import app
from arbitree.errors import ArbitreeError, StudyError, UnsupportedStudy
from arbitree.kinds.preference.answers import Judge, agreement, judged
from arbitree.kinds.preference.judgment_words import Words, preferences
from arbitree.kinds.preference.judgments import judgment_lines, parse_judgments
from arbitree.kinds.preference.trials import DISTANCE, Round, Trial, candidates, chosen, trials_of
from arbitree.kinds.preference.value import Preference
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content
from tests.support.build import dep, labelled, study_of

EXAMPLES = Path(__file__).parents[3] / "examples" / "prefer"
SYSTEMS = ("birch", "cedar")
COUNTS = st.integers(0, 60)
SHARES = st.sampled_from([0, 0.01, 0.1, 0.25, 0.5])


def names(count):
    return [f"s{k}" for k in range(count)]


def trials(count, *, judge=1, number=1, **settings):
    return trials_of(Round(SYSTEMS, **settings), names(count), number=number, judge=judge)


def firsts(found):
    return [trial for trial in found if trial.repeat_of is None]


@given(COUNTS, SHARES, st.integers(0, 5), st.integers(1, 5))
def test_every_item_comes_once_and_again_only_as_a_repeat(count, repeats, seed, judge):
    found = trials(count, repeats=repeats, seed=seed, judge=judge)
    assert [trial.position for trial in found] == list(range(1, len(found) + 1))
    assert sorted(trial.item for trial in firsts(found)) == sorted(names(count))
    again = [trial.item for trial in found if trial.repeat_of]
    assert len(again) == len(set(again))
    if repeats and count > 1:
        assert len(again) == max(1, round(repeats * count))
    else:
        assert not again


@given(COUNTS, SHARES, st.integers(0, 5), st.integers(1, 5))
def test_a_repeat_comes_later_at_a_distance_with_sides_swapped(count, repeats, seed, judge):
    found = trials(count, repeats=repeats, seed=seed, judge=judge)
    for trial in found:
        if trial.repeat_of is None:
            continue
        first = found[trial.repeat_of - 1]
        assert (first.item, first.upper, first.lower) == (trial.item, trial.lower, trial.upper)
        between = {each.item for each in found[first.position : trial.position - 1]}
        assert len(between) >= min(DISTANCE, count // 2)
        assert trial.item not in between


@given(COUNTS, st.integers(0, 5), st.integers(1, 5))
def test_either_system_is_above_as_often_as_the_other(count, seed, judge):
    above = Counter(trial.upper for trial in firsts(trials(count, seed=seed, judge=judge)))
    assert abs(above["birch"] - above["cedar"]) == count % 2


def test_over_many_judges_sides_and_places_of_an_item_are_even():
    rounds = [firsts(trials(20, judge=judge)) for judge in range(400)]
    for item in names(20):
        shown = [trial for found in rounds for trial in found if trial.item == item]
        assert 140 <= sum(trial.upper == "birch" for trial in shown) <= 260  # 200 and six deviations
    early = Counter(found[0].item for found in rounds)
    assert len(early) == 20
    assert max(early.values()) <= 47  # 20 and six deviations


def test_sides_do_not_follow_the_order_of_the_trials():
    found = firsts(trials(400))
    changes = sum(a.upper != b.upper for a, b in pairwise(found))
    assert 140 <= changes <= 260


def test_trials_are_the_same_whenever_they_are_asked_for():
    """The values are fixed: a judge who comes back after an update must go on where they stopped."""
    found = trials(4, repeats=0.25, number=3, judge=7, seed=5)
    assert found == trials_of(Round(SYSTEMS, repeats=0.25, seed=5), names(4)[::-1], number=3, judge=7)
    assert found == [
        Trial(1, "s2", "cedar", "birch"),
        Trial(2, "s3", "birch", "cedar"),
        Trial(3, "s1", "cedar", "birch"),
        Trial(4, "s0", "birch", "cedar"),
        Trial(5, "s3", "cedar", "birch", repeat_of=2),
    ]


@pytest.mark.parametrize("other", [{"judge": 2}, {"number": 2}, {"seed": 1}])
def test_another_judge_round_or_seed_has_another_order(other):
    assert [t.item for t in trials(30)] != [t.item for t in trials(30, **other)]


@given(COUNTS, st.integers(1, 70), st.integers(0, 5))
def test_so_many_sentences_are_drawn_as_asked_for_in_their_own_order(count, wanted, seed):
    drawn = chosen(Round(SYSTEMS, sentences=wanted, seed=seed), names(count))
    assert len(drawn) == min(wanted, count)
    assert drawn == [item for item in names(count) if item in set(drawn)]


def test_another_seed_draws_other_sentences():
    draws = [chosen(Round(SYSTEMS, sentences=10, seed=seed), names(100)) for seed in (0, 1)]
    assert draws[0] != draws[1]


@pytest.mark.parametrize(
    "settings",
    [
        {"systems": ("birch", "birch")},
        {"systems": ("birch", "Birch")},
        {"systems": ("birch", "equal")},
        {"systems": ("bad", "birch")},
        {"systems": SYSTEMS, "sentences": 0},
        {"systems": SYSTEMS, "repeats": 0.6},
        {"systems": SYSTEMS, "repeats": -0.1},
        {"systems": SYSTEMS, "repeats": float("nan")},
        {"systems": SYSTEMS, "reference": "cedar"},
    ],
)
def test_rounds_that_make_no_sense_are_refused_with_a_hint(settings):
    with pytest.raises(StudyError) as found:
        Round(**settings)
    assert found.value.hint


def test_settings_survive_json():
    settings = Round(SYSTEMS, sentences=5, repeats=0.2, equal=False, reference="gold", seed=3)
    kept = json.loads(json.dumps(settings.to_dict() | {"items": ["s1"]}))
    assert Round.from_dict(kept) == settings


def test_answers_are_those_that_the_round_allows():
    assert Round(SYSTEMS).choices == ("upper", "lower", "equal", "bad")
    assert Round(SYSTEMS, equal=False, bad=False).choices == ("upper", "lower")


def test_only_different_parses_of_the_same_words_are_judged():
    tree, other = dep((2, 0)), dep((0, 1))
    study = study_of(
        {
            "differ": {"birch": tree, "cedar": other, "gold": tree},
            "no gold": {"birch": tree, "cedar": other},
            "same": {"birch": tree, "cedar": tree, "gold": other},
            "words": {"birch": tree, "cedar": dep((0, 1), tokens=("u", "v")), "gold": tree},
            "missing": {"birch": tree, "gold": tree},
            "empty": {"birch": tree, "cedar": dep(()), "gold": tree},
            "comments": {"birch": tree, "cedar": replace(tree, comments=("# by cedar",)), "gold": tree},
        }
    )
    found = candidates(study, kinds.of(study), Round(SYSTEMS))
    assert found.items == ("differ", "no gold")
    assert found.left_out == {"same parse": 2, "other words": 1, "not all have it": 2}
    assert candidates(study, kinds.of(study), Round(SYSTEMS, reference="gold")).items == ("differ",)


def test_labels_cannot_be_judged_and_strangers_are_named():
    labels = labelled([["a", "b"]], SYSTEMS)
    trees = study_of({"s": {"birch": dep((0,)), "cedar": dep((0,))}})
    with pytest.raises(UnsupportedStudy, match="trees"):
        candidates(labels, kinds.of(labels), Round(SYSTEMS))
    with pytest.raises(ArbitreeError, match="elm"):
        candidates(trees, kinds.of(trees), Round(("birch", "elm")))


REPEATED = [
    Trial(1, "s1", "birch", "cedar"),
    Trial(2, "s2", "cedar", "birch"),
    Trial(3, "s3", "cedar", "birch"),
    Trial(4, "s1", "cedar", "birch", repeat_of=1),
    Trial(5, "s2", "birch", "cedar", repeat_of=2),
]


def test_a_repeat_is_answered_alike_if_the_same_system_is_chosen():
    assert Judge("ida", REPEATED, {1: "upper", 4: "lower"}).consistency == (1, 1)
    assert Judge("ida", REPEATED, {1: "upper", 4: "upper", 2: "equal", 5: "equal"}).consistency == (1, 2)
    assert Judge("ida", REPEATED, {1: "bad", 4: "equal"}).consistency == (0, 1)
    assert Judge("ida", REPEATED, {4: "upper"}).consistency == (0, 0)


def test_counts_leave_repeats_out_and_sides_do_not():
    judge = Judge("ida", REPEATED, {1: "upper", 2: "upper", 3: "bad", 4: "upper"})
    assert judge.counts == {"birch": 1, "cedar": 1, "bad": 1}
    assert judge.sides == (3, 0)
    assert judge.done == 4


def test_the_first_answer_of_an_item_counts_and_a_repeat_never():
    found = Judge("ida", REPEATED, {1: "upper", 3: "equal", 4: "upper", 5: "upper"}).preferences(SYSTEMS)
    assert found == {"s1": Preference(SYSTEMS, "birch"), "s3": Preference(SYSTEMS, None)}


def test_equal_and_both_bad_survive_the_file():
    study = study_of({item: {"birch": dep((0,)), "cedar": dep((0,))} for item in ("s1", "s2", "s3")})
    answers = {1: "lower", 2: "equal", 3: "bad"}
    found = judged(study.items, SYSTEMS, [Judge("ida", REPEATED[:3], answers), Judge("jon", REPEATED, {})])
    assert found.coders == ("ida",)
    lines = list(judgment_lines(found))
    assert [json.loads(line)["choice"] for line in lines] == ["cedar", None, "both bad"]
    table = parse_judgments(Content("judged.jsonl", "".join(lines).encode()))
    back = preferences(table, study.items, Words(SYSTEMS))
    assert {key: cell.value for key, cell in back.cells.items()} == {
        key: cell.value for key, cell in found.cells.items()
    }


def test_judges_who_agree_have_kappa_1():
    study = study_of({item: {"birch": dep((0,)), "cedar": dep((0,))} for item in ("s1", "s2", "s3")})
    answers = {1: "upper", 2: "upper", 3: "upper"}
    judges = [Judge(name, REPEATED, answers) for name in ("ida", "jon")]
    assert agreement(judged(study.items, SYSTEMS, judges)).kappa == 1
    assert agreement(judged(study.items, SYSTEMS, judges[:1])).kappa is None


@pytest.mark.parametrize("with_ids", [True, False])
def test_the_file_goes_through_prefer_unchanged(tmp_path, with_ids):
    """People who choose birch wherever it is: the command must hear exactly that."""
    for path in EXAMPLES.glob("*.conllu"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if with_ids or not line.startswith("#")]
        (tmp_path / path.name).write_text("".join(kept), encoding="utf-8")
    files = [f"{name}={tmp_path}/{name}.conllu" for name in ("gold", *SYSTEMS)]
    study = read_study(files[1:])
    settings = Round(SYSTEMS, repeats=0.25)
    items = chosen(settings, candidates(study, kinds.of(study), settings).items)
    judges = []
    for number, name in enumerate(("ida", "jon")):
        found = trials_of(settings, items, number=1, judge=number)
        answers = {trial.position: "upper" if trial.upper == "birch" else "lower" for trial in found}
        judges.append(Judge(name, found, answers))
    (tmp_path / "judged.jsonl").write_text(
        "".join(judgment_lines(judged(study.items, SYSTEMS, judges))), encoding="utf-8"
    )
    command = [
        "prefer",
        *files,
        "--judgments",
        f"{tmp_path}/judged.jsonl",
        "--resamples",
        "0",
        "--json",
        "-q",
    ]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    heard = found["sets"][0]
    assert heard["verdicts"]["items"] == heard["verdicts"]["first"] == len(items)
