"""Every measure beside an independent program, on corpora of our own."""

from dataclasses import replace

import pytest

import arbitree as at
from arbitree import kinds
from arbitree.measures.options import known_measures
from tests.outsiders.record import CORPUS, recorded

# Measures that no program in the registries computes, or whose programs need what cannot be recorded.
NONE = {
    "alpha_graph": "no packaged program; values of independent code in tests/kinds/graphs/test_smatch.py",
    "alpha_pqgram": "no packaged program; the definition is checked by slow code in tests/distances",
    "content_las": "the list of content words differs between programs",
    "function_las": "the list of function words differs between programs",
    "root_las": "defined by Plank et al. (2015), without a program",
    "ned": "no packaged program",
    "ucp": "defined by Plank et al. (2015), without a program",
    "lcp": "defined by Plank et al. (2015), without a program",
    "weighted_las": "our own measure",
    "ted": "TedEval is a Java program that is not in the registries",
    "edm": "PyDelphin computes it in tests/kinds/graphs/test_edm.py, on random analyses",
    "hierarchical_kappa": "defined by Melamed and Resnik (2000), values in tests/papers",
    "hierarchical_score": "defined by Melamed and Resnik (2000), values in tests/papers",
    "jaccard": "defined by Skjærholt (2014), whose program is not packaged",
    "y_option_kappa": "defined by de Castro (2011), values in tests/papers",
}
ROWS = [row for row in recorded() if ", consensus" not in row["measure"]]
LABELS = [row for row in recorded() if ", consensus" in row["measure"]]


def study_of(corpus):
    names, _, lost = corpus.partition(" without ")
    paths = [str(CORPUS / name) for name in names.split()]
    study = at.read(*paths)
    if "gold" in study.coders:
        study = replace(study, reference="gold")
    return study.select(coders=[each for each in study.coders if each != lost]) if lost else study


def name_of(row):
    return f"{row['program']}-{row['measure']}-{row['corpus']}"


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_values_are_those_of_other_programs(row, monkeypatch):
    monkeypatch.chdir(CORPUS)  # for the files in options
    found = at.evaluate(study_of(row["corpus"]), row["measure"], resamples=0)
    assert found.value == pytest.approx(float(row["value"]), abs=1e-8)


@pytest.mark.parametrize("row", LABELS, ids=name_of)
def test_consensus_labels_are_those_of_other_programs(row):
    model, label = row["measure"].split(", consensus ")
    table = at.coders(study_of(row["corpus"]), model, resamples=0)
    chosen = [str(cell.value) for cell in table.consensus.cells.values()]
    assert chosen.count(label) == float(row["value"])


def test_every_measure_has_an_outsider_or_a_reason():
    known = {name for kind in kinds.kinds().values() for name in known_measures(kind)}
    compared = {row["measure"].partition(":")[0] for row in ROWS}
    assert known == compared | set(NONE)
    assert not compared & set(NONE)


def test_every_value_names_program_version_and_command():
    for row in recorded():
        assert all(row.values()), row
