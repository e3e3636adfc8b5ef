"""``arbitree coders`` as a user meets it."""

import csv
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook

from arbitree.reading.assembly import read_study
from tests.support.commands import arbitree

EXAMPLES = Path(__file__).parents[2] / "examples"
TREES = sorted(EXAMPLES.glob("dependency/*.conllu"))
PHRASES = sorted(EXAMPLES.glob("phrase/*.mrg"))
REVIEWS = EXAMPLES / "coders" / "reviews.csv"
KEY = EXAMPLES / "coders" / "reviews.key"


def test_an_unknown_model_gets_suggestions_that_fit_the_study():
    done = arbitree("coders", *TREES, "--model", "brackts")
    assert (done.returncode, b"brackets" in done.stderr) == (2, False)
    assert b"unknown model 'brackts'. Expected one of: dawid_skene, edges, heads, mace" in done.stderr


def test_labels_give_a_table_with_accuracy_and_a_consensus_that_can_be_read(tmp_path):
    target = tmp_path / "consensus.tsv"
    done = arbitree("coders", REVIEWS, "--truth", KEY, "--resamples", 50, "--consensus", target)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert "Mean competence of 5 annotators on 40 items: 0." in text
    assert "accuracy" in text
    assert "hardest items" in text
    assert b"Wrote the consensus of 40 items as labels" in done.stderr
    study = read_study([str(target)])
    assert study.coders == ("consensus",)
    assert len(study.items) == 40


def test_the_terminal_counts_the_confusions_and_hard_items_that_it_leaves_out():
    arguments = ("coders", *TREES, "-q", "--resamples", 0)
    lines = arbitree(*arguments).stdout.decode().splitlines()
    found = json.loads(arbitree(*arguments, "--json").stdout)
    confused = [each for each in found["confusion"] if each["truth"] != each["answer"]]
    unsure = [each for each in found["items"] if each["entropy"] > 1e-6]
    for title, noun, every in (
        ("annotator  consensus label", "confusion", confused),
        ("hardest sentences", "uncertain sentence", unsure),
    ):
        start = next(place for place, line in enumerate(lines) if line.startswith(title))
        assert lines[start + 11].startswith(f"{len(every) - 10} more {noun}")
        assert lines[start + 11].endswith(". Use --json to print all.")


def test_files_contain_every_table_with_all_rows(tmp_path):
    arguments = ("coders", *TREES, "-q", "--resamples", 0)
    for name in ("cc.csv", "cc.tsv", "cc.xlsx"):
        assert arbitree(*arguments, "-o", tmp_path / name).returncode == 0
    found = json.loads(arbitree(*arguments, "--json").stdout)
    confused = [each for each in found["confusion"] if each["truth"] != each["answer"]]
    unsure = [each for each in found["items"] if each["entropy"] > 1e-6]
    for ending, delimiter in (("csv", ","), ("tsv", "\t")):
        confusions, hardest = (
            table(tmp_path / f"cc-{name}.{ending}", delimiter) for name in ("confusions", "hardest-sentences")
        )
        assert list(confusions[0]) == ["coder", "truth", "answer", "count", "share"]
        assert {(row["coder"], row["truth"], row["answer"], float(row["share"])) for row in confusions} == {
            (each["coder"], each["truth"], each["answer"], each["share"]) for each in confused
        }
        assert list(hardest[0]) == ["item", "entropy", "words"]
        assert {(row["item"], float(row["entropy"])) for row in hardest} == {
            (each["item"], each["entropy"]) for each in unsure
        }
        assert hardest[0]["words"].endswith("opened a second shop in April .")  # not shortened
    sheets = load_workbook(tmp_path / "cc.xlsx")
    assert sheets.sheetnames == ["Coders", "Confusions", "Hardest sentences"]
    assert sheets["Confusions"].max_row == 1 + len(confused)


def table(path, delimiter):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def test_json_has_the_common_keys_and_those_of_coders():
    done = arbitree("coders", REVIEWS, "--json", "--cite", "--resamples", 20, "-q")
    found = json.loads(done.stdout)
    assert {"arbitree", "command", "study", "results", "warnings"} <= found.keys()
    assert found["command"] == "coders"
    assert found["model"] == "mace"
    assert found["results"][0]["measure"] == "competence"
    assert found["results"][0]["details"]["method"] == "vb"
    first = found["coders"][0]
    assert first.keys() == {"coder", "competence", "interval", "status", "annotations", "agreement"}
    assert found["items"][0].keys() == {"item", "consensus", "entropy"}
    assert {"coder", "truth", "answer", "count", "share"} == found["confusion"][0].keys()
    assert "hovy2013" in found["citations"][0]
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("paths", "ending", "cited"),
    [(TREES, ".conllu", b"edmonds1967"), (PHRASES, ".mrg", b"")],
    ids=["trees", "phrases"],
)
def test_trees_give_a_consensus_in_their_own_format(tmp_path, paths, ending, cited):
    target = tmp_path / f"consensus{ending}"
    done = arbitree("coders", *paths, "--consensus", target, "--cite", "--resamples", 0)
    assert done.returncode == 0, done.stderr
    assert cited in done.stdout
    assert len(read_study([str(target)]).items) == 16
    again = arbitree("agree", paths[0], target, "--resamples", 0, "-q")
    assert again.returncode == 0, again.stderr


def test_the_format_is_that_of_the_inputs_where_the_ending_tells_none(tmp_path):
    target = tmp_path / "consensus"
    done = arbitree("coders", *TREES, "--consensus", target, "--resamples", 0)
    assert b"as conllu" in done.stderr
    assert target.read_text(encoding="utf-8").startswith("# newdoc id")


def test_labels_of_tokens_are_modelled_on_request(tmp_path):
    target = tmp_path / "labels.tsv"
    done = arbitree("coders", *TREES, "--model", "dawid_skene", "--resamples", 0, "--consensus", target)
    assert b"195 items: 0.926, model dawid_skene" in done.stdout
    assert b"as labels" in done.stderr
    assert len(target.read_text(encoding="utf-8").splitlines()) == 196
    done = arbitree("coders", *TREES, "--column", "upos", "--resamples", 0, "--json", "-q")
    assert json.loads(done.stdout)["study"]["kind"] == "label"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([TREES[0]], "coders needs at least two annotators"),
        ([*TREES, "--model", "edge"], "Did you mean 'edges'"),
        ([*TREES, "--model", "brackets"], "Choose one of edges, heads"),
        ([REVIEWS, "--method", "gibbs"], "Expected one of: em, vb"),
        ([*TREES, "--truth", KEY], "--consensus"),
        ([REVIEWS, "--truth", REVIEWS], "has 2 true labels"),
        ([REVIEWS, "--truth", "nowhere.key"], "file not found"),
        ([REVIEWS, "--consensus", "x.conllu"], "the format conllu cannot store labels"),
        ([REVIEWS, "--consensus", "nowhere/at/all.tsv"], "does not exist"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_2(arguments, said):
    done = arbitree("coders", *arguments, "--resamples", 0, "-q")
    assert done.returncode == 2
    assert done.stdout == b""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1
    assert said in lines[0]


def test_two_annotators_in_either_order_give_the_same_verdict_on_nobody(tmp_path):
    first, second = (
        arbitree("coders", *paths, "--resamples", 0, "-q").stdout.decode()
        for paths in (TREES[:2], TREES[1::-1])
    )
    assert "Two annotators are not enough to estimate who is right" in first
    assert sorted(first.splitlines()) == sorted(second.splitlines())
    target = tmp_path / "consensus.conllu"
    done = arbitree("coders", *TREES[:2], "--consensus", target, "--resamples", 0, "-q")
    assert (done.returncode, done.stdout, target.exists()) == (2, b"", False)
    assert len(done.stderr.decode().splitlines()) == 1
    assert b"--prefer NAME" in done.stderr
    for name, path in zip(("ann", "bob"), TREES, strict=False):
        options = ("--consensus", target, "--force", "--prefer", name, "--resamples", 0)
        done = arbitree("coders", *TREES[:2], *options)
        assert f"12 sentences on which two annotators differ follow {name}".encode() in done.stderr
        again = arbitree("agree", path, target, "-m", "las", "--resamples", 0, "-q", "--json")
        assert json.loads(again.stdout)["results"][0]["value"] == 1


@pytest.mark.parametrize("model", [(), ("--model", "mace")])
def test_profiles_and_semantic_graphs_have_no_model(model, tmp_path):
    graph = tmp_path / "a.eds"
    graph.write_text("{e2: e2:_rain_v_1<3:9>[]}\n", encoding="utf-8")
    inputs = [
        [EXAMPLES / "profiles" / "ann", EXAMPLES / "profiles" / "bob"],
        [f"ann={graph}", f"bob={graph}"],
    ]
    for paths in inputs:
        done = arbitree("coders", *paths, *model, "-q")
        assert (done.returncode, done.stdout) == (2, b""), done.stderr
        assert done.stderr.decode().count("\n") == 1
        assert b"no annotator model fits" in done.stderr


def test_fail_under_looks_at_the_mean_competence():
    assert arbitree("coders", REVIEWS, "--resamples", 0, "-q", "--fail-under", 0.1).returncode == 0
    assert arbitree("coders", REVIEWS, "--resamples", 0, "-q", "--fail-under", 0.99).returncode == 1
