"""Ctrl-C ends the threads' work and the command, with the exit code that shells expect."""

import random
import signal
import subprocess
import sys
import time

import psutil

from tests.support.build import random_dep
from tests.support.long_runs import rows


def processor_time(process):
    """Return the seconds that a process has computed."""
    times = psutil.Process(process.pid).cpu_times()
    return times.user + times.system


def test_an_interrupt_in_the_middle_of_the_work_is_exit_code_130(tmp_path):
    rng = random.Random(1)
    for coder in ("ann", "bob"):  # sentences of 2,000 tokens: the kernel is busy for long
        trees = (random_dep(random.Random(rng.random()), 2000) for _ in range(6))
        (tmp_path / f"{coder}.conll").write_text("".join(map(rows, trees)), encoding="utf-8")
    command = [sys.executable, "-m", "arbitree", "agree", "-m", "alpha_plain", "ann.conll", "bob.conll"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while b"matched" not in process.stderr.readline():
            assert process.poll() is None
        # An interrupt in exec(), which imports call, would end Python by the signal instead of the exit code.
        started = processor_time(process)
        while processor_time(process) < started + 1:  # inside the kernel
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert err.decode().endswith("interrupted\n")
