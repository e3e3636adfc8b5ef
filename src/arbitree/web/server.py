"""The server that runs the app."""

from __future__ import annotations

import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

from arbitree.web.connections import Connections, Limits, Listener, ServerConfig
from arbitree.web.memory import return_free_pages

PATIENCE = 5  # seconds for requests to end in when the server stops
TRIMMED = 100  # ticks (tenths of a second) after which free memory is returned


class Server(uvicorn.Server):
    """A server that always stops in the same way, however often it is told to."""

    def __init__(self, config: ServerConfig) -> None:
        super().__init__(config)
        self.connections = config.connections
        self._trimmed = 0  # number of requests before

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve the clients that connect to *sockets* until somebody stops the server."""
        super().run([Listener(each, self.connections) for each in sockets or []])
        self.connections.refusals.write()

    async def on_tick(self, counter: int) -> bool:
        """Do what has to be done ten times per second; return whether to stop."""
        if counter % TRIMMED == 0 and self.server_state.total_requests != self._trimmed:
            self._trimmed = self.server_state.total_requests
            return_free_pages()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop when the requests that are running have ended."""
        self.should_exit = True


def server_of(app: FastAPI, *, proxy: bool, limits: Limits | None = None) -> Server:
    """Return the server for *app*.

    Args:
        app: The application.
        proxy: A proxy passes the requests on, and names the addresses of the clients.
        limits: Limits for slow clients; None for those that this process allows.
    """
    config = ServerConfig(
        app,
        Connections(limits or Limits.of_process(proxied=proxy)),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=proxy,  # else clients would choose the address that counts for rate limits
        timeout_graceful_shutdown=PATIENCE,
    )
    return Server(config)
