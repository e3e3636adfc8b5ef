"""Comparison with an earlier run."""

import json
import math
from dataclasses import replace

import pytest

import arbitree as at
from arbitree.constructions.findings import RULES
from arbitree.constructions.versus import compared, read_earlier
from arbitree.errors import FormatError, UnsupportedStudy
from tests.support.build import dep, study_of
from tests.support.constructions.made_up import findings, pos, type_of


def nouns(*words):
    return type_of(["NN", "NNS"], [pos(word, "NN", "NNS") for word in words], "NN against NNS")


VERBS = type_of(["VB", "VBP"], [pos("be", "VB", "VBP")], "VB against VBP")
GONE = type_of(["DT", "IN"], [pos("that", "DT", "IN", bits=2.5)], "DT against IN")


def test_questions_and_types_are_new_gone_grown_shrunk_or_the_same():
    before, now = (
        findings(nouns("data", "fish"), VERBS, GONE),
        findings(nouns("data"), VERBS, type_of(["x", "z"], [pos("y", "X", "Z")])),
    )
    comparison, notes = compared(now, before.to_dict(), "earlier.json")
    assert notes == []
    for found in (comparison.questions, comparison.types):
        assert comparison.counts(found) == {"new": 1, "gone": 1, "shrunk": 1, "same": 1}
    states = {each.label: (each.state, each.before, each.now, each.bits) for each in comparison.types}
    assert states["NN against NNS"] == ("shrunk", 2, 1, (2.0, 1.0))
    assert states["DT against IN"] == ("gone", 1, 0, (2.5, 0.0))
    back, _ = compared(before, now.to_dict(), "later.json")
    assert back.counts(back.questions) == {"new": 1, "gone": 1, "grown": 1, "same": 1}
    assert comparison.before["nuclei"] == 4
    assert comparison.to_dict()["types"][0]["occurrences"] in ([2, 1], [1, 0], [0, 1])


def test_a_run_compared_with_itself_has_not_changed():
    found = findings(nouns("data", "fish"), VERBS)
    comparison, _ = compared(found, found.to_dict(), "same.json")
    assert {each.state for each in (*comparison.questions, *comparison.types)} == {"same"}


def test_other_settings_are_named():
    before = replace(findings(VERBS), settings={"pos": "strip", "heads": "english"})
    now = replace(findings(VERBS), settings={"pos": "keep", "heads": "english"})
    _, (note,) = compared(now, before.to_dict(), "earlier.json")
    assert "other settings (pos strip before, keep now)" in note


@pytest.mark.parametrize(
    ("change", "message"),
    [({"mode": "corpus"}, "mode 'corpus'"), ({"kind": "dependency"}, "kind 'dependency'")],
)
def test_runs_of_another_kind_or_mode_are_refused(change, message):
    found = findings(VERBS)
    with pytest.raises(UnsupportedStudy, match=message):
        compared(found, found.to_dict() | change, "earlier.json")


OLD = {"arbitree": "0.1.0.dev1", "command": "explain", "kind": "phrase", "mode": "coders", "types": []}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (OLD, r"earlier.json: Arbitree 0.1.0.dev1 used rules without questions; this version uses rules"),
        (
            OLD | {"questions": [], "rules": RULES + 1},
            f"used rules {RULES + 1}; this version uses rules {RULES}",
        ),
    ],
)
def test_runs_by_other_rules_are_refused_in_one_line(tmp_path, content, message):
    path = tmp_path / "earlier.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UnsupportedStudy, match=message) as raised:
        read_earlier(path)
    assert "\n" not in str(raised.value)
    assert "Run explain on the earlier files again" in str(raised.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "the file is not valid JSON"),
        ("[]", "not the output of explain"),
        ('{"command": "agree"}', "not the output of"),
    ],
)
def test_other_files_are_refused(tmp_path, content, message):
    path = tmp_path / "earlier.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_earlier(path)
    with pytest.raises(FormatError, match="file not found"):
        read_earlier(tmp_path / "absent.json")


@pytest.mark.parametrize(
    "change",
    [
        {"types": [{"code": "x"}]},
        {"types": {}},
        {"types": ["x"]},
        {"types": [{"code": ["x"], "label": "x", "occurrences": 1}]},
        {"types": [{"code": "x", "label": "x", "occurrences": math.inf}]},
        {"questions": [{"code": "x", "label": "x", "occurrences": 1, "bits": math.nan}]},
        {"settings": ["x"]},
        {"filter": "x"},
        {"items": "many"},
        {"tokens": math.nan},
        {"arbitree": 1},
    ],
)
def test_damaged_runs_are_refused(change):
    found = findings(VERBS)
    with pytest.raises(FormatError, match="are damaged"):
        compared(found, found.to_dict() | change, "earlier.json")


def test_python_takes_a_file_or_findings(tmp_path):
    study = study_of({"s": {"ann": dep([2, 0, 2]), "bob": dep([3, 0, 2])}})
    first = at.explain(study)
    path = tmp_path / "earlier.json"
    path.write_text(json.dumps({"command": "explain"} | first.to_dict()), encoding="utf-8")
    for earlier in (path, str(path), first):
        found = at.explain(study, versus=earlier)
        assert {each.state for each in found.versus.types} == {"same"}
    assert found.to_dict()["versus"]["nuclei"] == 1
    assert first.versus is None
    assert "versus" not in first.to_dict()
