"""Tables in workbooks are read like the same tables as text."""

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
    text.write_text("".join(f"{line}\n" for line in lines))
    found, usual = at.read(save(tmp_path / "table.xlsx", rows)), at.read(text)
    labels = [{cell: each.value for cell, each in study.cells.items()} for study in (found, usual)]
    assert labels[0] == labels[1]
    assert found.coders == ("ann", "bob")
    assert found.texts.columns.keys() == usual.texts.columns.keys()


def test_errors_name_the_row(tmp_path):
    path = save(tmp_path / "twice.xlsx", [*LONG, ["i1", "ann", "no"]])
    with pytest.raises(ArbitreeError, match=r"twice\.xlsx:6: "):
        at.read(path)


def test_other_sheets_are_reported(tmp_path):
    done = arbitree("agree", save(tmp_path / "two.xlsx", LONG, WIDE), "-m", "agreement", "--resamples", "0")
    assert b"two.xlsx: only the first of 2 sheets is read, 'Sheet 1'" in done.stderr


def test_empty_and_broken_workbooks_are_refused(tmp_path):
    with pytest.raises(FormatError, match="the file is empty"):
        at.read(save(tmp_path / "empty.xlsx", []))
    (tmp_path / "text.xlsx").write_text("item,ann,bob\n1,a,b\n")
    with pytest.raises(FormatError, match="cannot read this workbook"):
        at.read(tmp_path / "text.xlsx")


def test_workbooks_in_directories_are_skipped(tmp_path):
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.conllu").write_bytes(Path(f"examples/dependency/{name}.conllu").read_bytes())
    (tmp_path / "ann" / "notes.xlsx").write_text("not a workbook")
    done = arbitree("agree", "--dirs", tmp_path / "ann", tmp_path / "bob", "-m", "las", "--resamples", "0")
    assert done.returncode == 0, done.stderr
    assert b"notes.xlsx: cannot detect the file format" in done.stderr


def test_texts_can_come_from_a_workbook(tmp_path):
    save(tmp_path / "labels.xlsx", LONG)
    save(tmp_path / "texts.xlsx", [["id", "sentence"], ["i1", "It rains."], ["i2", "It is cold."]])
    study = at.read(tmp_path / "labels.xlsx", texts=tmp_path / "texts.xlsx")
    assert study.texts.columns["sentence"] == {"i1": "It rains.", "i2": "It is cold."}


def test_judgments_can_come_from_a_workbook(tmp_path):
    rows = [line.split(",") for line in JUDGED.read_text().splitlines()]
    trees = [f"examples/prefer/{name}.conllu" for name in ("gold", "birch", "cedar")]
    options = ["--resamples", "0", "-m", "las", "-m", "uas"]
    book = save(tmp_path / "judged.xlsx", rows)
    found = arbitree("prefer", *trees, "--judgments", book, *options)
    assert found.returncode == 0, found.stderr
    assert found.stdout == arbitree("prefer", *trees, "--judgments", JUDGED, *options).stdout
