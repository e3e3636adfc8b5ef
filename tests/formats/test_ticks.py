"""Sets of tags from tables of ticks."""

import pytest

import arbitree as at
from arbitree.errors import FormatError, Source
from arbitree.formats.label_tables.frames import table_study
from arbitree.formats.labels import Labels, Ticks
from arbitree.kinds.labels.value import Label, Tags
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content, Entry

COLUMN = "item\tsense\tcoder\tlabel\n1\train\tann\t1\n1\tsnow\tann\t0\n1\train\tbob\t1\n1\tsnow\tbob\t1\n"
KEYS = (
    "instanceID\tlabel\tcomment\tannotator\n"
    "1-rain%2:43:00::\t1\t-\tann\n1-rain%1:19:00::\t0\t-\tann\n1-rain%2:43:00::\t0\t-\tbob\n1-rain%1:19:00::\t1\t-\tbob\n"
)
HYPHENS = "item,coder,label\n7-rain,ann,yes\n7-snow,ann,no\n7-rain,bob,no\n7-snow,bob,no\n"


def cells(study):
    return {key: cell.value for key, cell in study.cells.items()}


def read(tmp_path, text, **options):
    path = tmp_path / "table.tsv"
    path.write_text(text, encoding="utf-8")
    return read_study([str(path)], **options)


def test_a_column_of_tags_is_detected(tmp_path):
    said = []
    study = read(tmp_path, COLUMN, say=said.append)
    assert said[:2] == [
        "Format detected: labels",
        "Read as ticks: item = item, tag = sense, annotator = coder, tick = label; "
        "1 item, 2 annotators, 2 labels",
    ]
    assert study.coders == ("ann", "bob")
    assert study.cells["1", "ann"].value == Tags.of(["rain"])
    assert study.cells["1", "bob"].value == Tags.of(["rain", "snow"])


def test_sense_keys_behind_the_items_are_detected(tmp_path):
    study = read(tmp_path, KEYS)
    assert [item.id for item in study.items] == ["1"]
    assert study.cells["1", "ann"].value == Tags.of(["rain%2:43:00::"])
    assert study.cells["1", "ann"].source.line == 2


def test_other_tags_behind_the_items_are_read_on_request(tmp_path):
    assert "7-rain" in {item.id for item in read(tmp_path, HYPHENS).items}
    study = read(tmp_path, HYPHENS, format="ticks")
    assert study.cells["7", "ann"].value == Tags.of(["rain"])
    assert len(study.cells["7", "bob"].value) == 0


def test_json_lines(tmp_path):
    rows = '{"item": 1, "tag": "rain", "coder": "ann", "label": true}\n'
    rows += '{"item": 1, "tag": "rain", "coder": "bob", "label": 0}\n'
    study = read(tmp_path, rows, format="ticks")
    assert [len(study.cells["1", coder].value) for coder in ("ann", "bob")] == [1, 0]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (COLUMN.replace("snow\tann\t0", "snow\tann\tmaybe"), 3, "'maybe' is not a tick"),
        (COLUMN.replace("snow\tann\t0", "rain\tann\t0"), 3, "2 rows for ann with item '1' and tag 'rain'"),
        (COLUMN.replace("snow\tann\t0", "\tann\t0"), 3, "the row has no item, no tag or no annotator"),
        (COLUMN.replace("snow\tann\t0", "snow\tann\t0\t0"), 3, "expected 4 cells, found 5"),
        (HYPHENS.replace("7-snow,ann", "7,ann"), 3, "the row has no item, no tag or no annotator"),
        ("a\tb\n1\t2\n", 1, "the header has no item column or no label column"),
    ],
)
def test_bad_rows_are_refused_with_their_line(tmp_path, text, line, what):
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text, format="ticks")
    assert (caught.value.source.line, caught.value.what) == (line, what)


def test_what_is_written_is_read_back(tmp_path):
    first = read(tmp_path, COLUMN)
    text = "".join(Ticks().write(Ticks().read(Content("t.tsv", COLUMN.encode()))))
    again = read(tmp_path, text)
    assert cells(again) == cells(first)


@pytest.mark.parametrize(
    "text",
    [
        "item\tcoder\tlabel\nd-1\tann\t1\nd-2\tann\t0\n",
        "item\tcoder\ttag\nd-1\tann\t1\nd-2\tann\t0\n",
        "item\ttag\tcoder\tlabel\n1\train\tann\t3\n2\train\tann\t0\n",
        "a,b\n1,0\n",
    ],
)
def test_tables_of_numbers_are_not_ticks(tmp_path, text):
    study = read(tmp_path, text)
    assert study.value_type is Label


def test_ticks_are_read_in_json_and_in_data_frames(tmp_path):
    pandas = pytest.importorskip("pandas")
    header, *rows = (row.split("\t") for row in COLUMN.splitlines())
    frame = pandas.DataFrame(rows, columns=header)
    first = cells(read(tmp_path, COLUMN))
    assert cells(read(tmp_path, frame.to_json(orient="records", lines=True))) == first
    assert cells(table_study(frame)) == first


def test_options_name_the_columns_of_ticks(tmp_path):
    text = "page\twho\tsense\tticked\tdocument\n1\tann\train\t1\tfire\n1\tann\tsnow\t0\tfire\n"
    options = {"item_column": "page", "coder_column": "who", "label_column": "ticked"}
    for format in ("ticks", None):
        study = read(tmp_path, text, format=format, **options)
        assert cells(study) == {("1", "ann"): Tags.of(["rain"])}
        assert study.items[0].document == "fire"


@pytest.mark.parametrize("suffix", [".tsv", ".csv", ".jsonl", ".ticks", ".triples"])
def test_sets_are_converted_between_all_layouts(tmp_path, suffix):
    """Sets with one tag or none stay sets, whatever the layout."""
    texts = [
        COLUMN,
        "item\ttag\tcoder\tlabel\n1\train\tann\t1\n1\tsnow\tann\t0\n2\train\tann\t0\n2\train\tbob\t0\n",
        "item\ttag\tcoder\tlabel\n1\train\tann\t1\n2\tsnow\tann\t1\n2\tsnow\tbob\t1\n",
    ]
    for text in texts:
        first = read(tmp_path, text)
        format = suffix[1:] if suffix in (".ticks", ".triples") else None
        at.convert(tmp_path / "table.tsv", tmp_path / f"other{suffix}", force=True)
        again = read_study([str(tmp_path / f"other{suffix}")], format=format)
        assert cells(again) == cells(first)
        assert again.value_type is Tags


def test_ticks_without_any_tag_are_not_written():
    entry = Entry(Tags.of([]), Source("t.tsv", 2), "1", None, "ann")
    with pytest.raises(FormatError, match=r"no item has a tag\. Choose the format labels"):
        "".join(Ticks().write([entry]))
    assert "".join(Labels().write([entry])) == "item\tcoder\tlabel\n1\tann\t|\n"
