"""Wrong arrays, large trees, many threads, interrupts."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.trees import (
    all_pairs,
    arrays,
    both_kernels,
    compiled,
    distance,
    needs_compiled,
    numbers,
    path,
    plain,
    random_trees,
    star,
    zigzag,
)

TINY = arrays([path([0, 1]), star([0, 1, 2])])


def longs(*values):
    return np.array(values, dtype=np.int64)


def ints(*values):
    return np.array(values, dtype=np.int32)


@both_kernels
@pytest.mark.parametrize(
    ("offsets", "labels", "leftmost", "said"),
    [
        (longs(), ints(), ints(), "offsets"),
        (longs(1), ints(), ints(), "offsets"),
        (longs(0, 2), ints(0), ints(0), "offsets"),
        (longs(0, 1), ints(0, 0), ints(0, 0), "offsets"),
        (longs(1, 2), ints(0, 0), ints(0, 0), "offsets"),
        (longs(0, 1), ints(0), ints(0, 0), "differ in length"),
        (longs(0, 0, 1), ints(0), ints(0), "tree 0 has no nodes"),
        (longs(0, 2, 1, 3), ints(0, 0, 0), ints(0, 0, 0), "tree 1 has no nodes"),
        (longs(0, 2**62, 1), ints(0), ints(0), "no nodes|too large"),
        (longs(0, -(2**62), 1), ints(0), ints(0), "no nodes"),
        (longs(0, 1), ints(-1), ints(0), "negative"),
        (longs(0, 1), ints(0), ints(1), "tree 0 is not in postorder"),
        (longs(0, 1), ints(0), ints(-1), "tree 0 is not in postorder"),
        (longs(0, 2), ints(0, 0), ints(0, 1), "tree 0 has more than one root"),
        (longs(0, 1, 4), ints(0, 0, 0, 0), ints(0, 0, 0, 1), "tree 1 is not in postorder"),
        (longs(0, 3), ints(0, 0, 0), ints(0, 1, 2**31 - 1), "tree 0 is not in postorder"),
    ],
)
def test_arrays_that_are_no_trees_are_refused(kernel, offsets, labels, leftmost, said):
    with pytest.raises(ValueError, match=said):
        kernel.Corpus(offsets, labels, leftmost)


@needs_compiled
@settings(max_examples=1000)
@given(
    st.lists(st.integers(-1, 7), max_size=4),
    st.lists(st.integers(-1, 5), max_size=6),
    st.lists(st.integers(-1, 6), max_size=6),
)
def test_kernels_take_and_refuse_the_same_arrays(offsets, labels, leftmost):
    given_arrays = longs(0, *offsets, len(labels)), ints(*labels), ints(*leftmost)
    try:
        expected = plain.Corpus(*given_arrays)
    except ValueError:
        with pytest.raises(ValueError):
            compiled.Corpus(*given_arrays)
    else:
        pairs = all_pairs(expected.tree_count)
        found = compiled.Corpus(*given_arrays)
        assert found.tree_count == expected.tree_count
        assert found.distances(*pairs).tolist() == expected.distances(*pairs).tolist()


@both_kernels
@pytest.mark.parametrize(
    "wrong",
    [
        (TINY[0].astype(np.int32), TINY[1], TINY[2]),
        (TINY[0], TINY[1].astype(np.int64), TINY[2]),
        (TINY[0], TINY[1], TINY[2].astype(np.float64)),
        (TINY[0], TINY[1].reshape(1, -1), TINY[2]),
        (TINY[0], np.repeat(TINY[1], 2)[::2], TINY[2]),
        (TINY[0], TINY[1].tolist(), TINY[2]),
        (None, None, None),
    ],
)
def test_arrays_of_another_type_are_refused(kernel, wrong):
    with pytest.raises(TypeError):
        kernel.Corpus(*wrong)


@both_kernels
def test_read_only_arrays_are_fine(kernel):
    frozen = [array.copy() for array in TINY]
    for array in frozen:
        array.flags.writeable = False
    assert kernel.Corpus(*frozen).tree_count == 2


@both_kernels
def test_empty_corpus_and_no_pairs_are_fine(kernel):
    corpus = kernel.Corpus(longs(0), ints(), ints())
    assert corpus.tree_count == 0
    assert corpus.distances(numbers(), numbers()).shape == (0,)
    assert corpus.sums(longs(0), np.zeros(0), np.zeros(0), (0, 0), (0, 0)).shape == (3, 0, 0)


@both_kernels
@pytest.mark.parametrize("wrong", [-1, 2, 2**31 - 1])
def test_numbers_of_no_tree_are_refused(kernel, wrong):
    corpus = kernel.Corpus(*TINY)
    costs = np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    for pair in ((wrong, 0), (0, wrong)):
        first, second = numbers(pair[0]), numbers(pair[1])
        for call in (
            lambda a=first, b=second: corpus.distances(a, b),
            lambda a=first, b=second: corpus.cells(a, b),
            lambda a=first, b=second: corpus.weighted_distances(a, b, *costs),
            lambda two=pair: corpus.table(*two),
            lambda two=pair: corpus.weighted_table(*two, *costs),
        ):
            with pytest.raises(IndexError, match=f"no tree {wrong} among 2"):
                call()


@both_kernels
def test_pairs_of_unequal_length_are_refused(kernel):
    with pytest.raises(ValueError, match="differ in length"):
        kernel.Corpus(*TINY).distances(numbers(0), numbers(0, 1))


@both_kernels
@pytest.mark.parametrize(
    ("relabel", "delete", "insert", "said"),
    [
        (np.zeros((2, 2)), np.zeros(2), np.zeros(2), "no costs"),
        (np.zeros((3, 4)), np.zeros(3), np.zeros(3), "differ"),
        (np.zeros((3, 3)), np.zeros(4), np.zeros(3), "differ"),
        (np.zeros((3, 3)), np.zeros(3), np.zeros(2), "differ"),
        (np.zeros((0, 0)), np.zeros(0), np.zeros(0), "no costs"),
    ],
)
def test_costs_that_do_not_fit_are_refused(kernel, relabel, delete, insert, said):
    corpus = kernel.Corpus(*TINY)
    block = longs(0, 2), np.ones(2), np.ones(2), (0, 1), (0, 1)
    for call in (
        lambda: corpus.weighted_distances(numbers(0), numbers(1), relabel, delete, insert),
        lambda: corpus.weighted_table(0, 1, relabel, delete, insert),
        lambda: corpus.weighted_sums(*block, relabel, delete, insert),
    ):
        with pytest.raises(ValueError, match=said):
            call()


@both_kernels
@pytest.mark.parametrize(
    ("groups", "counts", "sizes", "rows", "error"),
    [
        (longs(), np.ones(2), np.ones(2), (0, 0), ValueError),
        (longs(0, 3), np.ones(2), np.ones(2), (0, 1), ValueError),
        (longs(-1, 2), np.ones(2), np.ones(2), (0, 1), ValueError),
        (longs(0, 2, 1), np.ones(2), np.ones(2), (0, 2), ValueError),
        (longs(0, 2), np.ones(1), np.ones(2), (0, 1), ValueError),
        (longs(0, 2), np.ones(2), np.ones(3), (0, 1), ValueError),
        (longs(0, 2), np.ones(2), np.ones(2), (0, 2), IndexError),
        (longs(0, 2), np.ones(2), np.ones(2), (-1, 1), IndexError),
        (longs(0, 2), np.ones(2), np.ones(2), (1, 0), IndexError),
        (ints(0, 2), np.ones(2), np.ones(2), (0, 1), TypeError),
        (longs(0, 2), np.ones(2, dtype=np.float32), np.ones(2), (0, 1), TypeError),
    ],
)
def test_groups_that_do_not_fit_are_refused(kernel, groups, counts, sizes, rows, error):
    corpus = kernel.Corpus(*TINY)
    with pytest.raises(error):
        corpus.sums(groups, counts, sizes, rows, (0, 0))
    with pytest.raises(error):
        corpus.sums(groups, counts, sizes, (0, 0), rows)


@needs_compiled
def test_long_paths_and_broad_stars_work():
    assert distance(compiled, path([0] * 5000), path([0, 1] * 2500)) == 2500
    assert distance(compiled, star([0] * 10_000), star([0] * 1000 + [1] * 500)) == 9000
    assert distance(compiled, star([0] * 10_000), path([0] * 5000)) == 14_996
    assert distance(compiled, star([0] * 40_000), path([0, 1, 2])) == 40_000


@needs_compiled
def test_tree_that_is_hard_from_both_sides_works():
    size = 400
    same, other = zigzag([0] * size), zigzag([0] * (size - 100))
    assert distance(compiled, same, other) == 100


@both_kernels
def test_deep_trees_need_no_recursion(kernel):
    assert distance(kernel, path([0] * 3000), path([0, 0])) == 2998


@both_kernels
def test_threads_give_the_numbers_of_one(kernel):
    count = 120 if kernel is compiled else 24
    corpus = kernel.Corpus(*arrays(random_trees(20, count)))
    groups = np.arange(0, count + 1, 3)
    weights = np.random.default_rng(20).random((2, count))
    last = len(groups) - 1
    expected = corpus.sums(groups, *weights, (0, last), (0, last))
    blocks = [((row, row + 1), (0, last)) for row in range(last)]
    with ThreadPoolExecutor(8) as pool:
        pieces = pool.map(lambda block: corpus.sums(groups, *weights, *block), blocks)
        distances = list(pool.map(lambda _: corpus.distances(*all_pairs(count)).tolist(), range(4)))
    assert np.concatenate(list(pieces), axis=1).tolist() == expected.tolist()
    assert all(found == distances[0] for found in distances)


@both_kernels
def test_interrupt_ends_running_and_new_calls_until_resume(kernel):
    corpus = kernel.Corpus(*arrays(random_trees(21, 200, largest=30)))
    pairs = [np.tile(side, 500 if kernel is compiled else 1) for side in all_pairs(200)]
    ended = []

    def run():
        try:
            corpus.distances(*pairs)
        except kernel.Interrupted:
            ended.append(True)

    worker = threading.Thread(target=run)
    worker.start()
    try:
        time.sleep(0.2)
        assert worker.is_alive()
        kernel.interrupt()
        worker.join(timeout=10)
        assert ended
        for call in (
            lambda: corpus.table(0, 1),
            lambda: corpus.distances(numbers(0), numbers(0)),
            lambda: corpus.sums(longs(0, 200), np.ones(200), np.ones(200), (0, 1), (0, 1)),
        ):
            with pytest.raises(kernel.Interrupted, match="interrupted"):
                call()
    finally:
        kernel.resume()
        worker.join(timeout=60)
    assert corpus.distances(numbers(0), numbers(0)).tolist() == [0]


@needs_compiled
def test_interrupt_ends_one_long_comparison():
    corpus = compiled.Corpus(*arrays([zigzag([0] * 4001), zigzag([0, 1] * 2000)]))
    timer = threading.Timer(0.2, compiled.interrupt)
    timer.start()
    try:
        with pytest.raises(compiled.Interrupted):
            corpus.distances(numbers(0), numbers(1))
    finally:
        timer.join()
        compiled.resume()
    assert issubclass(compiled.Interrupted, RuntimeError)


@needs_compiled
def test_a_signal_ends_one_long_comparison_in_the_main_thread():
    corpus = compiled.Corpus(*arrays([zigzag([0] * 4001), zigzag([0, 1] * 2000)]))

    def stop(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for call in (
            lambda: corpus.distances(numbers(0), numbers(1)),
            lambda: corpus.weighted_distances(numbers(0), numbers(1), 1 - np.eye(2), *np.full((2, 2), 0.1)),
        ):
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(KeyboardInterrupt):
                call()
    finally:
        signal.signal(signal.SIGALRM, before)


@needs_compiled
def test_share_grows_during_one_long_comparison_and_is_0_after():
    corpus = compiled.Corpus(*arrays([zigzag([0] * 2001), zigzag([0, 1] * 1000)]))
    assert compiled.share() == 0
    with ThreadPoolExecutor(1) as pool:
        try:
            running = pool.submit(corpus.distances, numbers(0), numbers(1))
            seen = [0.0]
            while len(seen) < 4 and not running.done():
                time.sleep(0.01)
                if compiled.share() != seen[-1]:
                    seen.append(compiled.share())
        finally:
            compiled.interrupt()
    compiled.resume()
    assert seen == sorted(seen)
    assert 0 < seen[-1] <= 1
    assert compiled.share() == 0
