"""Rules for every option of every command that writes files."""

import csv
import os
import re
import subprocess
import sys
import time
from importlib import import_module
from inspect import signature
from pathlib import Path
from pkgutil import iter_modules

import pytest

from arbitree import cli
from arbitree.cli.options import spread, written_options
from tests.support.commands import arbitree
from tests.support.writing_commands import WRITINGS, make_earlier_outputs, make_inputs, run_all

HERE = Path.cwd()
HOSTILE = ("=cmd|'/C calc'!A0", "-LRB-", "+1(x)", "@sum", "-1")
TABLES = {
    "agree": ("--by", "coder", "--column", "deprel", "--confusions", "--per-item", "items.tsv"),
    "score": ("--by", "deprel", "--differences", "2", "--per-item", "items.csv"),
    "coders": ("--feedback", "feedback"),
    "explain": ("--no-alpha",),
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    make_inputs(folder)
    os.chdir(folder)
    make_earlier_outputs()
    yield folder
    os.chdir(HERE)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_option_that_writes_is_marked_and_tested():
    """An option that names a file or directory, and whose help says that it is written, is marked."""
    marked, said = set(), set()
    for name in (each.name for each in iter_modules(cli.__path__)):
        command = getattr(import_module(f"arbitree.cli.{name}"), "COMMAND", None)
        parameters = signature(spread(command)).parameters.values() if command else ()
        marked |= {(name, option) for option in written_options(parameters)}
        for each in parameters:
            info = getattr(each.annotation, "__metadata__", [None])[0]
            named = info is not None and re.search("FILE|DIR|OUT", info.metavar or "")
            if named and re.match("Write|(New d|D)irectory for|File to write", info.help):
                said.add((name, each.name))
    assert marked == said == {(each.command, each.option) for each in WRITINGS}


@pytest.mark.parametrize(
    "writing",
    [each for each in WRITINGS if Path(each.output).suffix],
    ids=lambda each: f"{each.command}-{each.output}",
)
def test_the_directory_of_an_output_file_must_exist(inputs, tmp_path, writing):
    done = writing.run(tmp_path / "absent" / writing.output)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().endswith("does not exist. Create it, or choose another path.\n")
    assert done.stderr.count(b"\n") == 1  # nothing is read before


@pytest.mark.parametrize("writing", WRITINGS, ids=lambda each: f"{each.command}-{each.output}")
def test_no_output_is_an_input(inputs, tmp_path, writing):
    before = contents(inputs)
    for number, read in enumerate(writing.inputs if Path(writing.output).suffix else ()):
        output = tmp_path / f"{number}-{writing.output}"
        output.symlink_to(inputs / read)
        done = writing.run(output)
        assert done.returncode == 2, done
        assert f"{output}: cannot write to " in done.stderr.decode()
        assert done.stdout == b""
        output.unlink()
        output.hardlink_to(inputs / read)
        assert writing.run(output).returncode == 2
        assert writing.run(inputs / read).returncode == 2
    assert contents(inputs) == before


def test_two_runs_write_the_same_bytes(inputs, tmp_path):
    """The second one runs later, in another process, with other hashes and in another time zone."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    run_all(first)
    time.sleep(1.1)
    other = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "PYTHONPATH": str(HERE)}
    subprocess.run(
        [sys.executable, "-m", "tests.support.writing_commands", second], check=True, env=other, timeout=300
    )
    one, two = contents(first), contents(second)
    assert one.keys() == two.keys()
    dated = {each.output for each in WRITINGS if each.dated}
    assert [name for name, data in one.items() if data != two[name] and name not in dated] == []


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    """The arguments for files whose words, labels, ids, documents and annotators look like formulas."""
    monkeypatch.chdir(tmp_path)
    named = []
    for number, coder in enumerate(("@ann", "+bob", "-cho")):
        text = ""
        for place, name in enumerate(HOSTILE):
            rows = [
                (1, name, 0, "=root"),
                (2, "=b", 1, HOSTILE[(place + number) % 5]),
                (3, "@c", 2, "+x"),
            ]
            lines = [f"{i}\t{form}\t_\t-X\t_\t_\t{head}\t{label}\t_\t_" for i, form, head, label in rows]
            text += "\n".join([f"# newdoc id = ={place}", f"# sent_id = {name}", *lines, "", ""])
        (tmp_path / f"{number}.conllu").write_text(text, encoding="utf-8")
        named.append(f"{coder}={number}.conllu")
    return named


@pytest.mark.parametrize("extension", ["csv", "tsv"])
@pytest.mark.parametrize("command", TABLES)
def test_no_cell_of_a_table_is_a_formula(hostile, tmp_path, command, extension):
    done = arbitree(command, "-o", f"out.{extension}", *TABLES[command], "--", *hostile)
    assert done.returncode == 0, done.stderr
    cells = []
    for path in [*tmp_path.rglob("*.csv"), *tmp_path.rglob("*.tsv")]:
        with path.open(encoding="utf-8", newline="") as file:
            delimiter = "\t" if path.suffix == ".tsv" else ","
            cells += [cell for row in csv.reader(file, delimiter=delimiter) for cell in row]
    assert [cell for cell in cells if cell.startswith(tuple("=+-@\t\r")) and not is_number(cell)] == []
    assert any(cell.startswith("'") for cell in cells)


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True
