"""Judgments in all their shapes, and what becomes of words that mean nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.errors import ArbitreeError, FormatError, StudyError, UnknownName
from arbitree.kinds.preference.judgment_words import Words, given_words, preferences
from arbitree.kinds.preference.judgments import judgment_lines, parse_judgments
from arbitree.kinds.preference.value import Preference
from arbitree.reading.content import Content
from arbitree.study.study import Item

OPTIONS = ("malt", "mst")


def items(count, names=None):
    names = names or [f"text/{number}" for number in range(1, count + 1)]
    return tuple(Item(name, "text", name) for name in names)


def read(text, count=2, names=None, words=None, stray="exclude"):
    table = parse_judgments(Content("j.csv", text.encode()), items=count)
    return preferences(table, items(count, names), Words(OPTIONS, given_words(words, OPTIONS), stray))


def choices(study):
    return {key: cell.value.choice for key, cell in study.cells.items()}


def test_a_matrix_with_crlf_and_gaps():
    study = read("blue,red,blue\r\n,red,\r\n")
    assert study.coders == ("coder1", "coder2", "coder3")
    assert choices(study) == {
        ("text/1", "coder1"): "malt",
        ("text/1", "coder2"): "mst",
        ("text/1", "coder3"): "malt",
        ("text/2", "coder2"): "mst",
    }


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_delimiters_are_told_apart(mark):
    assert len(read(f"blue{mark}red\nred{mark}red\n").cells) == 4


def test_a_header_names_the_coders():
    study = read("ann,bob\nblue,red\nred,red\n")
    assert study.coders == ("ann", "bob")
    assert len(study.cells) == 4


def test_a_first_line_of_unknown_words_is_no_header_where_rows_would_be_missing():
    study = read("green\nyellow\n", words="green=A,yellow=B")
    assert choices(study) == {("text/1", "coder1"): "malt", ("text/2", "coder1"): "mst"}


def test_names_that_would_move_all_rows_by_one_are_refused():
    with pytest.raises(
        FormatError, match=r"j.csv:1: the first line looks like a header, which leaves 1 rows"
    ):
        read("ann,bob\nblue,red\n", count=2)


def test_a_column_of_ids_finds_its_items():
    study = read("item,ann,bob\ns2,malt,mst\ns1,MST,\n", names=["s1", "s2"])
    assert choices(study)["s2", "ann"] == "malt"
    assert choices(study)["s1", "ann"] == "mst"


def test_a_column_of_running_numbers_is_no_coder():
    text = "".join(f"{number},blue,red\n" for number in range(5))
    study = read(text, count=5)
    assert study.coders == ("coder1", "coder2")
    assert choices(study)["text/1", "coder2"] == "mst"


def test_a_long_table():
    study = read("coder\titem\tchoice\nann\ttext/1\tmalt\nbob\ttext/1\tequal\nann\ttext/2\tb\n")
    assert choices(study) == {
        ("text/1", "ann"): "malt",
        ("text/1", "bob"): None,
        ("text/2", "ann"): "mst",
    }


def test_sides_that_change_from_judgment_to_judgment():
    text = (
        "item,judge,left,right,choice\n"
        "1,ann,mst,malt,left\n2,ann,malt,mst,left\n1,bob,malt,mst,right\n2,bob,malt,mst,=\n"
    )
    found = choices(read(text))
    assert found["text/1", "ann"] == "mst"
    assert found["text/2", "ann"] == "malt"
    assert found["text/1", "bob"] == "mst"
    assert found["text/2", "bob"] is None


def test_json_lines():
    text = (
        '{"item": "text/1", "coder": "ann", "choice": "mst"}\n\n'
        '{"item": 2, "coder": "ann", "options": ["mst", "malt"], "choice": "first"}\n'
        '{"item": "text/1", "coder": "bob", "choice": null}\n'
    )
    table = parse_judgments(Content("j.jsonl", text.encode()))
    assert [each.word for each in table.entries] == ["mst", "first", "equal"]
    found = choices(preferences(table, items(2), Words(OPTIONS)))
    assert found["text/1", "ann"] == "mst"
    assert found["text/1", "bob"] is None


def test_an_item_judged_again_counts_once_and_is_said():
    study = read("item,coder,choice\n1,ann,malt\n1,ann,mst\n2,ann,mst\n2,ann,mst\n")
    assert choices(study)["text/1", "ann"] == "malt"
    assert any("ann judged 2 items twice and gave the same answer on 1" in note for note in study.notes)


def test_stray_words_are_left_out_counted_and_said():
    study = read("blue,red\nblue,root\n")
    assert len(study.cells) == 3
    (note,) = study.notes
    assert "1 judgment does not name a parse and is excluded: 'root' (1), the first at j.csv:2" in note


@pytest.mark.parametrize(("stray", "choice"), [("first", "malt"), ("second", "mst")])
def test_stray_words_can_count_for_a_side(stray, choice):
    assert choices(read("blue,red\nblue,root\n", stray=stray))["text/2", "coder2"] == choice


def test_a_stray_word_can_be_an_error_or_be_given_a_meaning():
    with pytest.raises(
        FormatError, match=r"j.csv:2: 'root' does not name malt or mst\. Set the meaning of the words"
    ):
        read("blue,red\nblue,root\n", stray="error")
    assert choices(read("blue,red\nblue,root\n", words="root=equal"))["text/2", "coder2"] is None


def test_words_that_name_neither_parse_are_refused():
    with pytest.raises(FormatError, match=r"'ja' \(2\), 'nein' \(2\) does not name"):
        read("ja,nein\nja,nein\n")


def test_uneven_rows_and_empty_columns_are_said():
    study = read("blue,red,\nblue\n,red,\n", count=3)
    assert study.coders == ("coder1", "coder2")
    assert len(study.notes) == 2


def test_blank_lines_are_items_without_a_verdict():
    study = read("blue\n\nred\n\n", count=4)
    assert set(study.cells) == {("text/1", "coder1"), ("text/3", "coder1")}


def test_rows_and_sentences_must_fit():
    with pytest.raises(StudyError, match="3 rows of judgments for 2 sentences"):
        read("blue,red\nred,red\nred,blue\n")


def test_strange_items_are_counted_and_many_are_refused():
    study = read("item,coder,choice\ns1,ann,a\ns2,ann,b\ns9,ann,b\n", names=["s1", "s2"])
    assert any("1 judgment is excluded, because the item has no trees" in note for note in study.notes)
    with pytest.raises(StudyError, match="no sentence has the id 's8'"):
        read("item,coder,choice\ns8,ann,a\ns9,ann,b\n", names=["s1", "s2"])


@pytest.mark.parametrize(
    "text",
    [
        "{\n",
        "[1]\n{}\n",
        '{"item": 1, "coder": "x"}\n',
        '{"item": 1, "coder": "", "choice": "a"}\n',
        '{"item": 1, "coder": "x", "choice": ["a"]}\n',
        '{"item": 1, "coder": "x", "choice": "a", "options": ["m"]}\n',
        "item,coder,choice\n",
        "item,coder,choice\n1,x,a,b\n",
        "item\n1\n2\n",
    ],
)
def test_broken_files_are_refused_in_one_line(text):
    with pytest.raises(ArbitreeError) as caught:
        read(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("words", ["blue", "=A", "blue=", "blue=maltt"])
def test_options_that_give_no_meaning_are_refused(words):
    with pytest.raises(UnknownName, match="does not give a word a meaning"):
        given_words(words, OPTIONS)


def test_the_systems_own_names_come_before_words_for_sides():
    assert Words(("b", "a")).meaning("a") == 1
    assert Words(OPTIONS, {"left": 1}).meaning("LEFT ") == 1
    assert Words(OPTIONS).meaning("left", ("other", "malt")) == "stray"


def test_a_preference_is_for_one_of_its_options():
    with pytest.raises(ValueError, match="not one of"):
        Preference(("a", "b"), "c")
    assert len(Preference(("a", "b"), None)) == 1
    with pytest.raises(ValueError, match="bad"):
        Preference(("a", "b"), "a", bad=True)


@pytest.mark.parametrize("word", ["both bad", "Both_Bad", "x"])
def test_both_bad_is_told_from_equal_unless_the_user_says_what_it_means(word):
    assert [cell.value.bad for cell in read(f"{word}\nequal\n").cells.values()] == [True, False]
    assert not any(cell.value.bad for cell in read(f"{word}\nequal\n", words=f"{word}=equal").cells.values())


def test_what_is_written_is_read_back():
    study = read("item,ann,bob\ns1,malt,=\ns2,,mst\n", names=["s1", "s2"])
    again = read("".join(judgment_lines(study)), names=["s1", "s2"])
    assert choices(again) == choices(study)


CELLS = st.sampled_from(["blue", "red", "", "root", "=", "1", "item", "coder", "choice", '"', "é", "malt"])
KEYS = st.sampled_from(["item", "coder", "choice", "options", "left", "right"])
FIELDS = st.one_of(
    st.none(), st.integers(0, 3), st.sampled_from(["malt", "a", ""]), st.lists(st.text(max_size=2))
)


def read_or_refused(text, count=2):
    """The study, or None if the text was refused; a refusal is one line."""
    message = ""
    try:
        return read(text, count=count)
    except ArbitreeError as error:
        message = str(error)
    assert "\n" not in message
    return None


@given(
    st.lists(st.lists(CELLS, max_size=5), min_size=1, max_size=8),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
    st.integers(1, 8),
)
def test_any_table_is_read_or_refused_in_one_line(rows, mark, end, count):
    study = read_or_refused(end.join(mark.join(row) for row in rows) + end, count)
    if study is not None:
        assert study.cells
        assert {item for item, _ in study.cells} <= {item.id for item in items(count)}


@given(st.text(min_size=1, max_size=60))
def test_any_text_is_read_or_refused(text):
    read_or_refused(text)


@given(st.lists(st.dictionaries(KEYS, FIELDS), min_size=1, max_size=5))
def test_any_json_lines_are_read_or_refused(records):
    read_or_refused("\n".join(map(json.dumps, records)))


def test_a_file_of_line_ends_has_no_judgments():
    with pytest.raises(FormatError, match="the file contains no judgments"):
        parse_judgments(Content("j.csv", b"\r"))


def test_many_empty_columns_and_lines_are_ignored():
    """Searching a list of all empty columns for each cell would take minutes."""
    text = b"".join(b"blue,red" + b"," * 100_000 + b"\n" for _ in range(4)) + b"\n" * 200_000
    found = parse_judgments(Content("j.csv", text), items=4)
    assert found.coders == ("coder1", "coder2")
    assert len(found.entries) == 8
    assert found.notes[0].endswith("coder10 and 99,992 more contains no judgments and is ignored")


def test_one_long_row_does_not_lengthen_the_others():
    text = b"red" + b",red" * 100_000 + b"\n" + b"blue\n" * 100_000
    found = parse_judgments(Content("j.csv", text), items=100_001)
    assert len(found.entries) == 200_001


def test_a_wide_header_does_not_widen_the_rows():
    text = (
        b"item,judge,choice"
        + b"," * 100_000
        + b"\n"
        + b"".join(b"%d,ann,red\n" % row for row in range(50_000))
    )
    assert len(parse_judgments(Content("j.csv", text)).entries) == 50_000
