"""Prague files of real treebanks, and annotators made from them.

The expected values are those in the README of the data, from an independent program with its own reader and
the algorithm of Zhang and Shasha. A reader that takes children in the order of the file gets alpha_plain
.504342 on ``made/t``, and one that takes only ``LM`` as children .517542.
"""

import gzip
import re

import pytest

import arbitree as at
from arbitree.errors import FormatError

MEASURES = ["alpha_plain", "alpha_diff", "alpha_norm", "las", "uas"]
MADE = {  # view and annotators: items, then the measures, then the items that las excludes
    ("t", "anna bohdan cyril"): (162, 0.917511, 0.665140, 0.951338, 0.855898, 0.936197, 53),
    ("t:label=t_lemma", "anna bohdan cyril"): (162, 0.953776, 0.856680, 0.973056, 0.933707, 0.936197, 53),
    ("t:label=both", "anna bohdan cyril"): (162, 0.932730, 0.791348, 0.959272, 0.855587, 0.936197, 53),
    ("t:member=yes", "anna bohdan cyril"): (162, 0.919373, 0.686443, 0.952164, 0.855898, 0.936197, 53),
    ("t", "anna bohdan"): (162, 0.922825, None, None, 0.853810, None, 41),
    ("t", "anna cyril"): (109, 0.911137, None, None, 0.836145, None, 30),
    ("t", "bohdan cyril"): (109, 0.916093, None, None, 0.813131, None, 29),
    ("a", "anna bohdan"): (162, 0.930468, 0.660127, 0.947450, 0.870536, 0.949675, 0),
    ("a:member=yes", "anna bohdan"): (162, 0.932347, 0.686905, 0.948623, 0.870536, 0.949675, 0),
}
SIZES = {  # sentences, documents, nodes of the t-layer, generated, members, tokens
    "pdt20/sample0": (54, 9, 650, 52, 60, 812),
    "pdt20/sample1": (57, 10, 742, 94, 114, 877),
    "pdt20/sample2": (51, 9, 630, 62, 72, 775),
    "pdt20/sample9": (23, 3, 213, 35, 38, 263),
    "pdt30/ln94206_1": (11, 1, 157, 13, 33, 192),
    "pdt30/mf920922_001": (10, 1, 83, 10, 2, 108),
}

pytestmark = pytest.mark.filterwarnings("ignore:.*different:UserWarning")


@pytest.fixture(scope="module")
def prague(data):
    return data / "pml"


def check(study, items, *expected):
    """Compare the measures, and the number of sentences that las excludes, with the expected values."""
    *values, excluded = expected
    table = at.agree(study, MEASURES, resamples=0)
    found = [table[name] for name in MEASURES]
    for result, value in zip(found, values, strict=True):
        if value is not None:
            assert result.value == pytest.approx(value, abs=5e-7), result.measure
    assert found[0].items_used == items
    assert [each.reason for each in found[3].ignored].count("token_mismatch") == excluded


@pytest.mark.parametrize(("view", "coders"), MADE)
def test_made_annotators_agree_as_the_independent_program_found(prague, view, coders):
    folders = [prague / "made" / view[0] / coder for coder in coders.split()]
    check(at.read(*folders, dirs=True, view=view), *MADE[view, coders])


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (None, (54, 0.928143, 0.701683, 0.957723, 0.823529, 0.909664, 11)),
        ("a", (54, 0.908026, 0.559455, 0.938662, 0.849754, 0.949507, 0)),
    ],
)
def test_selectors_of_a_treex_file_agree_as_the_independent_program_found(prague, view, expected):
    study = at.read(prague / "made" / "two-annotators.treex.gz", view=view)
    assert study.coders == ("anna", "bohdan")
    check(study, *expected)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        ("t", (23, 0.999731, 0.998681, 0.999933, 0.995305, 1.0, 0)),
        ("t:label=t_lemma", (23, 0.998726, 0.995240, 0.998454, 0.971831, 1.0, 0)),
        ("t:label=both", (23, 0.998534, 0.994551, 0.998422, 0.967136, 1.0, 0)),
    ],
)
def test_two_states_of_a_treebank_agree_as_the_independent_program_found(prague, view, expected):
    check(at.read(prague / "pdt20/sample9.t.gz", prague / "pdtc20/sample9.t.gz", view=view), *expected)


@pytest.mark.parametrize("name", SIZES)
def test_sizes_are_those_of_the_treebank(prague, name):
    study = at.read(prague / f"{name}.t.gz")
    misc = [text for cell in study.cells.values() for text in cell.value.columns["misc"]]
    generated, members = ("".join(misc).count(mark) for mark in ("Generated=Yes", "Member=Yes"))
    tokens = sum(len(cell.value) for cell in at.read(prague / f"{name}.a.gz").cells.values())
    assert (len(study.items), len(study.documents), len(misc), generated, members, tokens) == SIZES[name]


@pytest.mark.parametrize(
    ("name", "zone", "view", "items", "nodes"),
    [
        ("wsj_0079", "en", "t", 4, 52),
        ("wsj_0079", "cs", "t", 4, 59),
        ("wsj_0079", "en", "a", 4, 60),
        ("wsj_0079", "cs", "a", 4, 63),
        ("czeng-1", "cs", "t", 3, 32),
        ("czeng-1", "en", "t", 3, 29),
        ("czeng-1", "cs", "a", 3, 43),
        ("czeng-1", "en", "a", 3, 47),
        ("sample-cs", None, "a", 6, 179),
        ("sample-cs", "en_src", None, 6, 179),
    ],
)
def test_zones_of_treex_files_have_the_sizes_of_the_readme(prague, name, zone, view, items, nodes):
    study = at.read(prague / f"treex/{name}.treex.gz", zone=zone, view=view)
    assert len(study.items) == items
    assert sum(len(cell.value) for cell in study.cells.values()) == nodes


def test_the_text_of_a_sentence_is_that_of_the_treebank(prague):
    """PDT 3.0 stores the sentence in the t-layer; here it is put together from the m- and w-layers."""
    text = gzip.decompress((prague / "pdt30/ln94206_1.t.gz").read_bytes()).decode()
    stored = re.findall(r"<sentence>(.*?)</sentence>", text)
    study = at.read(prague / "pdt30/ln94206_1.t.gz")
    assert [study.texts.main(item.id) for item in study.items] == [text.strip() for text in stored]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("zeens.a", r"zeens\.m:57: <w\.rf> refers to 'w-zeens-p2w1a', which is not in .*zeens\.w\."),
        ("zeens.m", r"zeens\.m:2: the m-layer contains no trees\."),
        ("c69-Tenis.pml", r"c69-Tenis\.pml:19: <pmcinfo> has no <ord>\."),
    ],
)
def test_files_of_the_latvian_treebank_are_refused_with_the_reason(prague, name, message):
    with pytest.raises(FormatError, match=message):
        at.read(prague / "lvtb" / name)
