"""Columns of tables that are neither annotators, items nor labels are the texts of the items."""

import json

import pytest

from arbitree import convert, read

LONG = """\
item\tcontext\tlemma\tcoder\tlabel\tcomment\tseconds
u1\tThey order tea for two.\torder\tann\task\t-\t3
u1\tThey order tea for two.\torder\tbob\trank\tsure\t5
u2\tAll in good order now.\torder\tann\trank\t-\t4
u2\tAll in good order now.\torder\tbob\trank\t-\t2
"""


def texts_of(tmp_path, name, text, **options):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read(path, **options).texts


def test_columns_of_a_long_table_that_are_the_same_for_all_annotators_are_texts(tmp_path):
    texts = texts_of(tmp_path, "uses.tsv", LONG)
    assert list(texts.columns) == ["context", "lemma"]
    assert texts.main("u1") == "They order tea for two."
    assert texts.beside("u2") == {"lemma": "order"}


def test_columns_that_differ_between_annotators_are_not_texts(tmp_path):
    table = "item\tcoder\tlabel\treason\nu1\tann\tyes\tit is so\nu1\tbob\tno\tit is not\n"
    assert not texts_of(tmp_path, "t.tsv", table)


def test_columns_that_tell_the_correct_label_are_not_shown(tmp_path):
    table = "item\tcoder\tlabel\tgold\thint\nu1\tann\tyes\tno\ta word\nu1\tbob\tno\tno\ta word\n"
    texts = texts_of(tmp_path, "t.tsv", table, gold_column="off")
    assert list(texts.columns) == ["hint"]


@pytest.mark.parametrize("name", ["context", "what_was_said"])
def test_sentences_in_a_matrix_are_texts_and_not_an_annotator(tmp_path, name):
    rows = [f"item,{name},ann,bob"]
    rows += [f"u{number},It rained {number} days ago.,yes,no" for number in range(3)]
    rows += [f"u{number},It rained {number} days ago.,yes,yes" for number in range(3, 6)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    study = read(path)
    assert study.coders == ("ann", "bob")
    assert study.texts.main("u3") == "It rained 3 days ago."


def test_sentences_that_annotators_write_are_labels(tmp_path):
    rows = ["item,ann,bob"]
    rows += [f"u{number},It rains {number} times.,It rained {number} times." for number in range(4)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert read(path).coders == ("ann", "bob")


def test_a_column_of_sentences_is_cluster_and_text(tmp_path):
    table = "item,sentence,coder,label\nw1,She runs far away.,ann,V\nw1,She runs far away.,bob,N\n"
    path = tmp_path / "words.csv"
    path.write_text(table, encoding="utf-8")
    study = read(path)
    assert study.items[0].cluster == study.texts.main("w1") == "She runs far away."


def test_numbers_of_sentences_are_no_text(tmp_path):
    table = "item,sentence,coder,label\nw1,s1,ann,V\nw1,s1,bob,N\n"
    assert not texts_of(tmp_path, "words.csv", table)


@pytest.mark.parametrize("lines", [True, False])
def test_json_objects_keep_their_texts(tmp_path, lines):
    rows = [
        {"item": "u1", "coder": coder, "label": label, "text": "a b c", "tokens": ["a"], "year": 1999}
        for coder, label in (("ann", "x"), ("bob", "y"))
    ]
    text = "\n".join(map(json.dumps, rows)) + "\n" if lines else json.dumps(rows)
    texts = texts_of(tmp_path, "t.jsonl" if lines else "t.json", text)
    assert texts.columns == {"text": {"u1": "a b c"}, "year": {"u1": "1999"}}
    assert texts.main_column == "text"


def test_ticks_keep_what_is_the_same_for_all_tags(tmp_path):
    rows = ["item\ttag\tcoder\tlabel\tcontext\tmeaning"]
    for tag, meaning in (("rank", "put in order"), ("ask", "request a thing")):
        rows += [f"u1\t{tag}\t{coder}\t1\tThey order tea.\t{meaning}" for coder in ("ann", "bob")]
    texts = texts_of(tmp_path, "t.tsv", "\n".join(rows) + "\n")
    assert texts.columns == {"context": {"u1": "They order tea."}}


def test_texts_that_differ_between_files_are_dropped(tmp_path):
    for coder, remark in (("ann", "I doubt it very much"), ("bob", "I know it for sure")):
        text = f"item,label,context,aside\nu1,x,It is late now.,{remark}\n"
        (tmp_path / f"{coder}.csv").write_text(text, encoding="utf-8")
    study = read(tmp_path / "ann.csv", tmp_path / "bob.csv")
    assert study.texts.columns == {"context": {"u1": "It is late now."}}


def test_a_part_of_a_study_has_the_texts_of_its_items(tmp_path):
    path = tmp_path / "uses.tsv"
    path.write_text(LONG, encoding="utf-8")
    part = read(path).select(items=["u2"])
    assert part.texts.main("u2")
    assert not part.texts.main("u1")


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl"])
def test_convert_keeps_the_texts(tmp_path, ending):
    source, target = tmp_path / "uses.tsv", tmp_path / f"out.{ending}"
    source.write_text(LONG, encoding="utf-8")
    convert(source, target)
    assert read(target).texts == read(source).texts


def test_convert_says_that_a_layout_without_columns_loses_the_texts(tmp_path):
    source = tmp_path / "uses.tsv"
    source.write_text(LONG, encoding="utf-8")
    with pytest.warns(UserWarning, match=r"not kept in triples: texts \(2 items\)"):
        convert(source, tmp_path / "out.triples")
