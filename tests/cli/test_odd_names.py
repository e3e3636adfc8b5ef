"""Names that are not UTF-8, which file systems and command lines contain: output escapes them."""

import json
import shutil
from pathlib import Path

import pytest

from tests.support.commands import arbitree

EXAMPLES = Path(__file__).parents[2] / "examples"
ODD = "\udcff"  # the byte 0xff in a name


@pytest.fixture
def files(tmp_path):
    """Two files of trees, one with a name that is not UTF-8."""
    odd = tmp_path / f"ann{ODD}.conllu"
    try:
        shutil.copy(EXAMPLES / "dependency/ann.conllu", odd)
    except OSError:
        pytest.skip("this file system has no such names")
    return odd, EXAMPLES / "dependency/bob.conllu"


@pytest.mark.parametrize("options", [(), ("--by", "pair")])
@pytest.mark.parametrize("command", ["agree", "score", "coders"])
def test_output_escapes_them(files, command, options):
    ran = arbitree(command, *files, *(options if command == "agree" else ()))
    assert ran.returncode == 0
    assert rb"\udcff" in ran.stdout or command == "agree"
    ran.stdout.decode()


@pytest.mark.parametrize("ending", ["json", "csv", "html", "xlsx", "txt"])
def test_files_escape_them(files, tmp_path, ending):
    target = tmp_path / f"out{ODD}.{ending}"
    ran = arbitree("score", *files, "-o", target)
    assert ran.returncode == 0, ran.stderr.decode()
    assert target.stat().st_size


def test_json_contains_the_name_itself(files):
    ran = arbitree("score", *files, "--json")
    assert json.loads(ran.stdout)["study"]["coders"] == [f"ann{ODD}", "bob"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("agree", f"absent{ODD}"),
        ("agree", EXAMPLES / "labels/stance.tsv", "-m", ODD),
        ("agree", EXAMPLES / "labels/stance.tsv", "--encoding", ODD),
        ("distance", f"(S {ODD})", "(S a)"),
        ("agree", "a" * 5000),
        ("agree", "--studies", "a" * 5000),
        ("agree", "--dirs", "a" * 5000, "b" * 5000),
        ("agree", EXAMPLES / "senses/diary.tsv", "-m", f"hierarchical_kappa:hierarchy={'h' * 5000}"),
        ("list", ODD),
        (ODD,),
    ],
)
def test_arguments_are_refused_in_one_line(arguments):
    ran = arbitree(*arguments)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1].isascii()
