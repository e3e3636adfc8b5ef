"""What holds of every kind of annotation, and of every format."""

import json
import re

import pytest

import arbitree as at
from arbitree import kinds, plugins
from arbitree.errors import UnsupportedStudy
from arbitree.formats.format import Format
from arbitree.kinds.graphs.value import Semantics
from arbitree.kinds.preference.value import Preference
from tests.support.build import study_of

STUDIES = {
    "dependency": lambda: at.read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu"),
    "phrase": lambda: at.read("examples/phrase/ann.mrg", "examples/phrase/bob.mrg"),
    "labels": lambda: at.read("examples/labels/stance.tsv"),
    "treebanking": lambda: at.read("examples/profiles/ann", "examples/profiles/bob"),
    "graphs": lambda: study_of({"s": {"ann": RAIN, "bob": RAIN}}),
    "preference": lambda: study_of(
        {"s": {"ann": Preference(("a", "b"), "a"), "bob": Preference(("a", "b"), None)}}
    ),
}
RAIN = Semantics(names=(((3, 9), "_rain_v_1", ""),), top=(((3, 9), "top", ""),))
ABILITIES = ("places", "pictures", "constructions", "models", "noises")


@pytest.fixture(params=STUDIES)
def study(request):
    """A study of every kind."""
    return STUDIES[request.param]()


def test_there_is_a_study_of_every_kind():
    assert set(STUDIES) == set(kinds.kinds())


def test_values_are_told_in_words_and_in_json(study):
    kind = kinds.of(study)
    assert type(next(iter(study.cells.values())).value) in kind.values
    for _, cells in study:
        assert isinstance(kind.text(cells), str)
        for cell in cells:
            assert isinstance(kind.describe(cell.value), str)
            json.dumps([kind.record(cell.value), kind.short_record(cell.value)], allow_nan=False)
            assert kind.content(cell.value) == kind.content(cell.value)
            assert kind.alike(cell.value, cell.value)
    assert all(isinstance(count, int) for count in kind.size(study).values())
    assert kind.faulty([cell.value for cell in study.cells.values()]) == []


def test_what_it_writes_and_measures_is_known(study):
    kind = kinds.of(study)
    known = plugins.plugins("measures", kind.name)
    assert set(kind.order) | set(kind.leading) <= set(known)
    for name in kind.writers:
        assert re.fullmatch(r"\.[a-z]+", plugins.get("formats", name).suffixes[0])


@pytest.mark.parametrize("ability", ABILITIES)
def test_an_ability_is_there_or_missing_in_one_sentence(study, ability):
    kind = kinds.of(study)
    if getattr(kind, ability):
        assert type(kind.needed(ability)) is type(getattr(kind, ability))
    else:
        with pytest.raises(UnsupportedStudy) as error:
            kind.needed(ability)
        assert error.value.what.count(".") == 0
        assert kind.noun in error.value.what


@pytest.mark.parametrize("name", plugins.plugins("formats"))
def test_every_format_declares_what_it_does(name):
    found = plugins.get("formats", name)
    assert isinstance(found, Format)
    assert found.about
    assert found.holds(found.value_type)
    assert kinds.of_type(found.value_type).values
