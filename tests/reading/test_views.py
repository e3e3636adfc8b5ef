"""The option ``--view``: a layer of a file, or another form of the annotations."""

from dataclasses import replace

import pytest

import arbitree as at
from arbitree.errors import ArbitreeError, UnknownName
from arbitree.reading.content import Content
from arbitree.reading.inputs import Input, Reading
from arbitree.reading.views import in_view, resolved, with_view
from tests.support.commands import arbitree

PROFILES = [f"examples/profiles/{coder}" for coder in ("ann", "bob")]
VIEWS = {"deep": {"label": ("role", "lemma"), "empty": ("yes", "no")}, "flat": {}}


class Layers:
    """A format with two layers; a file begins with the name of its layer."""

    views = VIEWS
    zoned = False

    def views_in(self, content):
        return tuple(name for name in VIEWS if content.data.startswith(name.encode()))


@pytest.fixture
def layers(monkeypatch):
    monkeypatch.setattr("arbitree.plugins.get", lambda group, name, kind=None: Layers())


def content(data, view=None, **options):
    return Content("a", data, reading=Reading((), view=view, **options))


def test_a_view_of_the_kind_is_the_study_that_is_measured_and_signed():
    """Measures of trees use this view of profiles by themselves, so values and signatures are the same."""
    direct = at.agree(at.read(*PROFILES), "alpha_plain", resamples=0)["alpha_plain"]
    study = at.read(*PROFILES, view="readings")
    found = at.agree(study, "alpha_plain", resamples=0)["alpha_plain"]
    assert study.kind == "phrase"
    assert found.value == direct.value
    assert found.signature == direct.signature
    assert "|view:readings|" in found.signature


def test_studies_are_read_in_the_view():
    out = arbitree("agree", "--studies", "examples/profiles", "--view", "readings", "-q", "--resamples", "0")
    assert b"alpha_plain" in out.stdout


@pytest.mark.parametrize(
    ("inputs", "options", "message"),
    [
        (PROFILES, {"view": "reading"}, "unknown view 'reading'. Did you mean 'readings'?"),
        (PROFILES, {"view": "readings:size=2"}, "the view readings has no options"),
        (PROFILES, {"view": "readings:size"}, "option 'size' of readings has no value"),
        (["examples/labels/stance.tsv"], {"view": "t"}, "there are no other views of labels"),
        (["examples/phrase/ann.mrg"], {"zone": "cs"}, "these files have no zones"),
    ],
)
def test_unknown_views_and_zones_are_errors(inputs, options, message):
    with pytest.raises(ArbitreeError) as error:
        at.read(*inputs, **options)
    assert message in str(error.value)


def test_the_command_line_takes_the_view():
    done = arbitree("agree", *PROFILES, "--view", "nothing")
    assert done.returncode == 2
    assert b"unknown view 'nothing'. Expected one of: meanings, readings." in done.stderr


def test_the_first_view_that_a_file_contains_is_the_default():
    assert in_view(Layers(), [content(b"flat")])[0].reading.view == "flat"
    found = in_view(Layers(), [content(b"flat"), content(b"deep")])
    assert [each.reading.view for each in found] == ["deep:label=role,empty=yes"] * 2


def test_the_view_that_the_user_names_is_read():
    (found,) = in_view(Layers(), [content(b"deep", "flat")])
    assert found.reading.view == "flat"
    assert in_view(Layers(), [found]) == [found]


@pytest.mark.parametrize("text", ["deep:lable=role", "deep:label=roles"])
def test_unknown_options_and_values_of_a_view_are_errors(text):
    with pytest.raises(UnknownName, match=r"Did you mean '(label|role)'"):
        resolved(text, VIEWS)


def test_other_layers_in_a_directory_are_skipped(layers):
    ann, bob = Input("ann", "ann/1.d", "1", found=True), Input("bob", "bob/2.f", "2", found=True)
    lines = []
    found, names = with_view(
        [(ann, content(b"deep")), (replace(ann, path="ann/1.f"), content(b"flat")), (bob, content(b"flat"))],
        ["layers"] * 3,
        lines.append,
    )
    assert [each.path for each, _ in found] == ["ann/1.d"]
    assert names == ["layers"]
    assert lines == [
        "Skipped ann/1.f: other layers of the same documents",
        "warning: skipped bob/2.f: these documents do not contain the view",
        "Reading the view deep:label=role,empty=yes",
    ]


def test_files_that_the_user_names_are_never_skipped(layers):
    given = [(Input(name, name, "text"), content(data)) for name, data in (("a", b"deep"), ("b", b"flat"))]
    found, _ = with_view(given, ["layers"] * 2, lambda line: None)
    assert [each.path for each, _ in found] == ["a", "b"]


def test_projects_of_earlier_versions_have_no_view():
    old = {"inputs": ["a.conllu"], "dirs": False, "match": "id"}
    assert Reading.of_document(old).view is None
    assert Reading.of_document(old | {"view": "t", "zone": "cs"}).arguments[-5:-1] == [
        *("--view", "t"),
        *("--zone", "cs"),
    ]
    with pytest.raises(TypeError):
        Reading.of_document(old | {"view": 3})
