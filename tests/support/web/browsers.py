"""Somebody who is signed in at a server in another process, without a browser's pictures."""

import http.client
import json
import threading
import time
from typing import Any, NamedTuple

from arbitree.web.sessions import csrf_of, session

PATIENCE = 60  # seconds for an answer


class Answer(NamedTuple):
    """What the server said."""

    status: int
    text: str
    headers: Any

    @property
    def document(self):
        """The answer as JSON."""
        return json.loads(self.text)


class Browser:
    """A connection that stays open, and a session."""

    def __init__(self, port, cookie, token, patience=PATIENCE):
        self._port, self._patience = port, patience
        self._headers = {"Cookie": cookie, "X-CSRF-Token": token, "Content-Type": "application/json"}
        self._connection = None
        self._lock = threading.Lock()  # of one request at a time

    def get(self, address):
        """Ask for a page."""
        with self._lock:
            return self._ask("GET", address, None)

    def send(self, address, body):
        """Send a JSON document."""
        with self._lock:
            return self._ask("POST", address, json.dumps(body))

    def _ask(self, method, address, body):
        for last in (False, True):
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=self._patience)
            try:
                self._connection.request(method, address, body, self._headers)
                answer = self._connection.getresponse()
                return Answer(answer.status, answer.read().decode("utf-8", "replace"), answer.headers)
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self.close()  # the server closes connections that were idle
                if last:
                    raise
            except BaseException:
                self.close()
                raise
        raise AssertionError("not reached")

    def close(self):
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def signed_in(store, person):
    """Return the cookie and the token of a session of *person*."""
    cookie = session(store.secret(), person, time.time())
    return f"arbitree={cookie}", csrf_of(store.secret(), cookie)
