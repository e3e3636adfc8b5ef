"""UAS, LAS, CLAS and ELAS beside the evaluation of Universal Dependencies (udtools) and udapi."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

import arbitree as at
from tests.support.perturbed import merged, perturbed, ranged, trees_in, write

udeval = pytest.importorskip("udtools.udeval")

EXAMPLES = Path(__file__).parents[4] / "examples"
FLAGS = dict.fromkeys(
    ("no_gapping", "no_shared_parents_in_coordination", "no_shared_dependents_in_coordination"), 0
)


def official(gold, system):
    """What the official program says: F1 by metric."""
    flags = {**FLAGS, **dict.fromkeys(("no_control", "no_external_arguments_of_relative_clauses"), 0)}
    flags |= dict.fromkeys(("no_case_info", "no_empty_nodes", "multiple_roots_okay"), 0)
    with gold.open(encoding="utf-8") as ours, system.open(encoding="utf-8") as theirs:
        result = udeval.evaluate(
            udeval.load_conllu(ours, str(gold), flags), udeval.load_conllu(theirs, str(system), flags)
        )
    return {name.lower(): result[name].f1 for name in ("UAS", "LAS", "CLAS", "ELAS", "EULAS")}


def ours(gold, system):
    """What we say, with relations as the official program compares them."""
    table = at.score(gold, system=system, preset="conll18", resamples=0)
    deps = at.score(gold, system=system, measures=["elas", "elas:subtypes=strip"], resamples=0)
    values = [result.value for result in (*table.results, *deps.results)]
    return dict(zip(("las", "uas", "clas", "elas", "eulas"), values, strict=True))


def with_deps(tree):
    return perturbed(tree, random.Random(0), rate=0)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_words(seed, tmp_path):
    rng = random.Random(seed)
    trees = [with_deps(t) for t in trees_in(EXAMPLES / "dependency/ann.conllu")]
    gold = write(tmp_path / "gold.conllu", trees)
    system = write(tmp_path / "system.conllu", [perturbed(tree, rng) for tree in trees])
    assert ours(gold, system) == pytest.approx(official(gold, system))


@pytest.mark.parametrize("seed", range(8))
def test_other_words(seed, tmp_path):
    """Words that the system has joined, and words that share the characters of one token."""
    rng = random.Random(seed)
    trees = [with_deps(t) for t in trees_in(EXAMPLES / "dependency/ann.conllu")]
    golds, systems = [], []
    for tree in trees:
        system = perturbed(tree, rng)
        place = rng.randrange(len(tree) - 1)
        kind = rng.choice(["same", "joined", "range", "range against joined", "two ranges"])
        gold = tree
        if kind in ("range", "range against joined"):
            gold = ranged(tree, place)
        if kind in ("joined", "range against joined"):
            system = merged(system, place) or system
        if kind == "two ranges":
            gold = ranged(tree, place)
            system = ranged(system, rng.randrange(len(tree) - 1))
        golds.append(gold)
        systems.append(system)
    gold, system = write(tmp_path / "gold.conllu", golds), write(tmp_path / "system.conllu", systems)
    with pytest.warns(UserWarning, match="different numbers of tokens"):
        found = ours(gold, system)
    expected = official(gold, system)
    assert {name: found[name] for name in ("uas", "las", "clas")} == pytest.approx(
        {name: expected[name] for name in ("uas", "las", "clas")}
    )


def test_alignment_is_said(tmp_path):
    tree = with_deps(trees_in(EXAMPLES / "dependency/ann.conllu")[0])
    gold = write(tmp_path / "gold.conllu", [tree])
    system = write(tmp_path / "system.conllu", [merged(tree, 0)])
    with pytest.warns(UserWarning, match="different numbers of tokens"):
        table = at.score(gold, system=system, measures=["las", "ted"], resamples=0)
    assert any("aligned by characters" in warning for warning in table.warnings)
    assert table["system"]["ted"].status == "no_tree"


def test_real_files_with_perturbations(data, tmp_path):
    """The first 400 sentences of a corpus."""
    import gzip

    text = gzip.decompress((data / "pcedt-sized/gold.conllu.gz").read_bytes()).decode()
    path = tmp_path / "all.conllu"
    path.write_text("\n\n".join(text.split("\n\n")[:400]) + "\n\n", encoding="utf-8")
    rng = random.Random(7)
    trees = [with_deps(tree) for tree in trees_in(path)]
    gold = write(tmp_path / "gold.conllu", trees)
    system = write(tmp_path / "system.conllu", [perturbed(tree, rng, 0.1) for tree in trees])
    assert ours(gold, system) == pytest.approx(official(gold, system))


def test_udapi_agrees(tmp_path):
    """Another implementation, for the same words."""
    pytest.importorskip("udapi")
    trees = [with_deps(t) for t in trees_in(EXAMPLES / "dependency/ann.conllu")]
    gold = write(tmp_path / "gold.conllu", trees)
    system = write(tmp_path / "system.conllu", [perturbed(tree, random.Random(4)) for tree in trees])
    script = Path(sys.executable).parent / "udapy"
    if not script.exists():
        pytest.skip("udapy is not installed")
    blocks = f"read.Conllu zone=gold files={gold} read.Conllu zone=pred files={system} eval.Conll18"
    shown = subprocess.run(
        [sys.executable, script, *blocks.split()], capture_output=True, text=True, check=True
    ).stdout
    printed = {line.split("|")[0].strip().lower(): line.split("|")[3] for line in shown.splitlines()[2:]}
    found = ours(gold, system)
    for name in ("uas", "las", "clas"):
        assert float(printed[name]) == pytest.approx(100 * found[name], abs=0.005)
