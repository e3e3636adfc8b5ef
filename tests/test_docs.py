"""The console examples of the documentation print what the pages show."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(FOLDER))
from console import BLOCK, PAGES, fresh  # noqa: E402 (a script of the documentation, not a package)


@pytest.mark.parametrize(
    "page", [each for each in PAGES if BLOCK.search(each.read_text())], ids=lambda each: each.stem
)
def test_examples_print_what_the_page_shows(page):
    """Run ``python docs/console.py --write`` after a change of what commands print."""
    text = page.read_text()
    assert fresh(text).splitlines() == text.splitlines()
