"""Tables of labels: what is understood, what is refused, and that nothing else escapes."""

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate
from arbitree.errors import ArbitreeError, FormatError, Source, StudyError
from arbitree.formats.label_tables.rows import value_of
from arbitree.formats.labels import Labels, Triples
from arbitree.kinds.labels.value import Label, Tags, ratings
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content
from arbitree.study.grid import Grid

LONG = "item\tcoder\tlabel\nbirds\tann\tNN\nbirds\tbob\tVB\nbees\tann\tNN\n"


def read(tmp_path, text, name="table.tsv", **options):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_study([str(path)], **options)


def cells(study):
    return {key: str(cell.value) for key, cell in study.cells.items()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[1, 2, 3]",
            "1: '1' is not a JSON object. Write one list of JSON objects, or one JSON object per line",
        ),
        ("\n[[1, 2], [3, 4]]", "2: '1' is not a JSON object. Write one list of JSON objects"),
        ("null\n", "1: 'null' is not a JSON object. Write one JSON object per line"),
        ('"yes"\n', "1: '\"yes\"' is not a JSON object."),
        ("item,label\n1,a\n", "1: 'item,label' is not valid JSON (Expecting value, column 1)."),
        ("[]\n", " the table contains no labels."),
    ],
)
def test_json_without_objects_is_refused(tmp_path, text, message):
    for name in ("table.json", "table.jsonl", "table.json.gz"):
        with pytest.raises(FormatError) as error:
            read(tmp_path, text, name=name)
        assert str(error.value).startswith(f"{tmp_path}/{name}:{message}")


def test_a_cell_that_is_too_long_is_refused(tmp_path):
    with pytest.raises(FormatError) as error:
        read(tmp_path, f"item,ann,bob\n1,x,y\n2,x,{'y' * 131_073}\n", name="table.csv")
    assert str(error.value) == (
        f"{tmp_path}/table.csv:3: a cell has more than 131,072 characters. "
        "Shorten it, or add the quotation mark that closes it."
    )


def test_a_row_for_each_label(tmp_path):
    study = read(tmp_path, LONG)
    assert study.coders == ("ann", "bob")
    assert cells(study) == {("birds", "ann"): "NN", ("birds", "bob"): "VB", ("bees", "ann"): "NN"}
    assert study.cells["bees", "ann"].source.line == 4
    assert study.missing == 1


@pytest.mark.parametrize(
    "header",
    ["task,worker,label", "instance_ID,Annotator,answer", "Item,Coder,Label", '"item","coder","label"'],
)
def test_columns_have_many_names(tmp_path, header):
    study = read(tmp_path, f'{header}\r\n1,ann,"a, b"\r\n1,bob,c\r\n', "table.csv")
    assert cells(study) == {("1", "ann"): "a, b", ("1", "bob"): "c"}


def test_documents_and_clusters_have_columns(tmp_path):
    text = "item\tcoder\tlabel\tdocument\tsentence\n1\ta\tx\td1\ts1\n1\tb\tx\td1\ts1\n2\ta\ty\td1\ts1\n"
    study = read(tmp_path, text)
    assert [(item.document, item.cluster) for item in study.items] == [("d1", "s1"), ("d1", "s1")]
    assert study.columns.tolist() == [0, 0]


def test_items_by_coders_with_a_header(tmp_path):
    study = read(tmp_path, "item,ann,bob\nbirds,NN,VB\nbees,,NN\n", "table.csv")
    assert cells(study) == {("birds", "ann"): "NN", ("birds", "bob"): "VB", ("bees", "bob"): "NN"}
    study = read(tmp_path, "ann,bob\nNN,VB\nNN,NN\n", "table.csv")
    assert study.coders == ("ann", "bob")
    assert [item.id for item in study.items] == ["1", "2"]


@pytest.mark.parametrize(
    "text",
    [
        "sentence,ann,bob\nbirds,NN,VB\nbees,NN,NN\n",
        "utterance,ann,bob\nbirds,NN,VB\nbees,NN,NN\n",
        "nr,ann,bob\n1,NN,VB\n2,NN,NN\n",
        "item,document,text,ann,bob\nbirds,zoo,birds fly,NN,VB\nbees,zoo,bees buzz,NN,NN\n",
        '"item","ann","bob"\n"birds, old",NN,VB\n"bees",NN,NN\n',
    ],
)
def test_columns_about_the_item_are_no_coders(tmp_path, text):
    study = read(tmp_path, text, "table.csv")
    assert study.coders == ("ann", "bob")
    assert [str(cell.value) for cell in study.cells.values()] == ["NN", "VB", "NN", "NN"]
    assert not study.notes


def test_items_by_coders_with_documents_and_sentences(tmp_path):
    study = read(tmp_path, "item,doc,sentence,ann,bob\n1,d1,s1,x,y\n2,d1,s1,x,x\n", "table.csv")
    assert [(item.document, item.cluster) for item in study.items] == [("d1", "s1"), ("d1", "s1")]


def test_a_column_without_a_shared_label_is_noted(tmp_path):
    study = read(tmp_path, "item,reason,ann,bob\n1,nice,x,y\n2,odd,x,x\n", "table.csv")
    (note,) = study.notes
    assert "'reason' shares no label with the other annotators" in note


def test_blanks_around_labels_do_not_count(tmp_path):
    study = read(tmp_path, "item, ann, bob\n1, x,x \n2, ,y\n", "table.csv")
    assert cells(study) == {("1", "ann"): "x", ("1", "bob"): "x", ("2", "bob"): "y"}


def test_one_table_without_a_shared_item_is_a_study_without_pairs(tmp_path):
    study = read(tmp_path, "item,ann,bob\n1,x,\n2,,y\n", "table.csv")
    assert evaluate(study, "alpha_nominal").status == "no_pairable"
    study = read(tmp_path, "item,ann,bob\n1,x,\n2,y,\n", "table.csv")
    assert evaluate(study, "alpha_nominal").value is None


def test_items_by_coders_without_a_header(tmp_path):
    study = read(tmp_path, "1,,0\n0,1,\n,,\n", "table.csv")
    assert study.coders == ("coder1", "coder2", "coder3")
    assert len(study.items) == 3
    assert ratings(study).codes.tolist() == [[1, -1, 0], [0, 1, -1], [-1, -1, -1]]
    study = read(tmp_path, "birds\tNN\tVB\nbees\tNN\tNN\n")
    assert [item.id for item in study.items] == ["birds", "bees"]


def test_a_file_for_each_coder(tmp_path):
    (tmp_path / "ann.tsv").write_text("item\tlabel\n1\tx\n2\ty\n", encoding="utf-8")
    (tmp_path / "bob.tsv").write_text("item\tlabel\n2\ty\n1\tx\n", encoding="utf-8")
    study = read_study([str(tmp_path / "ann.tsv"), str(tmp_path / "bob.tsv")])
    assert cells(study) == {("1", "ann"): "x", ("2", "ann"): "y", ("1", "bob"): "x", ("2", "bob"): "y"}


def test_json_lines(tmp_path):
    rows = [
        {"item": "1", "coder": "ann", "label": ["a", "b"]},
        {"item": "1", "coder": "bob", "label": {"a": 0.25, "b": 0.75}},
        {"item": 2, "coder": "ann", "label": "a"},
        {"item": 2, "coder": "bob", "label": None},
    ]
    study = read(tmp_path, "\n".join(map(json.dumps, rows)), "table.jsonl")
    assert cells(study) == {("1", "ann"): "a|b", ("1", "bob"): "a:0.25|b:0.75", ("2", "ann"): "a"}
    wide = read(tmp_path, '{"id": "x", "ann": 1, "bob": 2.0}\n{"id": "y", "ann": 1}\n', "wide.jsonl")
    assert cells(wide) == {("x", "ann"): "1", ("x", "bob"): "2", ("y", "ann"): "1"}
    zero = read(
        tmp_path, '{"id": "x", "ann": 0, "bob": false}\n{"id": "y", "ann": NaN, "bob": ""}\n', "wide.jsonl"
    )
    assert cells(zero) == {("x", "ann"): "0", ("x", "bob"): "False"}


def test_sense_keys_that_end_in_digits_are_no_weights(tmp_path):
    text = (
        "item\tcoder\tlabel\n1\ta\tstiff%5:00:00:firm:00|stiff%5:00:01:cold:01\n1\tb\tstiff%5:00:00:firm:00\n"
    )
    study = read(tmp_path, text)
    assert study.cells["1", "a"].value == Tags.of(["stiff%5:00:00:firm:00", "stiff%5:00:01:cold:01"])
    assert study.cells["1", "b"].value == Tags.of(["stiff%5:00:00:firm:00"])


CHOICES = {"choices": ["price", "food"]}
LABEL_STUDIO = [
    {"id": 1, "text": "a", "annotator": 1, "topic": {"choices": ["food", "price"]}},
    {"id": 1, "text": "a", "annotator": 2, "topic": "food"},
    {"id": 2, "text": "b", "annotator": 1, "topic": CHOICES},
]


@pytest.mark.parametrize("name", ["min.json", "table.csv"])
def test_several_choices_of_label_studio_are_a_set(tmp_path, name):
    text = json.dumps(LABEL_STUDIO)
    if name.endswith(".csv"):
        rows = [[str(row["id"]), row["text"], str(row["annotator"]), row["topic"]] for row in LABEL_STUDIO]
        marked = [[*row[:3], json.dumps(row[3]) if isinstance(row[3], dict) else row[3]] for row in rows]
        quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in marked]
        text = "\n".join(["id,text,annotator,topic", *quoted]) + "\n"
    study = read(tmp_path, text, name=name)
    assert cells(study) == {("1", "1"): "food|price", ("1", "2"): "food", ("2", "1"): "food|price"}


@pytest.mark.parametrize("cell", ['{"choices": 3}', '{"choices": [', '{"choices": ["a"], "b": 1}'])
def test_a_text_that_only_begins_like_choices_is_a_label(cell):
    assert value_of(cell, Source("t.csv", 1)) == Label(cell)


def test_sets_and_distributions(tmp_path):
    study = read(tmp_path, "item\tcoder\tlabel\n1\ta\trun|walk\n1\tb\trun\n")
    assert study.value_type is Tags
    assert study.cells["1", "b"].value == Tags.of(["run"])
    study = read(tmp_path, "item\tcoder\tlabel\n1\ta\trun:0.3|walk:0.7\n1\tb\trun:1\n")
    assert study.cells["1", "b"].value == Tags((("run", 1.0),))
    senses = read(tmp_path, "item\tcoder\tlabel\n1\ta\tgo%2:38:00::|go%2:30:01::\n1\tb\tgo%2:38:00::\n")
    assert senses.cells["1", "a"].value.tags == {"go%2:38:00::", "go%2:30:01::"}


def test_triples_without_a_header(tmp_path):
    study = read(tmp_path, "ann\tbirds\tNN\nbob\tbirds\tVB\n", format="triples")
    assert cells(study) == {("birds", "ann"): "NN", ("birds", "bob"): "VB"}


TRIPLES = "ann\tbirds\tNN\nbob\tbirds\tVB\nann\tbees\tNN\nbob\tbees\tNN\n"


def test_triples_are_recognised(tmp_path):
    """No cell is in two columns, and annotators and items occur several times, but never twice together."""
    said = []
    study = read(tmp_path, TRIPLES, say=said.append)
    assert cells(study) == {
        ("birds", "ann"): "NN",
        ("birds", "bob"): "VB",
        ("bees", "ann"): "NN",
        ("bees", "bob"): "NN",
    }
    assert said[:2] == [
        "Format detected: labels",
        "Read as rows without a header: annotator, item, label; 2 items, 2 annotators, 4 labels",
    ]
    assert cells(read(tmp_path, "coder\titem\tlabel\n" + TRIPLES, format="triples")) == cells(study)


@pytest.mark.parametrize(
    "text",
    [
        "x\ty\tx\nx\tx\tx\ny\tx\tz\n",  # columns share labels
        "1\t1\t2\n2\t1\t2\n1\t2\t1\n",
    ],
)
def test_a_matrix_of_three_annotators_is_not_triples(tmp_path, text):
    assert read(tmp_path, text).coders == ("coder1", "coder2", "coder3")


def test_triples_that_begin_with_the_item_are_refused(tmp_path):
    rows = [f"s{number},{coder},x" for number in range(5) for coder in ("ann", "bob")]
    with pytest.raises(FormatError) as error:
        read(tmp_path, "\n".join(rows), "table.csv")
    assert "seem to be item, annotator and label, in this order. Write a first row: item" in str(error.value)
    assert len(read(tmp_path, "item,coder,label\n" + "\n".join(rows), "table.csv").items) == 5
    assert len(read(tmp_path, "\n".join(rows), "table.csv", format="triples").items) == 2


@pytest.mark.parametrize(
    "text",
    ["ann,s1,NN,10\nbob,s1,VB,11\nann,s2,NN,12\nbob,s2,NN,13\n", "x,a,u\nx,a,v\ny,b,u\n"],
)
def test_rows_of_another_kind_without_a_header_are_refused(tmp_path, text):
    with pytest.raises(FormatError) as error:
        read(tmp_path, text, "table.csv")
    assert "no two columns have a cell in common" in str(error.value)
    assert "write a first row such as item, coder, label" in str(error.value)


def test_numbers_are_sorted_by_size(tmp_path):
    study = read(tmp_path, "item,a,b\nx,10,9\ny,2,10\n", "table.csv")
    assert [value.text for value in ratings(study).values] == ["2", "9", "10"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LONG + "birds\tann\tVB\n", "ann labels item 'birds' twice; first label at"),
        ("item\tcoder\tlabel\n1\tann\tx\ty\n1\tbob\tx\n", "table.tsv:2: expected 3 cells, found 4"),
        ("item\tcoder\tlabel\n\tann\tx\n", "table.tsv:2: the row has no item"),
        ("item\tcoder\tlabel\n1\t\tx\n", "table.tsv:2: the row has no annotator"),
        ("item\tcoder\tlabel\n1\tann\t\n", "the table contains no labels"),
        ("item\tcoder\tlabel\n1\tann\ta:0.5|b:0.6\n", "'a:0.5|b:0.6' sum to 1.1, not to 1"),
        ("item\tcoder\tlabel\n1\tann\ta:-0.5|b:1.5\n", "weight '-0.5' of 'a' is not a probability"),
        ('{"item": 1, "label": "x"}\n{"item"\n', "table.tsv:2: "),
        ('{"item": 1, "label": "x"}\n[1]\n', "table.tsv:2: '[1]' is not a JSON object"),
        ('[{"item": 1, "label": "x"},\n3]\n', "table.tsv:2: '3' is not a JSON object"),
        ('[{"item": 1, "label": "x"},\n\n{"item": 2,', "table.tsv:3: the list is not valid JSON"),
        ('[{"item": 1, "label": [{"value": "x"}]}]', "table.tsv:1: expected labels, found JSON objects"),
        ("item|ann|bob\n1|x|y\n", "table.tsv:1: the table has only one column. Write sep=| in a line before"),
        ('"item" "ann"\n"1" "x"\n', "table.tsv:1: the table has only one column. Separate its cells by tabs"),
        ("text,ann,bob\nYes.,x,y\nYes.,x,x\n", "or remove the item column with drop_column"),
        ("item,ann,bob\n", "the table contains no labels"),
        ("item,ann,ann\n1,x,y\n", "2 columns have the name 'ann'"),
        ('item,ann,bob\n1,"x,y\n', "table.tsv:2: "),
        ("item,ann,bob\n1,x\ry,x\n", "table.tsv:2: the row contains a carriage return. Remove it, or quote"),
    ],
)
def test_bad_tables_are_refused_with_their_line(tmp_path, text, message):
    with pytest.raises((FormatError, StudyError)) as error:
        read(tmp_path, text)
    assert message in str(error.value)


def test_a_label_twice_in_two_files(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.tsv").write_text("item\tcoder\tlabel\n7\tann\tx\n7\tbob\tx\n", encoding="utf-8")
    with pytest.raises(StudyError, match=r"two.tsv:2: ann labels item '7' twice; first label at .*one.tsv:2"):
        read_study([str(tmp_path / "one.tsv"), str(tmp_path / "two.tsv")])


@given(data=st.binary(max_size=300))
def test_only_our_errors_escape(data):
    for reader in (Labels(), Triples()):
        content = Content("fuzz", data)
        with suppress(ArbitreeError):
            reader.sniff(content)
            list(reader.read(content))


@given(
    rows=st.lists(st.lists(st.text(max_size=8), min_size=3, max_size=3), min_size=1, max_size=8),
    sign=st.sampled_from("\t,;"),
    head=st.sampled_from(["item{0}coder{0}label\n", "", '{{"item": 1, "coder": 2}}\n']),
)
def test_tables_of_anything_are_read_or_refused(rows, sign, head):
    text = head.format(sign) + "\n".join(sign.join(row) for row in rows)
    with suppress(ArbitreeError):
        list(Labels().read(Content("fuzz", text.encode("utf-8", "replace"))))


def test_what_is_written_is_read_back(tmp_path):
    study = read(tmp_path, LONG)
    entries = list(Labels().read(Content("table", LONG.encode())))
    again = read(tmp_path, "".join(Labels().write(entries)), "again.tsv")
    assert cells(again) == cells(study)


@pytest.mark.parametrize(
    ("name", "format", "start"),
    [
        ("table.csv", "labels", "item,coder,label\nbirds,ann,"),
        ("table.jsonl.gz", "labels", '{"item": "birds", "coder": "ann", "label": '),
        ("table.tsv", "labels", "item\tcoder\tlabel\nbirds\tann\t"),
        ("table.triples", "triples", "ann\tbirds\t"),
    ],
)
def test_tables_are_written_as_their_ending_says(tmp_path, name, format, start):
    text = LONG.replace("VB", "VB, past")
    entries = list(Labels().read(Content("table", text.encode())))
    writer = {"labels": Labels(), "triples": Triples()}[format]
    written = writer.text(entries, name)
    assert written.startswith(start)
    again = read(tmp_path, written, name.removesuffix(".gz"), format=format)
    assert cells(again) == cells(read(tmp_path, text, "first.tsv"))


def test_a_grid_is_a_mapping_of_annotations(tmp_path):
    study = read(tmp_path, LONG)
    assert isinstance(study.cells, Grid)
    assert len(study.cells) == 3
    assert ("bees", "bob") not in study.cells
    part = study.select(items=["bees"], coders=["ann"])
    assert cells(part) == {("bees", "ann"): "NN"}
    assert part.cells["bees", "ann"].value == Label("NN")
    assert np.array_equal(part.columns, [0])


def test_a_list_of_json_objects_is_a_table(tmp_path):
    rows = [
        {"item": "birds", "coder": "ann", "label": "NN"},
        {"item": "birds", "coder": "bob", "label": "VB"},
    ]
    for indent in (None, 1):
        study = read(tmp_path, json.dumps(rows, indent=indent), "table.json")
        assert cells(study) == {("birds", "ann"): "NN", ("birds", "bob"): "VB"}
    assert study.cells["birds", "bob"].source.line == 7
    assert read(tmp_path, " [ {} ,\r\n" + json.dumps(rows)[1:], "table.json").coders == ("ann", "bob")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems_are_read(tmp_path, end):
    study = read(tmp_path, LONG.replace("\n", end))
    assert cells(study) == cells(read(tmp_path, LONG))
    assert study.cells["bees", "ann"].source.line == 4


def test_a_line_break_in_a_cell_separates_words(tmp_path):
    study = read(tmp_path, 'item,ann,bob\r\n"New\r\nYork",x,"a\nb"\r\nNewYork,y,a b\r\n', "table.csv")
    assert [item.id for item in study.items] == ["New York", "NewYork"]
    assert study.cells["New York", "bob"].value == study.cells["NewYork", "bob"].value
