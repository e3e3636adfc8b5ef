"""``--output FILE`` of every command that prints a document: the extension determines the format."""

import csv
import io
import json

import openpyxl
import pytest
from lxml import html

from tests.support.commands import arbitree

COMMANDS = {
    "agree": (["examples/dependency/ann.conllu", "examples/dependency/bob.conllu"], "measure"),
    "score": (["examples/score/gold.conllu", "examples/score/heron.conllu"], "system"),
    "coders": (["examples/coders/reviews.csv", "--resamples", "0"], "coder"),
    "prefer": (
        [
            *(f"examples/prefer/{name}.conllu" for name in ("gold", "birch", "cedar")),
            *("--judgments", "examples/prefer/judgments.csv", "--resamples", "20"),
        ],
        "metric",
    ),
}


@pytest.fixture(params=COMMANDS)
def written(request, tmp_path):
    """A function that writes the output of a command to a file with this extension."""
    arguments, _ = COMMANDS[request.param]

    def write(extension, *more):
        path = tmp_path / f"out.{extension}"
        done = arbitree(request.param, *arguments, *more, "-o", path)
        assert done.returncode == 0, done.stderr
        assert done.stdout == b""
        return path, done.stderr.decode()

    write.command, write.column = request.param, COMMANDS[request.param][1]
    return write


@pytest.mark.parametrize(("extension", "delimiter"), [("csv", ","), ("TSV", "\t")])
def test_tables_are_written_with_full_precision(written, extension, delimiter):
    path, said = written(extension)
    rows = list(csv.DictReader(io.StringIO(path.read_text()), delimiter=delimiter))
    assert next(iter(rows[0])) == written.column
    assert any(len(cell) > 12 and 0 < float(cell) < 1 for cell in rows[0].values() if cell[:2] == "0.")
    assert any(line.startswith("Wrote ") and str(path) in line for line in said.splitlines())


def test_a_workbook_has_a_sheet_for_each_table(written):
    book = openpyxl.load_workbook(written("xlsx")[0])
    assert all(sheet.max_row > 1 and sheet["A1"].font.bold for sheet in list(book)[:1])


def test_a_page_shows_the_headline_and_the_tables_of_the_terminal(written):
    text = written("txt")[0].read_text()
    page = html.document_fromstring(written("html")[0].read_text())
    shown = " ".join(each.text_content() for each in page.find_class("headline"))
    assert " ".join(text.split()).startswith(" ".join(shown.split()))
    tables = page.findall(".//table")
    assert tables
    first = tables[0].findtext(".//thead/tr/th")
    assert first in text
    assert page.find(".//details/summary").text.strip()


def test_the_extension_json_needs_no_option(written):
    assert json.loads(written("json")[0].read_text())["command"] == written.command


def test_other_extensions_are_text(written):
    assert written("out")[0].read_text() == written("txt")[0].read_text()


def test_an_option_for_json_comes_before_the_extension(written):
    assert json.loads(written("csv", "--json")[0].read_text())["command"] == written.command


def test_csv_says_why_a_value_is_undefined(tmp_path):
    (tmp_path / "labels.csv").write_text("item,ann,bob\n1,a,a\n2,a,a\n")
    arbitree("agree", tmp_path / "labels.csv", "-m", "kappa", "-o", tmp_path / "out.csv")
    (row,) = csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text()))
    assert (row["value"], row["status"]) == ("", "no_variation")
    assert row["signature"].startswith("kappa")
