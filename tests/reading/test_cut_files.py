"""Files whose end is missing: a last line without a line end, rows without their last cells, open quotes."""

from contextlib import suppress
from pathlib import Path

import pytest

from arbitree.errors import ArbitreeError, FormatError
from arbitree.reading.assembly import read_study
from tests.support.commands import arbitree

TABLE = Path("examples/labels/stance.tsv").read_text(encoding="utf-8")
OPEN = "the last line has no line end: the file may be incomplete"
ROWS = "1\tRain\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tfell\t_\tVERB\t_\t_\t0\troot\t_\t_\n"


def notes(tmp_path, text, name="ann.tsv", **options):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return list(read_study([str(tmp_path / name)], **options).notes)


@pytest.mark.parametrize("cut", range(40, len(TABLE), 23))
def test_a_table_cut_inside_a_line_is_refused_or_named(tmp_path, cut):
    """Of 1,959 cuts, those inside the label of a row were read without a word."""
    text = TABLE[:cut]
    if text.endswith("\n"):
        return
    place = f"{tmp_path}/ann.tsv:{text.count(chr(10)) + 1}"
    with suppress(ArbitreeError):
        assert f"{place}: {OPEN}" in notes(tmp_path, text)
    with pytest.raises(ArbitreeError) as error:
        notes(tmp_path, text, strict=True)
    assert str(error.value).startswith(place)


def test_a_complete_table_has_no_such_note(tmp_path):
    assert notes(tmp_path, TABLE) == notes(tmp_path, TABLE.replace("\n", "\r\n")) == []
    assert notes(tmp_path, TABLE.replace("\n", "\r")) == []


def test_the_note_is_printed_and_part_of_the_json(tmp_path):
    path = tmp_path / "cut.tsv"
    path.write_text(TABLE.rstrip("\n"), encoding="utf-8")
    run = arbitree("agree", path, "--resamples", "0", "--json")
    assert run.returncode == 0
    assert OPEN in run.stderr.decode()
    assert OPEN in run.stdout.decode()  # among the warnings
    assert OPEN not in arbitree("agree", "-q", path, "--resamples", "0").stderr.decode()
    run = arbitree("agree", path, "--strict")
    assert (run.returncode, run.stdout) == (2, b"")
    last = run.stderr.decode().splitlines()[-1].removeprefix("error: ")
    assert last == f"{path}:89: {OPEN}. Fix the file, or omit --strict."


@pytest.mark.parametrize("name", ["conllu", "conllx"])
def test_a_dependency_file_ends_with_an_empty_line(tmp_path, name):
    for ending, what in {
        "\n\n": [],
        "\n \r\n": [],
        "\n": ["the last sentence is not followed by an empty line: the file may be incomplete"],
        "": [OPEN],
    }.items():
        text = ROWS + "\n" + ROWS.rstrip("\n") + ending
        expected = [f"{tmp_path}/ann:5: {each}" for each in what]
        assert notes(tmp_path, text, "ann", format=name) == expected
        if what:
            with pytest.raises(FormatError, match="may be incomplete"):
                notes(tmp_path, text, "ann", format=name, strict=True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ann.jsonl", '{"item": 1, "coder": "ann", "label": "x"}'),
        ("ann.json", '[{"item": 1, "coder": "ann", "label": "x"}]'),
        ("ann.mrg", "(S (NN rain))"),
        ("ann.export", "#FORMAT 4\n#BOS 1\nRain\t--\tNN\t--\t--\t0\n#EOS 1"),
        ("ann.eds", "{e2: e2:_rain_v_1<3:9>[]}"),
    ],
)
def test_formats_in_which_nothing_can_be_missing_have_no_note(tmp_path, name, text):
    assert notes(tmp_path, text, name) == []


def test_a_row_with_fewer_cells_is_named_and_refused_with_strict(tmp_path):
    text = "item,ann,bob,cho\n1,x,y,x\n2,x\n3,x,x\n4,y,y,y\n"
    (note,) = notes(tmp_path, text, "t.csv")
    place = f"{tmp_path}/t.csv:3"
    assert (
        note == f"{place}: expected 4 cells, found 2; the missing cells count as empty (1 more row too short)"
    )
    study = read_study([str(tmp_path / "t.csv")])
    assert set(study.cells) >= {("2", "ann"), ("3", "bob")}
    assert not {("2", "bob"), ("2", "cho"), ("3", "cho")} & set(study.cells)
    with pytest.raises(FormatError) as error:
        notes(tmp_path, text, "t.csv", strict=True)
    assert str(error.value).startswith(f"{place}: expected 4 cells, found 2")


def test_a_long_row_without_its_label_is_named_without_its_annotator_refused(tmp_path):
    text = "item\tcoder\tlabel\n1\tann\tx\n1\tbob\n"
    assert notes(tmp_path, text)[0].endswith("expected 3 cells, found 2; the missing cells count as empty")
    with pytest.raises(FormatError, match=r"ann\.tsv:3: the row has no annotator"):
        notes(tmp_path, text.replace("1\tbob", "1"))


def test_columns_that_are_empty_in_every_row_may_be_missing(tmp_path):
    """Spreadsheets write empty columns in some rows."""
    assert notes(tmp_path, "item,ann,bob,,\n1,x,y\n2,x,x,\n", "t.csv") == []


def test_a_quotation_mark_in_a_csv_file_of_one_column_must_be_closed(tmp_path):
    with pytest.raises(FormatError, match=r"t\.csv:1: a quotation mark that opens in this row is not closed"):
        notes(tmp_path, '"yes\nno\nyes\n', name="t.csv")
    (tmp_path / "t.tsv").write_text('"\nno\nyes\n', encoding="utf-8")  # in other tables, it can be a label
    assert str(read_study([str(tmp_path / "t.tsv")]).cells["1", "coder1"].value) == '"'


def test_a_quotation_mark_that_is_not_closed_is_an_error_with_its_line(tmp_path):
    text = 'item,coder,label\n1,ann,"good"\n1,bob,"goo\n2,ann,bad\n2,bob,bad\n'
    for cut in (len(text), text.index("\n2,ann")):
        with pytest.raises(FormatError, match=r"t\.csv:3: a quotation mark that opens in this row"):
            notes(tmp_path, text[:cut], "t.csv")


def test_a_table_of_judgments_has_the_note(tmp_path):
    from arbitree.kinds.preference.judgments import read_judgments

    path = tmp_path / "j.csv"
    path.write_text("item,judge,choice\n1,ann,red\n2,ann,blu", encoding="utf-8")
    assert read_judgments(str(path)).notes == (f"{path}:3: {OPEN}",)
    path.write_text("item,judge,choice\n1,ann,red\n2,ann,blue\n", encoding="utf-8")
    assert read_judgments(str(path)).notes == ()
