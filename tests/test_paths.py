"""Pages and workbooks are sent to others: they contain no absolute paths of the inputs."""

import base64
import re
import zlib

import openpyxl
import pytest

import arbitree as at
from arbitree.paths import InputNames
from tests.support.commands import arbitree
from tests.support.conllu_rows import sentence
from tests.support.simulated_profiles import Plan, simulate, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A directory with one directory per annotator, and sentences that differ, are uneven or have a cycle."""
    folder = tmp_path_factory.mktemp("study")
    for name, heads in (("ann", [0, 1, 1, 3]), ("bob", [0, 1, 2, 3]), ("cho", [0, 1, 1, 1])):
        (folder / name).mkdir()
        uneven = sentence("one more word here" if name == "bob" else "one more word", name="uneven")
        cyclic = sentence("a b c", [2, 1, 0], name="cyclic")
        text = sentence("they saw the harbour", heads, name="differs") + uneven + cyclic
        (folder / name / "day.conllu").write_text(text, encoding="utf-8")
    return folder


def files_of(folder):
    return [folder / name / "day.conllu" for name in ("ann", "bob", "cho")]


def cells_of(path):
    book = openpyxl.load_workbook(path)
    return [cell for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row]


def unpacked(page):
    """Return the data that a page contains in compressed form."""
    packed = re.findall(r'<script type="text/plain"[^>]*>([^<]+)</script>', page)
    return [zlib.decompress(base64.b64decode(each)).decode() for each in packed]


def texts_of(folder):
    """Return the texts of all pages and workbooks in a directory."""
    pages = [each.read_text(encoding="utf-8") for each in sorted(folder.glob("*.html"))]
    data = [text for page in pages for text in unpacked(page)]
    return [*pages, *data, *(str(cell) for each in sorted(folder.glob("*.xlsx")) for cell in cells_of(each))]


COMMANDS = [
    ["report", "-o", ".", "--resamples", "0"],
    ["explain", "-o", "."],
    ["agree", "-o", "a.xlsx", "--resamples", "0"],
    ["agree", "-o", "a.html", "--resamples", "0"],
    ["score", "-o", "a.html", "--resamples", "0"],
    ["coders", "-o", "a.xlsx", "--resamples", "0"],
    ["draw", "--html", "a.html"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_page_or_workbook_has_absolute_paths(command, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert arbitree(*command, *files_of(folder)).returncode == 0
    texts = texts_of(tmp_path)
    assert texts
    assert [text for text in texts if str(folder) in text] == []


@pytest.mark.parametrize("command", COMMANDS[:3], ids=" ".join)
def test_inputs_are_named_relative_to_their_directory_or_as_given(command, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arbitree(*command, *files_of(folder))
    assert any("ann/day.conllu:" in text for text in texts_of(tmp_path))
    arbitree(*command, *files_of(folder), "--full-paths")
    assert any(f"{folder}/ann/day.conllu:" in text for text in texts_of(tmp_path))


def test_python_names_inputs_in_the_same_way(folder, tmp_path):
    with pytest.warns(UserWarning):  # noqa: PT030
        study = at.read(*files_of(folder))
    at.report(study, tmp_path, resamples=0)
    assert not any(str(folder) in text for text in texts_of(tmp_path))
    at.report(study, tmp_path, resamples=0, full_paths=True)
    assert any(str(folder) in text for text in texts_of(tmp_path))


def test_the_report_on_profiles_has_no_absolute_paths(tmp_path):
    write(simulate(Plan(suites=1, sentences=20, lost=0.2, skipped=0.2)), tmp_path / "root")
    arbitree("tsdb", "--root", tmp_path / "root", "-o", tmp_path / "a.html", "-o", tmp_path / "a.xlsx")
    assert texts_of(tmp_path)
    assert not any(str(tmp_path) in text for text in texts_of(tmp_path))


def names_of(*study, others=()):
    names = InputNames()
    names.add_study(study)
    for path in others:
        names.add(path)
    return names


def test_relative_names_stay():
    text = "round/ann.conllu:3 and and/or"
    assert names_of("round/ann.conllu", "round/bob.conllu").portable(text) == text


def test_names_above_the_current_directory_are_relative_to_the_inputs():
    names = names_of("../x/ann.conllu", "../x/bob.conllu")
    assert names.portable("../x/ann.conllu:3 .. ../y") == "ann.conllu:3 .. ../y"


def test_directories_of_inputs_are_relative_too():
    names = names_of("/data/study/ann/1.mrg", "/data/study/bob/1.mrg")
    assert names.portable("/data/study/bob has 3 files, /data/study none") == "bob has 3 files, study none"
    assert names.portable("/data/study-2/bob, /data/studying") == "/data/study-2/bob, /data/studying"
    assert names.portable("/data/study/ann/extra.txt was skipped") == "ann/extra.txt was skipped"


def test_files_of_a_profile_are_named_with_it():
    others = ["/data/study/ann/result.gz", "/data/costs.tsv"]
    names = names_of("/data/study/ann", "/data/study/bob", others=others)
    assert names.portable("/data/study/ann/result.gz:3, /data/costs.tsv") == "ann/result.gz:3, costs.tsv"


def test_words_of_the_study_stay():
    names = names_of("/tmp/ann.conllu", "/tmp/bob.conllu")
    assert names.portable("rm /tmp or / and x/tmp/ann.conllu") == "rm /tmp or / and x/tmp/ann.conllu"


def test_inputs_without_a_common_directory_are_relative_to_the_root():
    assert names_of("/home/ann/a", "/srv/bob/b").portable("/srv/bob/b:1") == "srv/bob/b:1"


def test_standard_input_is_not_a_path():
    assert names_of("-", "/home/ann/a.conllu").portable("- /home/ann/a.conllu") == "- a.conllu"
