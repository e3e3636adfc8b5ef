"""ELAS: several heads a word, and empty nodes."""

from dataclasses import replace

import pytest

from arbitree.api.evaluate import evaluate
from arbitree.errors import StudyError
from arbitree.kinds.dependency.kind import KIND
from arbitree.scoring.systems import offered
from tests.support.build import dep, study_of
from tests.support.commands import arbitree


def with_deps(deps, extra=()):
    return replace(dep([0] + [1] * (len(deps) - 1)), columns={"deps": tuple(deps)}, extra=tuple(extra))


def elas(gold, system, options=""):
    study = replace(study_of({"a": {"gold": gold, "system": system}}), reference="gold")
    return evaluate(study, f"elas{options}", resamples=0)


def test_arcs_are_counted_one_by_one():
    gold = with_deps(["0:root", "1:obj|3:nsubj", "1:conj:and"])
    system = with_deps(["0:root", "1:obj", "1:conj"])
    assert elas(gold, system).value == pytest.approx(2 * 2 / 7)
    assert elas(gold, system, ":subtypes=strip").value == pytest.approx(2 * 3 / 7)


def test_empty_nodes_are_collapsed():
    """2 hangs on the empty node 1.1, which hangs on 1: one arc with both relations."""
    line = "1.1\tgo\t_\tVERB\t_\t_\t_\t_\t1:conj\t_"
    gold = with_deps(["0:root", "1.1:nsubj"], [(1, line)])
    assert elas(gold, with_deps(["0:root", "1:conj>nsubj"])).value == 1
    assert elas(gold, with_deps(["0:root", "1:nsubj"])).value == 0.5


def test_without_enhanced_dependencies_there_is_no_value():
    tree = dep([0, 1])
    assert (elas(tree, tree).value, elas(tree, tree).status) == (None, "no_enhanced")
    study = replace(study_of({"a": {"gold": tree, "system": tree}}), reference="gold")
    assert "elas" not in offered(study, KIND)
    rich = with_deps(["0:root", "1:obj"])
    assert "elas" in offered(replace(study_of({"a": {"gold": rich, "system": tree}}), reference="gold"), KIND)


@pytest.mark.parametrize("cell", ["root", "x:obj", "9:obj", "1:obj|", "1.x:obj"])
def test_malformed_cells_are_refused(cell):
    with pytest.raises(StudyError, match=r"malformed|does not exist"):
        elas(with_deps(["0:root", cell]), with_deps(["0:root", "1:obj"]))


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("x:obj", "enhanced dependency 'x:obj' of token 2 is malformed. Write HEAD:RELATION"),
        ("9:obj", "the head of enhanced dependency '9:obj' of token 2 does not exist. Fix column 9"),
    ],
)
def test_errors_name_the_sentence(cell, reason, tmp_path):
    rows = "1\ta\t_\t_\t_\t_\t0\troot\t0:root\t_\n2\tb\t_\t_\t_\t_\t1\tobj\t{}\t_\n\n"
    for name, written in (("gold", "1:obj"), ("system", cell)):
        text = rows.format("1:obj") + rows.format(written)
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    done = arbitree("score", "-q", tmp_path / "gold.conllu", tmp_path / "system.conllu")
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"{tmp_path / 'system.conllu'}:4: {reason}")
