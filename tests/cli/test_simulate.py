"""``arbitree simulate`` as a user meets it."""

import json

import pytest

from tests.support.commands import arbitree

ANN = "examples/dependency/ann.conllu"
FAST = ("--levels", "0,1", "--runs", "2")


def test_the_table_goes_to_stdout_and_the_talk_to_stderr(tmp_path):
    done = arbitree("simulate", ANN, *FAST, "-o", tmp_path / "out")
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0
    assert out.startswith(
        "Simulated errors in 16 sentences: means and standard deviations of 2 runs per noise level."
    )
    assert all(f"\n{name}: other" in out for name in ("both", "labels", "heads"))
    assert max(map(len, out.splitlines())) <= 100
    assert "Format detected: conllu" in err
    assert "curves.svg" in err
    assert (tmp_path / "out" / "curves.pdf").exists()
    again = arbitree("simulate", "-q", ANN, *FAST, "--threads", "1")
    assert again.stderr == b""
    assert again.stdout.decode() == out


def test_json_follows_the_contract():
    done = arbitree(
        "simulate", ANN, *FAST, "-e", "nodes", "-m", "las", "-m", "alpha_plain", "--json", "--cite"
    )
    found = json.loads(done.stdout)
    assert found["command"] == "simulate"
    assert found["study"]["coders"] == ["ann"]
    assert (found["experiments"], found["levels"], found["runs"]) == (["nodes"], [0.0, 1.0], 2)
    assert [(each["level"], each["measure"]) for each in found["results"]] == [
        (0.0, "las"), (0.0, "alpha_plain"), (1.0, "las"), (1.0, "alpha_plain"),
    ]  # fmt: skip
    keys = {"experiment", "level", "measure", "value", "interval", "status", "items_used", "items_ignored"}
    assert keys | {"details", "signature"} == set(found["results"][0])
    assert len(found["results"][0]["details"]["values"]) == 2
    assert any("skjaerholt2014" in entry for entry in found["citations"])


def test_runs_without_a_value_are_counted_in_words():
    done = arbitree("simulate", "-q", ANN, *FAST, "-e", "nodes_insert", "-m", "las")
    assert "las is undefined in 2 of 4 runs, because no item has two annotations" in done.stdout.decode()
    assert "las excluded up to 16.0 of 16 sentences per run" in done.stdout.decode()


def test_phrase_trees_and_habits_have_experiments_of_their_own():
    done = arbitree("simulate", "examples/phrase/ann.mrg", *FAST)
    assert done.returncode == 0
    assert b"phrase_move: phrases moved" in done.stdout
    done = arbitree("simulate", ANN, *FAST, "--habit", "obl=nmod:0.3", "-m", "la")
    assert done.returncode == 0
    assert b"habit: systematic confusion of one label" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.conllu"], "nowhere.conllu"),
        ([ANN, "--levels", "0:2:1"], "noise level 2 is not between 0 and 1"),
        ([ANN, "--levels", "lots"], "does not contain noise levels"),
        ([ANN, "-e", "head"], "Did you mean 'heads'"),
        ([ANN, "-e", "phrase"], "cannot be run on dependency trees"),
        ([ANN, "-m", "lass"], "Did you mean 'las'"),
        ([ANN, "--habit", "obl"], "is not a valid confusion"),
        ([ANN, "--habit", "obll=nmod"], "Did you mean 'obl'"),
        ([ANN, "--heads", "all"], "unknown heads value"),
        ([ANN, "--sentences", "99"], "cannot sample 99 of 16"),
        ([ANN, "-o", ANN], "cannot write to an input"),
        ([ANN, "-o", "README.md"], "cannot create the directory"),
        (["examples/arborator"], "needs the annotations of one annotator, but found 3 annotators"),
        (["examples/labels/stance.tsv"], "needs trees or graphs, but this file contains labels"),
    ],
)
def test_mistakes_are_one_line_and_exit_two(arguments, said):
    done = arbitree("simulate", "-q", *arguments, *(() if "--levels" in arguments else FAST))
    err = done.stderr.decode()
    assert done.returncode == 2
    assert said in err
    assert len(err.splitlines()) == 1
    assert done.stdout == b""


def test_agree_draws_figures(tmp_path):
    done = arbitree(
        "agree", ANN, "examples/dependency/bob.conllu", "--resamples", "20", "--figures", tmp_path
    )
    assert done.returncode == 0
    assert {path.stem for path in tmp_path.iterdir()} == {"measures", "distances"}
