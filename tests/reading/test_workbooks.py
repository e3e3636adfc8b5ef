"""Tables in workbooks are read like the same tables as text."""

from datetime import datetime
from pathlib import Path

import openpyxl
import pytest

import arbitree as at
from arbitree.errors import ArbitreeError, FormatError
from tests.support.commands import arbitree

JUDGED = Path("examples/prefer/judgments.csv")
LONG = [
    ["item", "coder", "label"],
    ["i1", "ann", "yes"],
    ["i1", "bob", "no"],
    ["i2", "ann", 2],
    ["i2", "bob", 2],
]
WIDE = [
    ["item", "ann", "bob", "text"],
    ["i1", "yes", "no", "It rains\nagain"],
    ["i2", "no", "no", 'a "cold"\tday'],
]


def save(path, *sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize("rows", [LONG, WIDE])
def test_the_study_of_a_workbook_is_that_of_the_same_table_as_text(tmp_path, rows):
    text = tmp_path / "table.tsv"
    lines = ("\t".join(str(cell).replace("\n", " ").replace("\t", " ") for cell in row) for row in rows)
    text.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    found, usual = at.read(save(tmp_path / "table.xlsx", rows)), at.read(text)
    labels = [{cell: each.value for cell, each in study.cells.items()} for study in (found, usual)]
    assert labels[0] == labels[1]
    assert found.coders == ("ann", "bob")
    assert found.texts.columns.keys() == usual.texts.columns.keys()


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (True, "TRUE"),
        (datetime(2024, 1, 2), "2024-01-02"),
        (datetime(2024, 1, 2, 3, 4), "2024-01-02 03:04:00"),
    ],
)
def test_cells_that_a_spreadsheet_converts_equal_their_text(tmp_path, cell, text):
    study = at.read(save(tmp_path / "table.xlsx", [["item", "ann", "bob"], ["i1", cell, text]]))
    assert {str(each.value) for each in study.cells.values()} == {text}


def test_errors_name_the_row(tmp_path):
    path = save(tmp_path / "twice.xlsx", [*LONG, ["i1", "ann", "no"]])
    with pytest.raises(ArbitreeError, match=r"twice\.xlsx:6: "):
        at.read(path)


def test_other_sheets_are_reported(tmp_path):
    done = arbitree("agree", save(tmp_path / "two.xlsx", LONG, WIDE), "-m", "agreement", "--resamples", "0")
    assert b"two.xlsx: only the first of 2 sheets is read, 'Sheet 1'" in done.stderr


def votes(tmp_path):
    """Save a workbook with a sheet for each annotator, and return its path."""
    own = [[["item", "label"], ["i1", "yes"], ["i2", label], ["i3", "no"]] for label in ("yes", "no")]
    return save(tmp_path / "votes.xlsx", *own)


def test_sheets_are_chosen_by_name_and_name_annotators(tmp_path):
    path = votes(tmp_path)
    study = at.read(f"{path}#Sheet 1", f"{path}#sheet 2")
    assert study.coders == ("Sheet 1", "sheet 2")
    found = {
        coder: [str(study.cells[item.id, coder].value) for item in study.items] for coder in study.coders
    }
    assert found == {"Sheet 1": ["yes", "yes", "no"], "sheet 2": ["yes", "no", "no"]}
    assert not study.notes
    named = at.read(f"ann={path}#Sheet 1", f"bob={path}#Sheet 2")
    assert named.coders == ("ann", "bob")
    assert str(named.cells["i2", "bob"].source) == f"{path}#Sheet 2:3"


def test_the_warning_about_other_sheets_shows_how_to_choose_one(tmp_path):
    path = save(tmp_path / "two.xlsx", LONG, LONG)
    study = at.read(f"{path}#Sheet 2")
    assert not study.notes
    with pytest.warns(UserWarning, match=rf"to read another one, pass '{path}#Sheet 2'"):
        at.read(path)


def test_the_error_about_a_first_sheet_without_a_table_names_another_sheet(tmp_path):
    path = save(tmp_path / "report.xlsx", [["Report of the first round"]], LONG)
    with pytest.raises(FormatError, match=r"The sheet needs a table with a header") as error:
        at.read(path)
    assert (
        f"only the first of 2 sheets is read, 'Sheet 1'; to read another one, pass '{path}#Sheet 2'"
        in str(error.value)
    )


def test_an_unknown_sheet_is_an_error_that_lists_the_sheets(tmp_path):
    path = votes(tmp_path)
    with pytest.raises(FormatError) as error:
        at.read(f"{path}#Sheet 3")
    assert str(error.value) == f"{path}: this workbook has no sheet 'Sheet 3'. Use one of: Sheet 1, Sheet 2."
    with pytest.raises(FormatError, match=r"none\.xlsx: file not found"):
        at.read(f"{tmp_path}/none.xlsx#Sheet 1")


def test_files_whose_names_contain_the_sign_of_a_sheet_are_opened(tmp_path):
    votes(tmp_path)
    save(tmp_path / "no#1.xlsx", LONG)
    text = tmp_path / "votes.xlsx#Sheet 1"
    text.write_text("item\tcoder\tlabel\ni1\tx\ta\ni1\ty\tb\n", encoding="utf-8")
    assert at.read(tmp_path / "no#1.xlsx").coders == ("ann", "bob")
    assert at.read(text).coders == ("x", "y")
    (tmp_path / "votes.xlsx").rename(tmp_path / "votes.xlsx#1.xlsx")
    assert len(at.read(f"{tmp_path}/votes.xlsx#1.xlsx#Sheet 2").items) == 3


def test_a_sheet_called_like_a_file_is_a_sheet(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "ann.json"
    for row in LONG:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    assert at.read(f"{tmp_path}/a.xlsx#ann.json").coders == ("ann", "bob")


def test_a_workbook_is_not_replaced_while_a_sheet_of_it_is_read(tmp_path):
    path = votes(tmp_path)
    done = arbitree("agree", f"{path}#Sheet 1", f"{path}#Sheet 2", "-o", path)
    assert done.returncode == 2
    assert b"cannot write to an input" in done.stderr


def test_empty_and_broken_workbooks_are_refused(tmp_path):
    with pytest.raises(FormatError, match="the file is empty"):
        at.read(save(tmp_path / "empty.xlsx", []))
    (tmp_path / "text.xlsx").write_text("item,ann,bob\n1,a,b\n", encoding="utf-8")
    with pytest.raises(FormatError, match="cannot read this workbook"):
        at.read(tmp_path / "text.xlsx")


def test_workbooks_in_directories_are_skipped(tmp_path):
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.conllu").write_bytes(Path(f"examples/dependency/{name}.conllu").read_bytes())
    (tmp_path / "ann" / "notes.xlsx").write_text("not a workbook", encoding="utf-8")
    done = arbitree("agree", "--dirs", tmp_path / "ann", tmp_path / "bob", "-m", "las", "--resamples", "0")
    assert done.returncode == 0, done.stderr
    assert b"notes.xlsx: cannot detect the file format" in done.stderr


def test_texts_can_come_from_a_workbook(tmp_path):
    save(tmp_path / "labels.xlsx", LONG)
    save(tmp_path / "texts.xlsx", [["id", "sentence"], ["i1", "It rains."], ["i2", "It is cold."]])
    study = at.read(tmp_path / "labels.xlsx", texts=tmp_path / "texts.xlsx")
    assert study.texts.columns["sentence"] == {"i1": "It rains.", "i2": "It is cold."}


def test_judgments_can_come_from_a_workbook(tmp_path):
    rows = [line.split(",") for line in JUDGED.read_text(encoding="utf-8").splitlines()]
    trees = [f"examples/prefer/{name}.conllu" for name in ("gold", "birch", "cedar")]
    options = ["--resamples", "0", "-m", "las", "-m", "uas"]
    book = save(tmp_path / "judged.xlsx", rows)
    found = arbitree("prefer", *trees, "--judgments", book, *options)
    assert found.returncode == 0, found.stderr
    assert found.stdout == arbitree("prefer", *trees, "--judgments", JUDGED, *options).stdout
