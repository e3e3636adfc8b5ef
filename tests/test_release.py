"""Files that name the version, or that other programs than Python read."""

import os
import re
from pathlib import Path

import arbitree

ROOT = Path(__file__).parents[1]


def test_the_citation_and_the_changelog_name_the_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.M)[1] == arbitree.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[(.*?)\]", changelog, re.M)[1] == arbitree.__version__


def test_the_image_gets_every_file_that_it_names():
    recipe = (ROOT / "container" / "Containerfile").read_text(encoding="utf-8")
    named = re.findall(r"\bcontainer/(\w+)", recipe.partition("\nFROM")[2])
    assert {"start", "healthy"} <= set(named)
    assert all(os.access(ROOT / "container" / name, os.X_OK) for name in ("start", "healthy"))
