"""Only a kind's own folder knows what its values are: everything else asks the kind."""

import ast
from pathlib import Path

import pytest

import arbitree
from arbitree import kinds

ROOT = Path(arbitree.__file__).parent
VALUES = {value.__name__ for kind in kinds.kinds().values() for value in kind.values}
# Not "label" and "tags", which are names of columns too.
WORDS = {"dependency", "phrase", "treebanking", "preference", "graphs", "semantics"}
# Formats may know the values that they read. Imports between kinds are listed in tests/test_layers.py.
FREE = ("kinds", "formats")
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
    if path != ROOT / "__init__.py" and path.relative_to(ROOT).parts[0] not in FREE
}


def docstrings(tree: ast.AST) -> set[ast.Constant]:
    """Return the strings that are docstrings or comments on their own."""
    expressions = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    return {node for node in expressions if isinstance(node, ast.Constant)}


def public(tree: ast.AST) -> set[str]:
    """Return the names under which a module imports the whole package."""
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import))
    return {
        alias.asname or alias.name for node in imports for alias in node.names if alias.name == "arbitree"
    }


def known(source: str, *, scripts: bool = False) -> set[str]:
    """Return the types of values that a module names, comparisons of types, and words for kinds.

    Args:
        source: The text of the module.
        scripts: Whether it makes values with the public names of the package, like scripts of users.
    """
    tree = ast.parse(source)
    skipped, free = docstrings(tree), public(tree) if scripts else set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in VALUES:
            found.add(node.id)
        if isinstance(node, ast.alias) and node.name in VALUES:
            found.add(node.name)
        if isinstance(node, ast.Attribute) and node.attr in VALUES and ast.unparse(node.value) not in free:
            found.add(node.attr)
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(isinstance(side, ast.Attribute) and side.attr == "value_type" for side in sides):
                found.add("value_type")
        if isinstance(node, ast.Constant) and node not in skipped and node.value in WORDS:
            found.add(repr(node.value))
    return found


@pytest.mark.parametrize("module", MODULES)
def test_no_module_outside_the_kinds_knows_a_kind(module):
    assert not known(MODULES[module].read_text(encoding="utf-8"), scripts=module.startswith("reproduction."))


@pytest.mark.parametrize(
    "source",
    [
        "from arbitree.kinds.graphs.value import Semantics",
        "from arbitree.kinds.graphs.value import Semantics as Graphs",
        "from arbitree.kinds.graphs import value as graphs\ngraphs.Semantics()",
        "import arbitree.kinds.graphs.value\narbitree.kinds.graphs.value.Semantics()",
        "import arbitree as at\nat.DepTree((), ())",
        "kind == 'dependency'",
        "left.value_type is right.value_type",
    ],
)
def test_a_kind_is_recognised_under_any_name(source):
    assert known(source)


def test_reproductions_may_use_public_names_as_users_do():
    assert not known("import arbitree as at\nat.Label('x')", scripts=True)
    assert known(
        "import arbitree as at\nfrom arbitree.kinds.labels import value\nvalue.Label('x')", scripts=True
    )
