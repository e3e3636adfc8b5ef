"""The main report pages are accessible, in light and in dark colours; ``make check`` checks all pages."""

import pytest

from tests.support.browser.axe import needs_axe, violations
from tests.support.commands import arbitree
from tests.support.web.serving import DEPENDENCY, EXAMPLES, LABELS

pytestmark = needs_axe

HARBOUR = sorted((EXAMPLES / "harbour").glob("*.mrg"))


@pytest.mark.parametrize(
    ("command", "inputs"),
    [
        ("report", DEPENDENCY),
        ("report", LABELS),
        ("explain", HARBOUR),
    ],
    ids=lambda part: part if isinstance(part, str) else part[0].parent.name,
)
def test_a_report_is_accessible(browser, tmp_path, command, inputs):
    target = tmp_path / "pages"
    arbitree(command, *inputs, "-o", target, "--quiet")
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    pages = sorted(target.glob("*.html"))
    assert pages
    for path in pages:
        page.goto(path.as_uri())
        assert violations(page) == []
    page.close()
