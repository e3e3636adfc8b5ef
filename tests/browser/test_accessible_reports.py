"""Report pages are accessible, in light and in dark colours."""

import pytest

from tests.support.browser.axe import needs_axe, violations
from tests.support.commands import arbitree
from tests.support.web.serving import DEPENDENCY, EXAMPLES, LABELS, PHRASE

pytestmark = needs_axe

HARBOUR = sorted((EXAMPLES / "harbour").glob("*.mrg"))
PROFILES = [EXAMPLES / "profiles" / name for name in ("ann", "bob")]


@pytest.mark.parametrize(
    ("command", "inputs"),
    [
        ("report", DEPENDENCY),
        ("report", PHRASE),
        ("report", LABELS),
        ("report", PROFILES),
        ("explain", HARBOUR),
        ("agree", DEPENDENCY),
    ],
    ids=lambda part: part if isinstance(part, str) else part[0].parent.name,
)
def test_a_report_is_accessible(browser, tmp_path, command, inputs):
    target = tmp_path / ("page.html" if command == "agree" else "pages")
    arbitree(command, *inputs, "-o", target, "--quiet")
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    pages = [target] if target.is_file() else sorted(target.glob("*.html"))
    assert pages
    for path in pages:
        page.goto(path.as_uri())
        assert violations(page) == []
    page.close()
