"""Names on the command line: upper and lower case, inputs in the usage line, files that are given twice."""

import pytest

from tests.support.commands import arbitree

ANN, BOB = "examples/dependency/ann.conllu", "examples/dependency/bob.conllu"
FEW = ("--resamples", "0")


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["agree", ANN, BOB, *FEW, "-m"], "Las"),
        (["agree", ANN, BOB, *FEW, "-m"], "LAS:punctuation=skip-form"),
        (["agree", ANN, BOB, "-m", "uas", "--interval"], "Percentile"),
        (["agree", ANN, BOB, *FEW, "-m", "uas", "--format"], "CoNLLU"),
        (["agree", ANN, BOB, *FEW, "-m", "uas", "--by"], "Document"),
        (["agree", ANN, BOB, *FEW, "-m", "uas", "--backend"], "Serial"),
        (["agree", ANN, BOB, *FEW, "--as"], "Skjaerholt2014"),
        (["score", ANN, BOB, *FEW, "--as", "conll18", "-m"], "CLAS"),
        (["coders", "examples/coders/reviews.csv", *FEW, "--model"], "Majority"),
        (["list", "measures"], "LAS"),
        (["list"], "Presets"),
    ],
)
def test_upper_and_lower_case_do_not_matter(arguments, name):
    done = arbitree(*arguments, name)
    assert done.returncode == 0, done.stderr
    usual = arbitree(*arguments, name.lower())
    assert (done.stdout, done.stderr) == (usual.stdout, usual.stderr)


def test_unknown_names_are_reported_as_typed_with_the_nearest():
    done = arbitree("agree", ANN, BOB, "-m", "LASS")
    assert done.returncode == 2
    assert b"unknown measure 'LASS'. Did you mean 'las'?" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "las,uas"], "unknown measure 'las,uas'. Repeat the option: --measure las --measure uas."),
        (["-m", "las uas"], "Repeat the option: --measure las --measure uas."),
        (
            ["-m", "las", "uas"],
            "uas: file not found. To compute several measures, repeat the option --measure.",
        ),
        (
            ["-m", "las", "alpha_diff:size=leaves"],
            "size=leaves: file not found. To compute several measures, repeat the option --measure.",
        ),
        (["--by", "document,pair"], "Repeat the option: --by document --by pair."),
        (["-m"], "Option '-m' requires an argument. Run 'arbitree agree --help' to see the options."),
    ],
)
def test_several_values_of_an_option_are_explained(arguments, message):
    done = arbitree("agree", ANN, BOB, *arguments)
    assert done.returncode == 2
    assert done.stderr.decode().endswith(f"{message}\n")


def test_one_file_for_two_annotators_is_reported():
    done = arbitree("agree", f"x={ANN}", f"y={ANN}", *FEW, "-m", "las")
    assert done.returncode == 0
    assert f"warning: {ANN}: this file was given twice, for x and y".encode() in done.stderr
    assert b"given twice" not in arbitree("agree", ANN, BOB, *FEW, "-m", "las").stderr


@pytest.mark.parametrize(
    ("command", "usage"),
    [("agree", "INPUT..."), ("convert", "IN OUT"), ("score", "GOLD [SYSTEM...]"), ("tsdb", "[PROFILE...]")],
)
def test_usage_shows_the_arguments(command, usage):
    done = arbitree(command, "--help")
    assert f"Usage: arbitree {command} [OPTIONS] {usage} " in done.stdout.decode()
