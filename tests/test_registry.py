"""Plug-ins of other packages are found like our own."""

import sys
from importlib import metadata
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from arbitree import registry
from arbitree.errors import UnknownName


@pytest.fixture
def fresh():
    registry.plugins.cache_clear()
    yield
    registry.plugins.cache_clear()


def test_entry_points_add_plugins(monkeypatch, fresh):
    module = ModuleType("other_measures")
    module.PLUGINS = {"mine": object()}
    monkeypatch.setitem(sys.modules, "other_measures", module)
    entry = EntryPoint("mine", "other_measures", "arbitree.measures")
    monkeypatch.setattr(
        metadata, "entry_points", lambda group: [entry] if group == "arbitree.measures" else []
    )
    assert registry.get("measures", "mine") is module.PLUGINS["mine"]
    assert "alpha_plain" in registry.plugins("measures")


def test_unknown_kinds_and_names_are_refused_with_help():
    with pytest.raises(UnknownName, match="Did you mean 'measures'"):
        registry.plugins("measure")
    with pytest.raises(UnknownName, match=r"Known: .*conllu"):
        registry.get("formats", "word")
