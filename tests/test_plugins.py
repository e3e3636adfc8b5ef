"""Plug-ins of other packages are found like our own."""

import sys
from importlib import metadata
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from arbitree import plugins
from arbitree.errors import UnknownName


@pytest.fixture
def fresh():
    plugins.plugins.cache_clear()
    yield
    plugins.plugins.cache_clear()


def test_entry_points_add_plugins(monkeypatch, fresh):
    module = ModuleType("other_measures")
    module.PLUGINS = {"mine": object()}
    monkeypatch.setitem(sys.modules, "other_measures", module)
    entry = EntryPoint("mine", "other_measures", "arbitree.measures")
    monkeypatch.setattr(
        metadata, "entry_points", lambda group: [entry] if group == "arbitree.measures" else []
    )
    assert plugins.get("measures", "mine") is module.PLUGINS["mine"]
    assert "alpha_plain" in plugins.plugins("measures")


def test_unknown_kinds_and_names_are_refused_with_help():
    with pytest.raises(UnknownName, match="Did you mean 'measures'"):
        plugins.plugins("measure")
    with pytest.raises(UnknownName, match=r"Known: .*conllu"):
        plugins.get("formats", "word")
