"""Damaged workbooks: one error, whatever openpyxl raises."""

import io
import os
import random
import re
import zipfile

import openpyxl
import pytest

from arbitree.adjudication.workbook import read_decisions
from arbitree.errors import ArbitreeError, FormatError
from arbitree.kinds.treebanking.adjudicated import FRONT, read_rulings
from arbitree.reading.workbooks import FilledSheet, read_sheets

HEADER = ["item", "place", "what", "words", "in", "decision", "comment"]


@pytest.fixture(scope="module")
def workbook(tmp_path_factory):
    """A workbook with both of the sheets that are read back."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Adjudication"
    for row in [HEADER, ["s1", "3", "head", "a", "b", 2.0, None], ["s1", "4", "head", "a", "b", "x", "why"]]:
        sheet.append(row)
    front = book.create_sheet(FRONT)
    for row in [
        ["Annotators:", "ann", "bob"],
        ["With Countable Decisions:", 12],
        [],
        ["Suite number", "Sentence number", "Accepted only by:", "Comments:", "Decision:", "Item"],
        ["1", "2", "ann - 3", "", "ann", "s2"],
    ]:
        front.append(row)
    path = tmp_path_factory.mktemp("book") / "book.xlsx"
    book.save(path)
    return path.read_bytes()


@pytest.fixture
def reads(tmp_path):
    """Read both sheets of a workbook with these bytes; return how many times that was an error."""

    def read(data):
        path = tmp_path / "book.xlsx"
        path.write_bytes(data)
        errors = 0
        for reader in (read_decisions, read_rulings):
            try:
                reader(str(path))
            except ArbitreeError:
                errors += 1
        return errors

    return read


def test_whole_workbooks_are_read(workbook, reads, tmp_path):
    assert reads(workbook) == 0
    path = str(tmp_path / "book.xlsx")
    first, second = read_decisions(path).rows
    assert (first.value, first.cell, second.comment) == ("2", "Adjudication!F2", "why")
    (rulings,) = read_rulings(path)
    assert (rulings.coders, rulings.countable, rulings.rows[0].choice) == (("ann", "bob"), 12, "ann")


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 0.99])
def test_cut_workbooks_are_refused(workbook, reads, share):
    assert reads(workbook[: int(len(workbook) * share)]) == 2


def test_changed_bytes_are_refused_or_read(workbook, reads):
    rng = random.Random(1)
    for _ in range(60):
        data = bytearray(workbook)
        for _ in range(rng.randint(1, 20)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        reads(bytes(data))


def changed(workbook, change):
    """Return the workbook with the text of each of its parts changed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name).decode()))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r'(<c r=")[A-Z]+1"', r'\1ZZZZZZ1"'),
        (r'(<c r=")[A-Z]+2"', r'\1A99999999999999999999"'),
        (r'<row r="2"', '<row r="99999999999"'),
        (r'<row r="2"', '<row r="1e400"'),
        (r'<row r="2"', '<row r="nan"'),
        ('t="s"', 't="d"'),
        ('t="s"', 't="b"'),
        ("<v>[0-9]+</v>", "<v>999999</v>"),
        ("<v>[0-9]+</v>", "<v>1e999</v>"),
        ("<v>[0-9]+</v>", f"<v>{'9' * 5000}</v>"),
        ("<sheetData>.*</sheetData>", "<sheetData/>"),
        ("<cellXfs.*</cellXfs>", ""),
        ('name="Adjudication"', 'name="Front"'),
        (r"<sheets>.*</sheets>", ""),
        ("<si>", "<si><si>"),
        (r"<\?xml[^>]*>", ""),
        ("Annotators:", "Annotator"),
        ("<t>bob</t>", "<t></t>"),
        ("<t>Suite number</t>", "<t>Sweet number</t>"),
    ],
)
def test_changed_parts_are_refused_or_read(workbook, reads, pattern, replacement):
    data = changed(workbook, lambda name, text: re.sub(pattern, replacement, text, flags=re.DOTALL))
    assert data != workbook
    reads(data)


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"])
def test_missing_parts_are_named(workbook, reads, tmp_path, part):
    data = changed(workbook, lambda name, text: "" if name == part else text)
    assert reads(data) >= 1
    with pytest.raises(
        FormatError, match=r"book\.xlsx: cannot read this workbook \(\w+.*\)\. Save the workbook"
    ):
        read_decisions(str(tmp_path / "book.xlsx"))


@pytest.mark.parametrize("part", ["xl/workbook.xml", "[Content_Types].xml"])
def test_errors_do_not_quote_exceptions(workbook, tmp_path, part):
    path = tmp_path / "book.xlsx"
    with zipfile.ZipFile(io.BytesIO(workbook)) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            if name != part:
                new.writestr(name, old.read(name))
    with pytest.raises(FormatError) as error:
        read_decisions(str(path))
    assert f"cannot read this workbook (its part {part} is missing)" in str(error.value)
    path.write_bytes(changed(workbook, lambda _, text: text.replace("<v>", "<v><v>")))
    with pytest.raises(FormatError, match=r"cannot read this workbook \(its contents are damaged\)"):
        read_decisions(str(path))


def test_the_stated_size_of_a_sheet_does_not_count(workbook, reads):
    """A sheet can state more rows and columns than it has."""
    data = changed(workbook, lambda _, text: re.sub('ref="A1:[A-Z0-9]+"', 'ref="A1:XFD1048576"', text))
    assert reads(data) == 0


def test_cells_have_the_names_of_spreadsheet_programs():
    sheet = FilledSheet("Front", "a.xlsx", (("a",),))
    names = [sheet.name(0, column) for column in (0, 25, 26, 51, 52, 701, 702)]
    assert names == [f"Front!{letters}1" for letters in ("A", "Z", "AA", "AZ", "BA", "ZZ", "AAA")]
    assert (sheet.cell(0, 0), sheet.cell(0, 9)) == ("a", "")


def test_other_files_are_no_workbooks(tmp_path):
    path = tmp_path / "a.xlsx"
    path.write_text("item,decision\n", encoding="utf-8")
    with pytest.raises(
        FormatError, match=r"cannot read this workbook \(it is not a zip archive, or not a com"
    ):
        read_sheets(str(path), lambda title: True)
    for special in (str(tmp_path), os.devnull):
        with pytest.raises(FormatError, match="expected a workbook, got a directory, pipe or device"):
            read_sheets(special, lambda title: True)
