"""The adjudicator's sheet from report to workbook and back."""

import openpyxl
import pytest

from tests.support.commands import arbitree
from tests.support.report_workbooks import loaded


@pytest.fixture
def report(coders, tmp_path):
    def run(*arguments, folder="out"):
        return arbitree("report", "-q", *coders, "-o", tmp_path / folder, "--resamples", "0", *arguments)

    run()
    return run


def columns(sheet):
    return {cell.value: cell.column for cell in sheet[1]}


def decide(path, choices, comment="seen"):
    """Write decisions as a spreadsheet program would."""
    workbook = openpyxl.load_workbook(path)
    sheet = workbook["Adjudication"]
    own = columns(sheet)
    for row, choice in choices.items():
        sheet.cell(row, own["decision"]).value = choice
        sheet.cell(row, own["comment"]).value = comment
    workbook.save(path)


def test_the_sheet_has_a_row_for_every_contested_place(report, tmp_path):
    sheet = loaded(tmp_path / "out")[1]["Adjudication"]
    rows = list(sheet.iter_rows(min_row=2, max_col=8, values_only=True))
    assert rows == [
        ("a", "4", "head", "the", "The dog saw [the] old man .", "6 man", "6 man", "3 saw"),
        ("a", "5", "head", "old", "The dog saw the [old] man .", "6 man", "4 the", "6 man"),
        ("b", "1", "head", "Rain", "[Rain] fell .", "2 fell", "2 fell", "0 root"),
        ("b", "2", "head", "fell", "Rain [fell] .", "0 root", "0 root", "1 Rain"),
    ]


def test_the_list_of_a_decision_is_made_of_the_choices_of_its_row(report, tmp_path):
    sheet = loaded(tmp_path / "out")[1]["Adjudication"]
    own = columns(sheet)
    (rule,) = sheet.data_validations.dataValidation
    assert (str(rule.sqref), rule.type, rule.formula1) == ("I2:I5", "list", "OFFSET($M2,0,0,1,$L2)")
    assert sheet.cell(1, 9).value == "decision"
    assert own["choices"] == 12
    assert [sheet.cell(2, column).value for column in (12, 13, 14)] == [2, "6 man", "3 saw"]
    assert sheet.column_dimensions["L"].hidden


def test_decisions_are_read_back(report, tmp_path):
    """Of 20 places 16 are agreed; three of the four others are decided."""
    path = tmp_path / "out" / "report.xlsx"
    decide(path, {2: "6 man", 3: 4, 4: "eve"})
    done = report("--adjudicated", path, folder="after")
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines()[1] == (
        "The adjudicator decided 3 of 4 disagreements and followed ann 1 time, bob 2 times, eve 1 time."
    )
    document, workbook = loaded(tmp_path / "after")
    text = " ".join(document.get_element_by_id("adjudication").text_content().split())
    assert "3 of 4 disagreements are decided (75%): 3 of 4 heads, 0 of 0 labels." in text
    _, *rows = workbook["Adjudicated"].iter_rows(values_only=True)
    assert rows[:3] == [
        ("ann", 1, 3, pytest.approx(1 / 3), pytest.approx(17 / 19)),
        ("bob", 2, 3, pytest.approx(2 / 3), pytest.approx(18 / 19)),
        ("eve", 1, 3, pytest.approx(1 / 3), pytest.approx(17 / 19)),
    ]
    assert [row[:2] for row in rows[3:]] == [("(other value)", 0), ("(undecided)", 1)]


def test_decisions_stay_in_the_new_workbook(report, tmp_path):
    path = tmp_path / "out" / "report.xlsx"
    decide(path, {2: "6 man", 5: "=1+1"}, comment="@home")
    report("--adjudicated", path, folder="after")
    sheet = loaded(tmp_path / "after")[1]["Adjudication"]
    own = columns(sheet)
    assert sheet.cell(2, own["decision"]).value == "6 man"
    assert sheet.cell(2, own["comment"]).value == "@home"
    assert sheet.cell(5, own["decision"]).data_type != "f"


def test_the_workbook_with_the_decisions_is_not_written_over(report, tmp_path):
    path = tmp_path / "out" / "report.xlsx"
    decide(path, {2: "6 man"})
    before = path.read_bytes()
    assert report("--adjudicated", path).returncode == 0
    assert path.read_bytes() == before
    assert "Adjudicated" in openpyxl.load_workbook(tmp_path / "out" / "report-adjudicated.xlsx").sheetnames


def refusal(done):
    assert done.returncode == 2
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    return line


def test_other_files_than_those_of_the_workbook_are_refused(report, coders, tmp_path):
    path = tmp_path / "out" / "report.xlsx"
    decide(path, {5: "0 root"})
    done = arbitree("report", "-q", *coders[:2], "-o", tmp_path / "two", "--adjudicated", path)
    assert refusal(done) == (
        f"{path}: Adjudication!I5: annotators do not disagree on the head of 'b' at 2 in these files. "
        "Pass the files from which the workbook was made."
    )


def test_a_row_that_is_there_twice_is_refused(report, tmp_path):
    path = tmp_path / "out" / "report.xlsx"
    workbook = openpyxl.load_workbook(path)
    sheet = workbook["Adjudication"]
    sheet.append([cell.value for cell in sheet[2]])
    workbook.save(path)
    line = refusal(report("--adjudicated", path))
    assert (
        "Adjudication!I6 and Adjudication!I2 decide the same disagreement. Keep one row per disagreement."
        in line
    )


@pytest.mark.parametrize("kind", ["absent", "text", "sheet", "column"])
def test_a_workbook_that_cannot_be_read_is_one_line(report, tmp_path, kind):
    path = tmp_path / "other.xlsx"
    workbook = openpyxl.Workbook()
    if kind == "text":
        path.write_text("no workbook", encoding="utf-8")
    if kind == "column":
        workbook.active.title = "Adjudication"
        workbook.active.append(["item", "place", "what", "decision"])
    if kind in ("sheet", "column"):
        workbook.save(path)
    line = refusal(report("--adjudicated", path))
    expected = {
        "absent": "file not found",
        "text": "cannot read this workbook",
        "sheet": "this workbook has no sheet 'Adjudication'",
        "column": "sheet 'Adjudication' has no column 'comment'",
    }
    assert line.startswith(f"{path}: {expected[kind]}")


def test_labels_are_adjudicated_too(tmp_path):
    table = tmp_path / "labels.csv"
    table.write_text("item,decision,bob\n1,3,4\n2,+x,=y\n3,z,z\n", encoding="utf-8")
    arguments = ("report", "-q", table, "--resamples", "0", "-o")
    assert arbitree(*arguments, tmp_path / "one").returncode == 0
    path = tmp_path / "one" / "report.xlsx"
    sheet = openpyxl.load_workbook(path)["Adjudication"]
    assert [cell.value for cell in sheet[1]][5:8] == ["coder decision", "bob", "decision"]
    assert not [cell for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
    decide(path, {2: 4, 3: "+x"})
    assert arbitree(*arguments, tmp_path / "two", "--adjudicated", path).returncode == 0
    _, *rows = loaded(tmp_path / "two")[1]["Adjudicated"].iter_rows(values_only=True)
    assert [row[1] for row in rows] == [1, 1, 0, 0]


def test_a_label_read_as_a_number_is_the_label(report, tmp_path):
    path = tmp_path / "out" / "report.xlsx"
    decide(path, {3: 4.0})
    report("--adjudicated", path, folder="after")
    _, *rows = loaded(tmp_path / "after")[1]["Adjudicated"].iter_rows(values_only=True)
    assert [row[1] for row in rows[:3]] == [0, 1, 0]
