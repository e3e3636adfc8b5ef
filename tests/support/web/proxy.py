"""A way to a server that can be cut or blocked: a socket in between, as of a bad network."""

import select
import socket
import struct
import threading
from contextlib import suppress

RESET = struct.pack("ii", 1, 0)  # a connection that is closed so is reset, not ended
CUT, ABANDON = b"c", b"a"


class Proxy:
    """Listen on a port of its own and pass bytes on to *port* on this machine, until it is told not to."""

    def __init__(self, port):
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ways = []
        self._abandoned = []
        self._lock = threading.Lock()
        self.flowing = threading.Event()
        self.flowing.set()
        self.deaf = self._away = False
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self):
        """Where it listens."""
        return self._listener.getsockname()[1]

    def cut(self):
        """Reset all connections, and every new one until *restore*."""
        self._end_all(CUT)

    def abandon(self):
        """Reset all connections, and every new one until *restore*, but let the server not know of it."""
        self._abandoned += self._end_all(ABANDON)

    def cut_at_answer(self):
        """Reset all connections when the server answers next: the request arrives, the answer does not."""
        self.deaf = True

    def stall(self):
        """Keep all connections but pass nothing on, until *restore*."""
        self.flowing.clear()

    def restore(self):
        """Let everything pass again."""
        with self._lock:
            self._away = self.deaf = False
        self.flowing.set()

    def close(self):
        """End all connections and listen no longer."""
        self.cut()
        self.flowing.set()
        self._listener.close()
        _reset(*self._abandoned)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def _end_all(self, how):
        """Wait until all ways are ended; return the ends at the server that are still open."""
        with self._lock:
            self._away = True
            ways, self._ways = self._ways, []
        for way in ways:
            way.end(how)
        return [way.far for way in ways if way.far.fileno() >= 0]

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
                    if not self._away:
                        self._ways = [way for way in self._ways if way.is_alive()]
                        self._ways.append(Way(self, near, far))
                        continue
                _reset(near, far)


class Way(threading.Thread):
    """One connection. Only its thread closes the sockets.

    A socket that another thread closes while this one waits for it stays open, and its number may be that of
    the next one: what arrives is neither passed on nor refused.
    """

    def __init__(self, proxy, near, far):
        super().__init__(daemon=True)
        self._proxy = proxy
        self.near, self.far = near, far
        self._asked, self._ask = socket.socketpair()
        self.start()

    def run(self):
        """Pass bytes on until it shall end, or one of its ends does."""
        other = {self.near: self.far, self.far: self.near}
        how = CUT
        with suppress(OSError):
            while True:
                ready = select.select([self._asked, self.near, self.far], [], [])[0]
                while not self._asked_to_end() and not self._proxy.flowing.wait(0.02):
                    pass
                if self._asked_to_end():
                    how = self._asked.recv(1)
                    break
                if not all(self._pass(end, other[end]) for end in ready):
                    break
        _reset(*([self.near] if how == ABANDON else [self.near, self.far]))
        self._asked.close()
        self._ask.close()

    def end(self, how):
        """Reset the connection, or abandon its end at the server, and wait until that is done."""
        with suppress(OSError):  # it has ended by itself
            self._ask.sendall(how)
        self.join()

    def _asked_to_end(self):
        return bool(select.select([self._asked], [], [], 0)[0])

    def _pass(self, end, other):
        """Pass on what arrived; return whether the connection goes on."""
        data = end.recv(65536)
        if not data or (self._proxy.deaf and end is self.far):
            return False
        other.sendall(data)
        return True


def _reset(*ends):
    for end in ends:
        with suppress(OSError):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        end.close()
