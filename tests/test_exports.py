"""What ``import arbitree`` offers is what it says it offers."""

import subprocess
import sys

import pytest

import arbitree
from tests.support.commands import arbitree as arbitree_here


def test_every_exported_name_can_be_imported():
    assert sorted(arbitree.__all__) == sorted(arbitree._HOMES)
    for name in arbitree.__all__:
        assert getattr(arbitree, name) is not None


def test_dir_lists_exactly_the_public_names():
    assert dir(arbitree) == sorted(arbitree.__all__)


def test_unknown_attribute_is_an_attribute_error():
    assert not hasattr(arbitree, "aggree")


def test_the_command_line_starts_without_numpy():
    """--help is fast because heavy packages are imported inside commands."""
    code = "import sys, arbitree.cli; sys.exit(any(m in sys.modules for m in ('numpy', 'lxml', 'jinja2')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_command_starts_without_pydantic():
    """typer 0.29 needs it to convert options, and it takes a tenth of a second to load."""
    code = (
        "import atexit, sys; from arbitree.cli import main; sys.argv = ['arbitree', 'list', 'presets']\n"
        "atexit.register(lambda: print('pydantic' in sys.modules)); main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"False"


def test_names_of_annotators_do_not_load_measures():
    """An input that may be the name of a measure is looked up among them, which imports all of them."""
    code = (
        "import atexit, sys; from arbitree.cli import main\n"
        "sys.argv = ['arbitree', 'draw', 'x=examples/phrase/ann.mrg', 'y=examples/phrase/bob.mrg']\n"
        "loaded = lambda: [name for name in sys.modules if 'kinds' in name and '.measures.' in name]\n"
        "atexit.register(lambda: print(loaded())); main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"[]"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["agree"], "Missing argument 'INPUT'."),
        (["agree", "a", "--resamples", "x"], "Invalid value for '--resamples': 'x' is not a valid integer."),
        (["agree", "a", "--fail-under", "x"], "Invalid value for '--fail-under': 'x' is not a valid float."),
        (["agree", "a", "--confidence", "2"], "'--confidence': 2.0 is not in the range 0.001<=x<=0.999."),
        (["coders", "a", "--restarts", "0"], "Invalid value for '--restarts': 0 is not in the range x>=1."),
    ],
)
def test_wrong_values_are_named_with_every_version_of_typer(words, message):
    done = arbitree_here(*words)
    assert done.returncode == 2
    assert f"{message} Run 'arbitree {words[0]} --help' to see the options.\n" in done.stderr.decode()
