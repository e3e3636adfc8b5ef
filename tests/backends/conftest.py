"""Clusters of processes that nobody outside this machine can reach."""

import logging
from contextlib import suppress
from functools import partial

import pytest


@pytest.fixture(scope="session")
def start_cluster():
    """Give LocalCluster without noise, which soon gives up a worker that was killed."""
    distributed = pytest.importorskip("distributed")
    import dask

    with dask.config.set({"distributed.comm.timeouts.connect": "2s"}):  # usually 30 s
        yield partial(
            distributed.LocalCluster,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )


@pytest.fixture(scope="session")
def cluster(start_cluster):
    """Give three workers."""
    found = start_cluster(n_workers=3)
    yield found
    with suppress(TimeoutError):  # Dask may wait for ever for the successor of a killed worker
        found.close(timeout=20)
