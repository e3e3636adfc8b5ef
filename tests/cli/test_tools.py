"""``distance``, ``convert``, ``list`` and the front door."""

import gzip
import json
import re
from pathlib import Path

import pytest

import arbitree as at
from arbitree.cli.list import list_names
from arbitree.measures.presets import presets
from tests.support.commands import arbitree
from tests.support.conllu_files import FULL


def test_distance_of_two_trees_in_brackets():
    done = arbitree("distance", "(S (NP) (VP))", "(S (NP))")
    out = done.stdout.decode()
    assert done.returncode == 0
    assert out.startswith("distance 1 (diff 0, norm 0.2000): 2 matched, 0 relabelled, 1 deleted, 0 inserted")
    assert "- └─ VP" in out


def test_distance_of_chosen_sentences(tmp_path):
    first, second = tmp_path / "a.conllu", tmp_path / "b.conllu"
    first.write_text(FULL, encoding="utf-8")
    second.write_text(FULL.replace("expl", "nsubj"), encoding="utf-8")
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
    costs.write_text("NP\tVP\t0.25\n", encoding="utf-8")
    found = json.loads(arbitree("distance", "(S NP VP)", "(S VP VP)", "--costs", costs, "--json").stdout)
    assert found["distance"]["plain"] == 0.25
    costs.write_text("NP\tVP\tcheap\n", encoding="utf-8")
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
    path.write_text(FULL, encoding="utf-8")
    done = arbitree("distance", path, "(S (NN go))")
    assert done.returncode == 2
    assert b"Pass trees of one kind" in done.stderr


def test_convert_keeps_everything_the_target_can_hold(tmp_path):
    source = tmp_path / "a.conllu"
    source.write_text(FULL, encoding="utf-8")
    assert arbitree("convert", source, tmp_path / "b.conllu.gz").returncode == 0
    assert gzip.decompress((tmp_path / "b.conllu.gz").read_bytes()).decode() == FULL
    done = arbitree("convert", source, "-", "--to", "conllx")
    assert done.stdout.decode().count("\n\n") == 2
    assert b"2 sentences from conllu to conllx" in done.stderr


def test_convert_between_phrase_formats(tmp_path):
    source = tmp_path / "a.mrg"
    source.write_text("(VROOT (S (NP (NN Rain)) (VP (VBD fell))))\n", encoding="utf-8")
    for name in ("b.export", "c.xml", "d.mrg"):
        assert arbitree("convert", source, tmp_path / name).returncode == 0
        source = tmp_path / name
    assert source.read_text(encoding="utf-8").splitlines()[-1] == "(VROOT (S (NP (NN Rain)) (VP (VBD fell))))"


def test_convert_refuses_what_makes_no_sense(tmp_path):
    source = tmp_path / "a.conllu"
    source.write_text(FULL, encoding="utf-8")
    kinds = arbitree("convert", source, tmp_path / "a.mrg")
    assert kinds.returncode == 2
    assert b"Choose conllu or conllx with --to" in kinds.stderr
    ending = arbitree("convert", source, tmp_path / "a.what")
    assert b"Set the format with --to" in ending.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.conllu"]


def test_lists_fit_the_terminal(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    list_names("measures")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60
    assert any(line.startswith("  las  ") for line in lines)


@pytest.mark.parametrize("terminal", [True, False])
def test_details_and_tables_fit_the_terminal_and_pipes_with_its_width(monkeypatch, capsys, terminal):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    list_names("measures", "las")
    *lines, example = capsys.readouterr().out.splitlines()
    assert 50 < max(map(len, lines)) <= 60
    assert example.startswith("Example: arbitree agree ")  # whole, to be copied


def test_help_shows_no_types_of_python():
    found = arbitree("agree", "--help").stdout.decode()
    assert "--dirs" in found
    assert not re.search(r"<\w|\[str\]", found)


@pytest.mark.parametrize(("columns", "width"), [("70", 70), ("300", 100), ("", 80), ("many", 80), ("0", 80)])
def test_text_in_a_pipe_has_the_width_of_the_terminal(columns, width):
    inputs = sorted(Path("examples/dependency").glob("*.conllu"))
    found = arbitree("explain", *inputs, COLUMNS=columns).stdout.decode()
    assert width - 15 < max(map(len, found.splitlines())) <= width


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


def test_list_alone_lists_everything():
    out = arbitree("list").stdout.decode()
    for name in ("conllu", "parseval", "mace", "ted_norm", "threads", "english"):
        assert f"{name} " in out
    assert set(json.loads(arbitree("list", "--json").stdout)) >= {"formats", "measures", "models", "heads"}


def test_measures_are_listed_by_the_annotations_that_they_fit():
    out = arbitree("list", "measures").stdout.decode()
    headings = [line for line in out.splitlines() if line.startswith("For ")]
    assert headings[0] == "For dependency trees, phrase-structure trees:"
    assert len(headings) == len(set(headings))
    both, dependency = out.split("For dependency trees:")[0], out.split("For dependency trees:")[1]
    assert "edit_distance" in both  # each kind has its own, under one name
    assert "las" in dependency.split("For ")[0]


def test_list_shows_one_measure_with_options_definition_and_reference():
    out = arbitree("list", "measures", "lcp").stdout.decode()
    assert "For: dependency trees" in out
    assert "childless=count" in out
    assert "LCP = |{v: c_G(v) = c_P(v)}| / |V_verb|" in out
    assert "Plank et al. (2015): Do dependency parsing metrics correlate with human judgments?" in out
    told = json.loads(arbitree("list", "measures", "lcp", "--json").stdout)
    assert {"name": "lcp_literal", "default": "no"}.items() <= told["options"][-1].items()
    wrong = arbitree("list", "measures", "lpc")
    assert (wrong.returncode, b"unknown measure 'lpc'. Did you mean 'lcp'?" in wrong.stderr) == (2, True)


def test_every_measure_and_option_is_described():
    listed = json.loads(arbitree("list", "--json").stdout)
    for each in listed["measures"]:
        assert each["definition"], each["name"]
        assert each["references"], each["name"]
        for option in each.get("options", ()):
            assert option["what"], (each["name"], option["name"])
    for each in listed["distances"]:
        assert all(option["what"] for option in each.get("options", ())), each["name"]


def test_each_metric_of_dependency_trees_has_a_definition_of_its_own():
    listed = json.loads(arbitree("list", "measures", "--json").stdout)["measures"]
    found = {
        each["name"]: each["definition"]
        for each in listed
        if "dependency trees" in each["fits"] and not each["name"].startswith("alpha_")
    }
    assert len(set(found.values())) == len(found) > 10
    assert "head" in found["uas"]
    assert "relation" not in found["uas"]


@pytest.mark.parametrize(
    "arguments", [("agree",), ("agree", "a", "b", "--foo"), ("agree", "a", "b", "--seed", "x"), ("agre",)]
)
def test_wrong_arguments_get_one_line_without_a_box(arguments):
    done = arbitree(*arguments)
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("error: ")
    assert "--help" in line


def test_errors_without_a_path_begin_with_error(tmp_path):
    line = arbitree("agree", "examples/labels/stance.tsv", "-m", "pia", "-q").stderr.decode()
    assert line.startswith("error: unknown measure 'pia'")
    line = arbitree("agree", tmp_path / "gone.conllu", tmp_path / "gone2.conllu").stderr.decode()
    assert line.startswith(f"{tmp_path / 'gone.conllu'}: file not found")


def test_unknown_measures_get_suggestions_that_fit_the_study():
    trees, labels = (
        ("examples/dependency/ann.conllu", "examples/dependency/bob.conllu"),
        ("examples/labels/stance.tsv",),
    )
    assert b"Did you mean" not in arbitree("agree", *trees, "-m", "pii", "-q").stderr
    assert b"Did you mean 'pi'?" in arbitree("agree", *labels, "-m", "pii", "-q").stderr


def test_version_and_help():
    assert arbitree("--version").stdout.decode().strip() == f"arbitree {at.__version__}"
    out = arbitree("--help").stdout.decode()
    for command in ("agree", "backup", "convert", "distance", "list", "report", "restore"):
        assert command in out


def test_help_shows_defaults_in_brackets():
    found = arbitree("serve", "--help", COLUMNS="200").stdout.decode()
    assert "[default: your login]" in found
    assert "\\" not in found


def test_tables_of_labels_and_profiles_are_no_trees(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("item,ann,bob\n1,x,y\n2,x,x\n", encoding="utf-8")
    done = arbitree("distance", table, table)
    assert (done.returncode, b"distance compares trees, but this file contains labels" in done.stderr) == (
        2,
        True,
    )
    done = arbitree("convert", table, tmp_path / "copy.tsv")
    assert b"4 labels from labels to labels" in done.stderr
    done = arbitree("convert", "examples/profiles/ann", tmp_path / "ann.mrg")
    assert (done.returncode, b"--format derivations" in done.stderr) == (2, True)


def test_long_lists_of_options_break_between_values():
    out = arbitree("list", "presets", "conll18").stdout.decode()
    definition = out.split("Definition:")[1].split("Reference:")[0]
    lines = [line.strip() for line in definition.strip().splitlines()]
    assert max(map(len, lines)) <= 100
    joined = "".join(lines)
    (stated,) = [each for each in presets()["conll18"].rules["dependency"]["measures"] if "!acl" in each]
    assert stated in joined
    assert [line[-1] for line in lines[-4:-1]] == ["+"] * 3


def test_a_name_without_its_list_is_told_the_command():
    done = arbitree("list", "las")
    assert done.returncode == 2
    assert done.stderr.decode() == "error: unknown list 'las'. Run 'arbitree list measures las'.\n"


def test_unknown_lists_are_told_the_known_ones():
    done = arbitree("list", "head")
    assert (done.returncode, b"Did you mean 'heads'?" in done.stderr) == (2, True)
    done = arbitree("list", "foo")
    names = "backends, distances, formats, heads, layers, measures, models, presets"
    assert done.stderr.decode() == f"error: unknown list 'foo'. Expected one of: {names}.\n"
    assert b"Did you mean 'layers'?" in arbitree("list", "layer").stderr
    assert arbitree("list", "Layers").stderr == arbitree("list", "layers").stderr
