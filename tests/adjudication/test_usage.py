"""Values that no annotator uses, and values outside the tag set."""

import pytest

from arbitree import kinds
from arbitree.adjudication.gold import Adjudication
from arbitree.adjudication.tag_sets import TagSet
from arbitree.errors import UnknownName
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.value import Label, Tags
from tests.support.build import study_of
from tests.support.phrase_trees import HIGH, LOW, tree

LABELS = {
    "1": {"ann": Label("praise"), "bob": Label("blame")},
    "2": {"ann": Label("doubt"), "bob": Label("doubt")},
}
SETS = {"1": {"ann": Tags.of(["food", "price"]), "bob": Tags.of(["crowd"])}}


def sheet_of(cells, tags=None):
    study = study_of(cells)
    return Adjudication(study, kinds.of(study), tags=tags).sheet(1)


def test_a_value_that_no_annotator_uses_is_questioned():
    sheet = sheet_of(LABELS)
    verdict = sheet.weigh({}, {"label": "zzz"})
    assert verdict.problem == "No annotator uses zzz as the label."
    assert [tuple(offer) for offer in verdict.offers] == [("Save anyway", {"label": "zzz"}, True)]
    assert sheet.weigh({}, {"label": "zzz"}, confirmed=True).changes == {"label": "zzz"}


def test_a_value_of_another_item_is_accepted():
    assert not sheet_of(LABELS).weigh({}, {"label": "doubt"}).problem


def test_the_tags_of_a_set_are_looked_at_one_by_one():
    sheet = sheet_of(SETS)
    assert not sheet.weigh({}, {"label": "crowd|food"}).problem
    assert sheet.weigh({}, {"label": "crowd|zzz"}).problem == "No annotator uses zzz as the label."


def test_columns_that_can_be_any_text_are_not_questioned():
    words = ("go", "home")
    columns = {
        "ann": {"lemma": ("go", "home"), "upos": ("VERB", "NOUN")},
        "bob": {"lemma": ("go", "house"), "upos": ("VERB", "ADV")},
    }
    trees = {name: DepTree(words, (0, 1), ("root", "obl"), own) for name, own in columns.items()}
    sheet = sheet_of({"s": trees})
    assert not sheet.weigh({}, {"2 lemma": "homestead"}).problem
    assert sheet.weigh({}, {"2 upos": "NUON"}).problem == "No annotator uses NUON as the upos."


def test_brackets_are_questioned_and_no_bracket_is_not():
    sheet = sheet_of({"s": {"ann": tree(HIGH), "bob": tree(LOW)}})
    place = sheet.places[0]
    assert not sheet.weigh({}, {place.key: "(none)"}).problem
    assert sheet.weigh({}, {place.key: "NX"}).problem == "No annotator uses NX as the bracket."


TAGS = TagSet("tags.txt", {"label": ("praise", "blame", "question", "obl")})


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("prise", "Did you mean praise?"),
        ("obl:arg", "Did you mean obl?"),
        ("zzz", "Choose one of its 4 tags, such as praise, blame or question"),
        ("doubt", "Choose one of its 4 tags, such as praise, blame or question"),
    ],
)
def test_values_outside_the_tag_set_are_refused_with_the_nearest_ones(value, hint):
    sheet = sheet_of(LABELS, TAGS)
    with pytest.raises(UnknownName, match=f"'{value}' is not in the tag set tags.txt") as refused:
        sheet.weigh({}, {"label": value}, confirmed=True)
    assert refused.value.hint == hint


def test_tags_that_no_annotator_uses_are_accepted():
    assert not sheet_of(LABELS, TAGS).weigh({}, {"label": "question"}).problem


def test_values_of_annotators_outside_the_tag_set_are_counted():
    study = study_of(LABELS)
    usage = Adjudication(study, kinds.of(study), tags=TAGS).usage
    assert [(what, dict(values)) for what, values in usage.unlisted()] == [("label", {"doubt": 2})]
