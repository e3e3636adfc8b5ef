"""What every backend keeps to: order, errors, progress, nothing for nothing."""

import time
from functools import partial
from threading import Event

import pytest

from arbitree import kernels, plugins
from arbitree.api.agree import agree
from arbitree.api.read import read
from arbitree.backends import threads
from arbitree.backends.base import Session, mute, opened, silent
from arbitree.errors import ArbitreeError, FormatError, Source, UnknownName

BACKENDS = sorted(plugins.plugins("backends"))


@pytest.fixture(params=BACKENDS)
def backend(request):
    """Give a function from ``progress`` to the backend."""
    options = {}
    if request.param == "dask":
        options["scheduler"] = request.getfixturevalue("cluster").scheduler_address
    return partial(plugins.get("backends", request.param), **options)


def tardy(number):
    """Take the longer the smaller *number* is, so that later pieces are done first."""
    time.sleep(0.2 / (number + 1))
    return number * number


def refuse(number):
    if number == 3:
        raise FormatError("three is not allowed", Source("a.conllu", 3), hint="Take four")
    return number


def test_results_come_in_the_order_of_the_arguments(backend):
    assert list(backend()(tardy, range(40))) == [number * number for number in range(40)]


def test_no_arguments_give_no_results(backend):
    calls = []
    assert list(backend(progress=lambda *call: calls.append(call))(tardy, [])) == []
    assert calls == []


def test_progress_is_told_of_every_piece_once(backend):
    calls = []
    list(backend(progress=lambda *call: calls.append(call))(abs, [-1, -2, -3]))
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_errors_reach_the_caller_as_they_are(backend):
    found = backend()(int, ["1", "2", "x", "4"])
    with pytest.raises(ValueError, match="invalid literal for int"):
        list(found)


def test_errors_of_the_input_keep_their_words(backend):
    with pytest.raises(FormatError) as caught:
        list(backend()(refuse, range(6)))
    assert str(caught.value) == "a.conllu:3: three is not allowed. Take four."
    assert caught.value.hint == "Take four"


def test_a_backend_works_again_after_an_error_and_an_early_end(backend):
    run = backend()
    with pytest.raises(FormatError):
        list(run(refuse, [3]))
    unfinished = run(tardy, range(10))
    assert next(unfinished) == 0
    unfinished.close()
    assert list(run(abs, [-7])) == [7]


@pytest.mark.parametrize("name", ["serial", "threads"])
def test_an_option_that_a_backend_does_not_take_is_refused(name):
    words = f"the backend {name} does not support scheduler. Omit it, or choose backend='dask'."
    with pytest.raises(ArbitreeError, match=words), opened(name, scheduler="tcp://127.0.0.1:8786"):
        pass


def test_options_that_were_not_given_are_fine_everywhere():
    for name in ("serial", "threads"):
        with opened(name, progress=silent, say=mute, threads=2, scheduler=None) as run:
            assert list(run(abs, [-2])) == [2]


def test_an_unknown_backend_gets_a_suggestion():
    with pytest.raises(UnknownName, match="Did you mean 'dask'"), opened("dusk"):
        pass


def test_a_session_is_open_for_the_block_and_closed_after_it(monkeypatch):
    events = []

    class Door:
        def __call__(self, function, arguments):
            return map(function, arguments)

        def session(self):
            return self

        def __enter__(self):
            events.append("open")
            return self

        def __exit__(self, *error):
            events.append("closed")

    monkeypatch.setitem(plugins.plugins("backends"), "door", Door)
    assert isinstance(Door(), Session)
    with opened("door") as run:
        assert list(run(abs, [-1])) == [1]
        assert events == ["open"]
    assert events == ["open", "closed"]


def test_threads_report_the_share_of_a_running_block(monkeypatch):
    """Of two blocks, one is done and 0.4 of the other: 1.4 of 2."""
    monkeypatch.setattr(threads, "EVERY", 0.01)
    monkeypatch.setattr(kernels, "share", lambda: 0.4)
    seen = []
    run = threads.Threads(1, progress=lambda done, total: seen.append((done, total)))
    assert list(run(lambda pause: time.sleep(pause) or pause, [0, 0.3])) == [0, 0.3]
    assert (1.4, 2) in seen
    assert seen == sorted(seen)
    assert seen[-1] == (2, 2)


@pytest.mark.skipif(not kernels.COMPILED, reason="the fallback compares trees on one thread after another")
def test_measures_beside_the_comparison_of_trees_give_the_same_results():
    study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
    measures = ["las", "alpha_plain", "uas", "alpha_plain:labelled=no", "alpha_norm"]
    one, two = (agree(study, measures, run=threads.Threads(count)).to_dict() for count in (1, 2))
    assert one == two
    assert [each["measure"] for each in two["results"]] == [name.partition(":")[0] for name in measures]


@pytest.mark.skipif(not kernels.COMPILED, reason="the fallback compares trees on one thread after another")
def test_an_error_beside_the_comparison_of_trees_is_raised(monkeypatch):
    def fail(self, study, run):
        raise ValueError("no arcs")

    monkeypatch.setattr("arbitree.kinds.dependency.measures.arc_pairs.ArcPairs.prepare", fail)
    study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
    with pytest.raises(ValueError, match="no arcs"):
        agree(study, ["alpha_plain", "las"], run=threads.Threads(2))


@pytest.mark.skipif(not kernels.COMPILED, reason="the fallback compares trees on one thread after another")
def test_an_interrupt_does_not_wait_for_measures_beside_the_comparison(monkeypatch):
    interrupted, ended = Event(), []

    def prepare(self, study, run):
        interrupted.wait(60)
        ended.append(study)

    def interrupt(done, total):
        raise KeyboardInterrupt

    monkeypatch.setattr("arbitree.kinds.dependency.measures.arc_pairs.ArcPairs.prepare", prepare)
    study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
    try:
        with pytest.raises(KeyboardInterrupt):
            agree(study, ["alpha_plain", "las"], run=threads.Threads(2, progress=interrupt))
        assert not ended
    finally:
        interrupted.set()
