"""Which kernel is used, and what is said when it is not the compiled one."""

import os
import subprocess
import sys

import pytest

from arbitree.kernels import COMPILED, NAME, missing_kernel_note, pack
from arbitree.study.flat_tree import Vocabulary, flatten
from tests.support.trees import HAS_COMPILED, needs_compiled, path, star

ABSENT = "import sys; sys.modules['arbitree.kernels._compiled'] = None; "
SHOW = "from arbitree import kernels; print(kernels.NAME, kernels.COMPILED, kernels.missing_kernel_note())"


def python(code, wanted=None):
    """Run *code* in a fresh interpreter with ARBITREE_KERNEL set to *wanted*."""
    environment = {key: value for key, value in os.environ.items() if key != "ARBITREE_KERNEL"}
    if wanted is not None:
        environment["ARBITREE_KERNEL"] = wanted
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    return done.stdout + done.stderr


def test_names_fit_each_other():
    assert (NAME == "compiled") == COMPILED
    assert HAS_COMPILED or not COMPILED


@needs_compiled
def test_compiled_kernel_is_used_where_it_is():
    assert python(SHOW).split() == ["compiled", "True", "None"]
    assert python(SHOW, "compiled").split() == ["compiled", "True", "None"]


def test_plain_twin_is_used_on_request_without_a_note():
    assert python(SHOW, "plain").split() == ["plain", "False", "None"]


def test_missing_kernel_falls_back_with_a_note():
    assert python(ABSENT + SHOW).startswith("plain False the C++ kernel is not available")


def test_asking_for_a_missing_kernel_is_an_error():
    assert "ArbitreeError: the C++ kernel is not available" in python(ABSENT + SHOW, "compiled")


def test_asking_for_an_unknown_kernel_is_an_error():
    assert "ArbitreeError: unknown kernel 'fast'. Set ARBITREE_KERNEL to compiled or plain." in python(
        SHOW, "fast"
    )


def test_import_does_not_load_the_twin_or_warn():
    loaded = python("import arbitree.kernels, sys; print('arbitree.kernels.plain' in sys.modules)")
    assert loaded.strip() == str(not HAS_COMPILED)


def test_pack_numbers_trees_in_order():
    corpus = pack([path([0, 1]), star([0, 1, 2])])
    assert corpus.tree_count == 2
    assert corpus.table(0, 1).shape == (2, 3)
    assert pack([]).tree_count == 0


def test_pack_refuses_trees_of_several_vocabularies():
    other = flatten([[]], ["label0"], 0, Vocabulary(), size=1, leaves=1)
    with pytest.raises(ValueError, match="vocabularies"):
        pack([path([0]), other])


def test_note_is_for_those_without_the_kernel():
    assert (missing_kernel_note() is None) == (COMPILED or "ARBITREE_KERNEL" in os.environ)
