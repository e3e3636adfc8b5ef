"""``--output FILE`` of every command that prints a document: the extension determines the format."""

import csv
import io
import json

import openpyxl
import pytest
from lxml import html

import arbitree as at
from tests.support.commands import arbitree, arbitree_process

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
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), delimiter=delimiter))
    assert next(iter(rows[0])) == written.column
    assert any(len(cell) > 12 and 0 < float(cell) < 1 for cell in rows[0].values() if cell[:2] == "0.")
    assert any(line.startswith("Wrote ") and str(path) in line for line in said.splitlines())


def test_a_workbook_has_a_sheet_for_each_table(written):
    book = openpyxl.load_workbook(written("xlsx")[0])
    assert all(sheet.max_row > 1 and sheet["A1"].font.bold for sheet in list(book)[:1])


def test_a_page_shows_the_headline_and_the_tables_of_the_terminal(written):
    text = written("txt")[0].read_text(encoding="utf-8")
    page = html.document_fromstring(written("html")[0].read_text(encoding="utf-8"))
    shown = " ".join(each.text_content() for each in page.find_class("headline"))
    assert " ".join(text.split()).startswith(" ".join(shown.split()))
    tables = page.findall(".//table")
    assert tables
    first = tables[0].findtext(".//thead/tr/th")
    assert first in text
    assert page.find(".//details/summary").text.strip()


def test_the_extension_json_needs_no_option(written):
    assert json.loads(written("json")[0].read_text(encoding="utf-8"))["command"] == written.command


def test_other_extensions_are_text(written):
    assert written("out")[0].read_text(encoding="utf-8") == written("txt")[0].read_text(encoding="utf-8")


@pytest.mark.parametrize("extension", ["txt", "json"])
def test_a_file_is_confirmed_unless_quiet(written, extension):
    path, said = written(extension)
    assert f"Wrote {path}" in said.splitlines()
    assert "Wrote" not in written(extension, "--quiet")[1]


def test_an_option_for_json_comes_before_the_extension(written):
    assert json.loads(written("csv", "--json")[0].read_text(encoding="utf-8"))["command"] == written.command


PAIR = ["examples/dependency/ann.conllu", "examples/dependency/bob.conllu"]


@pytest.mark.parametrize(
    ("arguments", "name", "message"),
    [
        (["agree", *PAIR], "x.png", "write .png files. Use .csv, .html, .json, .tex, .tsv, .txt or .xlsx."),
        (["score", *PAIR], "x.XLS", "this command does not write .xls files"),
        (["agree", *PAIR, "--figures"], "x.svg", "several files to a directory. Use the name of a directory"),
        (["agree", *PAIR, "--per-item"], "x.pdf", "write .pdf files. Use .csv, .json, .tsv, .txt or .xlsx."),
        (["score", *PAIR, "--per-item"], "x.html", "this command does not write .html files"),
        (["draw", *PAIR], "x.xlsx", "Use .html, .svg or .txt."),
        (["draw", *PAIR, "--svg"], "x.png", "this command does not write .png files. Use .svg."),
        (["draw", *PAIR, "--html"], "x.svg", "this command does not write .svg files. Use .html."),
        (["distance", *PAIR], "x.html", "this command does not write .html files. Use .json or .txt."),
        (["explain", *PAIR], "x.png", "cannot infer the format"),
        (["report", *PAIR], "x.html", "this command writes several files to a directory"),
        (["simulate", PAIR[0]], "x.png", "Use the name of a directory, such as x."),
    ],
)
def test_extensions_that_a_command_does_not_write_are_refused_first(tmp_path, arguments, name, message):
    option = [] if arguments[-1] in ("--figures", "--svg", "--html", "--per-item") else ["-o"]
    done = arbitree(*arguments, *option, tmp_path / name)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert b"Format detected" not in done.stderr
    assert not (tmp_path / name).exists()


def test_draw_and_distance_write_what_the_extension_says(tmp_path):
    for name in ("x.html", "x.SVG", "x.txt"):
        assert arbitree("draw", *PAIR, "-o", tmp_path / name).returncode == 0
    assert (tmp_path / "x.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (tmp_path / "x.SVG").read_text(encoding="utf-8").startswith("<svg")
    assert "╭" in (tmp_path / "x.txt").read_text(encoding="utf-8")
    arbitree("distance", *PAIR, "-o", tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["distance"]["plain"] == 0


def test_csv_says_why_a_value_is_undefined(tmp_path):
    (tmp_path / "labels.csv").write_text("item,ann,bob\n1,a,a\n2,a,a\n", encoding="utf-8")
    arbitree("agree", tmp_path / "labels.csv", "-m", "kappa", "-o", tmp_path / "out.csv")
    (row,) = csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text(encoding="utf-8")))
    assert (row["value"], row["status"]) == ("", "no_variation")
    assert row["signature"].startswith("kappa")


ITEMS = {"csv": ",", "tsv": "\t", "list": "\t"}  # by extension: the delimiter


@pytest.mark.parametrize("extension", ITEMS)
def test_agree_writes_a_row_per_item(tmp_path, extension):
    path = tmp_path / f"items.{extension}"
    pair = [f"examples/dependency/{name}.conllu" for name in ("ann", "cho")]
    done = arbitree("agree", *pair, "-m", "las", "-m", "alpha_plain", "--per-item", path)
    assert done.stdout.startswith(b"Agreement of 2 annotators")
    assert f"Wrote {path}" in done.stderr.decode()
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), delimiter=ITEMS[extension]))
    assert len(rows) == 16
    assert rows[0]["item"] == "weather-1"
    assert rows[0]["document"] == "weather"
    assert rows[0]["text"] == "The rain stopped before noon ."
    assert float(rows[0]["las"]) == 1
    assert float(rows[0]["alpha_plain disagreement"]) == 0
    missing = [row for row in rows if row["annotations"] == "1"]
    assert {row["las"] for row in missing} == {""}


def test_values_of_items_as_json_and_as_a_workbook(tmp_path):
    for extension in ("json", "xlsx"):
        path = tmp_path / f"items.{extension}"
        arbitree("agree", "examples/labels/stance.tsv", "-m", "agreement", "--per-item", path)
    rows = json.loads((tmp_path / "items.json").read_text(encoding="utf-8"))["items"]
    assert rows[0].keys() == {"item", "document", "annotations", "agreement", "source", "text"}
    sheet = openpyxl.load_workbook(tmp_path / "items.xlsx")["Items"]
    assert [row[3].value for row in list(sheet)[1:]] == pytest.approx([row["agreement"] for row in rows])


def test_values_of_items_in_python():
    table = at.agree(at.read("examples/labels/stance.tsv"), ["agreement", "kappa"], resamples=0)
    found = table.per_item.to_pandas()
    assert list(found.columns) == ["item", "document", "annotations", "agreement", "kappa", "source", "text"]
    assert found["agreement"].mean() == pytest.approx(table["agreement"].value)


def test_a_path_that_cannot_be_written_is_named(tmp_path):
    done = arbitree("agree", "examples/labels/stance.tsv", "--per-item", tmp_path / "no" / "items.csv")
    assert done.returncode == 2
    assert f"items.csv: the directory '{tmp_path}/no' does not exist. Create it, or" in done.stderr.decode()
    assert b"Read as" not in done.stderr  # it is checked before the inputs are read


def test_characters_that_the_terminal_lacks_are_replaced():
    done = arbitree_process("list", "measures", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Krippendorff's ? with tree edit distance" in done.stdout


def test_json_has_all_characters_whatever_the_terminal_has():
    done = arbitree_process("list", "measures", "--json", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Krippendorff's α with tree edit distance" in done.stdout.decode("utf-8")
