"""The server that runs the app."""

from __future__ import annotations

import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

from arbitree.web.connections import Connections, Limits, Listener, ServerConfig

PATIENCE = 5  # seconds for requests to end in when the server stops


class Server(uvicorn.Server):
    """A server that always stops in the same way, however often it is told to."""

    def __init__(self, config: ServerConfig) -> None:
        super().__init__(config)
        self.connections = config.connections

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve the clients that connect to *sockets* until somebody stops the server."""
        super().run([Listener(each, self.connections) for each in sockets or []])
        self.connections.refusals.write()

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
