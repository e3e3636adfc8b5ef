"""Meaning representations: reading, writing, and what is refused."""

import pytest

from arbitree import plugins
from arbitree.errors import FormatError
from arbitree.reading.content import Content
from arbitree.reading.detection import detect

MRS = """[ TOP: h0 INDEX: e2 [ e SF: prop TENSE: past ]
  RELS: < [ udef_q<0:5> LBL: h4 ARG0: x3 [ x PERS: 3 NUM: pl ] RSTR: h5 BODY: h6 ]
          [ _bird_n_1<0:5> LBL: h7 ARG0: x3 ]
          [ _sing_v_1<6:10> LBL: h1 ARG0: e2 ARG1: x3 ] >
  HCONS: < h0 qeq h1 h5 qeq h7 > ]
"""
EDS = (
    "{e2: _1:udef_q<0:5>[BV x3] x3:_bird_n_1<0:5>{x PERS 3, NUM pl}[] "
    "e2:_sing_v_1<6:10>{e SF prop, TENSE past}[ARG1 x3]}\n"
)


def read(text, name):
    return list(plugins.get("formats", name).read(Content("a.mrs", text.encode())))


def test_mrs_and_eds_of_one_meaning_have_the_same_triples():
    (mrs,), (eds,) = read(MRS, "simplemrs"), read(EDS, "eds")
    for family in ("names", "args", "props", "constants", "top"):
        assert sorted(mrs.value.triples(family)) == sorted(eds.value.triples(family))
    assert len(mrs.value) == 3


def test_formats_are_detected():
    contents = [Content("a", text.encode()) for text in (MRS, EDS, f"# sent_id = 1\n{MRS}")]
    assert detect(contents) == ["simplemrs", "eds", "simplemrs"]


def test_ids_lines_and_sentences_without_an_analysis():
    entries = read(f"# sent_id = a\n{MRS}\n# sent_id = b\n# sent_id = c\n{MRS}", "simplemrs")
    assert [(each.id, len(each.value), each.source.line) for each in entries] == [
        ("a", 3, 2),
        ("b", 0, 8),
        ("c", 3, 10),
    ]


def test_windows_line_ends_and_one_line_each():
    line = " ".join(MRS.split())
    assert len(read(f"{line}\r\n{line}\r\n", "simplemrs")) == 2


def test_what_is_read_is_written_back():
    entries = read(f"# sent_id = a\n{EDS}", "eds")
    assert "".join(plugins.get("formats", "eds").write(entries)) == f"# sent_id = a\n{EDS}"


def test_an_mrs_is_written_as_eds_and_not_the_other_way():
    written = "".join(plugins.get("formats", "eds").write(read(MRS, "simplemrs")))
    (again,) = read(written, "eds")
    assert sorted(again.value.args) == sorted(read(MRS, "simplemrs")[0].value.args)
    with pytest.raises(FormatError, match="cannot convert an EDS to an MRS"):
        list(plugins.get("formats", "simplemrs").write(read(EDS, "eds")))


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("[ TOP: h0 RELS: < [ ", "simplemrs", "a.mrs:1: the representation that begins here has no end"),
        (f"{MRS}\nnonsense", "simplemrs", "a.mrs:7: unexpected 'nonsense'"),
        ("[ TOP h0 ]", "simplemrs", "a.mrs:1: cannot parse the representation"),
        ("{e2: e2:}", "eds", "a.mrs:1: cannot parse the representation"),
        (MRS.replace("LBL: h7 ARG0: x3", "LBL:"), "simplemrs", "a.mrs:1: cannot parse the representation"),
        (MRS.replace("<6:10>", "<6:10]>"), "simplemrs", "a.mrs:1: cannot parse the representation"),
    ],
)
def test_broken_input_is_refused_with_its_line(text, name, message):
    with pytest.raises(FormatError, match=message):
        read(text, name)


def with_predications(predications):
    return MRS.replace(" >\n", f" {' '.join(predications)} >\n", 1)


def test_predications_that_share_a_label_are_limited():
    bird = "[ _bird_n_1<0:5> LBL: h7 ARG0: x3 ]"
    (entry,) = read(with_predications([bird] * 499), "simplemrs")
    assert len(entry.value) == 3 + 499
    with pytest.raises(FormatError, match="501 predications have the label h7, more than 500"):
        read(with_predications([bird] * 500), "simplemrs")


@pytest.mark.parametrize(
    "predications",
    [
        [f"[ _say_v_1<0:3> LBL: h50 ARG0: e{number} ARG1: h50 ]" for number in range(60, 70)],
        [
            f"[ _say_v_1<0:3> LBL: h{number} ARG0: e{number} ARG1: h{number + 1} ARG2: h{number + 1} ]"
            for number in range(50, 71)
        ],
    ],
    ids=["a scope inside itself", "the same scope twice at every level"],
)
def test_scopes_that_contain_each_other_too_often_are_refused(predications):
    message = "a.mrs:1: predications are in the scopes of others more than 1,000,000 times"
    with pytest.raises(FormatError, match=message):
        read(with_predications(predications), "simplemrs")


def test_warnings_of_pydelphin_become_notes():
    content = Content("a.mrs", MRS.replace("LBL: h1 ", "LBL: h9 ").encode())
    (entry,) = plugins.get("formats", "simplemrs").read(content)
    assert len(entry.value) == 3
    assert content.notes == ["a.mrs:1: broken handle constraint: h0 qeq h1"]
