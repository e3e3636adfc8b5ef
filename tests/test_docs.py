"""The console examples of the documentation print what the pages show."""

import re
import sys
from contextlib import chdir
from glob import glob
from pathlib import Path

import pytest
import typer

from arbitree.cli import app
from tests.support.commands import arbitree

FOLDER = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(FOLDER))
from console import BLOCK, PAGES, SETTINGS, fresh, run_in_shell  # noqa: E402 (a script, not a package)

SHELL = re.compile(r"""[|&;<>$`'"\\]""")  # what a shell has to read, and words in quotes


def run_here(commands, folder, programs):
    """Run commands in this process, which saves half a second for each, unless they need a shell."""
    if any(SHELL.search(each) or not each.startswith("arbitree ") for each in commands):
        return run_in_shell(commands, folder, programs)
    with chdir(folder):
        return [_printed(each.split()[1:]) for each in commands]


def _printed(words):
    """Return what a command prints, errors included."""
    found = [sorted(glob(word)) or [word] for word in words]  # noqa: PTH207 (paths as a shell writes them)
    done = arbitree(*(each for names in found for each in names), together=True, **SETTINGS)
    return done.stdout.decode()


@pytest.mark.parametrize(
    "page",
    [each for each in PAGES if BLOCK.search(each.read_text(encoding="utf-8"))],
    ids=lambda each: each.stem,
)
def test_examples_print_what_the_page_shows(page):
    """Run ``python docs/console.py --write`` after a change of what commands print."""
    text = page.read_text(encoding="utf-8")
    assert fresh(text, run=run_here).splitlines() == text.splitlines()


def test_only_digits_after_the_14th_may_differ():
    """Sums differ there between versions of NumPy."""

    def printing(value):
        return lambda commands, folder, programs: [f"{value}\n"]

    page = "```console\n$ sum\n0.7417643835450385\n```\n"
    assert fresh(page, run=printing("0.7417643835450383")) == page
    assert "0.7417643835451385" in fresh(page, run=printing("0.7417643835451385"))
    assert "1.7417643835450385" in fresh(page, run=printing("1.7417643835450385"))


def test_the_page_on_the_command_line_lists_the_options_of_each_command():
    page = (FOLDER / "cli.md").read_text(encoding="utf-8")
    parts = [each.partition("\n") for each in re.split(r"^## ", page, flags=re.MULTILINE)]
    sections = {name: text for heading, _, text in parts for name in heading.split(" and ")}
    command = typer.main.get_command(app)
    for name in command.list_commands(typer.Context(command)):
        params = command.get_command(typer.Context(command), name).params
        options = {each for param in params for each in (*param.opts, *param.secondary_opts)}
        listed = set(re.findall(r"[`\[](--[a-z-]+)", sections[name]))
        assert {each for each in options if each.startswith("--")} - {"--help"} <= listed, name
        if name not in ("backup", "restore"):  # they share a section
            assert listed <= options, name
