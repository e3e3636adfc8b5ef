"""A value and its signature are verified, refuted, or cannot be applied."""

import json
import shutil
from dataclasses import replace

import pytest

import arbitree as at
from arbitree.api.evaluate import evaluate
from arbitree.errors import ArbitreeError
from arbitree.measures.signatures import Signature, citation
from tests.support.commands import arbitree

TREES = [f"examples/dependency/{coder}.conllu" for coder in ("ann", "bob")]
SCORED = [f"examples/score/{name}.conllu" for name in ("gold", "heron", "wren")]
PROFILES = [f"examples/profiles/{coder}" for coder in ("ann", "bob")]


def lines_of(*arguments):
    """The values and signatures that a command prints with -v."""
    out = arbitree(*arguments, "-v", "-q", "--resamples", "0").stdout.decode()
    return [line for line in out.splitlines() if "|v:" in line]


def verified(command, inputs, line, *options):
    done = arbitree(command, *inputs, "-q", *options, "--verify", line)
    return done.returncode, (done.stdout or done.stderr).decode().strip()


@pytest.mark.parametrize(
    ("command", "inputs", "options"),
    [
        ("agree", TREES, []),
        ("agree", TREES, ["--column", "upos"]),
        ("agree", TREES, ["--match", "text", "-m", "uas"]),
        ("agree", TREES, ["-m", "alpha_norm", "--pairs", "50", "--seed", "3"]),
        ("agree", ["examples/labels/stance.tsv"], ["--missing", "auto,against"]),
        ("agree", PROFILES, ["-m", "parseval"]),
        ("score", SCORED, []),
        ("tsdb", PROFILES, []),
    ],
)
def test_what_a_command_prints_is_verified_without_its_options(command, inputs, options):
    lines = lines_of(command, *inputs, *options)
    assert lines
    for line in lines:
        value, _, signed = line.partition(" ")
        code, text = verified(command, inputs, line)
        assert (code, text.partition(":")[0]) == (0, "verified"), text
        wrong = f"{float(value) + 0.01 if value != 'undefined' else 0.5} {signed}"
        code, text = verified(command, inputs, wrong)
        assert code == 1
        assert text.startswith("not verified: ")
        assert value in text
        assert wrong.partition(" ")[0] in text


def test_the_digits_that_are_given_count():
    found = evaluate(at.read(*TREES), "las", resamples=0)
    study = at.read(*TREES)
    for digits in range(1, 12):
        assert at.verify(f"{found.value:.{digits}f} {found.signature}", study).verified
    assert not at.verify(f"{found.value + 0.0011:.3f} {found.signature}", study).verified


def test_side_files_are_looked_for_beside_the_inputs_and_where_they_are_named(tmp_path, monkeypatch):
    (tmp_path / "work").mkdir()
    (tmp_path / "other").mkdir()
    inputs = [shutil.copy(path, tmp_path / "work") for path in TREES]
    table = tmp_path / "work" / "costs.tsv"
    table.write_text("nsubj\tobj\t0.5\n", encoding="utf-8")
    (line,) = lines_of("agree", *inputs, "-m", f"alpha_plain:costs={table}")
    assert verified("agree", inputs, line)[0] == 0
    table.rename(tmp_path / "other" / "costs.tsv")
    code, text = verified("agree", inputs, line)
    assert code == 2
    assert text == (
        "error: cannot find the file costs.tsv, which the signature names. "
        "Copy it to the current directory, or name it: -m alpha_plain:costs=PATH."
    )
    place = f"alpha_plain:costs={tmp_path}/other/costs.tsv"
    assert verified("agree", inputs, line, "-m", place)[0] == 0
    shutil.copy(tmp_path / "other" / "costs.tsv", tmp_path / "other" / "renamed#1.tsv")
    assert verified("agree", inputs, line, "-m", f"alpha_plain:costs={tmp_path}/other/renamed#1.tsv")[0] == 0
    (tmp_path / "other" / "costs.tsv").write_text("nsubj\tobj\t0.7\n", encoding="utf-8")
    code, text = verified("agree", inputs, line, "-m", place)
    assert code == 2
    assert "costs.tsv: the content of the file has changed: its hash is " in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: "nonsense", "'nonsense' is not a value with a signature"),
        (lambda line: "0.5", "'0.5' is not a value with a signature"),
        (lambda line: f"1e-99999 {line.partition(' ')[2]}", "is not a value with a signature"),
        (lambda line: line.replace("|v:", "|seed:x|v:"), "this is not a signature: seed:x is not a number"),
        (
            lambda line: f"{line}\n{line}",
            "this is not a signature: 'match' occurs twice. Copy one whole line",
        ),
        (lambda line: "0.5 las", "this is not a signature: there is no version"),
        (lambda line: line.partition(" ")[2], "is not a value with a signature"),
        (lambda line: line.replace("las:", "laz:"), "unknown measure 'laz'. Did you mean 'la'?"),
        (lambda line: line.replace("subtypes=", "subtype="), "unknown las option 'subtype'"),
        (lambda line: line.replace("|v:", "|v:0."), "the signature is of version 0."),
        (lambda line: line.replace("items:16", "items:15"), "the signature has items:15, but these inputs"),
        (lambda line: line.replace("coders:2", "coders:3"), "the signature has coders:3, but these inputs"),
        (lambda line: line.replace("data:", "data:0"), "the signature has data:0"),
        (lambda line: line.replace("|items", "|luck:yes|items"), "the signature has luck:yes, but these"),
    ],
)
def test_a_signature_that_cannot_be_applied_is_refused_in_one_line(change, message):
    (line,) = lines_of("agree", *TREES, "-m", "las")
    code, text = verified("agree", TREES, change(line))
    assert code == 2
    assert message in text
    assert len(text.splitlines()) == 1


def test_other_roles_are_other_data():
    (line,) = lines_of("score", *SCORED[:2], "-m", "las")
    assert verified("score", SCORED, line)[0] == 0  # one of several systems
    for command, inputs in (("agree", SCORED[:2]), ("score", SCORED[1::-1])):
        code, text = verified(command, inputs, line)
        assert code == 2
        assert "the fingerprint of the annotations" in text


def test_another_column_that_is_asked_for_is_refused():
    line = lines_of("agree", *TREES, "--column", "upos", "-m", "agreement")[0]
    assert verified("agree", TREES, line, "--column", "upos")[0] == 0
    code, text = verified("agree", TREES, line, "--column", "deprel")
    assert code == 2
    assert "the signature has column:upos, but these inputs have column:deprel" in text


def test_another_format_of_the_same_content_is_verified(tmp_path):
    (line,) = lines_of("agree", *TREES, "-m", "las")
    for path in TREES:
        arbitree("convert", path, tmp_path / f"{path.rpartition('/')[2][:3]}.conll", "--to", "conllx")
    other = [tmp_path / "ann.conll", tmp_path / "bob.conll"]
    assert verified("agree", other, line)[0] == 0


def test_the_order_of_items_matters_to_a_sample_only():
    study = at.read(*TREES)
    turned = replace(study, items=study.items[::-1])
    exact = evaluate(study, "alpha_plain", resamples=0)
    assert at.verify(citation(exact.value, exact.signature), turned).verified
    sample = evaluate(study, "alpha_plain", resamples=0, pairs=40)
    with pytest.raises(ArbitreeError, match=r"the signature has order:.* \(the order of the items\)"):
        at.verify(citation(sample.value, sample.signature), turned)


def test_a_tolerance_is_verified_by_its_number_of_pairs():
    """The sample of the second alpha is as large as the first alpha needs, not as the second would."""
    study = at.read(*[f"examples/dependency/{coder}.conllu" for coder in ("ann", "bob", "cho")])
    items = tuple(
        replace(item, id=f"{item.id}-{n}", cluster=f"{item.id}-{n}") for n in range(6) for item in study.items
    )
    cells = {
        (item.id, coder): replace(study.cells[item.id.rpartition("-")[0], coder], item=item)
        for item in items
        for coder in study.coders
        if (item.id.rpartition("-")[0], coder) in study.cells
    }
    larger = replace(study, items=items, cells=cells)
    for result in at.agree(larger, ["alpha_plain", "alpha_norm"], tolerance=0.05, resamples=0).results:
        assert Signature.parse(result.signature).options["pairs"] == str(result.details["sampled_pairs"])
        assert at.verify(citation(result.value, result.signature), larger).verified


def test_json_has_both_values():
    (line,) = lines_of("agree", *TREES, "-m", "las")
    wrong = f"0.1 {line.partition(' ')[2]}"
    done = arbitree("agree", *TREES, "-q", "--json", "--verify", wrong)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert (found["verified"], found["expected"]) == (False, "0.1")
    assert found["value"] == evaluate(at.read(*TREES), "las", resamples=0).value


def test_in_python_the_gold_standard_is_named():
    table = at.score(*SCORED[:2], resamples=0)
    study = at.read(*SCORED[:2])
    result = table["heron"]["las"]
    assert at.verify(citation(result.value, result.signature), study, gold="gold").verified
    assert str(at.verify(citation(result.value, result.signature), study, gold="gold")).startswith(
        "verified: "
    )
