"""Names of files that no file can have, and names and arguments that are not UTF-8."""

import os
import tempfile
from pathlib import Path

import pytest

from arbitree.files import write_whole
from tests.support.commands import arbitree

LONG = "x" * 300  # more than a directory can hold
TREES = ("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
SENSES = ("examples/senses/diary.tsv", "--measure")
COMMANDS = {
    "inputs": ("agree", LONG, TREES[0]),
    "named inputs": ("agree", f"ann={LONG}", TREES[0]),
    "directories": ("agree", "--dirs", LONG, LONG),
    "studies": ("agree", "--studies", LONG),
    "profiles": ("tsdb", LONG, LONG),
    "root of profiles": ("tsdb", "--root", LONG),
    "data sets": ("prefer", "--dirs", LONG),
    "hierarchy": ("agree", *SENSES, f"hierarchical_kappa:hierarchy={LONG}"),
    "workbook": ("report", *TREES, "--output", "{folder}", "--adjudicated", LONG),
    "directory of a report": ("report", *TREES, "--output", f"{{folder}}/{LONG}"),
    "converted file": ("convert", "examples/labels/stars.csv", f"{{folder}}/{LONG}", "--to", "labels"),
    "served inputs": ("serve", LONG, "--no-browser"),
    "project": ("serve", *TREES, "--no-browser", "--project", f"{{folder}}/{LONG}"),
}


@pytest.mark.parametrize("where", COMMANDS)
def test_a_name_that_is_too_long_is_an_error_in_one_line(where, tmp_path):
    done = arbitree(*(word.format(folder=tmp_path) for word in COMMANDS[where]))
    assert done.returncode == 2
    assert (
        done.stderr.decode()
        .splitlines()[-1]
        .endswith(("(File name too long). Check the path.", "permissions.", "Choose another path."))
    )
    assert LONG in done.stderr.decode().splitlines()[-1]


def test_a_tree_that_is_not_utf_8_is_refused():
    done = arbitree("distance", "(S (NP \udcff))", "(S NP)")
    assert done.returncode == 2
    assert done.stderr.startswith(b"<A>:1: byte 0xff is not valid utf-8.")


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="there is no /dev/shm")
def test_files_in_shared_memory_are_replaced_as_elsewhere():
    """Not continued, as devices are."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = Path(folder, "out.txt")
        write_whole(path, "one\n")
        write_whole(path, "two\n")
        assert path.read_text(encoding="utf-8") == "two\n"
