"""Connections to PostgreSQL that do not wait forever for a server that sends nothing."""

from __future__ import annotations

from collections.abc import Generator
from time import monotonic
from typing import Any

import psycopg


class PatientConnection(psycopg.Connection[Any]):
    """A connection that is closed after *patience* seconds without a byte from the server.

    A network can fail without closing connections. Nothing arrives then, and a thread would wait for hours.
    """

    patience = 10.0

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **kwargs: Any) -> Any:
        """Perform the operation *gen* and return its result."""
        return super().wait(self._watched(gen), *args, **kwargs)

    def _watched(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        # The driver resumes an operation when the socket is ready and, with Ready.NONE, ten times per second.
        try:
            wanted = next(gen)
            heard = monotonic()
            while True:
                ready = yield wanted
                if ready:
                    heard = monotonic()
                elif monotonic() - heard > self.patience:
                    self.pgconn.finish()
                    raise psycopg.OperationalError("timeout expired")
                wanted = gen.send(ready)
        except StopIteration as done:
            return done.value
