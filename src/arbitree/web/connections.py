"""Connections of clients: time limits for slow ones, and limits on their number.

A client that sends half a request, or does not read the response, keeps a connection open without costing
anything itself. Each connection therefore has a deadline for what its client has to do next. If too many are
open, the one that has waited longest for its client is closed in favour of the new one. The time that the
app takes for a response is not limited.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from errno import EMFILE, ENFILE, ENOBUFS, ENOMEM
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from arbitree.web.limits import network

MOST = 2048  # connections
_BUFFER = 128 * 1024  # bytes of a response that the kernel keeps; Linux keeps twice as many
_RESERVED = 128  # descriptors for files, the database and connections that are not quite closed
_BATCH = 16  # connections accepted at most before others are served
_NAMED = 3  # addresses in a line of the log
_LATE, _BUSY = b"408 Request Timeout", b"503 Service Unavailable"
_LOG = logging.getLogger("uvicorn")
_SERVER_LOG = logging.getLogger("uvicorn.error")


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds, and numbers of connections.

    Attributes:
        headers: Time for the headers of a request, from their first byte.
        body: Time for the body of a request.
        piece: Time between two pieces of the body.
        response: Time without the client reading anything of the response.
        connections: Number of connections.
        per_address: Number of connections from one address, or from one IPv6 network; None for no limit.
    """

    headers: float = 10
    body: float = 30
    piece: float = 10
    response: float = 20
    connections: int = MOST
    per_address: int | None = MOST // 2

    @classmethod
    def of_process(cls, *, proxied: bool) -> Limits:
        """Return the limits that the file descriptors of this process allow.

        Behind a proxy, all connections come from the same address.
        """
        descriptors = _descriptors(MOST + _RESERVED)
        most = min(MOST, max(descriptors - _RESERVED, descriptors // 4))
        return cls(connections=most, per_address=None if proxied else most // 2)


def _descriptors(wanted: int) -> int:
    """Return the number of file descriptors that this process may open, after raising it to *wanted*."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    reachable = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < reachable:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (reachable, hard))
            soft = reachable
    return wanted if soft == resource.RLIM_INFINITY else soft


class Step(Enum):
    """The next step of a connection, and whose it is."""

    IDLE = "the client's: begin a request"
    HEADERS = "the client's: complete the headers"
    BODY = "the client's: complete the body"
    APP = "ours: respond"
    RESPONSE = "the client's: read the response"


class Connection(H11Protocol):
    """A connection that ends when its client is too slow."""

    def __init__(
        self,
        config: ServerConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._all = config.connections
        self._limits = config.connections.limits
        self._step = Step.IDLE
        self._heard = self._read = 0.0  # times
        self._unread = 0  # bytes of the response
        self.address = ""
        self.since = 0.0  # time of the last step

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, or another one no longer."""
        super().connection_made(transport)
        self.address = network(self.client[0] if self.client else "")
        self.since = self.loop.time()
        self._all.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._all.sockets -= 1
        self._all.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a piece of a request."""
        self._heard = self.loop.time()
        super().data_received(data)
        self.step()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self.step()

    def shutdown(self) -> None:
        """End the connection when the server stops: at once if the request is not complete."""
        if self.step() is Step.BODY:
            self.transport.abort()
        else:
            super().shutdown()

    def step(self) -> Step:
        """Return the next step, and note when it became the next one."""
        step = self._next_step()
        if step is not self._step:
            self._step, self.since = step, self.loop.time()
            self._all.place(self, waiting=step is not Step.APP)
        return step

    def _next_step(self) -> Step:
        if self.transport.get_write_buffer_size():
            return Step.RESPONSE
        if self.conn.their_state is h11.SEND_BODY:
            return Step.APP if self.flow.read_paused else Step.BODY
        if self.conn.their_state is h11.IDLE:
            return Step.HEADERS if self.conn.trailing_data[0] else Step.IDLE
        return Step.APP

    def overdue(self, now: float) -> str | None:
        """Return in which way the client is too slow; None if it is not."""
        step, limits, waited = self.step(), self._limits, now - self.since
        if step is Step.IDLE and waited > limits.headers:
            return ""  # browsers open connections in advance
        if step is Step.HEADERS and waited > limits.headers:
            return f"request headers incomplete after {limits.headers:g} s"
        if step is Step.BODY and waited > limits.body:
            return f"request body incomplete after {limits.body:g} s"
        if step is Step.BODY and now - max(self.since, self._heard) > limits.piece:
            return f"no more of the request body for {limits.piece:g} s"
        if step is Step.RESPONSE and self._not_read(now) > limits.response:
            return f"response not read for {limits.response:g} s"
        return None

    def _not_read(self, now: float) -> float:
        """Return how long the client has read nothing."""
        unread = self.transport.get_write_buffer_size()
        if unread != self._unread or self._read < self.since:
            self._unread, self._read = unread, now
        return now - self._read

    def close(self, status: bytes) -> None:
        """Close the connection now, with an HTTP *status* if the client expects one.

        Connections on which nothing was sent yet may be those that browsers open in advance. A client that is
        refused one needs the reason nevertheless.
        """
        step = self.step()
        begun = step in (Step.HEADERS, Step.BODY) and self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE)
        if begun or (self.cycle is None and status == _BUSY):
            self.transport.write(b"HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" % status)
        self.transport.close()
        if self.transport.get_write_buffer_size():
            self.transport.abort()


class Connections:
    """All connections of a server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.refusals = Refusals()
        self.sockets = 0  # accepted and not closed; more than connections for a moment
        self._open: set[Connection] = set()
        self._numbers: Counter[str] = Counter()  # by address
        # Connections that wait for their clients by address; the one that has waited longest is the first.
        self._waiting: dict[str, dict[Connection, None]] = {}
        times = (limits.headers, limits.body, limits.piece, limits.response)
        self._interval = min(1.0, min(times) / 4)
        self._watching = False

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, new: Connection) -> None:
        """Add a connection; if there are too many, close the one that has waited longest for its client."""
        if not self._watching:
            self._watching = True
            new.loop.call_later(self._interval, self._watch, new.loop)
        most, own = self.limits.connections, self.limits.per_address
        full = False
        if own is not None and self._numbers[new.address] >= own:
            full = not self.make_room(f"more than {own} connections from one address", new.address)
        elif len(self._open) >= most:
            full = not self.make_room(f"more than {most} connections")
        if full:
            self._close(new, "all connections are in use", _BUSY)
            return
        self._open.add(new)
        self._numbers[new.address] += 1
        self.place(new, waiting=True)

    def discard(self, connection: Connection) -> None:
        """Remove a connection, if it is still there."""
        if connection in self._open:
            self.place(connection, waiting=False)
            self._open.remove(connection)
            self._numbers[connection.address] -= 1
            if not self._numbers[connection.address]:
                del self._numbers[connection.address]

    def place(self, connection: Connection, *, waiting: bool) -> None:
        """Note that an open connection waits for its client from now on, or no longer."""
        if connection not in self._open:
            return
        queue = self._waiting.setdefault(connection.address, {})
        queue.pop(connection, None)
        if waiting:
            queue[connection] = None
        elif not queue:
            del self._waiting[connection.address]

    def make_room(self, what: str, address: str | None = None) -> bool:
        """Close the connection that has waited longest for its client; return False if none waits.

        Args:
            what: The reason, for the log.
            address: Close a connection from this address; None for any address.
        """
        while first := self._longest(address):
            since = first.since
            first.step()  # it may have read its response in the meantime
            if first.since == since:
                self._close(first, what, _BUSY)
                return True
        return False

    def _longest(self, address: str | None) -> Connection | None:
        queues = self._waiting.values() if address is None else [self._waiting.get(address, {})]
        firsts = (next(iter(queue)) for queue in queues if queue)
        return min(firsts, key=lambda each: each.since, default=None)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for connection in list(self._open):
            if (what := connection.overdue(now)) is not None:
                self._close(connection, what, _LATE)
        self._watching = bool(self._open)
        if self._watching:
            loop.call_later(self._interval, self._watch, loop)

    def _close(self, connection: Connection, what: str, status: bytes) -> None:
        self.discard(connection)
        if what:
            self.refusals.add(f"Connection closed: {what}", connection.address)
        connection.close(status)


class Refusals(logging.Filter):
    """The log of refused requests: one line per second, with the number of times.

    As a filter of the server's log, it also counts the warnings of the server.

    Example:
        >>> refusals = Refusals()
        >>> refusals.add("Connection closed: request headers incomplete after 10 s", "127.0.0.1")
        >>> refusals.add("Connection closed: request headers incomplete after 10 s", "127.0.0.1")
        >>> refusals.line()
        'Connection closed: request headers incomplete after 10 s (2 times). Addresses: 127.0.0.1'
    """

    def __init__(self) -> None:
        super().__init__()
        self._times: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._due: asyncio.TimerHandle | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the log shows a message by itself: all but warnings."""
        if record.levelno != logging.WARNING or record.exc_info:
            return True
        self.add(record.getMessage().rstrip("."))
        return False

    def add(self, what: str, address: str = "") -> None:
        """Count a refusal, and log it within a second."""
        self._times[what] += 1
        if address:
            self._addresses[address] += 1
        if self._due is None:
            with suppress(RuntimeError):  # no event loop: the server has stopped
                self._due = asyncio.get_running_loop().call_later(1, self.write)

    def write(self) -> None:
        """Log the refusals since the last line, if there are any."""
        self._due = None
        if self._times:
            _LOG.warning("%s", self.line())
        self._times.clear()
        self._addresses.clear()

    def line(self) -> str:
        """Return the refusals since the last line."""
        times = [f"{what} ({count} times)" if count > 1 else what for what, count in self._times.items()]
        named = [address for address, _ in self._addresses.most_common(_NAMED)]
        if others := len(self._addresses) - len(named):
            named.append(f"{others} more")
        return ". ".join([*times, *([f"Addresses: {', '.join(named)}"] if named else [])])


class Listener(socket.socket):
    """The socket that accepts connections: a few at a time, and without an error if descriptors run out."""

    def __init__(self, listening: socket.socket, connections: Connections) -> None:
        family, kind, protocol = listening.family, listening.type, listening.proto
        super().__init__(family, kind, protocol, fileno=listening.detach())
        # Else the kernel would keep megabytes for each client that does not read.
        self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        self._connections = connections
        limits = connections.limits
        self._batch = max(1, min(_BATCH, (limits.per_address or limits.connections) // 16))
        self._most = limits.connections + _BATCH
        self._accepted = 0  # since the event loop last served others

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; raise BlockingIOError, which the event loop expects, if it must wait."""
        if self._accepted >= self._batch or self._connections.sockets >= self._most:
            raise BlockingIOError
        try:
            accepted = super().accept()
        except OSError as error:
            if error.errno not in (EMFILE, ENFILE, ENOBUFS, ENOMEM):
                raise
            self._connections.make_room(f"cannot open another one ({error.strerror})")
            raise BlockingIOError from None
        if not self._accepted:
            asyncio.get_running_loop().call_soon(self._continue)
        self._accepted += 1
        self._connections.sockets += 1
        return accepted

    def _continue(self) -> None:
        self._accepted = 0


class ServerConfig(uvicorn.Config):
    """The configuration of a server whose clients must not be slow."""

    def __init__(self, app: Any, connections: Connections, **options: Any) -> None:
        # Not uvloop: it would accept connections without asking our listener.
        super().__init__(app, http=Connection, loop="asyncio", **options)
        self.connections = connections
        _SERVER_LOG.addFilter(connections.refusals)
