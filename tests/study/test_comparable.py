"""Which items of a study and of its parts can be compared."""

from itertools import combinations

from arbitree.study.comparable import pairable, pairable_parts
from tests.support.build import dep, study_of
from tests.support.random_studies import some_study


def test_parts_use_the_items_of_studies_of_their_own():
    study = some_study(coders="wxyz", missing=0.4)
    found = pairable_parts(study)
    assert found(study) == pairable(study)
    for size in (2, 3):
        for coders in combinations(study.coders, size):
            part = study.select(coders=coders)
            assert found(part)[0] == pairable(part)[0]
    part = study.select(items=[item.id for item in study.items[::2]], coders="wx")
    assert found(part)[0] == pairable(part)[0]


def test_an_empty_annotation_does_not_count_in_parts():
    study = study_of({"a/1": {"x": dep([0]), "y": dep([]), "z": dep([0])}})
    found = pairable_parts(study)
    assert [item.id for item, _ in found(study.select(coders="xz"))[0]] == ["a/1"]
    assert found(study.select(coders="xy"))[0] == []
