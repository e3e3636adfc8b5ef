"""Features of the web app are found in their folders, and none is in the way of another."""

import os
import re
from collections import Counter
from importlib import import_module

import pytest

from arbitree.web import pages
from arbitree.web.pages import FEATURES, HERE, MEDIA

ROUTES = {folder.name: import_module(f"arbitree.web.{folder.name}.page").router.routes for folder in FEATURES}


def test_every_feature_has_routes():
    assert set(ROUTES) >= {"adjudicate", "decisions", "judge", "overview", "people", "rounds", "sentences"}
    assert all(ROUTES.values())


@pytest.mark.parametrize("feature", ROUTES)
def test_no_address_fits_routes_of_two_features(feature):
    """So the order in which features are included means nothing."""
    for route in ROUTES[feature]:
        address = re.sub(r"\{\w+\}", "1", route.path)
        others = [other for name, routes in ROUTES.items() if name != feature for other in routes]
        assert not [other.path for other in others if other.path_regex.match(address)]


def test_files_of_two_folders_have_different_names():
    folders = [HERE / "templates", HERE / "static", *FEATURES]
    files = [path.name for folder in folders for path in folder.iterdir() if path.suffix in {".j2", *MEDIA}]
    assert [name for name, count in Counter(files).items() if count > 1] == []


@pytest.fixture
def template(tmp_path, monkeypatch):
    """A template of a feature of its own."""
    monkeypatch.setattr(pages, "FEATURES", (tmp_path,))
    pages._environment.cache_clear()
    yield tmp_path / "some.html.j2"
    pages._environment.cache_clear()


def test_templates_do_not_change_while_the_server_runs(template):
    """Those of another version, installed meanwhile, may need what the running one does not have."""
    template.write_text("as it was", encoding="utf-8")
    assert pages._rendered(template.name, {}) == "as it was"
    template.write_text("{{ not.there }}", encoding="utf-8")
    os.utime(template, (0, 0))
    assert pages._rendered(template.name, {}) == "as it was"
