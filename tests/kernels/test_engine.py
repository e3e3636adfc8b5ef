"""Panels of sums: the column program with every kind of lanes against one pair after another."""

import os
import pickle
import platform
import random
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.trees import (
    KINDS,
    SHAPES,
    all_pairs,
    arrays,
    both_kernels,
    compiled,
    needs_compiled,
    path,
    plain,
    random_tree,
    random_trees,
    star,
    tree,
    trees,
    use_lanes,
    zigzag,
)

pytestmark = needs_compiled
CPUINFO = Path("/proc/cpuinfo")


@pytest.fixture(params=KINDS)
def lanes(request):
    """Use one kind of lanes during a test, also where single pairs would be quicker."""
    with use_lanes(request.param):
        compiled._set_programs(True)
        yield request.param
        compiled._set_programs(False)


def one_by_one(compute):
    """Return what *compute* returns without lanes."""
    before = compiled.lanes()
    compiled._set_lanes("off")
    try:
        return compute()
    finally:
        compiled._set_lanes(before)


def grouped(count, seed, *, largest=4):
    """Return the bounds of groups of *count* trees."""
    rng = random.Random(seed)
    bounds = [0]
    while bounds[-1] < count:
        bounds.append(min(count, bounds[-1] + rng.randint(0, largest)))
    return np.array(bounds)


def weights(count, seed):
    """Return counts and sizes that no sum holds exactly, so that another order of adding would show."""
    rng = np.random.default_rng(seed)
    return rng.random(count), 5 + rng.random(count)


def integer_costs(seed, *, largest=7, count=64):
    rng = np.random.default_rng(seed)
    relabel = rng.integers(0, largest + 1, (count, count)).astype(float)
    relabel = np.triu(relabel, 1) + np.triu(relabel, 1).T
    delete = rng.integers(0, largest + 1, count).astype(float)
    return relabel, delete, delete


def check_panels(found, seed=0, costs=None, step=None):
    """Compare panels of *step* groups, all trees at once if None, with one block of single pairs."""
    corpus = compiled.Corpus(*arrays(found))
    groups = grouped(len(found), seed)
    last = len(groups) - 1
    call, more = (corpus.sums, ()) if costs is None else (corpus.weighted_sums, costs)
    given_arrays = groups, *weights(len(found), seed)
    expected = one_by_one(lambda: call(*given_arrays, (0, last), (0, last), *more))
    for row in range(0, last, step or last):
        rows = row, min(last, row + (step or last))
        sums = call(*given_arrays, rows, (row, last), *more)
        assert sums.tolist() == expected[:, slice(*rows), row:].tolist()


def one_root(found):
    """Return trees under roots of one label."""
    return [one for one in found if one.labels[-1] == found[0].labels[-1]]


@pytest.mark.parametrize(
    ("largest", "labels"), [*((size, labels) for size in (3, 14, 60) for labels in (1, 3, 40)), (140, 3)]
)
def test_panels_are_those_of_single_pairs(lanes, labels, largest):
    found = random_trees(labels + largest, 70, largest=largest, labels=labels)
    check_panels(found)
    check_panels(sorted(found, key=len), step=7)
    check_panels(one_root(found), step=3)


@pytest.mark.parametrize("seed", range(3))
def test_panels_are_those_of_the_twin(lanes, seed):
    found = random_trees(300 + seed, 24, labels=4)
    found += found[:6]  # equal trees in several groups
    groups = grouped(len(found), seed)
    last = len(groups) - 1
    counts, sizes = weights(len(found), seed)
    for kernel_costs in ((), integer_costs(seed)):
        for row in (0, 2):
            block = groups, counts, sizes, (row, last), (row, last)
            both = [
                getattr(kernel.Corpus(*arrays(found)), "weighted_sums" if kernel_costs else "sums")
                for kernel in (compiled, plain)
            ]
            assert both[0](*block, *kernel_costs).tolist() == both[1](*block, *kernel_costs).tolist()


@given(found=st.lists(trees(), min_size=1, max_size=12), row=st.integers(0, 11))
def test_panels_of_any_trees_have_the_distances_of_the_twin(found, row):
    row %= len(found)
    groups = np.arange(len(found) + 1)
    ones = np.ones(len(found))
    distances = plain.Corpus(*arrays(found)).distances(*all_pairs(len(found))).reshape(len(found), -1)
    expected = np.triu(distances.astype(float) ** 2, 1)[row:, row:].tolist()
    corpus = compiled.Corpus(*arrays(found))
    before = compiled.lanes()
    compiled._set_programs(True)
    try:
        for kind in KINDS:
            try:
                compiled._set_lanes(kind)
            except ValueError:
                continue
            found_sums = corpus.sums(groups, ones, ones, (row, len(found)), (row, len(found)))
            assert found_sums[0].tolist() == expected
    finally:
        compiled._set_programs(False)
        compiled._set_lanes(before)


def labellings(size):
    """One label, as many as there are, and two by turns."""
    return [0] * size, [node % 64 for node in range(size)], [node % 2 for node in range(size)]


def test_extreme_shapes_are_those_of_single_pairs(lanes):
    found = [
        shape(labels) for shape in SHAPES for size in (1, 2, 3, 9, 16, 17, 33) for labels in labellings(size)
    ]
    check_panels(found, step=10)
    check_panels(sorted(found, key=len))


SIZES = [1, 2, 63, 64, 65, 127, 128, 129, 260]


@pytest.mark.parametrize("shape", [*SHAPES, None], ids=lambda shape: shape.__name__ if shape else "random")
def test_sizes_around_the_widths_are_those_of_single_pairs(lanes, shape):
    rng = random.Random(5)
    found = [
        shape([rng.randrange(4) for _ in range(size)]) if shape else random_tree(rng, size)
        for size in SIZES
        for _ in range(2)
    ]
    check_panels(found, step=5)
    check_panels(one_root(found))


def test_long_chains_of_costs_without_gain_are_those_of_single_pairs(lanes):
    """Gains of 0 and 1 fit bytes for trees that are too long for vectors."""
    costs = np.zeros((64, 64)), np.zeros(64), np.zeros(64)
    found = [path([0] * size) for size in (5, 200, 300)] + [star([1] * 255)]
    check_panels(found, costs=costs)
    costs[1][:] = 1
    check_panels(found, costs=costs)
    costs[2][:] = 1
    check_panels(found, costs=(1 - np.eye(64), *costs[1:]))


@pytest.mark.parametrize("largest", [1, 3, 7])
def test_integer_costs_are_those_of_single_pairs(lanes, largest):
    costs = integer_costs(largest, largest=largest)
    check_panels(random_trees(9, 50, largest=25, labels=9), costs=costs)
    check_panels([*random_trees(9, 20, largest=80), zigzag([1, 2] * 60)], costs=costs, step=4)


@pytest.mark.parametrize("changed", [0.5, 8, 1000])
def test_other_costs_are_those_of_single_pairs(lanes, changed):
    relabel, delete, insert = integer_costs(3)
    relabel[1, 2] = relabel[2, 1] = changed
    check_panels(random_trees(10, 30, labels=4), costs=(relabel, delete, insert))


def test_costs_that_differ_by_direction_go_from_rows_to_columns(lanes):
    relabel = np.random.default_rng(4).integers(0, 8, (64, 64)).astype(float)
    delete, insert = np.random.default_rng(5).integers(0, 8, (2, 64)).astype(float)
    check_panels(random_trees(11, 40, largest=20), costs=(relabel, delete, insert))


def test_trees_that_are_left_out_are_those_of_single_pairs(lanes):
    found = [*random_trees(12, 8), zigzag([0, 1, 2] * 100), zigzag([0] * 310), path([0] * 5)]
    check_panels(found, step=2)
    check_panels(found[::-1])


def test_rows_that_are_quicker_pair_by_pair_have_the_same_sums(lanes):
    compiled._set_programs(False)
    rng = random.Random(19)
    found = [random_tree(rng, size) for size in [*range(1, 30), 60, 90, 130, 131] for _ in range(2)]
    found += [shape([node % 3 for node in range(150)]) for shape in SHAPES]
    check_panels(found)
    check_panels(found, step=9)


def test_labels_may_be_large_numbers(lanes):
    offsets, labels, leftmost = arrays(random_trees(13, 20))
    labels[labels == 0] = 2**31 - 1
    corpus = compiled.Corpus(offsets, labels, leftmost)
    block = np.arange(21), *weights(20, 0), (0, 20), (0, 20)
    assert corpus.sums(*block).tolist() == one_by_one(lambda: corpus.sums(*block)).tolist()


def test_small_corpora_are_fine(lanes):
    nothing = np.zeros(0)
    empty = compiled.Corpus(np.array([0]), nothing.astype(np.int32), nothing.astype(np.int32))
    assert empty.sums(np.array([0]), nothing, nothing, (0, 0), (0, 0)).shape == (3, 0, 0)
    assert empty.sums(np.array([0, 0]), nothing, nothing, (0, 1), (0, 1)).tolist() == [[[0]]] * 3
    one = compiled.Corpus(*arrays([path([0])]))
    assert one.sums(np.array([0, 1]), np.ones(1), np.ones(1), (0, 1), (0, 1)).tolist() == [[[0]]] * 3
    check_panels([path([0]), path([0]), path([1]), star([0, 0])])


def test_groups_need_not_begin_at_the_first_tree_or_end_at_the_last(lanes):
    found = random_trees(14, 30)
    corpus = compiled.Corpus(*arrays(found))
    block = np.array([3, 3, 7, 12, 28]), *weights(30, 1), (1, 3), (1, 4)
    assert corpus.sums(*block).tolist() == one_by_one(lambda: corpus.sums(*block)).tolist()


def test_many_rows_are_split_without_a_trace(lanes):
    check_panels(random_trees(15, 700, largest=8))


def test_columns_that_end_early_are_computed_too(lanes):
    corpus = compiled.Corpus(*arrays(random_trees(16, 30)))
    arguments = np.arange(31), *weights(30, 2)
    whole = corpus.sums(*arguments, (0, 30), (0, 30))
    assert corpus.sums(*arguments, (4, 9), (4, 20)).tolist() == whole[:, 4:9, 4:20].tolist()
    assert corpus.sums(*arguments, (4, 9), (6, 30)).tolist() == whole[:, 4:9, 6:30].tolist()


def test_threads_give_the_numbers_of_one(lanes):
    found = sorted(random_trees(17, 300, largest=30), key=len)
    groups = grouped(300, 17)
    last = len(groups) - 1
    arguments = groups, *weights(300, 3)
    panels = [((row, min(row + 8, last)), (row, last)) for row in range(0, last, 8)]

    def sums(threads):
        corpus = compiled.Corpus(*arrays(found))  # anew: its first panels number the forests
        with ThreadPoolExecutor(threads) as pool:
            return [part.tolist() for part in pool.map(lambda panel: corpus.sums(*arguments, *panel), panels)]

    expected = one_by_one(lambda: sums(1))
    assert all(sums(threads) == expected for threads in range(1, 9))


def test_interrupt_ends_a_panel(lanes):
    rng = random.Random(18)
    corpus = compiled.Corpus(*arrays([random_tree(rng, 60, labels=30) for _ in range(3000)]))
    arguments = np.arange(3001), np.ones(3000), np.ones(3000), (0, 3000), (0, 3000)
    corpus.sums(*arguments[:3], (2999, 3000), (2999, 3000))  # numbers the forests
    ended = []

    def run():
        try:
            corpus.sums(*arguments)
        except compiled.Interrupted:
            ended.append(time.monotonic())

    worker = threading.Thread(target=run)
    worker.start()
    try:
        time.sleep(0.1)
        assert worker.is_alive()
        asked = time.monotonic()
        compiled.interrupt()
        worker.join(timeout=10)
        assert ended
        assert ended[0] - asked < 0.5
    finally:
        compiled.resume()
        worker.join()


@both_kernels
def test_corpus_survives_pickling(kernel):
    found = [tree([0, 0, 1], [0, 1, 2, 3]), path([5, 6]), star([0])]
    corpus = kernel.Corpus(*arrays(found))
    again = pickle.loads(pickle.dumps(corpus))
    assert again.tree_count == 3
    assert again.distances(*all_pairs(3)).tolist() == corpus.distances(*all_pairs(3)).tolist()
    empty = kernel.Corpus(np.array([0]), *np.zeros((2, 0), dtype=np.int32))
    assert pickle.loads(pickle.dumps(empty)).tree_count == 0


def python(wanted):
    """Import the kernels in a fresh interpreter with ARBITREE_LANES set."""
    code = "from arbitree import kernels; print(kernels.lanes())"
    environment = {**os.environ, "ARBITREE_LANES": wanted, "ARBITREE_KERNEL": "compiled"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    return done.stdout + done.stderr


def test_environment_chooses_the_lanes(lanes):
    assert python(lanes).strip() == lanes
    assert python("off").strip() == "off"
    assert python("").strip() in KINDS


@pytest.mark.skipif(platform.machine() != "x86_64", reason="vectors are for x86-64 only")
@pytest.mark.skipif(not CPUINFO.exists(), reason="needs the list of features that Linux shows")
def test_the_lanes_are_those_that_the_system_names():
    flags = set(re.search(r"^flags\s*:(.*)", CPUINFO.read_text(encoding="utf-8"), re.M)[1].split())
    features = {"avx512": {"avx512f", "avx512bw", "avx512vbmi"}, "avx2": {"avx2"}}
    known = [kind for kind, needed in features.items() if needed <= flags]
    assert f"ARBITREE_LANES can be {', '.join([*known, 'scalar', 'off'])}." in python("none")


def test_unknown_lanes_are_an_error_that_names_the_known():
    said = python("avx1024")
    assert "ArbitreeError: no lanes 'avx1024'. On this processor, ARBITREE_LANES can be" in said
    assert "scalar, off" in said


def test_the_twin_has_no_lanes():
    assert plain.lanes() == "off"
