"""How the columns of a table of labels are found, named, refused and reported."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate
from arbitree.errors import ArbitreeError, FormatError, StudyError
from arbitree.formats.label_tables import columnar
from arbitree.formats.label_tables.rows import gather
from arbitree.formats.labels import Labels
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content
from arbitree.reading.inputs import Input, Reading


def read(tmp_path, text, name="table.csv", **options):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    said = []
    study = read_study([str(path)], say=said.append, **options)
    (line,) = [line for line in said if line.startswith("Read as")]
    return study, line


def cells(study):
    return {key: str(cell.value) for key, cell in study.cells.items()}


PAIRS = {("u1", "ann"): "pro", ("u1", "bob"): "pro", ("u2", "ann"): "con", ("u2", "bob"): "pro"}

# Headers as the tools write them; the rows below are written for this test.
PLATFORMS = {
    "a plain sentence column": (
        "sentence,annotator,label",
        ["u1,ann,pro", "u1,bob,pro", "u2,ann,con", "u2,bob,pro"],
        "item = sentence, annotator = annotator, label = label",
    ),
    "Mechanical Turk": (
        "HITId,HITTypeId,AssignmentId,WorkerId,WorkTimeInSeconds,Input.text,Answer.stance",
        [
            "u1,t,a1,ann,9,Dogs,pro",
            "u1,t,a2,bob,8,Dogs,pro",
            "u2,t,a3,ann,7,Cats,con",
            "u2,t,a4,bob,6,Cats,pro",
        ],
        "item = HITId, annotator = WorkerId, label = Answer.stance; texts: Input.text",
    ),
    "Appen": (
        "_unit_id,_created_at,_golden,_id,_trust,_worker_id,_country,stance,stance_gold,text",
        [
            "u1,d,false,11,.9,ann,NOR,pro,pro,Dogs",
            "u1,d,false,12,.8,bob,DNK,pro,pro,Dogs",
            "u2,d,false,13,.9,ann,NOR,con,,Cats",
            "u2,d,false,14,.8,bob,DNK,pro,,Cats",
        ],
        "item = _unit_id, annotator = _worker_id, label = stance, gold = stance_gold; texts: text",
    ),
    "Toloka": (
        "INPUT:text,OUTPUT:stance,GOLDEN:stance,ASSIGNMENT:link,ASSIGNMENT:task_id,ASSIGNMENT:worker_id",
        ["Dogs,pro,,l,u1,ann", "Dogs,pro,,l,u1,bob", "Cats,con,,l,u2,ann", "Cats,pro,,l,u2,bob"],
        "item = ASSIGNMENT:task_id, annotator = ASSIGNMENT:worker_id, label = OUTPUT:stance, "
        "gold = GOLDEN:stance; texts: INPUT:text",
    ),
    "Snow et al. (2008)": (
        "!amt_annotation_ids,!amt_worker_ids,orig_id,response,gold",
        ["1,ann,u1,pro,pro", "2,bob,u1,pro,pro", "3,ann,u2,con,con", "4,bob,u2,pro,con"],
        "item = orig_id, annotator = !amt_worker_ids, label = response, gold = gold",
    ),
    "Label Studio": (
        "annotation_id,annotator,created_at,id,lead_time,stance,text,updated_at",
        [
            "1,ann,d,u1,3.5,pro,Dogs,d",
            "2,bob,d,u1,3.1,pro,Dogs,d",
            "3,ann,d,u2,2.5,con,Cats,d",
            "4,bob,d,u2,2.2,pro,Cats,d",
        ],
        "item = id, annotator = annotator, label = stance; texts: text",
    ),
    "Potato": (
        "user,instance_id,displayed_text,stance",
        ["ann,u1,Dogs,pro", "bob,u1,Dogs,pro", "ann,u2,Cats,con", "bob,u2,Cats,pro"],
        "item = instance_id, annotator = user, label = stance; texts: displayed_text",
    ),
    "Prolific": (
        "PROLIFIC_PID,question,rating,status",
        ["ann,u1,pro,OK", "bob,u1,pro,OK", "ann,u2,con,OK", "bob,u2,pro,OK"],
        "item = question, annotator = PROLIFIC_PID, label = rating",
    ),
    "a sentence with an id": (
        "sentence_id,sentence,annotator,label",
        ["u1,Hi.,ann,pro", "u1,Hi.,bob,pro", "u2,Ho.,ann,con", "u2,Ho.,bob,pro"],
        "item = sentence_id, annotator = annotator, label = label; texts: sentence",
    ),
    "a label that ends in id": (
        "id,annotator,valid",
        ["u1,ann,pro", "u1,bob,pro", "u2,ann,con", "u2,bob,pro"],
        "item = id, annotator = annotator, label = valid",
    ),
    "another id": (
        "text,tweet_id,annotator_id,stance,confidence",
        ["u1,7,ann,pro,3", "u1,7,bob,pro,2", "u2,8,ann,con,3", "u2,8,bob,pro,1"],
        "item = text, annotator = annotator_id, label = stance; texts: tweet_id",
    ),
    "an id of the row": (
        "id,text,annotator,label",
        ["1,u1,ann,pro", "2,u1,bob,pro", "3,u2,ann,con", "4,u2,bob,pro"],
        "item = text, annotator = annotator, label = label",
    ),
    "an id of the row, with sentences": (
        "id,annotator,label,sentence",
        ["1,ann,pro,u1", "2,bob,pro,u1", "3,ann,con,u2", "4,bob,pro,u2"],
        "item = sentence, annotator = annotator, label = label",
    ),
    "names that only the content explains": (
        "review,annotator,stance",
        ["u1,ann,pro", "u1,bob,pro", "u2,ann,con", "u2,bob,pro"],
        "item = review, annotator = annotator, label = stance",
    ),
}


@pytest.mark.parametrize(("header", "rows", "line"), PLATFORMS.values(), ids=PLATFORMS)
def test_the_columns_of_tools_and_crowd_platforms_are_known(tmp_path, header, rows, line):
    study, said = read(tmp_path, "\n".join([header, *rows]) + "\n")
    assert cells(study) == PAIRS
    assert study.coders == ("ann", "bob")
    assert said == f"Read as a long table: {line}; 2 items, 2 annotators, 4 labels"


def test_prodigy_names_the_input_and_the_chosen_options(tmp_path):
    rows = "".join(
        f'{{"text": "{text}", "_input_hash": {number}, "_task_hash": 9, "accept": ["{label}"], '
        f'"answer": "accept", "_annotator_id": "{coder}"}}\n'
        for text, number, coder, label in [
            ("a", 1, "ann", "pro"),
            ("a", 1, "bob", "con"),
            ("b", 2, "ann", "pro"),
        ]
    )
    study, line = read(tmp_path, rows, "table.jsonl")
    assert cells(study) == {("1", "ann"): "pro", ("1", "bob"): "con", ("2", "ann"): "pro"}
    assert "item = _input_hash, annotator = _annotator_id, label = accept;" in line


def prodigy_rows(answers, **given):
    tasks = [{"text": text, **given, "answer": answer} for text, answer in zip("abcd", answers, strict=False)]
    return "".join(json.dumps({**task, "_annotator_id": "ann"}) + "\n" for task in tasks)


def test_tasks_of_prodigy_that_are_not_accepted_have_no_label(tmp_path):
    rows = prodigy_rows(["accept", "ignore", "reject", "reject"], accept=["pro"])
    study, _ = read(tmp_path, rows, "table.jsonl")
    assert cells(study) == {("a", "ann"): "pro"}
    assert [item.id for item in study.items] == list("abcd")
    path = tmp_path / "table.jsonl"
    assert list(study.notes) == [
        f"{path}:2: the answer 'ignore' of 1 task (here the first) counts as a missing annotation",
        f"{path}:3: the answer 'reject' of 2 tasks (here the first) counts as a missing annotation",
    ]


@pytest.mark.parametrize("given", [{"label": "GOOD"}, {"label": "GOOD", "_task_hash": 7}])
def test_a_constant_label_of_prodigy_is_the_question(tmp_path, given):
    rows = prodigy_rows(["accept", "reject", "ignore"], **given)
    study, line = read(tmp_path, rows, "table.jsonl", item_column="text")
    assert cells(study) == {("a", "ann"): "accept", ("b", "ann"): "reject"}
    assert "label = answer" in line
    assert len(study.notes) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("item,ann,bob\n1,x,y\n2,x,x\n", "(ann, bob); item = item; 2 items, 2 annotators, 4 labels"),
        ("x,y\nx,x\n", "annotator, without a header; items numbered; 2 items, 2 annotators, 4 labels"),
        (
            "id,text,judge,critic,comment\n1,a b,x,y,so\n2,c d,x,x,\n",
            "(judge, critic); item = id; texts: text; ignored: comment; 2 items, 2 annotators, 4 labels",
        ),
        ("item,gold,ann,bob\n1,x,x,y\n2,y,x,x\n", "(ann, bob); item = item; gold = gold; 2 items"),
        (
            "id,text,Annotator 1,Annotator 2,label\n1,a b,x,y,x\n2,c d,x,x,x\n",
            "(Annotator 1, Annotator 2); item = id; gold = label; texts: text; 2 items",
        ),
        (
            "id,ann,bob,majority,adjudicated\n1,x,y,x,y\n2,x,x,x,x\n",
            "(ann, bob); item = id; gold = adjudicated; ignored: majority; 2 items",
        ),
        ("item,gold,ann\n1,x,x\n2,y,x\n", "(gold, ann); item = item; 2 items"),
    ],
)
def test_a_matrix_is_announced_with_its_annotators(tmp_path, text, line):
    assert line in read(tmp_path, text)[1]


@pytest.mark.parametrize(
    ("text", "coders"),
    [
        ("rater;judge\n4;\n1;\n5;3\n", ("rater", "judge")),
        ("coder1,coder2,coder3\n,,c\nb,,a\n", ("coder1", "coder2", "coder3")),
        ("item,judge,critic,annotator\n1,x,y,x\n2,x,x,y\n", ("judge", "critic", "annotator")),
        (";1\n0;\n", ("coder1", "coder2")),
    ],
)
def test_annotators_called_judge_or_rater_do_not_make_a_long_table(tmp_path, text, coders):
    assert read(tmp_path, text)[0].coders == coders


def test_annotators_without_a_label_come_last(tmp_path):
    text = "item,coder,label\n1,ann,\n1,bob,x\n2,cho,x\n2,bob,y\n"
    assert read(tmp_path, text)[0].coders == ("bob", "cho", "ann")


def test_an_author_called_user_is_no_annotator(tmp_path):
    study, line = read(tmp_path, "id,user,text,label\n1,kim,hi,x\n2,lee,ho,y\n", "ann.csv")
    assert study.coders == ("ann",)
    assert "annotator = the file" in line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "HITId,WorkerId,Answer.mood,Answer.why\nu1,ann,x,a\nu1,bob,x,b\n",
            "label column is not known; it could be 'Answer.mood' or 'Answer.why'. Name it with --label-col",
        ),
        (
            "page,line,annotator,label\n1,1,ann,x\n1,1,bob,x\n1,2,ann,x\n2,1,ann,y\n2,1,bob,x\n",
            "its item column is not known; it could be 'page' or 'line'. Name it with --item-column",
        ),
        ("annotator,label\nann,x\nbob,y\n", "its item column is not known. Name it with --item-column"),
        (
            "review,who,stance\nr1,ann,pro\nr1,bob,con\nr2,ann,con\n",
            "set --item-column, --coder-column and --label-column",
        ),
        ("id,who,stance\nr1,ann,pro\nr1,bob,con\n", "set --coder-column and --label-column"),
    ],
)
def test_columns_that_cannot_be_told_are_asked_for(tmp_path, text, message):
    with pytest.raises((FormatError, StudyError)) as error:
        read(tmp_path, text)
    assert message in error.value.typed


def test_options_name_the_columns(tmp_path):
    text = "page,who,when,mood,best\np1,ann,1,x,y\np1,bob,2,x,y\np2,ann,3,y,y\n"
    options = {"item_column": "page", "coder_column": "who", "label_column": "Mood", "gold_column": "best"}
    study, line = read(tmp_path, text, **options)
    assert cells(study) == {("p1", "ann"): "x", ("p1", "bob"): "x", ("p2", "ann"): "y"}
    assert {item: str(value) for item, value in study.gold.items()} == {"p1": "y", "p2": "y"}
    assert "item = page, annotator = who, label = mood, gold = best;" in line


def test_options_override_the_usual_names(tmp_path):
    text = "item,coder,label,second\n1,ann,x,u\n1,bob,y,u\n"
    assert cells(read(tmp_path, text, label_column="second")[0]) == {("1", "ann"): "u", ("1", "bob"): "u"}


def test_columns_can_be_dropped(tmp_path):
    study, _ = read(tmp_path, "item,ann,bob,cho\n1,x,y,x\n", drop_column=["bob"])
    assert study.coders == ("ann", "cho")
    study, _ = read(tmp_path, "item,coder,label,gold\n1,ann,x,y\n1,bob,y,z\n", drop_column=["gold"])
    assert not study.gold


def test_a_mistyped_column_is_named_with_the_closest_one(tmp_path):
    with pytest.raises(FormatError, match=r"no column 'lable'\. Did you mean 'label'"):
        read(tmp_path, "item,coder,label\n1,ann,x\n", label_column="lable")
    with pytest.raises(FormatError, match="The first row contains: item, ann"):
        read(tmp_path, "item,ann\n1,x\n", drop_column=["zebra"])


@pytest.mark.parametrize(
    "text",
    [
        ",1,2,3\n0,a,a,b\n1,b,b,b\n",
        "item,1,2,3\n0,a,a,b\n1,b,b,b\n",
        "1,2,3\na,a,b\nb,b,b\n",
        "nr,1,2,3\n0,b,b,a\n1,a,a,a\n",
        "sent,1,2,3\ns1,2,2,1\ns2,1,1,1\n",
        ",1,2,3\nbirds,1,2,2\nbees,2,2,1\n",
    ],
)
def test_annotators_may_have_numbers_as_names(tmp_path, text):
    study, _ = read(tmp_path, text)
    assert study.coders == ("1", "2", "3")
    assert len(study.items) == 2


@pytest.mark.parametrize("text", ["1,2,3\n3,2,1\n", "birds,1,2,3\nbees,2,2,1\n", "1,1,2\n1,2,2\n"])
def test_a_first_row_of_labels_is_no_header(tmp_path, text):
    assert read(tmp_path, text)[0].coders == ("coder1", "coder2", "coder3")


@pytest.mark.parametrize("first", ["", "sentence", "document"])
def test_a_named_or_empty_corner_makes_a_header_of_numbers(tmp_path, first):
    study, _ = read(tmp_path, f"{first},101,102\ns1,1,2\ns2,2,2\n")
    assert study.coders == ("101", "102")
    assert len(study.items) == 2


@pytest.mark.parametrize(
    "text",
    [
        "question,question,order\norder,order,order\nquestion,order,question\n",
        "question,order,other\norder,order,order\nother,order,question\n",
    ],
)
def test_a_label_called_like_an_item_column_is_no_header(tmp_path, text):
    study, line = read(tmp_path, text)
    assert "without a header" in line
    assert study.coders == ("coder1", "coder2", "coder3")


def study_of_files(tmp_path, *texts):
    paths = [tmp_path / f"m{number}.tsv" for number in range(1, len(texts) + 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text.replace(" ", "\t"), encoding="utf-8")
    return read_study(list(map(str, paths)))


@pytest.mark.parametrize(
    ("first", "second", "items"),
    [
        ("s1 pos\ns2 neg\ns3 neu\n", "s1 pos\ns2 pos\ns3 neu\n", 3),
        ("EU B-ORG\nfly O\nGo B-MISC\nis O\n", "EU B-ORG\nfly O\nGo O\nis O\n", 4),
        ("EU NNP\nfly VBZ\nis VBP\n", "EU VBZ\nfly VBZ\nis VBP\n", 3),
        ("birds pos\nbees neg\n", "bees pos\nbirds pos\n", 2),
        (
            "s01 new\n" + "".join(f"s{number:02} {'ab'[number % 2]}\n" for number in range(2, 21)),
            "".join(f"s{number:02} a\n" for number in range(1, 21)),
            20,
        ),
    ],
)
def test_a_first_row_of_labels_is_kept_in_each_file(tmp_path, first, second, items):
    study = study_of_files(tmp_path, first, second)
    assert len(study.items) == items
    assert study.missing == 0
    assert study.notes == ()


def test_a_first_row_like_the_others_is_no_header_of_a_matrix(tmp_path):
    study, line = read(tmp_path, "s1,neu,mixed\ns2,pos,pos\ns3,neg,neg\ns4,neg,pos\n")
    assert cells(study)["s1", "coder2"] == "mixed"
    assert "without a header; item = first column; 4 items" in line


@pytest.mark.parametrize("kept", [True, False])
def test_a_guess_about_the_first_row_is_a_warning(tmp_path, kept):
    column = "new\n" + 9 * "pos\nneg\n"
    other = 9 * "pos\nneg\n" + (kept * "neg\n")
    study = study_of_files(tmp_path, column, other if kept else column)
    assert len(study.items) == (19 if kept else 18)
    (note,) = study.notes
    how = "labels, because another file" if kept else "a header, because its cells occur in no other row; so"
    assert note.startswith(f"{tmp_path / 'm1.tsv'}:1: the first row ('new') is read as {how}")


@pytest.mark.parametrize(
    "text",
    [
        "nr tagged\n1 NN\n2 VB\n",
        "sent mood\ns1 pos\ns2 neg\n",
        "kim lee\n1 2\n2 2\n",
        "m1\nNN\nNN\nVB\nVB\n",
        "kim lee max\n" + 9 * "NN NN VB\n",
    ],
)
def test_a_first_row_unlike_the_others_is_a_header_without_a_warning(tmp_path, text):
    study = study_of_files(tmp_path, text)
    assert len(study.items) == text.count("\n") - 1
    assert study.notes == ()


TOKENS = [("The", "DET DET"), ("dog", "NOUN NOUN"), ("The", "DET PRON"), ("cat", "NOUN NOUN")]


@pytest.mark.parametrize(
    ("names", "ids", "how"),
    [
        ("sent token form", "1/1 1/2 2/1 2/2", "item = sent + token; cluster = sent; texts: form"),
        (
            "sent_id token_id form",
            "1/1 1/2 2/1 2/2",
            "item = sent_id + token_id; cluster = sent_id;",
        ),
        ("sent token text", "1/1 1/2 2/1 2/2", "item = sent + token; cluster = sent; texts: text"),
        ("doc sent token word", "d/1/1 d/1/2 d/2/1 d/2/2", "item = doc + sent + token; document = doc; "),
        ("Sentence_# Word", "1 2 3 4", "items numbered; cluster = Sentence #; texts: Word"),
        ("word", "1 2 3 4", "items numbered; texts: word"),
        ("start end form", "1 2 3 4", "items numbered; texts: start, end, form"),
    ],
)
def test_positions_and_words_of_tokens_are_not_annotators(tmp_path, names, ids, how):
    cells_of = {"doc": "dddd", "sent": "1122", "sent_id": "1122", "Sentence_#": "1122", "start": "1122"}
    cells_of |= {"token": "1212", "token_id": "1212", "end": "1212"}
    rows = [
        [*(cells_of[name][place] if name in cells_of else word for name in names.split()), *labels.split()]
        for place, (word, labels) in enumerate(TOKENS)
    ]
    header = [name.replace("_#", " #") for name in (*names.split(), "ann", "bob")]
    study, line = read(tmp_path, "".join(",".join(row) + "\n" for row in (header, *rows)))
    assert study.coders == ("ann", "bob")
    assert [item.id for item in study.items] == ids.split()
    assert how in line
    assert study.notes == ()
    assert evaluate(study, "agreement").value == 0.75


@pytest.mark.parametrize(
    ("header", "rows", "count"),
    [
        ("id,text,length,ann,bob", ["1,a b,3,x,x", "2,c d,3,y,x"], 1),
        ("id,length,ann", ["1,3,x", "2,4,y"], 1),
        ("id,ann,bob", ["1,3,3", "2,4,x"], 0),
        ("id,ann,bob", ["1,3,3", "2,4,4"], 0),
    ],
)
def test_a_column_of_numbers_next_to_texts_is_a_warning(tmp_path, header, rows, count):
    study, _ = read(tmp_path, "\n".join([header, *rows]) + "\n")
    assert len(study.notes) == count
    for note in study.notes:
        assert note.startswith("'length' contains only numbers, unlike other annotators (example: '3'); if")
        assert note.endswith("set --drop-column")


@pytest.mark.parametrize(
    ("rows", "how"),
    [
        (
            "document,item,annotator,label|d1,1,ann,x|d1,1,bob,x|d2,1,ann,y|d2,1,bob,y",
            "annotator = annotator",
        ),
        ("item,annotator,label,doc|1,ann,x,d1|1,bob,y,d2", "annotator = annotator"),
        ("document,item,ann,bob|d1,1,x,x|d2,1,y,y", "(ann, bob)"),
    ],
)
@pytest.mark.parametrize("least", [0, columnar.LEAST])
def test_ids_that_restart_in_each_document_count_within_it(tmp_path, monkeypatch, rows, how, least):
    monkeypatch.setattr(columnar, "LEAST", least)
    study, line = read(tmp_path, rows.replace("|", "\n") + "\n")
    assert [item.id for item in study.items] == ["d1/1", "d2/1"]
    assert {item.document for item in study.items if item.id == "d2/1"} == {"d2"}
    assert how in line
    assert "item = doc" in line
    assert " + item" in line


@pytest.mark.parametrize(
    "texts",
    [
        ("doc item label\nd1 1 x\nd2 1 y\n", "doc item label\nd1 1 x\n"),
        ("doc item label\nd1 1 x\nd2 2 y\n", "doc item label\nd1 1 x\nd2 1 x\n"),
        ("doc item label\nd1 1 x\n", "doc item label\nd1 1 x\n", "doc item label\nd2 1 x\n"),
    ],
)
def test_ids_count_within_documents_in_all_files_of_a_study(tmp_path, texts):
    study = study_of_files(tmp_path, *texts)
    assert all(item.id == f"{item.document}/{item.id[-1]}" for item in study.items)


@pytest.mark.parametrize(
    ("title", "line"),
    [("My study,,\n", 2), ("My study\n", 2), ("My study,,\n2024,,\n,,\n", 4), ('"My study, 2",,\n', 2)],
)
@pytest.mark.parametrize("header", ["item,ann,bob", "nr,ann,bob"])
def test_a_title_above_the_header_is_refused(tmp_path, title, line, header):
    with pytest.raises(FormatError) as error:
        read(tmp_path, f"{title}{header}\n1,x,x\n2,y,x\n3,y,y\n")
    assert str(error.value).startswith(f"{tmp_path / 'table.csv'}:1: the first row ('My study")
    assert f"seems to be a title, because line {line} is a header. Remove the rows above" in str(error.value)


@pytest.mark.parametrize(
    "text", ["s1,,\ns2,x,y\ns3,z,x\n", "birds,,\nbees,x,y\ncats,z,w\n", "x\nText, b\nx\n"]
)
def test_an_item_without_labels_is_no_title(tmp_path, text):
    assert len(read(tmp_path, text)[0].items) == 3


def test_columns_without_a_name_are_no_annotators(tmp_path):
    study, line = read(tmp_path, "item,ann,,bob\n1,x,y,x\n2,y,y,y\n")
    assert study.coders == ("ann", "bob")
    assert "item = item; ignored: column 3;" in line
    study, line = read(tmp_path, "Unnamed: 0.1,Unnamed: 0,ann,bob\n0,0,1,2\n1,1,2,2\n")
    assert study.coders == ("ann", "bob")
    assert "item = Unnamed: 0.1; ignored: Unnamed: 0;" in line
    with pytest.raises(FormatError, match="2 columns have the name 'ann'"):
        read(tmp_path, ",ann,ann\n0,x,y\n1,y,y\n")


def test_a_named_item_column_comes_before_row_names(tmp_path):
    """Row names have gaps if rows of a data frame were removed."""
    study, _ = read(tmp_path, ",item,ann,bob\n3,s1,x,y\n7,s2,x,x\n")
    assert [item.id for item in study.items] == ["s1", "s2"]
    study, _ = read(tmp_path, ",page,ann,bob\n3,p1,x,y\n7,p2,x,x\n", item_column="page")
    assert [item.id for item in study.items] == ["p1", "p2"]


def test_a_first_column_that_counts_the_rows_is_no_annotator(tmp_path):
    rows = "".join(f"{number},{number % 3},{number % 2}\n" for number in range(1, 7))
    study, _ = read(tmp_path, f"nr,ann,bob\n{rows}")
    assert study.coders == ("ann", "bob")
    study, _ = read(tmp_path, "cho,ann,bob\n1,1,2\n2,2,2\n")
    assert study.coders == ("cho", "ann", "bob")


@pytest.mark.parametrize("first", ["sep=;\n", "SEP=;\r\n", '"sep=;"\n'])
def test_the_separator_may_stand_in_the_first_line(tmp_path, first):
    study, _ = read(tmp_path, f"{first}item;coder;label\n1;ann;a,b\n1;bob;a,b\n")
    assert cells(study) == {("1", "ann"): "a,b", ("1", "bob"): "a,b"}
    assert study.cells["1", "ann"].source.line == 3


def test_quoted_cells_between_tabs_are_read_if_the_header_is_quoted(tmp_path):
    quoted = '"item"\t"coder"\t"label"\n"1"\t"ann"\t"x"\n"1"\t"bob"\t"y"\n'
    assert cells(read(tmp_path, quoted, "table.tsv")[0]) == {("1", "ann"): "x", ("1", "bob"): "y"}
    tokens = 'item\tcoder\tlabel\n"\tann\t"\n"\tbob\t,\n'
    assert cells(read(tmp_path, tokens, "table.tsv")[0]) == {('"', "ann"): '"', ('"', "bob"): ","}


def test_empty_columns_and_rows_of_spreadsheets_are_skipped(tmp_path):
    study, _ = read(tmp_path, "item;ann;bob;;\n1;x;y;;\n2;x;x;;\n;;;;\n;;;;\n")
    assert study.coders == ("ann", "bob")
    assert [item.id for item in study.items] == ["1", "2"]
    study, _ = read(tmp_path, "item;coder;label;\n1;ann;x;\n1;bob;y;\n;;;\n")
    assert study.coders == ("ann", "bob")
    assert cells(study) == {("1", "ann"): "x", ("1", "bob"): "y"}
    study, _ = read(tmp_path, "film;ann;bob;;\nf1;x;y;;\nf2;x;x;;\n")
    assert study.coders == ("ann", "bob")
    study, _ = read(tmp_path, "x,y,,\ny,x,,\n")
    assert study.coders == ("coder1", "coder2", "coder3", "coder4")


def test_row_names_without_a_header_are_skipped_or_ids(tmp_path):
    """R writes such tables with ``write.table``."""
    study, _ = read(tmp_path, '"item"\t"coder"\t"label"\n"1"\t7\t"ann"\t"x"\n"2"\t7\t"bob"\t"y"\n', "r.tsv")
    assert cells(study) == {("7", "ann"): "x", ("7", "bob"): "y"}
    study, _ = read(tmp_path, '"ann"\t"bob"\n"s1"\t"x"\t"x"\n"s2"\t"x"\t"y"\n', "r.tsv")
    assert [item.id for item in study.items] == ["s1", "s2"]
    assert study.coders == ("ann", "bob")


def test_a_gold_column_that_is_named_is_never_an_annotator(tmp_path):
    study, _ = read(tmp_path, "item,ann,expert\n1,x,x\n2,y,x\n", gold_column="expert")
    assert study.coders == ("ann",)
    assert set(study.gold) == {"1", "2"}


def test_gold_is_no_annotator(tmp_path):
    for text in (
        "item,ann,bob,gold\n1,x,y,x\n2,x,x,\n",
        "item,coder,label,gold\n1,ann,x,x\n1,bob,y,x\n2,ann,x,\n2,bob,x,\n",
    ):
        study, _ = read(tmp_path, text)
        assert study.coders == ("ann", "bob")
        assert {item: str(value) for item, value in study.gold.items()} == {"1": "x"}
        with_gold = study.with_gold()
        assert with_gold.coders == ("ann", "bob", "gold")
        assert with_gold.reference == "gold"
        assert str(with_gold.cells["1", "gold"].value) == "x"
    study, _ = read(tmp_path, "item,ann,bob,gold\n1,x,y,x\n", gold_column="off")
    assert study.coders == ("ann", "bob", "gold")


def test_a_gold_column_with_two_labels_of_an_item_is_ignored_or_refused(tmp_path):
    text = "item,coder,label,gold\n1,ann,x,x\n1,bob,y,y\n"
    study, _ = read(tmp_path, text)
    assert not study.gold
    (note,) = study.notes
    assert note.endswith(
        "table.csv:3: item '1' has 2 gold labels, 'x' and 'y', so the gold column is ignored"
    )
    with pytest.raises(StudyError, match=r"table.csv:3: item '1' has 2 gold labels, 'x' and 'y'"):
        read(tmp_path, text, gold_column="gold")


def test_gold_labels_may_be_missing_or_spelled_differently_in_some_rows(tmp_path):
    study, _ = read(tmp_path, "item,coder,label,gold\n1,ann,1,NA\n1,bob,2,1.0\n1,cho,1,1\n")
    assert {item: str(value) for item, value in study.gold.items()} == {"1": "1"}


def test_gold_does_not_change_how_labels_are_read(tmp_path):
    study, _ = read(tmp_path, "item,ann,bob,gold\n1,1,1.0,x|y\n2,2,2,b:0.5|c:0.9\n")
    assert study.kind == "label"
    assert cells(study)["1", "bob"] == "1"
    study, _ = read(tmp_path, "item,ann,bob,gold\n1,1|2,1,2.0\n2,2,2,\n")
    assert {item: value.tags for item, value in study.gold.items()} == {"1": {"2"}}


def test_files_with_different_layouts_are_announced_one_by_one(tmp_path):
    (tmp_path / "one.csv").write_text("item,coder,label\n1,ann,x\n2,ann,y\n", encoding="utf-8")
    (tmp_path / "two.csv").write_text("item,bob,cho\n1,x,x\n2,x,y\n", encoding="utf-8")
    said = []
    read_study([str(tmp_path / "one.csv"), str(tmp_path / "two.csv")], say=said.append)
    assert [line.rpartition("/")[2] for line in said[1:]] == [
        "one.csv: read as a long table: item = item, annotator = coder, label = label",
        "two.csv: read as a matrix with one column per annotator (bob, cho); item = item",
        "Read 2 items, 3 annotators, 6 labels",
        "Items matched by id",
    ]


@pytest.mark.parametrize(
    ("ann", "bob", "how"),
    [
        ("id,mood\n1,x\n2,y\n", "mood,id\nx,2\nx,1\n", "a table with one column of labels (mood); item = id"),
        ("x\ny\n", "x\nx\n", "a table with one column of labels, without a header; items numbered"),
    ],
)
def test_files_with_one_column_of_labels_belong_to_an_annotator_each(tmp_path, ann, bob, how):
    (tmp_path / "ann.csv").write_text(ann, encoding="utf-8")
    (tmp_path / "bob.csv").write_text(bob, encoding="utf-8")
    said = []
    study = read_study([str(tmp_path / "ann.csv"), str(tmp_path / "bob.csv")], say=said.append)
    assert cells(study) == {("1", "ann"): "x", ("2", "ann"): "y", ("1", "bob"): "x", ("2", "bob"): "x"}
    assert said[1] == f"Read as {how}; 2 items, 2 annotators, 4 labels"


def test_columns_named_after_annotators_keep_their_names(tmp_path):
    (tmp_path / "one.csv").write_text("id,ann\n1,x\n2,y\n", encoding="utf-8")
    (tmp_path / "two.csv").write_text("id,bob\n1,x\n2,x\n", encoding="utf-8")
    assert read_study([str(tmp_path / "one.csv"), str(tmp_path / "two.csv")]).coders == ("ann", "bob")


NAMES = st.sampled_from(
    (
        *("item", "id", "text", "sentence", "document", "coder", "annotator", "user", "WorkerId", "label"),
        *(
            "Answer.a",
            "Answer.b",
            "INPUT:t",
            "OUTPUT:l",
            "gold",
            "a_gold",
            "a",
            "time",
            "1",
            "2",
            "",
            "score",
        ),
    )
)


@given(
    header=st.lists(NAMES, min_size=1, max_size=6),
    rows=st.lists(st.lists(st.sampled_from(["", "NA", "x", "y", "1", "1.0", "01"]), max_size=7), max_size=6),
    sign=st.sampled_from("\t,;"),
    named=st.dictionaries(
        st.sampled_from(["item_column", "coder_column", "label_column", "gold_column"]), NAMES
    ),
    dropped=st.lists(NAMES, max_size=2),
)
def test_tables_with_any_columns_are_read_or_refused(header, rows, sign, named, dropped):
    text = "".join(sign.join(row) + "\n" for row in (header, *rows))
    reading = Reading(**named, drop_column=dropped)
    with suppress(ArbitreeError):
        content = Content("fuzz", text.encode(), reading=reading)
        records = Labels().records(content)
        gather([(Input("ann", "fuzz", "text"), records)])
