"""CoNLL-X: tabs or spaces, comments of any kind, no ids."""

import pytest

from arbitree.errors import FormatError
from arbitree.formats import conll_rows
from tests.support.conllu_files import FULL, read, write

TABS = """\
# 49 2 danish
1\tDet\tdet\tpron\tpron\t_\t2\tSUBJ\t_\t_
2\tregner\tregne\tverb\tverb\tpres\t0\tFINV\t_\t_

"""


def test_spaces_and_tabs_read_the_same():
    spaces = TABS.replace("\t", "   ")
    assert [entry.value for entry in read(spaces, "conllx")] == [
        entry.value for entry in read(TABS, "conllx")
    ]


def test_round_trip():
    assert write(read(TABS, "conllx"), "conllx") == TABS


def test_crlf_and_byte_order_mark_change_nothing():
    odd = b"\xef\xbb\xbf" + TABS.replace("\n", "\r\n").encode()
    assert [entry.value for entry in read(odd, "conllx")] == [entry.value for entry in read(TABS, "conllx")]


def test_nine_columns_are_refused():
    with pytest.raises(FormatError, match="file:1: expected 10 columns, found 9"):
        read("1 Det det pron pron _ 2 SUBJ _\n", "conllx")


def test_conllu_can_be_written_as_conllx_without_ranges_and_empty_nodes():
    text = write(read(FULL), "conllx")
    (again, _) = read(text, "conllx")
    assert again.value.tokens == ("It", "wo", "n't", "rain", ".")
    assert again.value.columns["cpostag"][0] == "PRON"
    assert "2-3" not in text
    assert "4.1" not in text


def test_parts_of_speech_survive_the_way_to_conllu_and_back():
    (first, *_) = read(TABS, "conllx")
    (there, *_) = read(write(read(TABS, "conllx"), "conllu"), "conllu")
    assert there.value.columns["upos"] == first.value.columns["cpostag"]
    assert there.value.columns["xpos"] == first.value.columns["postag"]
    (back, *_) = read(write([there], "conllx"), "conllx")
    assert back.value.columns["cpostag"] == first.value.columns["cpostag"]


def test_comments_without_a_sentence_are_searched_for_an_id_once(monkeypatch):
    searched = []
    search = conll_rows.sentence_id
    monkeypatch.setattr(
        conll_rows,
        "sentence_id",
        lambda comments: search([searched.append(each) or each for each in comments]),
    )
    text = "# a remark\n\n" * 50 + "1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n"
    (entry,) = read(text, "conllx")
    assert len(entry.value.comments) == len(searched) == 50
