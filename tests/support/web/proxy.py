"""A way to a server that can be cut or blocked: a socket in between, as of a bad network."""

import select
import socket
import struct
import threading
from contextlib import suppress

RESET = struct.pack("ii", 1, 0)  # a connection that is closed so is reset, not ended


class Proxy:
    """Listen on a port of its own and pass bytes on to *port* on this machine, until it is told not to."""

    def __init__(self, port):
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._pairs = []
        self._lock = threading.Lock()
        self._flowing = threading.Event()
        self._flowing.set()
        self._away = self._deaf = False
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self):
        """Where it listens."""
        return self._listener.getsockname()[1]

    def cut(self):
        """Reset all connections, and every new one until *restore*."""
        with self._lock:
            self._away = True
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            _reset(*pair)

    def cut_at_answer(self):
        """Reset all connections when the server answers next: the request arrives, the answer does not."""
        self._deaf = True

    def stall(self):
        """Keep all connections but pass nothing on, until *restore*."""
        self._flowing.clear()

    def restore(self):
        """Let everything pass again."""
        with self._lock:
            self._away = self._deaf = False
        self._flowing.set()

    def close(self):
        """End all connections and listen no longer."""
        self.cut()
        self._flowing.set()
        self._listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def _accept(self):
        with suppress(OSError):  # the listener is closed at the end
            while True:
                near = self._listener.accept()[0]
                try:
                    far = socket.create_connection(("127.0.0.1", self._target), timeout=5)
                except OSError:
                    _reset(near)
                    continue
                with self._lock:
                    kept = not self._away
                    self._pairs += [(near, far)] if kept else []
                if kept:
                    threading.Thread(target=self._pass, args=(near, far), daemon=True).start()
                else:
                    _reset(near, far)

    def _pass(self, near, far):
        other = {near: far, far: near}
        with suppress(OSError, ValueError):  # closed by *cut*
            while True:
                for end in select.select([near, far], [], [])[0]:
                    data = end.recv(65536)
                    self._flowing.wait()
                    if not data or (self._deaf and end is far):
                        _reset(near, far)
                        return
                    other[end].sendall(data)
        _reset(near, far)


def _reset(*ends):
    for end in ends:
        with suppress(OSError):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        end.close()
