"""What holds of every annotator model, and of every command that compares annotators: order and names.

Studies are read with their annotators in another order and under other names. Nothing may change but the
order of rows and the names.
"""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

import arbitree as at
from arbitree import kinds
from arbitree.errors import UnsupportedStudy
from arbitree.study.study import Annotation
from tests.support.build import labelled, phrase, random_dep, study_of
from tests.support.commands import arbitree

EXAMPLES = Path(__file__).parents[1] / "examples"
PHRASES = [
    "(S (NP P) (VP V (NP D N)))",
    "(S (NP P) (VP V (QP D N)))",
    "(S NP VP D N)",
    "(S (NP P) V (NP D N))",
]
NAMES = {"ann": "zoe", "bob": "yan", "cho": "ann", "dee": "bob"}  # cho and dee take over names


def dependency(coders):
    rng = random.Random(7)

    def row(number):
        size = rng.randint(2, 5)
        return {coder: random_dep(rng, size) for coder in coders if number > 5 or rng.random() < 0.7}

    return study_of({str(number): row(number) for number in range(14)}, coders)


def phrases(coders):
    rng = random.Random(8)
    rows = {
        str(number): {
            coder: phrase(rng.choice(PHRASES)) for coder in coders if number > 5 or rng.random() < 0.7
        }
        for number in range(14)
    }
    return study_of({name: matching(row) for name, row in rows.items()}, coders)


def matching(row):
    """The row without trees over more or fewer words than the first."""
    size = len(next(iter(row.values()))) if row else 0
    return {coder: tree for coder, tree in row.items() if len(tree) == size}


def labels(coders):
    rng = random.Random(9)
    rows = [
        [rng.choice("abc") if number > 5 or rng.random() < 0.7 else None for _ in coders]
        for number in range(14)
    ]
    return labelled(rows, coders)


STUDIES = {"dependency": dependency, "phrase": phrases, "labels": labels}
MODELS = [(name, model) for name, kind in kinds.kinds().items() for model in kind.models]


def turned(study, names):
    """The study with its annotators in another order, and under other names."""
    cells = {
        (item, names.get(coder, coder)): Annotation(cell.item, names.get(coder, coder), cell.value)
        for (item, coder), cell in study.cells.items()
    }
    return replace(study, coders=tuple(names.get(coder, coder) for coder in study.coders[::-1]), cells=cells)


def plain(found, names):
    """Results with the first names and rounded numbers, lists sorted."""
    if isinstance(found, dict):
        return {key: plain(value, names) for key, value in found.items() if key != "signature"}
    if isinstance(found, list | tuple):
        return sorted(
            (plain(value, names) for value in found), key=lambda value: json.dumps(value, sort_keys=True)
        )
    if isinstance(found, float):
        return round(found, 7)
    return names.get(found, found) if isinstance(found, str) else found


def lines(table, names):
    """The words of the text, as lines without an order of rows or widths of columns."""
    text = str(table)
    for name, first in names.items():
        text = text.replace(name, f"<{first}>")
    return sorted(
        " ".join(sorted(line.replace("<", "").replace(">", "").split())) for line in text.splitlines()
    )


def test_there_is_a_study_of_every_kind_with_a_model():
    assert {kind for kind, _ in MODELS} == set(STUDIES)


@pytest.mark.parametrize("coders", [2, 3, 4])
@pytest.mark.parametrize(("kind", "model"), MODELS)
def test_order_and_names_of_annotators_change_nothing_in_a_model(kind, model, coders):
    study = STUDIES[kind](tuple(NAMES)[:coders])
    first = at.coders(study, model, resamples=20)
    back = {other: name for name, other in NAMES.items()}
    second = at.coders(turned(study, NAMES), model, resamples=20)
    assert plain(second.to_dict(), back) == plain(first.to_dict(), {})
    assert lines(at.coders(turned(study, {}), model, resamples=20), {}) == lines(first, {})
    for item, cell in first.consensus.cells.items():
        assert second.consensus.cells[item].value == cell.value


@pytest.mark.parametrize(("kind", "model"), MODELS)
def test_two_annotators_are_not_ranked(kind, model):
    study = STUDIES[kind](("ann", "bob"))
    table = at.coders(study, model, resamples=20)
    found = table.to_dict()
    assert {(each["competence"], each["agreement"], each["status"]) for each in found["coders"]} == {
        (None, None, "two_annotators")
    }
    assert found["results"][0]["value"] is None
    assert found["confusion"] == []
    assert "Two annotators are not enough to estimate who is right" in str(table)
    assert "agreement with consensus" not in str(table)
    assert table.findings.undecided
    assert not {each.id for each in table.consensus.items} & set(table.findings.undecided)


@pytest.mark.parametrize(("kind", "model"), MODELS)
def test_the_consensus_of_two_annotators_needs_a_preferred_one(kind, model, tmp_path):
    study = STUDIES[kind](("ann", "bob"))
    target = tmp_path / "consensus"
    with pytest.raises(UnsupportedStudy, match=r"not enough to estimate who is right.*prefer"):
        at.coders(study, model, consensus=target, resamples=0)
    assert not target.exists()
    table = at.coders(study, model, prefer="bob", resamples=0)
    seen = table.findings.study
    for item in table.findings.undecided:
        assert table.consensus.cells[item, "consensus"].value == seen.cells[item, "bob"].value


def test_a_pair_that_no_third_annotator_connects_is_left_undecided():
    """Ann, bob and cho share items; dee and eve share others."""
    rows = [["a", "a", "b", None, None]] * 5 + [["b", "b", "b", None, None]] * 5
    rows += [[None, None, None, "a", "b"], [None, None, None, "b", "b"]]
    study = labelled(rows, ("ann", "bob", "cho", "dee", "eve"))
    found = at.coders(study, resamples=0)
    statuses = [each.status for each in found.findings.coders]
    assert statuses == ["ok", "ok", "ok", "two_annotators", "two_annotators"]
    assert found.findings.undecided == ("10",)
    assert [str(value) for value in found.findings.items[10].ties] == ["a", "b"]
    assert len(found.consensus.items) == 11
    assert any("dee and eve" in note for note in found.warnings)


def test_an_item_of_two_annotators_among_three_is_tied_where_the_model_cannot_tell():
    """The three are equally good on the other items: nothing tells which of two is right on the last."""
    rows = [["a", "a", "a"], ["b", "b", "b"]] * 4 + [["b", "a", None]]
    for coders in (("ann", "bob", "cho"), ("bob", "ann", "cho")):
        given = [
            [dict(zip(("ann", "bob", "cho"), row, strict=True))[coder] for coder in coders] for row in rows
        ]
        found = at.coders(labelled(given, coders), "majority", resamples=0)
        assert [str(value) for value in found.findings.items[-1].ties] == ["a", "b"]
        assert "1 item is tied" in str(found)


def test_prefer_is_refused_where_it_has_no_effect():
    study = labels(tuple(NAMES))
    with pytest.raises(UnsupportedStudy, match="three or more"):
        at.coders(study, prefer="ann", resamples=0)
    with pytest.raises(at.ArbitreeError, match="annotator"):
        at.coders(study, prefer="nobody", resamples=0)


FILES = {
    "dependency": [EXAMPLES / "dependency" / f"{name}.conllu" for name in ("ann", "bob", "cho")],
    "phrase": [EXAMPLES / "phrase" / f"{name}.mrg" for name in ("ann", "bob", "cho")],
    "treebanking": [EXAMPLES / "profiles" / name for name in ("ann", "bob")],
}


@pytest.mark.parametrize("name", ["dependency/{}.conllu", "phrase/{}.mrg"])
def test_the_order_of_files_changes_no_interval(name):
    """The last file lacks sentences; when it came first, their samples came last."""
    files = [EXAMPLES / name.format(coder) for coder in ("ann", "bob", "cho")]
    found = [at.coders(at.read(*order), resamples=20) for order in (files, files[::-1])]
    first, second = ({each: one[each].interval for each in ("ann", "bob", "cho")} for one in found)
    assert first == second


@pytest.mark.parametrize("kind", FILES)
def test_order_and_names_of_annotators_change_nothing_in_agree(kind):
    files = FILES[kind]
    names = dict(zip([path.stem for path in files], ["zoe", "yan", "ann"], strict=False))
    back = {other: name for name, other in names.items()}
    options = ("--resamples", 50, "--by", "coder", "--by", "pair", "--json", "-q")
    first = arbitree("agree", *files, *options)
    second = arbitree("agree", *(f"{names[path.stem]}={path}" for path in files[::-1]), *options)
    assert first.returncode == second.returncode == 0, second.stderr
    found, other = (json.loads(done.stdout)["results"] for done in (first, second))
    for one, two in zip(found, other, strict=True):
        assert two["measure"] == one["measure"]
        assert two["value"] == pytest.approx(one["value"], abs=1e-9)
        assert two["interval"] == pytest.approx(one["interval"], abs=1e-9)
        coders = {row["group"]: row["value"] for row in one.get("by", {}).get("coder", ())}
        renamed = {back[row["group"]]: row["value"] for row in two.get("by", {}).get("coder", ())}
        assert renamed == pytest.approx(coders, abs=1e-9)


def test_the_order_of_systems_changes_nothing_in_score():
    gold, *systems = (EXAMPLES / "score" / f"{name}.conllu" for name in ("gold", "heron", "wren"))
    first, second = (
        json.loads(arbitree("score", gold, *each, "--resamples", 50, "--json", "-q").stdout)["results"]
        for each in (systems, systems[::-1])
    )

    def values(results):
        return {(each["system"], each["measure"]): (each["value"], each["interval"]) for each in results}

    assert values(second) == values(first)


@pytest.mark.parametrize("method", ["mace", "mace-em", "majority"])
def test_order_and_names_of_judges_change_nothing_in_prefer(method, tmp_path):
    folder = EXAMPLES / "prefer"
    _, *rows = (folder / "judgments.csv").read_text(encoding="utf-8").splitlines()
    table = [row.split(",") for row in rows]
    names = ["item", *(f"judge{place}" for place in range(1, len(table[0])))]
    other = tmp_path / "judgments.csv"
    other.write_text(
        "".join(",".join(row) + "\n" for row in [names, *([row[0], *row[:0:-1]] for row in table)]),
        encoding="utf-8",
    )
    found = []
    for judgments in (folder / "judgments.csv", other):
        parses = (folder / f"{name}.conllu" for name in ("gold", "birch", "cedar"))
        done = arbitree(
            "prefer",
            *parses,
            "--judgments",
            judgments,
            "--aggregate",
            method,
            "--resamples",
            20,
            "--json",
            "-q",
        )
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    first, second = ([(each["measure"], each["value"]) for each in one["results"]] for one in found)
    assert [name for name, _ in second] == [name for name, _ in first]
    assert [value for _, value in second] == pytest.approx([value for _, value in first], abs=1e-9)
