"""Accessibility of pages as axe-core sees it. ``make test`` fetches axe-core with npm, for tests only."""

import sys
from pathlib import Path

import pytest

from tests.support.system import missing

AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
needs_axe = pytest.mark.skipif(not AXE.exists(), reason=missing("npm"))

_RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.flatMap(
  (rule) => rule.nodes.map((node) => `${rule.impact} ${rule.id}: ${node.html.slice(0, 200)} `
    + (node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? "")))"""


def violations(page, schemes=("light", "dark")):
    """Return what axe-core finds wrong with the page of a browser, in light and in dark colours."""
    found = []
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {each}" for each in page.evaluate(_RUN)]
    return found
