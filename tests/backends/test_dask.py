"""The cluster backend against a real cluster: the serial digits, whatever happens to the workers."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from arbitree.api.evaluate import evaluate_all
from arbitree.backends import dask
from arbitree.backends.dask import Dask
from arbitree.backends.serial import Serial
from arbitree.distances.ted import CostTable, Ted
from arbitree.errors import ArbitreeError
from arbitree.measures.alpha import Alpha
from arbitree.measures.sums import pairs as pair_sums
from tests.support.build import random_dep, study_of
from tests.support.commands import arbitree as here
from tests.support.commands import arbitree_process as arbitree
from tests.support.long_runs import rows

pytest.importorskip("distributed")

EXAMPLES = ["examples/dependency/ann.conllu", "examples/dependency/bob.conllu"]


@pytest.fixture
def study(monkeypatch):
    """Give a random study that is many small pieces of work."""
    monkeypatch.setattr(pair_sums, "STRIPE", 4)
    rng = random.Random(7)
    return study_of(
        {
            f"d{number % 3}/{number}": {
                coder: random_dep(rng, rng.randint(2, 25)) for coder in "abc" if rng.random() < 0.9
            }
            for number in range(40)
        }
    )


def results(study, run, measures=("alpha_plain", "alpha_diff", "alpha_norm"), **options):
    return evaluate_all(study, measures, resamples=50, run=run, **options)


def test_the_digits_are_those_of_the_serial_backend(cluster, study):
    with Dask(scheduler=cluster.scheduler_address).session() as run:
        assert results(study, run, by=["coder", "document"]) == results(
            study, Serial(), by=["coder", "document"]
        )


def test_label_costs_travel_too(cluster, study):
    costs = CostTable((("nsubj", "obj", 0.3), ("det", "", 0.7)))
    measure = ("alpha_norm", Alpha(Ted("norm", costs=costs)))
    run = Dask(scheduler=cluster.scheduler_address)
    assert results(study, run, [measure]) == results(study, Serial(), [measure])


@pytest.mark.parametrize("count", [1, 3], ids=["one", "all"])
def test_killed_workers_lose_nothing(cluster, study, count):
    killed = []

    def kill(done, total):
        if done == total // 4 and not killed:
            for nanny in list(cluster.workers.values())[:count]:
                killed.append(nanny.process.pid)
                os.kill(nanny.process.pid, signal.SIGKILL)

    run = Dask(scheduler=cluster.scheduler_address, progress=kill)
    assert results(study, run) == results(study, Serial())
    assert len(killed) == count


def test_a_scheduler_that_goes_away_is_an_error_of_one_line(start_cluster, monkeypatch):
    monkeypatch.setattr(dask, "ANSWER", 1.0)
    with start_cluster(n_workers=1) as brief:
        run = Dask(scheduler=brief.scheduler_address, progress=lambda done, total: brief.close())
        with pytest.raises(ArbitreeError, match="lost the connection to the cluster"):
            list(run(time.sleep, [0.01] * 100))


def test_what_is_on_its_way_is_bounded_and_taken_back_at_an_early_end(cluster):
    def on_their_way():
        return sum(key.startswith("_apply") for key in cluster.scheduler.tasks)

    with Dask(scheduler=cluster.scheduler_address).session() as run:
        found = run(time.sleep, [0.01] * 1000)
        next(found)
        most = dask.AHEAD * len(cluster.workers)
        assert 0 < on_their_way() <= most
        found.close()
        end = time.monotonic() + 10
        while on_their_way() and time.monotonic() < end:
            time.sleep(0.05)
        assert on_their_way() == 0


@pytest.mark.parametrize(
    "address", ["", "cluster", "cluster:port", "tcp://", "http://127.0.0.1:80", "127.0.0.1:99999", "[::1"]
)
def test_malformed_addresses_are_refused(address):
    with pytest.raises(ArbitreeError, match=r"is not a valid address\. Write it as tcp://HOST:PORT"):
        list(Dask(scheduler=address)(abs, [1]))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_a_scheduler_that_is_not_there_is_one_line_and_soon():
    begin = time.monotonic()
    done = arbitree("agree", "-q", *EXAMPLES, "--backend", "dask", "--scheduler", f"127.0.0.1:{free_port()}")
    assert time.monotonic() - begin < 10
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1
    assert b"no scheduler answers at 127.0.0.1:" in done.stderr


@pytest.mark.parametrize(
    ("greeting", "words"), [(b"", "timed out"), (b"SSH-2.0-OpenSSH\r\n", "another program uses this port")]
)
def test_something_else_at_the_address_is_no_scheduler(monkeypatch, greeting, words):
    monkeypatch.setattr(dask, "ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor() as pool:
        accepted = pool.submit(lambda: server.accept()[0])
        accepted.add_done_callback(lambda found: found.result().sendall(greeting))
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ArbitreeError, match=f"no scheduler answers at {address} .{words}.. Use"):
            list(Dask(scheduler=address)(abs, [1]))
        accepted.result().close()


def test_a_scheduler_without_workers_is_waited_for_and_given_up(start_cluster, monkeypatch):
    monkeypatch.setattr(dask, "WORKERS", 0.3)
    with (
        start_cluster(n_workers=0) as empty,
        pytest.raises(ArbitreeError, match=r"has no workers, and none connected within 0\.3 seconds"),
    ):
        list(Dask(scheduler=empty.scheduler_address)(abs, [1]))


@pytest.mark.parametrize(
    ("preload", "words"),
    [
        ("import sys; sys.modules['arbitree'] = None", "cannot import arbitree"),
        ("import arbitree; arbitree.__version__ = '0.0.1'", "has arbitree 0.0.1"),
    ],
)
def test_workers_with_another_arbitree_or_none_are_refused(start_cluster, preload, words):
    with (
        start_cluster(n_workers=1, preload=[preload]) as other,
        pytest.raises(ArbitreeError, match=f"the worker at tcp://127.0.0.1:.* {words}.* Install arbitree "),
    ):
        list(Dask(scheduler=other.scheduler_address)(abs, [1]))


def test_without_the_package_the_hint_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ArbitreeError, match=r"pip install '.*\[cluster\]'"):
        list(Dask()(abs, [1]))


def test_threads_are_those_of_the_workers():
    with pytest.raises(ArbitreeError, match="Omit threads or scheduler"):
        Dask(threads=2, scheduler="tcp://127.0.0.1:8786")


def test_the_command_line_uses_a_cluster(cluster):
    cluster.wait_for_workers(3, timeout=60)  # another test may have killed some, which start again
    address = cluster.scheduler_address
    done = arbitree("agree", "--json", *EXAMPLES, "--backend", "dask", "--scheduler", address)
    usual = here("agree", "--json", *EXAMPLES, "--backend", "serial")
    assert f"Cluster at {address}: workers 3, threads 3\n" in done.stderr.decode()
    assert json.loads(done.stdout) == json.loads(usual.stdout)


def test_the_command_line_starts_a_cluster_and_closes_it():
    done = arbitree("agree", "--json", *EXAMPLES, "-m", "alpha_plain", "--backend", "dask", "--threads", "2")
    assert done.returncode == 0
    assert b"Started a local cluster of 2 processes" in done.stderr
    assert json.loads(done.stdout)["results"]


def test_a_local_cluster_that_does_not_close_in_time_is_left(monkeypatch):
    from distributed import LocalCluster

    close, limits = LocalCluster.close, []

    def close_too_late(cluster, timeout=None):
        limits.append(timeout)
        close(cluster)
        raise TimeoutError

    monkeypatch.setattr(LocalCluster, "close", close_too_late)
    assert list(Dask(threads=1)(str, [1, 2])) == ["1", "2"]
    assert limits == [dask.END]


def test_a_scheduler_for_another_backend_is_an_error():
    done = here("agree", "-q", *EXAMPLES, "--scheduler", "tcp://127.0.0.1:8786")
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: the backend threads does not support --scheduler. ")
    assert done.stderr.count(b"\n") == 1


# A worker sends a message to the scheduler every 2 ms, not every 500, so that some are unanswered at the end.
OFTEN = """from tornado.ioloop import PeriodicCallback
PeriodicCallback.callback_time = property(lambda self: 2.0, lambda self, value: None)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to see when workers are at work")
def test_an_interrupt_ends_the_command_and_its_processes_without_noise(tmp_path):
    """As Ctrl-C on a terminal, which reaches the processes of the cluster too."""
    rng = random.Random(1)
    for coder in ("ann", "bob"):
        # More than one block of 128 sentences, so that both workers compare trees; one is called long.
        trees = (random_dep(random.Random(rng.random()), size) for size in [2000, *[400] * 175])
        (tmp_path / f"{coder}.conll").write_text("".join(map(rows, trees)), encoding="utf-8")
    (tmp_path / "sitecustomize.py").write_text(OFTEN, encoding="utf-8")
    command = [sys.executable, "-m", "arbitree", "agree", "-m", "alpha_plain", "--backend", "dask"]
    with subprocess.Popen(
        [*command, "--threads", "2", "ann.conll", "bob.conll"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        while b"cluster of 2" not in process.stderr.readline():
            assert process.poll() is None
        while _at_work(process.pid) < 2:
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    *foretold, last = err.splitlines()
    assert last == b"interrupted"
    said = [line for line in foretold if not line.startswith(b"Comparing annotations:")]  # every ten seconds
    assert len(said) == 1  # how long the sentences are, said before the work began
    assert b"tokens" in said[0]
    assert _end_within(10, process.pid)


def _at_work(session):
    """Count the workers of *session* that have used more seconds of the processor than a start takes."""
    long = 3 * os.sysconf("SC_CLK_TCK")
    found = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
            worker = int(fields[3]) == session and path.parent.name != str(session)
            found += worker and int(fields[11]) > long
    return found


def _end_within(seconds, group):
    """Tell whether the last process of *group* ends in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
