"""``distance``, ``convert``, ``list`` and the front door."""

import gzip
import json

import arbitree as at
from tests.formats.test_conllu import FULL
from tests.support.commands import arbitree


def test_distance_of_two_trees_in_brackets():
    done = arbitree("distance", "(S (NP) (VP))", "(S (NP))")
    out = done.stdout.decode()
    assert done.returncode == 0
    assert out.startswith("distance 1 (diff 0, norm 0.2000): 2 matched, 0 relabelled, 1 deleted, 0 inserted")
    assert "- └─ VP" in out


def test_distance_of_chosen_sentences(tmp_path):
    first, second = tmp_path / "a.conllu", tmp_path / "b.conllu"
    first.write_text(FULL)
    second.write_text(FULL.replace("expl", "nsubj"))
    done = arbitree("distance", first, second)
    assert b"relabelled" in done.stdout
    assert b"expl It (\xe2\x86\x92 nsubj)" in done.stdout
    assert b"comparing the first of 2 sentences" in done.stderr
    by_id = json.loads(arbitree("distance", first, second, "--item", "weather-2", "--json").stdout)
    assert by_id["distance"]["plain"] == 0
    assert (
        json.loads(arbitree("distance", first, second, "--item", "1", "--json").stdout)["distance"]["plain"]
        == 1
    )
    unlabelled = arbitree("distance", first, second, "--item", "1", "--json", "--unlabelled").stdout
    assert json.loads(unlabelled)["distance"]["plain"] == 0
    missing = arbitree("distance", first, second, "--item", "9")
    assert missing.returncode == 2
    assert b"number from 1 to 2" in missing.stderr


def test_distance_with_label_costs(tmp_path):
    costs = tmp_path / "costs.tsv"
    costs.write_text("NP\tVP\t0.25\n")
    found = json.loads(arbitree("distance", "(S NP VP)", "(S VP VP)", "--costs", costs, "--json").stdout)
    assert found["distance"]["plain"] == 0.25
    costs.write_text("NP\tVP\tcheap\n")
    assert (
        b"costs.tsv:1: cost 'cheap'"
        in arbitree("distance", "(S NP VP)", "(S VP VP)", "--costs", costs).stderr
    )


def test_distance_of_very_deep_trees_is_drawn():
    deep = "(A " * 3000 + "x" + ")" * 3000
    done = arbitree("distance", deep, deep)
    assert done.returncode == 0
    assert b"distance 0" in done.stdout


def test_distance_refuses_trees_of_two_kinds(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(FULL)
    done = arbitree("distance", path, "(S (NN go))")
    assert done.returncode == 2
    assert b"Pass trees of one kind" in done.stderr


def test_convert_keeps_everything_the_target_can_hold(tmp_path):
    source = tmp_path / "a.conllu"
    source.write_text(FULL)
    assert arbitree("convert", source, tmp_path / "b.conllu.gz").returncode == 0
    assert gzip.decompress((tmp_path / "b.conllu.gz").read_bytes()).decode() == FULL
    done = arbitree("convert", source, "-", "--to", "conllx")
    assert done.stdout.decode().count("\n\n") == 2
    assert b"2 sentences from conllu to conllx" in done.stderr


def test_convert_between_phrase_formats(tmp_path):
    source = tmp_path / "a.mrg"
    source.write_text("(VROOT (S (NP (NN Rain)) (VP (VBD fell))))\n")
    for name in ("b.export", "c.xml", "d.mrg"):
        assert arbitree("convert", source, tmp_path / name).returncode == 0
        source = tmp_path / name
    assert source.read_text().splitlines()[-1] == "(VROOT (S (NP (NN Rain)) (VP (VBD fell))))"


def test_convert_refuses_what_makes_no_sense(tmp_path):
    source = tmp_path / "a.conllu"
    source.write_text(FULL)
    kinds = arbitree("convert", source, tmp_path / "a.mrg")
    assert kinds.returncode == 2
    assert b"Choose conllu or conllx with --to" in kinds.stderr
    ending = arbitree("convert", source, tmp_path / "a.what")
    assert b"Set the format with --to" in ending.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.conllu"]


def test_list_names_what_there_is():
    out = arbitree("list", "measures").stdout.decode()
    assert "alpha_plain" in out
    assert {
        entry["name"] for entry in json.loads(arbitree("list", "formats", "--json").stdout)["formats"]
    } >= {
        "conllu",
        "conllx",
        "brackets",
        "delexicalised",
        "negra",
        "tigerxml",
    }
    wrong = arbitree("list", "format")
    assert wrong.returncode == 2
    assert b"Did you mean 'formats'" in wrong.stderr


def test_version_and_help():
    assert arbitree("--version").stdout.decode().strip() == f"arbitree {at.__version__}"
    out = arbitree("--help").stdout.decode()
    for command in ("agree", "convert", "distance", "list", "report"):
        assert command in out


def test_tables_of_labels_and_profiles_are_no_trees(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("item,ann,bob\n1,x,y\n2,x,x\n")
    done = arbitree("distance", table, table)
    assert (done.returncode, b"distance compares trees, but this file contains labels" in done.stderr) == (
        2,
        True,
    )
    done = arbitree("convert", table, tmp_path / "copy.tsv")
    assert b"4 labels from labels to labels" in done.stderr
    done = arbitree("convert", "examples/profiles/ann", tmp_path / "ann.mrg")
    assert (done.returncode, b"--format derivations" in done.stderr) == (2, True)


def test_unknown_lists_are_told_the_known_ones():
    done = arbitree("list", "head")
    assert (done.returncode, b"Did you mean 'heads'?" in done.stderr) == (2, True)
