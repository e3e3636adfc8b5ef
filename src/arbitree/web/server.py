"""The server that runs the app."""

from __future__ import annotations

from types import FrameType

import uvicorn
from fastapi import FastAPI

PATIENCE = 5  # seconds for requests to end in when the server stops


class Server(uvicorn.Server):
    """A server that always stops in the same way, however often it is told to."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop when the requests that are running have ended."""
        self.should_exit = True


def server_of(app: FastAPI, *, proxy: bool) -> Server:
    """Return the server for *app*.

    Args:
        app: The application.
        proxy: A proxy passes the requests on, and names the addresses of the clients.
    """
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=proxy,  # else clients would choose the address that counts for rate limits
        timeout_graceful_shutdown=PATIENCE,
    )
    return Server(config)
