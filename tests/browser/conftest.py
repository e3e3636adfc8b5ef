"""A browser, and a served study for each test; its module names the files in STUDY."""

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.support.browser.pages import CHROMIUM, QUIET
from tests.support.browser.visits import PATIENCE, Visits
from tests.support.system import missing
from tests.support.web.serving import serving

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser():
    """The browser of the system; none is ever fetched."""
    if CHROMIUM is None:
        pytest.skip(missing("chromium"))
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(QUIET))
        yield opened
        opened.close()


@pytest.fixture
def server(request, browser, tmp_path_factory):
    """The module's study, served for one test, so that no test sees the decisions of another."""
    module = request.module
    folder = tmp_path_factory.mktemp("project")
    with serving(*module.STUDY, project=folder, options=getattr(module, "OPTIONS", ())) as started:
        yield started


@pytest.fixture
def everybody(browser, server):
    """All who visit the study."""
    return Visits(browser, server)


@pytest.fixture
def visits(everybody):
    """Visits in which no page may do anything wrong."""
    yield everybody
    assert everybody.leave() == []
