"""What ``import arbitree`` offers is what it says it offers."""

import subprocess
import sys

import arbitree


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
