"""Sets of tags from tables of ticks."""

import pytest

from arbitree.errors import FormatError
from arbitree.formats.ticks import Ticks
from arbitree.kinds.labels.value import Tags
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content

COLUMN = "item\tsense\tcoder\tlabel\n1\train\tann\t1\n1\tsnow\tann\t0\n1\train\tbob\t1\n1\tsnow\tbob\t1\n"
KEYS = (
    "instanceID\tlabel\tcomment\tannotator\n"
    "1-rain%2:43:00::\t1\t-\tann\n1-rain%1:19:00::\t0\t-\tann\n1-rain%2:43:00::\t0\t-\tbob\n1-rain%1:19:00::\t1\t-\tbob\n"
)
HYPHENS = "item,coder,label\n7-rain,ann,yes\n7-snow,ann,no\n7-rain,bob,no\n7-snow,bob,no\n"


def read(tmp_path, text, **options):
    path = tmp_path / "table.tsv"
    path.write_text(text)
    return read_study([str(path)], **options)


def test_a_column_of_tags_is_detected(tmp_path):
    said = []
    study = read(tmp_path, COLUMN, say=said.append)
    assert "Format detected: ticks" in said
    assert study.coders == ("ann", "bob")
    assert study.cells["1", "ann"].value == Tags.of(["rain"])
    assert study.cells["1", "bob"].value == Tags.of(["rain", "snow"])


def test_sense_keys_behind_the_items_are_detected(tmp_path):
    study = read(tmp_path, KEYS)
    assert [item.id for item in study.items] == ["1"]
    assert study.cells["1", "ann"].value == Tags.of(["rain%2:43:00::"])
    assert study.cells["1", "ann"].source.line == 2


def test_other_tags_behind_the_items_are_read_on_request(tmp_path):
    assert Ticks().sniff(Content("t.csv", HYPHENS.encode())) == 0
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
        (COLUMN.replace("snow\tann\t0", "snow\tann"), 3, "expected 4 cells, found 3"),
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
    assert {key: cell.value for key, cell in again.cells.items()} == {
        key: cell.value for key, cell in first.cells.items()
    }


@pytest.mark.parametrize(
    "text", ["item\tcoder\tlabel\nd-1\tann\t1\nd-2\tann\t0\n", "plain text\n", "", "a,b\n1,0\n"]
)
def test_tables_of_numbers_are_not_ticks(text):
    assert Ticks().sniff(Content("t.tsv", text.encode())) == 0
