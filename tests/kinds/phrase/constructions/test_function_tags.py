"""A study in which only some annotators use function tags."""

import pytest

from arbitree.api.explain import find_inconsistencies
from tests.support.build import study_of
from tests.support.constructions.build import tree

TAGGED = "(S (NP-SBJ (PRP they)) (VP (VBD met) (NP-TMP (NN yesterday))))"
BARE = "(S (NP (PRP they)) (VP (VBD met) (NP (NN yesterday))))"


def study(sentences, **coders):
    return study_of(
        {f"s{n}": {coder: tree(text) for coder, text in coders.items()} for n in range(sentences)}
    )


def notes(study, **options):
    return [note for note in find_inconsistencies(study, **options).notes if "--function-tags strip" in note]


def test_an_annotator_without_function_tags_is_named_with_the_option():
    assert notes(study(10, gold=TAGGED, parser=BARE), gold="gold") == [
        "parser has no function tags, but gold has them on 20 phrases, which therefore differ. "
        "To compare the trees without function tags, use --function-tags strip"
    ]
    assert len(notes(study(3, gold=TAGGED, parser=BARE))) == 1
    (note,) = notes(study(10, ann=TAGGED, bob=BARE, cho=BARE))
    assert note.startswith("bob and cho have no function tags, but ann has them on 20 phrases")


def test_an_annotator_with_hardly_any_function_tags_is_named_too():
    sentences = {f"s{n}": {"gold": tree(TAGGED), "parser": tree(BARE)} for n in range(30)}
    sentences["s0"]["parser"] = tree(BARE.replace("(NP (NN", "(NP-TMP (NN"))
    (note,) = notes(study_of(sentences))
    assert note.startswith("parser has function tags on only 1 phrase, but gold has them on 60 phrases")
    for n in range(1, 3):  # 3 of 60 are 5%
        sentences[f"s{n}"]["parser"] = sentences["s0"]["parser"]
    assert notes(study_of(sentences)) == []


@pytest.mark.parametrize(
    ("made", "options"),
    [
        (study(10, gold=TAGGED, parser=BARE), {"function_tags": "strip"}),
        (study(2, gold=TAGGED, parser=BARE), {}),  # so few that the tags may be the disagreement
        (study(10, ann=TAGGED, bob=TAGGED), {}),
        (study(10, ann=BARE, bob=BARE), {}),
    ],
    ids=["stripped", "few", "both", "neither"],
)
def test_otherwise_there_is_no_note_on_function_tags(made, options):
    assert notes(made, **options) == []
