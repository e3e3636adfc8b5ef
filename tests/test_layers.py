"""Imports go one way: errors, plugins -> study -> kernels ... -> kinds -> api -> cli, web."""

import ast
from pathlib import Path

import pytest

import arbitree

ROOT = Path(arbitree.__file__).parent
LAYERS = [
    {"errors", "plugins", "wording", "numbers", "files", "paths", "extras"},
    {"study"},
    {"values", "kind"},  # kinds/*/value.py, kinds/kind.py
    {"kernels", "backends", "drawing"},
    {"reading"},
    {"formats"},
    {"distances", "measures"},
    {"annotator_models", "constructions", "adjudication", "simulation", "scoring"},
    {"reporting"},
    {"kinds"},
    {"api", "reproduction"},
    {"cli", "web", "__main__"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
    if path != ROOT / "__init__.py"
}

# Imports that point upwards, or from one kind to another. The list may only shrink.
ALLOWED = {
    "kinds.dependency.enhanced_graphs -> kinds.graphs.value",
    "kinds.dependency.kind -> kinds.graphs.kind",
    "kinds.dependency.measures.relation_kappa -> kinds.labels.distances",
    "kinds.dependency.measures.relation_kappa -> kinds.labels.measures.chance",
    "kinds.dependency.measures.relation_kappa -> kinds.labels.measures.coder_pairs",
    "kinds.dependency.measures.relation_kappa -> kinds.labels.measures.ratings",
    "kinds.dependency.measures.relation_kappa -> kinds.labels.value",
    "kinds.dependency.views -> kinds.labels.value",
    "kinds.dependency.views -> kinds.labels.views",
    "kinds.kind -> adjudication.places",
    "kinds.kind -> annotator_models.model",
    "kinds.kind -> constructions.explain",
    "kinds.kind -> drawing.picture",
    "kinds.kind -> simulation.noise",  # types of abilities
    "kinds.phrase.views -> kinds.labels.value",
    "kinds.phrase.views -> kinds.labels.views",
    "kinds.preference.fitted_weights -> kinds.dependency.measures.arc_pairs",
    "kinds.preference.fitted_weights -> kinds.dependency.measures.weighted",
    "kinds.preference.statistics.agreement -> kinds.labels.kind",
    "kinds.preference.statistics.agreement -> kinds.labels.value",
    "kinds.treebanking.kind -> kinds.graphs.kind",
    "kinds.treebanking.kind -> kinds.phrase.kind",
    "kinds.treebanking.views -> kinds.labels.value",
    "kinds.treebanking.views -> kinds.phrase.value",
}


def layer(module: str) -> str:
    parts = module.split(".")
    if module == "kinds.kind":
        return "kind"
    return "values" if parts[0] == "kinds" and parts[-1] == "value" else parts[0]


def imported(path: Path) -> set[str]:
    """Return the modules of the package that the one at *path* imports, wherever it does so."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "arbitree":
            inside = node.module.partition(".")[2]
            for alias in node.names:
                full = f"{inside}.{alias.name}".lstrip(".")
                found.add(full if full in MODULES else inside)
        if isinstance(node, ast.Import):
            found |= {a.name.partition(".")[2] for a in node.names if a.name.startswith("arbitree.")}
    return found - {""}


def forbidden(module: str) -> set[str]:
    """Return what *module* imports from above it, or from another kind."""
    own = RANK[layer(module)]
    above = {name for name in imported(MODULES[module]) if RANK[layer(name)] > own}
    room = module.split(".")[:2]
    if room[0] == "kinds" and len(module.split(".")) > 2:
        others = {name for name in imported(MODULES[module]) if name.split(".")[0] == "kinds" and "." in name}
        above |= {name for name in others if name.split(".")[:2] != room and name != "kinds.kind"}
    return {f"{module} -> {name}" for name in above}


@pytest.mark.parametrize("module", MODULES)
def test_no_module_imports_from_a_layer_above_or_from_another_kind(module):
    assert forbidden(module) <= ALLOWED


def test_every_allowed_exception_is_still_needed():
    needed = {edge for module in MODULES for edge in forbidden(module)}
    assert needed >= ALLOWED


def test_every_folder_has_its_layer():
    folders = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    assert folders <= set(RANK)


def test_no_folder_has_the_name_of_a_public_function():
    """It would hide the function once it is imported."""
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()}
    assert not folders & set(arbitree.__all__)


def test_test_files_do_not_import_from_each_other():
    tests = Path(__file__).parent
    found = {
        f"{path.relative_to(tests)}: {name}"
        for path in tests.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (name := node.module or "").startswith("tests.")
        if not name.startswith(("tests.support.", "tests.outsiders.record"))
        if not (name.startswith("tests.fuzz") and path.is_relative_to(tests / "fuzz"))  # a program
    }
    assert not found, "code that two test files share belongs in tests/support"
