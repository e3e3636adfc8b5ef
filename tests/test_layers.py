"""Imports go one way: errors, registry -> data -> formats, kernels, backends -> ... -> cli."""

import ast
from pathlib import Path

import pytest

import arbitree

ROOT = Path(arbitree.__file__).parent
LAYERS = [
    {"errors", "registry"},
    {"data"},
    {"formats", "kernels", "backends"},
    {"distances"},
    {"measures"},
    {"analyses"},
    {"reports"},
    {"interface"},
    {"cli", "web", "__main__"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
MODULES = sorted(
    path.relative_to(ROOT) for path in ROOT.rglob("*.py") if path.name != "__init__.py" or path.parent != ROOT
)


def imported(path: Path) -> set[str]:
    """Return the first-level names of the package that the module at *path* imports, wherever it does so."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = node.module.split(".")
            names = [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]
            found |= set(names) if parts[0] == "arbitree" else set()
        if isinstance(node, ast.Import):
            found |= {a.name.split(".")[1] for a in node.names if a.name.startswith("arbitree.")}
    return found


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_no_module_imports_from_a_layer_above(module):
    own = RANK[module.parts[0].removesuffix(".py")]
    above = {name for name in imported(ROOT / module) if RANK[name] > own}
    assert not above


def test_every_folder_has_its_layer():
    folders = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    assert folders <= set(RANK)
