"""Tables of texts, joined to a study by the ids of its items."""

import json

import pytest

from arbitree import agree, read
from arbitree.errors import FormatError

LABELS = "item\tcoder\tlabel\nu1\tann\task\nu1\tbob\trank\nu2\tann\trank\nu2\tbob\trank\n"
TEXTS = "dataID\tlemma\tcontext\nu1\torder\tThey order tea.\nu2\torder\tAll in order now.\n"


@pytest.fixture
def labels(tmp_path):
    path = tmp_path / "labels.tsv"
    path.write_text(LABELS, encoding="utf-8")
    return path


def written(tmp_path, text, name="uses.tsv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_texts_are_joined_by_the_column_that_contains_the_items(labels, tmp_path):
    study = read(labels, texts=written(tmp_path, TEXTS))
    assert study.texts.main("u1") == "They order tea."
    assert study.texts.beside("u1") == {"lemma": "order"}
    assert study.notes == ()


@pytest.mark.parametrize("name", ["uses.json", "uses.jsonl", "uses.csv"])
def test_texts_are_read_from_other_tables(labels, tmp_path, name):
    rows = [{"id": "u1", "context": "They order tea."}, {"id": "u2", "context": "All in order now."}]
    texts = {
        "uses.json": json.dumps(rows),
        "uses.jsonl": "".join(json.dumps(row) + "\n" for row in rows),
        "uses.csv": "id,context\nu1,They order tea.\nu2,All in order now.\n",
    }
    study = read(labels, texts=written(tmp_path, texts[name], name))
    assert study.texts.columns == {"context": {"u1": "They order tea.", "u2": "All in order now."}}


def test_items_without_a_text_and_rows_without_an_item_are_counted(labels, tmp_path):
    table = "id\tcontext\nu2\tAll in order now.\nu7\tNo item.\nu8\tNo item either.\n"
    with pytest.warns(UserWarning, match="uses.tsv: ") as warned:
        read(labels, texts=written(tmp_path, table))
    said = [str(each.message) for each in warned]
    assert any("1 item has no text (first: 'u1')" in each for each in said)
    assert any("2 rows match no item (first: 'u7')" in each for each in said)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("id\tcontext\nx1\tOne thing.\n", "no column of this table contains items of the study"),
        ("id\tcontext\nu1\tOne thing.\nu1\tAnother.\n", ":3: 2 rows have the id 'u1'"),
        ("id\nu1\nu2\n", "the table contains no texts"),
        ("id,context\nu1,a\nu2,a,b\n", ":3: expected 2 cells, found 3"),
        ('[{"id": "u1"', "not valid JSON"),
        ("id\tgold\nu1\trank\n", "the table contains no texts"),
    ],
)
def test_tables_that_cannot_be_joined_are_refused(labels, tmp_path, table, message):
    with pytest.raises(FormatError, match=message.replace("(", "\\(")):
        read(labels, texts=written(tmp_path, table))


def test_texts_change_no_number_and_no_signature(labels, tmp_path):
    plain, with_texts = read(labels), read(labels, texts=written(tmp_path, TEXTS))
    one, two = (agree(study, resamples=0) for study in (plain, with_texts))
    assert one.to_dict() == two.to_dict()


def test_texts_can_be_joined_to_trees(tmp_path):
    trees = [f"examples/dependency/{name}.conllu" for name in ("ann", "bob")]
    study = read(*trees)
    table = "id\ttranslation\n" + f"{study.items[0].id}\tEn hund.\n"
    with pytest.warns(UserWarning, match="have no text"):
        joined = read(*trees, texts=written(tmp_path, table))
    assert joined.texts.main(study.items[0].id) == "En hund."
