"""Plug-ins of other packages are found like our own."""

import json
import os
import subprocess
import sys
from shutil import make_archive
from types import ModuleType, SimpleNamespace

import pytest

from arbitree import plugins
from arbitree.errors import ArbitreeError, UnknownName


@pytest.fixture
def fresh():
    plugins.plugins.cache_clear()
    yield
    plugins.plugins.cache_clear()


def announce(folder):
    """Write the entry points of an installed package, whose measure is in the module *other_measures*."""
    folder.mkdir(parents=True)
    listed = "[arbitree.measures]\nmine = other_measures\n"
    (folder / "entry_points.txt").write_text(listed, encoding="utf-8")
    (folder / "METADATA").write_text("Name: other\nVersion: 1\n", encoding="utf-8")
    return folder.parent


@pytest.mark.parametrize("name", ["other-1.dist-info", "other.egg-info", "other-1.egg/EGG-INFO"])
def test_entry_points_add_plugins(name, tmp_path, monkeypatch, fresh):
    module = ModuleType("other_measures")
    module.PLUGINS = {"mine": object()}
    monkeypatch.setitem(sys.modules, "other_measures", module)
    monkeypatch.syspath_prepend(announce(tmp_path / name))
    assert plugins.get("measures", "mine") is module.PLUGINS["mine"]
    assert "alpha_plain" in plugins.plugins("measures")


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        (None, "import of other_measures halted"),
        (ModuleType("other_measures"), "other_measures has no dictionary PLUGINS"),
        (SimpleNamespace(PLUGINS={"las": object()}), "the name 'las' is already in use"),
    ],
    ids=["no module", "no plug-ins", "built-in name"],
)
def test_an_unusable_package_is_named(module, reason, tmp_path, monkeypatch, fresh):
    monkeypatch.setitem(sys.modules, "other_measures", module)
    monkeypatch.syspath_prepend(announce(tmp_path / "other-1.dist-info"))
    with pytest.raises(ArbitreeError) as caught:
        plugins.plugins("measures")
    assert str(caught.value).startswith(f"the plug-in 'mine' of the package other cannot be used ({reason}")
    assert str(caught.value).endswith("). Update or uninstall other.")


def test_directories_that_cannot_be_read_have_no_plugins(tmp_path, monkeypatch):
    def refuse(folder):
        raise PermissionError

    monkeypatch.setattr("arbitree.plugins.Path.iterdir", refuse)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert plugins.entry_points("measures") == []


def test_entry_points_in_a_zip_file_are_found(tmp_path, monkeypatch, fresh):
    announce(tmp_path / "other-1.dist-info")
    archive = make_archive(tmp_path / "other", "zip", tmp_path, "other-1.dist-info")
    monkeypatch.syspath_prepend(archive)
    assert [each.name for each in plugins.entry_points("measures")] == ["mine"]


def test_without_plugins_of_others_no_metadata_are_read():
    code = "import sys; from arbitree import plugins; plugins.plugins('formats'); print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert "arbitree.formats.conllu" in done.stdout.split()
    assert "importlib.metadata" not in done.stdout.split()


def test_unknown_kinds_and_names_are_refused_with_help():
    with pytest.raises(UnknownName, match="Did you mean 'measures'"):
        plugins.plugins("measure")
    with pytest.raises(UnknownName, match="Run 'arbitree list formats'"):
        plugins.get("formats", "word")


def test_only_similar_names_are_suggested():
    with pytest.raises(UnknownName, match="Did you mean 'uas'"):
        plugins.check_name("uaz", ["las", "uas"], "measure")
    with pytest.raises(UnknownName, match="Did you mean 'obl'"):
        plugins.check_name("oblique", ["mod", "nmod", "obl"], "label")
    with pytest.raises(UnknownName) as caught:
        plugins.check_name("noise", ["both", "unbiased"], "experiment")
    assert "Did you mean" not in str(caught.value)


PACKAGE = '''
from dataclasses import dataclass
from typing import ClassVar

from arbitree.formats.conllu import Conllu
from arbitree.kinds.dependency.measures.attachment import UnlabelledAttachment


@dataclass(frozen=True, slots=True)
class Heads(UnlabelledAttachment):
    """UAS under another name."""

    ranks_systems: ClassVar[bool] = False


class Renamed(Conllu):
    """CoNLL-U under another ending."""

    about: ClassVar[str] = "CoNLL-U by another name (.trees)"
    suffixes: ClassVar[tuple[str, ...]] = (".trees",)


class Formats:
    PLUGINS: ClassVar[dict[str, object]] = {"renamed": Renamed()}


PLUGINS = {"heads": Heads()}
print("imported", flush=True)
'''
ENTRY_POINTS = """\
[arbitree.measures]
other = other_package

[arbitree.formats]
other = other_package:Formats
"""


@pytest.fixture
def run(tmp_path):
    """Run a command where another package is installed."""
    metadata = tmp_path / "other_package-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other_package\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "other_package.py").write_text(PACKAGE)

    def command(*arguments):
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
        done = subprocess.run(
            [sys.executable, "-m", "arbitree", *map(str, arguments)],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    return command


def test_metrics_of_other_packages_are_measured_and_scored_unasked(run):
    files = ["examples/score/gold.conllu", "examples/score/heron.conllu", "--resamples", "0", "--json"]
    for command in ("agree", "score"):
        results = json.loads(run(command, *files).removeprefix("imported\n"))["results"]
        values = {each["measure"]: each["value"] for each in results}
        assert values["heads"] == values["uas"]
        assert list(values).index("las") < list(values).index("heads")
    assert "heads" in run("list", "measures")


def test_formats_of_other_packages_are_detected_and_written(run, tmp_path):
    target = tmp_path / "copy.trees"
    run("convert", "examples/score/gold.conllu", target)
    results = json.loads(
        run(
            "agree", target, "examples/score/heron.conllu", "-m", "las", "--resamples", "0", "--json"
        ).removeprefix("imported\n")
    )["results"]
    assert results[0]["items_used"] == 12


def test_help_imports_no_plugin(run):
    assert "imported" not in run("--help")
    assert "imported" not in run("agree", "--help")
