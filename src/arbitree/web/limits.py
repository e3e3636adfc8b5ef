"""Rate limits."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from arbitree.web.refusals import Refusal

_MOST = 10_000  # names remembered at once


class Window:
    """A sliding window that allows *limit* attempts per name within *seconds*.

    Example:
        >>> window = Window(1, 60, clock=lambda: 100.0)
        >>> window.take("203.0.113.7"), window.take("203.0.113.7")
        (0, 60)
    """

    def __init__(self, limit: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._seconds = seconds
        self._clock = clock
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: str) -> int:
        """Count an attempt and return 0, or return the number of seconds to wait."""
        with self._lock:
            now = self._clock()
            tries = self._tries.setdefault(name, deque())
            self._tries.move_to_end(name)
            while tries and tries[0] <= now - self._seconds:
                tries.popleft()
            if len(tries) >= self._limit:
                return max(1, math.ceil(tries[0] + self._seconds - now))
            tries.append(now)
            while len(self._tries) > _MOST:
                self._tries.popitem(last=False)
            return 0

    def give_back(self, name: str) -> None:
        """Remove the last attempt, because it was valid."""
        with self._lock:
            if self._tries.get(name):
                self._tries[name].pop()

    def check(self, name: str, what: str) -> None:
        """Count an attempt, or refuse it with the message *what*."""
        if wait := self.take(name):
            raise too_often(what, wait)


def too_often(what: str, wait: int) -> Refusal:
    """Return the refusal of a request that exceeds a limit."""
    return Refusal(429, what, hint=f"Try again in {wait} seconds", headers={"Retry-After": str(wait)})


def network(address: str) -> str:
    """Return the key of a client: its IPv4 address, or its IPv6 network.

    Example:
        >>> network("2001:db8::1:2:3"), network("127.0.0.1"), network("")
        ('2001:db8::/64', '127.0.0.1', '')
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False))
